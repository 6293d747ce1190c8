// A cache's controller: its counters, the account of a stall, the users of a fill, and what
// watchers see of these.
#include "cache_actions.h"

#include "base/tables.h"
#include "memory/cache/controller.h"

#include <stdio.h>
#include <string.h>

static uint64_t line(uint64_t n) { return n * 128; }

// A controller with a port of its own.
typedef struct Rig {
    CacheConfig config;
    HdTables tables;
    PacketPool pool;
    QueuedRequests queued;
    CacheController controller;
} Rig;

static void rig_begin_as(Rig *rig, CacheConfig config)
{
    HdError err = {0};
    *rig = (Rig){.config = config};
    rig->pool.tables = &rig->tables;
    rig->queued.pool = &rig->pool;
    rig->controller.misses.queued = &rig->queued;
    if (!controller_init(&rig->controller, &rig->config, "l1c", &rig->tables, 1, &err))
        fail_msg("%s", err.text);
}

static void rig_begin(Rig *rig) { rig_begin_as(rig, tiny_config()); }

static void rig_end(Rig *rig)
{
    controller_free(&rig->controller);
    hd_tables_free(&rig->tables);
}

static CacheOutcome load_at(Rig *rig, uint64_t address, uint32_t token, uint64_t cycle)
{
    CacheUser user = {.cycle = cycle, .user = rig, .number = token};
    CacheOutcome outcome = controller_load(&rig->controller, address, token, user);
    if (outcome == CACHE_MISS)
        *queue_add(&rig->controller.misses) = (MemRequest){.line = address};
    return outcome;
}

static void test_counts(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig);
    CacheController *c = &rig.controller;
    CacheVictim victim;
    assert_int_equal(load_at(&rig, line(0), 7, 1), CACHE_MISS);
    assert_int_equal(load_at(&rig, line(0), 8, 2), CACHE_MERGED);
    assert_int_equal(rig.queued.count, 1);
    assert_int_equal(controller_fill(c, line(0), 0, 9, NULL, &victim), 2);
    assert_int_equal(c->tokens[0], 7);
    assert_int_equal(c->tokens[1], 8);
    assert_int_equal(load_at(&rig, line(0), 9, 10), CACHE_HIT);
    CacheResult result;
    CacheAccess store = store_access(line(0), 4);
    controller_access(c, &store, (CacheUser){.cycle = 11}, &result);
    assert_int_equal(result.outcome, CACHE_HIT);
    assert_int_equal(c->count.accesses, 4);
    assert_int_equal(c->count.hits, 2);
    assert_int_equal(c->count.pending_hits, 1);
    assert_int_equal(c->count.misses, 1);
    assert_int_equal(c->count.load_accesses, 3);
    assert_int_equal(c->count.load_hits, 1);
    assert_int_equal(c->count.load_pending_hits, 1);
    assert_int_equal(c->count.load_misses, 1);
    assert_int_equal(c->count.store_accesses, 1);
    assert_int_equal(c->count.store_hits, 1);
    assert_int_equal(c->count.store_misses, 0);
    assert_int_equal(c->count.fills, 1);
    assert_int_equal(c->count.insertions, 1);
    assert_int_equal(c->count.evictions, 0);
    rig_end(&rig);
}

static void fill(Rig *rig, uint64_t address)
{
    CacheVictim victim;
    assert_int_equal(load_at(rig, address, 1, 1), CACHE_MISS);
    assert_int_equal(controller_fill(&rig->controller, address, 1, 2, NULL, &victim), 1);
}

static void see_nothing(void *self, WatchKind kind, const void *event)
{
    (void)self, (void)kind, (void)event;
}

static void add(CacheController *c, Watcher watcher)
{
    HdError err = {0};
    if (!watch_add(&c->watch, watcher, &err)) fail_msg("%s", err.text);
}

static void watch_accesses(CacheController *c)
{
    add(c, (Watcher){.role = WATCHER_TRACE, .kinds = 1u << WATCH_ACCESS, .see = see_nothing});
}

// Of loads of lines 1, 0, 3 and 1, the first two hit. Line 0 is then used after line 2, which makes
// room for line 4 of the same set.
static void test_loads_together(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig);
    CacheController *c = &rig.controller;
    for (unsigned i = 0; i < 3; i++) fill(&rig, line(i));
    const CoalescedAccess loads[] = {{.line = line(1), .sectors = 1}, {.line = line(0)},
                                     {.line = line(3)}, {.line = line(1)}};
    assert_int_equal(controller_leading_hits(c, loads, 4), 2);
    assert_int_equal(c->count.accesses, 5);
    assert_int_equal(c->count.load_accesses, 5);
    assert_int_equal(c->count.hits, 2);
    assert_int_equal(c->count.load_hits, 2);
    assert_int_equal(controller_leading_hits(c, loads, 1), 1);
    assert_int_equal(controller_leading_hits(c, loads + 2, 2), 0);
    fill(&rig, line(4));
    assert_int_equal(load_at(&rig, line(0), 2, 3), CACHE_HIT);
    assert_int_equal(load_at(&rig, line(2), 2, 3), CACHE_MISS);
    watch_accesses(c);
    assert_int_equal(controller_leading_hits(c, loads, 4), 0);
    rig_end(&rig);
}

