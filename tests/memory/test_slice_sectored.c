// An L2 slice behind L1s that fetch by sectors of 32 bytes: one lookup, one packet and one DRAM
// request for all sectors of a request. Ticks as in test_slice.c: a miss of one sector sent at t is
// answered at t + MISS. Each further burst of its row takes 3 cycles, each further flit one.
#include "rig.h"
#include "hooks/cache_hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { MISS = 31 + 1 + 30 + 24 + 1 + 5 + 2 + 10, HIT = 31 + 7 + 2 + 10 };

static uint8_t none(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    (void)have;
    return miss->sector_mask;
}
static uint8_t predicted;
static uint8_t some(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    (void)have;
    return predicted | miss->sector_mask;
}
static const HdMechanism at_l1 = {.name = "l1", .l1 = {.decide_fetch = none}};
static const HdMechanism at_both = {
    .name = "both", .l1 = {.decide_fetch = none}, .l2 = {.decide_fetch = some}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)err;
    *library = NULL;
    return strcmp(name, "both") == 0 ? &at_both : &at_l1;
}

typedef struct Kept {
    Rig rig;
    HookPlan plan;
    CacheHooks *hooks;
} Kept;

static void kept_init(Kept *k)
{
    *k = (Kept){0};
    rig_init(&k->rig);
    k->rig.l2.sector = 128;
}

static void kept_start(Kept *k, const char *mechanism, GuestMemory *guest)
{
    HdError err = {0};
    rig_start(&k->rig, guest);
    if (!plan_read(&k->plan, mechanism, find, &err) ||
        !cache_hooks_new(&k->hooks, &k->plan, HOOK_L2, 0, 1, &err) ||
        !memory_side_attach(k->rig.memory, 0, k->hooks, &err))
        fail_msg("%s", err.text);
}

static void kept_stop(Kept *k)
{
    rig_stop(&k->rig);
    cache_hooks_free(k->hooks);
    plan_free(&k->plan);
}

static void what_is_asked_for_is_fetched(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    kept_start(&k, "l1", NULL);
    Rig *rig = &k.rig;
    rig_send(rig, 0, MEM_LOAD, 0, 0, 9, 1);     // two bursts, three flits
    rig_send(rig, 0, MEM_LOAD, 300, 0, 11, 2);  // one sector misses; open row; 4 flits
    rig_send(rig, 0, MEM_LOAD, 600, 0, 11, 3);
    rig_finish(rig, 1000);
    assert_int_equal(rig_reply(rig, 0, 1)->time, MISS + 3 + 1);
    assert_int_equal(rig_reply(rig, 0, 1)->bytes, 64);
    assert_int_equal(rig_reply(rig, 0, 2)->time, 300 + MISS - 10 + 2);
    assert_int_equal(rig_reply(rig, 0, 2)->level, LEVEL_DRAM);
    assert_int_equal(rig_reply(rig, 0, 3)->time, 600 + HIT + 2);
    rig_count(rig, 1000);
    assert_int_equal(rig->l2_counters.accesses, 3);
    assert_int_equal(rig->l2_counters.load_hits, 1);
    assert_int_equal(rig->l2_counters.fills, 3);
    assert_int_equal(rig->dram_counters.reads, 3);
    assert_int_equal(rig->dram_counters.activates, 1);
    assert_int_equal(rig->dram_counters.bytes_read, 96);
    assert_int_equal(rig->dram_counters.bytes_transferred, 192);
    assert_int_equal(k.hooks->counted.sector_misses, 1);
    assert_int_equal(k.hooks->counted.sectors_fetched, 3);
    kept_stop(&k);
}

// Two sectors are in one burst of 64 bytes.
static void a_burst_may_hold_two(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    kept_start(&k, "l1", NULL);
    rig_send(&k.rig, 0, MEM_LOAD, 0, 0, 12, 1);
    rig_finish(&k.rig, 1000);
    assert_int_equal(rig_reply(&k.rig, 0, 1)->time, MISS + 1);
    rig_count(&k.rig, 1000);
    assert_int_equal(k.rig.dram_counters.reads, 1);
    assert_int_equal(k.rig.dram_counters.bytes_read, 64);
    kept_stop(&k);
}

