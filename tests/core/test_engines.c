// Instructions of mechanisms' engines on an SM: their requests, and the registers that a reply
// writes. The test is the memory side: it answers requests to engines when it likes, and all others
// a quantum later.
#include "support/bench.h"

#include "base/memory.h"
#include "core/sm.h"
#include "hooks/engine_instructions.h"
#include "ptx/verify.h"

enum { QUANTUM = 40, SLICES = 3, SM = 4, THREADS = 64, MAX_REQUESTS = 64, PLANNED = 7 };

static const HdEngineInstruction loads[] = {
    {.name = "load_engine", .registers = "pr", .request_bits = 32},
    {.name = "load_engine.key", .registers = "prr", .request_bits = 33},
    {0}};
static const HdMechanism sorter = {.name = "sorter", .instructions = loads};
static EngineInstruction items[] = {{&sorter, PLANNED, 0}, {&sorter, PLANNED, 1}};
static const EngineInstructions engines = {items, 2};

// ---- an SM that exchanges packets with the test ----

typedef struct Rig {
    Machine machine;
    Clocks clocks;
    GuestMemory guest;
    PtxModule *module;
    uint32_t pc_base[4];
    uint64_t params[2], out; // out: an array of words
    SmLaunch launch;
    SmTables total;
    Sm *sm;
    uint64_t now;                         // core cycle
    HdTables tables;
    Exchange exchange;
    MemRequest requests[MAX_REQUESTS];    // to engines
    Packet *packets[MAX_REQUESTS];        // the same
    uint64_t sent_at[MAX_REQUESTS];       // in the quantum before this cycle
    unsigned count;
} Rig;

static void place(const void *memory_side, MemRequest *request)
{
    (void)memory_side;
    uint64_t slice = request->kind == MEM_ENGINE ? request->slice : request->line / 128 % SLICES;
    request->owner = (uint16_t)(slice + 1);
}

static SmConfig config_of(const Machine *m)
{
    return (SmConfig){.core = &m->core, .scalar = &m->scalar, .frontend = &m->frontend,
                      .operand = &m->operand, .units = &m->units, .latency = &m->latency,
                      .initiation = &m->initiation,
                      .shared = &m->shared, .l1i = &m->l1i, .l1c = &m->l1c, .l1r = &m->l1r,
                      .path = &m->path, .launch = &m->launch, .icnt = &m->icnt,
                      .atomics = &m->atomics};
}

static Rig *rig_new(const char *ptx, const char *divergence)
{
    const char *settings[] = {"frontend.perfect=true", "memory.perfect_constants=true",
                              "core.its_patience=8", divergence, NULL};
    HdError err = {0};
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->machine = bench_machine("fermi-gtx480", settings);
    const Machine *m = &rig->machine;
    rig->clocks = (Clocks){
        .khz = {m->core.frequency, m->icnt.frequency, m->slice.frequency, m->dram.frequency}};
    PtxOptions options = machine_ptx_options(m);
    options.engines = &engines;
    rig->module = ptx_parse_with(ptx, "test.ptx", options, &err);
    SmConfig config = config_of(m);
    SmShared shared = {.clocks = &rig->clocks, .guest = &rig->guest,
                       .map = {place, NULL, SLICES, &rig->exchange, QUANTUM}};
    bool ok = exchange_init(&rig->exchange, SM + 1, 1, SLICES, false, 1, &rig->tables) &&
              rig->module && ptx_verify(rig->module, &err) && exec_bind(rig->module, &err) &&
              clocks_derive(&rig->clocks, &err) && guest_init(&rig->guest, &err) &&
              (rig->out = guest_allocate(&rig->guest, 4096, "out", &err)) &&
              (rig->sm = sm_new(&config, &shared, SM, &err));
    if (!ok) fail_msg("%s", err.text);
    rig->params[0] = rig->out;
    rig->now = 1;
    return rig;
}

static void free_tables(SmTables *tables)
{
    free(tables->pcs);
    free(tables->l1d_allocations);
    waits_free(&tables->waited);
}

static void rig_free(Rig *rig)
{
    sm_free(rig->sm);
    hd_tables_free(&rig->tables);
    guest_free(&rig->guest);
    ptx_free(rig->module);
    free_tables(&rig->total);
    free(rig);
}

