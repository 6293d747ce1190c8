// The host's view of a GPU: allocate, copy, load a module, launch, synchronise.
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
typedef uint64_t HdAddress; // in device memory; 0: no address

// ---- opening ----

// Options of a simulated GPU. Zero-initialise for the defaults. Strings are copied during the call;
// contexts must live as long as the device.
typedef struct HdSimulation {
    const char *machine; // name or path of a machine file; NULL: every parameter at its default
    const char *const *directories; // searched for machine names; NULL-terminated; NULL: none
    const char *const *set;         // overrides "section.key=value", or "optional=NAME,NAME" for
                                    // sections that may be missing; NULL-terminated, or NULL
    const char *const *set_origins; // where each override comes from, for messages;
                                    // NULL-terminated; where it ends, or NULL: "--set"
    const char *const *registers;   // "kernel=N": registers per thread, replacing the count
                                    // taken from PTX; NULL-terminated, or NULL
    const char *mechanisms; // as in --mechanism; NULL: none
    uint64_t seed;       // of all random numbers
    bool functional;     // executes launches functionally, without timing
    uint64_t detail_first,
        detail_last;     // simulates only these launches with timing (the first is 1);
                         // earlier launches run functionally and warm the caches; 0: no
                         // bound
    uint64_t max_cycles; // a launch that takes more core cycles fails; 0: no limit
    uint64_t max_instructions; // fails the launch in which the total of issued warp instructions
                               // exceeds this; 0: no limit
    uint64_t max_thread_instructions; // of the launches with timing, which then ends: the rest of
                                      // the program runs functionally; 0: no limit
    uint64_t max_memory; // bytes of the host that the guest's memory may take: a launch fails that
                         // writes to more pages, and a copy; 0: what the host has left
    const volatile sig_atomic_t *stop; // a launch fails soon after this becomes nonzero (a signal
                                       // handler may set it); NULL, or valid as long as the device
    bool only_totals;    // keeps only sums, no per-launch results: for programs with many launches
    unsigned threads;    // host threads; 0: one per CPU. Results do not depend on it
    bool no_skip;        // simulates idle cycles one by one; a check: results must not change
    uint64_t shuffle;    // nonzero: steps the SMs in random order; a check: results must not change
    // Called at most a few times per second during a launch; may be NULL.
    void (*progress)(void *context, uint64_t cycle, uint64_t blocks_done, uint64_t blocks);
    void *progress_context;
    bool granules; // allocates memory as CUDA's driver does, in granules of 2 MiB; an access
                   // outside an allocation but inside its granule does not fault
    bool strict;   // with `granules`, such an access faults; a shuffle from an inactive lane is
                   // reported
    // Receive the output of device printf and of failed device assertions, in the order of
    // simulated time. NULL: stdout and stderr.
    void (*print)(void *context, const char *text, size_t length);
    void (*print_error)(void *context, const char *text, size_t length);
    void *print_context;
} HdSimulation;

// Opens a simulated GPU. On failure returns NULL; err gives file:line:column of an invalid machine.
HdDevice *hd_device_simulate(const HdSimulation *options, HdError *err);
// Options of a real GPU. Zero-initialise for the defaults.
typedef struct HdCuda {
    unsigned ordinal; // index in the driver's order; the first is 0
    bool repeatable;  // records the host's calls, so that they can be replayed; memory is then
                      // freed only with the device
    const volatile sig_atomic_t *stop; // as in HdSimulation
} HdCuda;

// Opens a real GPU. Loads the CUDA driver at this call. On failure returns NULL; err is one line.
HdDevice *hd_device_cuda(const HdCuda *options, HdError *err);
// Closes a device and frees everything on it. NULL is allowed.
void hd_device_close(HdDevice *device);

// Lanes of a warp.
unsigned hd_device_warp_width(const HdDevice *device);

// ---- memory ----

// Allocates `bytes` zeroed bytes. `name` identifies the allocation in statistics and fault
// messages.
HdAddress hd_allocate(HdDevice *device, uint64_t bytes, const char *name, HdError *err);
bool hd_release(HdDevice *device, HdAddress address, HdError *err);
bool hd_write(HdDevice *device, HdAddress to, const void *from, uint64_t bytes, HdError *err);
bool hd_read(HdDevice *device, void *to, HdAddress from, uint64_t bytes, HdError *err);
bool hd_fill(HdDevice *device, HdAddress to, int byte, uint64_t bytes, HdError *err);

// ---- textures ----

// Makes a texture over an array of `count` floats, from which kernels fetch by number (tex.1d with
// an integer coordinate; behind the array a fetch gives 0). Returns its handle, an argument of kind
// HD_ARG_U64. The array must exist while kernels fetch from it; the texture ends with the device.
// On failure returns 0.
uint64_t hd_texture(HdDevice *device, HdAddress floats, uint64_t count, HdError *err);

// ---- kernels ----

// Loads the kernels of a PTX text (zero-terminated). `path` identifies the text in messages.
bool hd_load(HdDevice *device, const char *text, const char *path, HdError *err);
bool hd_load_file(HdDevice *device, const char *path, HdError *err);

// The address of a module-scope variable (.global or .const) of the loaded modules, by exact name,
// for hd_read and hd_write. Of several modules with the name, the last one loaded counts. Later
// launches see what was written. On failure returns 0: no module has the variable.
HdAddress hd_variable(HdDevice *device, const char *name, HdError *err);

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

// Launches a kernel after all earlier launches, in order. Checks the arguments against the kernel's
// parameters. A fault of the kernel may be reported here or by hd_synchronise.
bool hd_launch(HdDevice *device, const HdLaunch *launch, HdError *err);

// Waits until all launches have completed. hd_read and hd_write wait implicitly.
bool hd_synchronise(HdDevice *device, HdError *err);

// ---- mechanisms ----

// Tells the mechanism of this name what only the host program knows, such as where an array is.
// Verbs and values are the mechanism's own; its page in docs/mechanisms lists them. The call takes
// effect before the next launch, and takes no time of the device. It has no effect if that
// mechanism is not in the run, and on a real GPU. There are at most 8 values (HD_CALL_VALUES of
// heddle/events.h). false and err: the mechanism refuses the call.
bool hd_call(HdDevice *device, const char *mechanism, const char *verb, const uint64_t *values,
             size_t count, HdError *err);

// Whether the run has the mechanism of this name. A real GPU has none.
bool hd_has_mechanism(const HdDevice *device, const char *name);

// Number of launches so far.
size_t hd_launch_count(const HdDevice *device);

#endif
