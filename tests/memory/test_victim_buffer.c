// The victim buffer (Jouppi, ISCA 1990): it turns conflict misses into hits, holds dirty lines, and
// changes nothing else.
#include "cache_actions.h"

// Direct-mapped, four lines of 128 bytes: lines 0, 4, 8, ... fall into set 0.
static CacheConfig direct_config(uint32_t victims)
{
    CacheConfig config = tiny_config();
    config.ways = 1;
    config.victim_entries = victims;
    return config;
}

static uint64_t line(uint64_t n) { return n * 128; }
static bool holds(const Cache *cache, uint64_t n) { return cache_probe(cache, line(n)) != NULL; }

static void hits_buffer(CacheResult result)
{
    check_outcome(result, CACHE_HIT);
    assert_true(result.victim_hit);
    assert_false(result.fetch || result.victim.evicted || result.victim.dirty_sectors);
}
static void hits_set(CacheResult result)
{
    check_outcome(result, CACHE_HIT);
    assert_false(result.victim_hit);
}

// The number of misses of 20 loads that cycle through these lines.
static unsigned misses_of_round(uint32_t victims, const uint64_t *lines, unsigned count)
{
    CacheConfig config = direct_config(victims);
    Cache *cache = cache_made(&config);
    unsigned misses = 0;
    for (unsigned i = 0; i < 20; i++) {
        uint64_t address = line(lines[i % count]);
        CacheResult result = load(cache, address, i);
        if (result.outcome == CACHE_HIT) continue;
        misses++;
        fill_one(cache, address, i);
    }
    cache_free(cache);
    return misses;
}

// Two lines of one set always miss in a direct-mapped cache. With one entry they miss only the
// first time. n + 1 lines of one set need n entries: with one less, the next line was just evicted.
static void test_conflicts_become_hits(void **state)
{
    (void)state;
    static const uint64_t two[] = {0, 4}, three[] = {0, 4, 8}, apart[] = {0, 1, 4, 5};
    assert_int_equal(misses_of_round(0, two, 2), 20);
    assert_int_equal(misses_of_round(1, two, 2), 2);
    assert_int_equal(misses_of_round(1, three, 3), 20);
    assert_int_equal(misses_of_round(2, three, 3), 3);
    assert_int_equal(misses_of_round(1, apart, 4), 20); // two sets compete for one entry
    assert_int_equal(misses_of_round(2, apart, 4), 4);  // an entry is not bound to a set
}

// A hit in the buffer exchanges the line with the one in the set.
static void test_swap(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    CacheResult result = load(cache, line(4), 1);
    check_outcome(result, CACHE_MISS);
    assert_false(result.victim.evicted); // 0 moved to the buffer
    fill_one(cache, line(4), 1);
    hits_buffer(load_room(cache, line(0) + 100, 0, 0));
    hits_set(load(cache, line(0), 0));
    hits_buffer(load(cache, line(4), 0));
    hits_set(load(cache, line(4), 0));
    cache_free(cache);
}

// The buffer evicts its oldest line.
static void test_leaving(void **state)
{
    (void)state;
    CacheConfig config = direct_config(2);
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(4));
    bring(cache, line(8)); // set: 8, buffer: 0 4
    hits_buffer(load(cache, line(0), 0)); // set: 0, buffer: 4 8
    CacheResult result = load(cache, line(12), 1);
    assert_true(result.victim.evicted);
    fill_one(cache, line(12), 1);
    assert_true(holds(cache, 0) && !holds(cache, 4) && holds(cache, 8) && holds(cache, 12));
    hits_buffer(load(cache, line(8), 0));
    hits_buffer(load(cache, line(0), 0));
    cache_free(cache);
}

// A line that comes back to a set with an unused way leaves its entry free.
static void test_comes_back_alone(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    config.write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(4));
    check_outcome(store(cache, line(4), 4), CACHE_HIT); // invalidates 4
    hits_buffer(load(cache, line(0), 0));
    hits_set(load(cache, line(0), 0));
    bring(cache, line(4)); // the free entry takes 0
    bring(cache, line(1)); // another set: evicts nothing
    assert_true(holds(cache, 0) && holds(cache, 4) && holds(cache, 1));
    cache_free(cache);
}

