// How many blocks an SM holds, by the rules of CUDA's occupancy calculator: threads in whole warps,
// registers by the warp in units, warps in units, shared memory in units and with what each block
// has reserved. The cases are computed by hand. Also: the L1D that blocks leave of a unified store,
// and bounds of a kernel's registers.
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
    {"fermi-c2050-gw8", 256, 24, 0, 5, "registers"},   // 8 x 24 x 32 = 6144, as in B32
    {"fermi-c2050-gw8", 12, 16, 0, 8, "blocks"},
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
    SmUse none = machine_use(&m, 32, 64, 32, 0), most = machine_use(&m, 4, 64, 32, 56 * KIB);
    assert_int_equal(machine_l1d(&m, &none).size, 224 * KIB);
    assert_int_equal(machine_l1d(&m, &most).size, 24 * KIB);
}

// The kernels of lakshminarayana2014, Table 4: registers of a thread that the kernel needs, and KB
// of the 128 that are unused (Figure 4: 1,536 threads, or 1,024). Section 3.5.5: of 192 KB, the L1D
// gets what registers and shared memory leave, which LS-BFS and LS-SSSP take 48 KB of. With SPREF1
// it gets 4 bytes for each thread and load less: those of head loads and tail loads.
typedef struct Table4 {
    const char *kernel;
    unsigned block, registers, loads, blocks;
    uint64_t shared, unused, l1d, l1d_spref1; // KB
} Table4;

static const Table4 table4[] = {
    {"H-BFS", 512, 15, 2, 3, 0, 38, 102, 90},      // 1,536 x 15 x 4 = 90 KB; 1,536 x 2 x 4 = 12 KB
    {"H-SSSP", 512, 17, 2, 3, 0, 26, 90, 78},
    {"H-MST", 512, 21, 3, 2, 0, 44, 108, 96},
    {"LS-BFS", 1024, 19, 1, 1, 48, 52, 68, 64},    // 192 - 76 - 48
    {"LS-SSSP", 1024, 22, 2, 1, 48, 40, 56, 48},
    {"LS-MST", 1024, 13, 3, 1, 0, 76, 140, 128},
    {"STCON", 512, 23, 2, 2, 0, 36, 100, 92},
};

static const char *const unified_192[] = {"memory.l1_sizing=unified-registers",
                                          "memory.unified=192KiB", "l1d.ways=8", NULL};

static void test_unified_registers(void **state)
{
    (void)state;
    Machine m = bench_machine("fermi-macsim", unified_192);
    char notes[1024];
    HdError err;
    if (!machine_check(&m, notes, sizeof notes, &err)) fail_msg("%s", err.text);
    for (const Table4 *k = table4; k < table4 + sizeof table4 / sizeof *table4; k++) {
        const char *limit;
        unsigned with_spare = k->registers + k->loads;
        uint64_t shared = k->shared * KIB;
        unsigned blocks = machine_occupancy(&m, k->block, k->registers, shared, &limit, &err);
        if (blocks != k->blocks) fail_msg("%s: %u blocks", k->kernel, blocks);
        blocks = machine_occupancy(&m, k->block, with_spare, shared, &limit, &err);
        if (blocks != k->blocks) fail_msg("%s: %u blocks, with spare registers", k->kernel, blocks);
        SmUse use = machine_use(&m, blocks, k->block, k->registers, shared);
        SmUse spref1 = machine_use(&m, blocks, k->block, with_spare, shared);
        CacheConfig l1d = machine_l1d(&m, &use);
        if (use.registers != (128 - k->unused) * KIB || l1d.size != k->l1d * KIB || l1d.ways != 8 ||
            machine_l1d(&m, &spref1).size != k->l1d_spref1 * KIB)
            fail_msg("%s: %u B of registers, %u B of L1D", k->kernel, (unsigned)use.registers,
                     (unsigned)l1d.size);
    }
}

