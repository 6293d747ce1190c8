// A small bench for kernels written as PTX text: a GPU from a machine file with settings, arrays,
// launches, and what they counted. A step that must work and does not fails the running test.
#ifndef TESTS_SUPPORT_BENCH_H
#define TESTS_SUPPORT_BENCH_H

#include "support/scratch.h"

#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The head of a module, on one line, so that a kernel begins on line 2.
#define PTX_HEAD ".version 7.5 .target sm_35 .address_size 64\n"

typedef struct Bench {
    Gpu *gpu;
    const Machine *machine; // owned by gpu
    PtxModule *module;      // the module that was loaded last; owned by gpu
    HdError err;            // of the last launch that failed
} Bench;

// One launch. A grid or block dimension of 0 stands for 1.
typedef struct BenchLaunch {
    const char *kernel;
    uint32_t grid[3], block[3];
    uint64_t shared;  // dynamic, bytes
    uint64_t args[8]; // in the order of the kernel's parameters, each of 8 bytes at most
} BenchLaunch;

// A GPU of machines/NAME.yaml. `settings`: "section.key=value" texts that end with NULL. settings
// and options may be NULL. `ptx` is loaded unless it is NULL.
Bench *bench_new(const char *name, const char *const *settings, const GpuOptions *options,
                 const char *ptx);
void bench_free(Bench *bench);
void bench_load(Bench *bench, const char *ptx);

// The text of a .ptx file in tests/, e.g. "gpu/mix.ptx"; valid until the next call.
const char *bench_ptx(const char *path);

// The machine alone, with these settings.
Machine bench_machine(const char *name, const char *const *settings);

// A new array, holding what `from` holds, or zeros where it is NULL.
uint64_t bench_array(Bench *bench, const char *name, const void *from, uint64_t bytes);
void bench_read(Bench *bench, void *to, uint64_t address, uint64_t bytes);
// Element `index` of an array of 32-bit words; of 64-bit words.
uint32_t bench_word(Bench *bench, uint64_t address, size_t index);
uint64_t bench_long(Bench *bench, uint64_t address, size_t index);

// Runs a launch that must succeed, and checks the invariants. The record belongs to the Gpu and is
// valid until the next launch; NULL with GpuOptions.only_totals.
const LaunchResult *bench_run(Bench *bench, const BenchLaunch *launch);
// Runs a launch that must fail; returns the message.
const char *bench_fail(Bench *bench, const BenchLaunch *launch);

// The counters of the only instruction of the last module whose text contains `text`.
PcCounters bench_at(const Bench *bench, const LaunchResult *record, const char *text);
// The timing facts of that instruction.
const UOpTiming *bench_timing(const Bench *bench, const char *text);

// Collects text that the Gpu writes, e.g. a trace: bench_put is GpuTrace.put, and its context is a
// BenchText, all zeros at first.
typedef struct BenchText {
    char all[1 << 16];
    size_t length;
} BenchText;
void bench_put(void *text, const char *more, size_t length);

// `text` `count` times; the caller frees it.
char *bench_repeat(const char *text, unsigned count);

#endif
