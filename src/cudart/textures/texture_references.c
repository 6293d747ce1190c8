// The API of the texture references of CUDA 11: textures at file scope, which kernels use by name.
// Binding a reference applies the settings that the program has made in it.
#include "cudart/modules/cuda_modules.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/unsupported.h"
#include "cudart/textures/texture_descriptors.h"

// The first fields of a texture<> in the host program. A layout of CUDA 11's.
typedef struct TextureReference {
    int normalised, filter, mode[3];
    CudaChannels channels;
    int srgb;
    unsigned anisotropy;
    int level_filter;
    float level_bias, level_least, level_most;
    int no_trilinear, reserved[14];
} TextureReference;
_Static_assert(sizeof(TextureReference) == 124, "the layout is CUDA's");

// Finds the reference in its module, and fills in its settings.
static CudaError use(const char *call, const TextureReference *reference, uint64_t *handle,
                     GpuTexture *texture)
{
    const PtxModule *module;
    RtTexture *known;
    CudaError code = texture_use(reference, &known, &module);
    if (code) return code;
    HdError err = {0};
    if (!gpu_texture_reference(cudart_gpu(), module, known->name, handle, &err)) {
        cudart_warn("%s: %s", call, err.text);
        return cudaErrorInvalidTexture;
    }
    CudaTexture how = {
        .mode = {reference->mode[0], reference->mode[1], reference->mode[2]},
        .filter = reference->filter,
        .read_normalised = known->normalised,
        .srgb = reference->srgb,
        .normalised = reference->normalised,
    };
    return texture_set_sampling(call, &how, texture);
}

static CudaError bind(const char *call, uint64_t handle, const GpuTexture *texture)
{
    HdError err = {0};
    if (gpu_texture_bind(cudart_gpu(), handle, texture, &err)) return cudaSuccess;
    cudart_warn("%s: %s", call, err.text);
    return cudaErrorInvalidValue;
}

// Bytes from an address to the end of its allocation, at most `bytes`: programs usually pass a size
// that means "all of it".
static size_t bytes_there(const void *memory, size_t bytes)
{
    uint64_t base, size, address = (uint64_t)memory;
    if (!guest_range(gpu_memory(cudart_gpu()), address, &base, &size)) return 0;
    uint64_t left = base + size - address;
    return left < bytes ? left : bytes;
}

static CudaError bind_memory(const char *call, size_t *offset, const TextureReference *reference,
                             const CudaChannels *channels, GpuTexture texture)
{
    uint64_t handle;
    CudaError code = use(call, reference, &handle, &texture);
    if (!code && !texture_set_channels(channels, &texture))
        code = cudaErrorInvalidChannelDescriptor;
    if (!code) code = bind(call, handle, &texture);
    if (!code && offset) *offset = 0; // textures need no alignment here
    return code;
}

CUDART_API CudaError cudaBindTexture(size_t *offset, const TextureReference *reference,
                                     const void *memory, const CudaChannels *channels,
                                     size_t bytes)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && (!reference || !memory || !channels)) code = cudaErrorInvalidValue;
    size_t texel = code ? 0 : channels_bytes(channels);
    if (!code && !texel) code = cudaErrorInvalidChannelDescriptor;
    if (code) return cudart_leave(code);
    size_t width = bytes_there(memory, bytes) / texel;
    GpuTexture texture = {
        .kind = TEXTURE_LINEAR,
        .address = (uint64_t)memory,
        .width = width > UINT32_MAX ? UINT32_MAX : (uint32_t)width,
    };
    return cudart_leave(bind_memory("cudaBindTexture", offset, reference, channels, texture));
}

CUDART_API CudaError cudaBindTexture2D(size_t *offset, const TextureReference *reference,
                                       const void *memory, const CudaChannels *channels,
                                       size_t width, size_t height, size_t pitch)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && (!reference || !memory || !channels || width > UINT32_MAX || height > UINT32_MAX))
        code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    GpuTexture texture = {
        .kind = TEXTURE_PITCH2D,
        .address = (uint64_t)memory,
        .width = (uint32_t)width,
        .height = (uint32_t)height,
        .pitch = pitch,
    };
    return cudart_leave(bind_memory("cudaBindTexture2D", offset, reference, channels, texture));
}

CUDART_API CudaError cudaBindTextureToArray(const TextureReference *reference, CudaArray array,
                                            const CudaChannels *channels)
{
    CudaError code = cudart_enter(CALL_SYNC);
    uint64_t handle;
    GpuTexture texture = {0};
    if (!code && (!reference || !channels)) code = cudaErrorInvalidValue;
    if (!code && !array_known(array)) code = cudaErrorInvalidResourceHandle;
    if (!code) code = use("cudaBindTextureToArray", reference, &handle, &texture);
    if (!code) texture_set_array(array, &texture);
    if (!code && !texture_set_channels(channels, &texture))
        code = cudaErrorInvalidChannelDescriptor;
    if (!code) code = bind("cudaBindTextureToArray", handle, &texture);
    return cudart_leave(code);
}

CUDART_API CudaError cudaUnbindTexture(const TextureReference *reference)
{
    CudaError code = cudart_enter(CALL_SYNC);
    uint64_t handle;
    GpuTexture texture = {0};
    if (!code) code = use("cudaUnbindTexture", reference, &handle, &texture);
    if (!code) code = bind("cudaUnbindTexture", handle, NULL);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetTextureAlignmentOffset(size_t *offset,
                                                   const TextureReference *reference)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !offset) code = cudaErrorInvalidValue;
    if (!code && !texture_find(reference)) code = cudaErrorInvalidTexture;
    if (!code) *offset = 0;
    return cudart_leave(code);
}

// A symbol's reference is the symbol itself.
CUDART_API CudaError cudaGetTextureReference(const void **reference, const void *symbol)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !reference) code = cudaErrorInvalidValue;
    if (!code && !texture_find(symbol)) code = cudaErrorInvalidTexture;
    if (!code) *reference = symbol;
    return cudart_leave(code);
}
