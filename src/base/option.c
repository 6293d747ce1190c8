// Reads values of options and puts them into their targets.
#include "base/option.h"

#include "base/number.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail_memory(const OptionInput *input)
{
    return hd_fail_memory(input->err, "reading options");
}

bool option_expected(const OptionInput *input, const char *format, ...)
{
    char expected[1024];
    va_list args;
    va_start(args, format);
    number_format_list(expected, sizeof expected, format, args);
    va_end(args);
    return hd_fail(input->err, "%s '%.1024s': expected %s", input->where, input->text, expected);
}

// ---- values ----

// Reads digits at `text`; NULL where there are none, or the number is too large.
static const char *read_digits(const char *text, int base, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, base);
    return *text >= '0' && *text <= '9' && !errno ? end : NULL;
}

bool option_read_number(const OptionInput *input, uint64_t min, uint64_t max, uint64_t *value)
{
    const char *end = read_digits(input->text, 0, value);
    if (!max) max = UINT64_MAX;
    if (end && !*end && *value >= min && *value <= max) return true;
    if (max >= INT64_MAX) return option_expected(input, "a whole number of at least %" PRIu64, min);
    return option_expected(input, "a whole number from %" PRIu64 " to %" PRIu64, min, max);
}

bool option_read_size(const OptionInput *input, uint64_t *bytes)
{
    static const struct {
        const char *unit;
        unsigned shift;
    } units[] = {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    uint64_t number;
    const char *unit = read_digits(input->text, 0, &number);
    for (size_t i = 0; unit && number && i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].unit) != 0 || number >> (64 - 1 - units[i].shift)) continue;
        *bytes = number << units[i].shift;
        return true;
    }
    return option_expected(input, "a size such as 4096, 64KiB, 1MiB or 2GiB");
}

bool option_read_shape(const OptionInput *input, uint32_t shape[3])
{
    const char *rest = input->text;
    for (int i = 0; i < 3; i++) shape[i] = 1;
    for (int i = 0; rest && i < 3; i++) {
        uint64_t number;
        rest = read_digits(rest, 10, &number);
        if (!rest || !number || number > INT32_MAX) break;
        shape[i] = (uint32_t)number;
        if (!*rest) return true;
        rest = *rest == ',' ? rest + 1 : NULL;
    }
    return option_expected(input, "X, X,Y or X,Y,Z, each from 1 to %d", INT32_MAX);
}

bool option_read_range(const OptionInput *input, uint64_t min, bool single, uint64_t *first,
                       uint64_t *last)
{
    const char *rest = read_digits(input->text, 10, first);
    *last = *first;
    if (rest && strncmp(rest, "..", 2) == 0) rest = read_digits(rest + 2, 10, last);
    else if (!single) rest = NULL;
    if (!rest || *rest || *first < min || *last < min)
        return option_expected(input, "A..B%s, whole numbers of at least %" PRIu64,
                               single ? " or A" : "", min);
    return *first <= *last || option_expected(input, "%" PRIu64 "..%" PRIu64, *last, *first);
}

size_t option_list_length(const char *const *list)
{
    size_t count = 0;
    while (list && list[count]) count++;
    return count;
}

bool option_list_add(const char *const **list, const char *text, size_t length, HdArena *arena,
                     HdError *err)
{
    size_t count = option_list_length(*list);
    const char **grown = (const char **)*list;
    const char *copy = hd_arena_text(arena, text, length);
    if ((count & (count + 1)) == 0) { // the room, a power of two, is used up
        grown = hd_arena_new(arena, 2 * (count + 1) * sizeof *grown);
        if (grown && count) memcpy(grown, *list, count * sizeof *grown);
    }
    if (!grown || !copy) return hd_fail_memory(err, "reading options");
    grown[count] = copy;
    grown[count + 1] = NULL;
    *list = grown;
    return true;
}

// ---- types ----

