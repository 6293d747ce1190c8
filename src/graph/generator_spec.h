// Internal to the graph layer: reads the fields of a generator's spec one by one. Each failure
// message gives the expected form of the spec.
#ifndef HEDDLE_GRAPH_GENERATOR_SPEC_H
#define HEDDLE_GRAPH_GENERATOR_SPEC_H

#include "base/fail.h"
#include "graph/graph_internal.h"

enum { SPEC_PARTS = 16 };

// A spec split at its commas. Positional fields come first, then options KEY=VALUE.
typedef struct Spec {
    const char *text; // the whole spec, for messages
    char *copy;       // owns the strings below
    const char *form; // the expected form, for messages
    const char *places[SPEC_PARTS], *keys[SPEC_PARTS], *values[SPEC_PARTS];
    int place_count, key_count;
    HdError *err;
} Spec;

// Splits `text`, which contains a colon. The caller frees s->copy, also on failure.
bool spec_cut(Spec *s, const char *text, const char *form, HdError *err);

// Returns the value of `key` and marks it as used; NULL if not given.
const char *spec_take(Spec *s, const char *key);
// Fails if a key was not used (`known` lists the valid keys), or if the number of positional fields
// is not `places`.
bool spec_check(const Spec *s, int places, const char *const *known, int known_count);

// Reads a count such as 65536, 2^16 or 64Ki; `what` names it in messages.
bool spec_count(const Spec *s, const char *what, const char *text, uint64_t min, uint64_t max,
                uint64_t *value);
// Both ends count.
typedef struct SpecRange {
    uint64_t low, high;
} SpecRange;
// Reads "LOW..HIGH" within `bounds`, or one count for both.
bool spec_range(const Spec *s, const char *what, const char *text, SpecRange bounds,
                SpecRange *range);
// Reads the first positional field as `count` sizes separated by x, whose product fits 32 bits.
// `form` is its expected form, for messages.
bool spec_sizes(Spec *s, const char *form, uint32_t *sizes, int count);

// Read the option `key`. If it is not given, *value is unchanged (a seed becomes 1, a flag false).
bool spec_seed(Spec *s, uint64_t *seed);
bool spec_flag(Spec *s, const char *key, bool *value);
bool spec_option(Spec *s, const char *key, uint64_t min, uint64_t max, uint64_t *value);
// Reads a decimal fraction from 0 to 1, in units of 10^-18.
bool spec_probability(Spec *s, const char *key, uint64_t *value);
// Reads a decimal number above 0, at most `max`.
bool spec_real(Spec *s, const char *key, double max, double *value);

// Generates the stand-in `like:NAME`.
HdGraph *spec_like(Spec *s, GraphBuild *build);

#endif
