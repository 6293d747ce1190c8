// Every thread follows its own chain of indices.
extern "C" __global__ void chase(const unsigned *next, unsigned *end, int steps)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, at = t * 32;
#pragma unroll 1
    for (int i = 0; i < steps; i++) at = next[at];
    end[t] = at;
}
