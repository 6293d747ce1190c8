// Instructions of mechanisms' engines: which kernels have them, which are refused, and what they
// give in a functional launch and behind the cut of a timed one.
#include "engine_run.h"

#include "gpu/engine_uses.h"

enum { WARPS = 3, THREADS = 32 * WARPS, LAST_LANE = 31 };

// ---- mechanisms ----

static HdEngineRequest last; // that was executed
static unsigned calls;

// A slice serves the lanes whose number has its own number as remainder, but no slice the last one.
static uint32_t execute(HdPlace *place, const HdEngineRequest *request, uint32_t lanes,
                        HdEngineReply *reply)
{
    uint32_t served = 0;
    last = *request;
    calls++;
    for (unsigned lane = 0; lane < LAST_LANE; lane++) {
        if (!(lanes >> lane & 1) || lane % place->places != place->number) continue;
        served |= 1u << lane;
        reply->values[0][lane] = 1000 * (1 + request->warp_slot) + lane;
        reply->values[1][lane] = place->number;
    }
    reply->predicate |= served;
    return served;
}

// No warp asks in a timed launch.
static bool take_request(HdPlace *place, const HdEngineRequest *request)
{
    (void)place;
    (void)request;
    return false;
}

static void on_data(HdPlace *place, const HdEngineData *data)
{
    (void)place;
    (void)data;
}

static uint64_t on_cycle(HdPlace *place, uint64_t cycle)
{
    (void)place;
    (void)cycle;
    return UINT64_MAX;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    (void)place;
    (void)access;
}

static const HdEngineInstruction loads[] = {
    {.name = "load_engine", .registers = "pr", .request_bits = 32},
    {.name = "load_engine.slice", .registers = "prr", .request_bits = 32},
    {0}};
static const HdEngineInstruction merges[] = {{.name = "merge", .registers = "r"}, {0}};
static const HdMechanism all[] = {
    {.name = "plain", .l2 = {.on_access = on_access}},
    {.name = "sorter", .l2 = {.on_access = on_access}, .instructions = loads,
     .engine = {take_request, on_data, on_cycle, execute}},
    {.name = "merger", .instructions = merges},
};
static const HdMechanism *const known[] = {&all[2], &all[1], NULL};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(all, sizeof all / sizeof *all, name, library, err);
}

// A GPU with these mechanisms, which knows the instructions of all.
static EngineRun *run_new(const char *mechanisms, GpuOptions options, const char *ptx)
{
    return engine_run_new(mechanisms, find, known, options, NULL, ptx, 2 * THREADS);
}

// ---- functional execution ----

// After some turns, thread t stores its element, or 7 without one, and the slice that gave it.
// Threads from 90 on do not ask.
static const char elements[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out, .param .u32 turns)\n"
    "{\n"
    "    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.param.u32 %r5, [turns];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    mov.u32 %r2, 7;\n"
    "    mov.u32 %r3, 8;\n"
    "    setp.ge.u32 %p1, %r1, 0;\n"
    "    setp.lt.u32 %p2, %r1, 90;\n"
    "LOOP:\n"
    "    sub.u32 %r5, %r5, 1;\n"
    "    setp.gt.s32 %p3, %r5, 0;\n"
    "    @%p3 bra LOOP;\n"
    "    @%p2 load_engine.slice %p1, %r2, %r3;\n"
    "    @!%p1 mov.u32 %r2, 9;\n"
    "    st.global.u32 [%rd3], %r2;\n"
    "    st.global.u32 [%rd3+384], %r3;\n"
    "    ret;\n"
    "}\n";

static void expect_elements(const EngineRun *run, unsigned slices)
{
    for (unsigned t = 0; t < THREADS; t++) {
        unsigned lane = t % 32;
        bool asks = t < 90, has = asks && lane < LAST_LANE;
        assert_int_equal(bench_word(run->bench, run->out, t),
                         has ? 1000 * (1 + t / 32) + lane : asks ? 9 : 7);
        assert_int_equal(bench_word(run->bench, run->out, THREADS + t),
                         has ? lane % slices : asks ? 0 : 8);
    }
}

static void test_functional(void **state)
{
    (void)state;
    EngineRun *run = run_new("plain+sorter", (GpuOptions){.functional = true}, elements);
    unsigned slices = run->bench->machine->slice.count;
    calls = 0;
    BenchLaunch launch = {"k", .block = {THREADS}, .args = {run->out, 1}};
    const LaunchResult *r = bench_run(run->bench, &launch);
    expect_elements(run, slices);
    assert_int_equal(calls, WARPS * slices); // the last lane asks all
    assert_int_equal(last.lanes, (1u << 26) - 1);
    assert_int_equal(last.instruction, 1);
    assert_int_equal(last.warp_slot, 2);
    assert_int_equal(last.sm, 0);
    PcLocation at = gpu_locate_pc(run->bench->gpu, last.pc);
    assert_non_null(strstr(ptx_source_text(at.module, at.function, at.index), "load_engine.slice"));
    assert_int_equal(r->sm.by_class[CLASS_LOAD], 3 * WARPS); // with ld.param
    assert_int_equal(bench_at(run->bench, r, "load_engine").lanes, 90);
    engine_run_free(run);
}