// Base-64KB of Table 7: the same L1D for all kernels, whatever shared memory they take.
static void test_base_64kb(void **state)
{
    (void)state;
    static const char *const settings[] = {"memory.l1_sizing=fixed", "l1d.size=64KiB", "l1d.ways=8",
                                           NULL};
    Machine m = bench_machine("fermi-macsim", settings);
    for (const Table4 *k = table4; k < table4 + sizeof table4 / sizeof *table4; k++) {
        SmUse use = machine_use(&m, k->blocks, k->block, k->registers, k->shared * KIB);
        CacheConfig l1d = machine_l1d(&m, &use);
        assert_int_equal(l1d.size, 64 * KIB);
        assert_int_equal(l1d.size / l1d.line / l1d.ways, 64); // sets
    }
}

// The L1D has whole sets, and blocks whole warps: 2 blocks of 100 threads take 2 x 128 x 20 x 4 =
// 20 KB. Of the 172 KB that are left, 1,376 lines, sets of 7 take 1,372.
static void test_whole_sets(void **state)
{
    (void)state;
    Machine m = bench_machine("fermi-macsim", unified_192);
    m.l1d.ways = 7;
    SmUse use = machine_use(&m, 2, 100, 20, 0);
    assert_int_equal(use.registers, 20 * KIB);
    assert_int_equal(machine_l1d(&m, &use).size, 1372 * 128);
    m.l1d.ways = WAYS_ALL;
    assert_int_equal(machine_l1d(&m, &use).size, 172 * KIB);
}

// One thread reads one word of each of `count` lines in a row, twice.
static const char twice[] = PTX_HEAD
    ".entry twice(.param .u64 a, .param .u32 count)\n"
    "{\n"
    "    .reg .b64 %p, %q;\n"
    "    .reg .b32 %i, %r, %v, %count;\n"
    "    .reg .pred %d;\n"
    "    mov.u32 %r, %tid.x;\n"
    "    setp.ne.u32 %d, %r, 0;\n"
    "    @%d exit;\n"
    "    ld.param.u64 %p, [a];\n"
    "    ld.param.u32 %count, [count];\n"
    "round:\n"
    "    mov.u64 %q, %p;\n"
    "    mov.u32 %i, 0;\n"
    "line:\n"
    "    ld.global.u32 %v, [%q];\n"
    "    add.u32 %i, %i, %v;\n" // the array is 0
    "    add.u32 %i, %i, 1;\n"
    "    add.u64 %q, %q, 128;\n"
    "    setp.lt.u32 %d, %i, %count;\n"
    "    @%d bra line;\n"
    "    add.u32 %r, %r, 1;\n"
    "    setp.lt.u32 %d, %r, 2;\n"
    "    @%d bra round;\n"
    "    exit;\n"
    "}\n";

// A launch with the registers of H-BFS has 102 sets of 8 lines. 816 lines in a row fill them, and
// hit when they are read again. Of 817, 9 share a set, and the least recently used is replaced each
// time: those 9 miss again.
static void test_launch(void **state)
{
    (void)state;
    enum { LINES = 102 * 8 };
    static const char *const registers[] = {"twice=15", NULL};
    Bench *b = bench_new("fermi-macsim", unified_192, &(GpuOptions){.registers = registers}, twice);
    uint64_t array = bench_array(b, "a", NULL, (LINES + 1) * 128);
    for (unsigned more = 0; more < 2; more++) {
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"twice", .block = {512}, .args = {array, LINES + more}});
        assert_int_equal(r->l1d_bytes, 102 * KIB);
        assert_int_equal(r->blocks_per_sm, 3);
        assert_int_equal(r->sm.l1d.load_hits, more ? LINES + 1 - 9 : LINES);
        assert_int_equal(r->sm.l1d.load_misses, more ? LINES + 1 + 9 : LINES);
    }
    bench_free(b);
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
        cmocka_unit_test(test_unified_registers), cmocka_unit_test(test_base_64kb),
        cmocka_unit_test(test_whole_sets), cmocka_unit_test(test_launch),
        cmocka_unit_test(test_all_reserved),
        cmocka_unit_test(test_bounds), cmocka_unit_test(test_names),
        cmocka_unit_test(test_capability),
    };
    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}
