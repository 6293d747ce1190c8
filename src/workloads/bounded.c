// The check of a float against a number with a bound of its error.
#include "workloads/bounded.h"

void bounded_check(Program *program, const char *name, uint64_t index, float got, Bounded expected)
{
    if (!(fabs(got - expected.value) <= expected.error))
        program_mismatch(program, "%s[%llu] is %.9g: expected %.9g, within %.1g", name,
                         (unsigned long long)index, got, expected.value, expected.error);
}
