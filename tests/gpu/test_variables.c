// Variables of a module: their initial values, and what does not fit into the device.
#include "support/bench.h"

#include <sys/mman.h>

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

// A variable that is far larger than what is written of it takes the host's memory for that only,
// also after a reset. (At most one page of 2 MiB is in use at its start, and one at its end.)
static void test_reset_large(void **state)
{
    (void)state;
    enum { BYTES = 100 << 20, PAGE = 4096, MIB_4 = 1024 };
    static const uint64_t places[] = {0, 4, 70000, 1 << 20, 50000000, BYTES - 65536, BYTES - 4};
    static unsigned char pages[BYTES / PAGE + 1];
    Bench *bench = bench_new(machine, NULL, NULL, PTX_HEAD ".global .b32 x[26214400] = {7};\n");
    uint64_t at = bench->module->variables[0].address;
    uint32_t word = 5;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_true(gpu_write(bench->gpu, at + places[i], &word, 4, &bench->err));
    assert_true(gpu_reset_variables(bench->gpu, bench->module, &bench->err));
    uint8_t *host = guest_host(gpu_memory(bench->gpu), at);
    host -= (uintptr_t)host % PAGE;
    size_t used = 0;
    assert_int_equal(mincore(host, BYTES, pages), 0);
    for (size_t i = 0; i < BYTES / PAGE; i++) used += pages[i] & 1;
    assert_in_range(used, 0, MIB_4);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_int_equal(bench_word(bench, at, places[i] / 4), i ? 0 : 7);
    bench_free(bench);
}

// The host writes a managed variable itself, so its pages need not count. A reset clears it all the
// same.
static void test_reset_managed(void **state)
{
    (void)state;
    static const size_t places[] = {0, 16 << 10, 48 << 10, 49999}; // whole pages, and the last part
    Bench *bench = bench_new(machine, NULL, NULL,
                             PTX_HEAD ".global .attribute(.managed) .b32 x[50000];\n");
    uint64_t at = bench->module->variables[0].address;
    uint32_t *words = (uint32_t *)guest_host(gpu_memory(bench->gpu), at);
    assert_false(guest_is_taken(gpu_memory(bench->gpu), at));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) words[places[i]] = 5;
    assert_true(gpu_reset_variables(bench->gpu, bench->module, &bench->err));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_int_equal(words[places[i]], 0);
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

// So do their registers. A predicate takes a bit: 4,194,304 of them are as many bytes as allowed.
static void test_large_frames(void **state)
{
    (void)state;
    static const struct {
        uint32_t slots, predicates;
        const char *message;
    } chains[] = {
        {131073, 0, "k: 524292 bytes of registers per thread: expected at most 524288"},
        {0, 4194305, "k: 524289 bytes of registers per thread: expected at most 524288"},
        {131072, 1, "k: 524289 bytes of registers per thread: expected at most 524288"},
    };
    Bench *bench = bench_new(machine, NULL, NULL, PTX_HEAD ".visible .entry k() { ret; }\n");
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        // As if the functions that it calls had them.
        bench->module->functions->max_call_slots = chains[i].slots;
        bench->module->functions->max_call_predicates = chains[i].predicates;
        assert_string_equal(bench_fail(bench, &(BenchLaunch){.kernel = "k"}), chains[i].message);
    }
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_reset_large),
        cmocka_unit_test(test_reset_managed),
        cmocka_unit_test(test_large_parameters),
        cmocka_unit_test(test_large_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
