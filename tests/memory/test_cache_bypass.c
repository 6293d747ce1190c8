// Data that bypass a cache by a mechanism's decision, and lines of which it keeps the tags alone.
#include "hooked_cache.h"

// A bypassing fill allocates no line and evicts none; other requests can merge with it.
static void test_bypass(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    hooked_init(&h, &config);
    bring(h.cache, A);
    bring(h.cache, B);
    answer = HD_BYPASS;
    CacheResult result = load(h.cache, C, 1);
    check_outcome(result, CACHE_MISS);
    assert_true(result.fetch);
    assert_false(result.victim.evicted);
    assert_int_equal(would_leave.line, A); // the least recently used
    assert_int_equal(h.hooks->current.access.victim, A);
    assert_int_equal(h.hooks->current.access.insertion, HD_BYPASS);
    check_outcome(load(h.cache, C, 2), CACHE_MERGED);
    check_stalled(load(h.cache, C, 3), STALL_MERGE);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(h.cache, C, tokens, &victim), 2);
    assert_int_equal(h.hooks->current.filled.line_index, HD_NO_INDEX);
    assert_null(cache_probe(h.cache, C));
    assert_non_null(cache_probe(h.cache, A));
    assert_int_equal(cache_mshr_used(h.cache), 0);
    assert_int_equal(evictions, 0);
    check_outcome(load(h.cache, C, 4), CACHE_MISS); // misses again
    assert_int_equal(h.hooks->counted.bypassed, 2);
    assert_int_equal(h.hooks->counted.inserted, 2);
    hooked_free(&h);
}

// A set with all ways pending stalls an access that needs a line, but not a bypassing one.
static void test_bypass_of_a_full_set(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.mshr_entries = 3;
    hooked_init(&h, &config);
    load(h.cache, A, 1);
    load(h.cache, B, 2);
    check_stalled(load(h.cache, C, 3), STALL_LINE);
    answer = HD_BYPASS;
    check_outcome(load(h.cache, C, 3), CACHE_MISS);
    assert_int_equal(would_leave.line_index, HD_NO_INDEX);
    // An atomic needs its line here: it stalls until the bypassing data have come.
    check_stalled(atomic(h.cache, C, 4), STALL_STORE_ORDER);
    fill_one(h.cache, C, 3);
    check_stalled(atomic(h.cache, C, 4), STALL_LINE);
    hooked_free(&h);
}

// bypass_mshr: off. Misses that bypass need no MSHR entry and do not merge, but a load for which a
// fetch is under way waits for it.
static void test_bypass_without_mshr(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.bypass_mshr = BYPASS_MSHR_OFF;
    hooked_init(&h, &config);
    load(h.cache, A, 1);
    load(h.cache, B, 2); // both entries and both ways of set 0 are taken
    for (answer = HD_TAGS_ONLY; answer <= HD_BYPASS; answer++)
        for (unsigned i = 0; i < 2; i++) {
            CacheResult result = load(h.cache, C, 3);
            check_outcome(result, CACHE_MISS);
            assert_true(result.fetch && result.direct);
            assert_int_equal(result.pending_fetches, 1);
        }
    assert_null(cache_probe(h.cache, C)); // no way for its tag
    assert_int_equal(cache_mshr_used(h.cache), 2);
    assert_int_equal(h.hooks->counted.bypassed, 4);
    answer = HD_TAGS_ONLY;
    CacheAccess blocked = {.address = C, .token = 6};
    check_stalled(cache_access(h.cache, &blocked), STALL_MISS_QUEUE);
    CacheResult merged = load(h.cache, A, 5);
    check_outcome(merged, CACHE_MERGED);
    assert_false(merged.direct);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(h.cache, A, tokens, &victim), 2);
    assert_true(load(h.cache, C, 7).direct);
    assert_non_null(cache_probe(h.cache, C)); // the tag takes the way of A
    answer = HD_INSERT;
    assert_false(load(h.cache, C, 8).direct);
    hooked_free(&h);
}

