// The storage of an SM's front end and register file beside the data that they hold: tags, masks
// and states, by declared widths.
#ifndef HEDDLE_GPU_FRONT_END_STORAGE_H
#define HEDDLE_GPU_FRONT_END_STORAGE_H

#include "gpu/machine.h"

// A structure of `entries` entries of `bits` bits.
typedef struct FrontEndStructure {
    const char *name;   // NULL behind the last one
    uint64_t entries;
    unsigned bits;
    char fields[160];   // "valid 1, PC 24"
} FrontEndStructure;

enum { FRONT_END_STRUCTURES = 12 };

// The structures of one SM. yilmazer2020gw, sections 6.2 and 6.3 and Figures 7 and 9, names the
// fields but no widths. A PC has 24 bits.
void front_end_storage(const Machine *machine, FrontEndStructure out[FRONT_END_STRUCTURES]);

#endif
