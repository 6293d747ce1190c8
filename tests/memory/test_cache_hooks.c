// The events and decisions of a mechanism at a cache, and how the cache applies the decisions.
#include "hooked_cache.h"

// A stalled access asks for a decision but changes nothing. Only load misses ask.
static void test_questions(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    hooked_init(&h, &config);
    answer = HD_BYPASS;
    check_stalled(load_room(h.cache, A, 1, 0), STALL_MISS_QUEUE);
    assert_int_equal(questions, 1);
    assert_int_equal(h.hooks->counted.bypassed, 0);
    assert_null(cache_probe(h.cache, A));
    check_outcome(atomic(h.cache, A, 1), CACHE_MISS);
    fill_one(h.cache, A, 1);
    check_outcome(load(h.cache, A, 2), CACHE_HIT);
    check_outcome(store(h.cache, B, 128), CACHE_MISS);
    assert_int_equal(questions, 1);
    hooked_free(&h);
}

// The number by line is 0 in a new line, and moves with the line into the victim buffer and back.
static void test_structures_by_line(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.ways = 1; // four sets; lines 0, 4, 8 share set 0
    config.victim_entries = 1;
    hooked_init(&h, &config);
    assert_int_equal(h.hooks->lines.count, 5);
    bring(h.cache, 0);
    own_tag(&h, 0)->number = 17;
    bring(h.cache, 4 * 128);
    assert_int_equal(own_tag(&h, 4 * 128)->number, 0);
    assert_int_equal(own_tag(&h, 0)->number, 17); // in the buffer
    own_tag(&h, 4 * 128)->number = 4;
    check_outcome(load(h.cache, 0, 1), CACHE_HIT); // exchanged with the set
    assert_int_equal(own_tag(&h, 0)->number, 17);
    assert_int_equal(own_tag(&h, 4 * 128)->number, 4);
    bring(h.cache, 8 * 128); // 0 moves to the buffer, 4 is evicted
    assert_int_equal(left.line, 4 * 128);
    assert_int_equal(own_tag(&h, 8 * 128)->number, 0);
    assert_int_equal(own_tag(&h, 0)->number, 17);
    cache_invalidate(h.cache);
    bring(h.cache, 0);
    assert_int_equal(own_tag(&h, 0)->number, 0);
    hooked_free(&h);
}

// An unbounded cache grows together with its per-line data. Nothing is evicted.
static void test_growing(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    Hooked h;
    CacheConfig config = tiny_config();
    config.mode = CACHE_UNBOUNDED;
    hooked_init(&h, &config);
    for (uint64_t n = 0; n < LINES; n++) {
        bring(h.cache, n * 128);
        assert_int_equal(own_tag(&h, n * 128)->number, 0);
        own_tag(&h, n * 128)->number = (uint8_t)(n % 251);
    }
    assert_true(h.hooks->lines.count >= LINES);
    for (uint64_t n = 0; n < LINES; n++)
        assert_int_equal(own_tag(&h, n * 128)->number, n % 251);
    assert_int_equal(evictions, 0);
    assert_int_equal(h.hooks->counted.inserted, LINES);
    cache_invalidate(h.cache);
    bring(h.cache, 0);
    assert_int_equal(own_tag(&h, 0)->number, 0);
    hooked_free(&h);
}

// Each access reports its set, hits and stores included. Per-set numbers stay when lines are
// replaced.
static void test_structures_by_set(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    hooked_init(&h, &config);
    assert_int_equal(h.hooks->lines.sets, 2);
    Note *sets = h.hooks->items[0].place.structures[1];
    sets[0].number = 7;
    sets[1].number = 9;
    load(h.cache, A + 128, 1);
    assert_int_equal(h.hooks->current.access.set, 1);
    load(h.cache, A, 1);
    assert_int_equal(h.hooks->current.access.set, 0);
    fill_one(h.cache, A + 128, 1);
    check_outcome(load(h.cache, A + 128, 2), CACHE_HIT);
    assert_int_equal(h.hooks->current.access.set, 1);
    store(h.cache, A, 128);
    assert_int_equal(h.hooks->current.access.set, 0);
    cache_invalidate(h.cache);
    assert_int_equal(sets[0].number, 7);
    assert_int_equal(sets[1].number, 9);
    hooked_free(&h);
}

