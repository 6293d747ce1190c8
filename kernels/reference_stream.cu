// Reference kernel, exactly as it was run on GPGPU-Sim for the comparison in docs/validation.md
// (there: reference/gpgpusim/stream.cu).
#include "heddle.cuh"

// Streaming copy that overflows a 768 KB L2: n = 2^20 floats, block 256, grid 4096; arrays
// allocated in the order in, out; L2 cold.
__global__ void stream_copy(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
