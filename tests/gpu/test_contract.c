// ptx.contract on a whole GPU: the values of fused multiply-adds, and an instruction less.
#include "support/bench.h"
#include "support/machines.h"

// out[0] = a * b + c, out[1] = c - a * b, out[2] = a * b - c: each with a product of its own.
static const char ptx[] =
    PTX_HEAD
    ".visible .entry sums(.param .u64 out, .param .f32 a, .param .f32 b, .param .f32 c)\n"
    "{\n"
    "    .reg .f32 %f<10>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.param.f32 %f1, [a];\n"
    "    ld.param.f32 %f2, [b];\n"
    "    ld.param.f32 %f3, [c];\n"
    "    mul.f32 %f4, %f1, %f2;\n"
    "    add.f32 %f5, %f4, %f3;\n"
    "    mul.f32 %f6, %f1, %f2;\n"
    "    sub.f32 %f7, %f3, %f6;\n"
    "    mul.f32 %f8, %f1, %f2;\n"
    "    sub.f32 %f9, %f8, %f3;\n"
    "    st.global.f32 [%rd1], %f5;\n"
    "    st.global.f32 [%rd1+4], %f7;\n"
    "    st.global.f32 [%rd1+8], %f9;\n"
    "    ret;\n"
    "}\n";
enum { INSTRUCTIONS = 14, PAIRS = 3 };

static uint64_t word_of(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static float result(Bench *b, uint64_t out, size_t index)
{
    uint32_t word = bench_word(b, out, index);
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

// a = b = 1 + 2^-12. Their product 1 + 2^-11 + 2^-24 is halfway between two float32 values. Rounded
// to the even one it is 1 + 2^-11, which is |c|.
static void run(const char *machine, const char *setting, bool contracted)
{
    const float a = 1 + 0x1p-12f, c = 1 + 0x1p-11f, rest = contracted ? 0x1p-24f : 0;
    Bench *b = bench_new(machine, (const char *const[]){"gpu.sms=1", setting, NULL}, NULL, ptx);
    uint64_t out = bench_array(b, "out", NULL, 12);
    const LaunchResult *r = bench_run(
        b, &(BenchLaunch){.kernel = "sums", .args = {out, word_of(a), word_of(a), word_of(-c)}});
    assert_int_equal(r->sm.sm.warp_instructions, INSTRUCTIONS - (contracted ? PAIRS : 0));
    assert_true(result(b, out, 0) == rest);
    r = bench_run(b, &(BenchLaunch){.kernel = "sums",
                                    .args = {out, word_of(a), word_of(a), word_of(c)}});
    assert_true(result(b, out, 1) == -rest);
    assert_true(result(b, out, 2) == rest);
    // The report names the line of the add.
    assert_int_equal(bench_at(b, r, "add.f32").issued, 1);
    assert_int_equal(bench_timing(b, "add.f32")->line, 11);
    bench_free(b);
}

static void test_switch(void **state)
{
    (void)state;
    run("fermi-gtx480", "ptx.contract=on", true);
    run("fermi-gtx480", "ptx.contract=off", false);
    run("volta-v100", "ptx.contract=off", false);
}

// On from Kepler on, as ptxas. GPGPU-Sim executes PTX as it is.
static void test_machines(void **state)
{
    (void)state;
    for (const char *const *name = machine_names(); *name; name++) {
        Machine machine = bench_machine(*name, NULL);
        run(*name, "gpu.sms=1", machine_capability(&machine) >= 30 && !strstr(*name, "gpgpusim"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_machines),
    };
    return cmocka_run_group_tests_name("gpu contract", tests, NULL, NULL);
}
