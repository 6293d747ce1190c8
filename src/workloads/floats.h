// Arrays of 32-bit floats: random inputs, and checks of results.
#ifndef HEDDLE_WORKLOADS_FLOATS_H
#define HEDDLE_WORKLOADS_FLOATS_H

#include "workloads/program.h"
#include "workloads/rounding.h"

// Far above the error that a subnormal number can cause in one operation.
#define FLOAT_LOST 0x1p-125

// The parameter `seed`.
#define FLOATS_SEED                                                                                \
    {.name = "seed", .unit = "",                                                                   \
     .doc = "of the numbers drawn; 0: 0, 1, 2, 3, 4, and again, for results known by hand",        \
     .value = 1, .min = 0, .max = 1 << 30, .integer = true}

// Draws `count` numbers from -1 to 1, multiples of 2^-23: exact as floats, with exact products in
// doubles. `which` selects a stream. NULL on failure.
float *floats_draw(Program *program, uint64_t seed, uint32_t which, uint64_t count);
// As floats_draw; also copies the numbers to a new device array.
float *floats_array(Program *program, uint64_t seed, uint32_t which, const char *name,
                    uint64_t count, HdAddress *array);

// Returns rows * columns. The program fails if this exceeds the kernels' 31-bit indices.
uint64_t floats_cells(Program *program, const char *name, uint32_t rows, uint32_t columns);

// An expected sum, and the sum of its terms' absolute values (`size`). If each term is rounded at
// most `count` times, the error of the sum is at most rounding_part(count) * size.
typedef struct FloatSum {
    double sum, size;
} FloatSum;

static inline void float_sum_add(FloatSum *s, double part)
{
    s->sum += part;
    s->size += fabs(part);
}

// Compares a result with its expected value. `count` is the greatest number of roundings of a term,
// including one for the expected sum in doubles. `name` is the array's name.
void floats_check(Program *program, const char *name, uint64_t index, float got, FloatSum expected,
                  double count);

// Reports the sum of an array, its greatest value, and the first index of that value.
void floats_answer(Program *program, const float *values, uint64_t count);

#endif
