// Copy-backs at an L2 slice: which are inserted, which are stale, and what a load's hit removes.
// Ticks as in test_slice.c: a request of one flit is looked up 31 ticks after it was sent; a
// copy-back of a line (data and version, 5 flits) after 35. Data from DRAM arrive 61 ticks after
// the lookup.
#include "hooks/cache_hooks.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

// The mechanism's decisions: a copy-back is inserted; a hit removes its line.
static bool inserts, removes;
static HdAccess inserted; // the last copy-back that was inserted
static unsigned filled_count, inserted_count, hits_asked;

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    (void)place;
    (void)line;
    return HD_SEND_BACK;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *access, const HdRoom *room)
{
    (void)place;
    (void)room;
    if (access->kind == HD_COPY_BACK) return inserts ? HD_PASS : HD_BYPASS;
    return HD_PASS;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    (void)place;
    filled_count++;
    if (access->kind != HD_COPY_BACK) return;
    inserted = *access;
    inserted_count++;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    (void)place;
    (void)hit;
    hits_asked++;
    return removes ? HD_REMOVE : HD_PASS;
}

static const HdParameter parameters[] = {{.name = "queue", .value = 4, .min = 1, .max = 8},
                                         {0}};
static const HdMechanism copier = {.name = "copier",
                                   .parameters = parameters,
                                   .l1 = {.decide_clean_eviction = decide_clean_eviction},
                                   .l2 = {.decide_insert = decide_insert,
                                          .on_fill = on_fill,
                                          .decide_after_hit = decide_after_hit}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &copier;
}

typedef struct Copied {
    Rig rig;
    HookPlan plan;
    CacheHooks *hooks;
} Copied;

static void start(Copied *c)
{
    HdError err = {0};
    inserts = removes = true;
    filled_count = inserted_count = hits_asked = 0;
    rig_start(&c->rig, NULL);
    if (!plan_read(&c->plan, "copier", find, &err) ||
        !cache_hooks_new(&c->hooks, &c->plan, HOOK_L2, 0, 1, &err) ||
        !memory_side_attach(c->rig.memory, 0, c->hooks, &err))
        fail_msg("%s", err.text);
    memory_side_on_kernel_begin(c->rig.memory);
}

static void stop(Copied *c)
{
    rig_stop(&c->rig);
    cache_hooks_free(c->hooks);
    plan_free(&c->plan);
}

// A load whose data the SM's L1D keeps.
static void load(Copied *c, unsigned sm, Tick time, uint64_t line, unsigned sectors, uint32_t token)
{
    MemRequest *request = rig_send(&c->rig, sm, MEM_LOAD, time, line, sectors, token);
    request->wants_reply_tag = request->keeps = true;
}

static void copy_back(Copied *c, unsigned sm, Tick time, uint64_t line, unsigned sectors,
                      uint32_t version)
{
    MemRequest *request = rig_send(&c->rig, sm, MEM_COPY_BACK, time, line, sectors, version);
    request->bytes = (uint16_t)(32 * __builtin_popcount(sectors));
    request->sideband_bytes = 4;
}

static uint32_t version_of(const Copied *c, unsigned sm, uint32_t token)
{
    return rig_reply(&c->rig, sm, token)->version;
}

static const CopyBackCounters *counted(const Copied *c) { return &c->hooks->copy_backs.counted; }

