// What the runs of a comparison computed, from their results.
#include "cli/compare/answers.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/run/graph_work.h"
#include "cli/run/run_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *result_of(const Variant *variant)
{
    return json_object_get(variant->file, "result");
}

static size_t first_done(const Variants *variants)
{
    size_t i = 0;
    while (i < variants->count && !variant_is_done(&variants->items[i])) i++;
    return i;
}

static void print_numbers(const json_t *answer, FILE *out)
{
    enum { NAME_TEXT = 64 };
    char names[MAX_ANSWERS][NAME_TEXT];
    Answer answers[MAX_ANSWERS];
    unsigned count = 0;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)answer, name, value) {
        if (count == MAX_ANSWERS) break;
        snprintf(names[count], NAME_TEXT, "%s", name);
        text_mask(names[count], ""); // from a file
        answers[count] = (Answer){.name = names[count], .is_real = json_is_real(value),
                                  .count = (uint64_t)json_integer_value(value),
                                  .real = json_real_value(value)};
        count++;
    }
    run_report_numbers(answers, count, out);
}

// "answer     verified against the CPU: reached 5 vertices; 3 launches", without a newline. NULL:
// out of memory.
static char *answer_text(const Variant *variant)
{
    char *text = NULL;
    size_t size, launches = json_array_size(json_object_get(result_of(variant), "kernels"));
    const json_t *answer = json_object_get(result_of(variant), "answer");
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    if (json_is_object(answer)) print_numbers(answer, out);
    else fprintf(out, "answer     not checked: a single kernel has no reference");
    fprintf(out, "; %zu launch%s", launches, launches == 1 ? "" : "es");
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

void answers_print(const Variants *variants)
{
    size_t first = first_done(variants);
    if (first == variants->count) return;
    char *text = answer_text(&variants->items[first]);
    bool same = true;
    for (size_t i = first + 1; text && i < variants->count; i++) {
        if (!variant_is_done(&variants->items[i])) continue;
        char *other = answer_text(&variants->items[i]);
        same = same && other && strcmp(other, text) == 0;
        free(other);
    }
    if (text && same) printf("%s\n", text);
    else if (text)
        printf("%s (%s; others have other numbers)\n", text, variants->items[first].mechanisms);
    free(text);
}

void answers_warn(const Variants *variants, bool largest)
{
    size_t first = first_done(variants), i;
    if (first == variants->count) return;
    const json_t *result = result_of(&variants->items[first]), *launch;
    const json_t *source = json_object_get(result, "source");
    uint64_t looked = 0;
    json_array_foreach(json_object_get(result, "kernels"), i, launch) {
        const json_t *work = json_object_get(launch, "application");
        looked += (uint64_t)json_integer_value(json_object_get(work, "edges"));
    }
    const json_t *edges = json_object_get(json_object_get(result, "graph"), "edges");
    if (json_is_integer(source) && json_is_integer(edges))
        graph_work_warn(looked, (uint64_t)json_integer_value(edges),
                        (uint32_t)json_integer_value(source), largest);
}
