// Bitonic sort of 512 elements per block of 256 threads in shared memory.
extern "C" __global__ void sort(unsigned *data)
{
    __shared__ unsigned key[512];
    unsigned t = threadIdx.x, base = blockIdx.x * 512;
    key[t] = data[base + t];
    key[t + 256] = data[base + t + 256];
    for (unsigned size = 2; size <= 512; size <<= 1)
        for (unsigned step = size >> 1; step > 0; step >>= 1) {
            __syncthreads();
            unsigned low = 2 * t - (t & (step - 1)), high = low + step;
            bool up = (low & size) == 0;
            unsigned a = key[low], b = key[high];
            if ((a > b) == up) {
                key[low] = b;
                key[high] = a;
            }
        }
    __syncthreads();
    data[base + t] = key[t];
    data[base + t + 256] = key[t + 256];
}