// Begins a launch of one block.
static void begin(Rig *rig, const char *kernel)
{
    HdError err = {0};
    PtxModule *m = rig->module;
    PtxFunction *k = ptx_find_kernel(m, kernel, &err);
    uint32_t pcs = 0;
    for (size_t i = 0; i < m->function_count; i++) {
        rig->pc_base[i] = pcs;
        pcs += m->functions[i].op_count;
    }
    SmUse use = machine_use(&rig->machine, 1, THREADS, k->registers, 0);
    rig->launch = (SmLaunch){.module = m, .kernel = k, .pc_base = rig->pc_base, .end_pc = pcs,
                             .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .sms = 1,
                             .params = rig->params, .l1d = machine_l1d(&rig->machine, &use),
                             .blocks_per_sm = 1, .nanoseconds_per_cycle = 1};
    free_tables(&rig->total); // of the launch before
    rig->total = (SmTables){.pcs = calloc(pcs, sizeof *rig->total.pcs),
                            .l1d_allocations = calloc(2, sizeof(AccessCounters))};
    assert_true(waits_init(&rig->total.waited, pcs));
    if (!sm_begin(rig->sm, &rig->launch, rig->now, 1, pcs, &err)) fail_msg("%s", err.text);
    sm_queue_block(rig->sm, 0);
}

static void reply(Rig *rig, Packet *packet, unsigned bytes, bool last)
{
    const MemRequest *request = &packet->request;
    packet->reply = (MemReply){.line = request->line, .token = request->token,
                               .kind = request->kind, .sectors = request->sectors,
                               .level = LEVEL_L2, .direct = request->direct};
    Transit *transit = &packet->back[packet->packets++];
    transit->time = clock_tick(&rig->clocks, CLOCK_CORE, rig->now);
    transit->last = last;
    transit->bytes = (uint16_t)bytes;
    exchange_answer(&rig->exchange, 0, transit);
}

static void run_quantum(Rig *rig)
{
    HdError err = {0};
    rig->now += QUANTUM;
    if (!sm_run(rig->sm, rig->now, true, &err)) fail_msg("%s", err.text);
    StoreLog *log = sm_store_log(rig->sm);
    guest_commit(&rig->guest, &log, 1);
    Transit *next;
    for (Transit *t = post_take(&rig->exchange.requests, 0); t; t = next) {
        next = t->next;
        if (t->packet->request.kind != MEM_ENGINE) {
            reply(rig, t->packet, 0, true);
            continue;
        }
        assert_in_range(rig->count, 0, MAX_REQUESTS - 1);
        rig->sent_at[rig->count] = rig->now;
        rig->requests[rig->count] = t->packet->request;
        rig->packets[rig->count++] = t->packet;
    }
}

static void run(Rig *rig, unsigned quanta)
{
    while (quanta--) run_quantum(rig);
}

// The engine's answer: the predicate in these lanes, and base + lane in each register, 1000 apart.
static void answer(Rig *rig, unsigned number, uint32_t predicate, uint32_t base)
{
    HdEngineReply *to = &rig->requests[number].engine->reply;
    to->predicate = predicate;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned lane = 0; lane < 32; lane++) to->values[k][lane] = base + 1000 * k + lane;
    reply(rig, rig->packets[number], 128, true);
}

static uint32_t word(const Rig *rig, unsigned index)
{
    uint32_t value;
    memcpy(&value, guest_host(&rig->guest, rig->out) + index * sizeof value, sizeof value);
    return value;
}

static void end(Rig *rig)
{
    for (unsigned i = 0; i < 100 && !sm_idle(rig->sm); i++) run_quantum(rig);
    assert_true(sm_idle(rig->sm));
    assert_null(sm_leftover(rig->sm));
    sm_count_to(rig->sm, rig->now, true);
    sm_move_rows(rig->sm, 0, rig->launch.end_pc, rig->total.pcs);
    assert_true(sm_collect(rig->sm, &rig->total));
    assert_int_equal(rig->total.sm.committed, rig->total.sm.warp_instructions);
}

// ---- tests ----

