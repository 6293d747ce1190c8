// Reads and writes the value of one knob. Counts, sizes, frequencies and times are exact: only
// their bounds are floating point.
#include "config/value.h"

#include "base/number.h"
#include "base/text.h"

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

size_t knob_size(KnobType type)
{
    switch (type) {
    case KNOB_COUNT:
    case KNOB_CHOICE: return sizeof(uint32_t);
    case KNOB_BYTES:
    case KNOB_FREQUENCY:
    case KNOB_TIME: return sizeof(uint64_t);
    case KNOB_SWITCH: return sizeof(bool);
    case KNOB_TEXT: return KNOB_TEXT_SIZE;
    case KNOB_NUMBER:
    case KNOB_INTEGER: return sizeof(double);
    }
    return 0;
}

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

// The word that a COUNT may be instead of a number, or NULL.
static const char *word_of(const Knob *knob)
{
    return knob->type == KNOB_COUNT && knob->choices ? knob->choices[0] : NULL;
}

static void number_text(const Knob *knob, uint64_t value, char *text, size_t size)
{
    if (word_of(knob) && value == KNOB_WORD)
        snprintf(text, size, "%s", word_of(knob));
    else if (knob->type == KNOB_FREQUENCY)
        format_thousands(value, "kHz", "MHz", text, size);
    else if (knob->type == KNOB_TIME)
        format_thousands(value, "ns", "us", text, size);
    else if (knob->type == KNOB_BYTES) {
        const Unit *unit = byte_units;
        while (value && unit[1].name && value % unit[1].factor == 0) unit++;
        snprintf(text, size, "%" PRIu64 "%s", value / unit->factor, unit->name);
    } else {
        snprintf(text, size, "%" PRIu64, value);
    }
}

static bool parse_count(const Knob *knob, const char *text, uint32_t *field, HdError *err)
{
    Decimal number;
    const char *word = word_of(knob);
    if (word && strcmp(text, word) == 0) {
        *field = KNOB_WORD;
        return true;
    }
    if (!parse_decimal(&text, &number) || *text || number.scale != 1 ||
        (double)number.digits < knob->min || (double)number.digits > knob->max)
        return hd_fail(err, "expected a whole number from %.0f to %.0f%s%s%s%s", knob->min,
                       knob->max, knob->unit ? " " : "", knob->unit ? knob->unit : "",
                       word ? ", or " : "", word ? word : "");
    *field = (uint32_t)number.digits;
    return true;
}

static bool parse_measure(const Knob *knob, const Measure *measure, const char *text,
                          uint64_t *field, HdError *err)
{
    Decimal number;
    if (!parse_decimal(&text, &number))
        return hd_fail(err, "expected a number and a unit (%s), as in %s", measure->unit_list,
                       measure->example);
    bool bare_zero = !*text && number.digits == 0 && knob->type != KNOB_FREQUENCY;
    while (*text == ' ') text++;
    const Unit *unit = measure->units;
    while (unit->name && !bare_zero && strcmp(unit->name, text) != 0) unit++;
    if (!unit->name)
        return hd_fail(err, "expected a unit, %s, as in %s", measure->unit_list, measure->example);
    unsigned __int128 scaled = number.digits * unit->factor, value = scaled / number.scale;
    if (value > UINT64_MAX || (double)value < knob->min || (double)value > knob->max) {
        char min[32], max[32];
        number_text(knob, (uint64_t)knob->min, min, sizeof min);
        number_text(knob, (uint64_t)knob->max, max, sizeof max);
        return hd_fail(err, "expected %s to %s", min, max);
    }
    if (scaled % number.scale) return hd_fail(err, "expected a whole number of %s", measure->base);
    *field = (uint64_t)value;
    return true;
}

static int index_of(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (text_same_letters(word, words[i], SIZE_MAX)) return i;
    return -1;
}

static bool parse_switch(const char *text, bool *field, HdError *err)
{
    bool yes = index_of(text, yes_words) >= 0;
    if (!yes && index_of(text, no_words) < 0)
        return hd_fail(err, "expected true or false (or yes, no, on, off)");
    *field = yes;
    return true;
}

// The index of a choice in *found; false and err: it is none of them.
static bool find_choice(const Knob *knob, const char *text, uint32_t *found, HdError *err)
{
    int count = 0;
    for (; knob->choices[count]; count++) {
        if (strcmp(knob->choices[count], text) != 0) continue;
        *found = (uint32_t)count;
        return true;
    }
    char list[1024] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof list; i++) {
        const char *quote = strchr(knob->choices[i], ',') ? "'" : "";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s%s%s", i ? ", " : "", quote,
                                 knob->choices[i], quote);
    }
    const char *near = hd_nearest(text, knob->choices, count);
    return hd_fail(err, "expected one of %s%s%s%s", list, HD_DID_YOU_MEAN(near));
}

