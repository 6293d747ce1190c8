// Reads the parts of a generator's spec such as "rmat:20,8,seed=3".
#include "graph/generator_spec.h"

#include "base/memory.h"
#include "graph/graph_random.h"

#include <stdio.h>
#include <string.h>

bool spec_cut(Spec *s, const char *text, const char *form, HdError *err)
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
            return hd_fail(err, "%s: too many numbers or options: expected %s", text, form);
        if (equals) {
            *equals = 0;
            s->keys[s->key_count] = part;
            s->values[s->key_count++] = equals + 1;
        } else if (s->key_count > 0) {
            return hd_fail(err, "%s: '%s' is not NAME=VALUE: expected %s", text, part, form);
        } else {
            s->places[s->place_count++] = part;
        }
    }
    return true;
}

const char *spec_take(Spec *s, const char *key)
{
    for (int i = 0; i < s->key_count; i++) {
        if (!s->keys[i] || strcmp(s->keys[i], key) != 0) continue;
        s->keys[i] = NULL;
        return s->values[i];
    }
    return NULL;
}

bool spec_check(const Spec *s, int places, const char *const *known, int known_count)
{
    if (s->place_count != places)
        return hd_fail(s->err, "%s: %d number%s before the options: expected %d, as in %s", s->text,
                       s->place_count, s->place_count == 1 ? "" : "s", places, s->form);
    for (int i = 0; i < s->key_count; i++) {
        if (!s->keys[i]) continue;
        const char *near = hd_nearest(s->keys[i], known, known_count);
        if (near && strcmp(near, s->keys[i]) == 0)
            return hd_fail(s->err, "%s: '%s' is given twice", s->text, near);
        return hd_fail(s->err, "%s: unknown option '%s': expected %s%s%s%s", s->text, s->keys[i],
                       s->form, HD_DID_YOU_MEAN(near));
    }
    return true;
}

// Reads decimal digits; returns NULL if there are none or they exceed 64 bits.
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

bool spec_count(const Spec *s, const char *what, const char *text, uint64_t min, uint64_t max,
                uint64_t *value)
{
    if (!read_count(text, value))
        return hd_fail(s->err, "%s: the %s '%s' is not a count: expected %s, counts as 65536, 2^16 "
                               "or 64Ki", s->text, what, text, s->form);
    if (*value >= min && *value <= max) return true;
    return hd_fail(s->err, "%s: the %s %s is out of range: expected %llu to %llu", s->text, what,
                   text, (unsigned long long)min, (unsigned long long)max);
}

bool spec_seed(Spec *s, uint64_t *seed)
{
    const char *text = spec_take(s, "seed");
    *seed = 1;
    return !text || spec_count(s, "seed", text, 0, UINT64_MAX, seed);
}

bool spec_probability(Spec *s, const char *key, uint64_t *value)
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
    return hd_fail(s->err, "%s: %s=%s is not a probability: expected a number from 0 to 1 with at "
                           "most 18 decimals", s->text, key, text);
}

bool spec_flag(Spec *s, const char *key, bool *value)
{
    const char *text = spec_take(s, key);
    *value = text && strcmp(text, "1") == 0;
    if (!text || *value || strcmp(text, "0") == 0) return true;
    return hd_fail(s->err, "%s: %s=%s: expected 0 or 1", s->text, key, text);
}

bool spec_option(Spec *s, const char *key, uint64_t min, uint64_t max, uint64_t *value)
{
    const char *text = spec_take(s, key);
    return !text || spec_count(s, key, text, min, max, value);
}

bool spec_range(const Spec *s, const char *what, const char *text, SpecRange bounds,
                SpecRange *range)
{
    char first[32];
    const char *dots = strstr(text, "..");
    size_t length = dots ? (size_t)(dots - text) : strlen(text);
    if (length >= sizeof first) length = sizeof first - 1;
    memcpy(first, text, length);
    first[length] = 0;
    return spec_count(s, what, first, bounds.low, bounds.high, &range->low) &&
           spec_count(s, what, dots ? dots + 2 : first, range->low, bounds.high, &range->high);
}

bool spec_sizes(Spec *s, const char *form, uint32_t *sizes, int count)
{
    char *next = (char *)(uintptr_t)s->places[0]; // points into s->copy
    char whole[64];
    snprintf(whole, sizeof whole, "%s", next);
    uint64_t product = 1;
    for (int i = 0; i < count; i++) {
        char *size = strsep(&next, "x");
        if (!size || (i == count - 1 && next))
            return hd_fail(s->err, "%s: '%s' is not %s: expected %s", s->text, whole, form,
                           s->form);
        uint64_t value;
        if (!spec_count(s, "size", size, 1, UINT32_MAX / product, &value)) return false;
        product *= value;
        sizes[i] = (uint32_t)value;
    }
    return true;
}

// 15 digits and the power of ten are exact in a double, so the quotient is rounded once.
bool spec_real(Spec *s, const char *key, double max, double *value)
{
    enum { DIGITS = 15 };
    const char *text = spec_take(s, key), *p = text;
    if (!text) return true;
    uint64_t digits = 0;
    double unit = 1;
    int count = 0;
    for (bool point = false; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        digits = digits * 10 + (uint64_t)(*p - '0');
        if (point) unit *= 10;
        if (++count > DIGITS) break;
    }
    *value = (double)digits / unit;
    if (!*p && count > 0 && *value > 0 && *value <= max) return true;
    return hd_fail(s->err, "%s: %s=%s is out of range: expected a decimal number above 0, up to "
                           "%g, of at most 15 digits", s->text, key, text, max);
}
