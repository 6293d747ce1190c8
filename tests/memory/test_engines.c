// Engines of mechanisms at slices: requests, replies, reads and links. Ticks as in test_slice.c: a
// request that is sent at `time` is at the slice at time + 10 + 1 + 20.
#include "hooks/engine_hooks.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SLICES = 3, MOST = 64, HOLDS = 2 };
enum { READS, RIGHT, LEFT }; // structures

typedef struct Word {
    uint32_t value : 32;
} Word;

// What the engines do, and what they have seen.
typedef struct Probe {
    uint64_t (*act)(HdPlace *place, uint64_t cycle);
    uint64_t cycles[MOST]; // of slice 0's on_cycle, and
    unsigned cycle_count;  // how many
    HdEngineRequest held[MOST];
    unsigned held_count, room;
    HdEngineData data[MOST];
    uint32_t first_words[MOST];
    unsigned data_count;
    uint64_t received[SLICES][MOST]; // cycles of words from the left
    unsigned received_count[SLICES];
    uint64_t line;
    bool past;
} Probe;
static Probe probe;

static bool take_request(HdPlace *place, const HdEngineRequest *request)
{
    (void)place;
    if (probe.held_count == probe.room) return false;
    probe.held[probe.held_count++] = *request;
    return true;
}

static void on_data(HdPlace *place, const HdEngineData *data)
{
    (void)place;
    assert_true(probe.data_count < MOST);
    memcpy(&probe.first_words[probe.data_count], data->bytes, sizeof(uint32_t));
    probe.data[probe.data_count++] = *data;
}

static uint64_t on_cycle(HdPlace *place, uint64_t cycle)
{
    if (place->number == 0 && probe.cycle_count < MOST) probe.cycles[probe.cycle_count++] = cycle;
    return probe.act ? probe.act(place, cycle) : UINT64_MAX;
}

static uint32_t execute(HdPlace *place, const HdEngineRequest *request, uint32_t lanes,
                        HdEngineReply *reply)
{
    (void)request;
    uint32_t word, mine = lanes & 3u << 2 * place->number; // two lanes of each slice
    if (!hd_peek(place, probe.line, &word, sizeof word)) return 0;
    for (unsigned lane = 0; lane < HD_ENGINE_LANES; lane++)
        if (mine >> lane & 1) reply->values[0][lane] = word + lane;
    reply->predicate |= mine;
    return mine;
}

static const HdParameter parameters[] = {
    {.name = "reads", .description = "Reads.", .value = 2, .min = 1, .max = 8, .kind = HD_WHOLE},
    {.name = "link", .description = "Places of a link.", .value = 2, .min = 1, .max = 8,
     .kind = HD_WHOLE},
    {0}};
static const HdStructure structures[] = {
    [READS] = {"reads", HD_EACH_L2, 0, HD_READS, HD_READ_BITS(4), sizeof(HdReadEntry)},
    [RIGHT] = {"right", HD_EACH_L2, 1, HD_FROM_PREVIOUS, 32, sizeof(Word)},
    [LEFT] = {"left", HD_EACH_L2, 1, HD_FROM_NEXT, 32, sizeof(Word)},
    {0}};
static const HdEngineInstruction instructions[] = {{"probe", "pr", 32, "Asks the probe."}, {0}};
static const HdMechanism probing = {
    .name = "probing", .description = "Probes.", .paper = "none", .parameters = parameters,
    .structures = structures, .instructions = instructions,
    .engine = {take_request, on_data, on_cycle, execute}};

static const HdMechanism *find(const char *name, void **library, HdError *err)
{
    (void)name;
    (void)err;
    *library = NULL;
    return &probing;
}

typedef struct Engines {
    Rig rig;
    GuestMemory guest;
    HookPlan plan;
    CacheHooks *hooks[SLICES];
    unsigned slices;
    EngineRequest asked[MOST];
} Engines;

