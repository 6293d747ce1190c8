// The machines of papers' simulators, beside what the papers state.
#include "support/unrolled.h"

#include <math.h>

enum { COUNT = 32, WARPS = 8 };

#define SM "gpu.sms=1", "frontend.perfect=true", "frontend.decode=1"

// MacSim's latencies are "modeled according to the CUDA manual": an instruction "typically" takes
// 22 cycles (CUDA C Programming Guide 4, section 5.2.3, for compute capability 2.x).
static void test_cuda_manual(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "add.u32 %r1, %r1, %r2;\n",        "mul.lo.s32 %r1, %r1, %r2;\n",
        "mad.lo.s32 %r1, %r1, %r2, %r3;\n", "max.s32 %r1, %r1, %r2;\n",
        "fma.rn.f32 %f1, %f1, %f2, %f3;\n", "add.f64 %d1, %d1, %d2;\n",
        "sin.approx.f32 %f1, %f1;\n",      "setp.eq.and.u32 %p1, %r1, %r2, %p1;\n",
        "shl.b32 %r1, %r1, %r2;\n",        "mov.b32 %r1, %r1;\n",
        "cvt.rni.f32.f32 %f1, %f1;\n",     "selp.b32 %r1, %r1, %r2, %p1;\n",
    };
    static const char *const settings[] = {SM, NULL};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        Unrolled u = {"fermi-macsim", settings, NULL, bodies[i], 1, 32};
        if (unrolled_cost(&u, COUNT) != 22 * COUNT)
            fail_msg("%s: %llu cycles, expected %u", bodies[i],
                     (unsigned long long)unrolled_cost(&u, COUNT), 22 * COUNT);
    }
}

// A warp's 32 lanes load from a line each, again and again: all hit. `count` loads of a warp.
static uint64_t scattered_loads(const char *const *settings, unsigned count)
{
    char *loads = bench_repeat("ld.global.u32 %r2, [%rd1];\n", count), *ptx;
    assert_true(asprintf(&ptx,
        PTX_HEAD
        ".visible .entry k(.param .u64 data)\n"
        "{\n"
        "    .reg .b32 %%r<4>;\n"
        "    .reg .b64 %%rd<4>;\n"
        "    ld.param.u64 %%rd1, [data];\n"
        "    mov.u32 %%r1, %%laneid;\n"
        "    mul.wide.u32 %%rd2, %%r1, 128;\n"
        "    add.u64 %%rd1, %%rd1, %%rd2;\n"
        "%s"
        "    ret;\n"
        "}\n", loads) > 0);
    Bench *b = bench_new("fermi-macsim", settings, NULL, ptx);
    BenchLaunch launch = {"k", .block = {WARPS * 32}, .args = {bench_array(b, "data", NULL, 4096)}};
    uint64_t cycles = bench_run(b, &launch)->cycles;
    bench_free(b);
    free(ptx);
    free(loads);
    return cycles;
}

// Table 3: "16 loads/2-cycle". 32 accesses take 4 cycles instead of 32.
static void test_loads_of_two_cycles(void **state)
{
    (void)state;
    static const struct { const char *setting; double cycles; } rows[] = {
        {NULL, 4}, {"memory.l1_banks=1", 32},
    };
    for (unsigned i = 0; i < 2; i++) {
        const char *const settings[] = {SM, rows[i].setting, NULL};
        uint64_t more = scattered_loads(settings, 2 * COUNT) - scattered_loads(settings, COUNT);
        double got = (double)more / (COUNT * WARPS);
        if (fabs(got / rows[i].cycles - 1) > 0.05)
            fail_msg("%.2f cycles for the 32 accesses of a load, expected %.0f", got,
                     rows[i].cycles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuda_manual),
        cmocka_unit_test(test_loads_of_two_cycles),
    };
    return cmocka_run_group_tests_name("machines of simulators", tests, NULL, NULL);
}
