// Call sites of allocations: "cudaMalloc #3, bfs.cu:120". An allocation only records the return
// addresses on the stack; debug symbols are read when a message or the report needs the call site.
#ifndef HEDDLE_CUDART_ALLOCATION_SITES_H
#define HEDDLE_CUDART_ALLOCATION_SITES_H

#include "gpu/gpu.h"

#include <stddef.h>
#include <stdint.h>

typedef struct DebugInfo DebugInfo;

// How many stack frames are recorded. The program's call may be inside its own helpers, and inside
// templates of CUDA's headers: Thrust's are up to twenty deep without optimisation.
enum { SITE_FRAMES = 32, SITE_TEXT = 64 };

typedef struct SiteFrames {
    uintptr_t at[SITE_FRAMES]; // an address within each call, innermost first; 0: none
} SiteFrames;

typedef struct AllocationSite {
    SiteFrames frames;
    bool named; // `name` is valid
    char name[SITE_TEXT];
} AllocationSite;

// All call sites: a member of the process's context.
typedef struct AllocationSites {
    uint32_t *by_allocation; // by allocation number - 1: index into `sites` + 1; 0: none
    size_t count, capacity;
    AllocationSite *sites; // without duplicates
    size_t site_count, site_capacity;
    DebugInfo *info;
    bool info_opened;    // debug_info_open was tried
    uintptr_t low, high; // this library's code
} AllocationSites;

// Records the call site of allocation `number` (from 1 on): the current stack. Requires the lock.
void allocation_site_record(unsigned number);

// The call site of allocation `number`: "bfs.cu:120" or, without debug symbols, "in main"; "":
// unknown.
const char *allocation_site_text(unsigned number);

// Copies a message and adds call sites after quoted names of allocations ("cudaMalloc #3").
void allocation_site_annotate(const char *message, char *text, size_t size);

// Adds call sites to the names of the GPU's allocations, and demangles the names of variables.
void allocation_sites_name_all(Gpu *gpu);

// Demangles a symbol, with its parameters if `whole`. The caller frees the result; NULL: out of
// memory.
char *symbol_demangle(const char *symbol, bool whole);

// Frees all call sites and the debug information.
void allocation_sites_close(void);

#endif
