// What the last command of a script did: printed as it happens, and kept for expectations.
#ifndef HEDDLE_HARNESS_RECORD_H
#define HEDDLE_HARNESS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum RecordedList {
    RECORDED_EVICTED,     // lines
    RECORDED_COPIED_BACK, // lines
    RECORDED_PREFETCHED,  // addresses passed to hd_prefetch
    RECORDED_ISSUABLE,    // warp slots
    RECORDED_LOADS,       // warp slots
    RECORDED_ORDER,       // warp slots
    RECORDED_LISTS
} RecordedList;

typedef struct NumberList {
    uint64_t *numbers;
    size_t count, capacity;
} NumberList;

enum { RECORDED_HOOKS = 16, ANSWER_TEXT = 128 };
typedef struct RecordedAnswer { // the last one of a hook
    const char *hook;
    char text[ANSWER_TEXT];
} RecordedAnswer;

typedef struct Record {
    FILE *out; // NULL: nothing is printed
    const char **outcomes; // constant texts: "hit", "stalled:mshr_entry", ...
    size_t outcome_count, outcome_capacity;
    NumberList lists[RECORDED_LISTS];
    RecordedAnswer answers[RECORDED_HOOKS];
    size_t answer_count;
    bool failed; // out of memory
} Record;

// Forgets the last command.
void record_clear(Record *record);
void record_free(Record *record);

// Prints a command of the script.
void record_command(const Record *record, int line, const char *text);
// Prints a line, indented.
void record_print(const Record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// `text` must be a constant.
void record_outcome(Record *record, const char *text);
void record_number(Record *record, RecordedList list, uint64_t number);
// The answer of a mechanism's hook; prints it too.
void record_answer(Record *record, const char *mechanism, const char *hook, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
