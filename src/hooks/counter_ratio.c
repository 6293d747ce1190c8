// Reads the sides of a ratio, which are names of counters.
#include "hooks/counter_ratio.h"

#include <stdbool.h>
#include <string.h>

typedef struct Term { // a name in a side of a ratio
    const char *name;
    size_t length;
    bool subtracted;
} Term;

// The length of the text in front of the next operator, or of all of it.
static size_t name_length(const char *text)
{
    const char *plus = strstr(text, " + "), *minus = strstr(text, " - ");
    if (!plus || (minus && minus < plus)) plus = minus;
    return plus ? (size_t)(plus - text) : strlen(text);
}

// Takes the next term off the front of a side; false: there is none.
static bool next_term(const char **side, Term *term)
{
    if (!**side) return false;
    term->subtracted = strncmp(*side, " - ", 3) == 0;
    if (term->subtracted || strncmp(*side, " + ", 3) == 0) *side += 3;
    term->name = *side;
    term->length = name_length(*side);
    *side += term->length;
    return true;
}

// The index of the counter that the term names; -1: there is none.
static int counter_index(const HdMechanism *mechanism, const Term *term)
{
    const HdCounter *counters = mechanism->counters;
    for (int i = 0; counters && counters[i].name; i++)
        if (strlen(counters[i].name) == term->length &&
            memcmp(counters[i].name, term->name, term->length) == 0)
            return i;
    return -1;
}

const char *counter_ratio_check(const HdMechanism *mechanism, const HdRatio *ratio, int *length)
{
    const char *sides[] = {ratio->part, ratio->whole};
    for (unsigned i = 0; i < 2; i++) {
        *length = 0;
        if (!*sides[i]) return sides[i];
        for (Term term; next_term(&sides[i], &term);) {
            *length = (int)term.length;
            if (counter_index(mechanism, &term) < 0) return term.name;
        }
    }
    return NULL;
}

double counter_ratio(const HdMechanism *mechanism, const HdRatio *ratio, CounterValue *value,
                     const void *context)
{
    const char *sides[] = {ratio->part, ratio->whole};
    double sums[] = {0, 0};
    for (unsigned i = 0; i < 2; i++)
        for (Term term; next_term(&sides[i], &term);) {
            double each = (double)value(context, (unsigned)counter_index(mechanism, &term));
            sums[i] += term.subtracted ? -each : each;
        }
    return sums[1] ? sums[0] / sums[1] : 0;
}
