// Scalar instructions in one lane of a warp, and in waves of several warps (section `scalar`).
#include "support/bench.h"

#define KERNEL(registers, body)                                                                    \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n"                                         \
    "{\n"                                                                                          \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"                                                                     \
    "    .reg .pred %p<5>;\n" registers                                                            \
    "    ld.param.u64 %rd1, [in];\n"                                                               \
    "    ld.param.u64 %rd2, [out];\n"                                                              \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mul.wide.u32 %rd3, %r1, 4;\n"                                                             \
    "    add.u64 %rd4, %rd1, %rd3;\n"                                                              \
    "    add.u64 %rd5, %rd2, %rd3;\n"                                                              \
    "    mov.u32 %r2, %warpid;\n" body                                                             \
    "    ret;\n"                                                                                   \
    "}\n"

#define SM "gpu.sms=1", "frontend.perfect=true", "memory.perfect_constants=true"
static const char *const waves[] = {SM, NULL};
static const char *const execute[] = {SM, "scalar.mode=execute", NULL};
static const char *const off[] = {SM, "scalar.mode=off", NULL};
static const char *const *const modes[] = {off, execute, waves};
enum { MODES = 3 };

// ---- slots ----

// Eight warps of one scheduler leave a barrier together and read the clock, which is a vector
// instruction behind a guard that varies. The pair of warps 0 and 1 is at one instruction (A), that
// of warps 2 and 3 at two: its even one at A's, its odd one elsewhere. Warps 4 to 7 are at a scalar
// instruction. The slots are: pair A; then the even warp alone, and the odd one; then a wave of four.
static void test_slots(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("",
        "    setp.lt.u32 %p1, %r1, 1000;\n" // true in all lanes, and varies
        "    setp.lt.u32 %p2, %r2, 3;\n"
        "    setp.gt.u32 %p3, %r2, 3;\n"
        "    @%p2 bra A;\n"
        "    @%p3 bra C;\n"
        "    bar.sync 0;\n"
        "    @%p1 mov.u32 %r5, %clock;\n"
        "    bra D;\n"
        "A:\n"
        "    bar.sync 0;\n"
        "    @%p1 mov.u32 %r5, %clock;\n"
        "    bra D;\n"
        "C:\n"
        "    bar.sync 0;\n"
        "    mov.u32 %r6, %clock;\n"
        "    mov.u32 %r5, %r6;\n"
        "D:\n"
        "    st.global.u32 [%rd5], %r5;\n");
    static const char *const settings[] = {SM, "core.schedulers=1", "frontend.buffer=per-warp",
                                           "frontend.fetches=16", "frontend.entries=16",
                                           "frontend.fetch_bytes=128B", NULL};
    static const uint32_t slot[8] = {0, 0, 1, 2, 3, 3, 3, 3};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 256);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {64}, .args = {to, to}});
    uint32_t first = bench_word(b, to, 0);
    for (unsigned i = 0; i < 64; i++) assert_int_equal(bench_word(b, to, i) - first, slot[i / 8]);
    assert_true(r->sm.waves[4] >= 1);
    bench_free(b);
}

int main(void)
{
    (void)modes;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
