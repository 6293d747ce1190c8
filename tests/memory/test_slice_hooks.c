// The events of mechanisms at an L2 slice, and their times: ticks as in test_slice.c.
#include "hooks/cache_hooks.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { MAX_FILLS = 8 };
static HdAccess seen[MAX_FILLS]; // the fills, by number
static unsigned fill_count;

static void on_fill(HdPlace *place, const HdAccess *access)
{
    (void)place;
    seen[fill_count++ % MAX_FILLS] = *access;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)room;
    return miss->pc == 99 ? HD_BYPASS : HD_PASS;
}

// The reply tag is made of the request tag and the outcome. The mechanism's bits follow 7 and 9
// bits of another one.
static HdAccess asked;

static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    (void)place;
    asked = *load;
    return load->sideband << 2 | load->outcome;
}

static const HdMechanism other = {
    .name = "other", .request_tag_bits = 7, .reply_tag_bits = 9,
    .l1 = {.request_tag = reply_tag}, .l2 = {.reply_tag = reply_tag}};
static const HdMechanism watcher = {
    .name = "watcher",
    .request_tag_bits = 3,
    .reply_tag_bits = 5,
    .request_field_bits = 32,
    .l1 = {.request_tag = reply_tag},
    .l2 = {.on_fill = on_fill, .decide_insert = decide_insert, .reply_tag = reply_tag}};

// One that declares no bits of requests.
static HdAccess seen_by_thrifty[2]; // an access, a fill
static void keep_access(HdPlace *place, const HdAccess *access)
{
    (void)place;
    seen_by_thrifty[0] = *access;
}
static void keep_fill(HdPlace *place, const HdAccess *access)
{
    (void)place;
    seen_by_thrifty[1] = *access;
}
static const HdMechanism thrifty = {
    .name = "thrifty", .l2 = {.on_access = keep_access, .on_fill = keep_fill}};

// One with periods. It keeps them, and for each access or fill how many on_period it came behind.
static const HdParameter clocked_parameters[] = {
    {.name = "period", .value = 10, .min = 1, .max = 100, .kind = HD_WHOLE}, {0}};
static HdPeriods periods[8];
static unsigned period_calls, events;
static struct {
    uint64_t cycle;
    unsigned period_calls;
} event[8];
static void keep_period(HdPlace *place, const HdPeriods *ended)
{
    (void)place;
    assert_true(period_calls < 8);
    periods[period_calls++] = *ended;
}
static void keep_event(HdPlace *place, const HdAccess *access)
{
    (void)place;
    assert_true(events < 8);
    event[events].cycle = access->cycle;
    event[events++].period_calls = period_calls;
}
static const HdMechanism clocked = {
    .name = "clocked", .parameters = clocked_parameters,
    .l2 = {.on_access = keep_event, .on_fill = keep_event, .on_period = keep_period}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)err;
    *library = NULL;
    return strcmp(name, "other") == 0     ? &other
           : strcmp(name, "thrifty") == 0 ? &thrifty
           : strcmp(name, "clocked") == 0 ? &clocked
                                          : &watcher;
}

typedef struct Watched {
    Rig rig;
    HookPlan plan;
    CacheHooks *hooks;
} Watched;

static void start_with(Watched *w, const char *mechanisms)
{
    HdError err = {0};
    fill_count = 0;
    rig_start(&w->rig, NULL);
    if (!plan_read(&w->plan, mechanisms, find, &err) ||
        !cache_hooks_new(&w->hooks, &w->plan, HOOK_L2, 0, 1, &err) ||
        !memory_side_attach(w->rig.memory, 0, w->hooks, &err))
        fail_msg("%s", err.text);
}

static void start(Watched *w) { start_with(w, "watcher"); }

static void stop(Watched *w)
{
    rig_stop(&w->rig);
    cache_hooks_free(w->hooks);
    plan_free(&w->plan);
}

static MemRequest *send(Watched *w, unsigned sm, MemKind kind, Tick time, uint64_t line,
                        uint32_t pc)
{
    MemRequest *request = rig_send(&w->rig, sm, kind, time, line, 2, sm + 1);
    request->pc = pc;
    request->allocation = (uint16_t)(sm + 10);
    return request;
}