// Dirty bytes move to the buffer with their line, and are written back when it is evicted.
static void test_dirty(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    check_outcome(store(cache, line(0) + 4, 4), CACHE_HIT);
    CacheResult result = load_room(cache, line(4), 1, 1); // needs no room for a write-back
    check_outcome(result, CACHE_MISS);
    assert_int_equal(result.victim.dirty_sectors, 0);
    fill_one(cache, line(4), 1);
    hits_buffer(store(cache, line(0) + 68, 4));
    hits_buffer(load(cache, line(4), 0)); // 0 is in the buffer again

    check_stalled(load_room(cache, line(8), 2, 1), STALL_MISS_QUEUE); // needs room for a write-back
    assert_true(holds(cache, 0) && holds(cache, 4) && !holds(cache, 8));
    result = load_room(cache, line(8), 2, 2);
    check_outcome(result, CACHE_MISS);
    assert_true(result.victim.evicted && result.victim.line == line(0));
    assert_int_equal(result.victim.dirty_sectors, 1);
    assert_true(result.victim.bytes[0] == 0xf0 && result.victim.bytes[1] == 0xf0);
    fill_one(cache, line(8), 2);
    cache_free(cache);
}

// A write-evict store invalidates a line in the buffer, and writes local dirty bytes back.
static void test_write_evict(void **state)
{
    (void)state;
    CacheConfig config = direct_config(2);
    config.write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(4));
    CacheResult result = store(cache, line(0), 4);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write && result.victim_hit && !holds(cache, 0) && holds(cache, 4));
    result = store(cache, line(0), 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write && !result.victim_hit);

    check_outcome(local_store(cache, line(4) + 8, 4), CACHE_HIT);
    bring(cache, line(0)); // 4, dirty, moves to the buffer
    result = store(cache, line(4), 4);
    check_outcome(result, CACHE_HIT);
    assert_int_equal(result.victim.dirty_sectors, 1);
    assert_true(result.victim.line == line(4) && result.victim.bytes[0] == 0xf00);
    assert_false(holds(cache, 4));
    cache_free(cache);
}

static void test_write_through(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    config.write = WRITE_THROUGH;
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(4));
    CacheResult result = store(cache, line(0), 4);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write && result.victim_hit);
    hits_set(load(cache, line(0), 0)); // the store moved it to the set
    cache_free(cache);
}

// A line in the buffer cannot return while all ways of its set wait for data.
static void test_set_waits(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    check_outcome(load(cache, line(4), 1), CACHE_MISS);
    check_stalled(load(cache, line(0), 2), STALL_LINE);
    check_stalled(store(cache, line(0), 4), STALL_LINE);
    fill_one(cache, line(4), 1);
    hits_buffer(load(cache, line(0), 2));
    cache_free(cache);
}

// A load of a sector that the buffered line lacks misses. The line returns to its set.
static void test_sectors(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    config.sector = 32;
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(4));
    check_stalled(load_room(cache, line(0) + 32, 1, 0), STALL_MISS_QUEUE);
    CacheResult result = load(cache, line(0) + 32, 1);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch && !result.victim_hit && !result.victim.evicted);
    fill_one(cache, line(0) + 32, 1);
    assert_int_equal(cache_probe(cache, line(0))->readable, 0x3);
    hits_set(load(cache, line(0), 0));
    hits_buffer(load(cache, line(4), 0));
    cache_free(cache);
}

// On-fill allocation: a line that moved to the buffer while a sector was pending gets that sector.
static void test_fill_of_buffered(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    config.sector = 32;
    config.allocate = ALLOCATE_ON_FILL;
    config.write = config.local_write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    check_outcome(load(cache, line(0) + 32, 1), CACHE_MISS);
    bring(cache, line(4));
    fill_one(cache, line(0) + 32, 1);
    assert_int_equal(cache_probe(cache, line(0))->readable, 0x3);
    hits_set(load(cache, line(0) + 32, 0));
    hits_buffer(load(cache, line(4), 0));
    cache_free(cache);
}

static void test_whole_cache(void **state)
{
    (void)state;
    CacheConfig config = direct_config(1);
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    check_outcome(store(cache, line(0), 4), CACHE_HIT);
    bring(cache, line(4));
    hits_buffer(load(cache, line(0), 0));

    cache_warm_sector(cache, line(4)); // returns from the buffer
    hits_set(load(cache, line(4), 0));
    hits_buffer(load(cache, line(0), 0));
    cache_invalidate(cache);
    assert_false(holds(cache, 0) || holds(cache, 4));
    check_outcome(load(cache, line(4), 1), CACHE_MISS);
    cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conflicts_become_hits), cmocka_unit_test(test_swap),
        cmocka_unit_test(test_leaving),               cmocka_unit_test(test_comes_back_alone),
        cmocka_unit_test(test_dirty),                 cmocka_unit_test(test_write_evict),
        cmocka_unit_test(test_write_through),         cmocka_unit_test(test_set_waits),
        cmocka_unit_test(test_sectors),               cmocka_unit_test(test_fill_of_buffered),
        cmocka_unit_test(test_whole_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