static void the_l2_may_fetch_more(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    kept_start(&k, "both", NULL);
    predicted = 3;
    rig_send(&k.rig, 0, MEM_LOAD, 0, 0, 1, 1);
    rig_send(&k.rig, 0, MEM_LOAD, 200, 0, 2, 2);
    rig_finish(&k.rig, 1000);
    assert_int_equal(rig_reply(&k.rig, 0, 1)->time, MISS); // a packet of one sector
    assert_int_equal(rig_reply(&k.rig, 0, 1)->bytes, 32);
    assert_int_equal(rig_reply(&k.rig, 0, 2)->time, 200 + HIT);
    assert_int_equal(k.hooks->counted.sectors_predicted, 1);
    kept_stop(&k);
}

// A request that waits for two fetches is answered once, after both.
static void waiting_for_two(void **state)
{
    (void)state;
    for (unsigned reply = REPLY_REQUEST; reply <= REPLY_SECTORS; reply++) {
        Kept k;
        kept_init(&k);
        k.rig.slice.reply = reply;
        kept_start(&k, "l1", NULL);
        rig_send(&k.rig, 0, MEM_LOAD, 0, 0, 2, 1);
        rig_send(&k.rig, 1, MEM_LOAD, 1, 0, 3, 2);
        rig_finish(&k.rig, 1000);
        assert_int_equal(rig_reply(&k.rig, 0, 1)->time, MISS);
        assert_int_equal(k.rig.in[1].reply_count, 1);
        assert_int_equal(rig_reply(&k.rig, 1, 2)->time, MISS + 3 + 1);
        rig_count(&k.rig, 1000);
        assert_int_equal(k.rig.dram_counters.bytes_read, 64);
        kept_stop(&k);
    }
}

// The data port is busy for one cycle per sector.
static void the_data_port(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    kept_start(&k, "l1", NULL);
    memory_side_warm(k.rig.memory, 0, 256);
    rig_send(&k.rig, 0, MEM_LOAD, 0, 0, 7, 1);
    rig_send(&k.rig, 1, MEM_LOAD, 0, 128, 1, 2);
    rig_finish(&k.rig, 1000);
    // The first is looked up at 31 and holds the port until 34; its 4 flits leave from 38 to 42.
    assert_int_equal(rig_reply(&k.rig, 0, 1)->time, 31 + 7 + 4 + 10);
    assert_int_equal(rig_reply(&k.rig, 1, 2)->time, 42 + 2 + 10);
    rig_count(&k.rig, 1000);
    assert_int_equal(k.rig.icnt_counters.stall_data_port, 34 - 32);
    kept_stop(&k);
}

// A warm access inserts only the sectors that it copies.
static void warm_parts(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    kept_start(&k, "l1", NULL);
    memory_side_warm(k.rig.memory, 40, 30); // sectors 1 and 2
    rig_send(&k.rig, 0, MEM_LOAD, 0, 0, 6, 1);
    rig_send(&k.rig, 0, MEM_LOAD, 200, 0, 8, 2);
    rig_finish(&k.rig, 1000);
    assert_int_equal(rig_reply(&k.rig, 0, 1)->level, LEVEL_L2);
    assert_int_equal(rig_reply(&k.rig, 0, 2)->level, LEVEL_DRAM);
    kept_stop(&k);
}

// A forwarded store carries the sectors that it writes, not all sectors that its packet covers.
static void stores_go_down_by_parts(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    k.rig.l2.write = WRITE_EVICT;
    k.rig.l2.write_miss = WRITE_MISS_AROUND;
    kept_start(&k, "l1", NULL);
    memory_side_warm(k.rig.memory, 0, 128);
    MemRequest *request = rig_send(&k.rig, 0, MEM_STORE, 0, 0, 15, 1);
    request->written[0] = 0xff;
    request->written[1] = UINT64_C(0xff) << 32;
    rig_send(&k.rig, 0, MEM_LOAD, 200, 0, 6, 2);
    rig_send(&k.rig, 0, MEM_LOAD, 400, 0, 9, 3);
    rig_finish(&k.rig, 1000);
    assert_int_equal(rig_reply(&k.rig, 0, 2)->level, LEVEL_L2);
    assert_int_equal(rig_reply(&k.rig, 0, 3)->level, LEVEL_DRAM);
    rig_count(&k.rig, 1000);
    assert_int_equal(k.rig.dram_counters.writes, 2);
    assert_int_equal(k.rig.dram_counters.bytes_written, 64);
    kept_stop(&k);
}

