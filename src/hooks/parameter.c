// Reading and writing values of mechanisms' parameters.
#include "hooks/parameter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 256 };

static bool read_choice(const HdParameter *p, const char *text, double *value, HdError *err)
{
    char known[MOST_TEXT] = "";
    for (unsigned i = 0; p->choices[i]; i++) {
        if (strcmp(p->choices[i], text) == 0) {
            *value = i;
            return true;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? " or " : "", p->choices[i]);
    }
    return hd_fail(err, "'%s' is not %s (%s)", text, known, p->description);
}

bool parameter_read(const HdParameter *p, const char *text, double *value, HdError *err)
{
    if (p->choices) return read_choice(p, text, value, err);
    char *end;
    double number = strtod(text, &end);
    if (end != text && !*end && number >= p->min && number <= p->max &&
        (!p->integer || floor(number) == number)) {
        *value = number;
        return true;
    }
    return hd_fail(err, "'%s' is not a %snumber from %.10g to %.10g%s%s (%s)", text,
                   p->integer ? "whole " : "", p->min, p->max, p->unit ? " " : "",
                   p->unit ? p->unit : "", p->description);
}

void parameter_text(const HdParameter *p, double value, char *text, size_t size)
{
    if (p->choices) {
        snprintf(text, size, "%s", p->choices[(int)value]);
        return;
    }
    // As short as it can be.
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) return;
    }
}

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
