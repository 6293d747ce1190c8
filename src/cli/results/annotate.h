// A result's counters of static instructions, added up by the lines of source files.
#ifndef HEDDLE_CLI_RESULTS_ANNOTATE_H
#define HEDDLE_CLI_RESULTS_ANNOTATE_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

// What the warps did in the cycles of a line: waits for memory stand with the instruction that was
// waited for, everything else with the one that waited.
typedef enum CycleReason {
    REASON_READY,
    REASON_DEPENDENCY,
    REASON_L1,
    REASON_L2,
    REASON_DRAM,
    REASON_SHARED,
    REASON_FETCH,
    REASON_BARRIER,
    REASON_END,
    REASONS
} CycleReason;

typedef struct ArrayWait {
    const char *name; // owned by the JSON
    uint64_t cycles;
} ArrayWait;

typedef struct Line {
    uint64_t cycles[REASONS];  // of warps
    uint64_t issued, lanes;    // of its instructions
    uint64_t memory, requests; // instructions that made requests, and these
    ArrayWait *arrays;
    size_t array_count, array_capacity;
} Line;

typedef struct SourceFile {
    char *path; // as it was given or, where none was, as the result has it
    char *text; // line i is rows[i]; lines count from 0 here
    char **rows;
    Line *lines;
    size_t count;
    bool ptx; // its lines are those of PTX
} SourceFile;

typedef struct Annotation {
    SourceFile *files;
    size_t file_count, file_capacity;
    Line rest, all; // instructions of no line of these files; everything
} Annotation;

// Adds `pcs` (of a result or one of its launches) up by the lines of the files at `paths`, or of
// all that it names where there are none. `name` is the result's, for messages. Free in any case.
bool annotate(Annotation *annotation, const json_t *pcs, const char *name, const char *const *paths,
              size_t path_count, HdError *err);
void annotation_free(Annotation *annotation);

uint64_t line_cycles(const Line *line);

#endif