static void dirty_parts_are_written_back(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    kept_start(&k, "l1", NULL);
    rig_send(&k.rig, 0, MEM_STORE, 0, 0, 5, 1);
    rig_send(&k.rig, 0, MEM_STORE, 100, 2048, 1, 2);
    rig_send(&k.rig, 0, MEM_STORE, 200, 4096, 1, 3); // the third line of set 0 evicts the first
    rig_run(&k.rig, 255);
    assert_int_equal(memory_side_outstanding(k.rig.memory), 1); // one write of both sectors
    rig_finish(&k.rig, 1000);
    rig_count(&k.rig, 1000);
    assert_int_equal(k.rig.l2_counters.writebacks, 2);
    assert_int_equal(k.rig.dram_counters.writes, 2);
    assert_int_equal(k.rig.dram_counters.bytes_written, 64);
    kept_stop(&k);
}

// An atomic that waits for two fetches executes once, after both.
static void an_atomic_waits_for_all(void **state)
{
    (void)state;
    uint32_t words[64] = {100};
    GuestMemory guest = {.host = (uint8_t *)words};
    AtomicLanes adds = {.operation = ATOM_ADD, .type = PTX_U32, .lanes = 3};
    adds.address[0] = GUEST_GLOBAL_BASE;
    adds.address[1] = GUEST_GLOBAL_BASE + 32;
    adds.b[0] = 1;
    adds.b[1] = 2;
    Kept k;
    kept_init(&k);
    kept_start(&k, "l1", &guest);
    rig_send(&k.rig, 0, MEM_LOAD, 0, GUEST_GLOBAL_BASE, 1, 1);
    rig_send(&k.rig, 1, MEM_ATOMIC, 1, GUEST_GLOBAL_BASE, 3, 2)->atomic = &adds;
    rig_finish(&k.rig, 1000);
    assert_int_equal(adds.b[0], 100);
    assert_int_equal(adds.b[1], 0);
    assert_int_equal(words[0], 101);
    assert_int_equal(words[8], 2);
    rig_count(&k.rig, 1000);
    assert_int_equal(k.rig.dram_counters.bytes_read, 64);
    assert_int_equal(k.rig.l2_counters.atomic_accesses, 1);
    kept_stop(&k);
}

// An L2 with sectors of 32 bytes still looks them up one by one.
static void sectors_of_32_bytes(void **state)
{
    (void)state;
    Kept k;
    kept_init(&k);
    k.rig.l2.sector = 32;
    kept_start(&k, "l1", NULL);
    rig_send(&k.rig, 0, MEM_LOAD, 0, 0, 9, 1);
    rig_finish(&k.rig, 1000);
    rig_count(&k.rig, 1000);
    assert_int_equal(k.rig.l2_counters.accesses, 2);
    assert_int_equal(k.rig.dram_counters.reads, 2);
    kept_stop(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_is_fetched), cmocka_unit_test(a_burst_may_hold_two),
        cmocka_unit_test(the_l2_may_fetch_more),        cmocka_unit_test(waiting_for_two),
        cmocka_unit_test(the_data_port),                cmocka_unit_test(warm_parts),
        cmocka_unit_test(stores_go_down_by_parts),
        cmocka_unit_test(dirty_parts_are_written_back),
        cmocka_unit_test(an_atomic_waits_for_all),      cmocka_unit_test(sectors_of_32_bytes),
    };
    return cmocka_run_group_tests_name("a sectored L2", tests, NULL, NULL);
}
