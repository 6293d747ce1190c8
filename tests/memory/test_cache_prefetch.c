// Prefetches at a cache: which are fetched, which are dropped, and which were late, useful or
// useless.
#include "prefetched_cache.h"

#include "base/random.h"

#include <string.h>

static const HdStructure structures[] = {
    {"queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits, sizeof(HdPrefetch)}, {0}};
static const HdMechanism silent = {.name = "silent", .parameters = parameters,
                                   .structures = structures, .l1 = {.on_access = see}};

static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    (void)have;
    return miss->sector_mask;
}
static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    (void)room;
    return HD_BYPASS;
}
static const HdMechanism others[] = {
    {.name = "by-sectors", .l1 = {.decide_fetch = decide_fetch}},
    {.name = "bypasses", .l1 = {.decide_insert = decide_insert}}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)err;
    *library = NULL;
    if (strcmp(name, silent.name) == 0) return &silent;
    return &others[strcmp(name, others[0].name) != 0];
}

static void rig_init(Rig *rig, const CacheConfig *config)
{
    rig_init_with(rig, config, "silent");
}

// The mechanism prefetches a line, and its sectors are looked up. Returns the first one's outcome.
static PrefetchOutcome prefetch_room(Rig *rig, uint64_t address, uint8_t room, CacheVictim *victim)
{
    CachePrefetch first, other;
    hd_prefetch(&rig->hooks->items[0].place, address);
    look_up(rig, address, room, &first);
    while (prefetch_queues_pending(rig->hooks->prefetches))
        look_up(rig, address += rig->config.sector, room, &other);
    *victim = first.victim;
    return first.outcome;
}

static PrefetchOutcome prefetch(Rig *rig, uint64_t address)
{
    CacheVictim victim;
    return prefetch_room(rig, address, PLENTY, &victim);
}

static void bring_early(Rig *rig, uint64_t address)
{
    assert_int_equal(prefetch(rig, address), PREFETCH_FETCHED);
    come(rig, address);
}

static void check(const Rig *rig, uint64_t fetched, uint64_t late, uint64_t useful,
                  uint64_t useless, uint64_t unused)
{
    PrefetchCounters c = counted(rig);
    assert_int_equal(c.fetched, fetched);
    assert_int_equal(c.late, late);
    assert_int_equal(c.useful, useful);
    assert_int_equal(c.useless, useless);
    assert_int_equal(c.unused, unused);
}

// The first load or atomic of a prefetched line is its use. A store is no use.
static void test_useful(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init(&rig, &config);
    bring_early(&rig, A);
    bring_early(&rig, B);
    check(&rig, 2, 0, 0, 0, 2);
    seen(&rig, store(rig.cache, A, 4), A, HD_STORE);
    check(&rig, 2, 0, 0, 0, 2);
    check_outcome(use(&rig, A + 4), CACHE_HIT);
    check_outcome(use(&rig, A), CACHE_HIT);
    check(&rig, 2, 0, 1, 0, 1);
    seen(&rig, atomic(rig.cache, B, 1), B, HD_ATOMIC);
    check(&rig, 2, 0, 2, 0, 0);
    rig_free(&rig);
}

// A load that merges with a pending prefetch makes it late, once. After that the line counts as one
// that the load has fetched.
static void test_late(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init(&rig, &config);
    assert_int_equal(prefetch(&rig, A), PREFETCH_FETCHED);
    assert_int_equal(prefetch(&rig, A), PREFETCH_REDUNDANT);
    check_outcome(use(&rig, A), CACHE_MERGED);
    check_outcome(use(&rig, A), CACHE_MERGED);
    check_stalled(use(&rig, A), STALL_MERGE);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(rig.cache, A, tokens, &victim), 2);
    check_outcome(use(&rig, A), CACHE_HIT);
    check(&rig, 1, 1, 0, 0, 0);
    assert_int_equal(cache_mshr_used(rig.cache), 0);
    rig_free(&rig);
}

// A line that is present, or that a load is fetching, is not fetched again.
static void test_redundant(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init(&rig, &config);
    bring(rig.cache, A);
    assert_int_equal(prefetch(&rig, A), PREFETCH_REDUNDANT);
    use(&rig, B);
    assert_int_equal(prefetch(&rig, B), PREFETCH_REDUNDANT);
    fill_one(rig.cache, B, 9);
    bring_early(&rig, D);
    assert_int_equal(prefetch(&rig, D), PREFETCH_REDUNDANT);
    check(&rig, 1, 0, 0, 0, 1);
    assert_int_equal(counted(&rig).requested, 4);
    assert_int_equal(counted(&rig).redundant, 3);
    rig_free(&rig);
}

