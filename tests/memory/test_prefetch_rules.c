// Prefetches with tags, that wait for room, or for which the oldest of the queue makes room; and
// prefetches that are promoted or dropped on their way.
#include "prefetched_cache.h"

#include <string.h>

// With tags of 4 bits, a queue that drops its oldest line, and prefetches that wait for room.
static HdPrefetched first_back, back; // that came first and last
static unsigned came_back;
static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    (void)place;
    back = *prefetched;
    if (!came_back++) first_back = back;
}
static const HdStructure tagged_structures[] = {
    {"queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE, HD_TAGGED_PREFETCH_BITS(4),
     sizeof(HdTaggedPrefetch)}, {0}};
static const HdMechanism patient = {
    .name = "patient", .parameters = parameters, .structures = tagged_structures,
    .prefetch = {.when_full = HD_DROP_OLDEST, .no_room = HD_WAIT, .tag_bits = 4},
    .l1 = {.on_access = see, .on_prefetch = on_prefetch}};

// An MSHR entry keeps two of its tags.
static const HdMechanism popular = {
    .name = "popular", .parameters = parameters, .structures = tagged_structures,
    .prefetch = {.tag_bits = 4, .tags = 2},
    .l1 = {.on_access = see, .on_prefetch = on_prefetch}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)err;
    *library = NULL;
    return strcmp(name, "patient") == 0 ? &patient : &popular;
}

static PrefetchOutcome prefetch_tagged(Rig *rig, uint64_t address, uint32_t tag)
{
    CachePrefetch result;
    hd_prefetch_tagged(&rig->hooks->items[0].place, address, tag, 3);
    look_up(rig, address, PLENTY, &result);
    return result.outcome;
}

// The tag of a prefetch comes back with its data: also if they were on their way, but an MSHR entry
// has one tag. Bits above the fourth are lost.
static void test_tags(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init_with(&rig, &config, "patient");
    came_back = 0;
    assert_int_equal(prefetch_tagged(&rig, A, 0x2b), PREFETCH_FETCHED);
    assert_int_equal(prefetch_tagged(&rig, A, 5), PREFETCH_NO_ROOM);
    cache_hooks_on_tagged_fill(rig.hooks); // none has come
    assert_int_equal(came_back, 0);
    come(&rig, A);
    cache_hooks_on_tagged_fill(rig.hooks);
    assert_int_equal(came_back, 1);
    assert_int_equal(back.tag, 0xb);
    assert_int_equal(back.warp_slot, 3);
    assert_int_equal(back.outcome, HD_MISS);
    assert_int_equal(back.line_index, cache_line_index(rig.cache, A));
    cache_hooks_on_tagged_fill(rig.hooks); // once
    assert_int_equal(came_back, 1);

    CachePrefetch result; // the one that waits: its data are there now
    look_up(&rig, A, PLENTY, &result);
    assert_int_equal(result.outcome, PREFETCH_REDUNDANT);
    assert_true(result.there);

    use(&rig, B); // a load fetches
    assert_int_equal(prefetch_tagged(&rig, B, 6), PREFETCH_REDUNDANT);
    fill_one(rig.cache, B, 9);
    cache_hooks_on_tagged_fill(rig.hooks);
    assert_int_equal(came_back, 2);
    assert_int_equal(back.tag, 6);
    assert_int_equal(back.outcome, HD_PENDING_HIT);
    use(&rig, C); // without a tag
    fill_one(rig.cache, C, 9);
    cache_hooks_on_tagged_fill(rig.hooks);
    assert_int_equal(came_back, 2);
    rig_free(&rig);
}

// Two tags for the same data on their way, of which the first fetched them; a third finds no room.
// Both come back, the older one first, and once. Then there is room for two again.
static void test_several_tags(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init_with(&rig, &config, "popular");
    for (unsigned round = 0; round < 2; round++) {
        uint64_t line = round ? B : A;
        came_back = 0;
        assert_int_equal(prefetch_tagged(&rig, line, 1), PREFETCH_FETCHED);
        assert_int_equal(prefetch_tagged(&rig, line, 2), PREFETCH_REDUNDANT);
        assert_int_equal(prefetch_tagged(&rig, line, 3), PREFETCH_NO_ROOM);
        come(&rig, line);
        cache_hooks_on_tagged_fill(rig.hooks);
        cache_hooks_on_tagged_fill(rig.hooks);
        assert_int_equal(came_back, 2);
        assert_int_equal(first_back.tag, 1);
        assert_int_equal(first_back.outcome, HD_MISS);
        assert_int_equal(back.tag, 2);
        assert_int_equal(back.outcome, HD_PENDING_HIT);
    }
    assert_int_equal(counted(&rig).redundant, 2);
    assert_int_equal(counted(&rig).no_room, 2);
    rig_free(&rig);
}

