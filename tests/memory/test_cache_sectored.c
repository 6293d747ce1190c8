// A sectored cache with sectors of 32 bytes: what accesses to several sectors of a line hit and
// wait for, what they fetch, and the state after stores and atomics.
#include "cache_actions.h"
#include "base/bits.h"
#include "base/random.h"
#include "hooks/cache_hooks.h"
#include "memory/packets.h"

#include <string.h>

// A mechanism with decisions set by the test.
static HdInsertion answer;
enum { WHOLE_LINE = UINT8_MAX };
static uint8_t predicted, had; // predicted: WHOLE_LINE passes
static unsigned questions;
static HdEviction left;
static uint8_t room; // in the miss queue

static uint8_t scripted_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    questions++;
    had = have;
    return predicted == WHOLE_LINE ? HD_PASS : predicted | miss->sector_mask;
}
static HdInsertion scripted_fill(HdPlace *place, const HdAccess *miss, const HdEviction *leaves)
{
    (void)place;
    (void)miss;
    (void)leaves;
    return answer;
}
static void note_eviction(HdPlace *place, const HdEviction *eviction)
{
    (void)place;
    left = *eviction;
}
static const HdMechanism scripted = {.name = "scripted",
                                     .l1 = {.decide_fetch = scripted_fetch,
                                            .decide_insert = scripted_fill,
                                            .on_evict = note_eviction}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &scripted;
}

typedef struct Kept {
    CacheConfig config;
    HookPlan plan;
    CacheHooks *hooks;
    Cache *cache;
} Kept;

static void kept_init(Kept *k, const CacheConfig *config)
{
    HdError err = {0};
    *k = (Kept){.config = *config};
    answer = HD_PASS;
    predicted = 0;
    questions = 0;
    room = PLENTY;
    left = (HdEviction){.line = HD_NO_LINE};
    bool ok = plan_read(&k->plan, "scripted", find, &err) &&
              cache_hooks_new(&k->hooks, &k->plan, HOOK_L1, 0, 1, &err);
    k->cache = cache_made(&k->config);
    if (!ok || !cache_attach(k->cache, k->hooks, &err)) fail_msg("%s", err.text);
}

static void kept_free(Kept *k)
{
    cache_free(k->cache);
    cache_hooks_free(k->hooks);
    plan_free(&k->plan);
}

static CacheResult access_sectors(Kept *k, uint64_t line, unsigned sectors, CacheAccess access)
{
    access.address = line + lanes_first(sectors) * SECTOR_BYTES;
    access.sectors = (uint8_t)sectors;
    access.room = room;
    k->hooks->access =
        (HdAccess){.line = line, .sector_mask = (uint8_t)sectors, .victim = HD_NO_LINE};
    return cache_access(k->cache, &access);
}
static CacheResult load_sectors(Kept *k, uint64_t line, unsigned sectors, uint32_t token)
{
    return access_sectors(k, line, sectors, (CacheAccess){.token = token});
}
static CacheResult atomic_sectors(Kept *k, uint64_t line, unsigned sectors, uint32_t token)
{
    return access_sectors(k, line, sectors, (CacheAccess){.token = token, .atomic = true});
}
// Writes the first `bytes` bytes (at most 32) of each sector.
static CacheResult store_sectors(Kept *k, uint64_t line, unsigned sectors, unsigned bytes)
{
    CacheAccess access = {.write = true};
    for (unsigned p = 0; p < 4; p++)
        if (sectors >> p & 1)
            access.bytes[p / 2] |= ((UINT64_C(1) << bytes) - 1) << p % 2 * 32;
    return access_sectors(k, line, sectors, access);
}

static void check_miss(CacheResult result, unsigned fetched, unsigned waits)
{
    assert_int_equal(result.outcome, CACHE_MISS);
    assert_true(result.fetch);
    assert_int_equal(result.sectors, fetched);
    assert_int_equal(result.pending_fetches, waits);
}
static void check_merged(CacheResult result, unsigned waits)
{
    assert_int_equal(result.outcome, CACHE_MERGED);
    assert_false(result.fetch);
    assert_int_equal(result.pending_fetches, waits);
}

