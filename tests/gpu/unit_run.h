// A GPU with mechanisms that have units, for kernels that have their instructions.
#ifndef HEDDLE_TESTS_GPU_UNIT_RUN_H
#define HEDDLE_TESTS_GPU_UNIT_RUN_H

#include "support/bench.h"

#include "hooks/unit_instructions.h"

typedef struct UnitRun {
    HookPlan plan;
    UnitInstructions units;
    Bench *bench;
    uint64_t out; // an array of words
} UnitRun;

// options: its mechanisms and units are set. known: mechanisms whose instructions it knows, too;
// setting: one beside gpu.sms=1, or NULL; words: of the array.
static inline UnitRun *unit_run_new(const char *mechanisms, MechanismFinder *find,
                                    const HdMechanism *const *known, GpuOptions options,
                                    const char *setting, const char *ptx, size_t words)
{
    const char *settings[] = {"gpu.sms=1", setting, NULL};
    UnitRun *run = calloc(1, sizeof *run);
    HdError err = {0};
    assert_non_null(run);
    if (!plan_read(&run->plan, mechanisms, find, &err) ||
        !unit_instructions_list(&run->units, &run->plan, known, &err))
        fail_msg("%s", err.text);
    options.mechanisms = &run->plan;
    options.units = &run->units;
    run->bench = bench_new("fermi-gtx480", settings, &options, ptx);
    run->out = bench_array(run->bench, "out", NULL, words * sizeof(uint32_t));
    return run;
}

static inline void unit_run_free(UnitRun *run)
{
    bench_free(run->bench);
    unit_instructions_free(&run->units);
    plan_free(&run->plan);
    free(run);
}

#endif