// A prefetch that waits stays at the head and is counted once.
static void test_wait(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init_with(&rig, &config, "patient");
    CachePrefetch result;
    hd_prefetch(&rig.hooks->items[0].place, A);
    for (unsigned i = 0; i < 3; i++) {
        look_up(&rig, A, 0, &result);
        assert_int_equal(result.outcome, PREFETCH_NO_ROOM);
    }
    look_up(&rig, A, 1, &result);
    assert_int_equal(result.outcome, PREFETCH_FETCHED);
    assert_false(prefetch_queues_pending(rig.hooks->prefetches));
    assert_int_equal(counted(&rig).no_room, 0);
    assert_int_equal(counted(&rig).requested, 1);
    rig_free(&rig);
}

// Four lines fit; the fifth takes the place of the oldest, and the sixth that of the next: the
// oldest whose look-ups have not begun.
static void test_drop_oldest(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    config.sector = 32;
    rig_init_with(&rig, &config, "patient");
    CachePrefetch result;
    for (uint64_t line = 0; line < 5; line++)
        hd_prefetch(&rig.hooks->items[0].place, line * 128);
    assert_int_equal(counted(&rig).queue_full, 1);
    bring(rig.cache, 128);
    look_up(&rig, 128, PLENTY, &result);
    assert_int_equal(result.outcome, PREFETCH_REDUNDANT);
    hd_prefetch(&rig.hooks->items[0].place, 5 * 128);
    assert_int_equal(counted(&rig).queue_full, 2);
    look_up(&rig, 128 + 32, PLENTY, &result); // not dropped
    for (unsigned sector = 2; sector < 4; sector++)
        prefetch_queues_looked_up(rig.hooks->prefetches,
                                  &(Prefetch){.line = 128}, PREFETCH_REDUNDANT, 0);
    assert_int_equal(prefetch_queues_first(rig.hooks->prefetches).line, 3 * 128);
    rig_free(&rig);
}

// A dropped prefetch frees its MSHR entry, its line and its tags. Up to then a load of its data
// stalls; then it fetches, and no tag comes back with its data.
static void test_dropped(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init_with(&rig, &config, "patient");
    came_back = 0;
    uint32_t tokens[2];
    assert_int_equal(prefetch_tagged(&rig, A, 5), PREFETCH_FETCHED);
    assert_true(cache_drop_fetch(rig.cache, A));
    assert_false(cache_drop_fetch(rig.cache, A)); // once
    check_stalled(use(&rig, A), STALL_MERGE);
    assert_int_equal(cache_end_dropped(rig.cache, A, tokens), 0);
    assert_int_equal(cache_mshr_used(rig.cache), 0);
    assert_int_equal(cache_line_index(rig.cache, A), HD_NO_INDEX);
    assert_int_equal(counted(&rig).fetched, 1);
    assert_int_equal(counted(&rig).dropped, 1);
    check_outcome(use(&rig, A), CACHE_MISS);
    fill_one(rig.cache, A, 9);
    cache_hooks_on_tagged_fill(rig.hooks);
    assert_int_equal(came_back, 0);
    assert_int_equal(counted(&rig).late + counted(&rig).useful + counted(&rig).useless, 0);
    rig_free(&rig);
}

// A load that merges with a prefetch promotes it, once: it is no longer dropped.
static void test_promoted(void **state)
{
    (void)state;
    Rig rig;
    CacheConfig config = tiny_config();
    rig_init_with(&rig, &config, "patient");
    assert_int_equal(prefetch_tagged(&rig, A, 5), PREFETCH_FETCHED);
    assert_int_equal(use(&rig, A).promoted, 1);
    assert_int_equal(use(&rig, A).promoted, 0);
    assert_false(cache_drop_fetch(rig.cache, A));
    assert_int_equal(prefetch_tagged(&rig, B, 5), PREFETCH_FETCHED);
    assert_int_equal(cache_promote(rig.cache, B, 0), 1);
    assert_int_equal(cache_promote(rig.cache, B, 0), 0);
    assert_false(cache_drop_fetch(rig.cache, B));
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tags), cmocka_unit_test(test_several_tags),
        cmocka_unit_test(test_wait), cmocka_unit_test(test_drop_oldest),
        cmocka_unit_test(test_dropped), cmocka_unit_test(test_promoted)};
    return cmocka_run_group_tests_name("rules of prefetches", tests, NULL, NULL);
}