// Fills the fetch that brings `part`. These tokens wait for it.
static CacheVictim fill_sectors(Kept *k, uint64_t line, unsigned part, unsigned count,
                                uint32_t first, uint32_t second)
{
    uint32_t tokens[8] = {0};
    CacheVictim victim;
    assert_int_equal(cache_fill(k->cache, line + part * SECTOR_BYTES, tokens, &victim), count);
    if (count > 0) assert_int_equal(tokens[0], first);
    if (count > 1) assert_int_equal(tokens[1], second);
    return victim;
}
// Brings these sectors by themselves.
static void bring_parts(Kept *k, uint64_t line, unsigned sectors)
{
    uint8_t kept = predicted;
    predicted = 0;
    check_miss(load_sectors(k, line, sectors, 99), sectors, 1);
    fill_sectors(k, line, lanes_first(sectors), 1, 99, 0);
    predicted = kept;
}

// On-fill allocation; lines are never dirty.
static void choose_on_fill(CacheConfig *config)
{
    config->allocate = ALLOCATE_ON_FILL;
    config->write = config->local_write = WRITE_EVICT;
}

static const uint64_t A = 0, B = 256, C = 512; // lines of set 0, which has two ways

// A fetch requests the sectors that are wanted and missing. A sector that is present or pending is
// not fetched again. An access waits for each fetch that brings one of its sectors.
static void test_partial_hits(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    kept_init(&k, &config);
    check_miss(load_sectors(&k, A, 1, 1), 1, 1);
    check_miss(load_sectors(&k, A, 7, 2), 6, 2); // token 1 waits for the first sector
    assert_int_equal(had, 1);
    check_merged(load_sectors(&k, A, 4, 3), 1);
    assert_int_equal(cache_mshr_used(k.cache), 2);
    fill_sectors(&k, A, 2, 2, 2, 3);
    check_outcome(load_sectors(&k, A, 6, 4), CACHE_HIT);
    assert_int_equal(cache_probe(k.cache, A)->readable, 6);
    fill_sectors(&k, A, 0, 2, 1, 2);
    check_outcome(load_sectors(&k, A, 7, 5), CACHE_HIT);
    check_miss(load_sectors(&k, A, 15, 6), 8, 1);
    assert_int_equal(had, 7);
    fill_sectors(&k, A, 3, 1, 6, 0);
    assert_int_equal(cache_mshr_used(k.cache), 0);
    assert_int_equal(k.hooks->counted.inserted, 1);
    assert_int_equal(k.hooks->counted.sector_misses, 2);
    assert_int_equal(k.hooks->counted.sectors_fetched, 4);
    assert_int_equal(k.hooks->counted.sectors_predicted, 0);
    kept_free(&k);
}

// Sectors that a mechanism adds to a fetch: never sectors that are present or pending; the whole
// line if the mechanism passes.
static void test_predicted(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    kept_init(&k, &config);
    bring_parts(&k, A, 2);
    predicted = 7;
    check_miss(load_sectors(&k, A, 4, 1), 5, 1);
    check_merged(load_sectors(&k, A, 1, 2), 1); // it was predicted
    predicted = WHOLE_LINE;
    check_miss(load_sectors(&k, B, 1, 3), 15, 1);
    fill_sectors(&k, B, 2, 1, 3, 0);
    check_outcome(load_sectors(&k, B, 15, 4), CACHE_HIT);
    assert_int_equal(k.hooks->counted.sectors_fetched, 1 + 2 + 4);
    assert_int_equal(k.hooks->counted.sectors_predicted, 0 + 1 + 3);
    kept_free(&k);
}

// A stalled access leaves no trace: one of several entries full, no free entry, full miss queue, a
// set with all ways pending.
static void test_refusals(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    kept_init(&k, &config);
    check_miss(load_sectors(&k, A, 1, 1), 1, 1);
    check_miss(load_sectors(&k, A, 6, 2), 6, 1);
    check_stalled(load_sectors(&k, A, 9, 3), STALL_MSHR); // the fourth sector needs an entry
    check_merged(load_sectors(&k, A, 3, 4), 2); // entries of two requests: both full now
    check_stalled(load_sectors(&k, A, 2, 5), STALL_MERGE);
    check_stalled(load_sectors(&k, B, 1, 6), STALL_MSHR);
    assert_int_equal(k.hooks->counted.sectors_fetched, 3);
    assert_int_equal(questions, 2); // asked only when a fetch is sent
    assert_int_equal(cache_probe(k.cache, A)->reserved, 7);
    fill_sectors(&k, A, 0, 2, 1, 4);
    check_miss(load_sectors(&k, B, 1, 6), 1, 1);
    check_stalled(load_sectors(&k, C, 1, 7), STALL_LINE);
    kept_free(&k);

    kept_init(&k, &config); // a fetch, and a victim with one dirty sector
    store_sectors(&k, A, 1, 8);
    store_sectors(&k, B, 1, 8);
    room = 0;
    check_stalled(load_sectors(&k, A, 2, 1), STALL_MISS_QUEUE);
    room = 1;
    check_stalled(load_sectors(&k, C, 1, 1), STALL_MISS_QUEUE);
    check_miss(load_sectors(&k, A, 2, 1), 2, 1);
    room = 2;
    check_miss(load_sectors(&k, C, 1, 1), 1, 1);
    kept_free(&k);

    choose_on_fill(&config);
    config.mshr_entries = 1;
    kept_init(&k, &config);
    predicted = 2;
    check_miss(load_sectors(&k, A, 1, 1), 3, 1);
    assert_null(cache_probe(k.cache, A));
    check_merged(load_sectors(&k, A, 2, 2), 1);
    check_stalled(load_sectors(&k, A, 4, 3), STALL_MSHR);
    kept_free(&k);
}

