// The storage of threads that SMs hold from launch to launch: what is counted against
// GpuOptions.max_memory is what the host gives, also where launches touch different parts of it.
#include "support/bench.h"

#include <stdarg.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static size_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t all, resident;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %zu", &all, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

typedef struct Text {
    char at[1 << 20];
    size_t length;
} Text;

__attribute__((format(printf, 2, 3)))
static void add(Text *t, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    t->length += (size_t)vsnprintf(t->at + t->length, sizeof t->at - t->length, format, more);
    va_end(more);
    assert_true(t->length < sizeof t->at);
}

// Runs a kernel, and compares what is counted with what the process has taken since `before`: 40
// MiB are left for counters and the simulator.
static void run_counted(Bench *b, const char *kernel, unsigned blocks, unsigned threads,
                        size_t before)
{
    bench_run(b, &(BenchLaunch){kernel, .grid = {blocks}, .block = {threads}, .args = {0}});
    uint64_t used = gpu_memory(b->gpu)->budget.used, resident = resident_bytes() - before;
    assert_in_range(resident, 0, used + 40 * MIB);
}

// f calls itself n times.
static const char RECURSION[] = PTX_HEAD
    ".func f(.param .b32 n)\n"
    "{\n"
    "    .reg .b32 %r; .reg .pred %p; .param .b32 m;\n"
    "    ld.param.u32 %r, [n]; setp.eq.u32 %p, %r, 0;\n"
    "    @%p ret;\n"
    "    sub.u32 %r, %r, 1; st.param.b32 [m], %r;\n"
    "    call f, (m);\n"
    "    ret;\n"
    "}\n";

// Touches each page of `bytes` of local memory. The kernel calls `callee`, if it has one, for an
// argument other than 0.
static void add_local_kernel(Text *t, const char *name, unsigned bytes, const char *callee)
{
    add(t, ".visible .entry %s(.param .u32 n)\n"
           "{\n"
           "    .reg .b64 %%rd; .reg .pred %%p; .reg .b32 %%r<3>; .param .b32 m;\n"
           "    .local .align 4 .b8 v[%u];\n"
           "    mov.u64 %%rd, v; mov.u32 %%r1, 0; mov.u32 %%r2, 7;\n"
           "LOOP:\n"
           "    st.local.u32 [%%rd], %%r2; add.u64 %%rd, %%rd, 4096;\n"
           "    add.u32 %%r1, %%r1, 4096; setp.lt.u32 %%p, %%r1, %u;\n"
           "    @%%p bra LOOP;\n", name, bytes, bytes);
    if (callee)
        add(t, "    ld.param.u32 %%r1, [n]; setp.eq.u32 %%p, %%r1, 0;\n"
               "    @%%p ret;\n"
               "    st.param.b32 [m], %%r1;\n"
               "    call %s, (m);\n", callee);
    add(t, "    ret;\n"
           "}\n");
}

// Blocks of one thread, whose local memory lies elsewhere in each launch.
static void test_partial_warps(void **state)
{
    (void)state;
    static Text t;
    char name[4];
    add(&t, PTX_HEAD);
    for (unsigned i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "k%u", i);
        add_local_kernel(&t, name, (32 - i) << 13, NULL);
    }
    Bench *b = bench_new("kepler-k40c", NULL, &(GpuOptions){.functional = true}, t.at);
    size_t before = resident_bytes();
    for (unsigned i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "k%u", i);
        run_counted(b, name, 15 * 16, 1, before);
    }
    bench_free(b);
}

// Local memory, and then parameters of functions.
static void test_two_kinds(void **state)
{
    (void)state;
    static Text t;
    add(&t, PTX_HEAD
        ".func f(.param .align 8 .b8 x[8192])\n"
        "{\n"
        "    .reg .b32 %%r<2>;\n"
        "    ld.param.b32 %%r1, [x];\n"
        "    ret;\n"
        "}\n"
        ".visible .entry parameters()\n"
        "{\n"
        "    .reg .b32 %%r<2>;\n"
        "    .param .align 8 .b8 x[8192];\n"
        "    mov.u32 %%r1, 7; st.param.b32 [x], %%r1; st.param.b32 [x+4096], %%r1;\n"
        "    call f, (x);\n"
        "    ret;\n"
        "}\n");
    add_local_kernel(&t, "local", 8192, NULL);
    Bench *b = bench_new("kepler-k40c", NULL, &(GpuOptions){.functional = true}, t.at);
    size_t before = resident_bytes();
    for (unsigned i = 0; i < 4; i++)
        run_counted(b, i % 2 ? "parameters" : "local", 15, 512, before);
    bench_free(b);
}

// The kernel's own frame counts, also if nothing recurses.
static void test_own_frame(void **state)
{
    (void)state;
    static Text t;
    add(&t, "%s", RECURSION);
    add_local_kernel(&t, "k", 1 << 18, "f");
    Bench *b = bench_new("kepler-k40c", (const char *const[]){"core.call_depth=2", NULL},
                         &(GpuOptions){.functional = true}, t.at);
    run_counted(b, "k", 15 * 16, 1, resident_bytes());
    bench_free(b);
}

static void add_registers(Text *t, unsigned count)
{
    for (unsigned i = 2; i < count; i++) add(t, "    add.u32 %%r%u, %%r1, %u;\n", i, i);
}

static void add_sum(Text *t, unsigned count)
{
    for (unsigned i = 2; i < count; i++) add(t, "    xor.b32 %%r1, %%r1, %%r%u;\n", i);
}