// Each thread stores its element, or 7 without one, and then the sum of two others.
static const char elements[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    setp.lt.u32 %p3, %r1, 40;\n"
    "    load_engine %p1, %r2;\n"
    "    @%p3 load_engine.key %p2, %r3, %r4;\n"
    "    selp.u32 %r5, %r2, 7, %p1;\n"
    "    st.global.u32 [%rd3], %r5;\n"
    "    add.u32 %r6, %r3, %r4;\n"
    "    @%p2 st.global.u32 [%rd3+512], %r6;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry none(.param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<4>; .reg .b32 %r<9>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    setp.gt.u32 %p3, %r1, 100;\n"
    "    @%p3 load_engine %p1, %r2;\n"
    "    ret;\n"
    "}\n";

static void expect_request(const Rig *rig, unsigned number, unsigned instruction, unsigned warp,
                           uint32_t lanes)
{
    const MemRequest *r = &rig->requests[number];
    uint32_t pc = rig->pc_base[0] + 5 + instruction;
    assert_int_equal(r->slice, (SM + number) % SLICES);
    assert_int_equal(r->bytes, instruction ? 5 : 4);
    assert_int_equal(r->sideband_bytes, 0);
    assert_int_equal(r->lanes, lanes);
    assert_int_equal(r->pc, pc);
    assert_int_equal(r->sm, SM);
    assert_int_equal(r->warp, warp);
    assert_int_equal(r->warp_slot, warp);
    assert_int_equal(r->engine->mechanism, PLANNED);
    assert_int_equal(r->engine->instruction, instruction);
}

// Two requests of each of two warps are in flight at once; they are answered in any order.
static void test_requests(void **state)
{
    (void)state;
    Rig *rig = rig_new(elements, NULL);
    begin(rig, "k");
    run(rig, 10);
    assert_int_equal(rig->count, 4);
    unsigned first = rig->requests[0].warp_slot; // the warp that comes first
    for (unsigned i = 0; i < 4; i++) {
        unsigned warp = rig->requests[i].warp_slot, key = rig->requests[i].bytes == 5;
        expect_request(rig, i, key, warp, key && warp ? 0xff : UINT32_MAX);
    }
    for (unsigned i = 0; i < 4; i++) { // the second instruction of each warp first
        if (rig->requests[i].bytes == 5)
            answer(rig, i, 0x0f, 100000 * (1 + rig->requests[i].warp_slot));
    }
    run(rig, 3);
    assert_int_equal(word(rig, 0), 0); // the first element is missing
    assert_int_equal(word(rig, 128), 0);
    for (unsigned i = 0; i < 4; i++)
        if (rig->requests[i].bytes == 4) answer(rig, i, 0xfffffffe, 10000 * (1 + first + i));
    run(rig, 3);
    end(rig);
    assert_int_equal(word(rig, 0), 7);
    assert_int_equal(word(rig, 31) % 1000, 31);
    assert_int_equal(word(rig, 32), 7);
    assert_int_equal(word(rig, 33) % 1000, 1);
    for (unsigned warp = 0; warp < 2; warp++)
        for (unsigned lane = 0; lane < 32; lane++)
            assert_int_equal(word(rig, 128 + 32 * warp + lane),
                             lane < 4 ? 200000 * (1 + warp) + 1000 + 2 * lane : 0);
    const SmTables *t = &rig->total;
    assert_int_equal(t->sm.memory_instructions, 4); // the stores
    assert_int_equal(t->sm.global_loads, 0);
    assert_int_equal(t->sm.loads_l2, 0);
    assert_int_equal(t->pcs[5].issued, 2);
    assert_int_equal(t->pcs[5].requests, 0);
    assert_true(t->pcs[5].latency > 2 * 3 * QUANTUM);
    rig_free(rig);
}

// No lane executes the instruction in the second kernel. The turn of the slices starts anew.
static void test_no_lanes(void **state)
{
    (void)state;
    Rig *rig = rig_new(elements, NULL);
    begin(rig, "none");
    end(rig);
    assert_int_equal(rig->count, 0);
    for (unsigned launch = 0; launch < 2; launch++) {
        rig->count = 0;
        begin(rig, "k");
        run(rig, 10);
        assert_int_equal(rig->count, 4);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(rig->requests[i].slice, (SM + i) % SLICES);
            answer(rig, i, 0, 0);
        }
        end(rig);
    }
    rig_free(rig);
}