// On-fill allocation: two fetches of one line allocate one line, even if it was evicted in between.
static void test_on_fill(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    choose_on_fill(&config);
    config.mshr_entries = 4;
    kept_init(&k, &config);
    check_miss(load_sectors(&k, A, 1, 1), 1, 1);
    check_miss(load_sectors(&k, A, 3, 2), 2, 2);
    fill_sectors(&k, A, 0, 2, 1, 2);
    assert_int_equal(cache_probe(k.cache, A)->readable, 1);
    bring_parts(&k, B, 4);
    bring_parts(&k, C, 8);
    assert_null(cache_probe(k.cache, A));
    assert_int_equal(left.line, A);
    assert_int_equal(left.used_sectors, 3);
    fill_sectors(&k, A, 1, 1, 2, 0);
    assert_int_equal(left.line, B);
    assert_int_equal(cache_probe(k.cache, A)->readable, 2);
    assert_int_equal(k.hooks->counted.inserted, 3);
    assert_int_equal(k.hooks->counted.sector_misses, 1);
    assert_int_equal(k.hooks->counted.sectors_evicted, 1 + 1); // A with its first sector, B
    assert_int_equal(k.hooks->counted.sectors_used, 1 + 1);
    kept_free(&k);
}

// A bypassing fetch brings the wanted sectors, whatever is predicted. If an earlier fetch of the
// line is for the cache, later sectors of the line are kept too. No decision is asked for a present
// line.
static void test_past(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    config.mshr_entries = config.mshr_merges = 4;
    kept_init(&k, &config);
    predicted = 15;
    answer = HD_BYPASS;
    check_miss(load_sectors(&k, A, 2, 1), 2, 1);
    check_merged(load_sectors(&k, A, 2, 2), 1);
    check_stalled(atomic_sectors(&k, A, 2, 3), STALL_STORE_ORDER);
    answer = HD_INSERT;
    check_miss(load_sectors(&k, A, 3, 3), 13, 2); // one sector bypasses, the others do not
    answer = HD_BYPASS;
    fill_sectors(&k, A, 1, 3, 1, 2);
    assert_int_equal(cache_probe(k.cache, A)->valid, 0);
    fill_sectors(&k, A, 0, 1, 3, 0);
    assert_int_equal(cache_probe(k.cache, A)->readable, 13);
    check_miss(load_sectors(&k, A, 2, 4), 2, 1); // the line is here
    fill_sectors(&k, A, 1, 1, 4, 0);
    assert_int_equal(cache_probe(k.cache, A)->readable, 15);
    assert_int_equal(k.hooks->counted.bypassed, 1);
    assert_int_equal(k.hooks->counted.inserted, 1);
    assert_int_equal(k.hooks->counted.sector_misses, 1);
    kept_free(&k);
}

