// The input-queued crossbar: which packet passes in which cycle, computed by hand.
#include "memory/network/crossbar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MOST = 8 };

// Matches in the next step, which must be `step`. Returns the number of heads that leave.
static unsigned match(Crossbar *crossbar, uint64_t step)
{
    uint64_t found;
    unsigned count = crossbar_step(crossbar, UINT64_MAX, &found);
    assert_int_equal(found, step);
    return count;
}

// The packets of each input in order: output and flits. All are ready at cycle 0.
typedef struct Queue {
    struct {
        unsigned output, flits;
    } packets[MOST];
    unsigned count, sent;
    uint64_t left[MOST]; // cycle in which each packet started
} Queue;

static void next_head(Crossbar *crossbar, Queue *queues, unsigned input, uint64_t ready)
{
    Queue *queue = &queues[input];
    if (queue->sent == queue->count) crossbar_empty(crossbar, input);
    else crossbar_head(crossbar, input,
                       (CrossbarHead){.ready = ready,
                                      .output = queue->packets[queue->sent].output,
                                      .hold = queue->packets[queue->sent].flits});
}

static void run(Crossbar *crossbar, Queue *queues)
{
    for (unsigned i = 0; i < crossbar->input_count; i++) next_head(crossbar, queues, i, 0);
    for (uint64_t cycle, next; (next = crossbar_next(crossbar)) != UINT64_MAX;) {
        assert_int_equal(crossbar_step(crossbar, next, &cycle), 0);
        unsigned count = crossbar_step(crossbar, next + 1, &cycle);
        assert_true(count > 0);
        assert_int_equal(cycle, next);
        for (unsigned m = 0; m < count; m++) {
            unsigned input = crossbar->matched[m];
            if (m) assert_true(crossbar->matched[m - 1] < input);
            queues[input].left[queues[input].sent++] = cycle;
            next_head(crossbar, queues, input, 0);
        }
    }
}

static void a_packet_waits_for_nothing(void **state)
{
    (void)state;
    Crossbar crossbar;
    assert_true(crossbar_init(&crossbar, 2, 2));
    assert_int_equal(crossbar_next(&crossbar), UINT64_MAX);
    crossbar_head(&crossbar, 1, (CrossbarHead){.ready = 7, .output = 0, .hold = 2});
    assert_true(crossbar_has_head(&crossbar, 1));
    assert_false(crossbar_has_head(&crossbar, 0));
    assert_int_equal(crossbar_next(&crossbar), 7);
    assert_int_equal(match(&crossbar, 7), 1);
    assert_int_equal(crossbar.matched[0], 1);
    // Two flits: the input is busy until 9, even for another output; so is the output.
    crossbar_head(&crossbar, 1, (CrossbarHead){.ready = 8, .output = 1, .hold = 1});
    assert_int_equal(crossbar_next(&crossbar), 9);
    crossbar_empty(&crossbar, 1);
    crossbar_head(&crossbar, 0, (CrossbarHead){.ready = 8, .output = 0, .hold = 1});
    assert_int_equal(crossbar_next(&crossbar), 9);
    crossbar_free(&crossbar);
}

// A packet of three flits, the last of which comes in step 8: it occupies its input and its output
// until then. The next one, which is complete, takes four steps.
static void a_packet_stays_until_its_last_flit_has_come(void **state)
{
    (void)state;
    Crossbar crossbar;
    assert_true(crossbar_init(&crossbar, 1, 1));
    crossbar_head(&crossbar, 0, (CrossbarHead){.ready = 2, .complete = 9, .output = 0, .hold = 4});
    assert_int_equal(match(&crossbar, 2), 1);
    crossbar_head(&crossbar, 0, (CrossbarHead){.ready = 4, .complete = 9, .output = 0, .hold = 4});
    assert_int_equal(crossbar_next(&crossbar), 9);
    assert_int_equal(match(&crossbar, 9), 1);
    crossbar_head(&crossbar, 0, (CrossbarHead){.ready = 4, .output = 0, .hold = 1});
    assert_int_equal(crossbar_next(&crossbar), 13);
    crossbar_free(&crossbar);
}

