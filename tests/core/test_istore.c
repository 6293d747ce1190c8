// The shared store of decoded instructions: its entries by hand, and its effect on warps.
#include "support/unrolled.h"

#include "core/frontend/istore.h"

// ---- entries ----

static HdTables tables; // freed at the end of each test

// Two sets of two entries: even blocks in one, odd blocks in the other.
static InstructionStore small_store(void)
{
    InstructionStore store;
    assert_true(istore_init(&store, 4, 2, &tables));
    return store;
}

static StoreEntry *place_held(InstructionStore *store, uint32_t block)
{
    StoreEntry *entry = istore_place(store, block, 9);
    assert_non_null(entry);
    istore_hold(store, entry, 0);
    return entry;
}

static void test_find(void **state)
{
    (void)state;
    InstructionStore store = small_store();
    assert_null(istore_find(&store, 0));
    StoreEntry *zero = istore_place(&store, 0, 9), *two = istore_place(&store, 2, 9);
    assert_true(zero != two);
    assert_ptr_equal(istore_find(&store, 0), zero);
    assert_ptr_equal(istore_find(&store, 2), two);
    assert_null(istore_find(&store, 4)); // the same set
    hd_tables_free(&tables);
}

// Entries without a warp are replaced, the least recently used first; entries of warps stay.
static void test_replacement(void **state)
{
    (void)state;
    InstructionStore store = small_store();
    StoreEntry *zero = place_held(&store, 0), *two = place_held(&store, 2);
    assert_false(istore_release(two));
    assert_false(istore_release(zero));
    istore_hold(&store, zero, 0); // used again: 2 is older
    assert_false(istore_release(zero));
    assert_ptr_equal(istore_place(&store, 4, 9), two);
    assert_null(istore_find(&store, 2));
    istore_hold(&store, istore_find(&store, 0), 0); // 4 is younger, but 0 is in use
    assert_ptr_equal(istore_place(&store, 6, 9), two);
    assert_non_null(istore_find(&store, 0));
    hd_tables_free(&tables);
}

// All entries in use: the least recently used accepts no more warps, and is freed by its last one.
static void test_claim(void **state)
{
    (void)state;
    InstructionStore store = small_store();
    StoreEntry *zero = place_held(&store, 0), *two = place_held(&store, 2);
    istore_hold(&store, zero, 0); // two warps; 2 is older
    assert_null(istore_place(&store, 4, 9));
    assert_null(istore_place(&store, 4, 9)); // claims no second entry
    assert_null(istore_find(&store, 2));
    assert_ptr_equal(istore_find(&store, 0), zero);
    assert_non_null(istore_place(&store, 1, 10)); // the other set is not affected
    assert_true(istore_release(two));
    assert_null(istore_place(&store, 6, 10)); // the warp that waited first gets it; claims 0
    assert_ptr_equal(istore_place(&store, 4, 9), two);
    assert_ptr_equal(istore_find(&store, 4), two);
    assert_false(istore_release(zero));
    assert_null(istore_find(&store, 0));
    assert_true(istore_release(zero));
    assert_ptr_equal(istore_place(&store, 6, 10), zero);
    hd_tables_free(&tables);
}

// A warp that has waited longer takes over a younger one's claim. A warp that hits gives up its
// claim.
static void test_claims_by_age(void **state)
{
    (void)state;
    InstructionStore store;
    assert_true(istore_init(&store, 1, 1, &tables));
    StoreEntry *entry = place_held(&store, 0);
    assert_null(istore_place(&store, 1, 7));
    assert_null(istore_place(&store, 2, 8)); // too young
    assert_int_equal(entry->claim, 7);
    assert_null(istore_place(&store, 3, 5));
    assert_int_equal(entry->claim, 5);
    assert_true(istore_release(entry));
    assert_null(istore_place(&store, 1, 7));
    assert_ptr_equal(istore_place(&store, 9, 4), entry); // the oldest of all needs no claim
    istore_hold(&store, entry, 4);
    assert_null(istore_place(&store, 1, 7));
    assert_null(istore_find(&store, 9));
    istore_hold(&store, entry, 7);
    assert_ptr_equal(istore_find(&store, 9), entry);
    hd_tables_free(&tables);
}

// ---- warps ----

#define STORE "gpu.sms=1", "frontend.perfect=true", "frontend.buffer=shared-store"

