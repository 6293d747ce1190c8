// Adds up a result's counters of static instructions by lines of source files.
#ifndef HEDDLE_CLI_RESULTS_ANNOTATE_H
#define HEDDLE_CLI_RESULTS_ANNOTATE_H

#include "base/fail.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

// How warps spent the cycles of a line. Waits for memory belong to the load or atomic that was
// waited for, all others to the instruction that waited.
typedef enum CycleReason {
    REASON_READY,
    REASON_TABLE, // for an entry of the table of waves
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

typedef struct AllocationWait {
    const char *name; // owned by the JSON
    uint64_t cycles;
} AllocationWait;

typedef struct Line {
    uint64_t cycles[REASONS];  // of warps
    uint64_t issued, lanes;    // of its instructions
    uint64_t memory, requests; // instructions that made requests, and their requests
    AllocationWait *allocations;
    size_t allocation_count, allocation_capacity;
} Line;

typedef struct SourceFile {
    char *path; // as given, else as the result names the file
    char *text; // line i is rows[i]; lines count from 0 here
    char **rows;
    Line *lines;
    size_t count;
    bool ptx; // lines are those of the PTX
} SourceFile;

typedef struct Annotation {
    SourceFile *files;
    size_t file_count, file_capacity;
    Line rest, all; // of instructions of no line of these files; of all instructions
} Annotation;

typedef struct AnnotationRequest {
    const json_t *pcs;        // of a result or of one of its launches
    const char *result;       // the result's name, for messages
    const char *const *paths; // source files; none: all that `pcs` names
    size_t path_count;
    const char *const *folders; // searched for a named file that is not at its path;
                                // NULL-terminated, or NULL
} AnnotationRequest;

// Adds up the counters of `pcs` by lines of the source files. Free in any case.
bool annotate(Annotation *annotation, const AnnotationRequest *request, HdError *err);
void annotation_free(Annotation *annotation);

uint64_t line_cycles(const Line *line);

#endif