// A copy-back is inserted. It gets no reply, but a credit. The next load hits and removes the line.
static void test_insertion(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    start(&c);
    load(&c, 0, 0, 256, 15, 1);
    rig_finish(&c.rig, 1000);
    assert_int_equal(rig_reply(&c.rig, 0, 1)->sideband_bytes, 4);
    // The first line is in the L2 since the load: its copy-back changes nothing.
    copy_back(&c, 0, 1000, 256, 15, version_of(&c, 0, 1));
    copy_back(&c, 2, 1100, 512, 15, version_of(&c, 0, 1));
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->arrived, 2);
    assert_int_equal(counted(&c)->present, 1);
    assert_int_equal(counted(&c)->inserted, 1);
    assert_int_equal(inserted_count, 1);
    assert_int_equal(filled_count, 4 + 1); // the load's sectors, and what was copied back
    assert_int_equal(inserted.line, 512);
    assert_int_equal(inserted.sm, 2);
    assert_int_equal(inserted.sector_mask, 15);
    assert_int_equal(inserted.cycle, 1135);
    assert_int_equal(inserted.set, 4);
    assert_int_equal(inserted.line_index, 8);
    assert_int_equal(c.rig.in[2].reply_count, 0);
    assert_int_equal(c.rig.in[2].credit_count, 1);
    assert_int_equal(c.rig.in[2].credits[0].time, 1135 + 11);
    load(&c, 1, 3000, 512, 15, 2);
    rig_finish(&c.rig, 4000);
    assert_int_equal(rig_reply(&c.rig, 1, 2)->level, LEVEL_L2);
    assert_int_equal(hits_asked, 1);
    assert_int_equal(counted(&c)->removed_on_hit, 1);
    load(&c, 3, 5000, 512, 15, 3);
    rig_finish(&c.rig, 6000);
    assert_int_equal(rig_reply(&c.rig, 3, 3)->level, LEVEL_DRAM); // the hit has removed the line
    rig_count(&c.rig, 7000);
    assert_int_equal(c.rig.icnt_counters.packets_to_memory, 5);
    assert_int_equal(c.rig.icnt_counters.requests_answered, 5);
    assert_int_equal(c.rig.icnt_counters.flits_to_memory_data, 10);
    assert_int_equal(c.rig.l2_counters.accesses, 12); // all of them loads
    assert_int_equal(c.rig.l2_counters.load_hits, 4);
    stop(&c);
}

// A mechanism may decline a copy-back, and keep a line after a hit.
static void test_decisions(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    start(&c);
    inserts = removes = false;
    copy_back(&c, 0, 0, 512, 15, 1);
    rig_finish(&c.rig, 1000);
    assert_int_equal(counted(&c)->declined, 1);
    assert_int_equal(inserted_count, 0);
    inserts = true;
    copy_back(&c, 0, 1000, 512, 15, 1);
    load(&c, 0, 1100, 512, 1, 1);
    load(&c, 0, 1200, 512, 1, 2);
    MemRequest *uncached = rig_send(&c.rig, 0, MEM_LOAD, 1300, 512, 1, 3);
    uncached->wants_reply_tag = true; // but the L1D does not keep the data: no decision
    rig_finish(&c.rig, 2000);
    assert_int_equal(rig_reply(&c.rig, 0, 3)->level, LEVEL_L2);
    assert_int_equal(hits_asked, 2);
    assert_int_equal(counted(&c)->removed_on_hit, 0);
    stop(&c);
}

// A copy-back is stale if a store or an atomic has written the line since it was read, whether or
// not the line was in the L2. Data that are read after the write can be copied back.
static void test_stale(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    c.rig.l2.write = WRITE_EVICT;
    start(&c);
    load(&c, 0, 0, 256, 15, 1);
    rig_send(&c.rig, 1, MEM_STORE, 500, 256, 1, 2);
    rig_finish(&c.rig, 1000);
    copy_back(&c, 0, 1000, 256, 15, version_of(&c, 0, 1));
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->stale, 1);
    load(&c, 0, 2000, 256, 15, 3);
    rig_finish(&c.rig, 3000);
    load(&c, 2, 3000, 256, 15, 4); // removes it
    rig_finish(&c.rig, 4000);
    copy_back(&c, 0, 4000, 256, 15, version_of(&c, 0, 3));
    rig_finish(&c.rig, 5000);
    assert_int_equal(counted(&c)->inserted, 1);
    rig_send(&c.rig, 1, MEM_ATOMIC, 5000, 256, 8, 5);
    rig_finish(&c.rig, 6000);
    load(&c, 2, 6000, 256, 7, 6); // the sector that the atomic has made dirty stays
    rig_finish(&c.rig, 7000);
    assert_int_equal(counted(&c)->removed_on_hit, 2);
    copy_back(&c, 2, 7000, 256, 7, version_of(&c, 2, 4));
    rig_finish(&c.rig, 8000);
    assert_int_equal(counted(&c)->stale, 2);
    copy_back(&c, 2, 8000, 256, 7, version_of(&c, 2, 6));
    rig_finish(&c.rig, 9000);
    assert_int_equal(counted(&c)->inserted, 2);
    load(&c, 2, 9000, 256, 8, 7);
    rig_finish(&c.rig, 10000);
    assert_int_equal(rig_reply(&c.rig, 2, 7)->level, LEVEL_L2);
    assert_int_equal(counted(&c)->removed_on_hit, 2);
    stop(&c);
}

