// The cycles of warps before and after the data of their target load (segura2022iru, Fig. 3):
// computed by hand, for events that a test makes up and on a real SM.
#include "mechanism_rig.h"
#include "support/bench.h"

#include "hooks/core_hooks.h"
#include "mechanisms/mechanism_registry.h"

// ---- events that the test makes up ----

enum { ARRAY = 0x1000, BYTES = 0x100, SLOT = 3, PC = 9 };

static uint64_t allocated(const HdCall *call, uint64_t address)
{
    (void)call;
    return address >= ARRAY && address < ARRAY + BYTES ? ARRAY + BYTES - address : 0;
}

static const char *call(Rig *rig, const char *verb, uint64_t address, uint64_t bytes)
{
    bool takes = false;
    HdCall made = {.verb = verb, .values = (uint64_t[]){address, bytes}, .count = 2,
                   .allocated = allocated};
    const char *refused = cache_hooks_on_call(rig->hooks, "warp-phases", &made, &takes);
    assert_true(takes);
    return refused;
}

// With the whole array as the target.
static void init(Rig *rig)
{
    HdError err;
    rig_init(rig, HOOK_L1, "warp-phases");
    if (!cache_hooks_set_slots(rig->hooks, (SmSlots){SLOT + 1, 1, 1, 1}, &err))
        fail_msg("%s", err.text);
    assert_null(call(rig, "target", ARRAY, BYTES));
}

static void start(Rig *rig, uint16_t slot, uint64_t cycle)
{
    core_hooks_on_warp(rig->hooks, &(HdWarp){.slot = slot, .cycle = cycle}, true);
}
static void end(Rig *rig, uint16_t slot, uint64_t cycle)
{
    core_hooks_on_warp(rig->hooks, &(HdWarp){.slot = slot, .cycle = cycle}, false);
}

// An instruction of the warp in SLOT, with which lane n accesses `bytes` bytes from
// address + n * bytes on.
typedef struct Access {
    uint64_t cycle, address;
    uint32_t lanes, pc;
    uint8_t bytes, kind;
    bool injected;
} Access;
static void issue(Rig *rig, Access a)
{
    uint64_t addresses[HD_LANES];
    for (unsigned lane = 0; lane < HD_LANES; lane++) addresses[lane] = a.address + lane * a.bytes;
    core_hooks_on_memory_issue(rig->hooks, &(HdMemoryInstruction){
        .cycle = a.cycle, .addresses = addresses, .lanes = a.lanes, .pc = a.pc, .warp_slot = SLOT,
        .bytes = a.bytes, .kind = a.kind, .injected = a.injected});
}
static void done(Rig *rig, HdKind kind, uint32_t pc, uint64_t issued, uint64_t cycle)
{
    core_hooks_on_memory_done(rig->hooks, &(HdMemoryDone){
        .cycle = cycle, .issued = issued, .pc = pc, .warp_slot = SLOT, .kind = (uint8_t)kind});
}

static void check(const Rig *rig, uint64_t warps, uint64_t to, uint64_t after, uint64_t without)
{
    assert_int_equal(rig_counter(rig, "warps"), warps);
    assert_int_equal(rig_counter(rig, "cycles_to_target"), to);
    assert_int_equal(rig_counter(rig, "cycles_after_target"), after);
    assert_int_equal(rig_counter(rig, "warps_without"), without);
}

// The first load of the array counts. Its data come 80 cycles after the warp's start, and 120
// before its end. Another load of the same instruction is done before it.
static void test_first(void **state)
{
    (void)state;
    Rig rig;
    init(&rig);
    start(&rig, SLOT, 100);
    issue(&rig, (Access){110, ARRAY - 0x100, UINT32_MAX, 7, 4, HD_LOAD, false});
    issue(&rig, (Access){120, ARRAY, UINT32_MAX, PC, 4, HD_LOAD, false});
    issue(&rig, (Access){125, ARRAY, UINT32_MAX, PC, 4, HD_LOAD, false});
    done(&rig, HD_LOAD, 7, 110, 150);
    done(&rig, HD_LOAD, PC, 125, 170);
    done(&rig, HD_LOAD, PC, 120, 180);
    check(&rig, 0, 0, 0, 0);
    end(&rig, SLOT, 300);
    check(&rig, 1, 80, 120, 0);
    // The next warp in this slot begins anew.
    start(&rig, SLOT, 400);
    end(&rig, SLOT, 410);
    start(&rig, SLOT, 420);
    issue(&rig, (Access){421, ARRAY, 1, PC, 4, HD_LOAD, false});
    done(&rig, HD_LOAD, PC, 421, 430);
    end(&rig, SLOT, 431);
    check(&rig, 2, 80 + 10, 120 + 1, 1);
    rig_free(&rig);
}

