// Seven points in three dimensions, without shared memory: neighbours come from the L1.
extern "C" __global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float a,
                                   float b)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    for (int z = 1; z < nz - 1; z++) {
        int i = (z * ny + y) * nx + x;
        out[i] = a * in[i] + b * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] +
                                  in[i - nx * ny] + in[i + nx * ny]);
    }
}
