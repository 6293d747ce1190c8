// Numbers with a bound of the error that 32-bit float arithmetic makes, for checks of formulas in
// which differences and quotients occur. Where all terms are positive, rounding.h is simpler.
#ifndef HEDDLE_WORKLOADS_BOUNDED_H
#define HEDDLE_WORKLOADS_BOUNDED_H

#include "workloads/floats.h"

// What rounding a float adds, and what the same operation in doubles adds to the value here.
#define BOUNDED_UNIT (FLOAT_UNIT * (1 + 0x1p-20))

// A value in doubles, and the greatest difference of the kernel's to it.
typedef struct Bounded {
    double value, error;
} Bounded;

static inline Bounded bounded_exact(double value) { return (Bounded){value, 0}; }

// The result of an operation whose operands' errors alone make it differ by `error`.
static inline Bounded bounded_round(double value, double error)
{
    return (Bounded){value, error + BOUNDED_UNIT * (fabs(value) + error) + FLOAT_LOST};
}

static inline Bounded bounded_add(Bounded a, Bounded b)
{
    return bounded_round(a.value + b.value, a.error + b.error);
}

static inline Bounded bounded_subtract(Bounded a, Bounded b)
{
    return bounded_round(a.value - b.value, a.error + b.error);
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

// Compares a result with its expected value. `name` is the array's name.
static inline void bounded_check(Program *program, const char *name, uint64_t index, float got,
                                 Bounded expected)
{
    if (!(fabs(got - expected.value) <= expected.error))
        program_mismatch(program, "%s[%llu] is %.9g: expected %.9g, within %.1g", name,
                         (unsigned long long)index, got, expected.value, expected.error);
}

#endif