// Of a reply in two packets, the last one writes the registers.
static void test_two_packets(void **state)
{
    (void)state;
    Rig *rig = rig_new(elements, NULL);
    begin(rig, "k");
    run(rig, 10);
    assert_int_equal(rig->count, 4);
    for (unsigned i = 0; i < 4; i++) reply(rig, rig->packets[i], 128, false);
    run(rig, 4);
    assert_int_equal(word(rig, 0), 0);
    for (unsigned i = 0; i < 4; i++) answer(rig, i, UINT32_MAX, 500);
    end(rig);
    assert_int_equal(word(rig, 63), 531);
    rig_free(rig);
}

// The callee's registers and predicates are behind those of the kernel. With independent threads,
// its loop yields to lanes 8 and up, which are in the kernel: the answer comes while these are the
// current split.
static const char in_function[] =
    PTX_HEAD
    ".func (.param .b32 result) f()\n"
    "{\n"
    "    .reg .pred %p<4>; .reg .b32 %r<9>;\n"
    "    load_engine %p1, %r1;\n"
    "    mov.u32 %r3, 0;\n"
    "WAIT:\n"
    "    add.u32 %r3, %r3, 1;\n"
    "    setp.lt.u32 %p2, %r3, 50;\n"
    "    @%p2 bra WAIT;\n"
    "    selp.u32 %r2, %r1, 7, %p1;\n"
    "    st.param.b32 [result], %r2;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .param .b32 result;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    setp.lt.u32 %p1, %r1, 8;\n"
    "    setp.lt.u32 %p2, %r1, 4;\n"
    "    mov.u32 %r3, 0;\n"
    "    @%p1 bra CALL;\n"
    "LOOP:\n"
    "    add.u32 %r3, %r3, 1;\n"
    "    setp.lt.u32 %p3, %r3, 40;\n"
    "    @%p3 bra LOOP;\n"
    "    bra END;\n"
    "CALL:\n"
    "    call (result), f, ();\n"
    "    ld.param.b32 %r3, [result];\n"
    "END:\n"
    "    @%p2 add.u32 %r3, %r3, 5;\n" // the kernel's predicate is as it was
    "    st.global.u32 [%rd3], %r3;\n"
    "    ret;\n"
    "}\n";

static void in_frame(const char *divergence)
{
    Rig *rig = rig_new(in_function, divergence);
    begin(rig, "k");
    for (unsigned i = 0; i < 40 && !rig->count; i++) run_quantum(rig);
    assert_int_equal(rig->count, 1);
    assert_int_equal(rig->requests[0].lanes, 0xff);
    run(rig, 10);
    answer(rig, 0, 0xfe, 100);
    end(rig);
    static const uint32_t expected[] = {12, 106, 107, 108, 104, 105, 106, 107, 40, 40};
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(word(rig, i), expected[i]);
    rig_free(rig);
}

static void test_frames(void **state)
{
    (void)state;
    in_frame("core.divergence=stack");
    in_frame("core.divergence=its");
}

static void test_trace(void **state)
{
    (void)state;
    Rig *rig = rig_new(in_function, NULL);
    SmTrace trace = {.start = 1, .to = UINT64_MAX};
    HdError err = {0};
    if (!sm_trace(rig->sm, &trace, &err)) fail_msg("%s", err.text);
    begin(rig, "k");
    for (unsigned i = 0; i < 40 && !rig->count; i++) run_quantum(rig);
    answer(rig, 0, 0xfe, 100);
    end(rig);
    trace.text[trace.length] = 0;
    static const char *const parts[] = {
        ("lanes 000000ff: load_engine %p1, %r1\n"
         "            request to the engine of slice 1, 4 bytes\n"),
        "line 5, an access is answered by the engine; the last, ",
        "            writes  %p1 = false true true true ..; %r1 = 0x64 0x65 0x66 0x67 ..\n"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(trace.text, parts[i])) fail_msg("no '%s' in\n%s", parts[i], trace.text);
    free(trace.text);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests),    cmocka_unit_test(test_no_lanes),
        cmocka_unit_test(test_two_packets), cmocka_unit_test(test_frames),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