// A line with tags only: it is present, but each access fetches its data until the line is
// inserted.
static void test_tags_only(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    hooked_init(&h, &config);
    bring(h.cache, A);
    bring(h.cache, B);
    answer = HD_TAGS_ONLY;
    CacheResult result = load(h.cache, C, 1);
    check_outcome(result, CACHE_MISS);
    assert_true(result.victim.evicted);
    assert_false(result.victim.inserted);
    assert_int_equal(left.line, A);
    assert_false(h.hooks->current.access.tag_hit);
    fill_one(h.cache, C, 1);
    const CacheLine *line = cache_probe(h.cache, C);
    assert_non_null(line);
    assert_int_equal(line->valid | line->reserved, 0);
    check_outcome(load(h.cache, C, 2), CACHE_MISS);
    assert_true(h.hooks->current.access.tag_hit);
    fill_one(h.cache, C, 2);
    answer = HD_INSERT;
    assert_true(load(h.cache, C, 99).victim.inserted);
    fill_one(h.cache, C, 99);
    check_outcome(load(h.cache, C, 3), CACHE_HIT);
    // The tags were used last: B leaves, not C.
    bring(h.cache, A);
    assert_int_equal(left.line, B);
    assert_false(left.tags_only);
    assert_int_equal(h.hooks->counted.tags_only, 1);
    assert_int_equal(h.hooks->counted.bypassed, 2);
    assert_int_equal(h.hooks->counted.tag_hits, 2);
    assert_int_equal(h.hooks->counted.inserted, 4);
    hooked_free(&h);
}

// A tags-only line remembers sectors: only a sector whose own data bypassed would hit.
static void test_tags_by_sector(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.sector = 32;
    hooked_init(&h, &config);
    answer = HD_TAGS_ONLY;
    bring(h.cache, A);
    assert_false(h.hooks->current.access.tag_hit);
    bring(h.cache, A + 32);
    assert_false(h.hooks->current.access.tag_hit);
    bring(h.cache, A);
    assert_true(h.hooks->current.access.tag_hit);
    answer = HD_PASS;
    bring(h.cache, A + 32); // from now on the line is there, and no decision is asked
    assert_true(h.hooks->current.access.tag_hit);
    questions = 0;
    bring(h.cache, A);
    assert_true(h.hooks->current.access.tag_hit);
    bring(h.cache, A + 64);
    assert_false(h.hooks->current.access.tag_hit);
    assert_int_equal(questions, 0);
    check_outcome(load(h.cache, A, 1), CACHE_HIT);
    hooked_free(&h);
}

// The eviction of a tags-only line does not count as a replacement.
static void test_tags_leave(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.mshr_entries = 4;
    hooked_init(&h, &config);
    answer = HD_TAGS_ONLY;
    load(h.cache, A, 1);
    load(h.cache, B, 2);
    CacheResult result = load(h.cache, C, 3);
    assert_false(result.victim.evicted);
    assert_int_equal(evictions, 1);
    assert_true(left.tags_only);
    hooked_free(&h);
}

// A tag needs a way too. With bypass_mshr=off a load whose tag finds none goes on as one that
// bypasses the cache altogether.
static void test_no_way_for_tags(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.mshr_entries = 4;
    config.bypass_mshr = BYPASS_MSHR_OFF;
    hooked_init(&h, &config);
    load(h.cache, A, 1);
    load(h.cache, B, 2); // both ways wait for data
    answer = HD_TAGS_ONLY;
    CacheResult result = load(h.cache, C, 3);
    assert_int_equal(result.outcome, CACHE_MISS);
    assert_true(result.direct);
    assert_int_equal(h.hooks->current.access.insertion, HD_BYPASS);
    assert_int_equal(h.hooks->counted.bypassed, 1);
    assert_int_equal(h.hooks->counted.tags_only, 0);
    answer = HD_PASS;
    hooked_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bypass),
        cmocka_unit_test(test_bypass_of_a_full_set),
        cmocka_unit_test(test_bypass_without_mshr),
        cmocka_unit_test(test_no_way_for_tags),
        cmocka_unit_test(test_tags_only),
        cmocka_unit_test(test_tags_by_sector),
        cmocka_unit_test(test_tags_leave),
    };
    return cmocka_run_group_tests_name("bypass", tests, NULL, NULL);
}
