// Stores under each write policy.
#include "cache_actions.h"

static uint64_t line(uint64_t n) { return n * 128; }

// Lazy write-back: a write miss fetches nothing. Two stores make the sector readable.
static void test_lazy(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    Cache *cache = cache_made(&config);
    CacheResult result = store(cache, 32, 16);
    check_outcome(result, CACHE_MISS);
    assert_false(result.fetch || result.forwards_write || result.victim.evicted);
    assert_int_equal(cache_mshr_used(cache), 0);
    const CacheLine *l = cache_probe(cache, 0);
    assert_true(l->valid == 0x2 && l->dirty == 0x2 && !l->readable && !l->reserved);
    assert_true(l->written[0] == UINT64_C(0xffff) << 32);

    check_outcome(store(cache, 48, 16), CACHE_HIT); // the other half
    assert_int_equal(l->readable, 0x2);
    check_outcome(load(cache, 36, 0), CACHE_HIT); // never fetched

    check_outcome(store(cache, 64, 32), CACHE_MISS); // another sector, as a whole
    assert_int_equal(l->readable, 0x6);
    check_outcome(store(cache, 0, 8), CACHE_MISS);
    assert_true(l->readable == 0x6 && l->dirty == 0x7);
    cache_free(cache);
}

// A load of a partly written sector fetches it, even if it reads written bytes only. These stay
// dirty.
static void test_lazy_read(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    Cache *cache = cache_made(&config);
    check_outcome(store(cache, 32, 4), CACHE_MISS);
    CacheResult result = load(cache, 32, 1);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch && !result.victim.evicted);
    const CacheLine *l = cache_probe(cache, 0);
    assert_true(l->valid == 0x2 && l->dirty == 0x2 && l->reserved == 0x2 && !l->readable);
    check_outcome(load(cache, 36, 2), CACHE_MERGED);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, 32, tokens, &victim), 2);
    assert_true(l->readable == 0x2 && l->dirty == 0x2 && !l->reserved);
    assert_true(l->written[0] == UINT64_C(0xf) << 32);
    check_outcome(load(cache, 63, 0), CACHE_HIT);
    cache_free(cache);
}

// A write to a pending sector is done at once, and its bytes stay dirty after the fill.
static void test_write_to_reserved(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    Cache *cache = cache_made(&config);
    check_outcome(load(cache, 0, 1), CACHE_MISS);
    CacheResult result = store(cache, 4, 4);
    check_outcome(result, CACHE_HIT);
    assert_false(result.fetch || result.forwards_write);
    const CacheLine *l = cache_probe(cache, 0);
    assert_true(l->reserved == 0x1 && l->dirty == 0x1 && !l->readable);
    check_outcome(load(cache, 4, 2), CACHE_MERGED);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, 0, tokens, &victim), 2);
    assert_true(l->readable == 0x1 && l->dirty == 0x1 && l->written[0] == 0xf0);

    // A write of the whole sector makes it readable before the fill.
    check_outcome(load(cache, 96, 3), CACHE_MISS);
    check_outcome(store(cache, 96, 32), CACHE_HIT);
    check_outcome(load(cache, 96, 0), CACHE_HIT);
    assert_int_equal(l->reserved, 0x8);
    fill_one(cache, 96, 3);
    assert_true(!l->reserved && l->dirty == 0x9);
    cache_free(cache);
}

// A dirty victim reports its dirty sectors and bytes.
static void test_dirty_victim(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    Cache *cache = cache_made(&config);
    bring(cache, line(2));
    check_outcome(store(cache, line(2) + 8, 4), CACHE_HIT);
    check_outcome(store(cache, line(2) + 120, 8), CACHE_MISS);
    bring(cache, line(2) + 64); // clean
    bring(cache, line(4));
    CacheResult result = store(cache, line(6) + 64, 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.victim.evicted && result.victim.line == line(2));
    assert_int_equal(result.victim.dirty_sectors, 0x9);
    assert_true(result.victim.bytes[0] == 0xf00);
    assert_true(result.victim.bytes[1] == UINT64_C(0xff) << 56);

    // The line that took its way is clean.
    const CacheLine *l = cache_probe(cache, line(6));
    assert_true(l->dirty == 0x4 && l->valid == 0x4 && l->written[0] == 0 && l->written[1] == 0xf);
    cache_free(cache);
}