// A write overtakes a fetch: the data are those before the write. A load after the write fetches
// them again.
static void test_write_passes_fetch(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    c.rig.l2.write = WRITE_EVICT;
    start(&c);
    load(&c, 0, 0, 256, 1, 1);
    rig_send(&c.rig, 1, MEM_STORE, 10, 256, 1, 2);
    load(&c, 2, 20, 256, 1, 3);
    load(&c, 3, 30, 640, 1, 4); // another line, after the write
    rig_finish(&c.rig, 1000);
    assert_int_equal(version_of(&c, 0, 1), 1); // version 1: the kernel's beginning
    assert_int_equal(version_of(&c, 2, 3), 2); // version 2: the write
    assert_int_equal(version_of(&c, 3, 4), 2);
    copy_back(&c, 0, 1000, 256, 1, version_of(&c, 0, 1));
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->stale, 1);
    // The data that were fetched after the write are in the L2.
    removes = false;
    load(&c, 0, 2000, 256, 1, 5);
    rig_finish(&c.rig, 3000);
    assert_int_equal(rig_reply(&c.rig, 0, 5)->level, LEVEL_L2);
    assert_int_equal(version_of(&c, 0, 5), 2);
    rig_send(&c.rig, 1, MEM_STORE, 3000, 256, 1, 6);
    load(&c, 0, 3100, 256, 1, 7);
    load(&c, 0, 3300, 256, 1, 8);
    rig_finish(&c.rig, 4000);
    assert_int_equal(version_of(&c, 0, 7), 3);
    assert_int_equal(rig_reply(&c.rig, 0, 8)->level, LEVEL_L2);
    assert_int_equal(version_of(&c, 0, 8), 3);
    stop(&c);
}

// A load that waits for a store's fetch gets the version before that store.
static void test_fetch_of_a_store(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    c.rig.l2.write_miss = WRITE_MISS_FETCH;
    start(&c);
    rig_send(&c.rig, 1, MEM_STORE, 0, 256, 1, 1)->written[0] = 0xff; // part of the sector: fetches
    load(&c, 2, 20, 256, 1, 2);
    rig_finish(&c.rig, 1000);
    assert_int_equal(version_of(&c, 2, 2), 1);
    copy_back(&c, 2, 1000, 256, 1, 1);
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->stale, 1);
    stop(&c);
}

// The order of arrival at the slice decides: a store that arrives before the copy-back makes it
// stale.
static void test_on_its_way(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    c.rig.l2.write = WRITE_EVICT;
    start(&c);
    copy_back(&c, 0, 2, 256, 15, 1); // its 5 flits arrive after the store's 2
    rig_send(&c.rig, 1, MEM_STORE, 0, 256, 1, 1);
    rig_finish(&c.rig, 1000);
    assert_int_equal(counted(&c)->stale, 1);
    // In the other order the line is inserted, and the store invalidates it.
    copy_back(&c, 0, 1000, 512, 15, 2);
    rig_send(&c.rig, 1, MEM_STORE, 1010, 512, 1, 2);
    load(&c, 2, 1100, 512, 1, 3);
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->inserted, 1);
    assert_int_equal(rig_reply(&c.rig, 2, 3)->level, LEVEL_DRAM);
    stop(&c);
}

