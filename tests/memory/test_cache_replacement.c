// Replacement by a mechanism: what decide_victim is asked, how the cache applies the answer, and
// the order of events. A set of four ways; the mechanism keeps a number for each line.
#include "cache_actions.h"
#include "hooks/cache_hooks.h"

#include <stdio.h>
#include <string.h>

static HdWay answer;
static HdInsertion insertion;
static char events[256]; // a letter for each event, and the way or the line
static HdRoomState room_state;
static unsigned asked;
static uint64_t reserved;

#define NOTE(F) F(number, 8)
HD_BIT_FIELDS(Note, NOTE);

static void add_event(char letter, uint64_t number)
{
    size_t length = strlen(events);
    snprintf(events + length, sizeof events - length, "%c%u ", letter, (unsigned)number);
}

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    (void)place;
    assert_int_equal(ways->count, 4);
    assert_int_equal(ways->first, 0);
    reserved = *ways->reserved;
    asked++;
    return answer;
}

// The number of the line that leaves is still there.
static void on_replace(HdPlace *place, const HdWays *ways, uint32_t way)
{
    const Note *notes = place->structures[0];
    add_event('r', way);
    assert_int_equal(notes[ways->first + way].number, way + 1);
}

static void on_evict(HdPlace *place, const HdEviction *line)
{
    (void)place;
    add_event('e', line->line / 128);
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    Note *notes = place->structures[0];
    add_event('i', access->line / 128);
    assert_int_equal(notes[access->line_index].number, 0);
    notes[access->line_index].number = access->line_index + 1;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    room_state = room->state;
    if (room->state == HD_ROOM_VICTIM) add_event('v', room->victim.line / 128);
    return insertion;
}

static const HdStructure structures[] = {
    {"note", HD_EACH_L1, 0, HD_PER_LINE, Note_bits, sizeof(Note)}, {0}};
static const HdMechanism scripted = {
    .name = "scripted", .structures = structures,
    .l1 = {.decide_victim = decide_victim, .on_replace = on_replace, .on_evict = on_evict,
           .on_insert = on_insert, .decide_insert = decide_insert}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &scripted;
}

static CacheConfig config;
static HookPlan plan;
static CacheHooks *hooks;
static Cache *cache;

static void begin(CacheAllocate allocate, uint32_t victim_entries)
{
    HdError err = {0};
    config = tiny_config();
    config.ways = 4;
    config.allocate = allocate;
    config.write = config.local_write = WRITE_EVICT;
    config.mshr_entries = 8;
    config.victim_entries = victim_entries;
    answer = HD_PASS;
    insertion = HD_PASS;
    asked = 0;
    *events = 0;
    plan = (HookPlan){0};
    bool ok = plan_read(&plan, "scripted", find, &err) &&
              cache_hooks_new(&hooks, &plan, HOOK_L1, 0, 1, &err);
    cache = cache_made(&config);
    if (!ok || !cache_attach(cache, hooks, &err)) fail_msg("%s", err.text);
}

static void end(void)
{
    cache_free(cache);
    cache_hooks_free(hooks);
    plan_free(&plan);
}

// A load of line n, as an L1 makes it. Returns what the cache says.
static CacheResult look(unsigned n)
{
    hooks->current.access = (HdAccess){.line = n * 128, .kind = HD_LOAD, .sector_mask = 15};
    CacheResult result = load(cache, n * 128, 9);
    if (result.outcome != CACHE_STALLED) cache_hooks_on_insert(hooks, &hooks->current.access);
    return result;
}

// Its data come.
static void arrive(unsigned n)
{
    fill_one(cache, n * 128, 9);
    hooks->current.filled.line = n * 128;
    cache_hooks_on_insert(hooks, &hooks->current.filled);
}

static void miss(unsigned n)
{
    check_outcome(look(n), CACHE_MISS);
    arrive(n);
}

static void expect_events(const char *expected)
{
    assert_string_equal(events, expected);
    *events = 0;
}

// As long as a way is free, nothing is asked. Then the answer's way makes room, or by HD_PASS the
// least recently used one.
static void test_choice(void **state)
{
    (void)state;
    begin(ALLOCATE_ON_MISS, 0);
    for (unsigned n = 0; n < 4; n++) miss(n);
    expect_events("i0 i1 i2 i3 ");
    assert_int_equal(asked, 0);
    assert_int_equal(room_state, HD_ROOM_FREE);
    answer = HD_WAY(2);
    miss(4);
    expect_events("v2 r2 e2 i4 ");
    assert_int_equal(room_state, HD_ROOM_VICTIM);
    answer = HD_PASS;
    miss(5);
    expect_events("v0 r0 e0 i5 ");
    check_outcome(look(4), CACHE_HIT);
    assert_null(cache_probe(cache, 2 * 128));
    end();
}