static void start(Engines *u, unsigned slices, const char *mechanism, bool no_skip)
{
    HdError err = {0};
    *u = (Engines){.slices = slices};
    probe = (Probe){.room = MOST};
    rig_init(&u->rig);
    u->rig.slice.count = slices;
    u->rig.slice.select = slices > 1 ? SELECT_INTERLEAVE : SELECT_BANK;
    u->rig.linked = true;
    assert_true(guest_init(&u->guest, &err));
    probe.line = guest_allocate(&u->guest, 4096, "words", &err);
    *(uint32_t *)guest_host(&u->guest, probe.line) = 77;
    rig_start(&u->rig, &u->guest);
    if (!plan_read(&u->plan, mechanism, find, &err)) fail_msg("%s", err.text);
    for (unsigned i = 0; i < slices; i++)
        if (!cache_hooks_new(&u->hooks[i], &u->plan, HOOK_L2, i, 1, &err) ||
            !memory_side_attach(u->rig.memory, i, u->hooks[i], &err))
            fail_msg("%s", err.text);
    for (unsigned i = 0; i < slices; i++) cache_hooks_set_place_count(u->hooks[i], slices);
    engine_hooks_connect(u->hooks, slices);
    memory_side_no_skip(u->rig.memory, no_skip);
}

// The engines begin in this cycle: the kernel has begun 31 before.
static void begin(Engines *u, Tick cycle)
{
    memory_side_begin_engines(u->rig.memory, cycle - 31);
}

static void stop(Engines *u)
{
    rig_stop(&u->rig);
    for (unsigned i = 0; i < u->slices; i++) cache_hooks_free(u->hooks[i]);
    plan_free(&u->plan);
    guest_free(&u->guest);
}

// A warp of this SM asks the engine of a slice.
static void ask(Engines *u, unsigned sm, Tick time, unsigned slice, uint32_t token)
{
    MemRequest *request = rig_send(&u->rig, sm, MEM_ENGINE, time, 0, 0, token);
    request->slice = (uint16_t)slice;
    request->engine = &u->asked[token];
    request->lanes = 0xf;
    request->warp_slot = 5;
    request->pc = 9;
    request->bytes = 4;
}

// ---- requests and replies ----

// Answers what it holds, the newest first.
static uint64_t answer_newest(HdPlace *place, uint64_t cycle)
{
    (void)cycle;
    while (probe.held_count) {
        HdEngineReply reply = {.predicate = 5, .values = {{1, 2, 3, 4}}, .bytes = {40, 8}};
        assert_true(hd_answer(place, probe.held[probe.held_count - 1].number, &reply));
        probe.held_count--;
    }
    return UINT64_MAX;
}

// The engine gets the request in the cycle in which the tags would, and answers in the same. The
// two packets leave one after the other: of 40 + 8 bytes, 2 flits, and of 8 + 8 bytes, 1 flit; they
// arrive 10 later.
static void test_answer(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Engines u;
        start(&u, SLICES, "probing", no_skip);
        probe.act = answer_newest;
        ask(&u, 1, 100, 2, 3);
        rig_run(&u.rig, 131);
        assert_int_equal(u.rig.in[1].reply_count, 0);
        rig_run(&u.rig, 200);
        assert_int_equal(probe.held[0].cycle, 131);
        assert_int_equal(probe.held[0].lanes, 0xf);
        assert_int_equal(probe.held[0].pc, 9);
        assert_int_equal(probe.held[0].sm, 1);
        assert_int_equal(probe.held[0].warp_slot, 5);
        const RigInbox *in = &u.rig.in[1];
        assert_int_equal(in->reply_count, 2);
        assert_false(in->replies[0].last);
        assert_int_equal(in->replies[0].time, 131 + 2 + 10);
        assert_true(in->replies[1].last);
        assert_int_equal(in->replies[1].time, 131 + 3 + 10);
        assert_int_equal(in->replies[1].token, 3);
        assert_int_equal(in->replies[1].slice, 2);
        assert_int_equal(in->credit_count, 1);
        assert_int_equal(u.asked[3].reply.predicate, 5);
        assert_int_equal(u.asked[3].reply.values[0][3], 4);
        assert_int_equal(memory_side_outstanding(u.rig.memory), 0);
        rig_count(&u.rig, 200);
        assert_int_equal(u.rig.icnt_counters.to_memory_by_kind[MEM_ENGINE], 1);
        assert_int_equal(u.rig.icnt_counters.to_sm_by_kind[MEM_ENGINE], 3);
        assert_int_equal(u.rig.icnt_counters.requests_answered, 1);
        assert_int_equal(u.rig.l2_counters.accesses, 0);
        stop(&u);
    }
}

