// Edge weights for the workloads that need them.
#ifndef HEDDLE_WORKLOADS_EDGE_WEIGHTS_H
#define HEDDLE_WORKLOADS_EDGE_WEIGHTS_H

#include "workloads/program.h"

enum { DRAWN_LOW = 1, DRAWN_HIGH = 100 }; // our choice: lakshminarayana2014 does not give its range

// Returns the graph's integer weights, or drawn weights if the graph has none; the answer counts
// the edges with drawn weights. Valid until program_end. NULL on failure, for example if the
// weights are real.
const int32_t *program_edge_weights(Program *program, uint64_t seed);
// Copies the weights to the device, as array "weight".
HdAddress program_weights(Program *program, const int32_t *weights);

// The parameter `seed`.
#define WEIGHT_SEED WORKLOAD_SEED("of the weights drawn from 1..100 for a graph without")

#endif