// Bytes outside of the accessed sector do not belong to the access.
static void test_bytes_outside(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    Cache *cache = cache_made(&config);
    CacheAccess access = store_access(0, 128);
    access.address = 64;
    check_outcome(cache_access(cache, &access), CACHE_MISS);
    const CacheLine *l = cache_probe(cache, 0);
    assert_true(l->valid == 0x4 && l->written[0] == 0 && l->written[1] == 0xffffffff);
    cache_free(cache);
}

// Lines of 64 bytes: masks are by address modulo 128, so an odd line uses the upper word.
static void test_half_lines(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.line = config.sector = 64;
    Cache *cache = cache_made(&config);
    assert_int_equal(cache_sets(cache), 4);
    check_outcome(store(cache, 64 + 60, 4), CACHE_MISS);
    const CacheLine *l = cache_probe(cache, 64);
    assert_true(l->line == 64 && l->written[0] == 0 && l->written[1] == UINT64_C(0xf) << 60);
    check_outcome(store(cache, 64, 60), CACHE_HIT);
    assert_int_equal(l->readable, 1);
    assert_null(cache_probe(cache, 0));
    cache_free(cache);
}

static void test_fetch(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write_miss = WRITE_MISS_FETCH;
    Cache *cache = cache_made(&config);
    CacheResult result = store(cache, line(0), 4); // part of the line: fetches, but does not wait
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch && !result.forwards_write);
    const CacheLine *l = cache_probe(cache, 0);
    assert_true(l->reserved && l->dirty && !l->readable);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, 0, tokens, &victim), 0); // no waiters
    assert_int_equal(cache_mshr_used(cache), 0);
    assert_true(!l->reserved && l->dirty && l->readable && l->written[0] == 0xf);

    result = store(cache, line(2), 128); // the whole line: does not fetch
    check_outcome(result, CACHE_MISS);
    assert_false(result.fetch);
    check_outcome(load(cache, line(2), 0), CACHE_HIT);
    cache_free(cache);
}

static void test_around(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write_miss = WRITE_MISS_AROUND;
    Cache *cache = cache_made(&config);
    CacheResult result = store(cache, line(0), 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write && !result.fetch);
    assert_null(cache_probe(cache, 0));

    check_outcome(load(cache, line(0), 1), CACHE_MISS);
    result = store(cache, line(0), 4); // misses: allocates
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write);
    fill_one(cache, line(0), 1);
    assert_int_equal(cache_probe(cache, 0)->dirty, 0);
    result = store(cache, line(0), 4);
    check_outcome(result, CACHE_HIT);
    assert_false(result.forwards_write);
    assert_int_equal(cache_probe(cache, 0)->dirty, 1);
    cache_free(cache);
}

