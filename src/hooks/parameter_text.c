// Reads what --mechanism says of one mechanism's parameters.
#include "hooks/parameter_text.h"

#include "config/parameter.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TEXT = 256 };

// Finds a parameter by its name. given: a bit for each parameter that the text has set so far.
static bool find(const HdMechanism *mechanism, const char *key, uint32_t *given, size_t *found,
                 HdError *err)
{
    const HdParameter *all = mechanism->parameters;
    if (parameter_find(all, key, found)) {
        if (*given >> *found & 1)
            return hd_fail(err, "--mechanism %s: %s is given twice",
                           mechanism->name, key);
        *given |= UINT32_C(1) << *found;
        return true;
    }
    const char *names[PLAN_PARAMETERS];
    int count = (int)parameter_count(all);
    for (int i = 0; i < count; i++) names[i] = all[i].name;
    char known[MOST_TEXT];
    hd_list_names(known, sizeof known, names, count);
    const char *near = hd_nearest(key, names, count);
    return hd_fail(err, "--mechanism %s: there is no parameter '%s': expected %s%s%s%s%s",
                   mechanism->name, key, count ? "one of " : "none", known, HD_DID_YOU_MEAN(near));
}

// dots: the two dots in the text.
static bool read_range(const HdParameter *p, const char *text, const char *dots,
                       ParameterRange *range)
{
    char first[MOST_TEXT];
    HdError why;
    *range = (ParameterRange){.text = text};
    if ((size_t)(dots - text) >= sizeof first) return false;
    snprintf(first, sizeof first, "%.*s", (int)(dots - text), text);
    return parameter_read(p, first, &range->first, &why) &&
           parameter_read(p, dots + strlen(".."), &range->last, &why) && range->first < range->last;
}

static bool read_value(const HdMechanism *mechanism, const HdParameter *p, const char *text,
                       double *value, ParameterRanges *ranges, HdError *err)
{
    HdError why;
    if (parameter_read(p, text, value, &why)) return true;
    const char *dots = strstr(text, ".."), *about = "";
    bool whole = p->kind == HD_WHOLE;
    if (dots && whole && ranges) {
        if (read_range(p, text, dots, &ranges->items[ranges->count])) {
            ranges->count++;
            return true;
        }
        return hd_fail(err, "--mechanism %s: %s = %.256s: expected A..B with A less than B, whole "
                            "numbers from %.10g to %.10g%s%s", mechanism->name, p->name, text,
                       p->min, p->max, p->unit ? " " : "", p->unit ? p->unit : "");
    }
    if (dots)
        about = whole ? " (only heddle compare takes a range)"
                      : " (only a parameter of whole numbers takes a range)";
    return hd_fail(err, "--mechanism %s: %s = %.256s: %.1024s%s", mechanism->name, p->name, text,
                   why.text, about);
}

bool parameter_text_read(const HdMechanism *mechanism, char *text, double *values,
                         ParameterRanges *ranges, HdError *err)
{
    uint32_t given = 0;
    while (text && *text) {
        size_t found;
        char *equals = strchr(text, '='), *next = equals;
        if (!equals)
            return hd_fail(err, "--mechanism %s: '%s': expected key=value", mechanism->name, text);
        *equals = 0;
        while (next && (next = strchr(next + 1, ',')))
            if (next[1 + strcspn(next + 1, ",=")] == '=') break;
        if (next) *next++ = 0;
        if (!find(mechanism, text, &given, &found, err) ||
            !read_value(mechanism, &mechanism->parameters[found], equals + 1, &values[found],
                        ranges, err))
            return false;
        text = next;
    }
    return true;
}