// At 140 the engine gets room for one more.
static uint64_t make_room(HdPlace *place, uint64_t cycle)
{
    if (place->number || cycle < 140) return place->number ? UINT64_MAX : 140;
    probe.room = 2;
    return UINT64_MAX;
}

// The engine has room for one request. The second stalls at the slice's input, and with it the load
// behind; but a read of the engine is looked up. At 140 there is room for the second, which is
// taken at 141. The load follows in 142.
static void test_no_room(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Engines u;
        start(&u, 1, "probing", no_skip);
        probe.room = 1;
        probe.act = make_room;
        ask(&u, 0, 100, 0, 1);
        ask(&u, 0, 101, 0, 2);
        rig_send(&u.rig, 0, MEM_LOAD, 102, probe.line, 1, 3);
        rig_run(&u.rig, 141);
        assert_int_equal(probe.held_count, 1);
        rig_count(&u.rig, 141);
        assert_int_equal(u.rig.icnt_counters.stall_engine, 141 - 132);
        assert_int_equal(u.rig.l2_counters.accesses, 0);
        rig_run(&u.rig, 142);
        assert_int_equal(probe.held_count, 2);
        assert_int_equal(probe.held[1].cycle, 141);
        rig_run(&u.rig, 143);
        rig_count(&u.rig, 143);
        assert_int_equal(u.rig.l2_counters.accesses, 1);
        assert_int_equal(u.rig.icnt_counters.stall_engine, 141 - 132);
        stop(&u);
    }
}

static uint64_t answer_one_by_one(HdPlace *place, uint64_t cycle)
{
    HdEngineReply reply = {.bytes = {120, 0}};
    while (probe.held_count && hd_answer(place, probe.held[0].number, &reply))
        memmove(probe.held, probe.held + 1, --probe.held_count * sizeof *probe.held);
    return probe.held_count ? cycle + 1 : UINT64_MAX;
}

// A reply queue of 2: the third reply, of 4 flits as the others, waits until the first has left.
static void test_full_reply_queue(void **state)
{
    (void)state;
    Engines u;
    start(&u, 1, "probing", false);
    u.rig.slice.reply_queue = 2; // read at each reply
    probe.act = answer_one_by_one;
    for (unsigned i = 0; i < 4; i++) ask(&u, i, 100, 0, i);
    rig_finish(&u.rig, 200);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig_reply(&u.rig, i, i)->time, 131 + 4 * (i + 1) + 10);
    stop(&u);
}

static uint64_t answer_wrong(HdPlace *place, uint64_t cycle)
{
    (void)cycle;
    HdEngineReply reply = {0};
    assert_false(hd_answer(place, probe.held[0].number + 1, &reply));
    return UINT64_MAX;
}

static void test_wrong_number(void **state)
{
    (void)state;
    Engines u;
    start(&u, 1, "probing", false);
    probe.act = answer_wrong;
    ask(&u, 0, 100, 0, 1);
    rig_run(&u.rig, 140);
    assert_string_equal(u.hooks[0]->fault.author, "probing");
    assert_string_equal(u.hooks[0]->fault.text, "its engine answers request 1, which it does not "
                                                "have: expected the number of one that it has "
                                                "taken");
    stop(&u);
}

// ---- reads ----

