// A fake libcuda.so.1. Its GPU is the functional simulator; each launch takes 0.25 ms.
// FAKE_CAPABILITY is the compute capability that it reports (default 90). FAKE_OLDEST is the oldest
// target that its compiler accepts (default 35). With FAKE_RACE set, the host reads other data than
// the kernel wrote.
#include "device/cuda_api.h"
#include "fake.h"

#include "device/backend.h"

typedef struct Fake {
    HdDevice *device;
    HdError err;
    int contexts, arrays, modules, events;
    double clock; // milliseconds
    int sticky;   // error of a failed kernel; later calls return it
} Fake;
static Fake fake;

static int number_of(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    return text ? atoi(text) : otherwise;
}

EXPORT int cuInit(unsigned flags)
{
    CALL("cuInit", "");
    return (int)flags;
}

EXPORT int cuDriverGetVersion(int *version)
{
    CALL("cuDriverGetVersion", "");
    *version = 12040;
    return 0;
}

EXPORT int cuGetErrorName(int code, const char **text)
{
    *text = code == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : code == 100 ? "CUDA_ERROR_NO_DEVICE"
            : code == 222 ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
            : code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                          : NULL;
    return *text ? 0 : 1;
}

EXPORT int cuGetErrorString(int code, const char **text)
{
    *text = code == 2     ? "out of memory"
            : code == 700 ? "an illegal memory access was encountered"
                          : "a sentence";
    return 0;
}

EXPORT int cuDeviceGet(int *device, int ordinal)
{
    CALL("cuDeviceGet", " %d", ordinal);
    *device = 7;
    return 0;
}

EXPORT int cuDeviceGetName(char *text, int size, int device)
{
    CALL("cuDeviceGetName", " %d", device);
    snprintf(text, (size_t)size, "Fake GPU");
    return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    CALL("cuDeviceGetAttribute", " %d %d", attribute, device);
    int capability = number_of("FAKE_CAPABILITY", 90);
    switch (attribute) {
    case CUDA_MAX_THREADS_PER_BLOCK: *value = 1024; break;
    case CUDA_WARP_SIZE: *value = 32; break;
    case CUDA_CLOCK_KHZ: *value = 1980000; break;
    case CUDA_SM_COUNT: *value = 4; break;
    case CUDA_CAPABILITY_MAJOR: *value = capability / 10; break;
    case CUDA_CAPABILITY_MINOR: *value = capability % 10; break;
    default: return 1;
    }
    return 0;
}

EXPORT int cuDeviceGetPCIBusId(char *text, int size, int device)
{
    CALL("cuDeviceGetPCIBusId", " %d", device);
    snprintf(text, (size_t)size, "0000:17:00.0");
    return 0;
}

EXPORT int cuDevicePrimaryCtxRetain(CudaContextHandle *context, int device)
{
    CALL("cuDevicePrimaryCtxRetain", " %d", device);
    fake.device = hd_device_simulate(&(HdSimulation){.functional = true, .threads = 1}, &fake.err);
    if (!fake.device) return 2;
    *context = (CudaContextHandle)&fake;
    fake.contexts++;
    return 0;
}

EXPORT int cuDevicePrimaryCtxRelease(int device)
{
    CALL("cuDevicePrimaryCtxRelease", " %d", device);
    fake_log("left: %d arrays, %d modules, %d events", fake.arrays, fake.modules, fake.events);
    hd_device_close(fake.device);
    fake = (Fake){0};
    return 0;
}

EXPORT int cuCtxSetCurrent(CudaContextHandle context)
{
    CALL("cuCtxSetCurrent", "");
    return context == (CudaContextHandle)&fake ? 0 : 201;
}

EXPORT int cuCtxSynchronize(void)
{
    CALL("cuCtxSynchronize", "");
    return fake.sticky;
}

// ---- modules ----

