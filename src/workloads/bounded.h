// Numbers with a bound of the error that 32-bit float arithmetic makes. The check of a formula does
// the kernel's operations on such numbers; the check of a sum makes one of a FloatSum (floats.h).
#ifndef HEDDLE_WORKLOADS_BOUNDED_H
#define HEDDLE_WORKLOADS_BOUNDED_H

#include "workloads/program.h"
#include "workloads/rounding.h"

// What rounding a float adds, and what the same operation in doubles adds to the value here.
#define BOUNDED_UNIT (FLOAT_UNIT * (1 + 0x1p-20))

// A value in doubles, and the greatest difference of the kernel's to it.
typedef struct Bounded {
    double value, error;
} Bounded;

// Largest relative error of ex2.approx, and largest error of lg2.approx relative to the greater of
// its result and 1, both as the PTX manual states them. Heddle's own are smaller (exec/approx.h).
#define BOUNDED_APPROXIMATE 0x1p-22

static inline Bounded bounded_exact(double value) { return (Bounded){value, 0}; }

// The greatest magnitude that the kernel's value can have.
static inline double bounded_most(Bounded a) { return fabs(a.value) + a.error; }

// The result of an operation whose operands' errors alone make it differ by `error`.
static inline Bounded bounded_round(double value, double error)
{
    return (Bounded){value, error + BOUNDED_UNIT * (fabs(value) + error) + FLOAT_LOST};
}

static inline Bounded bounded_negate(Bounded a) { return (Bounded){-a.value, a.error}; }

static inline Bounded bounded_add(Bounded a, Bounded b)
{
    return bounded_round(a.value + b.value, a.error + b.error);
}

static inline Bounded bounded_subtract(Bounded a, Bounded b)
{
    return bounded_add(a, bounded_negate(b));
}

static inline Bounded bounded_multiply(Bounded a, Bounded b)
{
    return bounded_round(a.value * b.value, fabs(a.value) * b.error + fabs(b.value) * a.error +
                                                a.error * b.error);
}

// Unbounded where the divisor may be zero.
static inline Bounded bounded_divide(Bounded a, Bounded b)
{
    double value = a.value / b.value, least = fabs(b.value) - b.error;
    return bounded_round(value, least > 0 ? (a.error + fabs(value) * b.error) / least : INFINITY);
}

// The number limited to `low` to `high`, which is exact where it is beyond them with its error.
static inline Bounded bounded_limit(Bounded a, double low, double high)
{
    double value = fmin(fmax(a.value, low), high);
    double least = fmin(fmax(a.value - a.error, low), high);
    double most = fmin(fmax(a.value + a.error, low), high);
    return (Bounded){value, fmax(value - least, most - value)};
}

// A kernel's exponential function: ex2.approx of the product with log2(e) as a float.
Bounded bounded_exponential(Bounded x);

// Compares an element of a result with its expected value. `name` is the array's name.
void bounded_check(Program *program, const char *name, uint64_t index, float got,
                   Bounded expected);

#endif