// A fill is reported with the first request that waited for it, in its cycle: the lookup is at 31,
// the fill at 31 + 1 + 30 + 24 + 1 + 5.
static void test_filled(void **state)
{
    (void)state;
    Watched w;
    rig_init(&w.rig);
    start(&w);
    send(&w, 2, MEM_LOAD, 0, 256, 5);
    send(&w, 1, MEM_LOAD, 4, 256, 6);
    send(&w, 3, MEM_LOAD, 200, 256, 7); // a hit
    rig_finish(&w.rig, 1000);
    assert_int_equal(fill_count, 1);
    assert_int_equal(seen[0].line, 256);
    assert_int_equal(seen[0].sector, 1);
    assert_int_equal(seen[0].sector_mask, 2);
    assert_int_equal(seen[0].cache, HD_L1D);
    assert_int_equal(seen[0].pc, 5);
    assert_int_equal(seen[0].allocation, 12);
    assert_int_equal(seen[0].sm, 2);
    assert_int_equal(seen[0].kind, HD_LOAD);
    assert_int_equal(seen[0].outcome, HD_MISS);
    assert_int_equal(seen[0].cycle, 92);
    assert_int_equal(seen[0].set, 2);
    assert_int_equal(seen[0].line_index, 4); // the first of two ways
    stop(&w);
}

// What a request says of its instruction and warp is seen by the mechanism that pays for it, and by
// no other.
static void test_request_fields(void **state)
{
    (void)state;
    Watched w;
    rig_init(&w.rig);
    start_with(&w, "thrifty+watcher");
    MemRequest *request = send(&w, 2, MEM_LOAD, 0, 256, 5);
    request->warp = 6;
    request->warp_slot = 7;
    request->lanes = 0xff;
    request->block = 8;
    request->keeps = true;
    rig_finish(&w.rig, 1000);
    assert_int_equal(seen[0].pc, 5);
    assert_int_equal(seen[0].allocation, 12);
    assert_int_equal(seen[0].warp, 6);
    assert_int_equal(seen[0].warp_slot, 7);
    assert_int_equal(seen[0].lanes, 0xff);
    assert_int_equal(seen[0].block, 8);
    assert_true(seen[0].inserted_in_l1);
    for (unsigned i = 0; i < 2; i++) {
        const HdAccess *a = &seen_by_thrifty[i];
        assert_int_equal(a->line, 256); // address, kind and SM are there
        assert_int_equal(a->kind, HD_LOAD);
        assert_int_equal(a->sm, 2);
        assert_int_equal(a->pc, HD_NO_PC);
        assert_int_equal(a->allocation, HD_NO_ALLOCATION);
        assert_int_equal(a->warp | a->warp_slot | a->lanes | a->block | a->inserted_in_l1, 0);
    }
    stop(&w);
}

// With one MSHR entry, the second load stalls from 32 to the first one's fill at 92: it is no
// access until then. Its data come 61 - 10 later: the row is open.
static void test_stalled(void **state)
{
    (void)state;
    Watched w;
    rig_init(&w.rig);
    w.rig.l2.mshr_entries = 1;
    events = period_calls = 0;
    start_with(&w, "clocked:period=100");
    send(&w, 0, MEM_LOAD, 0, 256, 5);
    send(&w, 1, MEM_LOAD, 1, 512, 6);
    rig_finish(&w.rig, 1000);
    static const uint64_t cycles[] = {31, 92, 92, 92 + 51};
    assert_int_equal(events, 4);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(event[i].cycle, cycles[i]);
    stop(&w);
}

// Bypassing data, data for an atomic, and data requested only by a store.
static void test_filled_others(void **state)
{
    (void)state;
    Watched w;
    rig_init(&w.rig);
    w.rig.l2.write_miss = WRITE_MISS_FETCH;
    start(&w);
    send(&w, 0, MEM_LOAD, 0, 0, 99);
    send(&w, 1, MEM_ATOMIC, 500, 128, 3);
    send(&w, 2, MEM_STORE, 1000, 512, 4)->written[0] = UINT64_C(0xff) << 32; // part of the sector
    rig_finish(&w.rig, 1000);
    assert_int_equal(fill_count, 3);
    assert_int_equal(seen[0].line_index, HD_NO_INDEX);
    assert_int_equal(seen[0].pc, 99);
    assert_int_equal(seen[1].kind, HD_ATOMIC);
    assert_int_equal(seen[1].sm, 1);
    assert_int_not_equal(seen[1].line_index, HD_NO_INDEX);
    assert_int_equal(seen[2].kind, HD_STORE);
    assert_int_equal(seen[2].pc, HD_NO_PC);
    assert_int_equal(seen[2].allocation, HD_NO_ALLOCATION);
    assert_int_equal(seen[2].line, 512);
    stop(&w);
}

