// What a script expects, compared with what happened.
#include "harness/harness_state.h"

#include <string.h>

enum { SHOWN_TEXT = 512 };
typedef unsigned long long Wide; // of a number in printf

// Appends a word to a text that is shown, cut to fit.
static void show(char text[SHOWN_TEXT], const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, SHOWN_TEXT - used, "%s%s", used ? " " : "", word);
}

static HarnessResult wrong(const ScriptWord *word, HdError *err, const char *what,
                           const char *expected)
{
    hd_fail_at(err, word->file, word->line, word->column, "%s: expected %s", what, expected);
    return HARNESS_UNMET;
}

// ---- outcomes ----

// Whether the outcome is the expected one; "stalled" is any stall.
static bool is_outcome(const char *outcome, const char *expected)
{
    size_t length = strlen(expected);
    return strcmp(outcome, expected) == 0 ||
           (strcmp(expected, "stalled") == 0 && strncmp(outcome, expected, length) == 0);
}

static HarnessResult expect_outcomes(const Harness *h, const ScriptCommand *command, HdError *err)
{
    const Record *record = &h->record;
    char what[SHOWN_TEXT], all[SHOWN_TEXT] = "";
    size_t count = command->operand_count;
    for (size_t i = 0; i < count; i++) {
        const ScriptWord *word = &command->operands[i].word;
        if (hd_is_among(word->text, script_outcomes)) continue;
        int known = 0;
        while (script_outcomes[known]) known++;
        const char *near = hd_nearest(word->text, script_outcomes, known);
        hd_fail_at(err, word->file, word->line, word->column,
                   "'%.64s': expected an outcome, as hit, miss or bypassed%s%s%s", word->text,
                   HD_DID_YOU_MEAN(near));
        return HARNESS_FAILED;
    }
    for (size_t i = 0; i < record->outcome_count; i++) show(all, record->outcomes[i]);
    if (count > 1 ? record->outcome_count != count : !record->outcome_count) {
        char expected[64];
        snprintf(what, sizeof what, "the command of line %d has %zu outcomes%s%.400s",
                 h->last_line, record->outcome_count, *all ? ": " : "", all);
        snprintf(expected, sizeof expected, "%zu", count);
        return wrong(&command->operands[0].word, err, what, expected);
    }
    for (size_t i = 0; i < record->outcome_count; i++) {
        const ScriptWord *word = &command->operands[count > 1 ? i : 0].word;
        if (is_outcome(record->outcomes[i], word->text)) continue;
        snprintf(what, sizeof what, "outcome %zu of line %d is %s", i + 1, h->last_line,
                 record->outcomes[i]);
        return wrong(word, err, what, word->text);
    }
    return HARNESS_MET;
}

// ---- counters ----

typedef struct Search {
    const char *name;
    unsigned found;
    uint64_t value;
    char full[SHOWN_TEXT], first[SHOWN_TEXT]; // the last and the first name that was found
} Search;

// A counter is named by its whole name, or by the end of it behind a dot.
static bool look_for(void *context, const char *name, uint64_t value)
{
    Search *search = context;
    size_t length = strlen(name), wanted = strlen(search->name);
    bool whole = strcmp(name, search->name) == 0;
    bool tail = length > wanted && name[length - wanted - 1] == '.' &&
                strcmp(name + length - wanted, search->name) == 0;
    if (!whole && !tail) return true;
    search->found = whole ? 1 : search->found + 1;
    search->value = value;
    if (search->found == 1) snprintf(search->first, sizeof search->first, "%s", name);
    snprintf(search->full, sizeof search->full, "%s", name);
    return !whole;
}

static HarnessResult expect_counter(const Harness *h, const ScriptCommand *command, HdError *err)
{
    const ScriptWord *word = &command->operands[0].word;
    Search search = {.name = word->text};
    uint64_t expected;
    if (!harness_operand(h, command, 1, UINT64_MAX, &expected, err)) return HARNESS_FAILED;
    harness_each_counter(h, look_for, &search);
    if (search.found != 1) {
        if (search.found)
            hd_fail_at(err, word->file, word->line, word->column,
                       "'%.64s' names several counters: expected %.200s or %.200s", word->text,
                       search.first, search.full);
        else
            hd_fail_at(err, word->file, word->line, word->column,
                       "there is no counter '%.64s': expected one of the cache or of a mechanism",
                       word->text);
        return HARNESS_FAILED;
    }
    if (search.value == expected) return HARNESS_MET;
    char what[SHOWN_TEXT], number[32];
    snprintf(what, sizeof what, "counter %.400s is %llu", search.full, (Wide)search.value);
    snprintf(number, sizeof number, "%llu", (Wide)expected);
    return wrong(&command->operands[1].word, err, what, number);
}