static bool assign_flag(const OptionInput *input, bool *value)
{
    static const char *const words[][2] = {{"0", "1"}, {"no", "yes"}, {"off", "on"},
                                           {"false", "true"}};
    *value = true;
    if (!input->text) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (unsigned on = 0; on < 2; on++) {
            if (strcmp(input->text, words[i][on]) != 0) continue;
            *value = on;
            return true;
        }
    return option_expected(input, "1 or 0, yes or no, on or off, true or false");
}

static bool assign_choice(const Option *option, const OptionInput *input, unsigned *value)
{
    char all[512] = "";
    for (unsigned i = 0; option->choices[i]; i++) {
        if (strcmp(input->text, option->choices[i]) == 0) {
            *value = i;
            return true;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s",
                 !i ? "" : option->choices[i + 1] ? ", " : " or ", option->choices[i]);
    }
    return option_expected(input, "%s", all);
}

static bool assign_text(const Option *option, const OptionInput *input, const char **value)
{
    if (option->type == OPTION_OUTPUT && !*input->text)
        return option_expected(input, "the name of a file");
    if (!input->again || !option->separator || !*value) {
        *value = hd_arena_text(input->arena, input->text, strlen(input->text));
        return *value || fail_memory(input);
    }
    size_t size = strlen(*value) + strlen(input->text) + 2;
    char *joined = hd_arena_new(input->arena, size);
    if (!joined) return fail_memory(input);
    snprintf(joined, size, "%s%c%s", *value, option->separator, input->text);
    *value = joined;
    return true;
}

static bool assign_list(const Option *option, const OptionInput *input, const char *const **list)
{
    const char separator[] = {option->separator, 0};
    for (const char *text = input->text;;) {
        size_t length = strcspn(text, separator);
        if ((length || !option->separator) &&
            !option_list_add(list, text, length, input->arena, input->err)) return false;
        if (!text[length]) return true;
        text += length + 1;
    }
}

bool option_assign(const Option *option, void *values, const OptionInput *input)
{
    void *target = (char *)values + option->target;
    uint64_t number;
    switch (option->type) {
    case OPTION_FLAG: return assign_flag(input, target);
    case OPTION_TEXT:
    case OPTION_OUTPUT: return assign_text(option, input, target);
    case OPTION_LIST: return assign_list(option, input, target);
    case OPTION_U32:
        if (!option_read_number(input, option->min, option->max ? option->max : UINT32_MAX,
                                &number))
            return false;
        *(uint32_t *)target = (uint32_t)number;
        return true;
    case OPTION_U64: return option_read_number(input, option->min, option->max, target);
    case OPTION_SIZE: return option_read_size(input, target);
    case OPTION_SHAPE: return option_read_shape(input, target);
    case OPTION_CHOICE: return assign_choice(option, input, target);
    case OPTION_PARSED: return option->parse(option, values, input);
    }
    return false;
}

bool option_excludes(const Option *a, const Option *b)
{
    return a->exclusive && b->exclusive && strcmp(a->exclusive, b->exclusive) == 0;
}

bool option_fail_both(const char *a, const char *b, const Option *option, HdError *err)
{
    return hd_fail(err, "%s and %s both set %s: expected one of them", a, b, option->exclusive);
}

// ---- names ----

const Option *option_find(const Option *table, const char *name)
{
    for (const Option *option = table; option->name; option++)
        if (strcmp(option->name, name) == 0) return option;
    return NULL;
}

void option_variable(const Option *option, char text[OPTION_NAME_TEXT])
{
    snprintf(text, OPTION_NAME_TEXT, "HEDDLE_%s", option->name);
    for (char *c = text; *c; c++) *c = *c == '-' ? '_' : text_upper(*c);
}

void option_key(const Option *option, char text[OPTION_NAME_TEXT])
{
    snprintf(text, OPTION_NAME_TEXT, "%s", option->name);
    for (char *c = text; *c; c++)
        if (*c == '-') *c = '_';
}