// GPGPU-Sim's wr_miss_wa_naive ("write allocate, maximum 3 requests (write miss, read request,
// write back request)"): the store goes on to the next level, and its whole line is read. The line
// is clean: the next level has the bytes. While it comes, further stores go on as well.
static void test_fetch_and_forward(void **state)
{
    (void)state;
    CacheConfig config = tiny_config(); // 2 sets of 2 lines
    config.write_miss = WRITE_MISS_FORWARD;
    Cache *cache = cache_made(&config);
    CacheResult result = store(cache, line(0), 128); // the whole line: fetches all the same
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch && result.forwards_write);
    const CacheLine *l = cache_probe(cache, 0);
    assert_true(l->reserved && !l->dirty && !l->readable);
    result = store(cache, line(0), 4); // while it comes: the line is on its way already
    check_outcome(result, CACHE_MISS);
    assert_true(!result.fetch && result.forwards_write);
    check_outcome(load(cache, line(0), 1), CACHE_MERGED);
    // A load has come after the stores, and must not see a later one.
    check_stalled(store(cache, line(0), 4), STALL_STORE_ORDER);
    fill_one(cache, line(0), 1);
    assert_true(!l->reserved && !l->dirty && l->readable);
    assert_int_equal(cache_mshr_used(cache), 0);
    result = store(cache, line(0), 4); // a hit: written here alone
    check_outcome(result, CACHE_HIT);
    assert_true(!result.fetch && !result.forwards_write && l->dirty && l->written[0] == 0xf);

    // Three requests: the store, its fetch, and the write-back of the dirty line that it replaces.
    bring(cache, line(2));
    check_outcome(load(cache, line(2), 0), CACHE_HIT); // line 0 is the older one
    CacheAccess access = store_access(line(4), 4);
    access.room = 2;
    check_stalled(cache_access(cache, &access), STALL_MISS_QUEUE);
    access.room = 3;
    result = cache_access(cache, &access);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch && result.forwards_write && result.victim.dirty_sectors == 1);
    assert_true(result.victim.line == line(0));
    cache_free(cache);
}

static void test_through(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write = WRITE_THROUGH;
    Cache *cache = cache_made(&config);
    CacheResult result = store(cache, line(0), 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write && !result.fetch);
    assert_null(cache_probe(cache, 0));

    bring(cache, line(0));
    bring(cache, line(2));
    result = store(cache, line(0), 4);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write);
    assert_int_equal(cache_probe(cache, 0)->dirty, 0);
    bring(cache, line(4)); // the store was a use: evicts 2
    assert_non_null(cache_probe(cache, line(0)));
    assert_null(cache_probe(cache, line(2)));
    cache_free(cache);
}

static void test_evict(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    CacheResult result = store(cache, line(0), 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write && !result.fetch);

    bring(cache, line(0));
    bring(cache, line(2));
    result = store(cache, line(2), 4);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write && !result.victim.evicted && !result.victim.dirty_sectors);
    assert_null(cache_probe(cache, line(2)));
    result = load(cache, line(4), 1); // into the way of line 2, which the store has invalidated
    assert_false(result.victim.evicted);
    assert_non_null(cache_probe(cache, line(0)));

    // A fetch that is pending still fills the line.
    result = store(cache, line(4), 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write);
    fill_one(cache, line(4), 1);
    check_outcome(load(cache, line(4), 0), CACHE_HIT);
    cache_free(cache);
}

static void test_evict_sector(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.sector = 32;
    config.write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    bring(cache, 0);
    bring(cache, 32);
    check_outcome(load(cache, 64, 1), CACHE_MISS);
    check_outcome(store(cache, 0, 4), CACHE_HIT);
    assert_int_equal(cache_probe(cache, 0)->valid, 0x2);
    check_outcome(store(cache, 32, 4), CACHE_HIT);
    assert_true(cache_probe(cache, 0)->valid == 0 && cache_probe(cache, 0)->reserved == 0x4);
    fill_one(cache, 64, 1); // the line stayed for the pending sector
    check_outcome(store(cache, 64, 4), CACHE_HIT);
    assert_null(cache_probe(cache, 0));
    cache_free(cache);
}

