// The state of a run of a script. Shared by harness.c (the run), commands.c (what commands do),
// expectations.c and summary.c.
#ifndef HEDDLE_HARNESS_HARNESS_STATE_H
#define HEDDLE_HARNESS_HARNESS_STATE_H

#include "config/config.h"
#include "harness/driver.h"
#include "harness/harness.h"
#include "harness/observer.h"

typedef struct Harness {
    const Script *script;
    const char *mechanisms; // as given
    Record record;
    HookPlan plan;
    ObservedMechanism *observed;
    Config *config;
    Cache *cache;
    CacheHooks *hooks;
    CacheHooks *gpu;              // the mechanisms' place of the GPU; NULL: none has one
    Driver driver;
    uint64_t *variables, *passes; // by variable; by command: passes of a repeat that are left
    const char *kernel;           // that runs; NULL: none
    bool kernels;                 // the script begins its kernels itself
    HdWarp warps[HD_MAX_WARPS];   // that have started, the oldest first
    unsigned warp_count;
    uint64_t age;                 // of the next warp
    uint64_t issued, issued_of[HD_MAX_WARPS]; // warp instructions, of the SM and by warp slot
    int last_line;                // of the last command but expect
} Harness;

// ---- values of a command (commands.c) ----

// The number of an operand. false and err: it cannot be computed, or exceeds max.
bool harness_operand(const Harness *h, const ScriptCommand *command, size_t index, uint64_t max,
                     uint64_t *value, HdError *err);

// Executes a command that is no repeat, end or expectation.
bool harness_command(Harness *h, const ScriptCommand *command, HdError *err);
// Ends the kernel that runs, if there is one.
void harness_end_kernel(Harness *h);

// ---- expectations.c ----

HarnessResult harness_expect(const Harness *h, const ScriptCommand *command, HdError *err);

// ---- summary.c ----

// Calls visit for each counter, with its whole name, until it returns false.
typedef bool VisitCounter(void *context, const char *name, uint64_t value);
void harness_each_counter(const Harness *h, VisitCounter *visit, void *context);
// Prints counters and storage.
void harness_print_summary(const Harness *h);

#endif
