// Each reason to stall an access. The access is tried again to show that a stall changes nothing.
#include "cache_actions.h"

#include <string.h>

static uint64_t line(uint64_t n) { return n * 128; }

// The visible state of a cache: the lines of both sets, and the MSHRs in use.
typedef struct Seen {
    CacheLine lines[64];
    unsigned used;
} Seen;

static Seen seen(const Cache *cache)
{
    Seen s;
    memset(&s, 0, sizeof s);
    for (unsigned n = 0; n < 64; n++) {
        const CacheLine *l = cache_probe(cache, line(n));
        if (l) memcpy(&s.lines[n], l, sizeof *l); // with padding: bytes are compared
    }
    s.used = cache_mshr_used(cache);
    return s;
}

// Checks that the access stalls at each try and changes nothing.
static void stays_stalled(Cache *cache, CacheAccess access, CacheStall reason)
{
    Seen before = seen(cache);
    for (int i = 0; i < 3; i++) {
        check_stalled(cache_access(cache, &access), reason);
        Seen after = seen(cache);
        assert_memory_equal(&before, &after, sizeof before);
    }
}

static CacheAccess load_of(uint64_t address, uint8_t room)
{
    return (CacheAccess){.address = address, .token = 77, .room = room};
}
static CacheAccess store_of(uint64_t address, unsigned count, uint8_t room)
{
    CacheAccess access = store_access(address, count);
    access.room = room;
    return access;
}

static void test_line(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.mshr_entries = 8;
    Cache *cache = cache_made(&config);
    load(cache, line(0), 1);
    load(cache, line(2), 2);
    stays_stalled(cache, load_of(line(4), PLENTY), STALL_LINE);
    stays_stalled(cache, load_of(line(4), 0), STALL_LINE); // checked before the miss queue
    stays_stalled(cache, store_of(line(4), 4, PLENTY), STALL_LINE);
    check_outcome(load(cache, line(1), 3), CACHE_MISS); // the other set
    fill_one(cache, line(0), 1);
    check_outcome(load(cache, line(4), 4), CACHE_MISS);
    cache_free(cache);
}

static void test_mshr(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = cache_made(&config); // two entries
    load(cache, line(0), 1);
    load(cache, line(1), 2);
    stays_stalled(cache, load_of(line(2), PLENTY), STALL_MSHR);
    stays_stalled(cache, load_of(line(2), 0), STALL_MISS_QUEUE); // checked before the MSHRs
    check_outcome(load(cache, line(0), 3), CACHE_MERGED);          // merging needs no entry
    check_outcome(store(cache, line(2), 4), CACHE_MISS);           // nor does a lazy write
    fill_one(cache, line(1), 2);
    check_outcome(load(cache, line(3), 4), CACHE_MISS);
    cache_free(cache);
}

static void test_merges(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = cache_made(&config); // two requests per entry
    load(cache, line(0), 1);
    load(cache, line(0), 2);
    stays_stalled(cache, load_of(line(0), PLENTY), STALL_MERGE);
    CacheAccess adding = load_of(line(0), PLENTY);
    adding.atomic = true;
    stays_stalled(cache, adding, STALL_MERGE);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(cache, line(0), tokens, &victim), 2);
    assert_true(tokens[0] == 1 && tokens[1] == 2);
    assert_int_equal(cache_probe(cache, line(0))->dirty, 0);
    check_outcome(cache_access(cache, &adding), CACHE_HIT);
    cache_free(cache);
}

static void test_merges_on_fill(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.allocate = ALLOCATE_ON_FILL;
    config.write = config.local_write = WRITE_THROUGH;
    Cache *cache = cache_made(&config);
    load(cache, line(0), 1);
    load(cache, line(0), 2);
    stays_stalled(cache, load_of(line(0), PLENTY), STALL_MERGE);
    load(cache, line(1), 3);
    stays_stalled(cache, load_of(line(2), PLENTY), STALL_MSHR);
    stays_stalled(cache, load_of(line(2), 0), STALL_MISS_QUEUE);
    cache_free(cache);
}

