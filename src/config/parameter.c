// Reads and writes the value of one parameter. A value is a double on its way between text and
// field: whole numbers, sizes, frequencies and times are exact, because they are at most 2^53.
#include "config/parameter.h"

#include "base/number.h"
#include "base/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Unit {
    const char *name;
    uint64_t factor; // in base units: bytes, kHz, ns
} Unit;

// A kind of number with a unit: the units, and their names in messages.
typedef struct Measure {
    const char *base, *example; // base: the unit of the value
    const Unit *units;          // ends with a NULL name
    const char *unit_list;
} Measure;

static const Unit byte_units[] = {
    {"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {NULL, 0},
};
static const Unit frequency_units[] = {
    {"kHz", 1}, {"MHz", 1000}, {"GHz", 1000000}, {NULL, 0},
};
static const Unit time_units[] = {
    {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {NULL, 0},
};
static const Measure bytes = {"bytes", "48KiB", byte_units, "B, KiB, MiB or GiB"};
static const Measure frequency = {"kHz", "700MHz", frequency_units, "kHz, MHz or GHz"};
static const Measure duration = {"ns", "1.5us", time_units, "ns, us or ms"};

static const char *const yes_words[] = {"true", "yes", "on", NULL};
static const char *const no_words[] = {"false", "no", "off", NULL};

// ---- fields ----

size_t parameter_size(const HdParameter *p)
{
    return p->size ? p->size : sizeof(double);
}

static double load(const HdParameter *p, const void *field)
{
    switch (p->size) {
    case 0: return *(const double *)field;
    case sizeof(uint8_t): return *(const uint8_t *)field;
    case sizeof(uint32_t): return *(const uint32_t *)field;
    default: return (double)*(const uint64_t *)field;
    }
}

static void store(const HdParameter *p, double value, void *field)
{
    switch (p->size) {
    case 0: *(double *)field = value; break;
    case sizeof(uint8_t): *(uint8_t *)field = (uint8_t)value; break;
    case sizeof(uint32_t): *(uint32_t *)field = (uint32_t)value; break;
    default: *(uint64_t *)field = (uint64_t)value;
    }
}

// The word that an HD_WHOLE may be instead of a number, or NULL.
static const char *word_of(const HdParameter *p)
{
    return p->kind == HD_WHOLE && p->choices ? p->choices[0] : NULL;
}

// The largest number that the field holds, exactly.
static double largest(const HdParameter *p)
{
    if (p->size == sizeof(uint8_t)) return UINT8_MAX;
    if (p->size == sizeof(uint32_t)) return (double)UINT32_MAX - (word_of(p) != NULL);
    return p->kind == HD_NUMBER ? DBL_MAX : 0x1p53;
}

// Whether the row says what its field is.
static bool has_field(const HdParameter *p)
{
    if (p->kind == HD_TEXT) return p->size == PARAMETER_TEXT_SIZE;
    if (p->kind == HD_NUMBER) return !p->size;
    return !p->size || p->size == sizeof(uint8_t) || p->size == sizeof(uint32_t) ||
           p->size == sizeof(uint64_t);
}

static size_t choice_count(const HdParameter *p)
{
    size_t count = 0;
    while (p->choices[count]) count++;
    return count;
}

const char *parameter_mistake(const HdParameter *p)
{
    bool has_word = p->kind == HD_WHOLE && p->size == sizeof(uint32_t);
    if (p->kind > HD_TEXT) return "has no known kind";
    if (!has_field(p)) return "has a field of the wrong size";
    if (p->kind == HD_CHOICE && !p->choices) return "has no choices";
    if (p->choices && p->kind != HD_CHOICE && !has_word)
        return "has choices: expected the kind HD_CHOICE";
    if (p->kind == HD_TEXT) return p->text ? NULL : "has no default";
    if (p->kind == HD_CHOICE && !p->text &&
        !(p->value >= 0 && p->value < (double)choice_count(p) && p->value == floor(p->value)))
        return "has a default that is the index of no choice";
    if (p->kind == HD_SWITCH || p->kind == HD_CHOICE) return NULL;
    double least = p->size ? 0 : -largest(p);
    return p->min >= least && p->min <= p->max && p->max <= largest(p) ? NULL
                                                                   : "has an impossible range";
}

// ---- numbers ----

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number as digits / scale, exactly. Whole parts saturate above 2^64, beyond every range,
// so that digits times any unit fits into 128 bits.
typedef struct Decimal {
    unsigned __int128 digits;
    uint64_t scale; // a power of ten
} Decimal;

enum { DECIMAL_PLACES = 9 };

// Fails if there is no digit, or more than DECIMAL_PLACES of them behind the point.
static bool parse_decimal(const char **text, Decimal *number)
{
    const char *p = *text;
    if (!is_digit(*p)) return false;
    *number = (Decimal){0, 1};
    for (; is_digit(*p); p++)
        if (number->digits <= UINT64_MAX)
            number->digits = number->digits * 10 + (unsigned)(*p - '0');
    if (*p == '.' && is_digit(p[1])) {
        const char *start = ++p;
        for (; is_digit(*p); p++) {
            if (p - start == DECIMAL_PLACES) return false;
            number->digits = number->digits * 10 + (unsigned)(*p - '0');
            number->scale *= 10;
        }
    }
    *text = p;
    return true;
}

// Writes a number in its base unit (`small`), or from 1000 on in the next one, with decimals.
static void format_thousands(uint64_t value, const char *small, const char *large, char *text,
                             size_t size)
{
    unsigned fraction = (unsigned)(value % 1000);
    int places = 3;
    for (; fraction && fraction % 10 == 0; fraction /= 10) places--;
    if (value < 1000)
        snprintf(text, size, "%" PRIu64 "%s", value, small);
    else if (!fraction)
        snprintf(text, size, "%" PRIu64 "%s", value / 1000, large);
    else
        snprintf(text, size, "%" PRIu64 ".%0*u%s", value / 1000, places, fraction, large);
}

// The shortest text that reads as the same number.
static void shortest_text(double value, char *text, size_t size)
{
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(text, size, "%.0f", value);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        number_format(text, size, "%.*g", digits, value);
        if (number_read(text, NULL) == value) return;
    }
}

void parameter_number_text(const HdParameter *p, double value, char *text, size_t size)
{
    if (word_of(p) && value == PARAMETER_WORD)
        snprintf(text, size, "%s", word_of(p));
    else if (p->kind == HD_FREQUENCY)
        format_thousands((uint64_t)value, "kHz", "MHz", text, size);
    else if (p->kind == HD_TIME)
        format_thousands((uint64_t)value, "ns", "us", text, size);
    else if (p->kind == HD_BYTES) {
        uint64_t number = (uint64_t)value;
        const Unit *unit = byte_units;
        while (number && unit[1].name && number % unit[1].factor == 0) unit++;
        snprintf(text, size, "%" PRIu64 "%s", number / unit->factor, unit->name);
    } else if (p->kind == HD_SWITCH)
        snprintf(text, size, "%s", value ? "true" : "false");
    else if (p->kind == HD_CHOICE)
        snprintf(text, size, "%s", p->choices[(size_t)value]);
    else
        shortest_text(value, text, size);
}

// HD_NUMBER and HD_WHOLE.
static bool parse_number(const HdParameter *p, const char *text, double *value, HdError *err)
{
    const char *word = word_of(p);
    if (word && strcmp(text, word) == 0) {
        *value = PARAMETER_WORD;
        return true;
    }
    char *end, min[32], max[32];
    bool whole = p->kind == HD_WHOLE, decimal = !text[strcspn(text, "xX \t")];
    *value = number_read(text, &end);
    if (decimal && end != text && !*end && *value >= p->min && *value <= p->max &&
        (!whole || floor(*value) == *value))
        return true;
    shortest_text(p->min, min, sizeof min);
    shortest_text(p->max, max, sizeof max);
    return hd_fail(err, "expected a %snumber from %s to %s%s%s%s%s", whole ? "whole " : "", min,
                   max, p->unit ? " " : "", p->unit ? p->unit : "", word ? ", or " : "",
                   word ? word : "");
}

static bool parse_measure(const HdParameter *p, const Measure *measure, const char *text,
                          double *value, HdError *err)
{
    Decimal number;
    if (!parse_decimal(&text, &number))
        return hd_fail(err, "expected a number and a unit (%s), as in %s", measure->unit_list,
                       measure->example);
    bool bare_zero = !*text && number.digits == 0 && p->kind != HD_FREQUENCY;
    while (*text == ' ') text++;
    const Unit *unit = measure->units;
    while (unit->name && !bare_zero && strcmp(unit->name, text) != 0) unit++;
    if (!unit->name)
        return hd_fail(err, "expected a unit, %s, as in %s", measure->unit_list, measure->example);
    unsigned __int128 scaled = number.digits * unit->factor, whole = scaled / number.scale;
    if ((double)whole < p->min || (double)whole > p->max) {
        char min[32], max[32];
        parameter_number_text(p, p->min, min, sizeof min);
        parameter_number_text(p, p->max, max, sizeof max);
        return hd_fail(err, "expected %s to %s", min, max);
    }
    if (scaled % number.scale) return hd_fail(err, "expected a whole number of %s", measure->base);
    *value = (double)whole;
    return true;
}

static int index_of(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (text_same_letters(word, words[i], SIZE_MAX)) return i;
    return -1;
}

static bool parse_switch(const char *text, double *value, HdError *err)
{
    bool yes = index_of(text, yes_words) >= 0;
    if (!yes && index_of(text, no_words) < 0)
        return hd_fail(err, "expected true or false (or yes, no, on, off)");
    *value = yes;
    return true;
}

static bool find_choice(const HdParameter *p, const char *text, double *value, HdError *err)
{
    size_t count = choice_count(p);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(p->choices[i], text) != 0) continue;
        *value = (double)i;
        return true;
    }
    char list[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof list; i++) {
        const char *quote = strchr(p->choices[i], ',') ? "'" : "";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s%s%s", i ? ", " : "", quote,
                                 p->choices[i], quote);
    }
    const char *near = hd_nearest(text, p->choices, (int)count);
    return hd_fail(err, "expected one of %s%s%s%s", list, HD_DID_YOU_MEAN(near));
}

