// Loads and atomics: hits, misses, merges, sectors, replacement, on-fill allocation, and operations
// on a whole cache.
#include "cache_actions.h"

#include "base/random.h"

// In tiny_config line n falls into set n % 2.
static uint64_t line(uint64_t n) { return n * 128; }
static bool holds(const Cache *cache, uint64_t n) { return cache_probe(cache, line(n)) != NULL; }

static void test_hit_and_miss(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = cache_made(&config);
    assert_int_equal(cache_sets(cache), 2);
    assert_int_equal(cache_set_index(cache, line(3) + 5), 1);
    assert_null(cache_probe(cache, 0));

    CacheResult result = load(cache, line(2) + 40, 5);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch);
    assert_false(result.forwards_write || result.victim.evicted);
    assert_int_equal(cache_mshr_used(cache), 1);
    const CacheLine *l = cache_probe(cache, line(2) + 127);
    assert_int_equal(l->line, line(2));
    assert_int_equal(l->reserved, 1);
    assert_int_equal(l->valid | l->readable | l->dirty, 0);

    fill_one(cache, line(2), 5);
    assert_int_equal(l->reserved | l->dirty, 0);
    assert_int_equal(l->valid & l->readable, 1);
    assert_int_equal(cache_mshr_used(cache), 0);
    check_outcome(load_room(cache, line(2) + 127, 0, 0), CACHE_HIT); // a hit needs no queue entry
    cache_free(cache);
}

// Tokens return in the order of their requests. Another fill of the sector finds no waiting
// request.
static void test_merge(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.mshr_merges = 3;
    Cache *cache = cache_made(&config);
    check_outcome(load(cache, 0, 30), CACHE_MISS);
    check_outcome(load(cache, line(1), 40), CACHE_MISS);
    check_outcome(load_room(cache, 64, 10, 0), CACHE_MERGED); // nor does a merge
    check_outcome(load(cache, 127, 20), CACHE_MERGED);
    uint32_t tokens[3];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, 0, tokens, &victim), 3);
    assert_true(tokens[0] == 30 && tokens[1] == 10 && tokens[2] == 20);
    assert_int_equal(cache_fill(cache, 0, tokens, &victim), 0);
    fill_one(cache, line(1), 40);
    cache_free(cache);
}

static void test_lru(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(2));
    bring(cache, line(1)); // the other set
    check_outcome(load(cache, line(0), 0), CACHE_HIT);
    CacheResult result = load(cache, line(4), 1); // 2 is the least recently used
    assert_true(result.victim.evicted);
    assert_int_equal(result.victim.dirty_sectors, 0);
    fill_one(cache, line(4), 1);
    assert_true(holds(cache, 0) && !holds(cache, 2) && holds(cache, 4) && holds(cache, 1));
    bring(cache, line(6)); // then 0: the fill of 4 was later
    assert_true(!holds(cache, 0) && holds(cache, 4) && holds(cache, 6));
    cache_free(cache);
}

static void test_fifo(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.replacement = REPLACE_FIFO;
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(2));
    check_outcome(load(cache, line(0), 0), CACHE_HIT);
    bring(cache, line(4)); // FIFO ignores use: 0 came first
    assert_true(!holds(cache, 0) && holds(cache, 2) && holds(cache, 4));
    bring(cache, line(0));
    assert_true(!holds(cache, 2) && holds(cache, 4) && holds(cache, 0));
    cache_free(cache);
}

// The lines present after many misses in one set of 8 ways.
static uint64_t random_history(uint64_t seed)
{
    CacheConfig config = tiny_config();
    config.size = 1024;
    config.ways = 8;
    config.replacement = REPLACE_RANDOM;
    HdError err = {0};
    Cache *cache = cache_new(&config, "test", seed, &err);
    assert_non_null(cache);
    uint64_t history = 0;
    for (uint64_t n = 0; n < 200; n++) {
        if (!holds(cache, n % 24)) bring(cache, line(n % 24));
        uint64_t there = 0;
        for (uint64_t m = 0; m < 24; m++) there |= (uint64_t)holds(cache, m) << m;
        assert_int_equal(__builtin_popcountll(there), n < 8 ? n + 1 : 8);
        history = random_mix(history ^ there);
    }
    cache_free(cache);
    return history;
}

