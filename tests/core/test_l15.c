// The L1.5 alone: requests of an L1C and an L1I, the cycles of its look-ups and data, merges,
// stalls and turns. Times are worked out by hand.
#include "support/scratch.h"

#include "core/l1/l15.h"

#include <stdio.h>
#include <string.h>

enum { LATENCY = 20, QUEUE = 4 };

// The L1C has lines of 64 bytes, the L1I and the L1.5 of 128.
typedef struct Rig {
    CacheConfig l1c, l1i;
    L15Config config;
    SmConfig sm_config;
    SmContext context;
    PacketPool pool;
    QueuedRequests port;
    RequestQueue constants, instructions;
    L15 l15;
    char text[512]; // what has happened
} Rig;

static void note(Rig *rig, const char *what, const MemReply *reply, unsigned level)
{
    size_t used = strlen(rig->text);
    snprintf(rig->text + used, sizeof rig->text - used, "%u: %s %s %u.%x level %u; ",
             (unsigned)rig->context.now, what, reply->kind == MEM_INSTRUCTION ? "i" : "c",
             (unsigned)(reply->line / 128), reply->sectors, level);
}

static void rig_begin(Rig *rig, uint32_t entries, uint32_t queue, bool instructions)
{
    HdError err = {0};
    memset(rig, 0, sizeof *rig);
    rig->l1c = rig->l1i = (CacheConfig){.mshr_entries = 4};
    rig->config = (L15Config){
        .cache = {.size = 1024, .line = 128, .sector = 128, .ways = 2, .mshr_entries = entries,
                  .mshr_merges = 4, .miss_queue = queue, .latency = LATENCY, .port = 32,
                  .write = WRITE_THROUGH, .local_write = WRITE_THROUGH},
        .instructions = instructions};
    rig->sm_config = (SmConfig){.l1c = &rig->l1c, .l1i = &rig->l1i, .l15 = &rig->config};
    wheel_init(&rig->context.wheel);
    rig->pool.tables = &rig->context.tables;
    rig->port.pool = rig->l15.queued.pool = &rig->pool;
    rig->l15.controller.misses.queued = &rig->port;
    if (!l15_init(&rig->l15, &rig->sm_config, &rig->constants, &rig->instructions,
                  &rig->context.tables, 1, &err) ||
        !queue_init(&rig->constants, QUEUE, &rig->context.tables) ||
        !queue_init(&rig->instructions, QUEUE, &rig->context.tables))
        fail_msg("%s", err.text);
}

static void rig_end(Rig *rig)
{
    l15_free(&rig->l15);
    wheel_free(&rig->context.wheel);
    hd_tables_free(&rig->context.tables);
}

// Runs the cycles up to this one, included.
static void run_to(Rig *rig, uint64_t cycle)
{
    SmContext *context = &rig->context;
    while (context->now < cycle) {
        context->now++;
        uint32_t last, first = wheel_take(&context->wheel, context->now, &last), i = first, next;
        for (bool more = first; more; i = next) {
            Event event = context->wheel.events[i];
            next = event.next;
            more = i != last;
            if (event.type == EVENT_L15) {
                l15_look_up(&rig->l15, context);
                continue;
            }
            assert_int_equal(event.type, EVENT_L15_DATA);
            MemReply reply = l15_take(&rig->l15, event.payload.waiter.index, LEVEL_L1);
            note(rig, "data", &reply, reply.level);
        }
        if (first) wheel_release(&context->wheel, first, last);
    }
}

// A first-level cache has missed sectors of a line in this cycle.
static void miss(Rig *rig, MemKind kind, uint64_t line, uint8_t sectors)
{
    RequestQueue *queue = kind == MEM_CONSTANT ? &rig->constants : &rig->instructions;
    *queue_add(queue) = (MemRequest){.line = line * 128, .kind = (uint8_t)kind,
                                     .sectors = sectors};
    l15_schedule(&rig->l15, &rig->context);
}

// The network takes the next request, which must be for a whole line.
static void send(Rig *rig, uint64_t line)
{
    RequestQueue *misses = &rig->l15.controller.misses;
    assert_int_not_equal(misses->count, 0);
    assert_int_equal(misses->items[misses->head]->request.line, line * 128);
    assert_int_equal(misses->items[misses->head]->request.sectors, 0xf);
    queue_pop(misses);
    l15_retry(&rig->l15, &rig->context);
}

// The data of a line come from the DRAM.
static void fill(Rig *rig, uint64_t line)
{
    MemReply reply = {.line = line * 128, .kind = MEM_CONSTANT, .sectors = 0xf,
                      .level = LEVEL_DRAM};
    unsigned users = l15_fill(&rig->l15, &rig->context, &reply);
    for (unsigned i = 0; i < users; i++) {
        MemReply part = l15_take(&rig->l15, rig->l15.controller.tokens[i], LEVEL_DRAM);
        note(rig, "fill", &part, part.level);
    }
}

