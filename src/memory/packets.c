// The names of the kinds of memory requests.
#include "memory/packets.h"

const char *mem_kind_name(MemKind kind)
{
    static const char *const names[MEM_KINDS] = {
        [MEM_LOAD] = "load",
        [MEM_STORE] = "store",
        [MEM_ATOMIC] = "atomic",
        [MEM_REDUCE] = "reduce",
        [MEM_LOCAL_LOAD] = "local_load",
        [MEM_LOCAL_STORE] = "local_store",
        [MEM_INSTRUCTION] = "instruction",
        [MEM_CONSTANT] = "constant",
        [MEM_READONLY] = "readonly",
        [MEM_COPY_BACK] = "copy_back",
        [MEM_PREFETCH] = "prefetch",
        [MEM_ENGINE] = "engine",
    };
    return (unsigned)kind < MEM_KINDS ? names[kind] : "unknown";
}
