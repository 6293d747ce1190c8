// Pi by random points: the host program.
#include "base/bits.h"
#include "workloads/kernels.h"
#include "workloads/program.h"

enum { POINTS, THREADS, SEED };

static const HdParameter parameters[] = {
    [POINTS] = {.name = "points", .description = "random points", .value = 100000, .min = 1,
                .max = INT32_MAX, .kind = HD_WHOLE},
    [THREADS] = {.name = "threads",
                 .description = "of the grid, which share the points; each has a random generator",
                 .value = 24960, .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [SEED] = WORKLOAD_SEED("of the points: the generators' key"),
    {0},
};

enum { STATE_BYTES = 48 }; // of a generator, as in kernels/pi.cu

// ---- checking ----

// Draw number `draw` of a thread's generator: Philox4x32-10, with the products in halves.
static void philox(uint32_t seed, uint32_t thread, uint32_t draw, uint32_t word[4])
{
    static const uint32_t factor[2] = {0xd2511f53, 0xcd9e8d57};
    static const uint32_t step[2] = {0x9e3779b9, 0xbb67ae85};
    uint32_t key[2] = {seed, 0};
    word[0] = draw;
    word[1] = word[3] = 0;
    word[2] = thread;
    for (int round = 0; round < 10; round++) {
        uint32_t high[2], low[2];
        for (int i = 0; i < 2; i++) {
            uint64_t product = (uint64_t)factor[i] * word[2 * i];
            high[i] = (uint32_t)(product >> 32);
            low[i] = (uint32_t)product;
        }
        for (int i = 0; i < 2; i++) {
            word[2 * i] = high[!i] ^ word[2 * i + 1] ^ key[i];
            key[i] += step[i];
        }
        word[1] = low[1];
        word[3] = low[0];
    }
}

// A square as a float. The square is exact in doubles, so that it is rounded once.
static float square(uint32_t word)
{
    double x = (word >> 8) * 0x1p-24;
    return (float)(x * x);
}

// Checks each block's count, by the same points in the order of threads.
static void check(Program *program, const uint32_t *count, uint32_t blocks)
{
    uint32_t points = (uint32_t)program->input->parameters[POINTS];
    uint32_t threads = (uint32_t)program->input->parameters[THREADS];
    uint32_t seed = (uint32_t)program->input->parameters[SEED], block = program->block;
    uint64_t all = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t expected = 0;
        for (uint32_t t = b * block; t < (b + 1) * block && t < threads; t++)
            for (uint64_t i = t, number = 0; i < points; i += threads, number++) {
                uint32_t word[4], *point = &word[number % 2 * 2];
                philox(seed, t, (uint32_t)(number / 2), word);
                // The sum of two floats from 2^-48 to 1 is exact in doubles.
                expected += (float)((double)square(point[0]) + square(point[1])) < 1;
            }
        if (count[b] != expected)
            program_mismatch(program, "count[%u] is %u: expected %u", b, count[b], expected);
        all += count[b];
    }
    program_answer(program, "inside", all);
    program_answer_real(program, "pi", 4. * (double)all / points);
}

// ---- the run ----

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t points = (uint32_t)input->parameters[POINTS];
    uint32_t threads = (uint32_t)input->parameters[THREADS];
    uint32_t blocks = (uint32_t)divide_up(threads, input->block);
    uint32_t *count = program_scratch(&program, blocks, sizeof *count);
    HdAddress to_state = program_array(&program, "state", NULL, (uint64_t)threads * STATE_BYTES);
    HdAddress to_count = program_words(&program, "count", blocks, 0);
    PROGRAM_LAUNCH(&program, "pi_start", threads, (WorkCounters){.active_vertices = threads},
                   hd_buffer(to_state), hd_u32((uint32_t)input->parameters[SEED]),
                   hd_i32((int32_t)threads));
    PROGRAM_LAUNCH(&program, "pi_count", threads, (WorkCounters){.active_vertices = points},
                   hd_buffer(to_state), hd_buffer(to_count), hd_i32((int32_t)points),
                   hd_i32((int32_t)threads));
    if (program_read(&program, count, to_count, blocks * sizeof *count))
        check(&program, count, blocks);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", pi, run, "CUDA SDK, MC_EstimatePiInlineP (PEst of khairy2015)",
        "one random generator per thread, in memory; a block's counts meet in shared memory"),
    {0},
};

const Workload workload_pi = {
    .name = "pi",
    .doc = "estimates pi by random points in the unit square",
    .answer = "inside: points in the circle; pi: the estimate",
    .check = "each block's count, exactly, with the CPU's count of the same points",
    .block = 128,
    .small = "points=4000 threads=1000",
    .implementations = implementations,
    .parameters = parameters,
};
