// Variables of a module: their initial values, and what does not fit into the device.
#include "support/bench.h"

// 1536 MiB of memory, as the board has.
static const char machine[] = "fermi-gtx480";

static const struct {
    const char *ptx, *message;
} modules[] = {
    {".global .b8 big[4294967295] = {1};\n",
     "test.ptx:2: 'big' needs 4294967295 bytes of device memory: expected at most 1610612736, "
     "which are free of 1610612736 (memory.capacity)"},
    // Each fits, both do not.
    {".global .b32 first[300000000] = {1, 2};\n.global .b8 second[500000000];\n",
     "test.ptx:3: 'second' needs 500000000 bytes of device memory: expected at most 410612736, "
     "which are free of 1610612736 (memory.capacity)"},
};

static void test_too_large(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        char text[512];
        Bench *bench = bench_new(machine, NULL, NULL, NULL);
        snprintf(text, sizeof text, PTX_HEAD "%s", modules[i].ptx);
        PtxModule *module = ptx_parse(text, "test.ptx", &bench->err);
        assert_non_null(module);
        assert_false(gpu_load(bench->gpu, module, &bench->err));
        assert_string_equal(bench->err.text, modules[i].message);
        bench_free(bench);
    }
}

// The values that an initialiser gives are followed by zeros, also after they are set again.
static void test_initial_values(void **state)
{
    (void)state;
    Bench *bench = bench_new(machine, NULL, NULL, PTX_HEAD ".global .b32 x[4] = {7, 8};\n");
    uint64_t at = bench->module->variables[0].address;
    for (int round = 0; round < 2; round++) {
        static const uint32_t wanted[] = {7, 8, 0, 0};
        for (size_t i = 0; i < 4; i++) assert_int_equal(bench_word(bench, at, i), wanted[i]);
        assert_true(gpu_write(bench->gpu, at, "0123456789abcdef", 16, &bench->err));
        assert_true(gpu_reset_variables(bench->gpu, bench->module, &bench->err));
    }
    bench_free(bench);
}

// Parameters of a chain of calls take the host's memory, for each thread.
static void test_large_parameters(void **state)
{
    (void)state;
    Bench *bench = bench_new(machine, NULL, NULL, PTX_HEAD
                             ".visible .entry k()\n"
                             "{\n"
                             "    .param .b8 big[600000];\n"
                             "    ret;\n"
                             "}\n");
    assert_string_equal(bench_fail(bench, &(BenchLaunch){.kernel = "k"}),
                        "k: 600000 bytes of functions' parameters per thread: expected at most "
                        "524288");
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_large_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
