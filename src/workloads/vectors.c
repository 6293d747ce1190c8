// Vector addition and scalar products: the host programs.
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

// ---- vecadd ----

enum { VECADD_ELEMENTS, VECADD_SEED };

static const HdParameter vecadd_parameters[] = {
    [VECADD_ELEMENTS] = {.name = "elements", .unit = "numbers",
                         .description = "elements per vector", .value = 1 << 20, .min = 1,
                         .max = INT32_MAX, .kind = HD_WHOLE},
    [VECADD_SEED] = FLOATS_SEED,
    {0},
};

static bool vecadd_run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                       HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t n = (uint32_t)input->parameters[VECADD_ELEMENTS];
    uint64_t seed = (uint64_t)input->parameters[VECADD_SEED], bytes = (uint64_t)n * sizeof(float);
    HdAddress to_a = 0, to_b = 0;
    float *a = floats_array(&program, seed, 0, "a", n, &to_a);
    float *b = floats_array(&program, seed, 1, "b", n, &to_b);
    float *sum = program_scratch(&program, n, sizeof *sum);
    HdAddress to_sum = program_array(&program, "sum", NULL, bytes);
    PROGRAM_LAUNCH(&program, "vecadd_add", n, (WorkCounters){.active_vertices = n},
                   hd_buffer(to_a), hd_buffer(to_b), hd_buffer(to_sum), hd_i32((int32_t)n));
    program_read(&program, sum, to_sum, bytes);
    // A sum of two is exact in doubles: it has one result as a float.
    for (uint32_t i = 0; program.ok && i < n; i++)
        bounded_check(&program, "sum", i, sum[i], bounded_exact((float)((double)a[i] + b[i])));
    floats_answer(&program, sum, n);
    return program_end(&program);
}

static const Implementation vecadd_implementations[] = {
    IMPLEMENTATION("thread", vectors, vecadd_run, "CUDA SDK, vectorAdd (VAdd of khairy2015)",
        "one thread per element"),
    {0},
};

const Workload workload_vecadd = {
    .name = "vecadd",
    .doc = "adds two vectors",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "elements=20000",
    .implementations = vecadd_implementations,
    .parameters = vecadd_parameters,
};

// ---- scalarprod ----

enum { PRODUCT_PAIRS, PRODUCT_ELEMENTS, PRODUCT_SEED };

static const HdParameter scalarprod_parameters[] = {
    [PRODUCT_PAIRS] = {.name = "pairs", .description = "pairs of vectors", .value = 256,
                       .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [PRODUCT_ELEMENTS] = {.name = "elements", .unit = "numbers",
                          .description = "elements per vector", .value = 4096, .min = 1,
                          .max = 1 << 28, .kind = HD_WHOLE},
    [PRODUCT_SEED] = FLOATS_SEED,
    {0},
};

// Roundings of a product in the sum: the product, the additions of its thread (counted separately),
// 10 pairwise additions in a block of up to 1,024 threads, and one for the check's sum in doubles.
enum { PRODUCT_ROUNDINGS = 1 + 10 + 1 };

static void check_products(Program *program, const float *a, const float *b, const float *product)
{
    uint32_t pairs = (uint32_t)program->input->parameters[PRODUCT_PAIRS];
    uint32_t elements = (uint32_t)program->input->parameters[PRODUCT_ELEMENTS];
    double roundings = (double)divide_up(elements, program->input->block) + PRODUCT_ROUNDINGS;
    for (uint32_t pair = 0; pair < pairs; pair++) {
        FloatSum right = {0};
        uint64_t start = (uint64_t)pair * elements;
        for (uint32_t i = 0; i < elements; i++)
            float_sum_add(&right, (double)a[start + i] * b[start + i]);
        floats_check(program, "product", pair, product[pair], right, roundings);
    }
}

static bool scalarprod_run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                           HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t pairs = (uint32_t)input->parameters[PRODUCT_PAIRS];
    uint32_t elements = (uint32_t)input->parameters[PRODUCT_ELEMENTS];
    uint64_t seed = (uint64_t)input->parameters[PRODUCT_SEED];
    uint64_t all = floats_cells(&program, "a", pairs, elements);
    HdAddress to_a = 0, to_b = 0;
    float *a = floats_array(&program, seed, 0, "a", all, &to_a);
    float *b = floats_array(&program, seed, 1, "b", all, &to_b);
    float *product = program_scratch(&program, pairs, sizeof *product);
    HdAddress to_product = program_array(&program, "product", NULL, pairs * sizeof *product);
    PROGRAM_LAUNCH(&program, "scalarprod_pairs", (uint64_t)pairs * input->block,
                   (WorkCounters){.active_vertices = all}, hd_buffer(to_a), hd_buffer(to_b),
                   hd_buffer(to_product), hd_i32((int32_t)elements));
    if (program_read(&program, product, to_product, pairs * sizeof *product))
        check_products(&program, a, b, product);
    floats_answer(&program, product, pairs);
    return program_end(&program);
}

static const Implementation scalarprod_implementations[] = {
    IMPLEMENTATION("block", vectors, scalarprod_run, "CUDA SDK, scalarProd (Sprod of khairy2015)",
        "one block per pair of vectors, whose threads' sums meet in shared memory"),
    {0},
};

const Workload workload_scalarprod = {
    .name = "scalarprod",
    .doc = "scalar products of pairs of vectors",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "pairs=16 elements=1024",
    .implementations = scalarprod_implementations,
    .parameters = scalarprod_parameters,
};
