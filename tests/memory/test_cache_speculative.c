// Fetches that only prefetches of the level before want: what promotes them, and what becomes of
// them if they are dropped on their way. A last-level cache without mechanisms.
#include "cache_actions.h"

static const uint64_t A = 0, B = 256;

static CacheResult prefetch(Cache *cache, uint64_t address, uint32_t token)
{
    return cache_access(cache, &(CacheAccess){.address = address, .token = token, .room = PLENTY,
                                              .prefetch = true});
}

static Cache *made(const CacheConfig *config)
{
    Cache *cache = cache_made(config);
    cache_set_last_level(cache);
    return cache;
}

// Prefetches merge and promote nothing. The first load or atomic promotes the fetch; one that
// stalls does not. A fetch that a load has begun is never speculative.
static void test_demand(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    for (unsigned kind = 0; kind < 2; kind++) {
        Cache *cache = made(&config);
        check_outcome(prefetch(cache, A, 1), CACHE_MISS);
        CacheResult demand = kind ? atomic(cache, A, 2) : load(cache, A, 2);
        check_outcome(demand, CACHE_MERGED);
        assert_int_equal(demand.promoted, 1);
        assert_false(cache_drop_fetch(cache, A));
        check_outcome(load(cache, B, 3), CACHE_MISS);
        check_outcome(prefetch(cache, B, 4), CACHE_MERGED);
        assert_false(cache_drop_fetch(cache, B));
        cache_free(cache);
    }
    Cache *cache = made(&config);
    prefetch(cache, A, 1);
    prefetch(cache, A, 2);
    CacheResult stalled = load(cache, A, 3);
    check_stalled(stalled, STALL_MERGE);
    assert_int_equal(stalled.promoted, 0);
    assert_true(cache_drop_fetch(cache, A));
    cache_free(cache);
}

// The prefetches that wait get their tokens back, and the reserved way is free again. A line with
// another sector keeps that.
static void test_dropped(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 64;
    Cache *cache = made(&config);
    uint32_t tokens[2] = {0};
    prefetch(cache, A, 1);
    prefetch(cache, A, 2);
    assert_true(cache_drop_fetch(cache, A));
    check_stalled(prefetch(cache, A, 3), STALL_MERGE);
    assert_int_equal(cache_end_dropped(cache, A, tokens), 2);
    assert_int_equal(tokens[0], 1);
    assert_int_equal(tokens[1], 2);
    assert_null(cache_probe(cache, A));
    bring(cache, A);
    prefetch(cache, A + 64, 1);
    assert_true(cache_drop_fetch(cache, A + 64));
    assert_int_equal(cache_end_dropped(cache, A + 64, tokens), 1);
    assert_int_equal(cache_probe(cache, A)->readable, 1);
    assert_int_equal(cache_probe(cache, A)->reserved, 0);
    check_outcome(load(cache, A, 3), CACHE_HIT);
    check_outcome(load(cache, A + 64, 3), CACHE_MISS);
    cache_free(cache);
}

// A store that overtakes a prefetch promotes it, so that the two keep their order below.
static void test_overtaken(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write = WRITE_EVICT;
    Cache *cache = made(&config);
    prefetch(cache, A, 1);
    assert_int_equal(store(cache, A, 4).promoted, 1);
    assert_false(cache_drop_fetch(cache, A));
    cache_free(cache);
}

// A store comes after the prefetch was dropped, and a load behind it fetches again. The
// prefetch and the load end apart, whichever ends first.
static void test_dropped_and_overtaken(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write = WRITE_EVICT;
    for (unsigned last = 0; last < 2; last++) {
        Cache *cache = made(&config);
        uint32_t tokens[2];
        prefetch(cache, A, 1);
        assert_true(cache_drop_fetch(cache, A));
        assert_int_equal(store(cache, A, 4).promoted, 0);
        check_outcome(load(cache, A, 2), CACHE_MISS);
        if (last) fill_one(cache, A, 2);
        assert_int_equal(cache_end_dropped(cache, A, tokens), 1);
        assert_int_equal(tokens[0], 1);
        assert_int_equal(cache_probe(cache, A)->reserved, !last);
        if (!last) fill_one(cache, A, 2);
        check_outcome(load(cache, A, 3), CACHE_HIT);
        assert_int_equal(cache_mshr_used(cache), 0);
        cache_free(cache);
    }
}

// A store to a sector that a dropped prefetch would have brought leaves its bytes: a later load
// fetches the others.
static void test_dropped_and_written(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = made(&config);
    uint32_t tokens[2];
    prefetch(cache, A, 1);
    check_outcome(store(cache, A, 4), CACHE_HIT);
    assert_true(cache_drop_fetch(cache, A));
    assert_int_equal(cache_end_dropped(cache, A, tokens), 1);
    assert_int_equal(cache_probe(cache, A)->dirty, 1);
    check_outcome(load(cache, A, 2), CACHE_MISS);
    fill_one(cache, A, 2);
    assert_int_equal(cache_probe(cache, A)->dirty, 1);
    check_outcome(load(cache, A, 2), CACHE_HIT);
    cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_demand), cmocka_unit_test(test_dropped),
        cmocka_unit_test(test_overtaken), cmocka_unit_test(test_dropped_and_overtaken),
        cmocka_unit_test(test_dropped_and_written)};
    return cmocka_run_group_tests_name("speculative fetches", tests, NULL, NULL);
}