// With on-fill allocation, the decision at the miss applies.
static void test_on_fill(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.allocate = ALLOCATE_ON_FILL;
    config.write = config.local_write = WRITE_EVICT;
    hooked_init(&h, &config);
    answer = HD_BYPASS;
    bring(h.cache, A);
    assert_null(cache_probe(h.cache, A));
    answer = HD_TAGS_ONLY;
    bring(h.cache, A);
    assert_int_equal(cache_probe(h.cache, A)->valid, 0);
    answer = HD_PASS;
    bring(h.cache, A);
    assert_true(h.hooks->current.access.tag_hit);
    check_outcome(load(h.cache, A, 1), CACHE_HIT);
    bring(h.cache, B);
    assert_int_equal(h.hooks->current.filled.line_index,
                     cache_line_index(h.cache, B)); // not known at the miss
    assert_int_equal(h.hooks->current.filled.set, 0);
    assert_int_equal(h.hooks->current.access.victim, HD_NO_LINE);
    assert_int_equal(h.hooks->current.access.insertion, HD_INSERT);
    answer = HD_BYPASS;
    bring(h.cache, C);
    assert_int_equal(would_leave.line, A); // the victim if the data did not bypass
    assert_int_equal(h.hooks->current.access.victim, A);
    assert_int_equal(evictions, 0);
    hooked_free(&h);
}

// A load of these 32-byte sectors.
static CacheResult load_sectors(Hooked *h, uint64_t address, uint32_t token, uint8_t wanted)
{
    h->hooks->current.access.sector_mask = wanted;
    return load(h->cache, address, token);
}

// The used sectors at eviction: all sectors accessed since the fill, in the victim buffer too,
// except by stalled accesses and accesses to the previous line in that place.
static void test_used(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.ways = 1; // four sets; lines 0, 4, 8, 12 share set 0
    config.victim_entries = 1;
    hooked_init(&h, &config);
    load_sectors(&h, 0, 1, 1);
    load_sectors(&h, 0, 2, 2);                                           // merged
    check_stalled(load_sectors(&h, 0, 3, 4), STALL_MERGE);             // not used
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(h.cache, 0, tokens, &victim), 2);
    h.hooks->current.access.sector_mask = 4;
    bring(h.cache, 4 * 128);                                           // 0 goes to the buffer
    check_outcome(load_sectors(&h, 0, 1, 8), CACHE_HIT);                 // and comes back
    h.hooks->current.access.sector_mask = 2;
    bring(h.cache, 8 * 128);
    assert_int_equal(left.line, 4 * 128);
    assert_int_equal(left.used_sectors, 4);
    store(h.cache, 8 * 128, 128); // includes this access: sector 2 again
    bring(h.cache, 12 * 128);
    assert_int_equal(left.line, 0);
    assert_int_equal(left.used_sectors, 1 | 2 | 8);
    answer = HD_BYPASS;
    bring(h.cache, 4 * 128);
    assert_int_equal(would_leave.used_sectors, 2); // line 8
    hooked_free(&h);
}

// Lines that are not evicted but invalidated, by a store or with the whole cache. At the end of a
// kernel the remaining lines are reported, those of the victim buffer too.
static void test_dropped(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.write = config.local_write = WRITE_EVICT;
    config.victim_entries = 1;
    config.sector = 32;
    hooked_init(&h, &config);
    load_sectors(&h, A, 1, 1);
    fill_one(h.cache, A, 1);
    load_sectors(&h, A + 32, 1, 2);
    fill_one(h.cache, A + 32, 1);
    h.hooks->current.access.sector_mask = 4;
    bring(h.cache, B + 64);
    bring(h.cache, C + 64); // A moves to the buffer
    cache_hooks_on_kernel(h.hooks, 0, &(HdKernel){.name = "k"}, false);
    assert_int_equal(staying, 3);
    assert_int_equal(on_kernel_end_line.line, A); // the lines of the buffer are reported last
    assert_int_equal(on_kernel_end_line.used_sectors, 1 | 2);
    h.hooks->current.access.sector_mask = 1;
    store(h.cache, A, 4);
    assert_int_equal(drops, 0); // its second sector stays
    h.hooks->current.access.sector_mask = 8;
    store(h.cache, A + 32, 4);
    assert_int_equal(drops, 1);
    assert_int_equal(on_invalidate.line, A);
    assert_int_equal(on_invalidate.used_sectors, 1 | 2); // the invalidating store is no use
    assert_false(on_invalidate.tags_only);
    cache_invalidate(h.cache);
    assert_int_equal(drops, 3);
    assert_int_equal(on_invalidate.used_sectors, 4);
    assert_int_equal(evictions, 0);
    cache_hooks_on_kernel(h.hooks, 0, &(HdKernel){.name = "k"}, false);
    assert_int_equal(staying, 3); // no more lines are reported
    hooked_free(&h);
}

