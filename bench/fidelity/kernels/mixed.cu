// A chain of every kind of arithmetic, in types of different latencies, that neighbouring warps
// issue against each other.
extern "C" __global__ void mixed(const int *in, int *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = in[i], b = a ^ 0x5bd1, c = i;
    float f = (float)(a & 1023) + 1.5f, g = f * 0.5f, h = 2.0f;
    double d = (double)a, e = 1.25;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        a = a * 31 + b;
        b = max(b, a) - (c >> 2);
        f = f * 1.0001f + g;
        c = abs(c - b) % 127 + (a & 15);
        g = fminf(fabsf(f - h), 1000.0f);
        d = d * 0.99 + e;
        h = __frcp_rn(g + 1.0f) - f;
        e = fmax(e, d - 3.0);
        b += (int)h + __popc(a);
        f = __sinf(g) + sqrtf(fabsf(h));
    }
    out[i] = a + b + c + (int)f + (int)g + (int)d + (int)e;
}
