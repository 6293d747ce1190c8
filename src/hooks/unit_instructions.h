// The instructions that mechanisms add to PTX for their units (heddle/units.h): those of all
// built-in mechanisms and of the plan's shared objects, whether their mechanism runs or not.
#ifndef HEDDLE_HOOKS_UNIT_INSTRUCTIONS_H
#define HEDDLE_HOOKS_UNIT_INSTRUCTIONS_H

#include "hooks/plan.h"

enum { UNIT_NOT_PLANNED = UINT16_MAX };

typedef struct UnitInstruction {
    const HdMechanism *mechanism;
    uint16_t planned; // the mechanism's number in the plan; UNIT_NOT_PLANNED: it does not run
    uint16_t number;  // index in HdMechanism.instructions
} UnitInstruction;

// A micro-op names an instruction by its index here.
typedef struct UnitInstructions {
    UnitInstruction *items;
    size_t count;
} UnitInstructions;

// Lists the instructions of the plan's mechanisms (NULL: no plan), and of those in `known`
// (NULL-terminated) that the plan does not have. An instruction of the plan's replaces one of the
// same name that does not run, so that a changed copy of a known mechanism can run. false and
// err: out of memory, or two others add the same name. Free with unit_instructions_free, after
// failure too.
bool unit_instructions_list(UnitInstructions *list, const HookPlan *plan,
                            const HdMechanism *const *known, HdError *err);
void unit_instructions_free(UnitInstructions *list);

static inline const HdUnitInstruction *unit_instruction(const UnitInstruction *item)
{
    return &item->mechanism->instructions[item->number];
}

#endif
