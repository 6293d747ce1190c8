// The six kernels.
#include "mix.h"

enum { THREADS = 1500, BLOCK = 100, BLOCKS = THREADS / BLOCK, WORDS = 1 << 13, COUNTERS = 7 };

// rd9 = &out[thread], r1 = number of the thread in the grid.
#define HEAD(name, params)                                                                         \
    ".visible .entry " name "(.param .u64 out" params ")\n{\n"                                     \
    ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<20>;\n"                                     \
    "mov.u32 %r20, %ctaid.x;\nmov.u32 %r21, %ntid.x;\nmov.u32 %r22, %tid.x;\n"                     \
    "mad.lo.u32 %r1, %r20, %r21, %r22;\nld.param.u64 %rd8, [out];\n"                               \
    "mul.wide.u32 %rd7, %r1, 4;\nadd.u64 %rd9, %rd8, %rd7;\n"

#define COLLATZ                                                                                    \
    HEAD("collatz", "")                                                                            \
    "add.u32 %r2, %r1, 1;\nmov.u32 %r3, 0;\n"                                                      \
    "LOOP:\nsetp.eq.u32 %p1, %r2, 1;\n@%p1 bra DONE;\nadd.u32 %r3, %r3, 1;\n"                      \
    "and.b32 %r4, %r2, 1;\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra EVEN;\n"                             \
    "mad.lo.u32 %r2, %r2, 3, 1;\nbra.uni LOOP;\n"                                                  \
    "EVEN:\nshr.u32 %r2, %r2, 1;\nbra.uni LOOP;\n"                                                 \
    "DONE:\nst.global.u32 [%rd9], %r3;\nret;\n}\n"

// out[i] = sum of data[(i * 2654435761 + k * 40503) mod WORDS] over k < 6
#define GATHER                                                                                     \
    HEAD("gather", ", .param .u64 data")                                                           \
    "ld.param.u64 %rd1, [data];\nmul.lo.u32 %r2, %r1, 2654435761;\nmov.u32 %r3, 0;\n"              \
    "mov.u32 %r4, 0;\n"                                                                            \
    "LOOP:\nand.b32 %r5, %r2, 8191;\nmul.wide.u32 %rd2, %r5, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"      \
    "ld.global.u32 %r6, [%rd3];\nadd.u32 %r3, %r3, %r6;\nadd.u32 %r2, %r2, 40503;\n"               \
    "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 6;\n@%p1 bra LOOP;\n"                             \
    "st.global.u32 [%rd9], %r3;\nret;\n}\n"

// out[i] = counter[i mod 7]++
#define TICKET                                                                                     \
    HEAD("ticket", ", .param .u64 counter")                                                        \
    "ld.param.u64 %rd1, [counter];\nrem.u32 %r2, %r1, 7;\nmul.wide.u32 %rd2, %r2, 4;\n"            \
    "add.u64 %rd3, %rd1, %rd2;\natom.global.add.u32 %r3, [%rd3], 1;\n"                             \
    "st.global.u32 [%rd9], %r3;\nret;\n}\n"

// out[block] = sum of its threads' numbers, by halving over 128 places of shared memory
#define REDUCE                                                                                     \
    HEAD("reduce", "")                                                                             \
    ".shared .align 4 .b8 place[512];\n"                                                           \
    "mov.u64 %rd1, place;\nmul.wide.u32 %rd2, %r22, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"               \
    "st.shared.u32 [%rd3], %r1;\nsetp.ge.u32 %p1, %r22, 28;\n@%p1 bra FILLED;\n"                   \
    "mov.u32 %r2, 0;\nst.shared.u32 [%rd3+400], %r2;\nFILLED:\nmov.u32 %r3, 64;\n"                 \
    "LOOP:\nbar.sync 0;\nsetp.ge.u32 %p2, %r22, %r3;\n@%p2 bra NEXT;\n"                            \
    "mul.wide.u32 %rd4, %r3, 4;\nadd.u64 %rd5, %rd3, %rd4;\nld.shared.u32 %r4, [%rd5];\n"          \
    "ld.shared.u32 %r5, [%rd3];\nadd.u32 %r5, %r5, %r4;\nst.shared.u32 [%rd3], %r5;\n"             \
    "NEXT:\nshr.u32 %r3, %r3, 1;\nsetp.ne.u32 %p3, %r3, 0;\n@%p3 bra LOOP;\n"                      \
    "setp.ne.u32 %p4, %r22, 0;\n@%p4 bra DONE;\n"                                                  \
    "mul.wide.u32 %rd6, %r20, 4;\nadd.u64 %rd6, %rd8, %rd6;\nst.global.u32 [%rd6], %r5;\n"         \
    "DONE:\nret;\n}\n"

// Block b waits until flag = b, adds b + 1 to a sum that all blocks write plainly, and passes the
// flag on.
#define RELAY                                                                                      \
    HEAD("relay", ", .param .u64 flag")                                                            \
    "ld.param.u64 %rd1, [flag];\nsetp.ne.u32 %p1, %r22, 0;\n@%p1 bra DONE;\n"                      \
    "WAIT:\nld.volatile.global.u32 %r2, [%rd1];\nsetp.ne.u32 %p2, %r2, %r20;\n@%p2 bra WAIT;\n"    \
    "membar.gl;\nld.volatile.global.u32 %r3, [%rd8];\nadd.u32 %r5, %r20, 1;\n"                     \
    "add.u32 %r3, %r3, %r5;\nst.volatile.global.u32 [%rd8], %r3;\nmembar.gl;\n"                    \
    "atom.global.exch.b32 %r4, [%rd1], %r5;\nDONE:\nret;\n}\n"

// Sorts 8 words per thread in local memory by insertion and writes the third; the words come from a
// table by the read-only path and from a constant.
#define SORT                                                                                       \
    HEAD("sort", ", .param .u64 data")                                                             \
    ".local .align 8 .b8 depot[32];\nmov.u64 %rd1, depot;\nld.param.u64 %rd2, [data];\n"           \
    "ld.const.u32 %r12, [salt];\nmov.u32 %r2, 0;\n"                                                \
    "NEXT:\nmad.lo.u32 %r3, %r1, 7, %r2;\nand.b32 %r3, %r3, 8191;\nmul.wide.u32 %rd3, %r3, 4;\n"   \
    "add.u64 %rd4, %rd2, %rd3;\nld.global.nc.u32 %r4, [%rd4];\nxor.b32 %r4, %r4, %r12;\n"          \
    "mul.wide.u32 %rd5, %r2, 4;\nadd.u64 %rd6, %rd1, %rd5;\nmov.u32 %r5, %r2;\n"                   \
    "SHIFT:\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra PLACE;\nld.local.u32 %r6, [%rd6+-4];\n"            \
    "setp.le.u32 %p2, %r6, %r4;\n@%p2 bra PLACE;\nst.local.u32 [%rd6], %r6;\n"                     \
    "sub.u64 %rd6, %rd6, 4;\nsub.u32 %r5, %r5, 1;\nbra.uni SHIFT;\n"                               \
    "PLACE:\nst.local.u32 [%rd6], %r4;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p3, %r2, 8;\n"          \
    "@%p3 bra NEXT;\nld.local.u32 %r7, [%rd1+8];\nst.global.u32 [%rd9], %r7;\nret;\n}\n"

const char *const mix_ptx =
    PTX_HEAD ".const .align 4 .u32 salt = 12345;\n" SORT COLLATZ GATHER TICKET REDUCE RELAY;

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

// Each counter gives the numbers 0, 1, .. to its threads, each once.
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