// Reads three lines of the slice, of which two fit into its structure at once.
static uint64_t read_lines(HdPlace *place, uint64_t cycle)
{
    static unsigned asked;
    if (probe.cycle_count == 1) asked = 0;
    for (; asked < 3; asked++)
        if (!hd_read_line(place, probe.line + 128 * asked, 15, asked, probe.past)) break;
    assert_int_equal(hd_slice_of(place, probe.line), 0);
    assert_false(hd_peek(place, probe.line, &asked, sizeof asked));
    (void)cycle;
    return UINT64_MAX;
}

// The engines begin at 100. In cycle 101 the first of four sectors is looked up, which misses: it
// waits 30, DRAM takes 10 + 12 + 2 and its return 1, and the fill pipe 5. The data are those at the
// fill of the fourth sector.
static void read_at_100(Engines *u)
{
    probe.act = read_lines;
    begin(u, 100);
    assert_true(memory_side_busy(u->rig.memory));
    assert_true(memory_side_next(u->rig.memory) <= 100);
    rig_finish(&u->rig, 1000);
    assert_int_equal(probe.data_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(probe.data[i].tag, i);
        assert_int_equal(probe.data[i].line, probe.line + 128 * i);
        assert_int_equal(probe.data[i].sectors, 15);
    }
    assert_int_equal(probe.first_words[0], 77);
    assert_int_equal(probe.first_words[1], 0);
}

static void test_reads(void **state)
{
    (void)state;
    uint64_t cycles[2][3];
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Engines u;
        start(&u, 1, "probing", no_skip);
        read_at_100(&u);
        for (unsigned i = 0; i < 3; i++) cycles[no_skip][i] = probe.data[i].cycle;
        rig_count(&u.rig, 1000);
        assert_int_equal(u.rig.l2_counters.load_accesses, 12);
        assert_int_equal(u.rig.l2_counters.load_misses, 12);
        assert_int_equal(u.rig.l2_counters.insertions, 3);
        assert_int_equal(u.rig.icnt_counters.packets_to_memory, 0);
        // All data are there now: the four look-ups of a line follow each other, and the last one
        // has its data 7 later.
        probe.data_count = probe.cycle_count = 0;
        begin(&u, 2000);
        rig_finish(&u.rig, 3000);
        assert_int_equal(probe.data[0].cycle, 2004 + 7);
        assert_int_equal(probe.data[1].cycle, 2008 + 7);
        assert_int_equal(probe.data[2].cycle, 2015 + 7); // asked for at 2011
        stop(&u);
    }
    assert_memory_equal(cycles[0], cycles[1], sizeof cycles[0]);
    assert_true(cycles[0][0] >= 101 + 3 + 30 + 24);
}

// Past the L2: no line gets a way. A dirty line comes from the L2.
static void test_past(void **state)
{
    (void)state;
    Engines u;
    start(&u, 1, "probing", false);
    probe.past = true;
    rig_send(&u.rig, 0, MEM_STORE, 0, probe.line, 15, 1);
    rig_finish(&u.rig, 90);
    read_at_100(&u);
    rig_count(&u.rig, 1000);
    assert_int_equal(u.rig.l2_counters.load_hits, 4);
    assert_int_equal(u.rig.l2_counters.load_misses, 8);
    assert_int_equal(u.rig.l2_counters.insertions, 1); // the store's
    stop(&u);
}

// A load of an SM and the engine's reads take turns at the tags.
static void test_turns(void **state)
{
    (void)state;
    Engines u;
    start(&u, 1, "probing", false);
    for (unsigned i = 0; i < 3; i++) // all lines are there
        rig_send(&u.rig, 0, MEM_LOAD, 10 + i, probe.line + 128 * i, 15, 1 + i);
    rig_finish(&u.rig, 1000);
    probe.act = read_lines;
    // The first read begins at 2001; four loads come before it ends, and wait for it.
    begin(&u, 2000);
    for (unsigned i = 0; i < 4; i++)
        rig_send(&u.rig, i, MEM_LOAD, 2002 - 31, probe.line, 1, 10 + i);
    rig_finish(&u.rig, 3000);
    assert_int_equal(probe.data[0].cycle, 2004 + 7);
    assert_int_equal(probe.data[1].cycle, 2009 + 7); // behind one load
    stop(&u);
}

