// A radix-2 Fourier transform: bit reversal, one launch per stage, and the inverse.
#include "check.h"

#include <complex>

enum { BITS = 9, COUNT = 1 << BITS, THREADS = 128 };

__global__ void reverse(const float2 *in, float2 *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[__brev(i) >> (32 - BITS)] = in[i];
}

__global__ void stage(float2 *data, int half, float sign)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = i % half, low = i / half * 2 * half + k;
    float s, c;
    sincospif(sign * (float)k / (float)half, &s, &c);
    float2 a = data[low], b = data[low + half];
    float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    data[low] = make_float2(a.x + t.x, a.y + t.y);
    data[low + half] = make_float2(a.x - t.x, a.y - t.y);
}

static void transform(const float2 *in, float2 *out, float sign)
{
    reverse<<<COUNT / THREADS, THREADS>>>(in, out);
    for (int half = 1; half < COUNT; half *= 2)
        stage<<<COUNT / 2 / THREADS, THREADS>>>(out, half, sign);
    LAUNCHED();
}

int main()
{
    std::vector<float2> signal(COUNT);
    Random random(10);
    for (float2 &v : signal) v = make_float2(random.unit() - 0.5f, random.unit() - 0.5f);
    Buffer<float2> in(signal), out(COUNT), back(COUNT);
    transform(in, out, -1.0f);
    transform(out, back, 1.0f);
    std::vector<float2> got = out.get(), again = back.get();
    double apart = 0, round_trip = 0;
    for (int k = 0; k < COUNT; k++) {
        std::complex<double> sum = 0;
        for (int i = 0; i < COUNT; i++)
            sum += std::complex<double>(signal[i].x, signal[i].y) *
                   std::polar(1.0, -2 * M_PI * (double)(i * k % COUNT) / COUNT);
        apart = std::max(apart, std::abs(sum - std::complex<double>(got[k].x, got[k].y)));
        round_trip = std::max(round_trip, (double)std::fabs(again[k].x / COUNT - signal[k].x));
    }
    return verdict(apart < 1e-4 && round_trip < 1e-6,
                   "%d points, difference %.1e, there and back %.1e", COUNT, apart, round_trip);
}