// Which instructions touch the array, at most one of them in a warp. The first lane past its end,
// the last lane before it, and lanes that are off do not. Only loads of the program do.
static void test_touches(void **state)
{
    (void)state;
    static const struct {
        Access access;
        bool target;
    } cases[] = {
        {{1, ARRAY - 0x80, UINT32_MAX, PC, 4, HD_LOAD, false}, false},
        {{1, ARRAY - 0x7c, UINT32_MAX, PC, 4, HD_LOAD, false}, true},
        {{1, ARRAY - 0x7c, UINT32_MAX >> 1, PC, 4, HD_LOAD, false}, false},
        {{1, ARRAY - 8, 1, PC, 8, HD_LOAD, false}, false},
        {{1, ARRAY - 8, 1, PC, 16, HD_LOAD, false}, true},
        {{1, ARRAY + BYTES - 1, 1, PC, 1, HD_LOAD, false}, true},
        {{1, ARRAY + BYTES, UINT32_MAX, PC, 4, HD_LOAD, false}, false},
        {{1, ARRAY, UINT32_MAX, PC, 4, HD_STORE, false}, false},
        {{1, ARRAY, UINT32_MAX, PC, 4, HD_ATOMIC, false}, false},
        {{1, ARRAY, UINT32_MAX, PC, 4, HD_LOAD, true}, false},
        {{1, ARRAY, 0, PC, 4, HD_LOAD, false}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Rig rig;
        init(&rig);
        start(&rig, SLOT, 0);
        issue(&rig, cases[i].access);
        done(&rig, cases[i].access.kind, PC, 1, 6);
        end(&rig, SLOT, 10);
        if (cases[i].target) check(&rig, 1, 6, 4, 0);
        else check(&rig, 0, 0, 0, 1);
        rig_free(&rig);
    }
}

// An instruction of a unit needs no array. The one that has issued first counts, in whatever order
// they are answered.
static void test_units(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        Rig rig;
        init(&rig);
        assert_null(call(&rig, "target", 0, 0));
        start(&rig, SLOT, 0);
        if (first) done(&rig, HD_ENGINE_READ, 5, 10, 70);
        done(&rig, HD_ENGINE_READ, 6, 12, first ? 80 : 50);
        if (!first) done(&rig, HD_ENGINE_READ, 5, 10, 70);
        end(&rig, SLOT, 100);
        check(&rig, 1, 70, 30, 0);
        rig_free(&rig);
    }
    // Beside a load of the array that has issued in between.
    Rig rig;
    init(&rig);
    start(&rig, SLOT, 0);
    issue(&rig, (Access){11, ARRAY, 1, PC, 4, HD_LOAD, false});
    done(&rig, HD_ENGINE_READ, 6, 12, 50);
    done(&rig, HD_ENGINE_READ, 5, 10, 60);
    done(&rig, HD_LOAD, PC, 11, 90);
    end(&rig, SLOT, 100);
    check(&rig, 1, 60, 40, 0);
    rig_free(&rig);
}

// ---- the host's calls ----

static void load_at(Rig *rig, uint64_t address)
{
    start(rig, SLOT, 0);
    issue(rig, (Access){1, address, 1, PC, 4, HD_LOAD, false});
    done(rig, HD_LOAD, PC, 1, 6);
    end(rig, SLOT, 10);
}

static void test_calls(void **state)
{
    (void)state;
    Rig rig;
    init(&rig);
    assert_string_equal(call(&rig, "aim", ARRAY, BYTES), "expected target(address, bytes)");
    assert_string_equal(call(&rig, "target", ARRAY + 4, BYTES),
                        "expected an array within one allocation");
    load_at(&rig, ARRAY); // a refused call changes nothing
    check(&rig, 1, 6, 4, 0);
    assert_null(call(&rig, "target", ARRAY + 0x40, 4)); // in place of the other
    load_at(&rig, ARRAY);
    check(&rig, 1, 6, 4, 1);
    load_at(&rig, ARRAY + 0x40);
    check(&rig, 2, 12, 8, 1);
    cache_hooks_on_release(rig.hooks, ARRAY + BYTES, BYTES); // another allocation
    load_at(&rig, ARRAY + 0x40);
    check(&rig, 3, 18, 12, 1);
    cache_hooks_on_release(rig.hooks, ARRAY, BYTES);
    load_at(&rig, ARRAY + 0x40);
    check(&rig, 3, 18, 12, 2);
    assert_null(call(&rig, "target", ARRAY, BYTES));
    assert_null(call(&rig, "target", 0, 0));
    load_at(&rig, ARRAY);
    check(&rig, 3, 18, 12, 3);
    rig_free(&rig);
}

