// Reads generator specs such as "rmat:20,8,seed=3" and calls the generator.
#include "base/error.h"
#include "base/memory.h"
#include "graph/generate.h"

#include <stdlib.h>
#include <string.h>

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

static bool spec_cut(Spec *s, const char *text, const char *form, HdError *err)
{
    *s = (Spec){.text = text, .form = form, .err = err};
    const char *parts = strchr(text, ':') + 1;
    size_t length = strlen(parts);
    s->copy = hd_new(length + 1, 1);
    if (!s->copy) return hd_fail_memory(err, "reading a graph's spec");
    if (length == 0) return true;
    memcpy(s->copy, parts, length);
    char *next = s->copy;
    for (char *part; (part = strsep(&next, ","));) {
        char *equals = strchr(part, '=');
        if (s->place_count == SPEC_PARTS || s->key_count == SPEC_PARTS)
            return hd_fail(err, "%s: too many parts: write %s", text, form);
        if (equals) {
            *equals = 0;
            s->keys[s->key_count] = part;
            s->values[s->key_count++] = equals + 1;
        } else if (s->key_count > 0) {
            return hd_fail(err, "%s: '%s' should be NAME=VALUE: write %s", text, part, form);
        } else {
            s->places[s->place_count++] = part;
        }
    }
    return true;
}

// The value of `key`, or NULL where it is not given; marks it as taken.
static const char *spec_take(Spec *s, const char *key)
{
    for (int i = 0; i < s->key_count; i++) {
        if (!s->keys[i] || strcmp(s->keys[i], key) != 0) continue;
        s->keys[i] = NULL;
        return s->values[i];
    }
    return NULL;
}

// Fails where a key was not taken (`known` lists the good ones), or parts by place are too few or
// too many.
static bool spec_check(const Spec *s, int places, const char *const *known, int known_count)
{
    if (s->place_count != places)
        return hd_fail(s->err, "%s: %d number%s before the options where %d belong%s: write %s",
                       s->text, s->place_count, s->place_count == 1 ? "" : "s", places,
                       places == 1 ? "s" : "", s->form);
    for (int i = 0; i < s->key_count; i++) {
        if (!s->keys[i]) continue;
        const char *near = hd_nearest(s->keys[i], known, known_count);
        if (near && strcmp(near, s->keys[i]) == 0)
            return hd_fail(s->err, "%s: '%s' is given twice", s->text, near);
        return hd_fail(s->err, "%s: unknown option '%s'%s%s%s: write %s", s->text, s->keys[i],
                       near ? ", perhaps '" : "", near ? near : "", near ? "' is meant" : "",
                       s->form);
    }
    return true;
}

// Reads decimal digits; NULL where there are none or they exceed 64 bits.
static const char *read_digits(const char *p, uint64_t *value)
{
    if (*p < '0' || *p > '9') return NULL;
    *value = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*p - '0'), value))
            return NULL;
    return p;
}

// Reads a count: digits, a power such as 2^16, or digits with Ki, Mi or Gi.
static bool read_count(const char *text, uint64_t *value)
{
    uint64_t exponent, base;
    const char *p = read_digits(text, value);
    if (!p) return false;
    if (*p == '^') {
        base = *value;
        p = read_digits(p + 1, &exponent);
        if (!p || *p || exponent > 64) return false;
        *value = 1;
        while (exponent--)
            if (__builtin_mul_overflow(*value, base, value)) return false;
        return true;
    }
    unsigned shift = *p == 'K' ? 10 : *p == 'M' ? 20 : *p == 'G' ? 30 : 0;
    if (!shift) return !*p;
    return strcmp(p + 1, "i") == 0 && !__builtin_mul_overflow(*value, (uint64_t)1 << shift, value);
}

static bool spec_count(const Spec *s, const char *what, const char *text, uint64_t min,
                       uint64_t max, uint64_t *value)
{
    if (!read_count(text, value))
        return hd_fail(s->err, "%s: the %s '%s' is not a count: write %s, counts as 65536, 2^16 or "
                               "64Ki", s->text, what, text, s->form);
    if (*value >= min && *value <= max) return true;
    return hd_fail(s->err, "%s: the %s %s is out of range: %llu..%llu are possible", s->text, what,
                   text, (unsigned long long)min, (unsigned long long)max);
}

static bool spec_seed(Spec *s, uint64_t *seed)
{
    const char *text = spec_take(s, "seed");
    *seed = 1;
    return !text || spec_count(s, "seed", text, 0, UINT64_MAX, seed);
}

// Reads a decimal fraction from 0 to 1 in units of 10^-18, leaving *value where it is not given.
static bool spec_probability(Spec *s, const char *key, uint64_t *value)
{
    const char *text = spec_take(s, key);
    if (!text) return true;
    const char *p = text;
    uint64_t whole = 0, unit = GENERATE_ONE;
    bool digits = *p >= '0' && *p <= '9';
    if (digits) p = read_digits(p, &whole);
    bool ok = p && whole <= 1;
    *value = whole * unit;
    if (ok && *p == '.') {
        for (p++; ok && *p >= '0' && *p <= '9'; p++) {
            digits = true;
            unit /= 10;
            ok = unit > 0 || *p == '0';
            *value += (uint64_t)(*p - '0') * unit;
        }
    }
    if (ok && digits && !*p && *value <= GENERATE_ONE) return true;
    return hd_fail(s->err, "%s: %s=%s is not a probability: write a number from 0 to 1 with at "
                           "most 18 decimals", s->text, key, text);
}

