// The events and decisions of a mechanism at a cache, and how the cache applies the decisions.
#include "cache_actions.h"
#include "hooks/cache_hooks.h"

#include <string.h>

// A mechanism with decisions set by the test. It records evictions and keeps a number for each
// line.
static HdInsertion answer;
static HdRoomState found_room;
static HdEviction left, would_leave, on_invalidate, on_kernel_end_line;
static unsigned evictions, questions, drops, staying;

#define NOTE(F) F(number, 8)
HD_BIT_FIELDS(Note, NOTE);

static HdInsertion scripted_fill(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    questions++;
    found_room = room->state;
    would_leave = room->state == HD_ROOM_VICTIM ? room->victim
                                                : (HdEviction){.line_index = HD_NO_INDEX};
    return answer;
}

static void note_eviction(HdPlace *place, const HdEviction *eviction)
{
    (void)place;
    evictions++;
    left = *eviction;
}

static void note_drop(HdPlace *place, const HdEviction *line)
{
    (void)place;
    drops++;
    on_invalidate = *line;
}

static void note_stay(HdPlace *place, const HdEviction *line)
{
    (void)place;
    staying++;
    on_kernel_end_line = *line;
}

static HdCleanEviction leaves_answer;

static HdCleanEviction scripted_leaves(HdPlace *place, const HdEviction *line)
{
    (void)place;
    (void)line;
    return leaves_answer;
}

static const HdParameter parameters[] = {{.name = "queue", .value = 4, .min = 1, .max = 8},
                                         {0}};
static const HdStructure structures[] = {
    {"note", HD_EACH_L1, 0, HD_PER_LINE, Note_bits, sizeof(Note)},
    {"set", HD_EACH_L1, 0, HD_PER_SET, Note_bits, sizeof(Note)}, {0}};
static const HdMechanism scripted = {
    .name = "scripted", .parameters = parameters, .structures = structures,
    .l1 = {.decide_insert = scripted_fill, .on_evict = note_eviction, .on_invalidate = note_drop,
           .on_kernel_end_line = note_stay, .decide_clean_eviction = scripted_leaves}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    *library = NULL;
    if (strcmp(name, "scripted") == 0) return &scripted;
    hd_fail(err, "no %s", name);
    return NULL;
}

typedef struct Hooked {
    CacheConfig config;
    HookPlan plan;
    CacheHooks *hooks;
    Cache *cache;
} Hooked;

static void hooked_init(Hooked *h, const CacheConfig *config)
{
    HdError err = {0};
    *h = (Hooked){.config = *config};
    answer = HD_PASS;
    leaves_answer = HD_PASS;
    evictions = questions = drops = staying = 0;
    bool ok = plan_read(&h->plan, "scripted", find, &err) &&
              cache_hooks_new(&h->hooks, &h->plan, HOOK_L1, 0, 1, &err);
    h->cache = cache_made(&h->config);
    if (!ok || !cache_attach(h->cache, h->hooks, &err)) fail_msg("%s", err.text);
}

static void hooked_free(Hooked *h)
{
    cache_free(h->cache);
    cache_hooks_free(h->hooks);
    plan_free(&h->plan);
}

static Note *own_tag(const Hooked *h, uint64_t address)
{
    Note *notes = h->hooks->items[0].place.structures[0];
    return &notes[cache_line_index(h->cache, address)];
}

