// The parameters of the functions that the system defines for kernels.
#ifndef HEDDLE_PTX_SYSTEM_SIGNATURES_H
#define HEDDLE_PTX_SYSTEM_SIGNATURES_H

#include "ptx/uop.h"

enum { SYSTEM_ARGUMENTS = 5, SYSTEM_CALLS = SYSTEM_FREE + 1 };
typedef struct SystemSignature {
    const char *name;
    uint32_t arguments[SYSTEM_ARGUMENTS]; // bytes of each, up to the first 0
    uint32_t result;                      // bytes; 0: none
} SystemSignature;
extern const SystemSignature system_signatures[SYSTEM_CALLS]; // in call_graph.c

#endif
