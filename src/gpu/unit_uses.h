// Which instructions of mechanisms' units (heddle/units.h) the kernels of a module have.
#ifndef HEDDLE_GPU_UNIT_USES_H
#define HEDDLE_GPU_UNIT_USES_H

#include "hooks/unit_instructions.h"
#include "ptx/ptx.h"

// A kernel, or a function that it may call, has an instruction.
typedef struct UnitUse {
    uint32_t kernel;          // index in PtxModule.functions
    uint32_t function, index; // the first place
    const UnitInstruction *instruction;
} UnitUse;

typedef struct UnitUses {
    UnitUse *items;
    size_t count, capacity;
} UnitUses;

// Finds the uses of all kernels. A call through a pointer may reach each function of its signature
// whose address is taken. false: out of memory. Free with unit_uses_free, after failure too.
bool unit_uses_find(UnitUses *uses, const PtxModule *module);
void unit_uses_free(UnitUses *uses);
// The kernel's next use, or with NULL its first. NULL: there is none.
const UnitUse *unit_uses_next(const UnitUses *uses, const UnitUse *use, uint32_t kernel);
// Fails at the place of a use: "K has 'NAME', an instruction of the mechanism M, ", and `what`.
bool unit_use_fail(const UnitUse *use, const PtxModule *module, const char *what, HdError *err);

#endif
