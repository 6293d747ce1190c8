// Sums of blocks of 256 threads, each of which adds elements a grid apart.
extern "C" __global__ void reduce(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned part[256];
    unsigned sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
