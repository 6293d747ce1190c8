// Gravity between all pairs of bodies, in tiles of float4 in shared memory.
#include "check.h"

enum { BODIES = 256, TILE = 64 };
#define SOFTENING 0.01f

__device__ float3 pull(float4 a, float4 b, float3 sum)
{
    float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    float near = rsqrtf(x * x + y * y + z * z + SOFTENING);
    float strength = b.w * near * near * near;
    return make_float3(sum.x + x * strength, sum.y + y * strength, sum.z + z * strength);
}

__global__ void forces(const float4 *bodies, float3 *out, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 mine = bodies[i];
    float3 sum = make_float3(0, 0, 0);
    for (int start = 0; start < n; start += TILE) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; k++) sum = pull(mine, tile[k], sum);
        __syncthreads();
    }
    out[i] = sum;
}

int main()
{
    std::vector<float4> bodies(BODIES);
    Random random(5);
    for (float4 &b : bodies) b = make_float4(random.unit(), random.unit(), random.unit(), 1.0f);
    Buffer<float4> in(bodies);
    Buffer<float3> out(BODIES);
    forces<<<BODIES / TILE, TILE>>>(in, out, BODIES);
    LAUNCHED();
    std::vector<float3> got = out.get();
    std::vector<double> have, wanted;
    for (int i = 0; i < BODIES; i++) {
        double sum[3] = {0, 0, 0};
        for (int k = 0; k < BODIES; k++) {
            double x = bodies[k].x - bodies[i].x, y = bodies[k].y - bodies[i].y,
                   z = bodies[k].z - bodies[i].z;
            double square = x * x + y * y + z * z + SOFTENING,
                   strength = 1 / (square * sqrt(square));
            sum[0] += x * strength, sum[1] += y * strength, sum[2] += z * strength;
        }
        wanted.insert(wanted.end(), sum, sum + 3);
        have.push_back(got[i].x), have.push_back(got[i].y), have.push_back(got[i].z);
    }
    double apart = difference(have, wanted);
    return verdict(apart < 1e-3, "%d bodies, difference %.1e", BODIES, apart);
}
