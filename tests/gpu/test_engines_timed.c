// Instructions of mechanisms' engines in timed launches: values, requests in flight, what the
// mechanism knows of the kernel, and its faults.
#include "engine_run.h"

enum { THREADS = 96, ROOM = 2, DELAY = 100 };

// ---- the mechanism ----

#define REQUEST(F) F(number, 32) F(lanes, 32) F(cycle, 32) F(warp_slot, 9)
HD_BIT_FIELDS(Request, REQUEST);
#define STATE(F) F(waiting, 2)
HD_BIT_FIELDS(State, STATE);
enum { REQUESTS, WAITING };
static const HdStructure structures[] = {
    {"requests", HD_EACH_L2, ROOM, HD_FIXED, Request_bits, sizeof(Request)},
    {"waiting", HD_EACH_L2, 1, HD_FIXED, State_bits, sizeof(State)},
    {0}};

static struct {
    HdKernel begun;       // that slice 0 has seen last
    const char *begin, *cycle; // what to say by hd_fault, when a kernel begins, and in on_cycle
    bool silent;          // requests are not answered
    unsigned done;        // instructions of engines, and the cycles that they took
    uint64_t latency;
} asked;

static void on_memory_done(HdPlace *place, const HdMemoryDone *done)
{
    (void)place;
    if (done->kind != HD_ENGINE_READ) return;
    asked.done++;
    asked.latency += done->cycle - done->issued;
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    if (place->number) return;
    asked.begun = *kernel;
    if (asked.begin) hd_fault(place, kernel->engine_pc, "%s %d", asked.begin, 1);
}

static bool take_request(HdPlace *place, const HdEngineRequest *request)
{
    Request *requests = place->structures[REQUESTS];
    State *state = place->structures[WAITING];
    if (state->waiting == ROOM) return false;
    requests[state->waiting++] = (Request){request->number, request->lanes,
                                           (uint32_t)request->cycle, request->warp_slot};
    return true;
}

// Each lane gets its warp slot and its number, some cycles after the request has come.
static uint64_t on_cycle(HdPlace *place, uint64_t cycle)
{
    Request *requests = place->structures[REQUESTS];
    State *state = place->structures[WAITING];
    if (asked.cycle && state->waiting) hd_fault(place, HD_NO_PC, "%s", asked.cycle);
    if (asked.silent) return UINT64_MAX;
    while (state->waiting) {
        HdEngineReply reply = {.predicate = requests->lanes & 0x7fffffff, .bytes = {64, 32}};
        if (requests->cycle + DELAY > cycle) return requests->cycle + DELAY;
        for (unsigned lane = 0; lane < HD_ENGINE_LANES; lane++) {
            reply.values[0][lane] = 1000 * (1 + requests->warp_slot) + lane;
            reply.values[1][lane] = place->number;
        }
        if (!hd_answer(place, requests->number, &reply)) return cycle + 1;
        state->waiting--;
        memmove(requests, requests + 1, state->waiting * sizeof *requests);
    }
    return UINT64_MAX;
}

static uint32_t execute(HdPlace *place, const HdEngineRequest *request, uint32_t lanes,
                        HdEngineReply *reply)
{
    (void)place;
    (void)request;
    (void)reply;
    return lanes;
}

static const HdEngineInstruction loads[] = {{"load_engine", "pr", 32, "Loads."},
                                            {"load_engine.slice", "prr", 32, "Loads."}, {0}};
static const HdMechanism timed = {
    .name = "timed", .description = "Answers late.", .paper = "none", .structures = structures,
    .instructions = loads, .l2 = {.on_kernel_begin = on_kernel_begin},
    .core = {.on_memory_done = on_memory_done},
    .engine = {.take_request = take_request, .on_cycle = on_cycle, .execute = execute}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    return bench_mechanism(&timed, 1, name, library, err);
}

// ---- kernels ----

