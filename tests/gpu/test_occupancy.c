// How many blocks an SM holds, by the rules of CUDA's occupancy calculator: threads in whole warps,
// registers by the warp in units, warps in units, shared memory in units and with what each block
// has reserved. The cases are computed by hand. Also: bounds of a kernel's registers.
#include "support/bench.h"

typedef struct Case {
    const char *machine;
    unsigned threads, registers;
    uint64_t shared;
    unsigned blocks;
    const char *limit;
} Case;

enum { KIB = 1024 };

static const Case cases[] = {
    // yilmazer2020gw: 1536 threads, 8 blocks, 32768 registers, 16 KB.
    {"fermi-c2050", 64, 16, 0, 8, "blocks"},
    {"fermi-c2050", 256, 20, 0, 6, "threads"},         // 1536 / 256
    {"fermi-c2050", 256, 24, 0, 5, "registers"},       // 32 x 24 x 8 = 6144; 32768 / 6144
    {"fermi-c2050", 128, 16, 5 * KIB, 3, "shared memory"},
    // Compute capability 3.5: 2048 threads, 16 blocks, 65536 registers in units of 256 for a warp,
    // 4 warps at a time, 48 KB in units of 256 bytes.
    {"kepler-k40c", 64, 32, 0, 16, "blocks"},
    {"kepler-k40c", 256, 32, 0, 8, "threads"},
    {"kepler-k40c", 256, 33, 0, 6, "registers"},       // 1056 -> 1280; 51 -> 48 warps; / 8
    {"kepler-k40c", 224, 41, 0, 5, "registers"},       // 1312 -> 1536; 42 -> 40 warps; / 7
    {"kepler-k40c", 96, 64, 0, 10, "registers"},       // 2048; 32 warps; / 3
    {"kepler-k40c", 64, 16, 12 * KIB, 4, "shared memory"},
    {"kepler-k40c", 64, 16, 12 * KIB + 1, 3, "shared memory"}, // 12544 bytes
    // 5.2: 32 blocks, 96 KB, of which a block has 48.
    {"maxwell-gtx980", 64, 32, 0, 32, "blocks"},
    {"maxwell-gtx980", 1024, 32, 0, 2, "threads"},
    {"maxwell-gtx980", 1024, 33, 0, 1, "registers"},
    {"maxwell-gtx980", 128, 255, 0, 2, "registers"},   // 8160 -> 8192; 8 warps; / 4
    {"maxwell-gtx980", 128, 32, 48 * KIB, 2, "shared memory"},
    // 7.0: 96 KB, all of which one block may request.
    {"volta-v100", 32, 32, 0, 32, "blocks"},
    {"volta-v100", 96, 41, 0, 13, "registers"},        // 1536; 42 -> 40 warps; / 3
    {"volta-v100", 256, 32, 32 * KIB, 3, "shared memory"},
    {"volta-v100", 256, 32, 96 * KIB, 1, "shared memory"},
    // 9.0: 228 KB in units of 128 bytes, 1 KB of them reserved for each block.
    {"hopper-h200", 64, 32, 0, 32, "blocks"},
    {"hopper-h200", 256, 65, 0, 3, "registers"},       // 2080 -> 2304; 28 warps; / 8
    {"hopper-h200", 128, 32, 57 * KIB, 3, "shared memory"}, // 58 KB each
    {"hopper-h200", 128, 32, 56 * KIB, 4, "shared memory"}, // 57 KB each
    {"hopper-h200", 128, 32, 227 * KIB, 1, "shared memory"},
};

static void test_cases(void **state)
{
    (void)state;
    for (const Case *c = cases; c < cases + sizeof cases / sizeof *cases; c++) {
        Machine m = bench_machine(c->machine, NULL);
        const char *limit = "";
        HdError err;
        unsigned got = machine_occupancy(&m, c->threads, c->registers, c->shared, &limit, &err);
        if (got != c->blocks || strcmp(limit, c->limit) != 0)
            fail_msg("%s, %u threads, %u registers, %u B: %u blocks by %s, expected %u by %s",
                     c->machine, c->threads, c->registers, (unsigned)c->shared, got, limit,
                     c->blocks, c->limit);
    }
}

// Blocks that do not fit at all.
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        unsigned registers;
        uint64_t shared;
        const char *part;
    } refused[] = {
        {"maxwell-gtx980", 32, 48 * KIB + 1, "49153 bytes of shared memory: expected at most"},
        {"hopper-h200", 32, 228 * KIB, "core.block_shared"},
        {"volta-v100", 80, 0, " registers, the SM has"}, // 2560 a warp: 25 -> 24 of 32 warps
        {"fermi-c2050", 16, 16 * KIB + 1, "bytes of shared memory, the SM has"},
    };
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        Machine m = bench_machine(refused[i].machine, NULL);
        const char *limit;
        HdError err;
        assert_int_equal(
            machine_occupancy(&m, 1024, refused[i].registers, refused[i].shared, &limit, &err), 0);
        assert_contains(err.text, refused[i].part);
    }
}