// A register takes as much of the host's memory in a block of one thread as in a whole warp.
static void test_registers(void **state)
{
    (void)state;
    enum { REGISTERS = 4000 };
    static Text t;
    add(&t, PTX_HEAD ".visible .entry k()\n"
                     "{\n"
                     "    .reg .b32 %%r<%u>; .shared .b32 s;\n"
                     "    mov.u32 %%r1, %%tid.x;\n", REGISTERS);
    add_registers(&t, REGISTERS);
    add_sum(&t, REGISTERS);
    add(&t, "    st.shared.u32 [s], %%r1;\n"
            "    ret;\n"
            "}\n");
    Bench *b = bench_new("kepler-k40c", NULL, &(GpuOptions){.functional = true}, t.at);
    run_counted(b, "k", 15 * 16, 1, resident_bytes());
    bench_free(b);
}

// f waits for g, which other lanes of the warp call meanwhile: its registers lie behind those of f,
// where the warp's storage ends.
static void add_function(Text *t, const char *name, const char *meanwhile, unsigned registers)
{
    add(t, ".func (.param .b32 o) %s(.param .b64 a)\n"
           "{\n"
           "    .reg .b64 %%rd; .reg .pred %%p; .reg .b32 %%r<%u>;\n"
           "    ld.param.u64 %%rd, [a]; mov.u32 %%r1, %%tid.x;\n", name, registers);
    add_registers(t, registers);
    add(t, "%s", meanwhile);
    add_sum(t, registers);
    add(t, "    st.param.b32 [o], %%r1;\n"
           "    ret;\n"
           "}\n");
}

static void test_paths_of_calls(void **state)
{
    (void)state;
    enum { REGISTERS = 2000 };
    static Text t;
    add(&t, PTX_HEAD);
    add_function(&t, "f", "WAIT:\n"
                          "    ld.volatile.global.u32 %r0, [%rd]; setp.eq.u32 %p, %r0, 0;\n"
                          "    @%p bra WAIT;\n", REGISTERS);
    add_function(&t, "g", "    mov.u32 %r0, 1; st.volatile.global.u32 [%rd], %r0;\n", REGISTERS);
    add(&t, ".visible .entry k(.param .u64 out)\n"
            "{\n"
            "    .reg .b64 %%rd<3>; .reg .pred %%p; .reg .b32 %%r<3>; .param .b64 a;\n"
            "    .param .b32 o;\n"
            "    ld.param.u64 %%rd1, [out]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x;\n"
            "    mul.wide.u32 %%rd2, %%r2, 4; add.u64 %%rd1, %%rd1, %%rd2;\n"
            "    st.param.b64 [a], %%rd1; setp.eq.u32 %%p, %%r1, 0;\n"
            "    @%%p bra WAITS;\n"
            "    call (o), g, (a);\n"
            "    ret;\n"
            "WAITS:\n"
            "    call (o), f, (a);\n"
            "    ret;\n"
            "}\n");
    // A warp has some 2,000 registers of 128 bytes, of which 255 do not count, 0.2 MiB; and then
    // 4,000 of its own, 0.5 MiB. 8 warps fit on each SM.
    static const char *const settings[] = {"gpu.sms=8", NULL};
    for (unsigned functional = 0; functional < 2; functional++) {
        GpuOptions options = {.functional = functional, .max_memory = 32 * MIB};
        Bench *b = bench_new("volta-v100", settings, &options, t.at);
        uint64_t out = bench_array(b, "out", NULL, 256);
        bench_run(b, &(BenchLaunch){"k", .grid = {8}, .block = {32}, .args = {out}});
        uint64_t used = gpu_memory(b->gpu)->budget.used;
        assert_in_range(used, 5 * MIB, 9 * MIB);
        bench_free(b);
        b = bench_new("volta-v100", settings, &options, t.at);
        out = bench_array(b, "out", NULL, 256);
        assert_contains(bench_fail(b, &(BenchLaunch){"k", .grid = {64}, .block = {32},
                                                     .args = {out}}),
                        "the calls of all threads on SM 0 take ");
        bench_free(b);
    }
}

// What is no longer counted takes no memory of the host either, also of SMs that get no block.
static void test_storage(void **state)
{
    (void)state;
    static Text t;
    add(&t, "%s", RECURSION);
    add_local_kernel(&t, "recursive", 6 * 4096, "f");
    add_local_kernel(&t, "plain", 6 * 4096, NULL);
    Bench *b = bench_new("kepler-k40c", (const char *const[]){"core.call_depth=2", NULL},
                         &(GpuOptions){.functional = true}, t.at);
    // The first launch fills 15 SMs: 6 pages of 4 KiB for each of 15,360 threads. The second one
    // uses a single SM.
    size_t filled = (size_t)15 * 1024 * 6 * 4096;
    bench_run(b, &(BenchLaunch){"plain", .grid = {15}, .block = {1024}});
    size_t before = resident_bytes();
    bench_run(b, &(BenchLaunch){"recursive", .block = {1}, .args = {0}});
    assert_true(resident_bytes() + filled / 2 < before);
    bench_run(b, &(BenchLaunch){"recursive", .grid = {15}, .block = {1024}, .args = {0}});
    before = resident_bytes();
    bench_run(b, &(BenchLaunch){"plain", .block = {1}});
    assert_true(resident_bytes() + filled / 2 < before);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partial_warps), cmocka_unit_test(test_two_kinds),
        cmocka_unit_test(test_own_frame), cmocka_unit_test(test_registers),
        cmocka_unit_test(test_paths_of_calls), cmocka_unit_test(test_storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