// A tags-only line knows its sectors: a load that misses for lack of data only is counted
// separately.
static void test_tags_only(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    kept_init(&k, &config);
    answer = HD_TAGS_ONLY;
    check_miss(load_sectors(&k, A, 1, 1), 1, 1);
    fill_sectors(&k, A, 0, 1, 1, 0);
    check_miss(load_sectors(&k, A, 3, 2), 3, 1);
    assert_int_equal(k.hooks->counted.tag_hits, 0);
    fill_sectors(&k, A, 0, 1, 2, 0);
    check_miss(load_sectors(&k, A, 3, 3), 3, 1);
    assert_int_equal(k.hooks->counted.tag_hits, 1);
    assert_int_equal(k.hooks->counted.tags_only, 1);
    assert_int_equal(k.hooks->counted.bypassed, 3);
    kept_free(&k);

    choose_on_fill(&config);
    kept_init(&k, &config);
    answer = HD_TAGS_ONLY;
    check_miss(load_sectors(&k, A, 1, 1), 1, 1);
    answer = HD_INSERT;
    fill_sectors(&k, A, 0, 1, 1, 0);
    check_miss(load_sectors(&k, A, 1, 2), 1, 1);
    check_miss(load_sectors(&k, A, 2, 3), 2, 1); // of the same line, which comes once
    assert_int_equal(k.hooks->counted.inserted, 1);
    assert_int_equal(k.hooks->counted.sector_misses, 1);
    kept_free(&k);
}

// A write-evict store invalidates the sectors that it writes, and forwards the bytes of a dirty
// one. A pending sector stays pending.
static void test_write_evict(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    config.write = WRITE_EVICT;
    kept_init(&k, &config);
    bring_parts(&k, A, 7);
    CacheResult result = store_sectors(&k, A, 2, 8);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write);
    assert_int_equal(result.victim.dirty_sectors, 0);
    assert_int_equal(cache_probe(k.cache, A)->readable, 5);
    check_outcome(atomic_sectors(&k, A, 4, 1), CACHE_HIT);
    result = store_sectors(&k, A, 6, 8);
    check_outcome(result, CACHE_HIT);
    assert_int_equal(result.victim.dirty_sectors, 4);
    assert_int_equal(result.victim.bytes[0], 0);
    assert_int_equal(result.victim.bytes[1], 0xffffffff);
    check_miss(load_sectors(&k, A, 8, 2), 8, 1);
    check_outcome(store_sectors(&k, A, 8, 32), CACHE_MISS);
    check_outcome(store_sectors(&k, A, 1, 32), CACHE_HIT);
    fill_sectors(&k, A, 3, 1, 2, 0);
    assert_int_equal(cache_probe(k.cache, A)->readable, 8);
    check_outcome(store_sectors(&k, A, 15, 32), CACHE_HIT); // its last sector: the line is freed
    assert_null(cache_probe(k.cache, A));
    kept_free(&k);
}

static void test_write_through(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    config.write = WRITE_THROUGH;
    kept_init(&k, &config);
    bring_parts(&k, A, 3);
    CacheResult result = store_sectors(&k, A, 3, 8);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write);
    check_outcome(store_sectors(&k, A, 6, 8), CACHE_MISS);
    check_outcome(store_sectors(&k, B, 1, 8), CACHE_MISS);
    assert_int_equal(cache_probe(k.cache, A)->readable, 3);
    assert_int_equal(cache_probe(k.cache, A)->dirty, 0);
    kept_free(&k);
}

// Lazy write-back: bytes are kept without a fetch. A fully written sector can be read; a partly
// written one is fetched when it is read, and keeps the written bytes. An eviction writes back the
// dirty sectors.
static void test_write_lazy(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    kept_init(&k, &config);
    CacheResult result = store_sectors(&k, A, 3, 32);
    check_outcome(result, CACHE_MISS);
    assert_false(result.fetch || result.forwards_write);
    check_outcome(load_sectors(&k, A, 3, 1), CACHE_HIT);
    check_outcome(store_sectors(&k, A, 12, 8), CACHE_MISS);
    assert_int_equal(cache_probe(k.cache, A)->readable, 3);
    result = store_sectors(&k, A, 4, 8);
    check_outcome(result, CACHE_HIT);
    assert_true(result.incomplete);
    check_miss(load_sectors(&k, A, 6, 2), 4, 1);
    check_outcome(store_sectors(&k, A, 4, 16), CACHE_HIT); // into the pending sector
    fill_sectors(&k, A, 2, 1, 2, 0);
    const CacheLine *line = cache_probe(k.cache, A);
    assert_int_equal(line->readable, 7);
    assert_int_equal(line->dirty, 15);
    assert_int_equal(line->written[1], 0xff0000ffff);
    bring_parts(&k, B, 1);
    result = load_sectors(&k, C, 1, 3);
    check_miss(result, 1, 1);
    assert_int_equal(result.victim.line, A);
    assert_int_equal(result.victim.dirty_sectors, 15);
    assert_int_equal(result.victim.bytes[0], UINT64_MAX);
    kept_free(&k);
}

