// A GPU with mechanisms that have engines, for kernels that have their instructions.
#ifndef HEDDLE_TESTS_GPU_ENGINE_RUN_H
#define HEDDLE_TESTS_GPU_ENGINE_RUN_H

#include "support/bench.h"

#include "hooks/engine_instructions.h"

typedef struct EngineRun {
    HookPlan plan;
    EngineInstructions engines;
    Bench *bench;
    uint64_t out; // an array of words
} EngineRun;

// options: its mechanisms and engines are set. known: mechanisms whose instructions it knows, too;
// setting: one beside gpu.sms=1, or NULL; words: of the array.
static inline EngineRun *engine_run_new(const char *mechanisms, MechanismFinder *find,
                                        const HdMechanism *const *known, GpuOptions options,
                                        const char *setting, const char *ptx, size_t words)
{
    const char *settings[] = {"gpu.sms=1", setting, NULL};
    EngineRun *run = calloc(1, sizeof *run);
    HdError err = {0};
    assert_non_null(run);
    if (!plan_read(&run->plan, mechanisms, find, &err) ||
        !engine_instructions_list(&run->engines, &run->plan, known, &err))
        fail_msg("%s", err.text);
    options.mechanisms = &run->plan;
    options.engines = &run->engines;
    run->bench = bench_new("fermi-gtx480", settings, &options, ptx);
    run->out = bench_array(run->bench, "out", NULL, words * sizeof(uint32_t));
    return run;
}

static inline void engine_run_free(EngineRun *run)
{
    bench_free(run->bench);
    engine_instructions_free(&run->engines);
    plan_free(&run->plan);
    free(run);
}

#endif
