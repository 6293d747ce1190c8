// Stores and atomics to a sectored cache with sectors of 32 bytes: what they hit and fetch, and the
// state of the sectors after them.
#include "sectored.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_evict),
        cmocka_unit_test(test_write_through),
        cmocka_unit_test(test_write_lazy),
        cmocka_unit_test(test_write_fetch),
        cmocka_unit_test(test_write_around),
        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_complete_by_one_store),
        cmocka_unit_test(test_complete_during_fetch),
    };
    return cmocka_run_group_tests_name("stores to lines kept by sectors", tests, NULL, NULL);
}