// Requests carry request tags. Replies to those that want them carry reply tags.
static void test_sideband_tags(void **state)
{
    (void)state;
    Watched w;
    rig_init(&w.rig);
    w.rig.icnt.control = 31; // so that one more byte takes one more flit
    start_with(&w, "other+watcher");
    MemRequest *request = send(&w, 0, MEM_LOAD, 0, 256, 1);
    request->sideband_tags = 5 << 7 | 3; // watcher: 5, other: 3
    request->wants_reply_tag = true;
    request = send(&w, 1, MEM_LOAD, 0, 256, 2); // merged
    request->sideband_tags = 6 << 7 | 64;
    request->wants_reply_tag = true;
    rig_finish(&w.rig, 1000);
    request = send(&w, 2, MEM_LOAD, 1000, 256, 3); // a hit
    request->sideband_tags = 7 << 7 | 127;
    request->wants_reply_tag = true;
    send(&w, 3, MEM_LOAD, 1200, 256, 3)->sideband_tags = 7 << 7;
    rig_finish(&w.rig, 1000);
    const RigReply *reply = rig_reply(&w.rig, 0, 1);
    assert_int_equal(reply->sideband_tags, (5 << 2 | HD_MISS) % 32 << 9 | 3 << 2 | HD_MISS);
    assert_int_equal(reply->sideband_bytes, 2); // 14 bits
    assert_int_equal(rig_reply(&w.rig, 1, 2)->sideband_tags,
                     (6 << 2 | HD_MISS) % 32 << 9 | 64 << 2 | HD_MISS);
    assert_int_equal(rig_reply(&w.rig, 2, 3)->sideband_tags,
                     (7 << 2 | HD_HIT) % 32 << 9 | 127 << 2 % 512);
    assert_int_equal(rig_reply(&w.rig, 3, 4)->sideband_tags, 0);
    assert_int_equal(asked.sm, 2);
    assert_int_equal(asked.line_index, 4);
    rig_count(&w.rig, 3000);
    assert_int_equal(w.rig.icnt_counters.flits_to_sm_data, 3 * 3 + 2); // 65 bytes, one 63
    stop(&w);
}

// Periods of 10 L2 cycles, where a core cycle is half an L2 cycle: a tick is a core cycle. The
// requests are sent in L2 cycles 0, 200, 204 and 209, and are looked up 31 cycles later; the first
// one's data are filled in cycle 92. Periods end at once when the next event comes, before that
// event: 3 of them by cycle 31, 6 more by 92, 14 more by 231, none by 235. The one that ends at 240
// comes before the look-up of that cycle.
static void test_periods(void **state)
{
    (void)state;
    static const uint64_t sent[] = {0, 200, 204, 209}, at[] = {31, 92, 231, 235, 240};
    static const HdPeriods ended[] = {{30, 3}, {90, 6}, {230, 14}, {240, 1}};
    static const unsigned calls[] = {1, 2, 3, 3, 4};
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Watched w;
        period_calls = events = 0;
        rig_init(&w.rig);
        w.rig.clocks.khz[CLOCK_CORE] = 2000000;
        start_with(&w, "clocked");
        memory_side_no_skip(w.rig.memory, no_skip);
        for (unsigned i = 0; i < 4; i++) send(&w, i, MEM_LOAD, 2 * sent[i], 256, 5);
        rig_finish(&w.rig, 1000);
        assert_int_equal(events, 5);
        for (unsigned i = 0; i < events; i++) {
            assert_int_equal(event[i].cycle, at[i]);
            assert_int_equal(event[i].period_calls, calls[i]);
        }
        assert_int_equal(period_calls, 4);
        for (unsigned i = 0; i < period_calls; i++) {
            assert_int_equal(periods[i].cycle, ended[i].cycle);
            assert_int_equal(periods[i].count, ended[i].count);
        }
        stop(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filled), cmocka_unit_test(test_request_fields),
        cmocka_unit_test(test_stalled), cmocka_unit_test(test_filled_others),
        cmocka_unit_test(test_sideband_tags), cmocka_unit_test(test_periods)};
    return cmocka_run_group_tests_name("slice hooks", tests, NULL, NULL);
}
