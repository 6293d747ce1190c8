// What the last command of a script did.
#include "harness/record.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_TEXT = 1024 };

void record_clear(Record *record)
{
    record->outcome_count = record->answer_count = 0;
    for (unsigned i = 0; i < RECORDED_LISTS; i++) record->lists[i].count = 0;
}

void record_free(Record *record)
{
    free(record->outcomes);
    for (unsigned i = 0; i < RECORDED_LISTS; i++) free(record->lists[i].numbers);
}

void record_print(const Record *record, const char *format, ...)
{
    if (!record->out) return;
    char text[PRINTED_TEXT], shown[4 * PRINTED_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    fprintf(record->out, "  %s\n", text_escape(shown, sizeof shown, text, ""));
}

void record_command(const Record *record, int line, const char *text)
{
    if (!record->out) return;
    size_t size = 4 * strlen(text) + 1;
    char *shown = hd_new(size, 1);
    if (shown) fprintf(record->out, "%d: %s\n", line, text_escape(shown, size, text, "\t"));
    free(shown);
}

void record_outcome(Record *record, const char *text)
{
    if (!HD_PUSH(record->outcomes, record->outcome_count, record->outcome_capacity, text))
        record->failed = true;
}

void record_number(Record *record, RecordedList list, uint64_t number)
{
    NumberList *to = &record->lists[list];
    if (!HD_PUSH(to->numbers, to->count, to->capacity, number)) record->failed = true;
}

void record_answer(Record *record, const char *mechanism, const char *hook, const char *format, ...)
{
    size_t i = 0;
    while (i < record->answer_count && strcmp(record->answers[i].hook, hook) != 0) i++;
    if (i == RECORDED_HOOKS) return;
    if (i == record->answer_count) record->answer_count++;
    RecordedAnswer *answer = &record->answers[i];
    answer->hook = hook;
    va_list args;
    va_start(args, format);
    number_format_list(answer->text, sizeof answer->text, format, args);
    va_end(args);
    record_print(record, "%s %s: %s", mechanism, hook, answer->text);
}
