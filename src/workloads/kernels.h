// Entries of a workload's list of implementations.
#ifndef HEDDLE_WORKLOADS_KERNELS_H
#define HEDDLE_WORKLOADS_KERNELS_H

#include "kernel_texts.h"

// NAME runs the kernels of kernels/FILE.cu.
#define IMPLEMENTATION(NAME, FILE, RUN, PAPER, DOC)                                                \
    {                                                                                              \
        IMPLEMENTATION_FIELDS(NAME, FILE, RUN, PAPER, DOC)                                         \
    }
// The same for kernels that call get_warp_id(), which no real GPU has.
#define SIMULATED_IMPLEMENTATION(NAME, FILE, RUN, PAPER, DOC)                                      \
    {                                                                                              \
        IMPLEMENTATION_FIELDS(NAME, FILE, RUN, PAPER, DOC), .simulated_only = true                 \
    }
#define IMPLEMENTATION_FIELDS(NAME, FILE, RUN, PAPER, DOC)                                         \
    .name = NAME, .doc = DOC, .paper = PAPER, .ptx = ptx_##FILE,                                   \
    .ptx_name = "kernels/" #FILE ".cu", .run = RUN

#endif
