// Slices of an L2 that is off or unbounded (l2.mode), against ticks computed by hand from the rig's
// parameters (rig.h). A load of a sector sent at t is looked up at t + 31. Then come miss queue 1,
// pipe 30, DRAM 10 + 12 + 2, return 1, fill 5, two flits and network 10.
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { MISS = 31 + 1 + 30 + 24 + 1 + 5 + 2 + 10 };

static void start_off(Rig *rig, GuestMemory *guest)
{
    rig->l2.mode = CACHE_OFF;
    rig_start(rig, guest);
}

// Three loads of one sector are three reads. The second follows the first in the pipe. Its column
// access in the same DRAM bank waits tCCDL = 3. The third is later and hits the open row, without
// tRCD = 10.
static void test_every_load_reads(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    start_off(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128); // has no effect: the L2 is off
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 7);
    rig_send(&rig, 1, MEM_LOAD, 1, 0, 1, 8);
    rig_send(&rig, 2, MEM_LOAD, 300, 0, 1, 9);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 0, 7)->time, MISS);
    assert_int_equal(rig_reply(&rig, 1, 8)->time, MISS + 3);
    assert_int_equal(rig_reply(&rig, 2, 9)->time, 300 + MISS - 10);
    assert_int_equal(rig_reply(&rig, 2, 9)->level, LEVEL_DRAM);
    rig_count(&rig, 1000);
    assert_int_equal(rig.l2_counters.accesses, 3);
    assert_int_equal(rig.l2_counters.load_misses, 3);
    assert_int_equal(rig.l2_counters.pending_hits, 0);
    assert_int_equal(rig.l2_counters.fills, 3);
    assert_int_equal(rig.dram_counters.reads, 3);
    rig_stop(&rig);
}

// One MSHR entry: the second load is looked up at 32 and stalls until the first one's fill, at
// 31 + 1 + 30 + 24 + 1 + 5 = 92.
static void test_entries_are_finite(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.mshr_entries = 1;
    start_off(&rig, NULL);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 7);
    rig_send(&rig, 1, MEM_LOAD, 1, 0, 1, 8);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 0, 7)->time, MISS);
    rig_count(&rig, 1000);
    assert_int_equal(rig.l2_counters.stall_mshr_entry, 92 - 32);
    assert_int_equal(rig.dram_counters.reads, 2);
    rig_stop(&rig);
}

// A store of two sectors is two writes. Its packet of 64 + 8 bytes has 3 flits. The sectors are
// looked up at 33 and 34. The acknowledgement has one flit and travels for 10.
static void test_stores_go_on(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    start_off(&rig, NULL);
    rig_send(&rig, 0, MEM_STORE, 0, 0, 3, 7);
    rig_send(&rig, 0, MEM_LOCAL_STORE, 500, 0, 1, 8);
    rig_finish(&rig, 1000);
    assert_int_equal(memory_side_outstanding(rig.memory), 0);
    assert_int_equal(rig_reply(&rig, 0, 7)->time, 34 + 1 + 10);
    rig_count(&rig, 2000);
    assert_int_equal(rig.l2_counters.store_misses, 3);
    assert_int_equal(rig.dram_counters.writes, 3);
    assert_int_equal(rig.dram_counters.reads, 0);
    rig_stop(&rig);
}

static AtomicLanes adds(uint64_t address, uint64_t what)
{
    AtomicLanes atomic = {.operation = ATOM_ADD, .type = PTX_U32, .lanes = 1};
    atomic.address[0] = address;
    atomic.b[0] = what;
    return atomic;
}

// Atomics execute at the slice in the order of arrival, each with its own read and write, even with
// a single MSHR entry.
static void test_atomics(void **state)
{
    (void)state;
    for (uint32_t places = 1; places <= 4; places++) {
        uint32_t words[64] = {100};
        GuestMemory guest = {.host = (uint8_t *)words};
        AtomicLanes lanes[6];
        Rig rig;
        rig_init(&rig);
        rig.l2.mshr_entries = places;
        rig.l2.miss_queue = 2;
        start_off(&rig, &guest);
        for (unsigned i = 0; i < 6; i++) {
            lanes[i] = adds(GUEST_GLOBAL_BASE, 1u << i);
            rig_send(&rig, i % 4, MEM_ATOMIC, i / 4 * 2, GUEST_GLOBAL_BASE, 1, i)->atomic =
                &lanes[i];
        }
        rig_finish(&rig, 100);
        uint32_t sum = 100; // in the order of the SMs, because all arrive together
        for (unsigned i = 0; i < 6; i++) {
            assert_int_equal(lanes[i].b[0], sum);
            sum += 1u << i;
        }
        assert_int_equal(words[0], sum);
        rig_count(&rig, 10000);
        assert_int_equal(rig.l2_counters.atomic_accesses, 6);
        assert_int_equal(rig.l2_counters.misses, 6);
        assert_int_equal(rig.l2_counters.writebacks, 6);
        assert_int_equal(rig.dram_counters.reads, 6);
        assert_int_equal(rig.dram_counters.writes, 6);
        char text[2000];
        memory_side_describe(rig.memory, text, sizeof text);
        assert_string_equal(text, "");
        rig_stop(&rig);
    }
}

