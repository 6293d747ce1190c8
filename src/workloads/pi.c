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

enum { STATE_BYTES = 48 }; // of a generator, as in kernels/pi.cu and kernels/pi_published.cu

// ---- points, one generator after the other ----

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

// Whether a point is in the quarter circle. The sum of two floats from 2^-48 to 1 is exact in
// doubles.
static bool inside(uint32_t x, uint32_t y)
{
    return (float)((double)square(x) + square(y)) < 1;
}

// The points of a thread, every `threads`-th one from its own on, that are inside.
static uint32_t philox_inside(const Program *program, uint32_t thread)
{
    uint32_t points = (uint32_t)program->input->parameters[POINTS], found = 0;
    uint32_t threads = (uint32_t)program->input->parameters[THREADS];
    uint32_t seed = (uint32_t)program->input->parameters[SEED];
    for (uint64_t i = thread, number = 0; i < points; i += threads, number++) {
        uint32_t word[4], *point = &word[number % 2 * 2];
        philox(seed, thread, (uint32_t)(number / 2), word);
        found += inside(point[0], point[1]);
    }
    return found;
}

// ---- xorwow (Marsaglia, 2003), in parts of 2^67 numbers, as curand has it ----

enum { WORDS = 5, BITS = 32 * WORDS, PART_LOG2 = 67, COUNTER_STEP = 362437,
       DIGITS = 12 }; // of four, of a thread's number

typedef struct Words {
    uint32_t word[WORDS];
} Words;

// A linear map of the words' bits: what each bit contributes.
typedef struct BitMatrix {
    Words row[BITS];
} BitMatrix;

// The next words; the oldest is the first.
static Words step(Words s)
{
    uint32_t mixed = s.word[0] ^ s.word[0] >> 2, last = s.word[WORDS - 1];
    for (int i = 0; i + 1 < WORDS; i++) s.word[i] = s.word[i + 1];
    s.word[WORDS - 1] = last ^ last << 4 ^ mixed ^ mixed << 1;
    return s;
}

static Words multiply(const BitMatrix *matrix, Words s)
{
    Words product = {0};
    for (int bit = 0; bit < BITS; bit++)
        if (s.word[bit / 32] >> bit % 32 & 1)
            for (int k = 0; k < WORDS; k++) product.word[k] ^= matrix->row[bit].word[k];
    return product;
}

static BitMatrix squared(const BitMatrix *matrix)
{
    BitMatrix result;
    for (int bit = 0; bit < BITS; bit++) result.row[bit] = multiply(matrix, matrix->row[bit]);
    return result;
}

// Matrix k goes 4^k parts ahead.
static void part_matrices(BitMatrix matrices[DIGITS])
{
    BitMatrix one;
    for (int bit = 0; bit < BITS; bit++) {
        Words unit = {0};
        unit.word[bit / 32] = 1u << bit % 32;
        one.row[bit] = step(unit);
    }
    for (int i = 0; i < PART_LOG2; i++) one = squared(&one);
    for (int k = 0; k < DIGITS; k++) {
        matrices[k] = one;
        BitMatrix two = squared(&one);
        one = squared(&two);
    }
}

// The state at the start of the sequence: Marsaglia's, with the seed in its words.
static Words first_words(uint32_t seed)
{
    Words s = {{123456789, 362436069, 521288629, 88675123, 5783321}};
    for (int i = 0; i < WORDS; i++) s.word[i] ^= seed * 0x9e3779b9u >> i;
    return s;
}
#define FIRST_COUNTER 6615241u

static uint32_t xorwow_inside(const Program *program, uint32_t thread, Words s)
{
    uint32_t points = (uint32_t)program->input->parameters[POINTS], found = 0;
    uint32_t threads = (uint32_t)program->input->parameters[THREADS], counter = FIRST_COUNTER;
    for (uint64_t i = thread; i < points; i += threads) {
        uint32_t number[2];
        for (int k = 0; k < 2; k++) {
            s = step(s);
            counter += COUNTER_STEP;
            number[k] = counter + s.word[WORDS - 1];
        }
        found += inside(number[0], number[1]);
    }
    return found;
}

// ---- checking ----

// Checks each block's count, by the same points in the order of threads. `part`: the map to the
// next thread's state; NULL: each thread has a generator of the other kind.
static void check(Program *program, const uint32_t *count, uint32_t blocks, const BitMatrix *part)
{
    uint32_t points = (uint32_t)program->input->parameters[POINTS];
    uint32_t threads = (uint32_t)program->input->parameters[THREADS], block = program->block;
    Words s = first_words((uint32_t)program->input->parameters[SEED]);
    uint64_t all = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t expected = 0;
        for (uint32_t t = b * block; t < (b + 1) * block && t < threads; t++) {
            expected += part ? xorwow_inside(program, t, s) : philox_inside(program, t);
            if (part) s = multiply(part, s);
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
        check(&program, count, blocks, NULL);
    return program_end(&program);
}

static bool run_published(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                          HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t threads = (uint32_t)input->parameters[THREADS], block = program.block;
    if (block & (block - 1))
        program_fail(&program, "blocks of %u threads cannot be halved to one: expected --block to "
                               "be a power of two for this implementation", block);
    BitMatrix *matrices = program_scratch(&program, DIGITS, sizeof *matrices);
    if (matrices) part_matrices(matrices);
    uint32_t blocks = (uint32_t)divide_up(threads, block);
    uint32_t *count = program_scratch(&program, blocks, sizeof *count);
    HdAddress to_state = program_array(&program, "state", NULL, (uint64_t)threads * STATE_BYTES);
    HdAddress to_matrices = program_array(&program, "matrices", matrices,
                                          DIGITS * sizeof *matrices);
    HdAddress to_count = program_words(&program, "count", blocks, 0);
    Words s = first_words((uint32_t)input->parameters[SEED]);
    PROGRAM_LAUNCH(&program, "pi_sequences", threads, (WorkCounters){.active_vertices = threads},
                   hd_buffer(to_state), hd_buffer(to_matrices), hd_u32(s.word[0]),
                   hd_u32(s.word[1]), hd_u32(s.word[2]), hd_u32(s.word[3]), hd_u32(s.word[4]),
                   hd_u32(FIRST_COUNTER), hd_i32((int32_t)threads));
    PROGRAM_LAUNCH(&program, "pi_count_published", threads,
                   (WorkCounters){.active_vertices = (uint32_t)input->parameters[POINTS]},
                   hd_buffer(to_state), hd_buffer(to_count),
                   hd_u32((uint32_t)input->parameters[POINTS]), hd_u32(threads));
    if (program_read(&program, count, to_count, blocks * sizeof *count))
        check(&program, count, blocks, &matrices[0]);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", pi, run, "CUDA SDK, MC_EstimatePiInlineP (PEst of khairy2015)",
        "one random generator per thread, in memory; a block's counts meet in shared memory"),
    IMPLEMENTATION("published", pi_published, run_published,
        "CUDA SDK, MC_EstimatePiInlineP (PEst of khairy2015)",
        "thread with parts of one sequence, which matrices from memory find, as in curand"),
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