// ---- links ----

// Slice 0 sends a word to the right in each cycle from 100 to 109; the others pass it on.
static uint64_t pass_right(HdPlace *place, uint64_t cycle)
{
    unsigned n = place->number;
    const Word *word = hd_received(place, RIGHT);
    bool waits = false;
    if (word && n + 1 < place->places && hd_send(place, RIGHT, word)) {
        probe.received[n][probe.received_count[n]++] = cycle;
        hd_drop_received(place, RIGHT);
    } else if (word && n + 1 == place->places && cycle % 2 == 0) { // every other cycle
        assert_int_equal(word->value, probe.received_count[n]);
        probe.received[n][probe.received_count[n]++] = cycle;
        hd_drop_received(place, RIGHT);
    }
    waits = hd_received(place, RIGHT);
    if (n == 0 && probe.received_count[0] < 10) {
        Word next = {probe.received_count[0]};
        if (hd_send(place, RIGHT, &next)) probe.received_count[0]++;
        assert_false(hd_may_send(place, RIGHT)); // one in a cycle
        waits = true;
    }
    return waits ? cycle + 1 : UINT64_MAX;
}

// Two places let a word pass in each cycle, one place in every second: the sender sees a free place
// a cycle later. Slice 2 takes words in even cycles.
static void check_links(const char *mechanism, bool no_skip, unsigned first_wait)
{
    Engines u;
    start(&u, SLICES, mechanism, no_skip);
    probe.act = pass_right;
    begin(&u, 100);
    rig_finish(&u.rig, 50);
    assert_int_equal(probe.received_count[2], 10);
    assert_int_equal(probe.received[1][0], 101);
    assert_int_equal(probe.received[1][1], 101 + first_wait);
    for (unsigned i = 0; i < 10; i++) assert_int_equal(probe.received[2][i], 102 + 2 * i);
    stop(&u);
}

static void test_links(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        check_links("probing", no_skip, 1);
        check_links("probing:link=1", no_skip, 2);
    }
}

// With one slice the links lead to itself, in both directions.
static uint64_t send_to_itself(HdPlace *place, uint64_t cycle)
{
    const Word *left = hd_received(place, LEFT), *right = hd_received(place, RIGHT);
    if (cycle == 100) {
        assert_true(hd_send(place, LEFT, &(Word){1}) && hd_send(place, RIGHT, &(Word){2}));
        assert_null(hd_received(place, LEFT));
        return UINT64_MAX;
    }
    assert_int_equal(cycle, 101);
    assert_int_equal(left->value, 1);
    assert_int_equal(right->value, 2);
    hd_drop_received(place, LEFT);
    hd_drop_received(place, RIGHT);
    return UINT64_MAX;
}

static void test_one_slice(void **state)
{
    (void)state;
    Engines u;
    start(&u, 1, "probing", false);
    probe.act = send_to_itself;
    begin(&u, 100);
    rig_finish(&u.rig, 200);
    assert_int_equal(probe.cycle_count, 2);
    stop(&u);
}

// ---- functional launches ----

// Each slice serves two lanes; lanes 6 and 7 find no slice.
static void test_execute(void **state)
{
    (void)state;
    Engines u;
    start(&u, SLICES, "probing", false);
    HdEngineReply reply;
    engine_hooks_execute(u.hooks, SLICES, 0, &(HdEngineRequest){.lanes = 0xfe}, &reply);
    assert_int_equal(reply.predicate, 0x3e);
    assert_int_equal(reply.values[0][1], 78);
    assert_int_equal(reply.values[0][5], 82);
    assert_int_equal(reply.values[0][6], 0);
    stop(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer),    cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_full_reply_queue), cmocka_unit_test(test_wrong_number),
        cmocka_unit_test(test_reads),     cmocka_unit_test(test_past),
        cmocka_unit_test(test_turns),     cmocka_unit_test(test_links),
        cmocka_unit_test(test_one_slice), cmocka_unit_test(test_execute)};
    return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
