// Which instructions of mechanisms' engines (heddle/engines.h) the kernels of a module have.
#ifndef HEDDLE_GPU_ENGINE_USES_H
#define HEDDLE_GPU_ENGINE_USES_H

#include "hooks/engine_instructions.h"
#include "ptx/ptx.h"

// A kernel, or a function that it may call, has an instruction.
typedef struct EngineUse {
    uint32_t kernel;          // index in PtxModule.functions
    uint32_t function, index; // the first place
    const EngineInstruction *instruction;
} EngineUse;

typedef struct EngineUses {
    EngineUse *items;
    size_t count, capacity;
} EngineUses;

// Finds the uses of all kernels. A call through a pointer may reach each function of its signature
// whose address is taken. false: out of memory. Free with engine_uses_free, after failure too.
bool engine_uses_find(EngineUses *uses, const PtxModule *module);
void engine_uses_free(EngineUses *uses);
// The kernel's next use, or with NULL its first. NULL: there is none.
const EngineUse *engine_uses_next(const EngineUses *uses, const EngineUse *use, uint32_t kernel);
// Fails at the place of a use: "K has 'NAME', an instruction of the mechanism M, ", and `what`.
bool engine_use_fail(const EngineUse *use, const PtxModule *module, const char *what, HdError *err);

#endif