// Ways that wait for data cannot be chosen. If all wait, nothing is asked, and the miss stalls; if
// its data bypass the cache, it does not.
static void test_reserved(void **state)
{
    (void)state;
    begin(ALLOCATE_ON_MISS, 0);
    for (unsigned n = 0; n < 4; n++) check_outcome(look(n), CACHE_MISS);
    *events = 0;
    check_stalled(look(4), STALL_LINE);
    assert_int_equal(asked, 0);
    assert_int_equal(room_state, HD_ROOM_RESERVED);
    insertion = HD_BYPASS;
    check_outcome(look(4), CACHE_MISS);
    arrive(4);
    insertion = HD_PASS;
    arrive(1);
    arrive(3);
    answer = HD_WAY(3);
    check_outcome(look(5), CACHE_MISS);
    assert_int_equal(reserved, 5); // ways 0 and 2
    expect_events("v3 r3 e3 i5 ");
    assert_int_equal(hooks->wrong.what, WRONG_NONE);
    end();
}

// A way that waits for data, or that does not exist, is a fault of the mechanism. The cache goes on
// by its own policy, until the launch ends with a message.
static void test_wrong(void **state)
{
    (void)state;
    static const HdWay wrong[] = {HD_WAY(0), HD_WAY(4), UINT32_MAX};
    for (unsigned i = 0; i < 3; i++) {
        begin(ALLOCATE_ON_MISS, 0);
        check_outcome(look(0), CACHE_MISS);
        for (unsigned n = 1; n < 4; n++) miss(n);
        *events = 0;
        answer = wrong[i];
        check_outcome(look(4), CACHE_MISS);
        expect_events("v1 r1 e1 i4 ");
        assert_int_equal(hooks->wrong.what, WRONG_WAY);
        assert_string_equal(hooks->wrong.author, "scripted");
        end();
    }
}

// A miss that stalls for another reason asks again, and tells nothing.
static void test_again(void **state)
{
    (void)state;
    begin(ALLOCATE_ON_MISS, 0);
    for (unsigned n = 0; n < 4; n++) miss(n);
    *events = 0;
    answer = HD_WAY(1);
    check_stalled(load_room(cache, 4 * 128, 9, 0), STALL_MISS_QUEUE);
    check_stalled(load_room(cache, 4 * 128, 9, 0), STALL_MISS_QUEUE);
    assert_int_equal(asked, 2);
    expect_events("v1 v1 ");
    miss(4);
    expect_events("v1 r1 e1 i4 ");
    end();
}

// The cache allocates on fill: the miss asks for the victim as if the data arrived now; the fill
// asks again, and its answer counts.
static void test_on_fill(void **state)
{
    (void)state;
    begin(ALLOCATE_ON_FILL, 0);
    for (unsigned n = 0; n < 4; n++) miss(n);
    *events = 0;
    answer = HD_WAY(2);
    check_outcome(look(4), CACHE_MISS);
    expect_events("v2 ");
    answer = HD_WAY(3);
    arrive(4);
    expect_events("r3 e3 i4 ");
    end();
}

// With a victim buffer the replaced line goes there; the line that leaves the cache is the buffer's
// oldest one. A line that returns from the buffer replaces the chosen one, which takes its place,
// with the numbers of both.
static void test_victim_buffer(void **state)
{
    (void)state;
    begin(ALLOCATE_ON_MISS, 1);
    for (unsigned n = 0; n < 4; n++) miss(n);
    *events = 0;
    answer = HD_WAY(2);
    miss(4); // 2 goes into the buffer
    expect_events("r2 i4 ");
    answer = HD_WAY(1);
    miss(5); // 1 goes into the buffer, 2 leaves
    expect_events("v2 r1 e2 i5 ");
    answer = HD_WAY(3);
    check_outcome(look(1), CACHE_HIT); // returns for 3
    expect_events("r3 ");
    assert_int_equal(cache_line_index(cache, 1 * 128), 3);
    assert_int_equal(cache_line_index(cache, 3 * 128), 4);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),  cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_wrong),   cmocka_unit_test(test_again),
        cmocka_unit_test(test_on_fill), cmocka_unit_test(test_victim_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