// Only the heads that can leave in the soonest step pass in it, wherever their inputs are.
static void the_soonest_heads_pass_alone(void **state)
{
    (void)state;
    Crossbar crossbar;
    assert_true(crossbar_init(&crossbar, 4, 4));
    static const uint64_t ready[] = {8, 3, 5, 3};
    for (unsigned i = 0; i < 4; i++)
        crossbar_head(&crossbar, i, (CrossbarHead){.ready = ready[i], .output = i, .hold = 1});
    assert_int_equal(match(&crossbar, 3), 2);
    assert_int_equal(crossbar.matched[0], 1);
    assert_int_equal(crossbar.matched[1], 3);
    crossbar_empty(&crossbar, 1);
    crossbar_empty(&crossbar, 3);
    assert_int_equal(match(&crossbar, 5), 1);
    assert_int_equal(crossbar.matched[0], 2);
    crossbar_free(&crossbar);
}

static void a_closed_output_takes_none(void **state)
{
    (void)state;
    Crossbar crossbar;
    assert_true(crossbar_init(&crossbar, 2, 2));
    crossbar_close(&crossbar, 0);
    crossbar_head(&crossbar, 0, (CrossbarHead){.ready = 3, .output = 0, .hold = 1});
    assert_int_equal(crossbar_next(&crossbar), UINT64_MAX);
    crossbar_head(&crossbar, 1, (CrossbarHead){.ready = 5, .output = 1, .hold = 1});
    assert_int_equal(match(&crossbar, 5), 1);
    assert_int_equal(crossbar.matched[0], 1);
    crossbar_empty(&crossbar, 1);
    assert_int_equal(crossbar_next(&crossbar), UINT64_MAX);
    crossbar_open(&crossbar, 0, 9);
    assert_int_equal(crossbar_next(&crossbar), 9);
    crossbar_free(&crossbar);
}

static void outputs_take_the_inputs_in_turn(void **state)
{
    (void)state;
    Crossbar crossbar;
    Queue queues[3] = {{.packets = {{1, 1}, {1, 1}, {1, 1}}, .count = 3},
                       {.packets = {{1, 1}, {1, 1}}, .count = 2},
                       {.packets = {{1, 1}, {1, 1}}, .count = 2}};
    assert_true(crossbar_init(&crossbar, 3, 2));
    run(&crossbar, queues);
    static const uint64_t left[3][3] = {{0, 3, 6}, {1, 4}, {2, 5}};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned p = 0; p < queues[i].count; p++)
            assert_int_equal(queues[i].left[p], left[i][p]);
    crossbar_free(&crossbar);
}

// The second packet of input 1 goes to an output that no other input wants, and waits for the
// first.
static void a_blocked_head_holds_up_its_queue(void **state)
{
    (void)state;
    Crossbar crossbar;
    Queue queues[2] = {{.packets = {{0, 4}}, .count = 1},
                       {.packets = {{0, 1}, {1, 1}}, .count = 2}};
    assert_true(crossbar_init(&crossbar, 2, 2));
    run(&crossbar, queues);
    assert_int_equal(queues[0].left[0], 0);
    assert_int_equal(queues[1].left[0], 4);
    assert_int_equal(queues[1].left[1], 5);
    crossbar_free(&crossbar);
}

// Different outputs serve different inputs in one cycle.
static void a_permutation_passes_at_once(void **state)
{
    (void)state;
    enum { INPUTS = 130 }; // more than two words of bits
    static Queue queues[INPUTS];
    Crossbar crossbar;
    for (unsigned i = 0; i < INPUTS; i++) {
        queues[i] = (Queue){.count = 2};
        queues[i].packets[0].output = (i + 7) % INPUTS;
        queues[i].packets[1].output = (i + 9) % INPUTS;
        queues[i].packets[0].flits = queues[i].packets[1].flits = 3;
    }
    assert_true(crossbar_init(&crossbar, INPUTS, INPUTS));
    run(&crossbar, queues);
    for (unsigned i = 0; i < INPUTS; i++) {
        assert_int_equal(queues[i].left[0], 0);
        assert_int_equal(queues[i].left[1], 3);
    }
    crossbar_free(&crossbar);
}

