// The backend `cuda`: a real GPU through its driver.
#include "device/cuda_device.h"

#include "base/memory.h"
#include "device/cuda_internal.h"
#include "mechanisms/mechanism_registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void cuda_close(void *state)
{
    CudaDevice *cuda = state;
    for (size_t i = 0; i < cuda->event_pair_count; i++) {
        cuda->api.cuEventDestroy_v2(cuda->event_pairs[i].begin);
        cuda->api.cuEventDestroy_v2(cuda->event_pairs[i].end);
    }
    for (size_t i = 0; i < cuda->texture_count; i++)
        cuda->api.cuTexObjectDestroy(cuda->textures[i]);
    for (size_t i = 0; i < cuda->allocation_count; i++)
        cuda->api.cuMemFree_v2(cuda->allocations[i].address);
    cuda_host_ops_free(cuda);
    cuda_modules_free(cuda);
    engine_instructions_free(&cuda->engines);
    if (cuda->context_retained) cuda->api.cuDevicePrimaryCtxRelease(cuda->device);
    library_close(cuda->library);
    free(cuda->event_pairs);
    free(cuda->launches);
    free(cuda->allocations);
    free(cuda->textures);
    free(cuda);
}

static unsigned cuda_warp_width(const void *state)
{
    return (unsigned)((const CudaDevice *)state)->info.warp_width;
}

// ---- memory ----

// The name of the allocation of an address, for messages.
static const char *allocation_name(const CudaDevice *cuda, HdAddress address)
{
    const CudaAllocation *best = NULL;
    for (size_t i = 0; i < cuda->allocation_count; i++) {
        const CudaAllocation *a = &cuda->allocations[i];
        if (a->address <= address && (!best || a->address > best->address)) best = a;
    }
    return best ? best->name : "?";
}

static bool cuda_fill(void *state, HdAddress to, int byte, uint64_t bytes, HdError *err)
{
    CudaDevice *cuda = state;
    int code = cuda->api.cuMemsetD8_v2(to, (unsigned char)byte, bytes);
    if (!code) return cuda_log_fill(cuda, to, byte, bytes, err);
    return cuda_fail(&cuda->api, code, err, "filling %" PRIu64 " bytes of '%s'", bytes,
                     allocation_name(cuda, to));
}

static HdAddress cuda_allocate(void *state, uint64_t bytes, const char *name, HdError *err)
{
    CudaDevice *cuda = state;
    CudaAllocation new = {0};
    snprintf(new.name, sizeof new.name, "%s", name);
    int code = cuda->api.cuMemAlloc_v2(&new.address, bytes);
    if (code) {
        cuda_fail(&cuda->api, code, err, "allocation '%s' of %" PRIu64 " bytes", name, bytes);
        return 0;
    }
    if (!HD_PUSH(cuda->allocations, cuda->allocation_count, cuda->allocation_capacity, new)) {
        cuda->api.cuMemFree_v2(new.address);
        hd_fail_memory(err, "allocating memory");
        return 0;
    }
    return cuda_fill(cuda, new.address, 0, bytes, err) ? new.address : 0;
}

static bool cuda_release(void *state, HdAddress address, HdError *err)
{
    CudaDevice *cuda = state;
    for (size_t i = 0; i < cuda->allocation_count; i++) {
        if (cuda->allocations[i].address != address) continue;
        if (cuda->options.repeatable) return true;
        int code = cuda->api.cuMemFree_v2(address);
        if (code)
            return cuda_fail(&cuda->api, code, err, "freeing '%s'", cuda->allocations[i].name);
        cuda->allocations[i] = cuda->allocations[--cuda->allocation_count];
        return true;
    }
    return hd_fail(err, "0x%" PRIx64 " is not the start of an allocation", address);
}

static bool cuda_write(void *state, HdAddress to, const void *from, uint64_t bytes, HdError *err)
{
    CudaDevice *cuda = state;
    int code = cuda->api.cuMemcpyHtoD_v2(to, from, bytes);
    if (!code) return cuda_log_write(cuda, to, from, bytes, err);
    return cuda_fail(&cuda->api, code, err, "copying %" PRIu64 " bytes to '%s'", bytes,
                     allocation_name(cuda, to));
}

static bool cuda_read(void *state, void *to, HdAddress from, uint64_t bytes, HdError *err)
{
    CudaDevice *cuda = state;
    int code = cuda->api.cuMemcpyDtoH_v2(to, from, bytes);
    if (!code) return cuda_log_read(cuda, from, to, bytes, err);
    return cuda_fail(&cuda->api, code, err, "copying %" PRIu64 " bytes from '%s'", bytes,
                     allocation_name(cuda, from));
}

