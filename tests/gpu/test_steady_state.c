// A launch allocates memory of the host only at its start and end, and while its buffers grow to
// their largest load; never after that, however long it runs. The linker's --wrap counts the
// allocations.
#include "support/bench.h"

#include <sys/mman.h>

static size_t allocations;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
void *__real_mmap64(void *at, size_t bytes, int access, int flags, int file, off_t offset);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
void *__wrap_mmap64(void *at, size_t bytes, int access, int flags, int file, off_t offset);

void *__wrap_malloc(size_t bytes)
{
    allocations++;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    allocations++;
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    allocations++;
    return __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    allocations++;
    return __real_aligned_alloc(align, bytes);
}

void *__wrap_mmap64(void *at, size_t bytes, int access, int flags, int file, off_t offset)
{
    allocations++;
    return __real_mmap64(at, bytes, access, flags, file, offset);
}

// Each thread repeats `rounds` times: a scattered load, a store to its own word, an atomic on one
// of 64 words, a call, a divergent branch and a barrier.
static const char kernel[] =
    PTX_HEAD
    ".func (.param .b32 result) half(.param .b32 a)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    ld.param.b32 %r1, [a];\n"
    "    shr.u32 %r2, %r1, 1;\n"
    "    st.param.b32 [result], %r2;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry k(.param .u64 data, .param .u64 out, .param .u32 rounds)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<20>;\n"
    "    .reg .b64 %rd<20>;\n"
    "    ld.param.u64 %rd1, [data];\n"
    "    ld.param.u64 %rd2, [out];\n"
    "    ld.param.u32 %r9, [rounds];\n"
    "    mov.u32 %r1, %ctaid.x;\n"
    "    mov.u32 %r2, %ntid.x;\n"
    "    mov.u32 %r3, %tid.x;\n"
    "    mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "    mul.wide.u32 %rd3, %r4, 4;\n"
    "    add.u64 %rd4, %rd2, %rd3;\n"
    "    mul.lo.u32 %r5, %r4, 2654435761;\n"
    "LOOP:\n"
    "    and.b32 %r6, %r5, 16383;\n"
    "    mul.wide.u32 %rd5, %r6, 4;\n"
    "    add.u64 %rd6, %rd1, %rd5;\n"
    "    ld.global.u32 %r7, [%rd6];\n"
    "    st.global.u32 [%rd4], %r7;\n"
    "    and.b32 %r8, %r5, 63;\n"
    "    mul.wide.u32 %rd7, %r8, 4;\n"
    "    add.u64 %rd8, %rd1, %rd7;\n"
    "    red.global.add.u32 [%rd8], 1;\n"
    "    and.b32 %r10, %r4, 1;\n"
    "    setp.eq.u32 %p1, %r10, 0;\n"
    "    @%p1 bra EVEN;\n"
    "    {\n"
    "        .param .b32 in;\n"
    "        .param .b32 res;\n"
    "        st.param.b32 [in], %r7;\n"
    "        call.uni (res), half, (in);\n"
    "        ld.param.b32 %r7, [res];\n"
    "    }\n"
    "EVEN:\n"
    "    bar.sync 0;\n"
    "    mad.lo.u32 %r5, %r5, 1664525, 1013904223;\n"
    "    sub.u32 %r9, %r9, 1;\n"
    "    setp.ne.u32 %p2, %r9, 0;\n"
    "    @%p2 bra LOOP;\n"
    "    ret;\n"
    "}\n";

static size_t allocations_of(Bench *b, uint64_t data, uint64_t out, uint32_t rounds)
{
    size_t before = allocations;
    bench_run(b, &(BenchLaunch){"k", .grid = {120}, .block = {128}, .args = {data, out, rounds}});
    return allocations - before;
}

static void test_steady_state(void **state)
{
    (void)state;
    static const char *const machines[] = {"fermi-gtx480", "fermi-macsim", "volta-v100",
                                           "volta-v100-gpgpusim4", "fermi-gtx480-gpgpusim4",
                                           "kepler-k40c"};
    unsigned count = getenv("HEDDLE_TEST_ALL") ? 6 : 4; // tests/long/crossed.sh
    for (unsigned m = 0; m < count; m++) {
        // Launches that are alike need buffers of the same sizes: the schedulers' turns and the
        // order of SMs must not go on over launches.
        const char *const alike[] = {"core.scheduler_turn=issue", "launch.round_robin=restart",
                                     NULL};
        Bench *b = bench_new(machines[m], alike, NULL, kernel);
        uint64_t data = bench_array(b, "data", NULL, 4 << 14);
        uint64_t out = bench_array(b, "out", NULL, 4 * 120 * 128);
        for (unsigned i = 0; i < 12; i++) allocations_of(b, data, out, i % 2 ? 12 : 3);
        size_t brief = allocations_of(b, data, out, 3), lengthy = allocations_of(b, data, out, 12);
        assert_true(brief > 0);
        assert_int_equal(brief, lengthy);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
