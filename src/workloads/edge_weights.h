// Edge weights for the workloads that need them.
#ifndef HEDDLE_WORKLOADS_EDGE_WEIGHTS_H
#define HEDDLE_WORKLOADS_EDGE_WEIGHTS_H

#include "workloads/program.h"

enum { DRAWN_LOW = 1, DRAWN_HIGH = 100 }; // after lakshminarayana2014, which does not give its own

// The graph's whole weights, or drawn ones where it has none; the answer says for how many edges
// they were drawn. The host's until program_end. NULL on failure, as where the weights are real.
const int32_t *program_edge_weights(Program *program, uint64_t seed);
// The same on the device, as "weight".
HdAddress program_weights(Program *program, const int32_t *weights);

// The parameter for `seed`.
#define WEIGHT_SEED                                                                                \
    {                                                                                              \
        .name = "seed", .unit = "", .doc = "of the weights drawn from 1..100 for a graph without", \
        .value = 1, .min = 0, .max = UINT32_MAX, .integer = true                                   \
    }

#endif