// Shared memory that is reserved for blocks is not part of the L1D: 256 KB less 32 x 1 KB, and less
// 4 x 57 KB, in sets of 8 KB.
static void test_unified(void **state)
{
    (void)state;
    Machine m = bench_machine("hopper-h200", NULL);
    assert_int_equal(machine_block_shared(&m, 0), KIB);
    assert_int_equal(machine_l1d(&m, 0, 32 * machine_block_shared(&m, 0)).size, 224 * KIB);
    uint64_t four = 4 * machine_block_shared(&m, 56 * KIB);
    assert_int_equal(machine_l1d(&m, 56 * KIB, four).size, 24 * KIB);
}

// A block reserves all of an SM's shared memory.
static void test_all_reserved(void **state)
{
    (void)state;
    Machine m = bench_machine("hopper-h200", (const char *const[]){"core.shared=1KiB", NULL});
    char notes[1024];
    HdError err;
    assert_false(machine_check(&m, notes, sizeof notes, &err));
    assert_contains(err.text, "core.shared_reserved = 1024B: expected less than");
}

// A kernel with many live values and bounds in its directives.
static void hold_values(int values, char *text, size_t size, const char *bounds)
{
    int n = snprintf(text, size,
        PTX_HEAD
        ".entry k(.param .u64 a) %s\n"
        "{\n"
        "    .reg .b64 %%p;\n"
        "    .reg .b32 %%r<%d>;\n"
        "    ld.param.u64 %%p, [a];\n", bounds, values);
    for (int i = 0; i < values; i++)
        n += snprintf(text + n, size - (size_t)n, "ld.global.u32 %%r%d, [%%p + %d];\n", i, 4 * i);
    for (int i = 0; i < values; i++)
        n += snprintf(text + n, size - (size_t)n, "st.global.u32 [%%p + %d], %%r%d;\n",
                      4 * ((i + 50) % values), i);
    snprintf(text + n, size - (size_t)n, "exit; }\n");
}

// A thread gets at most as many registers as the kernel's bounds leave.
static void test_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *bounds;
        unsigned block; // threads of the launch's blocks; 0: unknown
        uint32_t least, most;
    } bounds[] = {
        {"", 0, 100, 110},
        {".maxntid 512, 2, 1", 0, 64, 64},           // 65536 registers for 32 warps of 32
        {".maxntid 256 .minnctapersm 3", 0, 80, 80}, // 24 warps: 2730 -> 2560
        {".reqntid 1000", 0, 64, 64},                // 32 warps
        {".maxnreg 48", 0, 48, 48},
        {".maxntid 128", 0, 100, 110},               // 512: the kernel needs fewer
        {"", 1024, 64, 64},                          // like .maxntid 1024
        {"", 700, 80, 80},                           // 22 -> 24 warps
        {"", 512, 100, 110},                         // 128: the kernel needs fewer
        {".maxnreg 48", 1024, 48, 48},
    };
    for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        char text[16384];
        hold_values(100, text, sizeof text, bounds[i].bounds);
        Bench *b = bench_new("volta-v100", NULL, NULL, text);
        uint32_t registers = 0;
        HdError err;
        assert_true(
            gpu_registers(b->gpu, &b->module->functions[0], bounds[i].block, &registers, &err));
        if (registers < bounds[i].least || registers > bounds[i].most)
            fail_msg("\"%s\": %u registers", bounds[i].bounds, registers);
        bench_free(b);
    }
}

// A thread gets at most as many registers as an instruction of the machine's generation can name.
static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        int values;
        uint32_t registers;
    } kernels[] = {{"volta-v100", 300, 255}, {"kepler-k40c", 300, 255}, {"fermi-c2050", 100, 63}};
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        static char text[65536];
        hold_values(kernels[i].values, text, sizeof text, "");
        Bench *b = bench_new(kernels[i].machine, NULL, NULL, text);
        uint32_t registers = 0;
        HdError err;
        assert_true(gpu_registers(b->gpu, &b->module->functions[0], 0, &registers, &err));
        assert_int_equal(registers, kernels[i].registers);
        bench_free(b);
    }
}

// Limits that a machine file states for the chip's generation.
static void test_capability(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        unsigned capability;
    } machines[] = {{"fermi-gtx480", 20}, {"fermi-c2050", 20}, {"kepler-k40c", 35},
                    {"maxwell-gtx980", 52}, {"volta-v100", 70}, {"hopper-h200", 90}};
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        Machine m = bench_machine(machines[i].machine, NULL);
        assert_int_equal(machine_capability(&m), machines[i].capability);
    }
    Machine newer =
        bench_machine("volta-v100", (const char *const[]){"gpu.capability=12.1", NULL});
    assert_int_equal(machine_capability(&newer), 121);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unified),
        cmocka_unit_test(test_all_reserved),
        cmocka_unit_test(test_bounds), cmocka_unit_test(test_names),
        cmocka_unit_test(test_capability),
    };
    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}
