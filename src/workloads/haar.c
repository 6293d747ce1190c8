// Discrete wavelet decomposition by Haar's wavelets: the host program, a launch for the levels that
// a block can do.
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { ELEMENTS, SEED };

enum { BANKS = 16 }; // as in kernels/haar.cu: each has an unused element of shared memory

static const HdParameter parameters[] = {
    [ELEMENTS] = {.name = "elements", .unit = "numbers", .description = "a power of two",
                  .value = 1 << 18, .min = 2, .max = 1 << 26, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

// Roundings of a term in one level: the factor, which is a float, the sum and the product.
enum { ROUNDINGS = 3 };

// The decomposition in doubles, one level at a time.
static void check(Program *program, const float *in, const float *out, uint32_t elements)
{
    FloatSum *mean = program_scratch(program, elements, sizeof *mean);
    if (!mean) return;
    double count = 1; // of the doubles
    for (uint32_t i = 0; i < elements; i++) float_sum_add(&mean[i], in[i]);
    for (uint32_t half = elements / 2; half; half /= 2) {
        count += ROUNDINGS;
        for (uint32_t i = 0; i < half; i++) {
            FloatSum left = mean[2 * i], right = mean[2 * i + 1], detail = {0};
            float_sum_add_times(&detail, left, M_SQRT1_2);
            float_sum_add_times(&detail, right, -M_SQRT1_2);
            floats_check(program, "out", half + i, out[half + i], detail, count);
            mean[i] = (FloatSum){0};
            float_sum_add_times(&mean[i], left, M_SQRT1_2);
            float_sum_add_times(&mean[i], right, M_SQRT1_2);
        }
    }
    floats_check(program, "out", 0, out[0], mean[0], count);
}

static void decompose(Program *program, HdAddress in, HdAddress out, HdAddress rest,
                      uint32_t elements)
{
    float *blocks_rest = program_scratch(program, elements, sizeof *blocks_rest);
    for (uint32_t half = elements / 2; program->ok && half;) { // a thread for two elements
        if (program->block > half) program->block = half;
        uint32_t block = program->block, blocks = half / block;
        program->dynamic_shared = (2 * block + 2 * block / BANKS) * sizeof(float);
        PROGRAM_LAUNCH(program, "haar_levels", half, (WorkCounters){.active_vertices = 2 * half},
                       hd_buffer(in), hd_buffer(out), hd_buffer(rest),
                       hd_i32((int32_t)log2_floor(2 * block)), hd_i32((int32_t)half));
        // The blocks' last approximations are the next launch's signal, or the first element.
        uint64_t bytes = blocks * sizeof *blocks_rest;
        program_read(program, blocks_rest, rest, bytes);
        program_write(program, blocks > 1 ? in : out, blocks_rest, bytes);
        half = blocks / 2;
    }
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t elements = (uint32_t)input->parameters[ELEMENTS];
    if (!is_power_of_two(elements))
        program_fail(&program, "--param elements=%u: expected a power of two", elements);
    if (!is_power_of_two(input->block))
        program_fail(&program, "blocks of %u threads have no whole number of levels: expected "
                               "--block to be a power of two", input->block);
    uint64_t bytes = (uint64_t)elements * sizeof(float);
    HdAddress to_in = 0;
    float *in = floats_array(&program, (uint64_t)input->parameters[SEED], 0, "in", elements,
                             &to_in);
    float *out = program_scratch(&program, elements, sizeof *out);
    HdAddress to_out = program_array(&program, "out", NULL, bytes);
    HdAddress to_rest = program_array(&program, "rest", NULL, bytes);
    if (program.block > elements / 2) program.block = elements / 2;
    PROGRAM_LAUNCH(&program, "haar_clear", elements / 2,
                   (WorkCounters){.active_vertices = elements / 2}, hd_buffer(to_out));
    decompose(&program, to_in, to_out, to_rest, elements);
    if (program_read(&program, out, to_out, bytes)) check(&program, in, out, elements);
    floats_answer(&program, out, elements);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("block", haar, run, "CUDA SDK, dwtHaar1D (DHWD of yilmazer2020gw)",
        "all levels of a block's elements per launch, in shared memory, with fewer threads each"),
    {0},
};

const Workload workload_haar = {
    .name = "haar",
    .doc = "discrete Haar wavelet decomposition of a signal",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .block = 512,
    .small = "elements=4096",
    .implementations = implementations,
    .parameters = parameters,
};
