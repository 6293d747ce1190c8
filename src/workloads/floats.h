// Arrays of 32-bit floats: drawn ones as inputs, and results beside what they should be.
#ifndef HEDDLE_WORKLOADS_FLOATS_H
#define HEDDLE_WORKLOADS_FLOATS_H

#include "workloads/program.h"
#include "workloads/rounding.h"

// Far above what a number below the least normal float can lose in one operation.
#define FLOAT_LOST 0x1p-125

// The parameter that says which numbers: `seed`.
#define FLOATS_SEED                                                                                \
    {.name = "seed", .unit = "",                                                                   \
     .doc = "of the numbers drawn; 0: 0, 1, 2, 3, 4, and again, for results known by hand",        \
     .value = 1, .min = 0, .max = 1 << 30, .integer = true}

// `count` numbers from -1 up to 1, multiples of 2^-23, so that floats hold them, and doubles the
// product of any two, exactly; another `which` gives others. NULL on failure.
float *floats_draw(Program *program, uint64_t seed, uint32_t which, uint64_t count);
// The same, and copies the numbers into an array on the device.
float *floats_array(Program *program, uint64_t seed, uint32_t which, const char *name,
                    uint64_t count, HdAddress *array);

// rows * columns; the program fails where that is more than a kernel's indices reach.
uint64_t floats_cells(Program *program, const char *name, uint32_t rows, uint32_t columns);

// A sum as it should be, and how large its parts are without their signs: rounding them up to
// `count` times each, the sum is off by no more than rounding_part(count) of that.
typedef struct FloatSum {
    double sum, size;
} FloatSum;

static inline void float_sum_add(FloatSum *s, double part)
{
    s->sum += part;
    s->size += fabs(part);
}

// Holds a result against what it should be. `count`: of roundings on the longest way, where one is
// the sum's own in doubles. `name`: of the array.
void floats_check(Program *program, const char *name, uint64_t index, float got, FloatSum expected,
                  double count);

// Answers of an array: the sum of all, the greatest, and where that is first.
void floats_answer(Program *program, const float *values, uint64_t count);

#endif
