// A random number per vertex, drawn on the host, and the vertices in their order. Colouring and
// independent sets use this order.
#ifndef HEDDLE_WORKLOADS_VERTEX_NUMBERS_H
#define HEDDLE_WORKLOADS_VERTEX_NUMBERS_H

#include "workloads/program.h"

// The parameter `seed`.
#define NUMBERS_SEED WORKLOAD_SEED("of the vertices' random numbers")

// A vertex's 32-bit number, the same on every host.
uint32_t vertex_number(uint64_t seed, uint32_t vertex);

// The numbers of all vertices. NULL on failure.
uint32_t *vertex_numbers_draw(Program *program, uint64_t seed);

// The vertices by descending number; on a tie, the higher vertex first. NULL on failure.
uint32_t *vertex_numbers_order(Program *program, const uint32_t *numbers);

#endif