// A prefetched line is useless if it is evicted or invalidated before a use. A prefetch evicts the
// least recently used line, as a load does.
static void test_useless(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init(&rig, &config);
    bring_early(&rig, A);
    bring(rig.cache, B);
    bring(rig.cache, C); // evicts A
    check(&rig, 1, 0, 0, 1, 0);
    CacheVictim victim;
    assert_int_equal(prefetch_room(&rig, A, PLENTY, &victim), PREFETCH_FETCHED); // evicts B
    assert_true(victim.evicted);
    assert_null(cache_probe(rig.cache, B));
    come(&rig, A);
    use(&rig, A);
    bring_early(&rig, B);
    bring_early(&rig, D);
    check(&rig, 4, 0, 1, 1, 2);
    cache_invalidate(rig.cache);
    check(&rig, 4, 0, 1, 3, 0);
    rig_free(&rig);
}

// A write-evict store invalidates a prefetched line.
static void test_written_over(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.write = WRITE_EVICT;
    rig_init(&rig, &config);
    bring_early(&rig, A);
    seen(&rig, store(rig.cache, A, 4), A, HD_STORE);
    check(&rig, 1, 0, 0, 1, 0);
    assert_int_equal(prefetch(&rig, A), PREFETCH_FETCHED);
    seen(&rig, store(rig.cache, A, 4), A, HD_STORE); // the data still arrive
    come(&rig, A);
    use(&rig, A);
    check(&rig, 2, 0, 1, 1, 0);
    rig_free(&rig);
}

// A prefetch needs what a load needs: an entry of the miss queue, one more for a dirty victim, a
// way and an MSHR entry. A dropped prefetch changes nothing.
static void test_no_room(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init(&rig, &config);
    CacheVictim victim;
    assert_int_equal(prefetch_room(&rig, A, 0, &victim), PREFETCH_NO_ROOM);
    store(rig.cache, A, 4);
    store(rig.cache, B, 4);
    assert_int_equal(prefetch_room(&rig, C, 1, &victim), PREFETCH_NO_ROOM);
    assert_int_equal(victim.dirty_sectors, 0);
    assert_non_null(cache_probe(rig.cache, A));
    assert_int_equal(prefetch_room(&rig, C, 2, &victim), PREFETCH_FETCHED);
    assert_int_equal(victim.dirty_sectors, 1);
    assert_int_equal(victim.line, A);
    assert_int_equal(prefetch(&rig, D), PREFETCH_FETCHED);
    assert_int_equal(prefetch(&rig, D + 256), PREFETCH_NO_ROOM); // both MSHR entries are taken
    come(&rig, D);
    rig_free(&rig);

    config.mshr_entries = 4;
    rig_init(&rig, &config);
    assert_int_equal(prefetch(&rig, A), PREFETCH_FETCHED);
    assert_int_equal(prefetch(&rig, B), PREFETCH_FETCHED);
    assert_int_equal(prefetch(&rig, C), PREFETCH_NO_ROOM); // both ways wait for data
    check_stalled(use(&rig, C), STALL_LINE);
    come(&rig, A);
    assert_int_equal(prefetch(&rig, C), PREFETCH_FETCHED); // evicts A
    check(&rig, 3, 0, 0, 1, 0);
    assert_int_equal(counted(&rig).no_room, 1);
    rig_free(&rig);
}

// A cache that is off takes no prefetches.
static void test_off(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.mode = CACHE_OFF;
    rig_init(&rig, &config);
    assert_int_equal(prefetch(&rig, A), PREFETCH_NO_ROOM);
    assert_int_equal(cache_mshr_used(rig.cache), 0);
    rig_free(&rig);
}

