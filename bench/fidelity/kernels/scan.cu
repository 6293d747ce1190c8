// Inclusive sums within blocks of 256 elements (Hillis and Steele), and the sums of whole blocks.
extern "C" __global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums)
{
    __shared__ unsigned part[2][256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, from = 0;
    part[0][t] = in[i];
    __syncthreads();
    for (int step = 1; step < 256; step <<= 1) {
        part[1 - from][t] = part[from][t] + (t >= step ? part[from][t - step] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[i] = part[from][t];
    if (t == 255) sums[blockIdx.x] = part[from][t];
}

// Adds the inclusive sum of all blocks before.
extern "C" __global__ void scan_add(unsigned *out, const unsigned *sums)
{
    if (blockIdx.x > 0) out[blockIdx.x * 256 + threadIdx.x] += sums[blockIdx.x - 1];
}
