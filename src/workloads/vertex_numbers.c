// A random number for every vertex, and the vertices in their order.
#include "workloads/vertex_numbers.h"

#include "base/random.h"

#include <stdlib.h>

// Stream number of these draws (base/random.h).
enum { RANDOM_USER_NUMBERS = 0x4e554d53 };

uint32_t vertex_number(uint64_t seed, uint32_t vertex)
{
    return (uint32_t)(random_draw(seed, RANDOM_USER_NUMBERS, vertex, 0) >> 32);
}

uint32_t *vertex_numbers_draw(Program *program, uint64_t seed)
{
    uint32_t n = program->graph->vertices;
    uint32_t *numbers = program_scratch(program, n, sizeof *numbers);
    for (uint32_t v = 0; numbers && v < n; v++) numbers[v] = vertex_number(seed, v);
    return numbers;
}

static int falling(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

uint32_t *vertex_numbers_order(Program *program, const uint32_t *numbers)
{
    uint32_t n = program->graph->vertices;
    uint64_t *keys = program_scratch(program, n, sizeof *keys);
    uint32_t *order = program_scratch(program, n, sizeof *order);
    if (!order) return NULL;
    for (uint32_t v = 0; v < n; v++) keys[v] = (uint64_t)numbers[v] << 32 | v;
    qsort(keys, n, sizeof *keys, falling);
    for (uint32_t i = 0; i < n; i++) order[i] = (uint32_t)keys[i];
    return order;
}
