// Where the program allocates: "cudaMalloc #3, bfs.cu:120". An allocation only notes the addresses
// from which it was called; symbols are read when a message or the report names it.
#ifndef HEDDLE_CUDART_ALLOCATION_SITES_H
#define HEDDLE_CUDART_ALLOCATION_SITES_H

#include "gpu/gpu.h"

#include <stddef.h>
#include <stdint.h>

typedef struct DebugInfo DebugInfo;

// Callers that are noted: around the program's own call may be its own helpers, and templates of
// CUDA's headers, of which Thrust's are up to twenty deep without optimisation.
enum { SITE_FRAMES = 32, SITE_TEXT = 64 };

typedef struct SiteFrames {
    uintptr_t at[SITE_FRAMES]; // an address within each call; 0: none
} SiteFrames;

typedef struct AllocationSite {
    SiteFrames callers;
    bool named;
    char name[SITE_TEXT];
} AllocationSite;

// A part of the process's context.
typedef struct AllocationSites {
    uint32_t *noted; // by number - 1: the place, from 1 on; 0: none
    size_t count, capacity;
    AllocationSite *places; // each once
    size_t place_count, place_capacity;
    DebugInfo *info;
    bool looked; // for it
    uintptr_t low, high; // this library's code
} AllocationSites;

// Notes who is allocating now, as allocation `number` (from 1 on). Under the lock.
void allocation_site_record(unsigned number);

// Where allocation `number` was made: "bfs.cu:120" or, without debug symbols, "in main"; "" where
// nothing is known.
const char *allocation_site_text(unsigned number);

// Copies a message, with the places behind the names of allocations in it ("cudaMalloc #3").
void allocation_site_annotate(const char *message, char *text, size_t size);

// Gives the allocations among the arrays their full names, and variables those of the source.
void allocation_sites_name_all(Gpu *gpu);

// A kernel's name as its source has it, with (`whole`) or without its parameters; to be freed, NULL
// where memory is out.
char *symbol_demangle(const char *symbol, bool whole);

// The symbols are no longer needed.
void allocation_sites_close(void);

#endif
