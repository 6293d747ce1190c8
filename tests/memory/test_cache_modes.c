// Caches of one set with many lines, unbounded caches, and caches that are off: which lines they
// hold, which fetches they send, and that all other resources stay limited.
#include "cache_actions.h"

#include "base/random.h"

#include <sys/mman.h>

// The Linux linker sends the library's calls here: allocations fail while `memory_is_out`.
static bool memory_is_out;
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__real_mmap64(void *at, size_t bytes, int access, int flags, int file, off_t offset);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void *__wrap_mmap64(void *at, size_t bytes, int access, int flags, int file, off_t offset);
void *__wrap_calloc(size_t count, size_t size)
{
    return memory_is_out ? NULL : __real_calloc(count, size);
}
void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return memory_is_out ? NULL : __real_aligned_alloc(align, size);
}
void *__wrap_mmap64(void *at, size_t bytes, int access, int flags, int file, off_t offset)
{
    return memory_is_out ? MAP_FAILED : __real_mmap64(at, bytes, access, flags, file, offset);
}

static uint64_t line(uint64_t n) { return n * 128; }

static CacheConfig config_of(CacheMode mode)
{
    CacheConfig config = tiny_config();
    config.mode = mode;
    return config;
}

// ---- one set ----

// 40 lines in one set, with any index: the 41st evicts the least recently used.
static void test_fully_associative(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.size = 40 * 128;
    config.ways = WAYS_ALL;
    config.index = INDEX_FERMI;
    Cache *cache = cache_made(&config);
    assert_int_equal(cache_sets(cache), 1);
    for (uint64_t n = 0; n < 40; n++) bring(cache, line(n * n * 64)); // any stride
    for (uint64_t n = 0; n < 40; n++) check_outcome(load(cache, line(n * n * 64), 0), CACHE_HIT);
    check_outcome(load(cache, line(0), 0), CACHE_HIT); // so that n = 1 is the oldest
    CacheResult result = load(cache, line(7), 1);
    check_outcome(result, CACHE_MISS);
    assert_true(result.victim.evicted);
    fill_one(cache, line(7), 1);
    assert_null(cache_probe(cache, line(64)));
    assert_non_null(cache_probe(cache, line(0)));
    cache_free(cache);
}

static void same_results(CacheResult a, CacheResult b)
{
    assert_int_equal(a.outcome, b.outcome);
    if (a.outcome == CACHE_STALLED) assert_int_equal(a.stall, b.stall);
    assert_true(a.fetch == b.fetch && a.forwards_write == b.forwards_write &&
                a.incomplete == b.incomplete && a.victim_hit == b.victim_hit);
    assert_true(a.victim.line == b.victim.line && a.victim.evicted == b.victim.evicted &&
                a.victim.dirty_sectors == b.victim.dirty_sectors);
}

static CacheAccess any_access(uint64_t bits, uint64_t lines)
{
    CacheAccess access = {.address = (bits >> 8) % (lines * 128), .token = (uint32_t)bits,
                          .room = (uint8_t)(bits >> 40 & 3), .local = bits >> 44 & 1,
                          .write = bits % 16 < 4, .atomic = bits % 16 == 4};
    if (access.write)
        access.bytes[access.address % 128 / 64] = UINT64_C(0xf) << access.address % 60;
    return access;
}

// Two caches that must behave equally on random accesses; fills come in the order of the fetches.
static void check_twins(const CacheConfig *first, const CacheConfig *second, uint64_t seed)
{
    Cache *a = cache_made(first), *b = cache_made(second);
    uint64_t fetches[8];
    unsigned fetching = 0, hits = 0;
    for (uint64_t n = 0; n < 20000; n++) {
        CacheAccess access = any_access(random_draw(seed, 0, 0, n), 200);
        CacheResult result = cache_access(a, &access);
        same_results(result, cache_access(b, &access));
        hits += result.outcome == CACHE_HIT;
        if (result.fetch) fetches[fetching++] = access.address;
        if (!fetching || random_draw(seed, 1, 0, n) % 3) continue;
        uint32_t tokens[2][8];
        CacheVictim victims[2];
        unsigned count = cache_fill(a, fetches[0], tokens[0], &victims[0]);
        assert_int_equal(cache_fill(b, fetches[0], tokens[1], &victims[1]), count);
        assert_memory_equal(tokens[0], tokens[1], count * sizeof tokens[0][0]);
        assert_true(victims[0].line == victims[1].line);
        for (unsigned i = 1; i < fetching; i++) fetches[i - 1] = fetches[i];
        fetching--;
        if (n % 1000 == 999 && !fetching) {
            cache_invalidate(a);
            cache_invalidate(b);
        }
    }
    assert_true(hits > 1000);
    cache_free(a);
    cache_free(b);
}

