// Streams: the share of the DRAM's bandwidth that a kernel with enough loads in flight reaches.
#include "support/bench.h"

// As copy.ptx, but with one store per thread, at the end.
static const char sum[] =
    PTX_HEAD
    ".visible .entry sum(.param .u64 from, .param .u64 to, .param .u32 words)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<30>;\n"
    "    .reg .b64 %rd<20>;\n"
    "    ld.param.u64 %rd1, [from];\n"
    "    ld.param.u64 %rd2, [to];\n"
    "    ld.param.u32 %r1, [words];\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "    mov.u32 %r6, %nctaid.x;\n"
    "    mul.lo.u32 %r7, %r6, %r3;\n"
    "    mul.wide.u32 %rd3, %r5, 4;\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    add.u64 %rd5, %rd2, %rd3;\n"
    "    mul.wide.u32 %rd6, %r7, 4;\n"
    "    shl.b32 %r8, %r7, 2;\n"
    "    mov.u32 %r9, 0;\n"
    "LOOP:\n"
    "    add.u64 %rd7, %rd4, %rd6;\n"
    "    add.u64 %rd8, %rd7, %rd6;\n"
    "    add.u64 %rd9, %rd8, %rd6;\n"
    "    ld.global.u32 %r10, [%rd4];\n"
    "    ld.global.u32 %r11, [%rd7];\n"
    "    ld.global.u32 %r12, [%rd8];\n"
    "    ld.global.u32 %r13, [%rd9];\n"
    "    add.u32 %r9, %r9, %r10;\n"
    "    add.u32 %r9, %r9, %r11;\n"
    "    add.u32 %r9, %r9, %r12;\n"
    "    add.u32 %r9, %r9, %r13;\n"
    "    add.u64 %rd4, %rd9, %rd6;\n"
    "    add.u32 %r5, %r5, %r8;\n"
    "    setp.lt.u32 %p1, %r5, %r1;\n"
    "    @%p1 bra LOOP;\n"
    "    st.global.u32 [%rd5], %r9;\n"
    "    ret;\n"
    "}\n";

enum {
    BLOCKS = 15,
    THREADS = 512,
    ROUNDS = 64,
    WORDS = 4 * BLOCKS * THREADS * ROUNDS,
    TURN = BLOCKS * THREADS
};

static const char *const perfect_fetch[] = {"frontend.perfect=true", NULL}; // no other reads

// Utilisation of the data buses from launch to end.
static double utilisation(const Bench *b, const LaunchResult *r)
{
    const DramConfig *d = &b->machine->dram;
    double peak = (double)(d->channels * d->bus * d->data_rate) * (double)r->dram_cycles;
    return (double)r->dram.bytes_transferred / peak;
}

static uint32_t *numbers(unsigned words)
{
    uint32_t *data = malloc(words * sizeof *data);
    assert_non_null(data);
    for (unsigned i = 0; i < words; i++) data[i] = i * 2654435761u;
    return data;
}

// 7.9 MB from one array to the other: reads and writes share each bus, which costs turnarounds and
// row conflicts between the two arrays.
static void test_copy(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", perfect_fetch, NULL, bench_ptx("gpu/copy.ptx"));
    uint32_t *data = numbers(WORDS);
    uint64_t from = bench_array(b, "from", data, WORDS * 4),
             to = bench_array(b, "to", NULL, WORDS * 4);
    const LaunchResult *r = bench_run(
        b, &(BenchLaunch){"copy", .grid = {BLOCKS}, .block = {THREADS}, .args = {from, to, WORDS}});
    assert_in_range(100 * utilisation(b, r), 85, 100);
    // Each sector is read once (two more hold the parameters). Written sectors are in the DRAM or
    // still in the L2.
    assert_int_equal(r->dram.reads, WORDS * 4 / 32 + 2);
    uint64_t l2 = b->machine->l2.size * b->machine->slice.count;
    assert_true(r->dram.writes * 32 <= WORDS * 4 && r->dram.writes * 32 + l2 >= WORDS * 4);
    uint32_t *got = malloc(WORDS * 4);
    assert_non_null(got);
    bench_read(b, got, to, WORDS * 4);
    assert_memory_equal(got, data, WORDS * 4);
    free(got);
    free(data);
    bench_free(b);
}

static double read_stream(const char *const *settings)
{
    Bench *b = bench_new("fermi-gtx480", settings, NULL, sum);
    uint32_t *data = numbers(WORDS);
    uint64_t from = bench_array(b, "from", data, WORDS * 4),
             to = bench_array(b, "to", NULL, TURN * 4);
    const LaunchResult *r = bench_run(
        b, &(BenchLaunch){"sum", .grid = {BLOCKS}, .block = {THREADS}, .args = {from, to, WORDS}});
    for (unsigned t = 0; t < TURN; t += 97) {
        uint32_t expected = 0;
        for (unsigned i = t; i < WORDS; i += TURN) expected += data[i];
        assert_int_equal(bench_word(b, to, t), expected);
    }
    double reached = utilisation(b, r);
    free(data);
    bench_free(b);
    return reached;
}

// Reads alone: look-ups and fills of a slice have a port each, so the DRAM is the bottleneck.
static void test_read(void **state)
{
    (void)state;
    assert_in_range(100 * read_stream(perfect_fetch), 85, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests_name("bandwidth", tests, NULL, NULL);
}