// A store to a sector that an atomic waits for stalls, and the load behind the store waits. The
// data of the atomic arrive at 92, and its write enters the miss queue in that cycle.
static void test_atomic_holds_its_sector(void **state)
{
    (void)state;
    uint32_t words[64] = {100};
    GuestMemory guest = {.host = (uint8_t *)words};
    AtomicLanes lanes = adds(GUEST_GLOBAL_BASE, 1);
    Rig rig;
    rig_init(&rig);
    start_off(&rig, &guest);
    rig_send(&rig, 0, MEM_ATOMIC, 0, GUEST_GLOBAL_BASE, 1, 7)->atomic = &lanes;
    rig_send(&rig, 1, MEM_STORE, 0, GUEST_GLOBAL_BASE, 1, 8);
    rig_send(&rig, 2, MEM_LOAD, 10, GUEST_GLOBAL_BASE + 128, 1, 9);
    rig_finish(&rig, 1000);
    rig_count(&rig, 1000);
    assert_true(rig.l2_counters.stall_store_order > 50);
    assert_true(rig_reply(&rig, 1, 8)->time > 92 && rig_reply(&rig, 2, 9)->time > 92);
    assert_int_equal(rig.dram_counters.writes, 2);
    rig_stop(&rig);
}

// What a watcher of the slice's cache sees of one request, by its token.
typedef struct Seen {
    uint32_t token;
    CacheStall first; // why its first access stalled; CACHE_STALL_REASONS: it has not
    unsigned tries;
    uint64_t stalled; // cycles, for this reason
} Seen;

static void see(void *self, WatchKind kind, const void *event)
{
    Seen *s = self;
    const CacheEvent *seen = event;
    const MemRequest *request = seen->user;
    if (request->token != s->token) return;
    if (kind == WATCH_STALL) {
        if (s->tries && seen->reason == s->first) s->stalled += seen->stalled;
    } else if (!s->tries++) {
        bool stalls = seen->result->outcome == CACHE_STALLED;
        s->first = stalls ? seen->result->stall : CACHE_STALL_REASONS;
    }
}

static bool attach(void *self, const CachePlace *place, CacheController *cache, HdError *err)
{
    assert_string_equal(place->name, "l2");
    return watch_add(&cache->watch, (Watcher){WATCHER_OBSERVER,
                                              1u << WATCH_ACCESS | 1u << WATCH_STALL, see, self},
                     err);
}

// An atomic's data come at 32 + 1 + 1 + 24 + 1 + 5 = 64. Its write finds no room, because stores to
// other rows of its bank have filled the DRAM's queue, the pipe and the miss queue: each takes
// tRC = 36. The last one has found room in the miss queue at 45, so the write finds room at 81. A
// load at the tags from 75 on stalls until then, and is seen to: one of another sector because the
// write keeps the MSHR entry, one of the same sector because it must not pass the write.
static void test_write_that_waits(void **state)
{
    (void)state;
    for (unsigned same = 0; same < 2; same++) {
        uint32_t words[8192] = {100};
        GuestMemory guest = {.host = (uint8_t *)words};
        AtomicLanes lanes = adds(GUEST_GLOBAL_BASE, 1);
        Seen seen = {.token = 99};
        HdError err = {0};
        Rig rig;
        rig_init(&rig);
        rig.l2.mshr_entries = 1 + same;
        rig.l2.miss_queue = 2;
        rig.slice.miss_latency = 1;
        rig.dram.queue = 1;
        start_off(&rig, &guest);
        if (!memory_side_each_cache(rig.memory, attach, &seen, &err)) fail_msg("%s", err.text);
        rig_send(&rig, 0, MEM_ATOMIC, 0, GUEST_GLOBAL_BASE, 1, 7)->atomic = &lanes;
        for (unsigned i = 1; i < 5; i++)
            rig_send(&rig, 1, MEM_STORE, i, GUEST_GLOBAL_BASE + i * 4096, 1, i);
        rig_send(&rig, 2, MEM_LOAD, 75 - 31, GUEST_GLOBAL_BASE + (same ? 0 : 128), 1, 99);
        rig_finish(&rig, 1000);
        rig_count(&rig, 1000);
        assert_int_equal(seen.first, same ? STALL_STORE_ORDER : STALL_MSHR);
        assert_true(seen.tries > 1);
        assert_int_equal(seen.stalled, 81 - 75);
        assert_int_equal(rig.l2_counters.stall_store_order, same ? 81 - 75 : 0);
        assert_int_equal(rig.l2_counters.stall_mshr_entry, same ? 0 : 81 - 75);
        rig_stop(&rig);
    }
}

// Unbounded: 300 lines of one set, of which 4 KiB would hold 32, miss once each.
static void test_unbounded(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.mode = CACHE_UNBOUNDED;
    rig_start(&rig, NULL);
    for (unsigned i = 0; i < 600; i++)
        rig_send(&rig, 0, MEM_LOAD, 100 * i, i % 300 * 2048, 1, i);
    rig_finish(&rig, 1000);
    rig_count(&rig, 100000);
    assert_int_equal(rig.l2_counters.load_misses, 300);
    assert_int_equal(rig.l2_counters.load_hits, 300);
    assert_int_equal(rig.l2_counters.evictions, 0);
    assert_int_equal(rig.dram_counters.reads, 300);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_load_reads), cmocka_unit_test(test_entries_are_finite),
        cmocka_unit_test(test_stores_go_on),     cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_write_that_waits),
        cmocka_unit_test(test_unbounded),        cmocka_unit_test(test_atomic_holds_its_sector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