// An unbounded cache behaves like one that is larger than the address range.
static void test_unbounded_twins(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (CacheWrite write = WRITE_BACK; write <= WRITE_EVICT; write++)
        for (CacheAllocate allocate = ALLOCATE_ON_MISS; allocate <= ALLOCATE_ON_FILL; allocate++)
            for (CacheWriteMiss miss = WRITE_MISS_LAZY; miss <= WRITE_MISS_FORWARD; miss++) {
                if (write == WRITE_BACK && allocate == ALLOCATE_ON_FILL) continue;
                CacheConfig large = tiny_config();
                large.sector = 32;
                large.size = 256 * 128;
                large.ways = WAYS_ALL;
                large.write = large.local_write = write;
                large.write_miss = miss;
                large.allocate = allocate;
                large.mshr_entries = 6;
                CacheConfig unbounded = large;
                unbounded.mode = CACHE_UNBOUNDED;
                check_twins(&large, &unbounded, seed++);
            }
}

// ---- unbounded ----

// 10000 lines that share a set: each misses once, and none is evicted.
static void test_unbounded_keeps_all(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_UNBOUNDED);
    config.size = 0; // ignored, like ways
    config.ways = 0;
    Cache *cache = cache_made(&config);
    for (unsigned round = 0; round < 2; round++) {
        for (uint64_t n = 0; n < 10000; n++) {
            CacheResult result = load(cache, line(n * 4096), 9);
            check_outcome(result, CACHE_MISS);
            assert_false(result.victim.evicted);
            fill_one(cache, line(n * 4096), 9);
            // The cache may grow here, which moves the line that is hit.
            check_outcome(atomic(cache, line(n * 4096), 0), CACHE_HIT);
            assert_int_equal(cache_probe(cache, line(n * 4096))->dirty, 1);
        }
        for (uint64_t n = 0; n < 10000; n++)
            check_outcome(load(cache, line(n * 4096), 0), CACHE_HIT);
        cache_invalidate(cache); // as between kernels: all lines miss again
    }
    cache_free(cache);
}

// Two MSHR entries of two requests each, as in any cache; an entry per sector.
static void test_unbounded_is_finite(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_UNBOUNDED);
    Cache *cache = cache_made(&config);
    check_outcome(load(cache, line(0), 1), CACHE_MISS);
    check_outcome(load(cache, line(0), 2), CACHE_MERGED);
    check_stalled(load(cache, line(0), 3), STALL_MERGE);
    check_stalled(load_room(cache, line(1), 3, 0), STALL_MISS_QUEUE);
    check_outcome(load(cache, line(1), 4), CACHE_MISS);
    check_stalled(load(cache, line(2), 5), STALL_MSHR);
    cache_free(cache);
}

// A write-evict store invalidates the line, and the next load misses. The way is used again.
static void test_unbounded_write_evict(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_UNBOUNDED);
    config.write = WRITE_EVICT;
    Cache *cache = cache_made(&config);
    for (unsigned i = 0; i < 5000; i++) {
        bring(cache, line(3));
        CacheResult result = store(cache, line(3), 4);
        check_outcome(result, CACHE_HIT);
        assert_true(result.forwards_write);
    }
    check_outcome(load(cache, line(3), 0), CACHE_MISS);
    cache_free(cache);
}

// Warm lines are kept too, including sectors that a warm access adds.
static void test_unbounded_warm(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_UNBOUNDED);
    Cache *cache = cache_made(&config);
    for (uint64_t n = 0; n < 3000; n++) cache_warm_sector(cache, line(n));
    for (uint64_t n = 3000; n < 6000; n++)
        assert_true(cache_access_warm(cache, &(CacheAccess){.address = line(n)}).fetch);
    for (uint64_t n = 0; n < 6000; n++) check_outcome(load(cache, line(n), 0), CACHE_HIT);
    cache_free(cache);
}

