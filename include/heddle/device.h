// A GPU as a host program sees it: allocate, copy, load a module, launch, synchronise.
//
// The same host program runs on every backend; `sim` is the simulated GPU of a machine file, `cuda`
// a real one.
//
//     HdError err = {0};
//     HdDevice *device = hd_device_simulate(&(HdSimulation){.machine = "fermi-gtx480"}, &err);
//     HdAddress data = hd_allocate(device, 4096, "data", &err);
//     hd_load_file(device, "mykernel.ptx", &err);
//     hd_launch(device, &(HdLaunch){.kernel = "scale", .grid = {4, 1, 1}, .block = {256, 1, 1},
//                                   .args = (HdArg[]){hd_buffer(data), hd_i32(1024)},
//                                   .arg_count = 2}, &err);
//     hd_read(device, host, data, 4096, &err);
//
// Functions that return bool or an address return false or 0 on failure, with the reason in err.
// A device is used by one host thread at a time.
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include "heddle/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HdDevice HdDevice;
typedef uint64_t HdAddress; // of device memory; 0 is none

// ---- opening ----

// A simulated GPU. Zero-initialise for the defaults; the texts need to live only for the call,
// the contexts as long as the device.
typedef struct HdSimulation {
    const char *machine; // name or path of a machine file; NULL: every parameter at its default
    const char *const *directories; // where names are looked up; NULL-terminated, NULL: nowhere
    const char *const *set;         // "section.key=value" on top of it, or "optional=NAME,NAME":
                                    // sections that may be missing; NULL-terminated, or NULL
    const char *const *registers;   // "kernel=N" registers per thread instead of the counted ones;
                                    // NULL-terminated, or NULL
    const char *mechanisms; // as in --mechanism; NULL: none
    uint64_t seed;       // of everything random
    bool functional;     // computes launches without time
    uint64_t detail_first,
        detail_last;     // simulates only these launches (the first is 1) in time; the
                         // ones before them are computed and warm the caches; 0: no bound
    uint64_t max_cycles; // a launch that takes more core cycles fails; 0: no limit
    uint64_t max_instructions; // ... the launch in which all have issued more warp instructions
    const volatile sig_atomic_t *stop; // a launch fails soon after this is not 0 (a signal handler
                                       // may set it); NULL, or as long-lived as the device
    bool only_totals;    // keep no record of each launch, only sums: for programs with very many
    unsigned threads;    // of the host; 0: as many as it has CPUs. The result is the same
    bool no_skip;        // run every cycle (a check: the result must not change)
    uint64_t shuffle;    // not 0: run the SMs in a drawn order (a check as well)
    // Called at most a few times per second during a launch; may be NULL.
    void (*progress)(void *context, uint64_t cycle, uint64_t blocks_done, uint64_t blocks);
    void *progress_context;
    bool granules; // memory as CUDA's driver gives it out, in granules of 2 MiB; an access that
                   // leaves its array, but not the granule, is not a fault
    bool strict;   // ... it is one
    // Get what kernels print (printf), and the messages of their assertions, in the order of
    // simulated time. NULL: they go to stdout and stderr.
    void (*print)(void *context, const char *text, size_t length);
    void (*print_error)(void *context, const char *text, size_t length);
    void *print_context;
} HdSimulation;

// Opens a simulated GPU. NULL and err (file:line:column) where the machine cannot be.
HdDevice *hd_device_simulate(const HdSimulation *options, HdError *err);
// A real GPU. Zero-initialise for the defaults.
typedef struct HdCuda {
    unsigned ordinal; // which of those that the driver shows; the first is 0
    bool repeatable;  // what the host does is kept, so that it can be done again (device/cuda.h);
                      // memory is then freed only with the device
    const volatile sig_atomic_t *stop; // as in HdSimulation
} HdCuda;

// Opens a real GPU through its driver, which is looked for now. NULL and err, one line, where it
// is not there.
HdDevice *hd_device_cuda(const HdCuda *options, HdError *err);
// Ends a device with everything on it. NULL is allowed.
void hd_device_close(HdDevice *device);

// Lanes of a warp.
unsigned hd_device_warp_width(const HdDevice *device);

// ---- memory ----

// `bytes` zeroed bytes. `name` is the array's name in every statistic and fault message.
HdAddress hd_allocate(HdDevice *device, uint64_t bytes, const char *name, HdError *err);
bool hd_release(HdDevice *device, HdAddress address, HdError *err);
bool hd_write(HdDevice *device, HdAddress to, const void *from, uint64_t bytes, HdError *err);
bool hd_read(HdDevice *device, void *to, HdAddress from, uint64_t bytes, HdError *err);
bool hd_fill(HdDevice *device, HdAddress to, int byte, uint64_t bytes, HdError *err);

// ---- kernels ----

// Adds the kernels of a PTX text (zero-terminated); `path` names it in messages.
bool hd_load(HdDevice *device, const char *text, const char *path, HdError *err);
bool hd_load_file(HdDevice *device, const char *path, HdError *err);

typedef enum HdArgKind {
    HD_ARG_BUFFER, // an address of device memory
    HD_ARG_I32, HD_ARG_U32, HD_ARG_I64, HD_ARG_U64, HD_ARG_F32, HD_ARG_F64,
    HD_ARG_KINDS
} HdArgKind;

// One argument of a kernel; made by the functions below.
typedef struct HdArg {
    HdArgKind kind;
    union {
        HdAddress buffer;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
    } value;
} HdArg;

static inline HdArg hd_buffer(HdAddress v) { return (HdArg){HD_ARG_BUFFER, {.buffer = v}}; }
static inline HdArg hd_i32(int32_t v) { return (HdArg){HD_ARG_I32, {.i32 = v}}; }
static inline HdArg hd_u32(uint32_t v) { return (HdArg){HD_ARG_U32, {.u32 = v}}; }
static inline HdArg hd_i64(int64_t v) { return (HdArg){HD_ARG_I64, {.i64 = v}}; }
static inline HdArg hd_u64(uint64_t v) { return (HdArg){HD_ARG_U64, {.u64 = v}}; }
static inline HdArg hd_f32(float v) { return (HdArg){HD_ARG_F32, {.f32 = v}}; }
static inline HdArg hd_f64(double v) { return (HdArg){HD_ARG_F64, {.f64 = v}}; }

// "buf", "i32", ...: also the words of `heddle run --arg`.
const char *hd_arg_kind_name(HdArgKind kind);
// Bytes that an argument of the kind takes in a kernel's parameter block.
unsigned hd_arg_bytes(HdArgKind kind);

typedef struct HdLaunch {
    const char *kernel; // exact name, or its base name without the C++ mangling
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared; // bytes per block
    const HdArg *args;
    size_t arg_count;
} HdLaunch;

// Launches a kernel behind everything launched before. Checks the arguments against the kernel's
// parameters. A fault of the kernel may be reported here or by hd_synchronise.
bool hd_launch(HdDevice *device, const HdLaunch *launch, HdError *err);

// Waits until everything launched has ended. hd_read and hd_write do so by themselves.
bool hd_synchronise(HdDevice *device, HdError *err);

// Launches so far.
size_t hd_launch_count(const HdDevice *device);

#endif
