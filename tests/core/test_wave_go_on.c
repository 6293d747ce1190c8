// Warps that go on from scalar instructions whose waves have not issued (scalar.go_on). In each
// test the waves of warps 0 and 1 have to wait, because pairs of other warps of their scheduler
// issue before any wave.
#include "waves_bench.h"

// A barrier; then warps 0 and 1 execute `body`, and warps 2 to 15 `others`.
#define APART(body, others)                                                                        \
    KERNEL("    .reg .f32 %f<20>;\n",                                                              \
        "    setp.lt.u32 %p1, %r1, 1000;\n" /* true in all lanes, and varies */                    \
        "    mov.f32 %f1, 0f40000000;\n" /* 2 */                                                   \
        "    mul.wide.u32 %rd6, %r1, 0;\n"                                                         \
        "    add.u64 %rd7, %rd1, %rd6;\n"                                                          \
        "    setp.gt.u32 %p2, %r2, 1;\n"                                                           \
        "    @%p2 bra OTHERS;\n"                                                                   \
        "    bar.sync 0;\n" body                                                                   \
        "    ret;\n"                                                                               \
        "OTHERS:\n"                                                                                \
        "    cvt.rn.f32.u32 %f3, %r1;\n"                                                           \
        "    bar.sync 0;\n" others)

// Runs the kernel, and returns word `index` of `out`.
static uint32_t run(const char *ptx, const char *go_on, size_t index, size_t other, uint32_t *also)
{
    const char *settings[] = {SM, BUFFERED, go_on, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t in = bench_array(b, "in", NULL, 512), to = bench_array(b, "out", NULL, 1024);
    bench_run(b, &(BenchLaunch){"k", .grid = {20}, .block = {128}, .args = {in, to}});
    uint32_t word = bench_word(b, to, index);
    if (also) *also = bench_word(b, to, other);
    bench_free(b);
    return word;
}
static const char *const modes[] = {"scalar.go_on=off", "scalar.go_on=on"};

#define VECTOR "    @%p1 add.u32 %r8, %r1, 1;\n    @%p1 add.u32 %r9, %r1, 2;\n"
#define VECTORS VECTOR VECTOR VECTOR VECTOR VECTOR
#define SINES                                                                                      \
    "    sin.approx.f32 %f4, %f3;\n    sin.approx.f32 %f5, %f3;\n"                                 \
    "    sin.approx.f32 %f6, %f3;\n    sin.approx.f32 %f7, %f3;\n"
#define LOADS                                                                                      \
    "    ld.global.u32 %r8, [%rd4];\n    ld.global.u32 %r9, [%rd4];\n"                             \
    "    ld.global.u32 %r10, [%rd4];\n    ld.global.u32 %r11, [%rd4];\n"

// Warps 0 and 1 read the clock by a scalar instruction, then by a vector one that does not depend
// on it. Seven other pairs issue ten instructions each. A warp that stops issues the scalar behind
// these 70 and then the vector instruction. One that goes on issues the vector instruction in its
// turn among the pairs, and the scalar at the end. The value of a scalar is of its issue, and the
// store, which reads it, waits for it.
static void test_ahead(void **state)
{
    (void)state;
    static const char ptx[] = APART(
        "    mov.u32 %r5, %clock;\n"
        "    @%p1 mov.u32 %r6, %clock;\n"
        "    st.global.u32 [%rd5], %r5;\n"
        "    st.global.u32 [%rd5+512], %r6;\n", VECTORS);
    uint32_t vector, scalar = run(ptx, modes[0], 0, 128, &vector);
    assert_in_range(vector - scalar, 1, 10);
    scalar = run(ptx, modes[1], 0, 128, &vector);
    assert_in_range(scalar - vector, 50, 90);
}

// 1 / 2 waits for the special function unit, which the sines of other warps occupy. The scalar that
// overwrites 2 needs another unit, and waits for the wave of the first one all the same.
static void test_overwrite(void **state)
{
    (void)state;
    static const char ptx[] = APART(
        "    rcp.approx.f32 %f2, %f1;\n"
        "    mov.f32 %f1, 0f3f800000;\n" // 1
        "    st.global.f32 [%rd5], %f2;\n"
        "    st.global.f32 [%rd5+512], %f1;\n", SINES);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t overwritten;
        assert_int_equal(run(ptx, modes[i], 0, 128, &overwritten), 0x3f000000); // 0.5
        assert_int_equal(overwritten, 0x3f800000);
    }
}

// A vector load of the word that a scalar store writes before it. Loads of other warps occupy the
// load/store unit.
static void test_order(void **state)
{
    (void)state;
    static const char ptx[] = APART(
        "    st.global.u32 [%rd1], 7;\n"
        "    ld.global.u32 %r5, [%rd7];\n"
        "    st.global.u32 [%rd5], %r5;\n", LOADS);
    for (unsigned i = 0; i < 2; i++) assert_int_equal(run(ptx, modes[i], 0, 0, NULL), 7);
}

// A scalar store is the last instruction. The warp exits behind it, and its slot is taken by a warp
// of the next block.
static void test_exit(void **state)
{
    (void)state;
    static const char ptx[] = APART("    st.global.u32 [%rd2], 9;\n", VECTORS);
    for (unsigned i = 0; i < 2; i++) assert_int_equal(run(ptx, modes[i], 0, 0, NULL), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_overwrite),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