static HdGraph *spec_rmat(Spec *s, const HdGraphOptions *options)
{
    static const char *const known[] = {"seed", "a", "b", "c", "d"};
    RmatSpec rmat = {.a = GENERATE_ONE / 100 * 57, .b = GENERATE_ONE / 100 * 19,
                     .c = GENERATE_ONE / 100 * 19};
    const uint64_t unset = UINT64_MAX;
    uint64_t scale, d = unset;
    if (!spec_seed(s, &rmat.seed) || !spec_probability(s, "a", &rmat.a) ||
        !spec_probability(s, "b", &rmat.b) || !spec_probability(s, "c", &rmat.c) ||
        !spec_probability(s, "d", &d) || !spec_check(s, 2, known, 5) ||
        !spec_count(s, "scale", s->places[0], 1, 31, &scale) ||
        !spec_count(s, "edge factor", s->places[1], 1, 1 << 26, &rmat.edge_factor))
        return NULL;
    uint64_t sum = rmat.a + rmat.b + rmat.c;
    if (sum > GENERATE_ONE || (d != unset && sum + d != GENERATE_ONE)) {
        hd_fail(s->err, "%s: the probabilities do not add up: a+b+c+d must be 1 (defaults .57, "
                        ".19, .19; d is what is left)", s->text);
        return NULL;
    }
    rmat.scale = (unsigned)scale;
    return generate_rmat(&rmat, options, s->err);
}

static HdGraph *spec_uniform(Spec *s, const HdGraphOptions *options)
{
    static const char *const known[] = {"seed"};
    UniformSpec uniform;
    uint64_t vertices;
    if (!spec_seed(s, &uniform.seed) || !spec_check(s, 2, known, 1) ||
        !spec_count(s, "number of vertices", s->places[0], 1, UINT32_MAX, &vertices) ||
        !spec_count(s, "degree", s->places[1], 0, 1 << 26, &uniform.degree))
        return NULL;
    uniform.vertices = (uint32_t)vertices;
    return generate_uniform(&uniform, options, s->err);
}

static HdGraph *spec_grid(Spec *s, const HdGraphOptions *options)
{
    static const char *const known[] = {"seed", "delete"};
    GridSpec grid = {0};
    uint64_t width, height;
    if (!spec_seed(s, &grid.seed) || !spec_probability(s, "delete", &grid.deleted) ||
        !spec_check(s, 1, known, 2))
        return NULL;
    char *size = (char *)(uintptr_t)s->places[0]; // a piece of s->copy
    char *times = strchr(size, 'x');
    if (!times) {
        hd_fail(s->err, "%s: '%s' is not WIDTHxHEIGHT: write %s", s->text, size, s->form);
        return NULL;
    }
    *times = 0;
    if (!spec_count(s, "width", size, 1, UINT32_MAX, &width) ||
        !spec_count(s, "height", times + 1, 1, UINT32_MAX / width, &height))
        return NULL;
    grid.width = (uint32_t)width;
    grid.height = (uint32_t)height;
    return generate_grid(&grid, options, s->err);
}

typedef struct Generator {
    const char *name, *form;
    HdGraph *(*make)(Spec *s, const HdGraphOptions *options);
} Generator;

#define RMAT_OPTIONS ":SCALE,EDGEFACTOR[,seed=N][,a=.57][,b=.19][,c=.19][,d=.05]"

static const Generator generators[] = {
    {"rmat", "rmat" RMAT_OPTIONS, spec_rmat},
    {"kron", "kron" RMAT_OPTIONS, spec_rmat},
    {"uniform", "uniform:VERTICES,DEGREE[,seed=N]", spec_uniform},
    {"grid", "grid:WIDTHxHEIGHT[,delete=0][,seed=N]", spec_grid},
};
enum { GENERATORS = sizeof generators / sizeof *generators };

static const Generator *generator_of(const char *spec)
{
    const char *colon = strchr(spec, ':');
    for (int i = 0; colon && i < GENERATORS; i++) {
        size_t length = strlen(generators[i].name);
        if (length == (size_t)(colon - spec) && memcmp(generators[i].name, spec, length) == 0)
            return &generators[i];
    }
    return NULL;
}

bool is_generator_spec(const char *spec) { return generator_of(spec) != NULL; }

const char *nearest_generator(const char *spec)
{
    const char *names[GENERATORS];
    const char *colon = strchr(spec, ':');
    char word[16] = "";
    if (!colon || (size_t)(colon - spec) >= sizeof word) return NULL;
    memcpy(word, spec, (size_t)(colon - spec));
    for (int i = 0; i < GENERATORS; i++) names[i] = generators[i].name;
    return hd_nearest(word, names, GENERATORS);
}

HdGraph *generate(const char *spec, const HdGraphOptions *options, HdError *err)
{
    const Generator *generator = generator_of(spec);
    Spec s;
    HdGraph *graph = NULL;
    if (spec_cut(&s, spec, generator->form, err)) graph = generator->make(&s, options);
    free(s.copy);
    return graph;
}