// Outcomes are counted by sector: one is used, one is fetched by a load, one is not used.
static void test_sectors(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.sector = 32;
    config.mshr_entries = 4;
    rig_init(&rig, &config);
    hd_prefetch(&rig.hooks->items[0].place, A + 100);
    for (unsigned i = 0; i < 4; i++) {
        CachePrefetch result;
        if (i == 1) bring(rig.cache, A + 32);
        look_up(&rig, A + i * 32, PLENTY, &result);
        assert_int_equal(result.outcome, i == 1 ? PREFETCH_REDUNDANT : PREFETCH_FETCHED);
    }
    assert_false(prefetch_queues_pending(rig.hooks->prefetches));
    come(&rig, A);
    come(&rig, A + 64);
    check_outcome(use(&rig, A + 32), CACHE_HIT);
    check_outcome(use(&rig, A + 64), CACHE_HIT);
    check_outcome(use(&rig, A + 96), CACHE_MERGED);
    fill_one(rig.cache, A + 96, 9);
    check(&rig, 3, 1, 1, 0, 1);
    cache_invalidate(rig.cache);
    check(&rig, 3, 1, 1, 1, 0);
    rig_free(&rig);
}

// A load of these sectors of line A, reported to mechanisms.
static CacheResult use_sectors(Rig *rig, uint8_t sectors)
{
    rig->wanted = rig->hooks->current.access.sector_mask = sectors;
    CacheAccess access = {.address = A, .sectors = sectors, .token = 9, .room = PLENTY};
    return seen(rig, cache_access(rig->cache, &access), A, HD_LOAD);
}

// A sectored cache looks a line up once and fetches all missing sectors together, here two of four.
// A load waits for one of them, the other is used later. Loads have fetched the other two.
static void test_sectored(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init_with(&rig, &config, "silent+by-sectors");
    check_outcome(use_sectors(&rig, 1), CACHE_MISS);
    fill_one(rig.cache, A, 9);
    check_outcome(use_sectors(&rig, 2), CACHE_MISS);
    hd_prefetch(&rig.hooks->items[0].place, A);
    CachePrefetch result;
    look_up(&rig, A, PLENTY, &result);
    assert_int_equal(result.outcome, PREFETCH_FETCHED);
    assert_int_equal(result.sectors, 12);
    assert_false(prefetch_queues_pending(rig.hooks->prefetches));
    assert_int_equal(prefetch(&rig, A), PREFETCH_REDUNDANT);
    assert_int_equal(counted(&rig).redundant, 2 + 4);
    check_outcome(use_sectors(&rig, 4), CACHE_MERGED);
    assert_int_equal(cache_mshr_used(rig.cache), 2);
    fill_one(rig.cache, A + 64, 9); // both sectors
    check(&rig, 2, 1, 0, 0, 1);
    fill_one(rig.cache, A + 32, 9);
    check_outcome(use_sectors(&rig, 7), CACHE_HIT);
    check(&rig, 2, 1, 0, 0, 1);
    check_outcome(use_sectors(&rig, 15), CACHE_HIT);
    check(&rig, 2, 1, 1, 0, 0);
    rig_free(&rig);
}

// On-fill allocation: a prefetch reserves no line. Its fill evicts one.
static void test_on_fill(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.allocate = ALLOCATE_ON_FILL;
    config.write = config.local_write = WRITE_EVICT;
    rig_init(&rig, &config);
    bring(rig.cache, A);
    bring(rig.cache, B);
    CacheVictim victim;
    assert_int_equal(prefetch_room(&rig, C, 1, &victim), PREFETCH_FETCHED);
    assert_false(victim.evicted);
    assert_int_equal(prefetch(&rig, C), PREFETCH_REDUNDANT);
    uint32_t tokens[2];
    assert_int_equal(cache_fill(rig.cache, C, tokens, &victim), 0);
    assert_true(victim.evicted);
    assert_null(cache_probe(rig.cache, A));
    check_outcome(use(&rig, C), CACHE_HIT);
    check(&rig, 1, 0, 1, 0, 0);
    rig_free(&rig);
}

// A line in the victim buffer is in the cache, and is still known as prefetched.
static void test_victim_buffer(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.victim_entries = 1;
    rig_init(&rig, &config);
    bring_early(&rig, A);
    bring(rig.cache, B);
    bring_early(&rig, C); // A moves to the buffer
    assert_int_equal(prefetch(&rig, A), PREFETCH_REDUNDANT);
    check(&rig, 2, 0, 0, 0, 2);
    check_outcome(use(&rig, A), CACHE_HIT); // B moves to the buffer
    check(&rig, 2, 0, 1, 0, 1);
    bring_early(&rig, B + 512); // C moves to the buffer, B is evicted
    check(&rig, 3, 0, 1, 0, 2);
    bring_early(&rig, B + 1024); // A, which was used, moves to the buffer; C is evicted
    check(&rig, 4, 0, 1, 1, 2);
    rig_free(&rig);
}

