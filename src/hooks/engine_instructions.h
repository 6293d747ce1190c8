// The instructions that mechanisms add to PTX for their engines (heddle/engines.h): those of all
// built-in mechanisms and of the plan's shared objects, whether their mechanism runs or not.
#ifndef HEDDLE_HOOKS_ENGINE_INSTRUCTIONS_H
#define HEDDLE_HOOKS_ENGINE_INSTRUCTIONS_H

#include "hooks/plan.h"

enum { ENGINE_NOT_PLANNED = UINT16_MAX };

typedef struct EngineInstruction {
    const HdMechanism *mechanism;
    uint16_t planned; // the mechanism's number in the plan; ENGINE_NOT_PLANNED: it does not run
    uint16_t number;  // index in HdMechanism.instructions
} EngineInstruction;

// A micro-op names an instruction by its index here.
typedef struct EngineInstructions {
    EngineInstruction *items;
    size_t count;
} EngineInstructions;

// Lists the instructions of the plan's mechanisms (NULL: no plan), and of those in `known`
// (NULL-terminated) that the plan does not have. An instruction of the plan's replaces one of the
// same name that does not run, so that a changed copy of a known mechanism can run. false and
// err: out of memory, or two others add the same name. Free with engine_instructions_free, after
// failure too.
bool engine_instructions_list(EngineInstructions *list, const HookPlan *plan,
                              const HdMechanism *const *known, HdError *err);
void engine_instructions_free(EngineInstructions *list);

static inline const HdEngineInstruction *engine_instruction(const EngineInstruction *item)
{
    return &item->mechanism->instructions[item->number];
}

#endif