static void test_random_replacement(void **state)
{
    (void)state;
    assert_true(random_history(1) == random_history(1));
    assert_true(random_history(1) != random_history(2));
}

// A stalled access draws no random number: the same victim is chosen after one try or many.
static void test_random_refusals(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.size = 1024;
    config.ways = 8;
    config.replacement = REPLACE_RANDOM;
    Cache *patient = cache_made(&config), *eager = cache_made(&config);
    for (uint64_t n = 0; n < 64; n++) {
        for (uint64_t tries = 0; n >= 8 && tries < n % 5; tries++)
            check_stalled(load_room(eager, line(n), 0, 0), STALL_MISS_QUEUE);
        bring(patient, line(n));
        bring(eager, line(n));
        for (uint64_t m = 0; m <= n; m++) assert_int_equal(holds(patient, m), holds(eager, m));
    }
    cache_free(patient);
    cache_free(eager);
}

// A reserved line is never the victim.
static void test_reserved_stays(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = cache_made(&config);
    check_outcome(load(cache, line(0), 1), CACHE_MISS); // older, but pending
    bring(cache, line(2));
    bring(cache, line(4));
    assert_true(holds(cache, 0) && !holds(cache, 2) && holds(cache, 4));
    fill_one(cache, line(0), 1);
    cache_free(cache);
}

static void test_sectors(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    Cache *cache = cache_made(&config);
    bring(cache, 32);
    const CacheLine *l = cache_probe(cache, 0);
    assert_int_equal(l->valid, 0x2);
    check_outcome(load(cache, 63, 0), CACHE_HIT);

    // Two other sectors of the line: each fetched by itself, without a new line.
    CacheResult result = load(cache, 96, 7);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch && !result.victim.evicted);
    check_outcome(load(cache, 0, 8), CACHE_MISS);
    assert_int_equal(cache_mshr_used(cache), 2);
    check_outcome(load(cache, 100, 9), CACHE_MERGED);
    check_outcome(load(cache, 40, 0), CACHE_HIT); // its own sector is there all the time
    assert_int_equal(l->reserved, 0x9);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, 96, tokens, &victim), 2);
    assert_true(tokens[0] == 7 && tokens[1] == 9);
    assert_int_equal(l->readable, 0xa);

    // With a pending sector the line cannot be evicted, even if other sectors are valid.
    bring(cache, line(2));
    bring(cache, line(4));
    assert_true(holds(cache, 0) && !holds(cache, 2));
    fill_one(cache, 0, 8);
    assert_int_equal(l->readable, 0xb);
    cache_free(cache);
}

static void test_on_fill(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.allocate = ALLOCATE_ON_FILL;
    config.write = config.local_write = WRITE_THROUGH;
    config.mshr_entries = 4;
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    bring(cache, line(2));
    for (uint64_t n = 4; n <= 8; n += 2) { // more than the set has ways: nothing is reserved
        CacheResult result = load(cache, line(n), (uint32_t)n);
        check_outcome(result, CACHE_MISS);
        assert_false(result.victim.evicted);
    }
    check_outcome(load(cache, line(6), 60), CACHE_MERGED);
    check_outcome(load(cache, line(2), 0), CACHE_HIT); // still there; now 0 is older
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, line(6), tokens, &victim), 2);
    assert_true(tokens[0] == 6 && tokens[1] == 60);
    assert_true(victim.evicted && !victim.dirty_sectors);
    assert_true(!holds(cache, 0) && holds(cache, 2) && holds(cache, 6));
    fill_one(cache, line(4), 4);
    assert_true(!holds(cache, 2) && holds(cache, 4) && holds(cache, 6));
    fill_one(cache, line(8), 8);
    assert_true(!holds(cache, 6));
    cache_free(cache);
}