static bool parse_text(const char *text, char *field, HdError *err)
{
    size_t length = strlen(text);
    if (length >= PARAMETER_TEXT_SIZE)
        return hd_fail(err, "expected at most %d bytes, not %zu", PARAMETER_TEXT_SIZE - 1, length);
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            return hd_fail(err, "expected no control character (code %d)", *p);
    memset(field, 0, PARAMETER_TEXT_SIZE);
    memcpy(field, text, length);
    return true;
}

// Reads a value that is no text.
static bool parse_value(const HdParameter *p, const char *text, double *value, HdError *err)
{
    switch (p->kind) {
    case HD_BYTES: return parse_measure(p, &bytes, text, value, err);
    case HD_FREQUENCY: return parse_measure(p, &frequency, text, value, err);
    case HD_TIME: return parse_measure(p, &duration, text, value, err);
    case HD_SWITCH: return parse_switch(text, value, err);
    case HD_CHOICE: return find_choice(p, text, value, err);
    default: return parse_number(p, text, value, err);
    }
}

bool parameter_read(const HdParameter *p, const char *text, void *field, HdError *err)
{
    double value;
    if (p->kind == HD_TEXT) return parse_text(text, field, err);
    if (!parse_value(p, text, &value, err)) return false;
    store(p, value, field);
    return true;
}

