// Runs of one program with several mechanisms: jobs, whose results a store keeps (study/jobs.h).
#ifndef HEDDLE_CLI_COMPARE_VARIANTS_H
#define HEDDLE_CLI_COMPARE_VARIANTS_H

#include "base/fail.h"
#include "cli/common/text_list.h"
#include "study/jobs.h"
#include "study/provenance.h"

#include <jansson.h>
#include <stdbool.h>

#define DEFAULT_STORE "heddle-compare.db" // without --store

typedef struct Variant {
    const char *mechanisms; // as in --mechanism
    bool ranged;            // a value of a range alone: one that cannot run fails by itself
    Job *job;               // after variants_prepare
    json_t *file;           // JOB_DONE: the JSON of heddle run
    const char **words;     // of the job
    json_t *computed_from;  // of the job
} Variant;

typedef struct Variants {
    TextList run;           // words of `heddle run` but for mechanisms, threads and output
    const char *threads;    // of each run
    bool share_names;       // `run` names parameters of the variants' shared objects
    char *optional;         // "optional=NAMES": sections that a run may lack; NULL: none
    const char *added[5];   // of the jobs
    RunInputs inputs;       // what the words name
    json_t *common;         // what all variants are computed from (study/provenance.h)
    Variant *items;
    size_t count, capacity;
    bool waited;            // that another process is waited for was said
    Jobs jobs;              // one for each variant; the caller sets store, at_a_time and stop
} Variants;

// Adds a variant, whose text outlives it, unless there is one of this text. ranged: as in Variant.
// *index: of the variant. false: out of memory.
bool variants_add(Variants *variants, const char *mechanisms, bool ranged, size_t *index);
// Makes the jobs of the variants, to which none is added later, and finds those that the store has.
// false and err: the store cannot be read.
bool variants_prepare(Variants *variants, HdError *err);
// Checks the variants without a result before the first run; simulates and writes nothing. A value
// of a range that cannot run is a failed variant. *refused: another one cannot run, or none can;
// stderr has the reasons. false and err: they cannot be checked.
bool variants_check(Variants *variants, bool *refused, HdError *err);
// Runs the variants without a result, as jobs_run. Where stderr is no terminal, it gets a line for
// each variant that ends.
bool variants_run(Variants *variants, HdError *err);
static inline size_t variants_count(const Variants *variants, JobState state)
{
    return jobs_count(&variants->jobs, state);
}
static inline bool variant_is_done(const Variant *variant)
{
    return variant->job->state == JOB_DONE;
}
void variants_free(Variants *variants);

#endif
