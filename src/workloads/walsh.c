// Fast Walsh transform: the host program. Numbers have so few bits that every sum is exact, so that
// each element of the answer has one right value.
#include "workloads/floats.h"
#include "workloads/kernels.h"

// Parts of at most 2^11 elements are transformed in shared memory, as in the CUDA SDK sample.
enum { ELEMENTS, SEED, MOST_LOG2 = 23, PART_LOG2 = 11 };

static const HdParameter parameters[] = {
    [ELEMENTS] = {.name = "elements", .unit = "numbers", .description = "a power of two",
                  .value = 1 << 20, .min = 1, .max = 1 << MOST_LOG2, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

// Rounds drawn numbers to multiples of 2^(log2 - 23). All sums are then smaller than 2^24 such
// units. With seed 0 they are whole numbers of at most 2^24.
static void round_numbers(float *values, uint32_t elements, unsigned log2)
{
    float units = (float)(1u << (MOST_LOG2 - log2));
    for (uint32_t i = 0; values && i < elements; i++) values[i] = rintf(values[i] * units) / units;
}

// The transform in doubles, one stage at a time from the shortest distance to the longest: the
// opposite order of the kernels'.
static void check(Program *program, const float *before, const float *values, uint32_t elements)
{
    double *expected = program_scratch(program, elements, sizeof *expected);
    if (!expected) return;
    for (uint32_t i = 0; i < elements; i++) expected[i] = before[i];
    for (uint32_t apart = 1; apart < elements; apart *= 2)
        for (uint32_t i = 0; i < elements; i++) {
            if (i & apart) continue;
            double a = expected[i], b = expected[i + apart];
            expected[i] = a + b;
            expected[i + apart] = a - b;
        }
    for (uint32_t i = 0; i < elements; i++)
        bounded_check(program, "values", i, values[i], bounded_exact(expected[i]));
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t elements = (uint32_t)input->parameters[ELEMENTS];
    unsigned log2 = 0;
    while (elements >> log2 > 1) log2++;
    if (elements != 1u << log2)
        program_fail(&program, "--param elements=%u: expected a power of two", elements);
    uint64_t bytes = (uint64_t)elements * sizeof(float);
    float *before = floats_draw(&program, (uint64_t)input->parameters[SEED], 0, elements);
    round_numbers(before, elements, log2);
    float *values = program_scratch(&program, elements, sizeof *values);
    HdAddress to_values = program_array(&program, "values", before, bytes);
    WorkCounters work = {.active_vertices = elements};
    unsigned rest = log2;
    for (; rest > PART_LOG2; rest -= 2)
        PROGRAM_LAUNCH(&program, "walsh_pass", elements / 4, work, hd_buffer(to_values),
                       hd_i32(1 << (rest - 2)), hd_i32((int32_t)elements));
    program.dynamic_shared = sizeof(float) << rest;
    PROGRAM_LAUNCH(&program, "walsh_part", (uint64_t)(elements >> rest) * input->block, work,
                   hd_buffer(to_values), hd_i32(1 << rest));
    if (program_read(&program, values, to_values, bytes))
        check(&program, before, values, elements);
    floats_answer(&program, values, elements);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("radix4", walsh, run, "CUDA SDK, fastWalshTransform (FWT of khairy2015)",
        "two stages per launch over the whole array, then one block per part in shared memory"),
    {0},
};

const Workload workload_walsh = {
    .name = "walsh",
    .doc = "fast Walsh transform of a vector",
    .answer = SUM_AND_GREATEST,
    .check = "each element, exactly: the numbers are rounded so that all sums are exact in floats",
    .small = "elements=8192",
    .implementations = implementations,
    .parameters = parameters,
};
