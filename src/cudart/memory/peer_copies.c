// The API of copies between devices. Both devices must be number 0.
#include "cudart/runtime/process_context.h"

// Other functions of the runtime.
CudaError cudaMemcpy(void *to, const void *from, size_t bytes, CudaCopyKind kind);
CudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, CudaCopyKind kind,
                          CudaStream stream);
CudaError cudaMemcpy3D(const CudaCopy3D *parameters);
CudaError cudaMemcpy3DAsync(const CudaCopy3D *parameters, CudaStream stream);

// A layout of CUDA's.
typedef struct CudaPeerCopy3D {
    CudaArray source_array;
    CudaPosition source_position;
    CudaPitched source;
    int source_device;
    CudaArray target_array;
    CudaPosition target_position;
    CudaPitched target;
    int target_device;
    CudaExtent extent;
} CudaPeerCopy3D;
_Static_assert(sizeof(CudaPeerCopy3D) == 168, "the layout is CUDA's");

static CudaError check(int target, int source)
{
    if (!target && !source) return cudaSuccess;
    cudart_enter(CALL_HOST);
    return cudart_leave(cudaErrorInvalidDevice);
}

CUDART_API CudaError cudaMemcpyPeerAsync(void *to, int target, const void *from, int source,
                                         size_t bytes, CudaStream stream)
{
    CudaError code = check(target, source);
    return code ? code : cudaMemcpyAsync(to, from, bytes, CUDA_DEVICE_TO_DEVICE, stream);
}

CUDART_API CudaError cudaMemcpyPeer(void *to, int target, const void *from, int source,
                                    size_t bytes)
{
    CudaError code = check(target, source);
    return code ? code : cudaMemcpy(to, from, bytes, CUDA_DEVICE_TO_DEVICE);
}

static CudaCopy3D plain(const CudaPeerCopy3D *p)
{
    return (CudaCopy3D){
        .source_array = p->source_array,
        .source_position = p->source_position,
        .source = p->source,
        .target_array = p->target_array,
        .target_position = p->target_position,
        .target = p->target,
        .extent = p->extent,
        .kind = CUDA_DEVICE_TO_DEVICE,
    };
}

CUDART_API CudaError cudaMemcpy3DPeer(const CudaPeerCopy3D *p)
{
    CudaError code = p ? check(p->target_device, p->source_device) : cudaMemcpy3D(NULL);
    if (code) return code;
    CudaCopy3D copy = plain(p);
    return cudaMemcpy3D(&copy);
}
CUDART_ALIAS(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer);

CUDART_API CudaError cudaMemcpy3DPeerAsync(const CudaPeerCopy3D *p, CudaStream stream)
{
    CudaError code = p ? check(p->target_device, p->source_device) : cudaMemcpy3D(NULL);
    if (code) return code;
    CudaCopy3D copy = plain(p);
    return cudaMemcpy3DAsync(&copy, stream);
}
CUDART_ALIAS(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync);
