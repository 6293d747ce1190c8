// Shuffles from lanes that are inactive or have exited give 0, with the stack and with independent
// threads, timed and functional. GpuOptions.strict reports each such instruction once.
#include "divergence_bench.h"

// Runs a kernel on 32 threads in three ways, twice each, with the same `out`. notices: what
// GpuOptions.strict reports in this order, ended by NULL.
static void shuffles(const char *const *settings, const char *ptx, uint32_t (*wanted)(unsigned t),
                     const char *const *notices)
{
    static const GpuOptions ways[] = {{.strict = true}, {.strict = true, .functional = true}, {0}};
    for (unsigned way = 0; way < 3; way++) {
        Bench *b = bench_new("fermi-gtx480", settings, &ways[way], ptx);
        uint64_t out = bench_array(b, "out", NULL, 128), work = bench_array(b, "work", NULL, 128);
        for (unsigned again = 0; again < 2; again++)
            bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {out, work}});
        for (unsigned t = 0; t < 32; t++)
            assert_int_equal(bench_word(b, out, t), wanted(t));
        size_t count = 0;
        for (; ways[way].strict && notices[count]; count++)
            assert_string_equal(gpu_notice(b->gpu, count), notices[count]);
        assert_null(gpu_notice(b->gpu, count));
        bench_free(b);
    }
}

#define UNDEFINED "PTX leaves the value undefined, GPUs give 0"

// Lanes 0..7 take the branch; lanes 4..7 read lanes 8..11, which do not.
static const char branch[] =
    HEAD BEGIN
    "    setp.ge.u32 %p1, %r1, 8;\n"
    "    add.u32 %r2, %r1, 100;\n"
    "    @%p1 bra JOIN;\n"
    "    .loc 1 7 3\n"
    "    shfl.sync.down.b32 %r9, %r2, 4, 31, 255;\n"
    "    shfl.sync.down.b32 %r3, %r2, 4, 6175, 255;\n" // segments of 8: lanes 4..7 keep theirs
    "    shl.b32 %r3, %r3, 16;\n"
    "    add.u32 %r9, %r9, %r3;\n"
    "JOIN:\n"
    END
    ".file 1 \"a.cu\"\n";
static uint32_t of_branch(unsigned t)
{
    return t < 4 ? (t + 104) << 16 | (t + 104) : t < 8 ? (t + 100) << 16 : 0;
}

static void test_branch(void **state)
{
    (void)state;
    static const char *const notices[] = {
        "test.ptx:16: k (a.cu:7), block (0,0,0), thread (4,0,0): shuffle from lane 8, which is "
        "inactive or has exited: " UNDEFINED,
        NULL};
    shuffles(with_stack, branch, of_branch, notices);
    shuffles(with_its, branch, of_branch, notices);
}

// Lanes from 20 on exit, and all others read lane 25. The second shuffle is for lanes of the guard.
static const char gone[] =
    HEAD BEGIN
    "    setp.ge.u32 %p1, %r1, 20;\n"
    "    @%p1 exit;\n"
    "    add.u32 %r2, %r1, 100;\n"
    "    shfl.sync.idx.b32 %r9, %r2, 25, 31, -1;\n"
    "    setp.lt.u32 %p2, %r1, 10;\n"
    "    @%p2 shfl.sync.idx.b32 %r9, %r2, 10, 31, 1023;\n"
    "    @%p2 shfl.sync.idx.b32 %r3, %r2, 9, 31, 1023;\n"
    "    @%p2 add.u32 %r9, %r9, %r3;\n"
    END;
static uint32_t of_gone(unsigned t) { return t < 10 ? 109 : 0; }

static void test_exited(void **state)
{
    (void)state;
    static const char *const notices[] = {
        "test.ptx:15: k, block (0,0,0), thread (0,0,0): shuffle from lane 25, which is inactive or "
        "has exited: " UNDEFINED,
        "test.ptx:17: k, block (0,0,0), thread (0,0,0): shuffle from lane 10, which is inactive or "
        "has exited: " UNDEFINED,
        NULL};
    shuffles(with_stack, gone, of_gone, notices);
    shuffles(with_its, gone, of_gone, notices);
}

// Lanes 28..31 exit; the others meet in two shuffles, of which lanes 12..15 read lanes 28..31.
static const char two[] =
    HEAD BEGIN
    "    setp.ge.u32 %p1, %r1, 28;\n"
    "    @%p1 exit;\n"
    "    add.u32 %r2, %r1, 100;\n"
    "    setp.lt.u32 %p1, %r1, 14;\n"
    "    @%p1 bra LOW;\n"
    "    shfl.sync.bfly.b32 %r9, %r2, 16, 31, -1;\n"
    "    bra.uni JOIN;\n"
    "LOW:\n"
    "    shfl.sync.bfly.b32 %r9, %r2, 16, 31, -1;\n"
    "JOIN:\n"
    END;
static uint32_t of_two_its(unsigned t)
{
    return t < 12 || (t >= 16 && t < 28) ? (t ^ 16) + 100 : 0;
}
// With the stack, only lanes 14..27 are active in the first, and lanes 0..13 in the second.
static uint32_t of_two_stack(unsigned t)
{
    (void)t;
    return 0;
}

static void test_two_branches(void **state)
{
    (void)state;
#define AT(line, thread, lane)                                                                     \
    "test.ptx:" line ": k, block (0,0,0), thread (" thread ",0,0): shuffle from lane " lane        \
    ", which is inactive or has exited: " UNDEFINED
    // The low lanes run first. With independent threads, they wait for the others, whose split then
    // exchanges the values.
    shuffles(with_its, two, of_two_its,
             (const char *const[]){AT("17", "14", "30"), AT("20", "12", "28"), NULL});
    shuffles(with_stack, two, of_two_stack,
             (const char *const[]){AT("20", "0", "16"), AT("17", "14", "30"), NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_exited),
        cmocka_unit_test(test_two_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