// The cut comes while the warps turn: the rest of the launch asks the engines as a functional one.
static void test_cut(void **state)
{
    (void)state;
    EngineRun *run = run_new("sorter", (GpuOptions){.max_thread_instructions = 5000}, elements);
    BenchLaunch launch = {"k", .block = {THREADS}, .args = {run->out, 1000}};
    const LaunchResult *r = bench_run(run->bench, &launch);
    assert_true(r->cut);
    assert_int_equal(bench_at(run->bench, r, "load_engine").issued, 0);
    expect_elements(run, run->bench->machine->slice.count);
    engine_run_free(run);
}

// ---- which kernels have instructions ----

static const char graph[] =
    PTX_HEAD
    ".func uses() { .reg .b32 %r<3>;\n"                              // line 2
    "    merge %r1;\n"
    "    ret; }\n"
    ".func deep() { call uses, (); ret; }\n"
    ".func other(.param .b32 a) { .reg .b32 %r<3>; .reg .pred %p<2>;\n"
    "    load_engine %p1, %r1;\n"
    "    load_engine.slice %p1, %r1, %r2;\n"
    "    load_engine %p1, %r1; ret; }\n"
    ".func same(.param .b32 a) { ret; }\n"
    ".func taken(.param .b32 a) { call deep, (); ret; }\n"
    ".global .u64 targets[2] = {same, taken};\n"
    ".visible .entry none() { ret; }\n"
    ".visible .entry own() { .reg .b32 %r<3>; .reg .pred %p<2>;\n"
    "    load_engine %p1, %r1; ret; }\n"
    ".visible .entry calls() { .param .b32 a; call other, (a); ret; }\n"
    ".visible .entry far() { call deep, (); ret; }\n"
    ".visible .entry pointer() { .reg .b64 %rd<3>; .param .b32 a;\n"
    "    ld.global.u64 %rd1, [targets];\n"
    "P: .callprototype _ (.param .b32 _);\n"
    "    call %rd1, (a), P; ret; }\n"
    ".visible .entry another() { .reg .b64 %rd<3>; .param .b64 a;\n"
    "    ld.global.u64 %rd1, [targets];\n"
    "P: .callprototype _ (.param .b64 _);\n"
    "    call %rd1, (a), P; ret; }\n";

// The instructions of a kernel with their lines, in order: "load_engine:7 merge:3".
static void expect_uses(const EngineUses *uses, PtxModule *m, const char *kernel,
                        const char *wanted)
{
    char text[128] = "";
    uint32_t number = (uint32_t)(ptx_find_kernel(m, kernel, NULL) - m->functions);
    for (const EngineUse *use = NULL; (use = engine_uses_next(uses, use, number));) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s:%u", used ? " " : "",
                 engine_instruction(use->instruction)->name,
                 m->functions[use->function].timing[use->index].line);
    }
    assert_string_equal(text, wanted);
}

static void test_uses(void **state)
{
    (void)state;
    EngineRun *run = run_new("sorter", (GpuOptions){0}, graph);
    PtxModule *m = run->bench->module;
    EngineUses uses;
    assert_true(engine_uses_find(&uses, m));
    expect_uses(&uses, m, "none", "");
    expect_uses(&uses, m, "own", "load_engine:15");
    expect_uses(&uses, m, "calls", "load_engine:7 load_engine.slice:8");
    expect_uses(&uses, m, "far", "merge:3");
    expect_uses(&uses, m, "pointer", "merge:3");
    expect_uses(&uses, m, "another", ""); // no function has this signature
    engine_uses_free(&uses);
    engine_run_free(run);
}

// A kernel is refused before it starts, and the GPU goes on.
static void test_refused(void **state)
{
    (void)state;
    EngineRun *run = run_new("plain", (GpuOptions){.functional = true}, graph);
    Bench *b = run->bench;
    bench_run(b, &(BenchLaunch){.kernel = "none"});
    assert_string_equal(bench_fail(b, &(BenchLaunch){.kernel = "own"}),
                        "test.ptx:15: own has 'load_engine', an instruction of the mechanism "
                        "sorter, which is not in this run: expected --mechanism sorter");
    assert_int_equal(gpu_fault(b->gpu), GPU_FAULT_UNSUPPORTED);
    assert_string_equal(bench_fail(b, &(BenchLaunch){.kernel = "pointer"}),
                        "test.ptx:3: pointer has 'merge', an instruction of the mechanism merger, "
                        "which is not in this run: expected --mechanism merger");
    bench_run(b, &(BenchLaunch){.kernel = "none"});
    engine_run_free(run);
    run = run_new("sorter", (GpuOptions){.functional = true}, graph);
    bench_run(run->bench, &(BenchLaunch){.kernel = "own"});
    bench_run(run->bench, &(BenchLaunch){.kernel = "calls"});
    const char *message = bench_fail(run->bench, &(BenchLaunch){.kernel = "far"});
    assert_non_null(strstr(message, "--mechanism merger"));
    engine_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functional), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_uses), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