// complete_by: one-store. Two stores write the halves of sector 0, one store writes sector 1. Only
// sector 1 can be read. The fetch of sector 0 keeps the bytes of both.
static void test_complete_by_one_store(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    config.complete_by = COMPLETE_BY_ONE_STORE;
    kept_init(&k, &config);
    check_outcome(store_sectors(&k, A, 1, 16), CACHE_MISS);
    CacheAccess second = {.write = true, .bytes = {0xffff0000}};
    CacheResult result = access_sectors(&k, A, 1, second);
    check_outcome(result, CACHE_HIT);
    assert_true(result.incomplete);
    check_outcome(store_sectors(&k, A, 2, 32), CACHE_MISS);
    assert_int_equal(cache_probe(k.cache, A)->readable, 2);
    check_outcome(store_sectors(&k, A, 2, 8), CACHE_HIT);
    check_outcome(load_sectors(&k, A, 2, 1), CACHE_HIT);
    check_miss(load_sectors(&k, A, 1, 2), 1, 1);
    fill_sectors(&k, A, 0, 1, 2, 0);
    assert_int_equal(cache_probe(k.cache, A)->readable, 3);
    assert_int_equal(cache_probe(k.cache, A)->written[0], UINT64_MAX);
    kept_free(&k);
}

// Two stores fill a sector while the fetch for the first one is on its way.
static void test_complete_during_fetch(void **state)
{
    (void)state;
    for (unsigned by = COMPLETE_BY_STORES; by <= COMPLETE_BY_ONE_STORE; by++) {
        Kept k;
        CacheConfig config = tiny_config();
        config.write_miss = WRITE_MISS_FETCH;
        config.complete_by = by;
        kept_init(&k, &config);
        assert_true(store_sectors(&k, A, 1, 16).fetch);
        access_sectors(&k, A, 1, (CacheAccess){.write = true, .bytes = {0xffff0000}});
        assert_int_equal(cache_probe(k.cache, A)->readable, by == COMPLETE_BY_STORES);
        kept_free(&k);
    }
}

// Write-back with fetch on write: one fetch without waiters for the written sectors that are partly
// written and not present. A later load that waits for it stalls further writes.
static void test_write_fetch(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    config.write_miss = WRITE_MISS_FETCH;
    kept_init(&k, &config);
    bring_parts(&k, A, 1);
    CacheResult result = store_sectors(&k, A, 7, 8);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch);
    assert_int_equal(result.sectors, 6);
    assert_int_equal(result.pending_fetches, 0);
    check_outcome(store_sectors(&k, A, 3, 8), CACHE_HIT);
    check_merged(load_sectors(&k, A, 2, 1), 1);
    check_stalled(store_sectors(&k, A, 3, 8), STALL_STORE_ORDER);
    check_outcome(store_sectors(&k, A, 1, 8), CACHE_HIT);
    fill_sectors(&k, A, 1, 1, 1, 0);
    check_outcome(store_sectors(&k, A, 3, 8), CACHE_HIT);
    check_outcome(load_sectors(&k, A, 7, 2), CACHE_HIT);
    result = store_sectors(&k, B, 3, 32); // whole sectors need no fetch
    check_outcome(result, CACHE_MISS);
    assert_false(result.fetch);
    kept_free(&k);
}

// Write-around: a store is forwarded unless all its sectors are present. Present sectors take its
// bytes.
static void test_write_around(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    config.write_miss = WRITE_MISS_AROUND;
    kept_init(&k, &config);
    bring_parts(&k, A, 1);
    CacheResult result = store_sectors(&k, A, 3, 8);
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write);
    assert_int_equal(cache_probe(k.cache, A)->dirty, 1);
    result = store_sectors(&k, A, 1, 8);
    check_outcome(result, CACHE_HIT);
    assert_false(result.forwards_write);
    kept_free(&k);
}

// An atomic on both present and missing sectors makes both dirty, the present ones at once: its
// line waits for the others. Sectors that were only predicted stay clean.
static void test_atomic(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    kept_init(&k, &config);
    bring_parts(&k, A, 1);
    predicted = 8;
    check_miss(atomic_sectors(&k, A, 3, 1), 10, 1);
    assert_int_equal(cache_probe(k.cache, A)->dirty, 1);
    fill_sectors(&k, A, 3, 1, 1, 0);
    assert_int_equal(cache_probe(k.cache, A)->dirty, 3);
    assert_int_equal(cache_probe(k.cache, A)->readable, 11);
    assert_int_equal(k.hooks->counted.inserted, 1);
    assert_int_equal(k.hooks->counted.sector_misses, 0); // loads only
    kept_free(&k);
}

