// The reorder unit on random streams of any configuration: no deadlock, and the invariants of a
// launch. Nothing depends on the order in which slices run, or on cycles in which nothing is due.
#include "mechanisms/engine_rig.h"
#include "support/crossed.h"

#include <stdlib.h>
#include <string.h>

extern const HdMechanism mechanism_iru;

enum { MOST = 4000, NONE = 0, MIN = 1, ADD = 2, LATEST = 1 << 30 };

// ---- a stream ----

typedef struct Stream {
    uint64_t random; // state
    uint32_t indices[MOST], secondaries[MOST], count;
    unsigned slices, filter, instruction, warps, lanes; // lanes 0: any number for each request
    bool has_secondary, apart; // apart: secondaries are not in the slices of their indices
    uint32_t asked;            // lanes so far
    uint32_t target;           // lanes that have to be asked for
    unsigned sm;               // slices take turns
} Stream;

static uint32_t draw(Stream *s, uint32_t below)
{
    s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((s->random >> 33) % below);
}

static uint32_t choose(Stream *s, const uint32_t *values, uint32_t count)
{
    return values[draw(s, count)];
}
#define CHOOSE(s, ...)                                                                             \
    choose(s, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Indices are in few blocks, or in many; secondaries of ADD are powers of two.
static void make(Stream *s)
{
    uint32_t range = CHOOSE(s, 1, 33, 200, 5000, 1 << 24);
    for (uint32_t i = 0; i < s->count; i++) {
        s->indices[i] = draw(s, range);
        s->secondaries[i] = s->filter == ADD ? float_bits((float)(1u << draw(s, 4))) : draw(s, 50);
    }
}

static uint32_t draw_lanes(Stream *s)
{
    uint32_t lanes = 0;
    unsigned count = s->lanes ? s->lanes : 1 + draw(s, 32);
    if (count == 32) return UINT32_MAX;
    while ((unsigned)__builtin_popcount(lanes) < count) lanes |= UINT32_C(1) << draw(s, 32);
    return lanes;
}

// The next request of a warp, if lanes have still to be asked for.
static void ask(EngineRig *rig, Stream *s, uint64_t cycle)
{
    if (s->asked >= s->target) return;
    uint32_t lanes = draw_lanes(s);
    s->asked += (uint32_t)__builtin_popcount(lanes);
    engine_rig_request(rig, s->sm++ % s->slices, lanes, s->instruction, cycle);
}

static void on_answer(EngineRig *rig, uint32_t number)
{
    Stream *s = rig->context;
    (void)number;
    ask(rig, s, rig->cycle + 1 + draw(s, 3) * 20);
}

static void configure(EngineRig *rig, Stream *s)
{
    unsigned offset = draw(s, 3) ? 0 : draw(s, 64);
    uint64_t indices = engine_rig_words(rig, s->indices, s->count, offset), secondary = 0;
    if (s->has_secondary) {
        uint64_t end = rig->allocated;
        // The same distance from a turn of all slices, or not.
        unsigned turn = 256 * s->slices;
        uint64_t turns = (end + turn - 1) / turn * turn;
        rig->allocated =
            (uint32_t)(turns + (indices - ENGINE_RIG_BASE) / 256 % s->slices * 256);
        if (s->apart) rig->allocated += draw(s, 7) * 256;
        secondary = engine_rig_words(rig, s->secondaries, s->count,
                                     s->apart ? offset + draw(s, 3) : offset);
    }
    uint64_t values[] = {0, 4, indices, secondary, s->count, s->filter};
    const char *wrong = engine_rig_call(rig, "configure", values, 6);
    if (wrong) fail_msg("%s", wrong);
}

// ---- invariants ----

static void check_lanes(const Stream *s, const EngineRigRequest *r)
{
    uint32_t predicate = r->reply.predicate, rest = r->lanes & ~predicate;
    assert_int_equal(predicate & ~r->lanes, 0);
    // Enabled lanes are the first ones.
    if (predicate && rest) assert_true(predicate < (rest & -rest));
    unsigned enabled = (unsigned)__builtin_popcount(predicate);
    unsigned each = (s->instruction & 1 ? 4u : 0u) + (s->instruction & 2 ? 3u : 0u);
    assert_int_equal(r->reply.bytes[0], 3 * enabled + 4);
    assert_int_equal(r->reply.bytes[1], each * enabled);
}

typedef struct Sums {
    double of_array, delivered;
} Sums;

static void check_element(const Stream *s, const EngineRigRequest *r, unsigned lane, bool *seen,
                          Sums *sums)
{
    uint32_t index = r->reply.values[0][lane], secondary = r->reply.values[1][lane];
    uint32_t position = r->reply.values[s->instruction & 1 ? 2 : 1][lane];
    if (s->instruction & 2) {
        assert_true(position < s->count && !seen[position]);
        seen[position] = true;
        assert_int_equal(s->indices[position], index);
        if (s->instruction & 1 && s->filter != ADD)
            assert_int_equal(s->secondaries[position], secondary);
    }
    if (s->instruction & 1 && s->filter == ADD) sums->delivered += (double)float_of(secondary);
}

// With min: an index keeps its smallest secondary.
static void check_smallest(const EngineRig *rig, const Stream *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t smallest = UINT32_MAX;
        for (uint32_t n = 0; n < rig->request_count; n++)
            for (uint32_t m = rig->requests[n].reply.predicate; m; m &= m - 1) {
                const HdEngineReply *reply = &rig->requests[n].reply;
                unsigned lane = (unsigned)__builtin_ctz(m);
                if (reply->values[0][lane] == s->indices[i] && reply->values[1][lane] < smallest)
                    smallest = reply->values[1][lane];
            }
        assert_true(smallest <= s->secondaries[i]);
    }
}

