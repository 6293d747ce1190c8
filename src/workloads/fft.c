// Fast Fourier transforms: the host program. The check transforms in doubles, by decimation in
// frequency, and has a bound for the error of each signal's transform as a whole (its 2-norm).
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

#include <complex.h>

enum { TRANSFORMS, SEED };

static const HdParameter parameters[] = {
    [TRANSFORMS] = {.name = "transforms", .value = 1024, .min = 1, .max = 1 << 20,
                    .description = "signals, each with two elements per thread of a block",
                    .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

// ---- checking ----

// Largest error of cos.approx and sin.approx for angles up to 2 pi, as the PTX manual states it.
// Heddle's own are smaller (exec/approx.h).
#define APPROXIMATE_ERROR 0x1.6a09e7p-21 // 2^-20.5

// What a stage adds to the relative error of a transform (Higham, Accuracy and Stability of
// Numerical Algorithms, section 24.1). Without errors a stage multiplies the 2-norm by sqrt(2). A
// root of unity is off by the functions' errors, and by the angle's, which is below pi and
// rounded twice with its constant. A complex product is off by sqrt(2) times two roundings (lemma
// 3.5 there), with or without a fused operation, and a sum by one.
static double stage_part(void)
{
    double root = M_SQRT2 * APPROXIMATE_ERROR + M_PI * rounding_part(2);
    double product = M_SQRT2 * rounding_part(2);
    return (1 + root) * (1 + product) * (1 + BOUNDED_UNIT) - 1;
}

// Transforms `points` elements; element i of the transform ends at the place of i's reversed bits.
static void transform(double complex *x, uint32_t points, const double complex *roots)
{
    for (uint32_t half = points / 2; half; half /= 2)
        for (uint32_t start = 0; start < points; start += 2 * half)
            for (uint32_t i = start; i < start + half; i++) {
                double complex a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = (a - b) * roots[(i - start) * (points / 2 / half)];
            }
}

static uint32_t reversed(uint32_t bits, unsigned count)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < count; i++) result = result << 1 | (bits >> i & 1);
    return result;
}

static void check(Program *program, const float *in, const float *out, uint32_t transforms,
                  uint32_t points)
{
    double complex *x = program_scratch(program, points, sizeof *x);
    double complex *roots = program_scratch(program, points / 2, sizeof *roots);
    if (!program->ok) return;
    unsigned stages = log2_floor(points);
    double part = expm1(stages * log1p(stage_part()));
    for (uint32_t i = 0; i < points / 2; i++) roots[i] = cexp(-2 * M_PI * I * i / points);
    for (uint32_t t = 0; t < transforms; t++, in += 2 * points, out += 2 * points) {
        for (uint32_t i = 0; i < points; i++) x[i] = in[2 * i] + I * in[2 * i + 1];
        transform(x, points, roots);
        double norm = 0, off = 0;
        for (uint32_t i = 0; i < points; i++) {
            double complex expected = x[reversed(i, stages)];
            double re = out[2 * i] - creal(expected), im = out[2 * i + 1] - cimag(expected);
            norm += creal(expected) * creal(expected) + cimag(expected) * cimag(expected);
            off += re * re + im * im;
        }
        double most = part * sqrt(norm) + points * FLOAT_LOST;
        if (!(sqrt(off) <= most))
            program_mismatch(program, "transform %u is off by %.3g in the 2-norm: expected at most "
                                      "%.3g", t, sqrt(off), most);
    }
}

// ---- the run ----

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t transforms = (uint32_t)input->parameters[TRANSFORMS], points = 2 * input->block;
    if (!is_power_of_two(points))
        program_fail(&program, "blocks of %u threads transform %u elements: expected --block to be "
                               "a power of two", input->block, points);
    uint64_t numbers = floats_cells(&program, "data", transforms, 2 * points);
    uint64_t bytes = numbers * sizeof(float);
    HdAddress to_data = 0;
    float *in = floats_array(&program, (uint64_t)input->parameters[SEED], 0, "data", numbers,
                             &to_data);
    float *out = program_scratch(&program, numbers, sizeof *out);
    program.dynamic_shared = 2 * points * sizeof(float);
    PROGRAM_LAUNCH(&program, "fft_block", (uint64_t)transforms * input->block,
                   (WorkCounters){.active_vertices = (uint64_t)transforms * points},
                   hd_buffer(to_data));
    if (program_read(&program, out, to_data, bytes)) check(&program, in, out, transforms, points);
    floats_answer(&program, out, numbers);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("radix2", fft, run, "Parboil, fft (FFT of yilmazer2020gw)",
        "one block per signal; elements change threads through shared memory after each stage"),
    {0},
};

const Workload workload_fft = {
    .name = "fft",
    .doc = "fast Fourier transforms of many short signals",
    .answer = SUM_AND_GREATEST,
    .check = "each signal, by a bound of its error's 2-norm (Higham, section 24.1)",
    .block = 128,
    .small = "transforms=4",
    .implementations = implementations,
    .parameters = parameters,
};
