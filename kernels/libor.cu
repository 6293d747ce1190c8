// Value of a portfolio of swaptions on paths of the LIBOR market model, and its sensitivity to the
// last rate by adjoint differentiation, after LIB of GPGPU-Sim's suite (Bakhoda et al., ISPASS
// 2009), a program by Giles. yilmazer2020gw uses it as a regular workload.
//
// A path has an array of forward rates in local memory. Inner loops go through it with a sum on
// which each turn depends. Constants are doubles, and make expressions doubles, where those of the
// published program do.
#include "heddle.cuh"

enum { MOST_RATES = 80, MOST_MATURITIES = 40, MOST_SWAPTIONS = 15 };

// The portfolio, in constant memory. Not const: the published host program copies it there, so that
// its compiler does not know the numbers either.
#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define SWAPS .045f, .05f, .055f
__constant__ int rates = MOST_RATES, maturities = MOST_MATURITIES, swaptions = MOST_SWAPTIONS;
__constant__ float delta = 0.25f; // years between two maturities
__constant__ float volatility[MOST_RATES] = {TEN(.2f), TEN(.2f), TEN(.2f), TEN(.2f),
                                             TEN(.2f), TEN(.2f), TEN(.2f), TEN(.2f)};
__constant__ int swap_length[MOST_SWAPTIONS] = {4,  4,  4,  8,  8,  8,  20, 20,
                                               20, 28, 28, 28, 40, 40, 40};
__constant__ float swap_rate[MOST_SWAPTIONS] = {SWAPS, SWAPS, SWAPS, SWAPS, SWAPS};

// Quotient and exponential function, as the fast functions of CUDA.
HEDDLE_INLINE float quotient(float a, float b) { return __nvvm_div_approx_f(a, b); }
HEDDLE_INLINE float exponential(float x) { return __nvvm_ex2_approx_f(x * 1.442695041f); }

// ---- a path: the rates after each maturity in turn ----

// Rate number i after maturity n; *drift sums up the terms of the rates from n + 1 to i.
HEDDLE_INLINE float next_rate(float rate, int i, int n, float shock, float *drift)
{
    float v = volatility[i - n - 1], step = delta * v;
    *drift += quotient(step * rate, 1.0 + delta * rate);
    return rate * exponential(step * *drift + v * (shock - 0.5 * step));
}

HEDDLE_INLINE void path(float *rate, const float *normal)
{
    for (int n = 0; n < maturities; n++) {
        float shock = __nvvm_sqrt_rn_f(delta) * normal[n], drift = 0;
        for (int i = n + 1; i < rates; i++) rate[i] = next_rate(rate[i], i, n, shock, &drift);
    }
}

// The same. `history` gets the rates at the start, and those after each maturity.
HEDDLE_INLINE void path_stored(float *rate, const float *normal, float *history)
{
    for (int i = 0; i < rates; i++) history[i] = rate[i];
    for (int n = 0; n < maturities; n++) {
        float shock = __nvvm_sqrt_rn_f(delta) * normal[n], drift = 0;
        for (int i = n + 1; i < rates; i++) {
            rate[i] = next_rate(rate[i], i, n, shock, &drift);
            history[i + (n + 1) * rates] = rate[i];
        }
    }
}

// Turns sensitivities to the rates at the end into those to the rates at the start.
HEDDLE_INLINE void path_back(float *sensitivity, const float *history)
{
    for (int n = maturities - 1; n >= 0; n--) {
        float sum = 0;
        for (int i = rates - 1; i > n; i--) {
            float v = volatility[i - n - 1];
            float after = history[i + (n + 1) * rates];
            sum += v * after * sensitivity[i];
            // Loaded here, as published, and so not while the loads before are under way.
            float before = history[i + n * rates];
            float part = quotient(delta, 1.0 + delta * before);
            sensitivity[i] = sensitivity[i] * quotient(after, before) + sum * v * part * part;
        }
    }
}

// ---- the portfolio's value on a path ----

