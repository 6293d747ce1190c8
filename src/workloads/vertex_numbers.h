// A random number for every vertex, drawn on the host, and the vertices in their order: what
// colouring and independent sets go by.
#ifndef HEDDLE_WORKLOADS_VERTEX_NUMBERS_H
#define HEDDLE_WORKLOADS_VERTEX_NUMBERS_H

#include "workloads/program.h"

// The parameter that says which numbers: `seed`.
#define NUMBERS_SEED                                                                               \
    {.name = "seed", .unit = "", .doc = "of the vertices' random numbers", .value = 1,             \
     .min = 0, .max = 1 << 30, .integer = true}

// A vertex's 32-bit number, the same on every host.
uint32_t vertex_number(uint64_t seed, uint32_t vertex);

// The numbers of all vertices. NULL on failure.
uint32_t *vertex_numbers_draw(Program *program, uint64_t seed);

// The vertices from the highest number down; of equal ones the higher vertex first. NULL on
// failure.
uint32_t *vertex_numbers_order(Program *program, const uint32_t *numbers);

#endif
