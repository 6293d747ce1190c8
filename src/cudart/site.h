// Where the program allocates: "cudaMalloc #3, bfs.cu:120". An allocation only notes the addresses
// from which it was called; symbols are read when a message or the report names it.
#ifndef HEDDLE_CUDART_SITE_H
#define HEDDLE_CUDART_SITE_H

#include "gpu/gpu.h"

#include <stddef.h>
#include <stdint.h>

typedef struct DebugInfo DebugInfo;

// Callers that are noted: around the program's own call may be its own helpers, and templates of
// CUDA's headers, of which Thrust's are up to twenty deep without optimisation.
enum { SITE_CALLERS = 32, SITE_TEXT = 64 };

typedef struct SiteCallers {
    uintptr_t at[SITE_CALLERS]; // an address within each call; 0: none
} SiteCallers;

typedef struct SitePlace {
    SiteCallers callers;
    bool named;
    char name[SITE_TEXT];
} SitePlace;

// A part of the process's context.
typedef struct Sites {
    uint32_t *noted; // by number - 1: the place, from 1 on; 0: none
    size_t count, capacity;
    SitePlace *places; // each once
    size_t place_count, place_capacity;
    DebugInfo *info;
    bool looked; // for it
    uintptr_t low, high; // this library's code
} Sites;

// Notes who is allocating now, as allocation `number` (from 1 on). Under the lock.
void site_note(unsigned number);

// Where allocation `number` was made: "bfs.cu:120" or, without debug symbols, "in main"; "" where
// nothing is known.
const char *site_of(unsigned number);

// Copies a message, with the places behind the names of allocations in it ("cudaMalloc #3").
void site_explain(const char *message, char *text, size_t size);

// Gives the allocations among the arrays their full names, and variables those of the source.
void site_name_arrays(Gpu *gpu);

// A kernel's name as its source has it, with (`whole`) or without its parameters; to be freed, NULL
// where memory is out.
char *site_demangle(const char *symbol, bool whole);

// The symbols are no longer needed.
void site_close(void);

#endif
