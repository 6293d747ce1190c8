// A bench for kernels written as PTX text: a GPU from a machine file with settings, buffers,
// launches and their counters. A step that fails where it must succeed fails the running test.
#ifndef TESTS_SUPPORT_BENCH_H
#define TESTS_SUPPORT_BENCH_H

#include "support/scratch.h"

#include "gpu/launch_result.h"
#include "gpu/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The directives at the start of a module, on one line: the kernel begins on line 2.
#define PTX_HEAD ".version 7.5 .target sm_35 .address_size 64\n"

typedef struct Bench {
    Gpu *gpu;
    const Machine *machine; // owned by gpu
    PtxModule *module;      // the module loaded last; owned by gpu
    HdError err;            // of the last launch that failed
} Bench;

// One launch. A grid or block dimension of 0 means 1.
typedef struct BenchLaunch {
    const char *kernel;
    uint32_t grid[3], block[3];
    uint64_t shared;  // dynamic, bytes
    uint64_t args[8]; // in the order of the kernel's parameters, each at most 8 bytes
    GpuStream *stream; // NULL: the default stream
    bool in_graph;
} BenchLaunch;

// Makes a GPU from machines/NAME.yaml. `settings` is a NULL-terminated list of "section.key=value".
// settings and options may be NULL. `ptx` is loaded unless it is NULL.
Bench *bench_new(const char *name, const char *const *settings, const GpuOptions *options,
                 const char *ptx);
void bench_free(Bench *bench);
void bench_load(Bench *bench, const char *ptx);

// Returns the text of a .ptx file in tests/, e.g. "gpu/mix.ptx". It is valid until the next call.
const char *bench_ptx(const char *path);

// Reads only the machine file, with these settings. Free it with config_free.
Config *bench_config(const char *name, const char *const *settings);
// Makes only the machine.
Machine bench_machine(const char *name, const char *const *settings);

// The mechanism of this name among those of a test, as plan_read asks for it.
const HdMechanism *bench_mechanism(const HdMechanism *all, size_t count, const char *name,
                                   void **library, HdError *err);

// Makes a GPU with mechanisms as --mechanism names them. The plan outlives the bench; plan_free.
Bench *bench_with(HookPlan *plan, const char *mechanisms, MechanismFinder *finder,
                  const char *name, const char *const *settings, GpuOptions options,
                  const char *ptx);

// Allocates a buffer with a copy of `from`, or zeros if `from` is NULL.
uint64_t bench_array(Bench *bench, const char *name, const void *from, uint64_t bytes);
void bench_read(Bench *bench, void *to, uint64_t address, uint64_t bytes);
// Element `index` of an array of 32-bit words; of 64-bit words.
uint32_t bench_word(Bench *bench, uint64_t address, size_t index);
uint64_t bench_long(Bench *bench, uint64_t address, size_t index);

// Runs a launch that must succeed, and checks the invariants. The result belongs to the Gpu and is
// valid until the next launch; NULL with GpuOptions.only_totals.
const LaunchResult *bench_run(Bench *bench, const BenchLaunch *launch);
// Runs a launch that must fail, and returns the error message.
const char *bench_fail(Bench *bench, const BenchLaunch *launch);

// Returns the counters of the only instruction of the last module whose text contains `text`.
PcCounters bench_at(const Bench *bench, const LaunchResult *record, const char *text);
// Returns the timing properties of that instruction.
const UOpTiming *bench_timing(const Bench *bench, const char *text);

// Collects text that the Gpu writes, e.g. a trace. bench_put implements GpuTrace.put; its context
// is a zeroed BenchText.
typedef struct BenchText {
    char all[1 << 16];
    size_t length;
} BenchText;
void bench_put(void *text, const char *more, size_t length);

// Returns `text` repeated `count` times. The caller frees it.
char *bench_repeat(const char *text, unsigned count);

#endif