// KNOB_NUMBER and KNOB_INTEGER.
static bool parse_number(const Knob *knob, const char *text, double *field, HdError *err)
{
    uint32_t choice;
    if (knob->choices) {
        if (!find_choice(knob, text, &choice, err)) return false;
        *field = choice;
        return true;
    }
    bool integer = knob->type == KNOB_INTEGER;
    char *end;
    double number = number_read(text, &end);
    if (end == text || *end || !(number >= knob->min && number <= knob->max) ||
        (integer && floor(number) != number))
        return hd_fail(err, "expected a %snumber from %.10g to %.10g%s%s", integer ? "whole " : "",
                       knob->min, knob->max, knob->unit ? " " : "", knob->unit ? knob->unit : "");
    *field = number;
    return true;
}

static bool parse_text(const char *text, char *field, HdError *err)
{
    size_t length = strlen(text);
    if (length >= KNOB_TEXT_SIZE)
        return hd_fail(err, "expected at most %d bytes, not %zu", KNOB_TEXT_SIZE - 1, length);
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            return hd_fail(err, "expected no control character (code %d)", *p);
    memset(field, 0, KNOB_TEXT_SIZE);
    memcpy(field, text, length);
    return true;
}

bool knob_parse(const Knob *knob, const char *text, void *field, HdError *err)
{
    switch (knob->type) {
    case KNOB_COUNT: return parse_count(knob, text, field, err);
    case KNOB_BYTES: return parse_measure(knob, &bytes, text, field, err);
    case KNOB_FREQUENCY: return parse_measure(knob, &frequency, text, field, err);
    case KNOB_TIME: return parse_measure(knob, &duration, text, field, err);
    case KNOB_SWITCH: return parse_switch(text, field, err);
    case KNOB_CHOICE: return find_choice(knob, text, field, err);
    case KNOB_TEXT: return parse_text(text, field, err);
    case KNOB_NUMBER:
    case KNOB_INTEGER: return parse_number(knob, text, field, err);
    }
    return hd_fail(err, "knob '%s' has no known type", knob->key);
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
    char quoted[KNOB_VALUE_TEXT];
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

// The shortest text that reads as the same number.
static void format_double(const Knob *knob, double value, char *text, size_t size)
{
    if (knob->choices) {
        snprintf(text, size, "%s", knob->choices[(int)value]);
        return;
    }
    if (value >= 1 && value < 1e6 && value == floor(value) && size >= TEXT_DECIMAL) {
        text_decimal(text, (uint64_t)value);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        number_format(text, size, "%.*g", digits, value);
        if (number_read(text, NULL) == value) return;
    }
}

// The number in the field of a COUNT, CHOICE, BYTES, FREQUENCY or TIME knob.
static uint64_t number_of(const Knob *knob, const void *field)
{
    bool narrow = knob_size(knob->type) == sizeof(uint32_t);
    return narrow ? *(const uint32_t *)field : *(const uint64_t *)field;
}

void knob_format(const Knob *knob, const void *field, char *text, size_t size)
{
    switch (knob->type) {
    case KNOB_COUNT:
    case KNOB_BYTES:
    case KNOB_FREQUENCY:
    case KNOB_TIME: number_text(knob, number_of(knob, field), text, size); break;
    case KNOB_SWITCH: snprintf(text, size, "%s", *(const bool *)field ? "true" : "false"); break;
    case KNOB_CHOICE: snprintf(text, size, "%s", knob->choices[number_of(knob, field)]); break;
    case KNOB_TEXT: format_text(field, text, size); break;
    case KNOB_NUMBER:
    case KNOB_INTEGER: format_double(knob, *(const double *)field, text, size); break;
    }
}

json_t *knob_json(const Knob *knob, const void *field)
{
    switch (knob->type) {
    case KNOB_COUNT:
    case KNOB_BYTES:
    case KNOB_FREQUENCY:
    case KNOB_TIME: {
        uint64_t value = number_of(knob, field);
        bool word = word_of(knob) && value == KNOB_WORD;
        return word ? json_string(word_of(knob)) : json_integer((json_int_t)value);
    }
    case KNOB_SWITCH: return json_boolean(*(const bool *)field);
    case KNOB_CHOICE: return json_string(knob->choices[number_of(knob, field)]);
    case KNOB_TEXT: return json_string(field);
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        return knob->choices ? json_string(knob->choices[(int)*(const double *)field])
                             : json_real(*(const double *)field);
    }
    return NULL;
}

bool knob_equal(const Knob *knob, const void *a, const void *b)
{
    return memcmp(a, b, knob_size(knob->type)) == 0;
}
