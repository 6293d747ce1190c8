// Ranges in --mechanism: finds them, and writes the texts that they stand for.
#include "hooks/plan_ranges.h"

#include "hooks/parameter_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for a value of a range: at most 19 digits, because doubles beyond are more than 256 apart.
enum { MOST_DIGITS = 32 };

static size_t word_length(const char *word) { return strcspn(word, "+>"); }

// Whether two dots stand behind the last slash of a mechanism, so that they are not of its path.
static bool may_have_range(const char *text)
{
    while (*text) {
        size_t length = word_length(text);
        const char *slash = memrchr(text, '/', length), *from = slash ? slash : text;
        if (memmem(from, length - (size_t)(from - text), "..", 2)) return true;
        text += length + (text[length] != 0);
    }
    return false;
}

static bool add(PlanRanges *ranges, const ParameterRange *found, size_t at, double *texts)
{
    double count = found->last - found->first + 1;
    *texts *= count;
    if (*texts > PLAN_RANGE_TEXTS) return false;
    ranges->items[ranges->count++] = (PlanRange){
        .at = at, .length = strlen(found->text), .first = found->first, .count = (size_t)count};
    return true;
}

bool plan_ranges_read(PlanRanges *ranges, const char *text, MechanismFinder *find, HdError *err)
{
    *ranges = (PlanRanges){.text = text, .texts = 1};
    if (!may_have_range(text)) return true;
    HookPlan plan;
    double texts = 1;
    bool ok = plan_open(&plan, text, find, err);
    const char *end = text;
    for (size_t i = 0; ok && i < plan.count; i++) {
        PlannedMechanism *planned = &plan.items[i];
        ParameterRanges found = {0};
        end += word_length(end);
        if (planned->given) {
            // The parameters are the end of the mechanism's text.
            size_t start = (size_t)(end - text) - strlen(planned->given);
            ok = parameter_text_read(planned->mechanism, planned->given, planned->parameters,
                                     &found, err);
            for (size_t k = 0; ok && k < found.count; k++)
                ok = add(ranges, &found.items[k],
                         start + (size_t)(found.items[k].text - planned->given), &texts) ||
                     hd_fail(err, "--mechanism %.512s: its ranges make more than %d variants: "
                                  "expected shorter ranges", text, PLAN_RANGE_TEXTS);
        }
        end += *end != 0;
    }
    plan_free(&plan);
    ranges->texts = (size_t)texts;
    return ok;
}

char *plan_ranges_text(const PlanRanges *ranges, size_t index)
{
    size_t size = strlen(ranges->text) + ranges->count * MOST_DIGITS + 1, length = 0, done = 0;
    char *text = malloc(size);
    if (!text) return NULL;
    size_t rest = ranges->texts;
    for (size_t i = 0; i < ranges->count; i++) {
        const PlanRange *range = &ranges->items[i];
        rest /= range->count;
        double value = range->first + (double)(index / rest % range->count);
        length += (size_t)snprintf(text + length, size - length, "%.*s%.0f",
                                   (int)(range->at - done), ranges->text + done, value);
        done = range->at + range->length;
    }
    snprintf(text + length, size - length, "%s", ranges->text + done);
    return text;
}