// ---- a real SM ----

#define ADD(r) "    add.u32 " r ", " r ", 0;\n"
#define ADDS(r) ADD(r) ADD(r) ADD(r) ADD(r) ADD(r) ADD(r) ADD(r) ADD(r)
// Each lane loads its word of `in`. `before` has a chain of 8 adds, each of which waits for the one
// before it, in front of the load. `after` has it behind the load.
#define KERNEL(name, before, after)                                                                \
    ".visible .entry " name "(.param .u64 in)\n"                                                   \
    "{\n"                                                                                          \
    "    .reg .b32 %r<4>; .reg .b64 %d<4>;\n"                                                      \
    "    ld.param.u64 %d1, [in];\n"                                                                \
    "    cvt.u32.u64 %r1, %d1;\n"                                                                  \
    before                                                                                         \
    "    and.b32 %r1, %r1, 0;\n"                                                                   \
    "    mov.u32 %r3, %tid.x;\n"                                                                   \
    "    add.u32 %r3, %r3, %r1;\n"                                                                 \
    "    mul.wide.u32 %d2, %r3, 4;\n"                                                              \
    "    add.u64 %d3, %d1, %d2;\n"                                                                 \
    "    ld.global.u32 %r2, [%d3];\n"                                                              \
    "    add.u32 %r2, %r2, 1;\n"                                                                   \
    after                                                                                          \
    "    ret;\n"                                                                                   \
    "}\n"
static const char ptx[] = PTX_HEAD KERNEL("plain", "", "") KERNEL("before", ADDS("%r1"), "")
    KERNEL("after", "", ADDS("%r2"));

enum { THREADS = 64, CHAIN = 8 };
typedef struct Phases { // the counters, in their order
    uint64_t warps, to, after, without;
} Phases;

// Runs warps of the kernel in one block, with the words of the second one as the target.
static Phases run(const char *kernel, bool target)
{
    // Each instruction issues in the cycle in which its operands are there. The time of a load does
    // not depend on the phase of another clock.
    static const char *const settings[] = {"gpu.sms=1", "frontend.perfect=true",
                                           "frontend.decode=1", "dram.frequency=700MHz", NULL};
    HookPlan plan;
    HdError err = {0};
    if (!plan_read(&plan, "warp-phases", mechanism_find, &err)) fail_msg("%s", err.text);
    Bench *b = bench_new("fermi-gtx480", settings, &(GpuOptions){.mechanisms = &plan}, ptx);
    uint64_t in = bench_array(b, "in", NULL, 4 * THREADS);
    const uint64_t values[] = {in + 128, 128};
    if (target && !gpu_call(b->gpu, "warp-phases", "target", values, 2, &err))
        fail_msg("%s", err.text);
    bench_run(b, &(BenchLaunch){kernel, .block = {THREADS}, .args = {in}});
    Phases phases;
    memcpy(&phases, gpu_hooks(b->gpu, HOOK_L1, 0)->items[0].place.counters, sizeof phases);
    bench_free(b);
    plan_free(&plan);
    return phases;
}

// Cycles from the issue of an add to the issue of an add that waits for it.
static uint64_t add_time(void)
{
    Machine m = bench_machine("fermi-gtx480", NULL);
    return m.operand.stages + 1 + m.operand.dispatch + m.latency.of[CLASS_INT_ADD] +
           m.operand.writeback;
}

// Of two warps one loads the target. The chain adds the time of 8 adds to the phase in which it is.
static void test_sm(void **state)
{
    (void)state;
    Phases plain = run("plain", true), before = run("before", true),
           after = run("after", true);
    assert_int_equal(plain.warps, 1);
    assert_int_equal(plain.without, 1);
    assert_int_equal(before.warps, 1);
    assert_int_equal(after.warps, 1);
    assert_int_equal(plain.after, add_time()); // of the add that waits for the load
    assert_int_equal(before.to, plain.to + CHAIN * add_time());
    assert_int_equal(before.after, plain.after);
    assert_int_equal(after.to, plain.to);
    assert_int_equal(after.after, plain.after + CHAIN * add_time());
    Phases none = run("plain", false);
    assert_int_equal(none.warps, 0);
    assert_int_equal(none.without, 2);
    assert_int_equal(none.to + none.after, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first), cmocka_unit_test(test_touches), cmocka_unit_test(test_units),
        cmocka_unit_test(test_calls), cmocka_unit_test(test_sm)};
    return cmocka_run_group_tests_name("warp-phases", tests, NULL, NULL);
}