static void check_misses(const Rig *rig, uint64_t demand_misses, uint64_t pollution)
{
    PrefetchCounters c = counted(rig);
    assert_int_equal(c.demand_misses, demand_misses);
    assert_int_equal(c.pollution, pollution);
}

// A line that left for a prefetch is no pollution once a prefetch has brought it back, even if it
// then leaves for another reason. tests/mechanisms/scripts/next-line-pollution.txt has more.
static void test_pollution(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init(&rig, &config);
    bring(rig.cache, A);
    bring(rig.cache, B);
    check_misses(&rig, 2, 0);
    bring_early(&rig, C); // A leaves
    bring_early(&rig, A); // B leaves
    assert_true(cache_invalidate_clean(rig.cache, A, 1));
    check_outcome(use(&rig, A), CACHE_MISS);
    fill_one(rig.cache, A, 9);
    check_misses(&rig, 3, 0);
    check_outcome(use(&rig, B), CACHE_MISS);
    check_outcome(use(&rig, B), CACHE_MERGED);
    check_misses(&rig, 4, 1);
    rig_free(&rig);
}

// Its data bypass the cache: the first miss alone is pollution.
static void test_pollution_bypassed(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init_with(&rig, &config, "silent+bypasses");
    bring_early(&rig, A);
    bring_early(&rig, B);
    bring_early(&rig, C); // A leaves
    for (unsigned times = 1; times <= 2; times++) {
        check_outcome(use(&rig, A), CACHE_MISS);
        fill_one(rig.cache, A, 9);
        check_misses(&rig, times, 1);
    }
    rig_free(&rig);
}

// A line in the victim buffer has not left.
static void test_pollution_buffer(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.victim_entries = 1;
    rig_init(&rig, &config);
    bring(rig.cache, A);
    bring(rig.cache, B);
    bring_early(&rig, C);       // A moves to the buffer
    bring_early(&rig, B + 512); // B moves to the buffer, and A leaves
    check_outcome(use(&rig, B), CACHE_HIT);
    check_misses(&rig, 2, 0);
    check_outcome(use(&rig, A), CACHE_MISS);
    check_misses(&rig, 3, 1);
    rig_free(&rig);
}

// Each sector that was fetched is late, useful, useless, present or pending, after any accesses.
static void test_invariant(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.sector = 64;
    config.victim_entries = 2;
    config.mshr_entries = 4;
    config.write = WRITE_EVICT;
    rig_init(&rig, &config);
    for (uint64_t draw = 0; draw < 20000; draw++) {
        uint64_t address = random_draw(1, 2, 3, draw) % 16 * 64;
        uint32_t tokens[2];
        CacheVictim victim;
        switch (random_draw(1, 2, 4, draw) % 8) {
        case 0: seen(&rig, store(rig.cache, address, 4), address, HD_STORE); break;
        case 1: case 2: use(&rig, address); break;
        case 3: case 4: prefetch(&rig, address - address % 128); break;
        default: cache_fill(rig.cache, address, tokens, &victim); break;
        }
    }
    for (uint64_t address = 0; address < 1024; address += 64) {
        uint32_t tokens[2];
        CacheVictim victim;
        cache_fill(rig.cache, address, tokens, &victim);
    }
    assert_int_equal(cache_mshr_used(rig.cache), 0);
    PrefetchCounters c = counted(&rig);
    assert_true(c.late > 100 && c.useful > 100 && c.useless > 100 && c.no_room > 10);
    assert_int_equal(c.fetched, c.late + c.useful + c.useless + c.unused);
    assert_int_equal(2 * c.requested, c.redundant + c.no_room + c.fetched); // each has two sectors
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_useful),        cmocka_unit_test(test_late),
        cmocka_unit_test(test_redundant),     cmocka_unit_test(test_useless),
        cmocka_unit_test(test_written_over),  cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_off),           cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_on_fill),       cmocka_unit_test(test_victim_buffer),
        cmocka_unit_test(test_invariant),     cmocka_unit_test(test_sectored),
        cmocka_unit_test(test_pollution),     cmocka_unit_test(test_pollution_bypassed),
        cmocka_unit_test(test_pollution_buffer),
    };
    return cmocka_run_group_tests_name("prefetches at a cache", tests, NULL, NULL);
}
