// Runs the six kernels and checks their answers.
#include "mix.h"

#include "compare.h"

enum { THREADS = 1500, BLOCK = 100, BLOCKS = THREADS / BLOCK, WORDS = 1 << 13, COUNTERS = 7 };

const char *mix_ptx(void) { return bench_ptx("gpu/mix.ptx"); }

static const LaunchResult *run(Bench *b, const char *kernel, uint64_t out, uint64_t second)
{
    return bench_run(
        b, &(BenchLaunch){kernel, .grid = {BLOCKS}, .block = {BLOCK}, .args = {out, second}});
}

static void run_collatz(Bench *b, uint64_t out)
{
    static uint32_t got[THREADS];
    run(b, "collatz", out, 0);
    bench_read(b, got, out, sizeof got);
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t steps = 0;
        for (uint32_t n = i + 1; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
        assert_int_equal(got[i], steps);
    }
}

static void run_gather(Bench *b, uint64_t out, uint64_t array, const uint32_t *data)
{
    static uint32_t got[THREADS];
    run(b, "gather", out, array);
    bench_read(b, got, out, sizeof got);
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < 6; k++) sum += data[(i * 2654435761u + k * 40503u) % WORDS];
        assert_int_equal(got[i], sum);
    }
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void run_sort(Bench *b, uint64_t out, uint64_t array, const uint32_t *data)
{
    static uint32_t got[THREADS];
    run(b, "sort", out, array);
    bench_read(b, got, out, sizeof got);
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t words[8];
        for (uint32_t k = 0; k < 8; k++) words[k] = data[(i * 7 + k) % WORDS] ^ 12345;
        qsort(words, 8, sizeof *words, by_value);
        assert_int_equal(got[i], words[2]);
    }
}

// Checks that each counter gave each number 0, 1, .. to exactly one of its threads.
static void run_ticket(Bench *b, uint64_t out)
{
    static uint32_t got[THREADS];
    uint64_t counter = bench_array(b, "counter", NULL, COUNTERS * 4);
    run(b, "ticket", out, counter);
    bench_read(b, got, out, sizeof got);
    for (uint32_t c = 0; c < COUNTERS; c++) {
        bool seen[THREADS] = {false};
        uint32_t threads = 0;
        for (uint32_t i = c; i < THREADS; i += COUNTERS, threads++) {
            assert_in_range(got[i], 0, THREADS - 1);
            assert_false(seen[got[i]]);
            seen[got[i]] = true;
        }
        assert_int_equal(bench_word(b, counter, c), threads);
        for (uint32_t i = 0; i < threads; i++) assert_true(seen[i]);
    }
}

static void run_reduce(Bench *b, uint64_t out)
{
    run(b, "reduce", out, 0);
    for (uint32_t block = 0; block < BLOCKS; block++)
        assert_int_equal(bench_word(b, out, block),
                         BLOCK * BLOCK * block + BLOCK * (BLOCK - 1) / 2);
}

void mix_run(Bench *b)
{
    uint64_t out = bench_array(b, "out", NULL, THREADS * 4);
    run_collatz(b, out);
    static uint32_t data[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) data[i] = i * i * 2654435761u + 1;
    uint64_t array = bench_array(b, "data", data, sizeof data);
    run_gather(b, out, array, data);
    run_sort(b, out, array, data);
    run_ticket(b, out);
    run_reduce(b, out);
    uint64_t sum = bench_array(b, "sum", NULL, THREADS * 4), flag = bench_array(b, "flag", NULL, 4);
    run(b, "relay", sum, flag);
    assert_int_equal(bench_word(b, flag, 0), BLOCKS);
    assert_int_equal(bench_word(b, sum, 0), BLOCKS * (BLOCKS + 1) / 2);
}

void mix_same(const char *machine, const char *const *settings, const GpuOptions *a,
              const GpuOptions *b)
{
    Bench *first = bench_new(machine, settings, a, mix_ptx());
    Bench *second = bench_new(machine, settings, b, mix_ptx());
    mix_run(first);
    mix_run(second);
    compare_records(first, second);
    bench_free(first);
    bench_free(second);
}