static uint64_t cuda_texture(void *state, HdAddress floats, uint64_t count, HdError *err)
{
    CudaDevice *cuda = state;
    const CudaTextureMemory memory = {
        .kind = CUDA_TEXTURE_LINEAR,
        .address = floats,
        .format = CUDA_FORMAT_FLOAT,
        .channels = 1,
        .bytes = count * sizeof(float),
    };
    const CudaTextureSampling sampling = {{0}};
    uint64_t texture;
    int code = cuda->api.cuTexObjectCreate(&texture, &memory, &sampling, NULL);
    if (code) {
        cuda_fail(&cuda->api, code, err, "a texture of %" PRIu64 " floats of '%s'", count,
                  allocation_name(cuda, floats));
        return 0;
    }
    if (HD_PUSH(cuda->textures, cuda->texture_count, cuda->texture_capacity, texture))
        return texture;
    cuda->api.cuTexObjectDestroy(texture);
    hd_fail_memory(err, "making a texture");
    return 0;
}

// ---- kernels ----

static bool load(void *state, const char *text, const char *path, HdError *err)
{
    return cuda_load(state, text, path, err);
}

static HdAddress variable(void *state, const char *name, HdError *err)
{
    return cuda_variable(state, name, err);
}

static bool find(void *state, const char *name, DeviceKernel *found, HdError *err)
{
    CudaKernel *kernel;
    if (!cuda_find(state, name, &kernel, err)) return false;
    *found = (DeviceKernel){
        .handle = kernel,
        .name = name,
        .param_count = kernel->function->param_count,
        .param_bytes = kernel->function->param_bytes,
    };
    return true;
}

static DeviceParam param(const DeviceKernel *kernel, size_t index)
{
    return device_param_of(((const CudaKernel *)kernel->handle)->function, index);
}

bool cuda_start(CudaDevice *cuda, const CudaKernel *kernel, const CudaLaunch *launch,
                const CudaEventPair *events, const void *block, HdError *err)
{
    enum { DEFAULT_SHARED = 48 << 10 }; // more needs an attribute of the function
    const CudaApi *api = &cuda->api;
    size_t bytes = kernel->function->param_bytes;
    void *extra[] = {CUDA_LAUNCH_BLOCK, (void *)block, CUDA_LAUNCH_BLOCK_BYTES, &bytes,
                     CUDA_LAUNCH_END};
    const uint32_t *g = launch->grid, *b = launch->block;
    int code = 0;
    if (launch->dynamic_shared + (uint64_t)kernel->shared_bytes > DEFAULT_SHARED)
        code = api->cuFuncSetAttribute(kernel->handle, CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
                                       (int)launch->dynamic_shared);
    if (!code) code = api->cuEventRecord(events->begin, NULL);
    if (!code)
        code = api->cuLaunchKernel(kernel->handle, g[0], g[1], g[2], b[0], b[1], b[2],
                                   (unsigned)launch->dynamic_shared, NULL, NULL,
                                   bytes ? extra : NULL);
    if (!code) code = api->cuEventRecord(events->end, NULL);
    return !code || cuda_fail(api, code, err,
                              "kernel %s, grid %u,%u,%u, block %u,%u,%u, %" PRIu64
                              " bytes of dynamic shared memory",
                              launch->kernel, g[0], g[1], g[2], b[0], b[1], b[2],
                              launch->dynamic_shared);
}

// Appends a launch and creates its events.
static bool append_launch(CudaDevice *cuda, const CudaLaunch *launch, HdError *err)
{
    CudaEventPair events;
    if (!hd_reserve(&cuda->launches, cuda->launch_count, &cuda->launch_capacity,
                    sizeof *cuda->launches) ||
        !hd_reserve(&cuda->event_pairs, cuda->event_pair_count, &cuda->event_pair_capacity,
                    sizeof *cuda->event_pairs))
        return hd_fail_memory(err, "launching a kernel");
    int code = cuda->api.cuEventCreate(&events.begin, 0);
    if (code) return cuda_fail(&cuda->api, code, err, "creating an event");
    code = cuda->api.cuEventCreate(&events.end, 0);
    if (code) {
        cuda->api.cuEventDestroy_v2(events.begin);
        return cuda_fail(&cuda->api, code, err, "creating an event");
    }
    cuda->launches[cuda->launch_count++] = *launch;
    cuda->event_pairs[cuda->event_pair_count++] = events;
    return true;
}

static bool cuda_launch(void *state, const DeviceKernel *found, const HdLaunch *launch,
                        const void *block, HdError *err)
{
    CudaDevice *cuda = state;
    const CudaKernel *kernel = found->handle;
    CudaLaunch run = {
        .dynamic_shared = launch->dynamic_shared,
        .registers = kernel->registers,
        .shared_bytes = kernel->shared_bytes,
        .local_bytes = kernel->local_bytes,
    };
    ptx_base_name(kernel->function->name, run.kernel, sizeof run.kernel);
    memcpy(run.grid, launch->grid, sizeof run.grid);
    memcpy(run.block, launch->block, sizeof run.block);
    if (cuda->options.stop && *cuda->options.stop)
        return hd_fail(err, "interrupted before launch %zu, of %s", cuda->launch_count + 1,
                       run.kernel);
    if (launch->dynamic_shared > INT32_MAX)
        return hd_fail(err, "kernel %s: %" PRIu64 " bytes of dynamic shared memory, more than any "
                            "GPU has", run.kernel, launch->dynamic_shared);
    return cuda_check_engines(cuda, kernel, err) && append_launch(cuda, &run, err) &&
           cuda_start(cuda, kernel, &run, &cuda->event_pairs[cuda->event_pair_count - 1], block,
                      err) &&
           cuda_log_launch(cuda, kernel, cuda->launch_count - 1, block, err);
}

