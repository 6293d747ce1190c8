// What the user asks of the simulator, and the table of options that ask for it: on the command
// lines of heddle, in environment variables (HEDDLE_...) and in the file heddle.yaml.
#ifndef HEDDLE_DEVICE_SIMULATION_SETTINGS_H
#define HEDDLE_DEVICE_SIMULATION_SETTINGS_H

#include "base/option.h"
#include "heddle/device.h"

// The machine of a CUDA program by default.
#define SETTINGS_MACHINE "volta-v100"

// The variable in which heddle cuda passes the start of a run to the run's processes, in seconds
// and nanoseconds with a dot between: younger files are the run's own.
#define SETTINGS_RUN "HEDDLE_RUN"

typedef struct Settings {
    HdSimulation simulation;
    const char *out;    // file for the result as JSON; NULL: none
    const char *store;  // the store that the result is added to; NULL: none
    const char *report; // file for the report of a CUDA program, or "none"; NULL: stderr
    bool per_kernel;    // the result has every launch in full
    bool quiet;         // no report, no progress line
    HdArena arena;      // owns the texts and lists of all above
} Settings;

// Option.commands: the commands that take an option.
enum {
    OF_RUN = 1, OF_COMPARE = 2, OF_TRACE = 4, OF_DEMO = 8, OF_ADVISE = 16, OF_MACHINE = 32,
    OF_CUDA = 64, // heddle cuda, HEDDLE_... and heddle.yaml
    OF_RUNS = OF_RUN | OF_COMPARE | OF_TRACE,
};

// Option.when: when an option has an effect.
enum {
    WHEN_SIMULATED = 1, // not with --backend cuda
    WHEN_COUNTED = 2,   // with --backend cuda only for the simulation of --counts
    WHEN_TIMED = 4,     // not with --functional
    WHEN_WORKLOAD = 8,  // a workload is run
    WHEN_GRAPH = 16,    // a workload on a graph is run
    WHEN_KERNEL = 32,   // one kernel of a PTX file is run
    WHEN_REAL = 64,     // only with --backend cuda
};

// Targets are in Settings.
extern const Option simulation_options[];

// Reads heddle.yaml of the working directory, if it exists, then the environment, which takes
// precedence. false and err (variable, or file:line:column) where a value is wrong; settings_free
// also then.
bool settings_read(Settings *settings, HdError *err);
void settings_free(Settings *settings);

// The part of settings_read that reads heddle.yaml, and its text. Neither takes files to write or
// shared objects to load from it.
bool settings_read_file(Settings *settings, HdError *err);
bool settings_read_text(Settings *settings, const char *text, size_t size, HdError *err);

#endif
