// Arrays of 32-bit floats: random inputs, and checks of results.
#ifndef HEDDLE_WORKLOADS_FLOATS_H
#define HEDDLE_WORKLOADS_FLOATS_H

#include "workloads/bounded.h"

// The parameter `seed`.
#define FLOATS_SEED                                                                                \
    WORKLOAD_SEED("of the numbers drawn; 0: 0, 1, 2, 3, 4, and again, for results known by hand")

// Draws `count` numbers from -1 to 1, multiples of 2^-23: exact as floats, with exact products in
// doubles. `which` selects a stream. NULL on failure.
float *floats_draw(Program *program, uint64_t seed, uint32_t which, uint64_t count);
// As floats_draw; also copies the numbers to a new device array.
float *floats_array(Program *program, uint64_t seed, uint32_t which, const char *name,
                    uint64_t count, HdAddress *array);

// Multiplies numbers, if there are any, by `scale`, and then adds `offset`. With a power of two and
// 0, products in doubles stay exact.
void floats_scale(float *values, uint64_t count, float scale, float offset);

// Returns rows * columns. The program fails if this exceeds the kernels' 31-bit indices.
uint64_t floats_cells(Program *program, const char *name, uint32_t rows, uint32_t columns);

// An expected sum, and the sum of its terms' absolute values (`size`).
typedef struct FloatSum {
    double sum, size;
} FloatSum;

static inline void float_sum_add(FloatSum *s, double part)
{
    s->sum += part;
    s->size += fabs(part);
}

// Adds another sum, times a factor.
static inline void float_sum_add_times(FloatSum *s, FloatSum part, double factor)
{
    s->sum += part.sum * factor;
    s->size += part.size * fabs(factor);
}

// The sum with a bound of its error, if each term is rounded at most `count` times, including one
// for the expected sum in doubles.
static inline Bounded float_sum_bounded(FloatSum s, double count)
{
    return (Bounded){s.sum, rounding_part(count) * s.size + count * FLOAT_LOST};
}

// Compares an element of a result with its expected sum, whose terms are rounded at most `count`
// times (float_sum_bounded). `name` is the array's name.
void floats_check(Program *program, const char *name, uint64_t index, float got, FloatSum expected,
                  double count);

// Reports the sum of an array, its greatest value, and the first index of that value.
void floats_answer(Program *program, const float *values, uint64_t count);

#endif