static const uint64_t A = 0, B = 256, C = 512; // lines of set 0, which has two ways

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
    assert_int_equal(h.hooks->access.victim, A);
    assert_int_equal(h.hooks->access.insertion, HD_BYPASS);
    check_outcome(load(h.cache, C, 2), CACHE_MERGED);
    check_stalled(load(h.cache, C, 3), STALL_MERGE);
    uint32_t tokens[2];
    CacheVictim victim;
    assert_int_equal(cache_fill(h.cache, C, tokens, &victim), 2);
    assert_int_equal(h.hooks->filled.line_index, HD_NO_INDEX);
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
    assert_false(h.hooks->access.tag_hit);
    fill_one(h.cache, C, 1);
    const CacheLine *line = cache_probe(h.cache, C);
    assert_non_null(line);
    assert_int_equal(line->valid | line->reserved, 0);
    check_outcome(load(h.cache, C, 2), CACHE_MISS);
    assert_true(h.hooks->access.tag_hit);
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
    assert_false(h.hooks->access.tag_hit);
    bring(h.cache, A + 32);
    assert_false(h.hooks->access.tag_hit);
    bring(h.cache, A);
    assert_true(h.hooks->access.tag_hit);
    answer = HD_PASS;
    bring(h.cache, A + 32); // from now on the line is there, and no decision is asked
    assert_true(h.hooks->access.tag_hit);
    questions = 0;
    bring(h.cache, A);
    assert_true(h.hooks->access.tag_hit);
    bring(h.cache, A + 64);
    assert_false(h.hooks->access.tag_hit);
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
    assert_int_equal(h.hooks->lines, 5);
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
    assert_true(h.hooks->lines >= LINES);
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
    assert_int_equal(h.hooks->sets, 2);
    Note *sets = h.hooks->items[0].place.structures[1];
    sets[0].number = 7;
    sets[1].number = 9;
    load(h.cache, A + 128, 1);
    assert_int_equal(h.hooks->access.set, 1);
    load(h.cache, A, 1);
    assert_int_equal(h.hooks->access.set, 0);
    fill_one(h.cache, A + 128, 1);
    check_outcome(load(h.cache, A + 128, 2), CACHE_HIT);
    assert_int_equal(h.hooks->access.set, 1);
    store(h.cache, A, 128);
    assert_int_equal(h.hooks->access.set, 0);
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
    assert_true(h.hooks->access.tag_hit);
    check_outcome(load(h.cache, A, 1), CACHE_HIT);
    bring(h.cache, B);
    assert_int_equal(h.hooks->filled.line_index,
                     cache_line_index(h.cache, B)); // not known at the miss
    assert_int_equal(h.hooks->filled.set, 0);
    assert_int_equal(h.hooks->access.victim, HD_NO_LINE);
    assert_int_equal(h.hooks->access.insertion, HD_INSERT);
    answer = HD_BYPASS;
    bring(h.cache, C);
    assert_int_equal(would_leave.line, A); // the victim if the data did not bypass
    assert_int_equal(h.hooks->access.victim, A);
    assert_int_equal(evictions, 0);
    hooked_free(&h);
}

// A load of these 32-byte sectors.
static CacheResult load_sectors(Hooked *h, uint64_t address, uint32_t token, uint8_t wanted)
{
    h->hooks->access.sector_mask = wanted;
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
    h.hooks->access.sector_mask = 4;
    bring(h.cache, 4 * 128);                                           // 0 goes to the buffer
    check_outcome(load_sectors(&h, 0, 1, 8), CACHE_HIT);                 // and comes back
    h.hooks->access.sector_mask = 2;
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
    h.hooks->access.sector_mask = 4;
    bring(h.cache, B + 64);
    bring(h.cache, C + 64); // A moves to the buffer
    cache_hooks_on_kernel(h.hooks, &(HdKernel){.name = "k"}, false);
    assert_int_equal(staying, 3);
    assert_int_equal(on_kernel_end_line.line, A); // the lines of the buffer are reported last
    assert_int_equal(on_kernel_end_line.used_sectors, 1 | 2);
    h.hooks->access.sector_mask = 1;
    store(h.cache, A, 4);
    assert_int_equal(drops, 0); // its second sector stays
    h.hooks->access.sector_mask = 8;
    store(h.cache, A + 32, 4);
    assert_int_equal(drops, 1);
    assert_int_equal(on_invalidate.line, A);
    assert_int_equal(on_invalidate.used_sectors, 1 | 2); // the invalidating store is no use
    assert_false(on_invalidate.tags_only);
    cache_invalidate(h.cache);
    assert_int_equal(drops, 3);
    assert_int_equal(on_invalidate.used_sectors, 4);
    assert_int_equal(evictions, 0);
    cache_hooks_on_kernel(h.hooks, &(HdKernel){.name = "k"}, false);
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
    h.hooks->access.sector_mask = 2;
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
    cache_hooks_lower_version(h.hooks, h.hooks->filled.line_index, 70);
    bring(h.cache, far);
    cache_hooks_lower_version(h.hooks, h.hooks->filled.line_index, 90);
    cache_hooks_lower_version(h.hooks, h.hooks->filled.line_index,
                              95);                        // the oldest of its sectors counts
    check_outcome(load(h.cache, 0, 1), CACHE_HIT);        // exchanged with the set
    assert_int_equal(h.hooks->versions[cache_line_index(h.cache, 0)], 70);
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
    h.hooks->access = (HdAccess){.kind = HD_COPY_BACK};
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
        cmocka_unit_test(test_bypass),    cmocka_unit_test(test_bypass_of_a_full_set),
        cmocka_unit_test(test_bypass_without_mshr),
        cmocka_unit_test(test_tags_only), cmocka_unit_test(test_tags_by_sector),
        cmocka_unit_test(test_tags_leave), cmocka_unit_test(test_copy_back),
        cmocka_unit_test(test_put),
        cmocka_unit_test(test_questions), cmocka_unit_test(test_structures_by_line),
        cmocka_unit_test(test_structures_by_set),
        cmocka_unit_test(test_growing),   cmocka_unit_test(test_on_fill),
        cmocka_unit_test(test_used),      cmocka_unit_test(test_used_on_fill),
        cmocka_unit_test(test_dropped),
    };
    return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}
