// Of numbers with a bound of their error: the exponential function, and the check of a float.
#include "workloads/bounded.h"

Bounded bounded_exponential(Bounded x)
{
    Bounded power = bounded_multiply(x, bounded_round(M_LOG2E, 0));
    double value = exp(x.value), part = expm1(M_LN2 * power.error);
    double approximate = BOUNDED_APPROXIMATE * (1 + part);
    return (Bounded){value, value * (part + approximate) + FLOAT_LOST};
}

void bounded_check(Program *program, const char *name, uint64_t index, float got, Bounded expected)
{
    if (!(fabs(got - expected.value) <= expected.error))
        program_mismatch(program, "%s[%llu] is %.9g: expected %.9g, within %.1g", name,
                         (unsigned long long)index, got, expected.value, expected.error);
}