// Functional accesses: fetched data are present at once.
static void test_touch(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    choose_on_fill(&config);
    kept_init(&k, &config);
    k.hooks->access = (HdAccess){.sector_mask = 6};
    CacheResult result =
        cache_access_warm(k.cache, &(CacheAccess){.address = A + 32, .sectors = 6});
    assert_int_equal(result.sectors, 6);
    result = cache_access_warm(k.cache, &(CacheAccess){.address = A + 32, .sectors = 14});
    assert_int_equal(result.sectors, 8);
    assert_int_equal(cache_probe(k.cache, A)->readable, 14);
    assert_int_equal(cache_mshr_used(k.cache), 0);
    cache_warm_sector(k.cache, A);
    assert_int_equal(cache_probe(k.cache, A)->readable, 15);
    kept_free(&k);
}

// Random loads: each token returns as often as announced. By then all its sectors are present or
// have come. No sector is fetched twice at the same time.
enum { LINES = 6, ENTRIES = 4, TOKENS = 400 };

typedef struct Flight {
    uint64_t line;
    uint8_t sectors;
} Flight;

static void land(Kept *k, Flight *flights, unsigned *count, unsigned at, unsigned *owed)
{
    uint32_t tokens[8];
    CacheVictim victim;
    unsigned n = cache_fill(k->cache, flights[at].line + lanes_first(flights[at].sectors) * 32u,
                            tokens, &victim);
    assert_in_range(n, 1, k->config.mshr_merges);
    for (unsigned i = 0; i < n; i++) assert_true(owed[tokens[i]]--);
    const CacheLine *line = cache_probe(k->cache, flights[at].line);
    assert_int_equal(line->readable & flights[at].sectors, flights[at].sectors);
    flights[at] = flights[--*count];
}

static void run_random(uint64_t seed, CacheAllocate allocate)
{
    Kept k;
    CacheConfig config = tiny_config();
    if (allocate == ALLOCATE_ON_FILL) choose_on_fill(&config);
    config.mshr_entries = ENTRIES;
    config.mshr_merges = 3;
    config.victim_entries = seed % 2;
    kept_init(&k, &config);
    Flight flights[ENTRIES];
    unsigned count = 0, owed[TOKENS] = {0}, on_access = 0;
    for (uint32_t token = 0; token < TOKENS; token++) {
        uint64_t draw = random_draw(seed, 1, 2, token), line = draw % LINES * 128;
        predicted = (uint8_t)(draw >> 8 & 15);
        unsigned sectors = draw >> 16 & 15 ? draw >> 16 & 15 : 1;
        CacheResult result = load_sectors(&k, line, sectors, token);
        on_access += result.outcome != CACHE_STALLED;
        if (result.outcome == CACHE_MERGED || result.outcome == CACHE_MISS)
            owed[token] = result.pending_fetches;
        if (result.fetch) {
            for (unsigned i = 0; i < count; i++)
                assert_false(flights[i].line == line && flights[i].sectors & result.sectors);
            flights[count++] = (Flight){line, result.sectors};
        }
        assert_int_equal(cache_mshr_used(k.cache), count);
        bool land_one = result.outcome == CACHE_STALLED || draw >> 24 & 1;
        if (count && land_one) land(&k, flights, &count, (unsigned)(draw >> 32) % count, owed);
    }
    while (count) land(&k, flights, &count, 0, owed);
    for (uint32_t token = 0; token < TOKENS; token++) assert_int_equal(owed[token], 0);
    assert_in_range(on_access, TOKENS / 2, TOKENS);
    kept_free(&k);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        run_random(seed, ALLOCATE_ON_MISS);
        run_random(seed, ALLOCATE_ON_FILL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partial_hits), cmocka_unit_test(test_predicted),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_on_fill),
        cmocka_unit_test(test_past),         cmocka_unit_test(test_tags_only),
        cmocka_unit_test(test_write_evict),  cmocka_unit_test(test_write_through),
        cmocka_unit_test(test_write_lazy),   cmocka_unit_test(test_write_fetch),
        cmocka_unit_test(test_write_around), cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_touch),        cmocka_unit_test(test_random),
        cmocka_unit_test(test_complete_by_one_store),
        cmocka_unit_test(test_complete_during_fetch),
    };
    return cmocka_run_group_tests_name("lines kept by sectors", tests, NULL, NULL);
}
