// a = b + s * c in vectors of four floats: accesses of 16 bytes per lane.
extern "C" __global__ void triad(float4 *a, const float4 *b, const float4 *c, float s, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float4 x = b[i], y = c[i];
        a[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
    }
}