// On-fill allocation: the loads that waited for the fill have used its line. A tags-only line is
// not used.
static void test_used_on_fill(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.size = 128;
    config.ways = 1;
    config.allocate = ALLOCATE_ON_FILL;
    config.write = config.local_write = WRITE_EVICT;
    hooked_init(&h, &config);
    load_sectors(&h, A, 1, 1);
    load_sectors(&h, A, 2, 8);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(h.cache, A, tokens, &victim), 2);
    answer = HD_TAGS_ONLY;
    h.hooks->current.access.sector_mask = 2;
    bring(h.cache, B);
    assert_int_equal(left.line, A);
    assert_int_equal(left.used_sectors, 1 | 8);
    bring(h.cache, C);
    assert_true(left.tags_only);
    assert_int_equal(left.used_sectors, 0);
    hooked_free(&h);
}

// A clean line is copied back with the version of its data when it leaves the victim buffer; a
// dirty one is written back.
static void test_copy_back(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.ways = 1;
    config.victim_entries = 1;
    hooked_init(&h, &config);
    leaves_answer = HD_SEND_BACK;
    const uint64_t far = 4 * 128;
    bring(h.cache, 0);
    cache_hooks_lower_version(h.hooks, h.hooks->current.filled.line_index, 70);
    bring(h.cache, far);
    cache_hooks_lower_version(h.hooks, h.hooks->current.filled.line_index, 90);
    cache_hooks_lower_version(h.hooks, h.hooks->current.filled.line_index,
                              95);                        // the oldest of its sectors counts
    check_outcome(load(h.cache, 0, 1), CACHE_HIT);        // exchanged with the set
    assert_int_equal(h.hooks->copy_backs.versions[cache_line_index(h.cache, 0)], 70);
    CacheResult result = load(h.cache, 2 * far, 1); // 0 moves to the buffer, far is evicted
    assert_int_equal(result.victim.line, far);
    assert_int_equal(result.victim.copy_back, 1);
    assert_int_equal(result.victim.version, 90);
    assert_int_equal(result.victim.dirty_sectors, 0);
    fill_one(h.cache, 2 * far, 1);
    leaves_answer = HD_DROP;
    result = load(h.cache, 3 * far, 1);
    assert_true(result.victim.evicted);
    assert_int_equal(result.victim.copy_back, 0);
    fill_one(h.cache, 3 * far, 1);
    leaves_answer = HD_SEND_BACK;
    store(h.cache, 2 * far, 4); // returns from the buffer, and 3 moves to it
    store(h.cache, 3 * far, 4);
    result = load(h.cache, 0, 1);
    assert_int_equal(result.victim.dirty_sectors, 1);
    assert_int_equal(result.victim.copy_back, 0);
    hooked_free(&h);
}

// A copied-back line: sectors that are present or pending are left unchanged.
static void test_put(void **state)
{
    (void)state;
    Hooked h;
    CacheConfig config = tiny_config();
    config.sector = 32;
    hooked_init(&h, &config);
    CacheVictim victim;
    load(h.cache, A, 1);
    h.hooks->current.access = (HdAccess){.kind = HD_COPY_BACK};
    questions = 0;
    assert_int_equal(cache_insert_copy_back(h.cache, A, 1, 0, &victim), INSERTION_PRESENT);
    assert_int_equal(cache_insert_copy_back(h.cache, A, 7, 0, &victim), INSERTION_DONE);
    assert_int_equal(questions, 0); // the line is present
    const CacheLine *line = cache_probe(h.cache, A);
    assert_int_equal(line->readable, 6);
    assert_int_equal(line->reserved, 1);
    assert_false(cache_invalidate_clean(h.cache, A, 2)); // the first sector is pending
    fill_one(h.cache, A, 1);
    store(h.cache, A + 64, 32);
    assert_true(cache_invalidate_clean(h.cache, A, 15));
    assert_int_equal(line->valid, 4); // the dirty sector stays
    assert_false(cache_invalidate_clean(h.cache, B, 15));
    store(h.cache, B, 32);
    answer = HD_BYPASS;
    assert_int_equal(cache_insert_copy_back(h.cache, C, 15, 1, &victim), INSERTION_DECLINED);
    assert_int_equal(would_leave.line, A);
    answer = HD_PASS;
    assert_int_equal(cache_insert_copy_back(h.cache, C, 15, 0, &victim),
                     INSERTION_NO_ROOM); // for A's write-back
    assert_int_equal(cache_insert_copy_back(h.cache, C, 15, 1, &victim), INSERTION_DONE);
    assert_int_equal(victim.line, A);
    assert_int_equal(victim.dirty_sectors, 4);
    check_outcome(load(h.cache, C + 96, 1), CACHE_HIT);
    hooked_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_structures_by_line),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_structures_by_set),
        cmocka_unit_test(test_on_fill),
        cmocka_unit_test(test_used),
        cmocka_unit_test(test_dropped),
        cmocka_unit_test(test_used_on_fill),
        cmocka_unit_test(test_copy_back),
        cmocka_unit_test(test_put),
    };
    return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}