static void check(EngineRig *rig, const Stream *s)
{
    static bool seen[MOST];
    uint32_t enabled = 0, partly = 0;
    Sums sums = {0, 0};
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < rig->request_count; i++) {
        const EngineRigRequest *r = &rig->requests[i];
        if (r->answered == UINT64_MAX) fail_msg("request %u has no reply: deadlock", i);
        check_lanes(s, r);
        partly += r->reply.predicate && r->reply.predicate != r->lanes;
        enabled += (uint32_t)__builtin_popcount(r->reply.predicate);
        for (uint32_t m = r->reply.predicate; m; m &= m - 1)
            check_element(s, r, (unsigned)__builtin_ctz(m), seen, &sums);
    }
    uint64_t merged = engine_rig_counter(rig, "merged");
    assert_int_equal(enabled + merged, s->count);
    assert_true(partly <= s->slices);
    assert_int_equal(engine_rig_counter(rig, "read"), s->count);
    assert_int_equal(engine_rig_counter(rig, "asked"), s->asked);
    assert_int_equal(engine_rig_counter(rig, "delivered"), enabled);
    assert_int_equal(engine_rig_counter(rig, "enabled"), enabled);
    assert_int_equal(engine_rig_counter(rig, "disabled"), s->asked - enabled);
    assert_int_equal(engine_rig_counter(rig, "partly_disabled"), partly);
    assert_int_equal(engine_rig_counter(rig, "replies_by_entry") +
                     engine_rig_counter(rig, "replies_by_timeout") +
                     engine_rig_counter(rig, "replies_by_end"), rig->request_count);
    if (s->filter == NONE) assert_int_equal(merged, 0);
    for (uint32_t i = 0; s->filter == ADD && i < s->count; i++)
        sums.of_array += (double)float_of(s->secondaries[i]);
    if (s->instruction & 1 && s->filter == ADD) assert_true(sums.of_array == sums.delivered);
    if (s->instruction & 1 && s->filter == MIN && s->count < 300) check_smallest(rig, s);
}

// ---- runs ----

static EngineRig *run(Stream *s, const char *const *names, const double *values, unsigned count,
                      bool every, bool reversed)
{
    EngineRig *rig = engine_rig_new(&mechanism_iru, s->slices);
    for (unsigned i = 0; i < count; i++) engine_rig_set(rig, names[i], values[i]);
    rig->context = s;
    rig->on_answer = on_answer;
    rig->every = every;
    rig->reversed = reversed;
    rig->latency = 1 + draw(s, 300);
    rig->reply_places = 2 + draw(s, 8);
    rig->reply_cycles = 1 + draw(s, 10);
    configure(rig, s);
    engine_rig_begin(rig, 1u << s->instruction, true);
    for (unsigned i = 0; i < s->warps; i++) ask(rig, s, draw(s, 200));
    engine_rig_run(rig, LATEST);
    check(rig, s);
    const char *fault = engine_rig_end(rig, true);
    if (fault) fail_msg("%s", fault);
    for (unsigned n = 0; n < rig->slices; n++)
        for (unsigned i = 0; i < ENGINE_RIG_LINKS; i++)
            assert_int_equal(rig->slice[n].links[i].count, 0);
    return rig;
}

static Stream draw_stream(uint64_t seed)
{
    Stream s = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    s.slices = CHOOSE(&s, 1, 2, 3, 4, 5, 6, 8, 12, 16);
    s.count = 1 + draw(&s, CHOOSE(&s, 5, 100, 700, MOST));
    s.filter = draw(&s, 3);
    s.instruction = draw(&s, 4);
    s.has_secondary = s.filter == ADD || s.instruction & 1 || draw(&s, 2);
    s.apart = draw(&s, 2);
    s.warps = 1 + draw(&s, CHOOSE(&s, 1, 8, 100));
    s.lanes = CHOOSE(&s, 0, 0, 1, 4, 32);
    s.target = s.count + (draw(&s, 2) ? draw(&s, 100) : 0);
    make(&s);
    return s;
}