EXPORT int cuModuleLoadDataEx(CudaModuleHandle *module, const void *image, unsigned count,
                              const int *options, void **values)
{
    CALL("cuModuleLoadDataEx", " %.60s", strstr(image, ".target"));
    int target = atoi(strstr(image, ".target sm_") + strlen(".target sm_"));
    if (target < number_of("FAKE_OLDEST", 35)) {
        for (unsigned i = 0; i < count; i++)
            if (options[i] == CUDA_JIT_ERROR_LOG)
                strcpy(values[i], "\n  ptxas fatal: sm_35 is not known\nmore\n");
        return 222;
    }
    if (!hd_load(fake.device, image, "fake", &fake.err)) return 218;
    *module = (CudaModuleHandle)&fake.modules;
    fake.modules++;
    return 0;
}

EXPORT int cuModuleUnload(CudaModuleHandle module)
{
    CALL("cuModuleUnload", "");
    fake.modules--;
    return module ? 0 : 1;
}

EXPORT int cuModuleGetFunction(CudaFunctionHandle *function, CudaModuleHandle module,
                               const char *name)
{
    CALL("cuModuleGetFunction", " %s", name);
    DeviceKernel kernel;
    const DeviceBackend *backend = device_backend(fake.device);
    if (!module || !backend->find(device_state(fake.device), name, &kernel, &fake.err)) return 500;
    *function = (CudaFunctionHandle)kernel.handle;
    return 0;
}

EXPORT int cuModuleGetGlobal_v2(CudaAddress *address, size_t *bytes, CudaModuleHandle module,
                                const char *name)
{
    CALL("cuModuleGetGlobal_v2", " %s", name);
    *bytes = 0; // nothing uses it
    *address = module ? hd_variable(fake.device, name, &fake.err) : 0;
    return *address ? 0 : 500;
}

EXPORT int cuFuncGetAttribute(int *value, int attribute, CudaFunctionHandle function)
{
    CALL("cuFuncGetAttribute", " %d", attribute);
    const PtxFunction *kernel = (const PtxFunction *)function;
    *value = attribute == CUDA_FUNCTION_REGISTERS      ? (int)kernel->registers
             : attribute == CUDA_FUNCTION_SHARED_BYTES ? (int)kernel->shared_bytes
                                                       : (int)kernel->local_bytes;
    return 0;
}

EXPORT int cuFuncSetAttribute(CudaFunctionHandle function, int attribute, int value)
{
    CALL("cuFuncSetAttribute", " %d %d", attribute, value);
    return function ? 0 : 1;
}

// ---- memory ----

EXPORT int cuMemAlloc_v2(CudaAddress *address, size_t bytes)
{
    CALL("cuMemAlloc_v2", " %zu", bytes);
    *address = hd_allocate(fake.device, bytes, "fake", &fake.err);
    fake.arrays += *address != 0;
    if (*address) hd_fill(fake.device, *address, 0x5a, bytes, &fake.err); // contents are undefined
    return *address ? 0 : 2;
}

EXPORT int cuMemFree_v2(CudaAddress address)
{
    CALL("cuMemFree_v2", "");
    fake.arrays--;
    return hd_release(fake.device, address, &fake.err) ? 0 : 1;
}

EXPORT int cuMemcpyHtoD_v2(CudaAddress to, const void *from, size_t bytes)
{
    CALL("cuMemcpyHtoD_v2", " %zu", bytes);
    return hd_write(fake.device, to, from, bytes, &fake.err) ? 0 : 1;
}

EXPORT int cuMemcpyDtoH_v2(void *to, CudaAddress from, size_t bytes)
{
    CALL("cuMemcpyDtoH_v2", " %zu", bytes);
    if (!hd_read(fake.device, to, from, bytes, &fake.err)) return 1;
    if (getenv("FAKE_RACE")) *(char *)to ^= 1;
    return 0;
}