// A copy-back of the previous kernel's data is stale.
static void test_kernels(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    start(&c);
    copy_back(&c, 0, 0, 256, 15, 1);
    rig_finish(&c.rig, 1000);
    assert_int_equal(counted(&c)->inserted, 1);
    memory_side_on_kernel_begin(c.rig.memory);
    copy_back(&c, 0, 1000, 512, 15, 1);
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->stale, 1);
    stop(&c);
}

// Only missing sectors are inserted, and a hit removes only the sectors that it reads. A copy-back
// of less than a sector of the L2 inserts nothing.
static void test_sectors(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    start(&c);
    rig_send(&c.rig, 0, MEM_LOAD, 0, 256, 1, 1);
    rig_finish(&c.rig, 1000);
    copy_back(&c, 0, 1000, 256, 7, 1);
    load(&c, 0, 1100, 256, 2, 2);
    load(&c, 0, 1200, 256, 7, 3);
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->inserted, 1);
    assert_int_equal(rig_reply(&c.rig, 0, 2)->level, LEVEL_L2);
    assert_int_equal(rig_reply(&c.rig, 0, 3)->level, LEVEL_DRAM); // the hit removed the second
    rig_count(&c.rig, 2000);
    assert_int_equal(c.rig.l2_counters.load_hits, 3);
    assert_int_equal(hits_asked, 2);
    // The other load removes nothing, because one of its sectors is pending.
    assert_int_equal(counted(&c)->removed_on_hit, 1);
    stop(&c);
    rig_init(&c.rig);
    c.rig.l2.sector = 128;
    start(&c);
    copy_back(&c, 0, 0, 256, 7, 1);
    rig_finish(&c.rig, 1000);
    assert_int_equal(counted(&c)->present, 1); // it has no whole sector of the L2
    copy_back(&c, 0, 1000, 256, 15, 1);
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->inserted, 1);
    stop(&c);
}

// A copy-back to a set with all lines pending has no room and is dropped without waiting.
static void test_no_room(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    start(&c);
    load(&c, 0, 0, 0, 1, 1);
    load(&c, 1, 0, 2048, 1, 1); // the same set, which has two ways
    copy_back(&c, 2, 1, 4096, 15, 1);
    rig_finish(&c.rig, 1000);
    assert_int_equal(counted(&c)->no_room, 1);
    copy_back(&c, 2, 1000, 4096, 15, 1);
    rig_finish(&c.rig, 2000);
    assert_int_equal(counted(&c)->inserted, 1);
    rig_count(&c.rig, 2000);
    assert_int_equal(c.rig.l2_counters.evictions, 1);
    stop(&c);
}

// Functional accesses insert and remove the same lines, without requests to the DRAM.
static void test_warm(void **state)
{
    (void)state;
    Copied c;
    rig_init(&c.rig);
    start(&c);
    MemRequest store = {.kind = MEM_STORE, .sectors = 1, .written = {UINT32_MAX}};
    memory_side_access_warm(c.rig.memory, &store);
    store.line = 2048; // the same set, which has two ways
    memory_side_access_warm(c.rig.memory, &store);
    MemRequest load = {
        .line = 512, .kind = MEM_LOAD, .sectors = 15, .wants_reply_tag = true, .keeps = true};
    uint32_t version = memory_side_access_warm(c.rig.memory, &load);
    assert_int_equal(version, 3); // the kernel's beginning, and two stores
    MemRequest copy = {.line = 4096, .kind = MEM_COPY_BACK, .sectors = 15, .token = version};
    memory_side_access_warm(c.rig.memory, &copy);
    assert_int_equal(memory_side_outstanding(c.rig.memory), 0);
    assert_int_equal(counted(&c)->inserted, 0);
    assert_int_equal(inserted_count, 0);
    load.line = 4096;
    memory_side_access_warm(c.rig.memory, &load); // removes it
    assert_int_equal(counted(&c)->removed_on_hit, 1);
    stop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_insertion), cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_stale),    cmocka_unit_test(test_write_passes_fetch),
        cmocka_unit_test(test_on_its_way),
        cmocka_unit_test(test_fetch_of_a_store), cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_sectors),  cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_warm)};
    return cmocka_run_group_tests_name("copy-backs at a slice", tests, NULL, NULL);
}