// Stores pass through a first-level cache that writes through. One that hits makes its line the
// most recently used one; one that misses changes nothing.
static void test_passed_stores(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.write = WRITE_THROUGH;
    rig_begin_as(&rig, config);
    CacheController *c = &rig.controller;
    CacheOutcome outcome;
    fill(&rig, line(0));
    fill(&rig, line(2));
    assert_true(controller_passes_store(c, line(0), false, &outcome));
    assert_int_equal(outcome, CACHE_HIT);
    assert_true(controller_passes_store(c, line(4), false, &outcome));
    assert_int_equal(outcome, CACHE_MISS);
    assert_int_equal(c->count.accesses, 4);
    assert_int_equal(c->count.hits, 1);
    assert_int_equal(c->count.misses, 3);
    assert_int_equal(c->count.store_accesses, 2);
    assert_int_equal(c->count.store_hits, 1);
    assert_int_equal(c->count.store_misses, 1);
    assert_false(controller_passes_store(c, line(0), true, &outcome)); // local ones are kept
    fill(&rig, line(4));
    assert_int_equal(load_at(&rig, line(0), 2, 3), CACHE_HIT);
    assert_int_equal(load_at(&rig, line(2), 2, 3), CACHE_MISS);
    watch_accesses(c);
    assert_false(controller_passes_store(c, line(0), false, &outcome));
    watch_remove(&c->watch, see_nothing, NULL);
    cache_set_last_level(c->cache); // pending fetches have to know of the store
    assert_false(controller_passes_store(c, line(0), false, &outcome));
    assert_int_equal(c->count.store_accesses, 2);
    rig_end(&rig);
}

// Two ways of a set wait for data; a third line of the set stalls from cycle 5 to cycle 12.
static void test_stall(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig);
    CacheController *c = &rig.controller;
    CacheVictim victim;
    load_at(&rig, line(0), 1, 3);
    load_at(&rig, line(2), 2, 4);
    assert_int_equal(controller_end_stall(c, (CacheUser){.cycle = 5}), 0);
    assert_int_equal(load_at(&rig, line(4), 3, 5), CACHE_STALLED);
    assert_true(c->stall.blocked);
    assert_int_equal(c->stall.reason, STALL_LINE);
    assert_int_equal(c->count.accesses, 2); // a stall is no access
    controller_fill(c, line(0), 0, 12, NULL, &victim);
    assert_int_equal(controller_end_stall(c, (CacheUser){.cycle = 12}), 7);
    assert_int_equal(controller_end_stall(c, (CacheUser){.cycle = 12}), 0);
    assert_int_equal(load_at(&rig, line(4), 3, 12), CACHE_MISS);
    assert_int_equal(c->count.stalls[STALL_LINE], 7);
    assert_int_equal(c->count.evictions, 1); // of line 0
    rig_end(&rig);
}

// What a watcher has seen, in order.
typedef struct Seen {
    char text[512];
} Seen;

static Seen all_seen;

static void note(const char *who, WatchKind kind, const CacheEvent *event)
{
    static const char *const outcomes[] = {"hit", "merged", "miss", "stall"};
    size_t used = strlen(all_seen.text);
    char *to = all_seen.text + used;
    size_t room = sizeof all_seen.text - used;
    unsigned cycle = (unsigned)event->cycle, at = (unsigned)(event->address / 128);
    if (kind == WATCH_ACCESS)
        snprintf(to, room, "%s@%u line %u %s by %u; ", who, cycle, at,
                 outcomes[event->result->outcome], event->number);
    else if (kind == WATCH_FILL)
        snprintf(to, room, "%s@%u fill %u for %u; ", who, cycle, at, event->users);
    else if (kind == WATCH_EVICT)
        snprintf(to, room, "%s@%u evicts %u, dirty 0x%x; ", who, cycle, at,
                 event->victim->dirty_sectors);
    else if (kind == WATCH_INVALIDATE && event->address == CACHE_ALL_LINES)
        snprintf(to, room, "%s@%u invalidates all; ", who, cycle);
    else if (kind == WATCH_INVALIDATE)
        snprintf(to, room, "%s@%u invalidates 0x%x of %u; ", who, cycle, event->sectors, at);
    else
        snprintf(to, room, "%s@%u stalled %u for %s; ", who, cycle, (unsigned)event->stalled,
                 cache_stall_name(event->reason));
}

static void see_first(void *self, WatchKind kind, const void *event)
{
    assert_ptr_equal(self, &all_seen);
    note("a", kind, event);
}

