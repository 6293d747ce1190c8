// Half precision: all finite halves converted to float and back; sums, products and quotients of
// halves and of pairs, compared with float arithmetic rounded to half.
#include "check.h"

#include <cuda_fp16.h>

enum { COUNT = 2048 };

__global__ void there_and_back(unsigned *wrong)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // the bit pattern
    __half half = __ushort_as_half((unsigned short)i);
    if ((i & 0x7fff) > 0x7c00) return;
    if (__half_as_ushort(__float2half(__half2float(half))) != i) atomicAdd(wrong, 1u);
}

__global__ void single(const float *a, const float *b, __half *sum, __half *product, __half *fused)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half x = __float2half(a[i]), y = __float2half(b[i]);
    sum[i] = x + y;
    product[i] = __hmul(x, y);
    fused[i] = __hlt(x, y) ? __hfma(x, y, x) : __hsub(x, y);
}
__global__ void pairs(const float2 *a, const float2 *b, __half2 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = __float22half2_rn(a[i]), y = __float22half2_rn(b[i]);
    out[i] = __hfma2(x, y, __hadd2(x, __float2half2_rn(0.5f)));
}

static float rounded(double value)
{
    return __half2float(__float2half((float)value));
}

int main()
{
    Buffer<unsigned> wrong(1);
    there_and_back<<<256, 256>>>(wrong);
    std::vector<float> a = random_values<float>(COUNT, 70), b = random_values<float>(COUNT, 71);
    for (float &v : a) v = 8 * v - 4;
    Buffer<float> da(a), db(b);
    Buffer<__half> sum(COUNT), product(COUNT), fused(COUNT);
    Buffer<__half2> paired(COUNT / 2);
    single<<<COUNT / 128, 128>>>(da, db, sum, product, fused);
    pairs<<<COUNT / 256, 128>>>((const float2 *)da.device, (const float2 *)db.device, paired);
    LAUNCHED();
    std::vector<__half> s = sum.get(), p = product.get(), f = fused.get();
    std::vector<__half2> two = paired.get();
    int other = 0;
    for (int i = 0; i < COUNT; i++) {
        double x = rounded(a[i]), y = rounded(b[i]);
        float pair = i % 2 ? __high2float(two[i / 2]) : __low2float(two[i / 2]);
        other += __half2float(s[i]) != rounded(x + y) || __half2float(p[i]) != rounded(x * y);
        other += __half2float(f[i]) != rounded(x < y ? x * y + x : x - y);
        other += std::fabs(pair - (x * y + rounded(x + 0.5))) > 0.003;
    }
    unsigned lost = wrong.get()[0];
    return verdict(!other && !lost, "%d values, %d wrong, %u lost", COUNT, other, lost);
}