static void test_on_fill_sectors(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    config.allocate = ALLOCATE_ON_FILL;
    config.write = config.local_write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    check_outcome(load(cache, 0, 1), CACHE_MISS);
    check_outcome(load(cache, 32, 2), CACHE_MISS);
    fill_one(cache, 32, 2);
    fill_one(cache, 0, 1); // joins the line that is there
    assert_int_equal(cache_probe(cache, 0)->readable, 0x3);
    cache_free(cache);
}

static void test_atomics(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    config.mshr_merges = 3;
    Cache *cache = cache_made(&config);
    check_outcome(load(cache, 32, 1), CACHE_MISS);
    check_outcome(atomic(cache, 36, 2), CACHE_MERGED); // waits as a load does
    const CacheLine *l = cache_probe(cache, 0);
    assert_int_equal(l->dirty, 0);
    uint32_t tokens[3];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, 32, tokens, &victim), 2);
    assert_int_equal(l->dirty, 0x2); // and has written when it is done
    assert_true(l->written[0] == UINT64_C(0xf) << 36);

    check_outcome(atomic(cache, 60, 3), CACHE_HIT);
    assert_true(l->written[0] == (UINT64_C(0xf) << 36 | UINT64_C(0xf) << 60));

    CacheResult result = atomic(cache, line(1), 4); // alone, it fetches
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch);
    fill_one(cache, line(1), 4);
    assert_int_equal(cache_probe(cache, line(1))->dirty, 0x1);

    // An atomic without a byte mask writes its sector.
    bring(cache, line(3) + 64);
    CacheAccess whole = {.address = line(3) + 64, .atomic = true};
    check_outcome(cache_access(cache, &whole), CACHE_HIT);
    assert_true(cache_probe(cache, line(3))->written[1] == 0xffffffff);
    cache_free(cache);
}

static void test_invalidate(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = cache_made(&config);
    bring(cache, line(0));
    check_outcome(store(cache, line(1), 4), CACHE_MISS);
    cache_invalidate(cache);
    assert_true(!holds(cache, 0) && !holds(cache, 1));
    bring(cache, line(0)); // misses again
    cache_free(cache);
}

static void test_warm(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    Cache *cache = cache_made(&config);
    cache_warm_sector(cache, line(2) + 40);
    const CacheLine *l = cache_probe(cache, line(2));
    assert_true(l->readable == 0x2 && l->valid == 0x2 && !l->dirty && !l->reserved);
    check_outcome(load(cache, line(2) + 32, 0), CACHE_HIT);
    cache_warm_sector(cache, line(2));
    assert_int_equal(l->readable, 0x3);
    assert_int_equal(cache_mshr_used(cache), 0);

    cache_warm_sector(cache, line(4));
    cache_warm_sector(cache, line(6)); // replaces a line as a fetch does
    assert_true(!holds(cache, 2) && holds(cache, 4) && holds(cache, 6));
    check_outcome(load(cache, line(4) + 64, 1), CACHE_MISS);
    check_outcome(load(cache, line(6) + 64, 2), CACHE_MISS);
    cache_warm_sector(cache, line(8)); // all ways are pending
    assert_false(holds(cache, 8));
    cache_warm_sector(cache, line(4) + 64); // already pending: unchanged
    assert_int_equal(cache_probe(cache, line(4))->readable, 0x1);
    cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hit_and_miss),       cmocka_unit_test(test_merge),
        cmocka_unit_test(test_lru),                cmocka_unit_test(test_fifo),
        cmocka_unit_test(test_random_replacement), cmocka_unit_test(test_random_refusals),
        cmocka_unit_test(test_reserved_stays),     cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_on_fill),            cmocka_unit_test(test_on_fill_sectors),
        cmocka_unit_test(test_atomics),            cmocka_unit_test(test_invalidate),
        cmocka_unit_test(test_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