// Code that no warp has run before: an entry of 2 instructions is looked up and fetched in the
// cycle in which the one before is finished, and can issue decode = 2 cycles later, as in a
// per-warp buffer: 2 instructions in 3 cycles.
static void test_new_code(void **state)
{
    (void)state;
    char *body = unrolled_numbered("mov.u32 %r1#, 5;\n");
    static const char *const store[] = {STORE, NULL};
    Unrolled u = {"fermi-gtx480", store, NULL, body, 1, 32};
    assert_int_equal(unrolled_cost(&u, 32), 8 * 3 * 32);
    free(body);
}

// 2 + 12 + 2 instructions: entries 0, 1-6 (the loop) and 7; `trips` times round the loop.
#define LOOP                                                                                       \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u32 trips)\n"                                                       \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<30>;\n"                                                                      \
    "    mov.u32 %r1, 0;\n"                                                                        \
    "    ld.param.u32 %r2, [trips];\n"                                                             \
    "L:\n"                                                                                         \
    "    add.u32 %r1, %r1, 1;\n"                                                                   \
    "    mov.u32 %r11, 1;\n"                                                                       \
    "    mov.u32 %r12, 1;\n"                                                                       \
    "    mov.u32 %r13, 1;\n"                                                                       \
    "    mov.u32 %r14, 1;\n"                                                                       \
    "    mov.u32 %r15, 1;\n"                                                                       \
    "    mov.u32 %r16, 1;\n"                                                                       \
    "    mov.u32 %r17, 1;\n"                                                                       \
    "    mov.u32 %r18, 1;\n"                                                                       \
    "    mov.u32 %r19, 1;\n"                                                                       \
    "    setp.lt.u32 %p1, %r1, %r2;\n"                                                             \
    "    @%p1 bra L;\n"                                                                            \
    "    mov.u32 %r3, 1;\n"                                                                        \
    "    ret;\n"                                                                                   \
    "}\n"

static LaunchResult loop_run(const char *const *settings, uint32_t trips, uint32_t threads)
{
    Bench *b = bench_new("fermi-gtx480", settings, NULL, LOOP);
    LaunchResult r = *bench_run(b, &(BenchLaunch){"k", .block = {threads}, .args = {trips}});
    bench_free(b); // the tables are freed with it, the counters stay
    return r;
}

// One warp: each of 8 entries is fetched once, and looked up once; those of the loop once per
// further trip. After each of the 9 taken branches, which end entry 6, the warp looks up entry 7 as
// well (frontend.branch: fall-through).
static void test_loop(void **state)
{
    (void)state;
    static const char *const store[] = {STORE, NULL};
    static const char *const own[] = {STORE, "frontend.buffer=per-warp", NULL};
    LaunchResult r = loop_run(store, 10, 32);
    assert_int_equal(r.sm.sm.fetches, 8);
    assert_int_equal(r.sm.sm.instruction_store_misses, 8);
    assert_int_equal(r.sm.sm.instruction_store_hits, 9 * 6 + 9);
    assert_int_equal(r.sm.sm.instruction_store_lookups, 8 + 9 * 6 + 9);
    assert_int_equal(r.sm.sm.wrong_path_fetches, 9);
    assert_int_equal(r.sm.sm.instruction_store_blocked, 0);
    static const char *const target[] = {STORE, "frontend.branch=target", NULL};
    LaunchResult at_target = loop_run(target, 10, 32);
    assert_int_equal(at_target.sm.sm.instruction_store_lookups, 8 + 9 * 6);
    assert_int_equal(at_target.sm.sm.wrong_path_fetches, 0);
    // A trip waits for nothing but its own chain, add - setp - bra: 1 fetch for each entry less.
    assert_true(r.cycles < loop_run(own, 10, 32).cycles);
    assert_int_equal(loop_run(own, 10, 32).sm.sm.instruction_store_lookups, 0);
}

// Eight warps look up the same code: the first one's fetches serve nearly all of them.
static void test_shared_by_warps(void **state)
{
    (void)state;
    static const char *const store[] = {STORE, NULL};
    static const char *const own[] = {STORE, "frontend.buffer=per-warp", NULL};
    LaunchResult r = loop_run(store, 10, 256), alone = loop_run(own, 10, 256);
    assert_int_equal(r.sm.sm.instruction_store_lookups, 8 * (8 + 9 * 6 + 9));
    assert_int_equal(r.sm.sm.instruction_store_lookups,
                     r.sm.sm.instruction_store_hits + r.sm.sm.instruction_store_misses);
    assert_true(r.sm.sm.fetches >= 8 && r.sm.sm.fetches <= 8 * 8);
    // Each warp by itself, each time, and behind each taken branch.
    assert_int_equal(alone.sm.sm.fetches, 8 * (8 + 9 * 6 + 9));
    assert_true(r.cycles < alone.cycles);
}