// If the host is out of memory, the access stalls, the owner can read the reason, and nothing is
// lost.
static void test_unbounded_out_of_memory(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_UNBOUNDED);
    HdError err = {0};
    memory_is_out = true;
    Cache *cache = cache_new(&config, "l1d", 0, &err);
    memory_is_out = false;
    assert_null(cache);
    assert_true(err.set);

    cache = cache_made(&config);
    memory_is_out = true;
    uint64_t n = 0;
    for (; !cache_out_of_memory(cache) && n < 100000; n++) {
        CacheResult result = load(cache, line(n), 9);
        if (result.outcome == CACHE_STALLED) break;
        fill_one(cache, line(n), 9);
    }
    assert_true(cache_out_of_memory(cache) && n >= 1024);
    check_stalled(load(cache, line(n), 9), STALL_LINE);
    cache_warm_sector(cache, line(n));
    memory_is_out = false;
    check_stalled(load(cache, line(n), 9), STALL_LINE); // stalls for ever: the run must end
    for (uint64_t i = 0; i < n; i++) assert_non_null(cache_probe(cache, line(i)));
    cache_free(cache);
}

// ---- off ----

// Each load fetches for itself, even of the same line, until the MSHR entries are used up. Data go
// to the request that fetched them and are not kept.
static void test_off_loads(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_OFF);
    config.size = 0;
    config.ways = 0;
    Cache *cache = cache_made(&config);
    for (uint32_t token = 1; token <= 2; token++) {
        CacheResult result = load(cache, line(5), token);
        check_outcome(result, CACHE_MISS);
        assert_true(result.fetch);
    }
    check_stalled(load(cache, line(6), 3), STALL_MSHR);
    check_stalled(load_room(cache, line(6), 3, 0), STALL_MISS_QUEUE);
    fill_one(cache, line(5), 1);
    check_outcome(load(cache, line(5), 4), CACHE_MISS);
    fill_one(cache, line(5), 2);
    fill_one(cache, line(5), 4);
    assert_null(cache_probe(cache, line(5)));
    assert_int_equal(cache_mshr_used(cache), 0);
    cache_free(cache);
}

static void test_off_writes(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_OFF); // the write policies have no effect
    Cache *cache = cache_made(&config);
    for (unsigned i = 0; i < 10; i++) {
        CacheResult result = i % 2 ? store(cache, line(1), 4) : local_store(cache, line(1), 4);
        check_outcome(result, CACHE_MISS);
        assert_true(result.forwards_write && !result.fetch);
    }
    CacheAccess full = store_access(line(1), 4);
    full.room = 0;
    check_stalled(cache_access(cache, &full), STALL_MISS_QUEUE);
    cache_warm_sector(cache, line(1));
    check_outcome(load(cache, line(1), 1), CACHE_MISS);
    cache_free(cache);
}

// The result of an atomic must be forwarded when its data have come; until then its sector is
// pending.
static void test_off_atomics(void **state)
{
    (void)state;
    CacheConfig config = config_of(CACHE_OFF);
    config.sector = 32;
    Cache *cache = cache_made(&config);
    check_outcome(load(cache, line(1) + 32, 2), CACHE_MISS);
    check_outcome(atomic(cache, line(1) + 36, 1), CACHE_MISS);
    check_stalled(load(cache, line(1) + 32, 3), STALL_STORE_ORDER);
    check_stalled(store(cache, line(1) + 32, 4), STALL_STORE_ORDER);
    check_outcome(store(cache, line(1), 4), CACHE_MISS); // another sector
    uint32_t tokens[4];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, line(1) + 32, tokens, &victim), 1);
    assert_int_equal(tokens[0], 2);
    assert_int_equal(victim.dirty_sectors, 0);
    assert_int_equal(cache_fill(cache, line(1) + 32, tokens, &victim), 1);
    assert_int_equal(tokens[0], 1);
    assert_true(victim.line == line(1) + 32 && victim.dirty_sectors == 1 && !victim.evicted);
    assert_true(victim.bytes[0] == UINT64_C(0xf) << 36 && !victim.bytes[1]);
    assert_true(cache_access_warm(cache, &(CacheAccess){.address = line(2), .atomic = true}).fetch);
    assert_int_equal(cache_mshr_used(cache), 0);
    cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fully_associative),
        cmocka_unit_test(test_unbounded_twins),
        cmocka_unit_test(test_unbounded_keeps_all),
        cmocka_unit_test(test_unbounded_is_finite),
        cmocka_unit_test(test_unbounded_write_evict),
        cmocka_unit_test(test_unbounded_warm),
        cmocka_unit_test(test_unbounded_out_of_memory),
        cmocka_unit_test(test_off_loads),
        cmocka_unit_test(test_off_writes),
        cmocka_unit_test(test_off_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
