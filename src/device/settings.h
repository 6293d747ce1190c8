// What the user asks of the simulator where there is no command line: environment variables, and
// the file heddle.yaml in the working directory for what these do not say.
#ifndef HEDDLE_DEVICE_SETTINGS_H
#define HEDDLE_DEVICE_SETTINGS_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

// The machine of a CUDA program where nothing else is asked for.
#define SETTINGS_MACHINE "volta-v100"

// The variable with which heddle cuda tells the processes of a run when it began, in seconds and
// nanoseconds with a dot between them: files that are younger are the run's own.
#define SETTINGS_RUN "HEDDLE_RUN"

typedef struct Settings {
    const char *machine;    // HEDDLE_MACHINE, `machine`: as in --machine
    const char *mechanisms; // HEDDLE_MECHANISM, `mechanism`: as in --mechanism; NULL: none
    const char *out;        // HEDDLE_OUT, `out`: file for the result as JSON; NULL: none
    const char *report;     // HEDDLE_REPORT, `report`: file for the report, "none"; NULL: stderr
    const char **set;       // HEDDLE_SET, "key=value;key=value", behind what is below `set`;
                            // NULL-terminated
    uint64_t seed;          // HEDDLE_SEED, `seed`
    uint64_t threads;       // HEDDLE_THREADS, `threads`; 0: one per CPU
    uint64_t max_cycles;    // HEDDLE_MAX_CYCLES, `max_cycles`: of one launch; 0: no limit
    bool functional;        // HEDDLE_FUNCTIONAL, `functional`: no time is simulated
    uint64_t skip_kernels;  // HEDDLE_SKIP_KERNELS, `skip_kernels`: the first launches, which take
                            // no time and warm the caches
    struct {
        uint64_t first, last; // HEDDLE_DETAIL_KERNELS, `detail_kernels`: those simulated in time,
    } detail;                 // as in --detail-kernels; 0: no bound
    bool strict;            // HEDDLE_STRICT, `strict`: any access past an allocation is a fault
    size_t set_count, set_capacity;
    HdArena texts;          // where those of all above lie
} Settings;

// false and err (variable, or file:line:column) where a value is wrong; settings_free also then.
bool settings_read(Settings *settings, HdError *err);
void settings_free(Settings *settings);

#endif
