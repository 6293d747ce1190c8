// Prices of European options by the formula of Black and Scholes, after the CUDA SDK sample
// BlackScholes. khairy2015 uses it as a streaming workload, because no element is read twice.
#include "heddle.cuh"

// As the sample's fast functions, by PTX's approximations for powers of two.
HEDDLE_INLINE float exponential(float x) { return __nvvm_ex2_approx_f(x * 1.442695041f); }
HEDDLE_INLINE float logarithm(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471806f; }

// The distribution function of the normal distribution, by the polynomial 26.2.17 of Abramowitz and
// Stegun. Without rounding its error is below 7.5e-8.
HEDDLE_INLINE float normal(float d)
{
    float k = 1 / (1 + 0.2316419f * __builtin_fabsf(d));
    float tail = 0.3989422804f * exponential(-0.5f * d * d) *
                 (k * (0.31938153f +
                       k * (-0.356563782f +
                            k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

// A thread takes each thread_count()-th option.
__global__ void blackscholes_price(const float *__restrict__ stock,
                                   const float *__restrict__ strike,
                                   const float *__restrict__ years, float *__restrict__ call,
                                   float *__restrict__ put, float rate, float volatility,
                                   int options)
{
    for (int i = thread_index(); i < options; i += thread_count()) {
        float now = stock[i], then = strike[i], time = years[i];
        float spread = volatility * __nvvm_sqrt_rn_f(time);
        float d1 =
            (logarithm(now / then) + (rate + 0.5f * volatility * volatility) * time) / spread;
        float below1 = normal(d1), below2 = normal(d1 - spread);
        float discounted = then * exponential(-rate * time);
        call[i] = now * below1 - discounted * below2;
        put[i] = discounted * (1 - below2) - now * (1 - below1);
    }
}