// A miss is looked up a cycle later and goes to the network; the other half of the line merges with
// it. Then the line is there: its data come LATENCY cycles after the look-up.
static void test_latency(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig, 4, QUEUE, false);
    run_to(&rig, 10);
    miss(&rig, MEM_CONSTANT, 5, 0x3);
    assert_int_equal(rig.l15.controller.misses.count, 0);
    run_to(&rig, 11);
    assert_int_equal(rig.l15.controller.misses.count, 1);
    assert_int_equal(rig.constants.count, 0);
    send(&rig, 5);
    run_to(&rig, 12);
    miss(&rig, MEM_CONSTANT, 5, 0xc);
    run_to(&rig, 30);
    assert_int_equal(rig.l15.controller.misses.count, 0); // merged
    fill(&rig, 5);
    run_to(&rig, 40);
    miss(&rig, MEM_CONSTANT, 5, 0x3);
    run_to(&rig, 80);
    assert_string_equal(rig.text, "30: fill c 5.3 level 2; 30: fill c 5.c level 2; "
                                  "61: data c 5.3 level 0; ");
    const CacheCounters *count = &rig.l15.controller.count;
    assert_int_equal(count->accesses, 3);
    assert_int_equal(count->misses, 1);
    assert_int_equal(count->pending_hits, 1);
    assert_int_equal(count->hits, 1);
    assert_int_equal(count->fills, 1);
    assert_int_equal(rig.l15.queued.count, 0);
    rig_end(&rig);
}

// A request in each cycle: the L1C and the L1I take turns.
static void test_turns(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig, 4, QUEUE, true);
    miss(&rig, MEM_CONSTANT, 1, 0x3);
    run_to(&rig, 1);
    send(&rig, 1);
    fill(&rig, 1);
    rig.text[0] = 0;
    run_to(&rig, 9); // the next turn is the L1I's
    miss(&rig, MEM_CONSTANT, 1, 0x3);
    miss(&rig, MEM_CONSTANT, 1, 0xc);
    miss(&rig, MEM_INSTRUCTION, 1, 0xf);
    miss(&rig, MEM_INSTRUCTION, 1, 0xf);
    run_to(&rig, 60);
    assert_string_equal(rig.text, "30: data i 1.f level 0; 31: data c 1.3 level 0; "
                                  "32: data i 1.f level 0; 33: data c 1.c level 0; ");
    rig_end(&rig);
}

// One MSHR: the second line stalls from its look-up in cycle 12 until the fill in cycle 20, after
// which it is looked up again in cycle 21.
static void test_mshr_stall(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig, 1, QUEUE, false);
    run_to(&rig, 10);
    miss(&rig, MEM_CONSTANT, 1, 0x3);
    miss(&rig, MEM_CONSTANT, 2, 0x3);
    run_to(&rig, 15);
    send(&rig, 1); // no help: the request that stalls tries again in cycle 16
    miss(&rig, MEM_CONSTANT, 3, 0x3); // waits behind it
    run_to(&rig, 20);
    assert_int_equal(rig.constants.count, 2);
    assert_true(rig.l15.controller.stall.blocked);
    fill(&rig, 1);
    run_to(&rig, 21);
    assert_int_equal(rig.constants.count, 1);
    assert_int_equal(rig.l15.controller.count.stalls[STALL_MSHR], 9);
    assert_int_equal(rig.l15.controller.count.accesses, 2);
    rig_end(&rig);
}

// A queue of one: the second line waits for the network to take the first, in cycle 30.
static void test_queue_stall(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig, 4, 1, false);
    run_to(&rig, 10);
    miss(&rig, MEM_CONSTANT, 1, 0x3);
    miss(&rig, MEM_CONSTANT, 2, 0x3);
    run_to(&rig, 30);
    send(&rig, 1);
    run_to(&rig, 31);
    send(&rig, 2);
    assert_int_equal(rig.l15.controller.count.stalls[STALL_MISS_QUEUE], 31 - 12);
    rig_end(&rig);
}

static void test_serves(void **state)
{
    (void)state;
    Rig rig;
    rig_begin(&rig, 4, QUEUE, false);
    assert_true(l15_serves(&rig.l15, MEM_CONSTANT));
    assert_false(l15_serves(&rig.l15, MEM_INSTRUCTION));
    assert_false(l15_serves(&rig.l15, MEM_READONLY));
    rig_end(&rig);
    rig_begin(&rig, 4, QUEUE, true);
    assert_true(l15_serves(&rig.l15, MEM_INSTRUCTION));
    rig_end(&rig);
    L15 none = {0};
    assert_false(l15_serves(&none, MEM_CONSTANT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),     cmocka_unit_test(test_turns),
        cmocka_unit_test(test_mshr_stall),  cmocka_unit_test(test_queue_stall),
        cmocka_unit_test(test_serves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
