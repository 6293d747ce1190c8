// Lists the instructions that mechanisms add to PTX.
#include "hooks/engine_instructions.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t count_of(const HdMechanism *mechanism)
{
    size_t count = 0;
    const HdEngineInstruction *list = mechanism->instructions;
    while (list && list[count].name) count++;
    return count;
}

static const EngineInstruction *find(const EngineInstructions *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(engine_instruction(&list->items[i])->name, name) == 0) return &list->items[i];
    return NULL;
}

// Adds a mechanism's instructions. Of a known mechanism that does not run (ENGINE_NOT_PLANNED),
// those with names of the plan's are left out.
static bool add(EngineInstructions *list, const HdMechanism *mechanism, uint16_t planned,
                HdError *err)
{
    for (size_t i = 0; i < count_of(mechanism); i++) {
        const char *name = mechanism->instructions[i].name;
        const EngineInstruction *other = find(list, name);
        if (!other) {
            list->items[list->count++] = (EngineInstruction){mechanism, planned, (uint16_t)i};
        } else if (other->planned == planned || planned != ENGINE_NOT_PLANNED) {
            return hd_fail(err, "the mechanisms %s and %s both add the instruction '%s' to PTX: "
                                "expected one of them", other->mechanism->name, mechanism->name,
                           name);
        }
    }
    return true;
}

// Whether the plan has the mechanism before item `end`.
static bool is_planned(const HookPlan *plan, size_t end, const HdMechanism *mechanism)
{
    for (size_t i = 0; i < end; i++)
        if (plan->items[i].mechanism == mechanism) return true;
    return false;
}

bool engine_instructions_list(EngineInstructions *list, const HookPlan *plan,
                              const HdMechanism *const *known, HdError *err)
{
    size_t most = 0, planned = plan ? plan->count : 0;
    for (size_t i = 0; i < planned; i++) most += count_of(plan->items[i].mechanism);
    for (size_t i = 0; known[i]; i++) most += count_of(known[i]);
    *list = (EngineInstructions){.items = hd_new(most, sizeof *list->items)};
    if (!list->items) return hd_fail_memory(err, "listing the instructions of mechanisms");
    for (size_t i = 0; i < planned; i++) {
        const HdMechanism *mechanism = plan->items[i].mechanism;
        if (!is_planned(plan, i, mechanism) && !add(list, mechanism, (uint16_t)i, err))
            return false;
    }
    for (size_t i = 0; known[i]; i++)
        if (!is_planned(plan, planned, known[i]) && !add(list, known[i], ENGINE_NOT_PLANNED, err))
            return false;
    return true;
}

void engine_instructions_free(EngineInstructions *list)
{
    free(list->items);
    *list = (EngineInstructions){0};
}