static const char *const names[] = {"entry", "sets", "banks", "timeout", "prefetches", "reads",
                                    "requests", "classifier", "ring", "channel", "ties", "since",
                                    "block", "table", "window", "balance", "head", "lines"};
enum { NAMES = sizeof names / sizeof *names };

static void draw_parameters(Stream *s, double *values)
{
    const uint32_t drawn[NAMES] = {
        CHOOSE(s, 1, 2, 4, 32, 32), CHOOSE(s, 1, 2, 3, 16, 256, 1000), 1 + draw(s, 2),
        CHOOSE(s, 1, 10, 100, 500, 2000), CHOOSE(s, 1, 2, 8, 8), CHOOSE(s, 1, 2, 16),
        CHOOSE(s, 1, 2, 256), CHOOSE(s, 1, 2, 32), CHOOSE(s, 1, 2, 3, 72), CHOOSE(s, 1, 1, 2, 4),
        draw(s, 2), draw(s, 2), draw(s, 2), CHOOSE(s, 0, 0, 0, 1), CHOOSE(s, 1, 1, 2, 64),
        draw(s, 2), draw(s, 2), CHOOSE(s, 0, 0, 1, 3, 20)};
    for (unsigned i = 0; i < NAMES; i++) values[i] = drawn[i];
}

// Whether two runs answered alike, cycle by cycle.
static void same(const EngineRig *a, const EngineRig *b)
{
    assert_int_equal(a->request_count, b->request_count);
    for (uint32_t i = 0; i < a->request_count; i++) {
        const EngineRigRequest *r = &a->requests[i], *other = &b->requests[i];
        assert_int_equal(r->answered, other->answered);
        assert_memory_equal(&r->reply, &other->reply, sizeof r->reply);
    }
    for (unsigned n = 0; n < a->slices; n++)
        assert_memory_equal(a->slice[n].counters, b->slice[n].counters,
                            sizeof a->slice[n].counters);
}

static void test_random(void **state)
{
    (void)state;
    const char *text = getenv("STREAMS"), *from = getenv("FIRST");
    unsigned long streams = text ? strtoul(text, NULL, 10) : all_crossed() ? 5000 : 500;
    for (unsigned long seed = from ? strtoul(from, NULL, 10) : 0; streams--; seed++) {
        Stream s = draw_stream(seed);
        double values[NAMES];
        draw_parameters(&s, values);
        if (text) print_message("stream %lu\n", seed);
        engine_rig_free(run(&s, names, values, NAMES, false, false));
    }
}

// With engines run in each cycle, and slices in the other order, nothing changes.
static void test_same(void **state)
{
    (void)state;
    for (unsigned long seed = 10000; seed < 10050; seed++) {
        Stream s[3];
        EngineRig *rigs[3];
        for (unsigned i = 0; i < 3; i++) {
            double values[NAMES];
            s[i] = draw_stream(seed);
            s[i].count = s[i].count % 500 + 1;
            s[i].target = s[i].count;
            s[i].lanes = s[i].lanes ? s[i].lanes : 7; // drawn in the order of answers otherwise
            draw_parameters(&s[i], values);
            s[i].warps = 500; // all requests are there at the start
            rigs[i] = run(&s[i], names, values, NAMES, i == 1, i == 2);
        }
        same(rigs[0], rigs[1]);
        same(rigs[0], rigs[2]);
        for (unsigned i = 0; i < 3; i++) engine_rig_free(rigs[i]);
    }
}

// Everything has one place, and the timeout is the least and the greatest.
static void test_ones(void **state)
{
    (void)state;
    static const unsigned slices[] = {1, 2, 3, 4, 5, 7, 12, 30};
    for (unsigned i = 0; i < sizeof slices / sizeof *slices; i++)
        for (unsigned filter = 0; filter < 3; filter++)
            for (unsigned long timeout = 1; timeout <= 1000000; timeout *= 1000000)
                for (unsigned lanes = 0; lanes <= 32; lanes += lanes ? 31 : 1) {
                    unsigned other = (filter + lanes) % 2; // rules of balancing and ring heads
                    // Single lanes wait for long: with one filter for each number of slices.
                    if (lanes == 1 && timeout > 1 && filter != i % 3 && !all_crossed()) continue;
                    Stream s = {.random = i + filter + lanes, .slices = slices[i], .count = 150,
                                .filter = filter, .instruction = 3, .has_secondary = true,
                                .apart = true, .warps = 1 + i, .lanes = lanes, .target = 170};
                    double values[NAMES] = {1, 1, 1, (double)timeout, 1, 1, 1, 1, 1, 1,
                                            0, 0, 0, 0, 1, other, other, 0};
                    make(&s);
                    engine_rig_free(run(&s, names, values, NAMES, false, false));
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_same),
                                       cmocka_unit_test(test_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
