// A device backend on the host: addresses are host pointers, a launch is a loop over the threads.
#include "host_device.h"

#include "base/fail.h"
#include "base/memory.h"
#include "device/backend.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 16 };

typedef struct HostDevice {
    unsigned warp_width;
    HostFault fault;
    void *arrays[MOST_ARRAYS];
    size_t count;
    char names[256];
    HdLaunch last;
} HostDevice;

typedef struct HostKernel {
    const char *name, *types; // one letter per parameter: p pointer, i 32-bit integer, f float
    void (*run)(const HostDevice *device, const HdArg *args, uint32_t thread);
} HostKernel;

static int32_t *ints(const HdArg *arg)
{
    return (int32_t *)(uintptr_t)arg->value.buffer;
}

static void expand(const HostDevice *device, const HdArg *args, uint32_t v)
{
    int32_t *row = ints(&args[0]), *column = ints(&args[1]), *frontier = ints(&args[2]);
    int32_t *next = ints(&args[3]), *visited = ints(&args[4]), *level = ints(&args[5]);
    if (v >= (uint32_t)args[6].value.i32 || !frontier[v]) return;
    frontier[v] = 0;
    int32_t end = row[v + 1] - (device->fault == FAULT_LOST_EDGE);
    for (int32_t i = row[v]; i < end; i++) {
        int32_t u = column[i];
        if (visited[u]) continue;
        level[u] = level[v] + 1 + (device->fault == FAULT_LEVEL);
        next[u] = 1;
    }
}

static void update(const HostDevice *device, const HdArg *args, uint32_t v)
{
    int32_t *frontier = ints(&args[0]), *next = ints(&args[1]), *visited = ints(&args[2]);
    if (v >= (uint32_t)args[4].value.i32) return;
    frontier[v] = next[v];
    if (device->fault == FAULT_ENDLESS) *ints(&args[3]) = 1;
    if (!next[v]) return;
    next[v] = 0;
    visited[v] = 1;
    *ints(&args[3]) = 1;
}

static bool *flags(const HdArg *arg)
{
    return (bool *)(uintptr_t)arg->value.buffer;
}

static void expand_pairs(const HostDevice *device, const HdArg *args, uint32_t v)
{
    (void)device;
    const int32_t *row = ints(&args[0]) + 2 * v;
    int32_t *level = ints(&args[5]);
    if (v >= (uint32_t)args[6].value.i32 || !flags(&args[2])[v]) return;
    flags(&args[2])[v] = false;
    for (int32_t i = 0; i < row[1]; i++) {
        int32_t u = ints(&args[1])[row[0] + i];
        if (flags(&args[4])[u]) continue;
        level[u] = level[v] + 1;
        flags(&args[3])[u] = true;
    }
}

// The first lane does the work of its warp.
static void expand_chunk(const HostDevice *device, const HdArg *args, uint32_t thread)
{
    uint32_t width = device->warp_width, chunk = (uint32_t)args[7].value.i32;
    for (uint32_t i = 0; thread % width == 0 && i < chunk; i++)
        expand_pairs(device, args, thread / width * chunk + i);
}

static void update_flags(const HostDevice *device, const HdArg *args, uint32_t v)
{
    (void)device;
    if (v >= (uint32_t)args[4].value.i32 || !flags(&args[1])[v]) return;
    flags(&args[1])[v] = false;
    flags(&args[0])[v] = flags(&args[2])[v] = true;
    *ints(&args[3]) = 1;
}

static void warp(const HostDevice *device, const HdArg *args, uint32_t thread)
{
    int32_t *row = ints(&args[0]), *column = ints(&args[1]), *level = ints(&args[2]);
    uint32_t width = device->warp_width, lane = thread % width, v = thread / width;
    if (v >= (uint32_t)args[5].value.i32 || level[v] != args[4].value.i32) return;
    for (int32_t i = row[v] + (int32_t)lane; i < row[v + 1]; i += (int32_t)width) {
        int32_t u = column[i];
        if (level[u] >= 0) continue;
        level[u] = args[4].value.i32 + 1;
        *ints(&args[3]) = 1;
    }
}

// The same for a chunk of vertices.
static void warp_chunk(const HostDevice *device, const HdArg *args, uint32_t thread)
{
    uint32_t width = device->warp_width, chunk = (uint32_t)args[5].value.i32;
    HdArg of_one[] = {args[0], args[1], args[2], args[3], args[4], args[6]};
    for (uint32_t i = 0; i < chunk; i++)
        warp(device, of_one, (thread / width * chunk + i) * width + thread % width);
}

static void copy(const HostDevice *device, const HdArg *args, uint32_t i)
{
    if (i >= (uint32_t)args[2].value.i32 || (device->fault == FAULT_LOST_EDGE && i == 77)) return;
    ints(&args[1])[i] = ints(&args[0])[i];
}

