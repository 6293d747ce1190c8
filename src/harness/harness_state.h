// The state of a run of a script. Shared by harness.c (the run), commands.c and
// pipeline_commands.c (what commands do), expectations.c and summary.c.
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
    uint8_t waits[HD_MAX_WARPS];  // by slot: HdWarpWait
    bool has_room[HD_MAX_WARPS];  // by slot of a ready warp: its port has room
    uint16_t last[HD_MAX_WARPS];  // by scheduler: the warp of its last turn
    uint64_t age;                 // of the next warp
    uint64_t issued, issued_of[HD_MAX_WARPS]; // warp instructions, of the SM and by warp slot
    int last_line;                // of the last command but expect
} Harness;

// ---- values of a command (commands.c) ----

// The number of an operand. false and err: it cannot be computed, or exceeds max.
bool harness_operand(const Harness *h, const ScriptCommand *command, size_t index, uint64_t max,
                     uint64_t *value, HdError *err);

// The value of an option, or `otherwise`. Of a choice: its index. false and err: as above; the
// value is then 0.
bool command_option(const Harness *h, const ScriptCommand *command, ScriptOptionName name,
                    uint64_t otherwise, uint64_t *value, HdError *err);
// The word of an option, for a message.
const ScriptWord *command_word(const ScriptCommand *command, ScriptOptionName name);

// Fails with the word or the command, and what was expected. Return false.
bool word_fail(const ScriptWord *word, HdError *err, const char *expected);
bool command_fail(const ScriptCommand *command, HdError *err, const char *expected);
// Whether the SM has this slot, which an operand or option gives.
bool word_check_slot(const ScriptWord *word, uint64_t slot, size_t count, HdError *err);

// The kernel of this name: one block of one warp.
HdKernel harness_kernel(const Harness *h, const char *name);
// An event needs a kernel that runs. false and err: there is none.
bool command_needs_kernel(Harness *h, const ScriptCommand *command, HdError *err);

// Executes a command that is no repeat, end or expectation.
bool harness_command(Harness *h, const ScriptCommand *command, HdError *err);
// Executes a command about the pipeline of an SM, at an L1 (pipeline_commands.c).
bool harness_pipeline_command(Harness *h, const ScriptCommand *command, HdError *err);
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