// ---- answers ----

static HarnessResult expect_answer(const Harness *h, const ScriptCommand *command, HdError *err)
{
    const ScriptWord *hook = &command->operands[0].word;
    char expected[SHOWN_TEXT] = "", what[SHOWN_TEXT];
    for (size_t i = 1; i < command->operand_count; i++)
        show(expected, command->operands[i].word.text);
    for (size_t i = 0; i < h->record.answer_count; i++) {
        const RecordedAnswer *answer = &h->record.answers[i];
        if (strcmp(answer->hook, hook->text) != 0) continue;
        if (strcmp(answer->text, expected) == 0) return HARNESS_MET;
        snprintf(what, sizeof what, "the answer of %s to line %d is %s", answer->hook,
                 h->last_line, answer->text);
        return wrong(hook, err, what, expected);
    }
    snprintf(what, sizeof what, "line %d asked no %.64s", h->last_line, hook->text);
    return wrong(hook, err, what, *expected ? expected : "an answer");
}

// ---- lists ----

static HarnessResult expect_list(const Harness *h, const ScriptCommand *command, HdError *err)
{
    static const struct { RecordedList list; const char *name, *format; } lists[] = {
        {RECORDED_EVICTED, "evicted", "0x%llx"},
        {RECORDED_COPIED_BACK, "copied back", "0x%llx"},
        {RECORDED_PREFETCHED, "prefetched", "0x%llx"},
        {RECORDED_ISSUABLE, "let issue", "%llu"},
        {RECORDED_LOADS, "let issue loads", "%llu"},
        {RECORDED_ORDER, "ordered", "%llu"},
    };
    unsigned which = command->kind - SCRIPT_EXPECT_EVICTED;
    const NumberList *list = &h->record.lists[lists[which].list];
    char what[SHOWN_TEXT], is[SHOWN_TEXT] = "", expected[SHOWN_TEXT] = "", number[32];
    bool same = list->count == command->operand_count;
    for (size_t i = 0; i < list->count; i++) {
        snprintf(number, sizeof number, lists[which].format, (Wide)list->numbers[i]);
        show(is, number);
    }
    for (size_t i = 0; i < command->operand_count; i++) {
        uint64_t value;
        if (!harness_operand(h, command, i, UINT64_MAX, &value, err)) return HARNESS_FAILED;
        snprintf(number, sizeof number, lists[which].format, (Wide)value);
        show(expected, number);
        same = same && value == list->numbers[i];
    }
    if (same) return HARNESS_MET;
    snprintf(what, sizeof what, "line %d has %s %.400s", h->last_line, lists[which].name,
             *is ? is : "none");
    return wrong(&command->word, err, what, *expected ? expected : "none");
}

static HarnessResult expect_residence(const Harness *h, const ScriptCommand *command, HdError *err)
{
    bool resident = command->kind == SCRIPT_EXPECT_RESIDENT;
    for (size_t i = 0; i < command->operand_count; i++) {
        uint64_t address;
        if (!harness_operand(h, command, i, UINT64_MAX, &address, err)) return HARNESS_FAILED;
        if (driver_has(&h->driver, address) == resident) continue;
        char what[64];
        snprintf(what, sizeof what, "0x%llx is %s", (Wide)address,
                 resident ? "absent" : "resident");
        return wrong(&command->operands[i].word, err, what, resident ? "resident" : "absent");
    }
    return HARNESS_MET;
}

HarnessResult harness_expect(const Harness *h, const ScriptCommand *command, HdError *err)
{
    switch (command->kind) {
    case SCRIPT_EXPECT: return expect_outcomes(h, command, err);
    case SCRIPT_EXPECT_COUNTER: return expect_counter(h, command, err);
    case SCRIPT_EXPECT_ANSWER: return expect_answer(h, command, err);
    case SCRIPT_EXPECT_RESIDENT:
    case SCRIPT_EXPECT_ABSENT: return expect_residence(h, command, err);
    default: return expect_list(h, command, err);
    }
}