bool parameter_default(const HdParameter *p, void *field, HdError *err)
{
    bool listed = p->kind == HD_CHOICE || p->kind == HD_SWITCH; // without bounds
    bool possible = listed || (p->value >= p->min && p->value <= p->max &&
                               (p->kind == HD_NUMBER || p->value == floor(p->value)));
    char text[PARAMETER_VALUE_TEXT];
    HdError why;
    if (!p->text && possible) {
        store(p, p->value, field);
        return true;
    }
    if (!p->text) parameter_number_text(p, p->value, text, sizeof text);
    const char *value = p->text ? p->text : text;
    return parameter_read(p, value, field, &why) ||
           hd_fail(err, "%s: %.1024s", value, why.text);
}

// Whether YAML reads the text back unchanged if it is written without quotes.
static bool is_plain(const char *text)
{
    if (!*text || *text == '-') return false;
    for (; *text; text++) {
        bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
        if (!letter && !is_digit(*text) && !strchr("_-./+=", *text)) return false;
    }
    return true;
}

static void format_text(const char *value, char *text, size_t size)
{
    if (is_plain(value)) {
        snprintf(text, size, "%s", value);
        return;
    }
    char quoted[PARAMETER_VALUE_TEXT];
    char *to = quoted;
    *to++ = '"';
    for (; *value; value++) {
        if (*value == '"' || *value == '\\') *to++ = '\\';
        *to++ = *value;
    }
    *to++ = '"';
    *to = 0;
    snprintf(text, size, "%s", quoted);
}

void parameter_text(const HdParameter *p, const void *field, char *text, size_t size)
{
    if (p->kind == HD_TEXT) format_text(field, text, size);
    else parameter_number_text(p, load(p, field), text, size);
}

json_t *parameter_json(const HdParameter *p, const void *field)
{
    if (p->kind == HD_TEXT) return json_string(field);
    double value = load(p, field);
    if (p->kind == HD_CHOICE) return json_string(p->choices[(size_t)value]);
    if (p->kind == HD_SWITCH) return json_boolean(value != 0);
    if (p->kind == HD_NUMBER) return json_real(value);
    if (word_of(p) && value == PARAMETER_WORD) return json_string(word_of(p));
    return json_integer((json_int_t)value);
}

bool parameter_equal(const HdParameter *p, const void *a, const void *b)
{
    return p->kind == HD_TEXT ? strcmp(a, b) == 0 : load(p, a) == load(p, b);
}

// ---- lists ----

bool parameter_find(const HdParameter *list, const char *name, size_t *found)
{
    for (size_t i = 0; list && list[i].name; i++) {
        if (strcmp(list[i].name, name) != 0) continue;
        *found = i;
        return true;
    }
    return false;
}

size_t parameter_count(const HdParameter *list)
{
    size_t count = 0;
    while (list && list[count].name) count++;
    return count;
}
