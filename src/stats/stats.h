// Counters are data: a struct of uint64_t fields, and a table with the name, unit and description
// of each field. The report, the JSON and the documentation are made from these tables.
#ifndef HEDDLE_STATS_STATS_H
#define HEDDLE_STATS_STATS_H

#include "base/fail.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

// A row per counter: its JSON key, unit ("cycles", "requests", "bytes", ...) and a sentence.
typedef struct StatRow {
    const char *name, *unit, *doc;
} StatRow;

// A counter struct and its table come from one list,
//     #define X_COUNTERS(C) C(hits, "requests", "Requests that found their line.") ...
// as
//     typedef struct XCounters { X_COUNTERS(STAT_FIELD) } XCounters;
//     STAT_TABLE(x_table, XCounters, X_COUNTERS);   // in one .c file
#define STAT_FIELD(name, unit, doc) uint64_t name;

// Counters by a reason, a kind or a level are rows of their own and one array that it indexes. With
//     #define X_STALLS(C) C(stall_port, "cycles", "...") C(stall_queue, "cycles", "...")
// in the order of the index, the row
//     C##_ARRAY(stalls, X_STALL_REASONS, X_STALLS)
// of X_COUNTERS declares both x.stall_port, x.stall_queue and x.stalls[X_STALL_REASONS].
#define STAT_FIELD_ARRAY(array, elements, ROWS)                                                    \
    union {                                                                                        \
        struct { ROWS(STAT_FIELD) };                                                               \
        uint64_t array[elements];                                                                  \
        _Static_assert(sizeof(struct { ROWS(STAT_FIELD) }) == (elements) * sizeof(uint64_t),       \
                       "an array of counters has a row for each element");                         \
    };

// A table of counters, for adding, subtracting and printing such a struct.
typedef struct StatTable {
    const StatRow *rows;
    size_t count; // rows; the struct is exactly count * sizeof(uint64_t) bytes
} StatTable;

// Defines `const StatTable table` for `type` from LIST. Use in one .c file; declare it extern.
// (The order of the rows is the order of the fields, so the offset is the row number.)
#define STAT_ROW_(name, unit, doc) {#name, unit, doc},
#define STAT_ROW__ARRAY(array, elements, ROWS) ROWS(STAT_ROW_)
#define STAT_TABLE(table, type, LIST)                                                              \
    static const StatRow table##_rows[] = {LIST(STAT_ROW_)};                                       \
    _Static_assert(sizeof(type) == sizeof table##_rows / sizeof *table##_rows * sizeof(uint64_t),  \
                   "a counter struct holds nothing but its counters");                             \
    const StatTable table = {table##_rows, sizeof table##_rows / sizeof *table##_rows}

// into[i] += from[i] and into[i] -= from[i] over all counters of the table.
void stats_add(const StatTable *table, void *into, const void *from);
void stats_subtract(const StatTable *table, void *into, const void *from);
// into[i] += from[i], and from[i] = 0, over all counters of the table.
void stats_move(const StatTable *table, void *into, void *from);

// A JSON object with one integer per counter, in table order. NULL if out of memory.
json_t *stats_json(const StatTable *table, const void *counters);

// Puts one integer per counter into `object`. false if out of memory.
bool stats_put(const StatTable *table, const void *counters, json_t *object);

// The JSON text of a value, indented, with keys in the order of insertion; owned by the caller.
// NULL if out of memory. It is written piece by piece, for which json_dumps takes longer.
char *stats_json_text(const json_t *value);
// Writes it with a trailing newline to `path` with file_write.
bool stats_write_json(const char *path, const json_t *value, HdError *err);
// The same for the text of a value, which is freed. NULL: the host was out of memory for it.
bool stats_write_text(const char *path, char *text, HdError *err);

#endif
