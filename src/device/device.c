// Checks the host's calls, for all backends.
#include "device/backend.h"

#include "base/file.h"
#include "base/memory.h"
#include "heddle/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct HdDevice {
    const DeviceBackend *backend;
    void *state;
    size_t launches;
};

static const struct ArgKind {
    const char *name;
    unsigned bytes;
    bool floating;
} arg_kinds[HD_ARG_KINDS] = {
    [HD_ARG_BUFFER] = {"buf", 8, false}, [HD_ARG_I32] = {"i32", 4, false},
    [HD_ARG_U32] = {"u32", 4, false},    [HD_ARG_I64] = {"i64", 8, false},
    [HD_ARG_U64] = {"u64", 8, false},    [HD_ARG_F32] = {"f32", 4, true},
    [HD_ARG_F64] = {"f64", 8, true},
};

const char *hd_arg_kind_name(HdArgKind kind) { return arg_kinds[kind].name; }
unsigned hd_arg_bytes(HdArgKind kind) { return arg_kinds[kind].bytes; }

DeviceParam device_param_of(const PtxFunction *function, size_t index)
{
    const PtxParam *param = &function->params[index];
    return (DeviceParam){
        .name = param->name,
        .type = ptx_type_name(param->type),
        .offset = param->offset,
        .bytes = param->bytes,
        .floating = param->type == PTX_F32 || param->type == PTX_F64,
        .array = param->bytes != ptx_type_bytes(param->type),
    };
}

HdDevice *device_new(const DeviceBackend *backend, void *state, HdError *err)
{
    HdDevice *device = hd_new(1, sizeof *device);
    if (!device) {
        backend->close(state);
        hd_fail_memory(err, "opening a device");
        return NULL;
    }
    device->backend = backend;
    device->state = state;
    return device;
}

const DeviceBackend *device_backend(const HdDevice *device) { return device->backend; }
void *device_state(const HdDevice *device) { return device->state; }

void hd_device_close(HdDevice *device)
{
    if (!device) return;
    device->backend->close(device->state);
    free(device);
}

unsigned hd_device_warp_width(const HdDevice *device)
{
    return device->backend->warp_width(device->state);
}

HdAddress hd_allocate(HdDevice *device, uint64_t bytes, const char *name, HdError *err)
{
    if (bytes == 0) {
        hd_fail(err, "allocation '%s' of 0 bytes: expected at least 1", name);
        return 0;
    }
    return device->backend->allocate(device->state, bytes, name, err);
}

bool hd_release(HdDevice *device, HdAddress address, HdError *err)
{
    return device->backend->release(device->state, address, err);
}

bool hd_write(HdDevice *device, HdAddress to, const void *from, uint64_t bytes, HdError *err)
{
    return hd_synchronise(device, err) &&
           device->backend->write(device->state, to, from, bytes, err);
}

bool hd_read(HdDevice *device, void *to, HdAddress from, uint64_t bytes, HdError *err)
{
    return hd_synchronise(device, err) &&
           device->backend->read(device->state, to, from, bytes, err);
}

bool hd_fill(HdDevice *device, HdAddress to, int byte, uint64_t bytes, HdError *err)
{
    return hd_synchronise(device, err) &&
           device->backend->fill(device->state, to, byte, bytes, err);
}

uint64_t hd_texture(HdDevice *device, HdAddress floats, uint64_t count, HdError *err)
{
    if (count && count <= UINT32_MAX && device->backend->texture)
        return device->backend->texture(device->state, floats, count, err);
    if (device->backend->texture)
        hd_fail(err, "a texture of %" PRIu64 " floats: expected 1 to %" PRIu32, count, UINT32_MAX);
    else
        hd_fail(err, "a texture: the device has none");
    return 0;
}

bool hd_load(HdDevice *device, const char *text, const char *path, HdError *err)
{
    return device->backend->load(device->state, text, path, err);
}

bool hd_load_file(HdDevice *device, const char *path, HdError *err)
{
    size_t size;
    char *text = file_read_text(path, &size, err);
    if (!text) return false;
    bool ok = strlen(text) == size
                  ? hd_load(device, text, path, err)
                  : hd_fail(err, "%s is not PTX text: it contains a zero byte", path);
    free(text);
    return ok;
}

HdAddress hd_variable(HdDevice *device, const char *name, HdError *err)
{
    return hd_synchronise(device, err) ? device->backend->variable(device->state, name, err) : 0;
}

// Writes the arguments into the parameter block. An argument has the size of its parameter. Either
// both are floating or both are not; an untyped parameter (.b32) takes either.
static bool pack_args(HdDevice *device, const DeviceKernel *kernel, const HdLaunch *launch,
                      uint8_t *block, HdError *err)
{
    if (launch->arg_count != kernel->param_count)
        return hd_fail(err, "kernel %s: %zu argument%s given: expected %zu", kernel->name,
                       launch->arg_count, launch->arg_count == 1 ? "" : "s", kernel->param_count);
    for (size_t i = 0; i < launch->arg_count; i++) {
        DeviceParam param = device->backend->param(kernel, i);
        const HdArg *arg = &launch->args[i];
        const struct ArgKind *given = &arg_kinds[arg->kind];
        bool untyped = param.type[0] == 'b';
        if (param.array)
            return hd_fail(err, "kernel %s: parameter %zu is a structure of %u bytes: expected a "
                                "number or a buffer", kernel->name, i, param.bytes);
        if (given->bytes != param.bytes || (!untyped && given->floating != param.floating))
            return hd_fail(err, "kernel %s: argument %zu is %s (%u bytes): expected %s (%u bytes), "
                                "the type of parameter %s", kernel->name, i, given->name,
                           given->bytes, param.type, param.bytes, param.name);
        memcpy(block + param.offset, &arg->value, given->bytes);
    }
    return true;
}

bool hd_launch(HdDevice *device, const HdLaunch *launch, HdError *err)
{
    DeviceKernel kernel;
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] == 0 || launch->block[i] == 0)
            return hd_fail(err, "kernel %s: expected a grid and a block of at least 1 in each "
                                "dimension",
                           launch->kernel);
    if (!device->backend->find(device->state, launch->kernel, &kernel, err)) return false;
    uint8_t *block = hd_new(kernel.param_bytes, 1);
    if (!block) return hd_fail_memory(err, "launching a kernel");
    bool ok = pack_args(device, &kernel, launch, block, err) &&
              device->backend->launch(device->state, &kernel, launch, block, err);
    free(block);
    if (ok) device->launches++;
    return ok;
}

bool hd_synchronise(HdDevice *device, HdError *err)
{
    return device->backend->synchronise(device->state, err);
}

bool hd_call(HdDevice *device, const char *mechanism, const char *verb, const uint64_t *values,
             size_t count, HdError *err)
{
    if (count > HD_CALL_VALUES)
        return hd_fail(err, "mechanism %s: %s has %zu values: expected at most %d", mechanism, verb,
                       count, HD_CALL_VALUES);
    return !device->backend->call ||
           device->backend->call(device->state, mechanism, verb, values, count, err);
}

bool hd_has_mechanism(const HdDevice *device, const char *name)
{
    return device->backend->has_mechanism && device->backend->has_mechanism(device->state, name);
}

size_t hd_launch_count(const HdDevice *device)
{
    return device->launches;
}