EXPORT int cuMemcpyDtoD_v2(CudaAddress to, CudaAddress from, size_t bytes)
{
    CALL("cuMemcpyDtoD_v2", " %zu", bytes);
    void *copy = malloc(bytes);
    bool ok = copy && hd_read(fake.device, copy, from, bytes, &fake.err) &&
              hd_write(fake.device, to, copy, bytes, &fake.err);
    free(copy);
    return ok ? 0 : 1;
}

EXPORT int cuMemsetD8_v2(CudaAddress to, unsigned char byte, size_t bytes)
{
    CALL("cuMemsetD8_v2", " %u %zu", byte, bytes);
    return hd_fill(fake.device, to, byte, bytes, &fake.err) ? 0 : 1;
}

// ---- textures ----

EXPORT int cuTexObjectCreate(uint64_t *texture, const CudaTextureMemory *memory,
                             const CudaTextureSampling *sampling, const void *view)
{
    static const CudaTextureSampling plain;
    CALL("cuTexObjectCreate", " %u %zu", memory->channels, memory->bytes);
    if (memory->kind != CUDA_TEXTURE_LINEAR || memory->format != CUDA_FORMAT_FLOAT ||
        memory->flags || view || memcmp(sampling, &plain, sizeof plain) != 0)
        return 1;
    *texture = hd_texture(fake.device, memory->address, memory->bytes / 4, &fake.err);
    fake.arrays += *texture != 0; // it must be destroyed, too
    return *texture ? 0 : 1;
}

EXPORT int cuTexObjectDestroy(uint64_t texture)
{
    CALL("cuTexObjectDestroy", "");
    fake.arrays--;
    return texture ? 0 : 1;
}

// ---- launches ----

EXPORT int cuLaunchKernel(CudaFunctionHandle function, unsigned grid_x, unsigned grid_y,
                          unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                          unsigned shared_bytes, void *stream, void **parameters, void **extra)
{
    const PtxFunction *kernel = (const PtxFunction *)function;
    CALL("cuLaunchKernel", " %s %u,%u,%u %u,%u,%u %u", kernel->name, grid_x, grid_y, grid_z,
         block_x, block_y, block_z, shared_bytes);
    if (stream || parameters) return 1;
    if (kernel->param_bytes &&
        (extra[0] != CUDA_LAUNCH_BLOCK || extra[2] != CUDA_LAUNCH_BLOCK_BYTES ||
         *(size_t *)extra[3] != kernel->param_bytes || extra[4] != CUDA_LAUNCH_END))
        return 1;
    DeviceKernel found;
    HdLaunch launch = {.kernel = kernel->name,
                       .grid = {grid_x, grid_y, grid_z},
                       .block = {block_x, block_y, block_z},
                       .dynamic_shared = shared_bytes};
    const DeviceBackend *backend = device_backend(fake.device);
    void *state = device_state(fake.device);
    fake.clock += 0.25;
    if (!backend->find(state, kernel->name, &found, &fake.err)) return 1;
    if (!backend->launch(state, &found, &launch, extra ? extra[1] : "", &fake.err)) {
        fake_log("the simulator: %s", fake.err.text);
        fake.sticky = 700; // reported at the next synchronisation, as by a real driver
    }
    return 0;
}

EXPORT int cuEventCreate(CudaEventHandle *event, unsigned flags)
{
    CALL("cuEventCreate", " %u", flags);
    *event = calloc(1, sizeof fake.clock);
    fake.events += *event != NULL;
    return *event ? 0 : 2;
}

EXPORT int cuEventDestroy_v2(CudaEventHandle event)
{
    CALL("cuEventDestroy_v2", "");
    free(event);
    fake.events--;
    return 0;
}

EXPORT int cuEventRecord(CudaEventHandle event, void *stream)
{
    CALL("cuEventRecord", "");
    *(double *)event = fake.clock;
    return stream != NULL;
}

EXPORT int cuEventElapsedTime(float *milliseconds, CudaEventHandle from, CudaEventHandle to)
{
    CALL("cuEventElapsedTime", "");
    *milliseconds = (float)(*(double *)to - *(double *)from);
    return 0;
}