// A loop of 6 entries does not fit into 4: each trip fetches all 6 again, and the one behind it.
static void test_capacity(void **state)
{
    (void)state;
    static const char *const four[] = {STORE, "frontend.store_entries=4", NULL};
    LaunchResult r = loop_run(four, 10, 32);
    assert_int_equal(r.sm.sm.instruction_store_hits, 0);
    assert_int_equal(r.sm.sm.fetches, 8 + 9 * 6 + 9);
}

// Warps wait for each other at a barrier, to which each has its own code, in a store with one
// entry: a warp's entry must not keep another warp from arriving.
static void test_one_entry(void **state)
{
    (void)state;
    static const char *const one[] = {STORE, "frontend.store_entries=1", "frontend.store_ways=1",
                                      NULL};
    Bench *b = bench_new("fermi-gtx480", one, NULL,
        PTX_HEAD
        ".visible .entry k(.param .u64 out)\n"
        "{\n"
        "    .reg .pred %p<9>;\n"
        "    .reg .b32 %r<30>;\n"
        "    .reg .b64 %rd<9>;\n"
        "    .shared .align 4 .u32 flag;\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.lt.u32 %p1, %r1, 32;\n"
        "    mov.u32 %r3, 7;\n"
        "    @%p1 bra FIRST;\n"
        "SPIN:\n"
        "    ld.volatile.shared.u32 %r2, [flag];\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    @%p2 bra SPIN;\n"
        "    bra.uni JOIN;\n"
        "FIRST:\n"
        "    st.volatile.shared.u32 [flag], %r3;\n"
        "JOIN:\n"
        "    bar.sync 0;\n"
        "    ld.volatile.shared.u32 %r2, [flag];\n"
        "    ld.param.u64 %rd1, [out];\n"
        "    mul.wide.u32 %rd2, %r1, 4;\n"
        "    add.u64 %rd1, %rd1, %rd2;\n"
        "    st.global.u32 [%rd1], %r2;\n"
        "    ret;\n"
        "}\n");
    uint64_t out = bench_array(b, "out", NULL, 4 * 128);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {128}, .args = {out}});
    assert_true(r->sm.sm.instruction_store_blocked > 0);
    for (unsigned i = 0; i < 128; i++) assert_int_equal(bench_word(b, out, i), 7);
    bench_free(b);
}

// The inner set of a two-level scheduler has one warp. While that warp waits for an entry, warps
// outside the set must be able to issue and release theirs.
static void test_inner_set(void **state)
{
    (void)state;
    static const char *const narrow[] = {STORE, "frontend.store_entries=1", "frontend.store_ways=1",
                                         "core.policy=two-level", "core.two_level_active=1", NULL};
    LaunchResult r = loop_run(narrow, 10, 256);
    assert_true(r.sm.sm.instruction_store_blocked > 0);
    assert_int_equal(r.sm.sm.warp_instructions, 8 * (2 + 10 * 12 + 2));
}

// Configurations that are rejected.
static void test_checks(void **state)
{
    (void)state;
    static const char *const six[] = {STORE, "frontend.store_entries=6", NULL};
    static const char *const three[] = {STORE, "frontend.fetch_bytes=24B", NULL};
    Machine m = bench_machine("fermi-gtx480", six);
    HdError err = {0};
    char notes[512];
    assert_false(machine_check(&m, notes, sizeof notes, &err));
    assert_contains(err.text, "frontend.store_entries = 6: expected a multiple of");
    m = bench_machine("fermi-gtx480", three);
    err = (HdError){0};
    assert_false(machine_check(&m, notes, sizeof notes, &err));
    assert_contains(err.text, "24B of instructions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),     cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_claim),    cmocka_unit_test(test_claims_by_age),
        cmocka_unit_test(test_new_code),
        cmocka_unit_test(test_loop),     cmocka_unit_test(test_shared_by_warps),
        cmocka_unit_test(test_capacity), cmocka_unit_test(test_one_entry),
        cmocka_unit_test(test_inner_set), cmocka_unit_test(test_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