bool cuda_wait(CudaDevice *cuda, HdError *err)
{
    int code = cuda->api.cuCtxSynchronize();
    if (!code) return true;
    if (cuda->timed == cuda->launch_count)
        return cuda_fail(&cuda->api, code, err, "waiting for the GPU");
    return cuda_fail(&cuda->api, code, err,
                     "kernel %s, launch %zu, or an earlier one from %zu on (the simulator locates "
                     "a fault)",
                     cuda->launches[cuda->launch_count - 1].kernel, cuda->launch_count,
                     cuda->timed + 1);
}

static bool cuda_synchronise(void *state, HdError *err)
{
    CudaDevice *cuda = state;
    if (cuda->timed == cuda->launch_count) return true;
    if (!cuda_wait(cuda, err)) return false;
    for (; cuda->timed < cuda->launch_count; cuda->timed++) {
        const CudaEventPair *events = &cuda->event_pairs[cuda->timed];
        float milliseconds;
        int code = cuda->api.cuEventElapsedTime(&milliseconds, events->begin, events->end);
        if (code) return cuda_fail(&cuda->api, code, err, "reading a kernel's time");
        cuda->launches[cuda->timed].milliseconds = milliseconds;
    }
    return true;
}

static const DeviceBackend cuda_backend = {
    .name = "cuda",
    .close = cuda_close,
    .warp_width = cuda_warp_width,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .write = cuda_write,
    .read = cuda_read,
    .fill = cuda_fill,
    .texture = cuda_texture,
    .load = load,
    .variable = variable,
    .find = find,
    .param = param,
    .launch = cuda_launch,
    .synchronise = cuda_synchronise,
};

// ---- opening ----

static bool retain_context(CudaDevice *cuda, HdError *err)
{
    const CudaApi *api = &cuda->api;
    CudaInfo *info = &cuda->info;
    const struct { int attribute, *value; } numbers[] = {
        {CUDA_CAPABILITY_MAJOR, &info->major}, {CUDA_CAPABILITY_MINOR, &info->minor},
        {CUDA_SM_COUNT, &info->sms},           {CUDA_WARP_SIZE, &info->warp_width},
        {CUDA_CLOCK_KHZ, &info->clock_khz},    {CUDA_MAX_THREADS_PER_BLOCK, &info->max_threads},
    };
    int code = api->cuDeviceGet(&cuda->device, (int)cuda->options.ordinal);
    if (code) return cuda_fail(api, code, err, "GPU %u", cuda->options.ordinal);
    code = api->cuDriverGetVersion(&info->driver);
    if (!code) code = api->cuDeviceGetName(info->name, sizeof info->name, cuda->device);
    if (!code) code = api->cuDeviceGetPCIBusId(info->bus, sizeof info->bus, cuda->device);
    for (size_t i = 0; !code && i < sizeof numbers / sizeof *numbers; i++)
        code = api->cuDeviceGetAttribute(numbers[i].value, numbers[i].attribute, cuda->device);
    if (code) return cuda_fail(api, code, err, "querying GPU %u", cuda->options.ordinal);
    code = api->cuDevicePrimaryCtxRetain(&cuda->context, cuda->device);
    cuda->context_retained = !code;
    if (!code) code = api->cuCtxSetCurrent(cuda->context);
    return !code || cuda_fail(api, code, err, "%s: creating a context", info->name);
}

HdDevice *hd_device_cuda(const HdCuda *options, HdError *err)
{
    CudaDevice *cuda = hd_new(1, sizeof *cuda);
    if (!cuda) {
        hd_fail_memory(err, "opening a device");
        return NULL;
    }
    cuda->options = *options;
    if (engine_instructions_list(&cuda->engines, NULL, mechanisms, err))
        cuda->library = cuda_api_open(&cuda->api, err);
    if (cuda->library && retain_context(cuda, err)) return device_new(&cuda_backend, cuda, err);
    cuda_close(cuda);
    return NULL;
}

static const CudaDevice *cuda_of(const HdDevice *device)
{
    return device_backend(device) == &cuda_backend ? device_state(device) : NULL;
}

const CudaInfo *device_cuda_info(const HdDevice *device)
{
    const CudaDevice *cuda = cuda_of(device);
    return cuda ? &cuda->info : NULL;
}

const CudaLaunch *device_cuda_launches(const HdDevice *device, size_t *count)
{
    const CudaDevice *cuda = cuda_of(device);
    *count = cuda ? cuda->timed : 0;
    return cuda ? cuda->launches : NULL;
}

const char *device_cuda_target(const HdDevice *device)
{
    const CudaDevice *cuda = cuda_of(device);
    return cuda ? cuda->target : NULL;
}
