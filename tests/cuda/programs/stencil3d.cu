// A 3D stencil of seven points: each thread goes up a column and keeps the values below and above
// in registers.
#include "check.h"

enum { NX = 32, NY = 16, NZ = 12 };

__global__ void stencil(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
    int plane = nx * ny, at = y * nx + x;
    float below = in[at], here = in[at + plane];
    for (int z = 1; z < nz - 1; z++) {
        at += plane;
        float above = in[at + plane];
        out[at] = 0.4f * here +
                  0.1f * (below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
        below = here;
        here = above;
    }
}

int main()
{
    std::vector<float> in = random_values<float>(NX * NY * NZ, 3), wanted(in.size());
    Buffer<float> from(in), to(in.size());
    dim3 threads(16, 4), blocks(NX / 16, NY / 4);
    stencil<<<blocks, threads>>>(from, to, NX, NY, NZ);
    LAUNCHED();
    for (int z = 1; z < NZ - 1; z++)
        for (int y = 1; y < NY - 1; y++)
            for (int x = 1; x < NX - 1; x++) {
                int at = (z * NY + y) * NX + x;
                wanted[at] =
                    0.4f * in[at] + 0.1f * (in[at - NX * NY] + in[at + NX * NY] + in[at - 1] +
                                            in[at + 1] + in[at - NX] + in[at + NX]);
            }
    double apart = difference(to.get(), wanted);
    return verdict(apart < 1e-6, "%d x %d x %d, difference %.1e", NX, NY, NZ, apart);
}