// Room: one for the fetch, one more for a dirty victim's write-back.
static void test_miss_queue(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    Cache *cache = cache_made(&config);
    stays_stalled(cache, load_of(line(0), 0), STALL_MISS_QUEUE);
    check_outcome(load_room(cache, line(0), 1, 1), CACHE_MISS);
    fill_one(cache, line(0), 1);
    check_outcome(cache_access(cache, &(CacheAccess){.address = line(0),
                                                     .bytes = {0xf, 0},
                                                     .write = true}),
                  CACHE_HIT); // written back later: no room needed
    bring(cache, line(2));

    stays_stalled(cache, load_of(line(4), 1), STALL_MISS_QUEUE);
    CacheResult result = load_room(cache, line(4), 2, 2);
    check_outcome(result, CACHE_MISS);
    assert_true(result.victim.evicted && result.victim.dirty_sectors == 1);
    assert_true(result.victim.line == line(0) && result.victim.bytes[0] == 0xf);
    fill_one(cache, line(4), 2);

    // A lazy write needs room for its victim only.
    check_outcome(store(cache, line(2), 4), CACHE_HIT); // now 4 is older
    check_outcome(store(cache, line(4), 4), CACHE_HIT); // now 2 is older, and dirty
    stays_stalled(cache, store_of(line(6), 4, 0), STALL_MISS_QUEUE);
    CacheAccess write = store_of(line(6), 4, 1);
    result = cache_access(cache, &write);
    check_outcome(result, CACHE_MISS);
    assert_true(!result.fetch && !result.forwards_write && result.victim.line == line(2));
    cache_free(cache);
}

static void test_miss_queue_writes(void **state)
{
    (void)state;
    static const uint32_t policies[] = {WRITE_THROUGH, WRITE_EVICT};
    for (int i = 0; i < 2; i++) {
        CacheConfig config = tiny_config();
        config.write = policies[i];
        Cache *cache = cache_made(&config);
        stays_stalled(cache, store_of(line(0), 4, 0), STALL_MISS_QUEUE);
        bring(cache, line(0));
        stays_stalled(cache, store_of(line(0), 4, 0), STALL_MISS_QUEUE); // hits are forwarded too
        CacheAccess write = store_of(line(0), 4, 1);
        check_outcome(cache_access(cache, &write), CACHE_HIT);
        cache_free(cache);
    }
    CacheConfig config = tiny_config();
    config.write_miss = WRITE_MISS_AROUND;
    Cache *cache = cache_made(&config);
    stays_stalled(cache, store_of(line(0), 4, 0), STALL_MISS_QUEUE);
    cache_free(cache);
}

static void test_fetching_writes(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write_miss = WRITE_MISS_FETCH;
    Cache *cache = cache_made(&config);
    stays_stalled(cache, store_of(line(0), 4, 0), STALL_MISS_QUEUE);
    load(cache, line(1), 1);
    load(cache, line(3), 2);
    stays_stalled(cache, store_of(line(0), 4, PLENTY), STALL_MSHR);
    CacheAccess whole = store_of(line(0), 128, 0); // needs no entry
    check_outcome(cache_access(cache, &whole), CACHE_MISS);
    cache_free(cache);
}

// A write, then a load that waits for it: the next write must not reach the load's bytes.
static void test_conflict(void **state)
{
    (void)state;
    CacheConfig config = tiny_config();
    config.write_miss = WRITE_MISS_FETCH;
    Cache *cache = cache_made(&config);
    CacheResult result = store(cache, line(0), 4);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch && !result.forwards_write);
    check_outcome(store(cache, line(0) + 4, 4), CACHE_HIT); // no load in between
    check_outcome(load(cache, line(0), 1), CACHE_MERGED);
    stays_stalled(cache, store_of(line(0), 4, PLENTY), STALL_STORE_ORDER);
    fill_one(cache, line(0), 1);
    check_outcome(store(cache, line(0), 4), CACHE_HIT);

    // An atomic is both the write and the load.
    check_outcome(atomic(cache, line(2), 2), CACHE_MISS);
    stays_stalled(cache, store_of(line(2), 4, PLENTY), STALL_STORE_ORDER);
    // A load stalls the write only if it waits for bytes of an earlier write.
    check_outcome(load(cache, line(1), 3), CACHE_MISS);
    check_outcome(store(cache, line(1), 4), CACHE_HIT);
    check_outcome(load(cache, line(1), 4), CACHE_MERGED);
    stays_stalled(cache, store_of(line(1), 4, PLENTY), STALL_STORE_ORDER);
    cache_free(cache);
}

static void test_names(void **state)
{
    (void)state;
    static const char *const names[CACHE_STALL_REASONS] = {"line_allocation", "mshr_entry",
                                                      "mshr_merge", "miss_queue", "store_order"};
    for (int r = 0; r < CACHE_STALL_REASONS; r++)
        assert_string_equal(cache_stall_name((CacheStall)r), names[r]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),           cmocka_unit_test(test_mshr),
        cmocka_unit_test(test_merges),         cmocka_unit_test(test_merges_on_fill),
        cmocka_unit_test(test_miss_queue),     cmocka_unit_test(test_miss_queue_writes),
        cmocka_unit_test(test_fetching_writes), cmocka_unit_test(test_conflict),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