static void see_last(void *self, WatchKind kind, const void *event)
{
    assert_ptr_equal(self, &all_seen);
    note("b", kind, event);
}

// A trace that sees all, and mechanisms that see accesses: the trace comes first, although it
// watches since later. Each load of the common case is reported, too.
static void test_watchers(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig);
    CacheController *c = &rig.controller;
    CacheVictim victim;
    all_seen = (Seen){0};
    add(c, (Watcher){WATCHER_MECHANISMS, 1u << WATCH_ACCESS, see_last, &all_seen});
    load_at(&rig, line(0), 1, 3);
    uint32_t all = 1u << WATCH_ACCESS | 1u << WATCH_FILL | 1u << WATCH_STALL;
    add(c, (Watcher){WATCHER_TRACE, all, see_first, &all_seen});
    load_at(&rig, line(2), 2, 4);
    load_at(&rig, line(4), 3, 5);
    controller_fill(c, line(0), 0, 8, NULL, &victim);
    load_at(&rig, line(0), 4, 8);
    watch_remove(&c->watch, see_last, &all_seen);
    controller_end_stall(c, (CacheUser){.cycle = 9});
    load_at(&rig, line(4), 3, 9);
    watch_remove(&c->watch, see_first, &all_seen);
    load_at(&rig, line(4), 5, 10);
    assert_string_equal(all_seen.text,
                        "b@3 line 0 miss by 1; "
                        "a@4 line 2 miss by 2; b@4 line 2 miss by 2; "
                        "a@5 line 4 stall by 3; b@5 line 4 stall by 3; "
                        "a@8 fill 0 for 1; "
                        "a@8 line 0 hit by 4; b@8 line 0 hit by 4; "
                        "a@9 stalled 4 for line_allocation; "
                        "a@9 line 4 miss by 3; ");
    assert_int_equal(c->watch.kinds, 0);
    assert_int_equal(c->count.hits, 1); // watched or not, it is counted
    assert_int_equal(c->count.accesses, 5);
    rig_end(&rig);
}

// A set has two ways. Lines 0 and 2 are there, and 2 is dirty: a miss of line 4 evicts line 0, one
// of line 6 line 2. What leaves is reported before what has come. A write-evict store invalidates
// line 4; then all lines.
static void test_lines_that_leave(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig);
    CacheController *c = &rig.controller;
    CacheVictim victim;
    CacheResult result;
    all_seen = (Seen){0};
    load_at(&rig, line(0), 1, 1);
    controller_fill(c, line(0), 0, 2, NULL, &victim);
    CacheAccess store = store_access(line(2), 4);
    controller_access(c, &store, (CacheUser){.cycle = 3}, &result);
    add(c, (Watcher){WATCHER_OBSERVER, UINT32_MAX, see_first, &all_seen});
    load_at(&rig, line(4), 2, 4);
    controller_fill(c, line(4), 0, 5, NULL, &victim);
    load_at(&rig, line(6), 3, 6);
    rig.config.write = WRITE_EVICT;
    store.address = line(4);
    controller_access(c, &store, (CacheUser){.cycle = 7, .number = 4}, &result);
    controller_fill(c, line(6), 0, 8, NULL, &victim);
    controller_invalidate(c, 9);
    assert_string_equal(all_seen.text,
                        "a@4 evicts 0, dirty 0x0; a@4 line 4 miss by 2; a@5 fill 4 for 1; "
                        "a@6 evicts 2, dirty 0x1; a@6 line 6 miss by 3; "
                        "a@7 invalidates 0x1 of 4; a@7 line 4 hit by 4; "
                        "a@8 fill 6 for 1; a@9 invalidates all; ");
    assert_int_equal(c->count.evictions, 2);
    assert_null(cache_probe(c->cache, line(6)));
    rig_end(&rig);
}

// The owner lets an access stall in front of the tags: it is counted as one of the cache's stalls.
static void test_stalled_by_owner(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig);
    CacheController *c = &rig.controller;
    CacheResult result;
    all_seen = (Seen){0};
    add(c, (Watcher){WATCHER_OBSERVER, UINT32_MAX, see_first, &all_seen});
    CacheAccess access = {.address = line(3)};
    controller_stall_access(c, &access, STALL_STORE_ORDER, (CacheUser){.cycle = 4, .number = 1},
                            &result);
    assert_int_equal(result.outcome, CACHE_STALLED);
    assert_int_equal(result.stall, STALL_STORE_ORDER);
    assert_int_equal(controller_end_stall(c, (CacheUser){.cycle = 6}), 2);
    assert_string_equal(all_seen.text, "a@4 line 3 stall by 1; a@6 stalled 2 for store_order; ");
    assert_int_equal(c->count.accesses, 0);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_loads_together),
        cmocka_unit_test(test_passed_stores),
        cmocka_unit_test(test_stall),
        cmocka_unit_test(test_watchers),
        cmocka_unit_test(test_lines_that_leave),
        cmocka_unit_test(test_stalled_by_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
