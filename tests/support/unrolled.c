// Straight-line kernels.
#include "support/unrolled.h"

uint64_t unrolled_cycles(const Unrolled *u, unsigned count)
{
    static const char begin[] =
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .pred %p<8>;\n"
        "    .reg .b32 %r<1000>;\n"
        "    .reg .b64 %rd<1000>;\n"
        "    .reg .f32 %f<1000>;\n"
        "    .reg .f64 %d<1000>;\n"
        "    .shared .align 8 .b8 place[8192];\n";
    char *bodies = bench_repeat(u->body, count), *ptx;
    assert_true(asprintf(&ptx, "%s%s%sret;\n}\n", begin, u->before ? u->before : "", bodies) > 0);
    Bench *b = bench_new(u->machine, u->settings, NULL, ptx);
    uint64_t cycles =
        bench_run(b, &(BenchLaunch){"k", .grid = {u->blocks}, .block = {u->threads}})->cycles;
    bench_free(b);
    free(ptx);
    free(bodies);
    return cycles;
}

uint64_t unrolled_cost(const Unrolled *u, unsigned count)
{
    return unrolled_cycles(u, 2 * count) - unrolled_cycles(u, count);
}

char *unrolled_numbered(const char *pattern)
{
    enum { NUMBERS = 16 };
    size_t size = NUMBERS * (2 * strlen(pattern) + 1);
    char *text = malloc(size), *at = text;
    assert_non_null(text);
    for (unsigned i = 1; i <= NUMBERS; i++)
        for (const char *p = pattern; *p; p++)
            at += *p == '#' ? sprintf(at, "%02u", i) : sprintf(at, "%c", *p);
    return text;
}

const UnrolledChain unrolled_chains[] = {
    {CLASS_INT_ADD, "sub.s32 %r1, %r1, %r2;\n"},
    {CLASS_INT_MAX, "max.s32 %r1, %r1, %r2;\n"},
    {CLASS_INT_MUL, "mul.lo.s32 %r1, %r1, %r2;\n"},
    {CLASS_INT_MAD, "mad.lo.s32 %r1, %r1, %r2, %r3;\n"},
    {CLASS_INT_DIV, "div.u32 %r1, %r1, 3;\n"},
    {CLASS_FP_ADD, "add.f32 %f1, %f1, %f2;\n"},
    {CLASS_FP_MAX, "max.f32 %f1, %f1, %f2;\n"},
    {CLASS_FP_MUL, "mul.f32 %f1, %f1, %f2;\n"},
    {CLASS_FP_DIV, "div.rn.f32 %f1, %f1, %f2;\n"},
    {CLASS_DP_ADD, "add.f64 %d1, %d1, %d2;\n"},
    {CLASS_DP_MAX, "max.f64 %d1, %d1, %d2;\n"},
    {CLASS_DP_MUL, "mul.f64 %d1, %d1, %d2;\n"},
    {CLASS_DP_MAD, "fma.rn.f64 %d1, %d1, %d2, %d3;\n"},
    {CLASS_DP_DIV, "div.rn.f64 %d1, %d1, %d2;\n"},
    {CLASS_DP_RCP, "rcp.rn.f64 %d1, %d1;\n"},
    {CLASS_DP_SQRT, "sqrt.rn.f64 %d1, %d1;\n"},
    {CLASS_SFU, "sin.approx.f32 %f1, %f1;\n"},
    {CLASS_SETP, "setp.eq.and.u32 %p1, %r1, %r2, %p1;\n"},
    {CLASS_SELP, "selp.b32 %r1, %r1, %r2, %p1;\n"},
    {CLASS_LOGIC, "xor.b32 %r1, %r1, %r2;\n"},
    {CLASS_SHIFT, "shl.b32 %r1, %r1, %r2;\n"},
    {CLASS_BIT, "bfe.u32 %r1, %r1, 1, 3;\n"},
    {CLASS_COUNT, "popc.b32 %r1, %r1;\n"},
    {CLASS_FP_RCP, "rcp.rn.f32 %f1, %f1;\n"},
    {CLASS_CONVERT64, "cvt.rni.f64.f64 %d1, %d1;\n"},
    {CLASS_MOVE, "mov.b32 %r1, %r1;\n"},
    {CLASS_CONVERT, "cvt.rni.f32.f32 %f1, %f1;\n"},
    {CLASS_SHUFFLE, "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;\n"},
    {0},
};
