// Reads a fat binary (base/fatbin_layout.h): which images it holds, and the PTX to run.
#ifndef HEDDLE_CUDART_FATBIN_H
#define HEDDLE_CUDART_FATBIN_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { FATBIN_MAX_NAMED = 8 };

// What was found. The payload stays in the binary.
typedef struct Fatbin {
    unsigned ptx_count, machine_count, other_count;
    uint32_t machine[FATBIN_MAX_NAMED]; // the first architectures of machine code: 75 is sm_75
    // The PTX of the highest architecture, the first of several; only where ptx_count.
    uint32_t architecture;
    const uint8_t *payload;
    uint64_t payload_size; // compressed, or with its padding
    uint64_t text_size;    // uncompressed; 0 where it is not compressed
    uint64_t flags;
} Fatbin;

// `data` is where the header should be, `size` how many bytes may be looked at from there. false
// and err where it is damaged or not a fat binary.
bool fatbin_read(Fatbin *fatbin, const void *data, uint64_t size, HdError *err);

// The PTX, uncompressed and zero-terminated; freed with free(). NULL and err.
char *fatbin_ptx(const Fatbin *fatbin, HdError *err);

// How many bytes may be looked at from `data`: up to the end of the program's or library's segment
// that it lies in; UINT64_MAX where it lies in none.
uint64_t fatbin_extent(const void *data);

#endif