// Two requests of a warp are in flight. Thread t stores both elements, or 9 without one, and the
// slices that gave them. Threads from 90 on do not ask. Line 15 has the first request.
static const char elements[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    mov.u32 %r2, 7;\n"
    "    mov.u32 %r3, 8;\n"
    "    mov.u32 %r4, 7;\n"
    "    setp.ge.u32 %p1, %r1, 0;\n"
    "    setp.ge.u32 %p3, %r1, 0;\n"
    "    setp.lt.u32 %p2, %r1, 90;\n"
    "    @%p2 load_engine.slice %p1, %r2, %r3;\n"
    "    @%p2 load_engine %p3, %r4;\n"
    "    @!%p1 mov.u32 %r2, 9;\n"
    "    @!%p3 mov.u32 %r4, 9;\n"
    "    st.global.u32 [%rd3], %r2;\n"
    "    st.global.u32 [%rd3+384], %r3;\n"
    "    st.global.u32 [%rd3+768], %r4;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry none() { ret; }\n";

static EngineRun *run_new(GpuOptions options, const char *divergence)
{
    asked.begin = asked.cycle = NULL;
    asked.silent = false;
    asked.done = 0;
    asked.latency = 0;
    return engine_run_new("timed", find, (const HdMechanism *const[]){NULL}, options, divergence,
                          elements, 3 * THREADS);
}

static BenchLaunch launch(const EngineRun *run, const char *kernel)
{
    return (BenchLaunch){kernel, .block = {THREADS}, .args = {run->out}};
}

// The elements of a request come from one slice.
static uint64_t run_once(GpuOptions options, const char *divergence)
{
    EngineRun *run = run_new(options, divergence);
    BenchLaunch k = launch(run, "k");
    const LaunchResult *r = bench_run(run->bench, &k);
    uint64_t cycles = r->cycles;
    for (unsigned t = 0; t < THREADS; t++) {
        bool asks = t < 90, has = asks && t % 32 < 31;
        unsigned element = has ? 1000 * (1 + t / 32) + t % 32 : asks ? 9 : 7;
        assert_int_equal(bench_word(run->bench, run->out, t), element);
        assert_int_equal(bench_word(run->bench, run->out, 2 * THREADS + t), element);
        unsigned slice = bench_word(run->bench, run->out, THREADS + t);
        if (!asks) assert_int_equal(slice, 8);
        else assert_int_equal(slice, bench_word(run->bench, run->out, THREADS + t / 32 * 32));
    }
    const IcntConfig *icnt = &run->bench->machine->icnt;
    assert_int_equal(r->icnt.flits_to_memory_engine, 6 * icnt_flits(icnt, 4));
    assert_int_equal(r->icnt.flits_to_sm_engine, 6 * (icnt_flits(icnt, 64) + icnt_flits(icnt, 32)));
    uint64_t latency = bench_at(run->bench, r, "load_engine.slice").latency;
    assert_true(latency >= 3 * DELAY);
    assert_int_equal(asked.done, 6); // two requests of each warp
    assert_int_equal(asked.latency, latency + bench_at(run->bench, r, "load_engine %p3").latency);
    engine_run_free(run);
    return cycles;
}

static void test_values(void **state)
{
    (void)state;
    for (unsigned independent = 0; independent < 2; independent++) {
        const char *divergence = independent ? "core.divergence=its" : "core.divergence=stack";
        uint64_t cycles = run_once((GpuOptions){.threads = 1}, divergence);
        assert_int_equal(run_once((GpuOptions){.threads = 4}, divergence), cycles);
        assert_int_equal(run_once((GpuOptions){.no_skip = true}, divergence), cycles);
        assert_int_equal(run_once((GpuOptions){.shuffle = 3}, divergence), cycles);
    }
}

static void test_kernel(void **state)
{
    (void)state;
    EngineRun *run = run_new((GpuOptions){0}, NULL);
    bench_run(run->bench, &(BenchLaunch){.kernel = "none"});
    assert_int_equal(asked.begun.engine_instructions, 0);
    BenchLaunch k = launch(run, "k");
    bench_run(run->bench, &k);
    assert_int_equal(asked.begun.engine_instructions, 3);
    assert_true(asked.begun.timed);
    PcLocation at = gpu_locate_pc(run->bench->gpu, asked.begun.engine_pc);
    assert_int_equal(at.function->timing[at.index].line, 15);
    engine_run_free(run);
    run = run_new((GpuOptions){.functional = true}, NULL);
    bench_run(run->bench, &(BenchLaunch){.kernel = "none"});
    assert_false(asked.begun.timed);
    engine_run_free(run);
}

// A fault ends the launch: before it starts, or at the end of the quantum.
static void test_faults(void **state)
{
    (void)state;
    EngineRun *run = run_new((GpuOptions){0}, NULL);
    asked.begin = "not configured:";
    BenchLaunch k = launch(run, "k");
    assert_string_equal(bench_fail(run->bench, &k),
                        "test.ptx:15: mechanism timed: not configured: 1");
    engine_run_free(run);
    run = run_new((GpuOptions){0}, NULL);
    asked.cycle = "too large";
    k = launch(run, "k");
    assert_string_equal(bench_fail(run->bench, &k), "mechanism timed: too large");
    engine_run_free(run);
}

// Requests that no engine answers are a deadlock.
static void test_silent(void **state)
{
    (void)state;
    EngineRun *run = run_new((GpuOptions){0}, NULL);
    asked.silent = true;
    BenchLaunch k = launch(run, "k");
    assert_non_null(strstr(bench_fail(run->bench, &k), "deadlock"));
    engine_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_kernel),
        cmocka_unit_test(test_faults), cmocka_unit_test(test_silent)};
    return cmocka_run_group_tests_name("engines, timed", tests, NULL, NULL);
}
