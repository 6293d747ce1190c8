// Reads a fat binary (base/fatbin_layout.h): lists its images, and extracts the PTX to run.
#ifndef HEDDLE_CUDART_FATBIN_H
#define HEDDLE_CUDART_FATBIN_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

enum { FATBIN_MAX_NAMED = 8 };

// The images of a fat binary. The payload stays in the binary.
typedef struct Fatbin {
    unsigned ptx_count, machine_count, other_count;
    uint32_t machine[FATBIN_MAX_NAMED]; // the first architectures of machine code: 75 is sm_75
    // The PTX of the highest architecture, the first if several; valid if ptx_count is not 0.
    uint32_t architecture;
    const uint8_t *payload;
    uint64_t payload_size; // bytes, compressed or with padding
    uint64_t text_size;    // uncompressed bytes; 0: not compressed
    uint64_t flags;
} Fatbin;

// Reads the fat binary at `data`, of which `size` bytes are readable. false and err: it is damaged,
// or not a fat binary.
bool fatbin_read(Fatbin *fatbin, const void *data, uint64_t size, HdError *err);

// Returns the uncompressed PTX, zero-terminated; the caller frees it. NULL and err on failure.
char *fatbin_ptx(const Fatbin *fatbin, HdError *err);

// How many bytes are readable from `data`: up to the end of the segment of the program or library
// that contains it; UINT64_MAX if none contains it.
uint64_t fatbin_extent(const void *data);

#endif