static const HostKernel kernels[] = {
    {"bfs_expand", "ppppppi", expand}, {"bfs_update", "ppppi", update},
    {"bfs_warp", "ppppiii", warp_chunk}, {"topo_expand", "ppppppi", expand},
    {"topo_update", "ppppi", update},  {"warp_expand", "ppppii", warp},
    {"bfs_hipc", "ppppppi", expand_pairs}, {"bfs_hipc_update", "ppppi", update_flags},
    {"bfs_hipc_tagged", "ppppppi", expand_pairs}, {"bfs_hipc_warp", "ppppppii", expand_chunk},
    {"stream_copy", "ppi", copy},      {"typed", "pif", NULL},
};

static void host_close(void *state)
{
    HostDevice *device = state;
    for (size_t i = 0; i < device->count; i++) free(device->arrays[i]);
    free(device);
}

static unsigned host_warp_width(const void *state)
{
    return ((const HostDevice *)state)->warp_width;
}

static HdAddress host_allocate(void *state, uint64_t bytes, const char *name, HdError *err)
{
    HostDevice *device = state;
    void *array = device->count < MOST_ARRAYS ? hd_new(bytes, 1) : NULL;
    if (!array) {
        hd_fail_memory(err, "testing");
        return 0;
    }
    device->arrays[device->count++] = array;
    strncat(device->names, name, sizeof device->names - strlen(device->names) - 2);
    strcat(device->names, ",");
    return (uintptr_t)array;
}

static bool host_release(void *state, HdAddress address, HdError *err)
{
    (void)state;
    return hd_fail(err, "0x%llx cannot be released", (unsigned long long)address);
}

static bool host_write(void *state, HdAddress to, const void *from, uint64_t bytes, HdError *err)
{
    (void)state;
    (void)err;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return true;
}

static bool host_read(void *state, void *to, HdAddress from, uint64_t bytes, HdError *err)
{
    (void)state;
    (void)err;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return true;
}

static bool host_fill(void *state, HdAddress to, int byte, uint64_t bytes, HdError *err)
{
    (void)state;
    (void)err;
    memset((void *)(uintptr_t)to, byte, bytes);
    return true;
}

static bool host_load(void *state, const char *text, const char *path, HdError *err)
{
    (void)state;
    (void)path;
    return *text || hd_fail(err, "no text");
}

static HdAddress host_variable(void *state, const char *name, HdError *err)
{
    (void)state;
    hd_fail(err, "there is no variable %s", name);
    return 0;
}

static bool host_find(void *state, const char *name, DeviceKernel *kernel, HdError *err)
{
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(kernels[i].name, name) != 0) continue;
        size_t count = strlen(kernels[i].types);
        *kernel = (DeviceKernel){
            .handle = (void *)&kernels[i],
            .name = name,
            .param_count = count,
            .param_bytes = (uint32_t)(8 * count),
        };
        return true;
    }
    return hd_fail(err, "there is no kernel '%s'", name);
}

static DeviceParam host_param(const DeviceKernel *kernel, size_t index)
{
    char type = ((const HostKernel *)kernel->handle)->types[index];
    return (DeviceParam){
        .name = "p",
        .type = type == 'p'   ? "u64"
                : type == 'i' ? "u32"
                              : "f32",
        .offset = (uint32_t)(8 * index),
        .bytes = type == 'p' ? 8 : 4,
        .floating = type == 'f',
    };
}

static bool host_launch(void *state, const DeviceKernel *kernel, const HdLaunch *launch,
                        const void *block, HdError *err)
{
    (void)block;
    (void)err;
    HostDevice *device = state;
    const HostKernel *host = kernel->handle;
    device->last = *launch;
    for (uint32_t t = 0; host->run && t < launch->grid[0] * launch->block[0]; t++)
        host->run(device, launch->args, t);
    return true;
}

static bool host_synchronise(void *state, HdError *err)
{
    (void)state;
    (void)err;
    return true;
}

static const DeviceBackend host_backend = {
    .name = "host",
    .close = host_close,
    .warp_width = host_warp_width,
    .allocate = host_allocate,
    .release = host_release,
    .write = host_write,
    .read = host_read,
    .fill = host_fill,
    .load = host_load,
    .variable = host_variable,
    .find = host_find,
    .param = host_param,
    .launch = host_launch,
    .synchronise = host_synchronise,
};

HdDevice *host_device_open(unsigned warp_width, HostFault fault)
{
    HostDevice *device = hd_new(1, sizeof *device);
    if (!device) return NULL;
    device->warp_width = warp_width;
    device->fault = fault;
    return device_new(&host_backend, device, NULL);
}

const char *host_device_arrays(const HdDevice *device)
{
    return ((const HostDevice *)device_state(device))->names;
}

const HdLaunch *host_device_last(const HdDevice *device)
{
    return &((const HostDevice *)device_state(device))->last;
}