// ---- outputs in turn ----

typedef struct Turns {
    Crossbar crossbar;
    Queue *queues;
} Turns;

static bool pass(void *context, unsigned input, uint64_t cycle)
{
    Turns *turns = context;
    Queue *queue = &turns->queues[input];
    queue->left[queue->sent++] = cycle;
    next_head(&turns->crossbar, turns->queues, input, 0);
    return true;
}

// Input 0 sends to outputs 0, 2, 1 and input 1 to outputs 0 and 1. In cycle 0 output 0 takes input
// 0, whose next head then passes to output 2. The head behind is for output 1, which had its turn.
// In cycle 1 output 0 takes input 1. Output 1 then sees both, and takes input 0, which is first in
// its turn. Input 1 follows in cycle 2.
static void outputs_choose_in_turn(void **state)
{
    (void)state;
    Queue queues[2] = {{.packets = {{0, 1}, {2, 1}, {1, 1}}, .count = 3},
                       {.packets = {{0, 1}, {1, 1}}, .count = 2}};
    Turns turns = {.queues = queues};
    assert_true(crossbar_init(&turns.crossbar, 2, 3));
    for (unsigned i = 0; i < 2; i++) next_head(&turns.crossbar, queues, i, 0);
    for (uint64_t cycle; (cycle = crossbar_next(&turns.crossbar)) != UINT64_MAX;)
        assert_true(crossbar_step_in_turn(&turns.crossbar, cycle, pass, &turns));
    static const uint64_t expected[2][3] = {{0, 0, 1}, {1, 2}};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(queues[i].sent, queues[i].count);
        for (unsigned k = 0; k < queues[i].count; k++)
            assert_int_equal(queues[i].left[k], expected[i][k]);
    }
    crossbar_free(&turns.crossbar);
}

// A head that waited behind another may not pass before it, even if it was ready then.
static void heads_pass_in_order(void **state)
{
    (void)state;
    Queue queues[2] = {{.packets = {{0, 1}, {0, 1}, {1, 1}}, .count = 3},
                       {.packets = {{0, 1}, {0, 1}}, .count = 2}};
    Turns turns = {.queues = queues};
    assert_true(crossbar_init(&turns.crossbar, 2, 2));
    for (unsigned i = 0; i < 2; i++) next_head(&turns.crossbar, queues, i, 0);
    for (uint64_t cycle; (cycle = crossbar_next(&turns.crossbar)) != UINT64_MAX;)
        assert_true(crossbar_step_in_turn(&turns.crossbar, cycle, pass, &turns));
    // Output 0 takes the inputs in turn, cycles 0 to 3; input 0's last packet passes with its
    // second one.
    static const uint64_t expected[2][3] = {{0, 2, 2}, {1, 3}};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < queues[i].count; k++)
            assert_int_equal(queues[i].left[k], expected[i][k]);
    crossbar_free(&turns.crossbar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_waits_for_nothing),
        cmocka_unit_test(a_packet_stays_until_its_last_flit_has_come),
        cmocka_unit_test(the_soonest_heads_pass_alone),
        cmocka_unit_test(a_closed_output_takes_none),
        cmocka_unit_test(outputs_take_the_inputs_in_turn),
        cmocka_unit_test(a_blocked_head_holds_up_its_queue),
        cmocka_unit_test(a_permutation_passes_at_once),
        cmocka_unit_test(outputs_choose_in_turn),
        cmocka_unit_test(heads_pass_in_order),
    };
    return cmocka_run_group_tests_name("crossbar", tests, NULL, NULL);
}
