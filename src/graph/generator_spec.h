// Inside the graph layer: the parts of a generator's spec, read one by one. Each function that
// fails says how the spec should read.
#ifndef HEDDLE_GRAPH_GENERATOR_SPEC_H
#define HEDDLE_GRAPH_GENERATOR_SPEC_H

#include "base/error.h"
#include "heddle/graph.h"

enum { SPEC_PARTS = 16 };

// A spec cut at its commas. Parts with a '=' are keyed, the others stand in order before them.
typedef struct Spec {
    const char *text; // whole, for messages
    char *copy;       // cut into the strings below
    const char *form; // how it should read
    const char *places[SPEC_PARTS], *keys[SPEC_PARTS], *values[SPEC_PARTS];
    int place_count, key_count;
    HdError *err;
} Spec;

// Cuts `text`, which has a colon. The caller frees s->copy, also on failure.
bool spec_cut(Spec *s, const char *text, const char *form, HdError *err);

// The value of `key`, or NULL where it is not given; marks it as taken.
const char *spec_take(Spec *s, const char *key);
// Fails where a key was not taken (`known` lists the good ones), or parts by place are too few or
// too many.
bool spec_check(const Spec *s, int places, const char *const *known, int known_count);

// Reads a count such as 65536, 2^16 or 64Ki; `what` names it in messages.
bool spec_count(const Spec *s, const char *what, const char *text, uint64_t min, uint64_t max,
                uint64_t *value);
// "LOW..HIGH", or one count that is both.
bool spec_range(const Spec *s, const char *what, const char *text, uint64_t min, uint64_t max,
                uint64_t *low, uint64_t *high);
// The first part by place as `count` sizes with an x between them, whose product fits 32 bits.
// `form` is how that looks.
bool spec_sizes(Spec *s, const char *form, uint32_t *sizes, int count);

// These take the option `key`; *value stays as it is where that is not given (a seed is then 1, a
// flag false).
bool spec_seed(Spec *s, uint64_t *seed);
bool spec_flag(Spec *s, const char *key, bool *value);
bool spec_option(Spec *s, const char *key, uint64_t min, uint64_t max, uint64_t *value);
// A decimal fraction from 0 to 1 in units of 10^-18.
bool spec_probability(Spec *s, const char *key, uint64_t *value);
// A decimal number above 0, up to `max`.
bool spec_real(Spec *s, const char *key, double max, double *value);

// Generates what `like:NAME` stands for.
HdGraph *spec_like(Spec *s, const HdGraphOptions *options);

#endif