// The discount of a payment at the last maturity.
HEDDLE_INLINE float discounted(const float *rate)
{
    float bond = 1;
    for (int n = 0; n < maturities; n++) bond = bond / (1.0 + delta * rate[n]);
    return bond;
}

HEDDLE_INLINE float portfolio(const float *rate)
{
    float bonds[MOST_MATURITIES], annuities[MOST_MATURITIES];
    float bond = 1, annuity = 0, value = 0;
    for (int n = maturities; n < rates; n++) {
        bond = bond / (1.0 + delta * rate[n]);
        annuity += delta * bond;
        bonds[n - maturities] = bond;
        annuities[n - maturities] = annuity;
    }
    for (int k = 0; k < swaptions; k++) {
        int m = swap_length[k] - 1;
        float swap = bonds[m] + swap_rate[k] * annuities[m] - 1.0;
        if (swap < 0) value += -100.0 * swap;
    }
    return discounted(rate) * value;
}

// The same, and replaces the rates by the value's sensitivities to them. The published program
// divides by the sensitivity of a rate that it has just replaced; this has no effect on what it
// stores. Here it is the rate.
HEDDLE_INLINE float portfolio_back(float *rate)
{
    float bonds[MOST_MATURITIES], annuities[MOST_MATURITIES];
    float to_bonds[MOST_MATURITIES], to_annuities[MOST_MATURITIES];
    float bond = 1, annuity = 0, value = 0;
    for (int m = 0; m < rates - maturities; m++) {
        bond = quotient(bond, 1.0 + delta * rate[m + maturities]);
        annuity += delta * bond;
        bonds[m] = bond;
        annuities[m] = annuity;
    }
    for (int m = 0; m < rates - maturities; m++) to_bonds[m] = to_annuities[m] = 0;
    for (int k = 0; k < swaptions; k++) {
        int m = swap_length[k] - 1;
        float swap = bonds[m] + swap_rate[k] * annuities[m] - 1.0;
        if (swap < 0) {
            value += -100 * swap;
            to_annuities[m] += -100 * swap_rate[k];
            to_bonds[m] += -100;
        }
    }
    for (int m = rates - maturities - 1; m >= 0; m--) {
        float growth = 1.0 + delta * rate[m + maturities];
        to_bonds[m] += delta * to_annuities[m];
        rate[m + maturities] = -to_bonds[m] * bonds[m] * quotient(delta, growth);
        if (m > 0) {
            to_annuities[m - 1] += to_annuities[m];
            to_bonds[m - 1] += quotient(to_bonds[m], growth);
        }
    }
    bond = discounted(rate);
    value = bond * value;
    for (int n = 0; n < maturities; n++) rate[n] = -value * delta / (1.0 + delta * rate[n]);
    for (int n = maturities; n < rates; n++) rate[n] = bond * rate[n];
    return value;
}

// ---- kernels: a thread takes each thread_count()-th path ----

HEDDLE_INLINE void start(float *rate, float *normal, float first_rate, float first_normal)
{
    for (int i = 0; i < rates; i++) {
        normal[i] = first_normal;
        rate[i] = first_rate;
    }
}

__global__ void libor_value(float *value, float first_rate, float first_normal, int paths)
{
    float rate[MOST_RATES], normal[MOST_RATES];
    for (int i = thread_index(); i < paths; i += thread_count()) {
        start(rate, normal, first_rate, first_normal);
        path(rate, normal);
        value[i] = portfolio(rate);
    }
}

__global__ void libor_sensitivity(float *value, float *sensitivity, float first_rate,
                                  float first_normal, int paths)
{
    float rate[MOST_RATES], normal[MOST_RATES], history[MOST_RATES * (MOST_MATURITIES + 1)];
    for (int i = thread_index(); i < paths; i += thread_count()) {
        start(rate, normal, first_rate, first_normal);
        path_stored(rate, normal, history);
        value[i] = portfolio_back(rate);
        path_back(rate, history);
        sensitivity[i] = rate[MOST_RATES - 1];
    }
}
