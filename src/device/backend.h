// The interface of a kind of device. device.c checks the host's calls and passes the valid ones on
// to the backend.
#ifndef HEDDLE_DEVICE_BACKEND_H
#define HEDDLE_DEVICE_BACKEND_H

#include "heddle/device.h"
#include "ptx/ptx.h"

// One parameter of a kernel, as its module declares it.
typedef struct DeviceParam {
    const char *name; // owned by the module
    const char *type; // "u64", "f32", ... of one element
    uint32_t offset, bytes; // in the parameter block; bytes > one element: passed by value
    bool floating;
    bool array; // .param .b8 name[n]: a structure, for which there is no HdArg
} DeviceParam;

// A kernel found by name. `handle` belongs to the backend.
typedef struct DeviceKernel {
    void *handle, *module;
    const char *name;
    size_t param_count;
    uint32_t param_bytes;
} DeviceKernel;

typedef struct DeviceBackend {
    const char *name; // "sim", "cuda"
    void (*close)(void *state);
    unsigned (*warp_width)(const void *state);
    HdAddress (*allocate)(void *state, uint64_t bytes, const char *name, HdError *err);
    bool (*release)(void *state, HdAddress address, HdError *err);
    bool (*write)(void *state, HdAddress to, const void *from, uint64_t bytes, HdError *err);
    bool (*read)(void *state, void *to, HdAddress from, uint64_t bytes, HdError *err);
    bool (*fill)(void *state, HdAddress to, int byte, uint64_t bytes, HdError *err);
    // NULL: it has no textures.
    uint64_t (*texture)(void *state, HdAddress floats, uint64_t count, HdError *err);
    bool (*load)(void *state, const char *text, const char *path, HdError *err);
    HdAddress (*variable)(void *state, const char *name, HdError *err);
    bool (*find)(void *state, const char *name, DeviceKernel *kernel, HdError *err);
    DeviceParam (*param)(const DeviceKernel *kernel, size_t index);
    // `block`: the filled parameter block of the kernel.
    bool (*launch)(void *state, const DeviceKernel *kernel, const HdLaunch *launch,
                   const void *block, HdError *err);
    bool (*synchronise)(void *state, HdError *err);
    // Both NULL: it has no mechanisms, and calls have no effect.
    bool (*has_mechanism)(const void *state, const char *name);
    bool (*call)(void *state, const char *mechanism, const char *verb, const uint64_t *values,
                 size_t count, HdError *err);
} DeviceBackend;

// A parameter of a kernel, as its PTX declares it.
DeviceParam device_param_of(const PtxFunction *function, size_t index);

// A device over a backend; takes the state over, also on failure (NULL: out of memory).
HdDevice *device_new(const DeviceBackend *backend, void *state, HdError *err);
const DeviceBackend *device_backend(const HdDevice *device);
void *device_state(const HdDevice *device);

#endif
