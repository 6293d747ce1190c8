// A sectored cache with sectors of 32 bytes: what accesses to several sectors of a line hit and
// wait for, and what they fetch.
#include "sectored.h"
#include "base/bits.h"
#include "base/random.h"

#include <string.h>

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

// Functional accesses: fetched data are present at once.
static void test_touch(void **state)
{
    (void)state;
    Kept k;
    CacheConfig config = tiny_config();
    choose_on_fill(&config);
    kept_init(&k, &config);
    k.hooks->current.access = (HdAccess){.sector_mask = 6};
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
        cmocka_unit_test(test_partial_hits),
        cmocka_unit_test(test_predicted),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_on_fill),
        cmocka_unit_test(test_past),
        cmocka_unit_test(test_tags_only),
        cmocka_unit_test(test_touch),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests_name("lines kept by sectors", tests, NULL, NULL);
}