// The first-level cache of Fermi: local stores are written back where they hit, global ones evict.
static void test_local(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write = WRITE_EVICT;
    config.local_write = WRITE_BACK;
    config.write_miss = WRITE_MISS_AROUND;
    Cache *cache = cache_made(&config);
    CacheResult result = local_store(cache, line(0), 4);
    check_outcome(result, CACHE_MISS); // no allocation for stores
    assert_true(result.forwards_write);
    bring(cache, line(0));
    result = local_store(cache, line(0) + 8, 4);
    check_outcome(result, CACHE_HIT);
    assert_false(result.forwards_write);
    assert_int_equal(cache_probe(cache, 0)->dirty, 1);

    bring(cache, line(2));
    result = load(cache, line(4), 1); // evicts the dirty local line
    assert_true(result.victim.line == line(0) && result.victim.dirty_sectors == 1);
    assert_true(result.victim.evicted && result.victim.bytes[0] == 0xf00);
    fill_one(cache, line(4), 1);
    check_outcome(store(cache, line(2), 4), CACHE_HIT);
    assert_null(cache_probe(cache, line(2)));

    // A global store that hits dirty data writes them back and is forwarded.
    check_outcome(local_store(cache, line(4) + 16, 4), CACHE_HIT);
    CacheAccess access = store_access(line(4), 4);
    access.room = 1;
    check_stalled(cache_access(cache, &access), STALL_MISS_QUEUE);
    access.room = 2;
    result = cache_access(cache, &access);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write && result.victim.line == line(4));
    assert_true(result.victim.dirty_sectors == 1 && result.victim.bytes[0] == 0xf0000);
    assert_null(cache_probe(cache, line(4)));
    cache_free(cache);
}

// In the last-level cache, a store that is forwarded overtakes pending fetches: their data go to
// the loads that wait, but not into the line, and a later load fetches again. In a first-level
// cache the fetch fills the line as if there were no store.
static void check_overtaken(CacheWrite write, CacheWriteMiss miss, bool last)
{
    CacheConfig config = tiny_config();
    config.write = write;
    config.write_miss = miss;
    Cache *cache = cache_made(&config);
    if (last) cache_set_last_level(cache);
    check_outcome(load(cache, line(2), 1), CACHE_MISS);
    CacheResult result = store(cache, line(2), 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.forwards_write && !result.fetch);
    result = load(cache, line(2), 2);
    check_outcome(result, last ? CACHE_MISS : CACHE_MERGED);
    assert_int_equal(result.fetch, last);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, line(2), tokens, &victim), last ? 1 : 2);
    assert_int_equal(tokens[0], 1);
    assert_int_equal(cache_probe(cache, line(2))->readable, !last);
    if (last) fill_one(cache, line(2), 2); // the fetch that was sent after the store
    check_outcome(load(cache, line(2), 3), CACHE_HIT);
    cache_free(cache);
}

static void test_overtaken(void **state)
{
    (void)state;
    for (int last = 0; last < 2; last++) {
        check_overtaken(WRITE_EVICT, WRITE_MISS_LAZY, last);
        check_overtaken(WRITE_THROUGH, WRITE_MISS_LAZY, last);
        check_overtaken(WRITE_BACK, WRITE_MISS_AROUND, last);
    }
}

// A store does not overtake a fetch that an atomic waits for.
static void test_atomic_not_overtaken(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    cache_set_last_level(cache);
    check_outcome(atomic(cache, line(2), 1), CACHE_MISS);
    check_stalled(store(cache, line(2), 4), STALL_STORE_ORDER);
    fill_one(cache, line(2), 1);
    CacheResult result = store(cache, line(2), 4);
    check_outcome(result, CACHE_HIT);
    assert_true(result.forwards_write && result.victim.bytes[0] == 0xf);
    cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lazy),          cmocka_unit_test(test_lazy_read),
        cmocka_unit_test(test_write_to_reserved), cmocka_unit_test(test_dirty_victim),
        cmocka_unit_test(test_bytes_outside), cmocka_unit_test(test_half_lines),
        cmocka_unit_test(test_fetch),         cmocka_unit_test(test_around),
        cmocka_unit_test(test_fetch_and_forward),
        cmocka_unit_test(test_through),       cmocka_unit_test(test_evict),
        cmocka_unit_test(test_evict_sector),  cmocka_unit_test(test_local),
        cmocka_unit_test(test_overtaken),     cmocka_unit_test(test_atomic_not_overtaken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
