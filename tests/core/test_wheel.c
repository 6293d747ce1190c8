// The timing wheel against hand-made schedules, and against a plain sorted list.
#include "support/scratch.h"

#include "base/random.h"
#include "core/wheel.h"

// Takes the events of `now` and checks that they are a = first, first + 1, ... (count of them).
static void expect(Wheel *wheel, uint64_t now, uint32_t first, unsigned count)
{
    uint32_t last = 0, list = wheel_take(wheel, now, &last), i = list;
    for (unsigned k = 0; k < count; k++) {
        assert_int_not_equal(i, 0);
        assert_int_equal(wheel->events[i].payload.result.pc, first + k);
        i = i == last ? 0 : wheel->events[i].next;
    }
    assert_int_equal(i, 0);
    if (count) wheel_release(wheel, list, last);
}

static void set(Wheel *wheel, uint64_t time, uint32_t a)
{
    assert_true(wheel_set(wheel, time, EVENT_WRITEBACK, 3,
                          (EventPayload){.result = {.pc = a}}));
}

static void test_empty(void **state)
{
    (void)state;
    Wheel wheel = {0};
    wheel_init(&wheel);
    assert_true(wheel_next(&wheel) == UINT64_MAX);
    assert_true(wheel_is_empty(&wheel));
    uint32_t last;
    assert_int_equal(wheel_take(&wheel, 5, &last), 0);
    wheel_free(&wheel);
}

static void test_fields(void **state)
{
    (void)state;
    Wheel wheel = {0};
    wheel_init(&wheel);
    assert_true(wheel_set(&wheel, 4, EVENT_DATA, 17, (EventPayload){.memory = {5, 6}}));
    assert_false(wheel_is_empty(&wheel));
    uint32_t last;
    const Event *e = &wheel.events[wheel_take(&wheel, 4, &last)];
    assert_int_equal(e->type, EVENT_DATA);
    assert_int_equal(e->warp, 17);
    assert_int_equal(e->payload.memory.op, 5);
    assert_int_equal(e->payload.memory.level, 6);
    wheel_free(&wheel);
}

static void test_order_within_a_cycle(void **state)
{
    (void)state;
    Wheel wheel = {0};
    wheel_init(&wheel);
    set(&wheel, 9, 1);
    set(&wheel, 8, 0);
    set(&wheel, 9, 2);
    set(&wheel, 9, 3);
    assert_int_equal(wheel_next(&wheel), 8);
    expect(&wheel, 8, 0, 1);
    assert_int_equal(wheel_next(&wheel), 9);
    expect(&wheel, 9, 1, 3);
    assert_true(wheel_next(&wheel) == UINT64_MAX);
    wheel_free(&wheel);
}

// A wheel of 1024 slots at cycle 1000: 1010 lies before the wrap, 2000 after it in bucket 976.
static void test_wrap(void **state)
{
    (void)state;
    Wheel wheel = {0};
    wheel_init(&wheel);
    uint32_t last;
    assert_int_equal(wheel_take(&wheel, 1000, &last), 0);
    set(&wheel, 2000, 5);
    assert_int_equal(wheel_next(&wheel), 2000);
    set(&wheel, 1010, 1);
    assert_int_equal(wheel_next(&wheel), 1010);
    set(&wheel, 1000 + WHEEL_BUCKETS - 1, 9); // the bucket before that of 1000: far
    expect(&wheel, 1010, 1, 1);
    expect(&wheel, 2000, 5, 1);
    assert_int_equal(wheel_next(&wheel), 1000 + WHEEL_BUCKETS - 1);
    expect(&wheel, 1000 + WHEEL_BUCKETS - 1, 9, 1);
    wheel_free(&wheel);
}

// The wheel turns by words of 64 cycles. From 64 on it has the cycles 64 to 1087: 1088 to 1099,
// which share a word with 64 to 127, are far, although they are less than a turn ahead of 100.
static void test_words(void **state)
{
    (void)state;
    Wheel wheel = {0};
    wheel_init(&wheel);
    uint32_t last;
    assert_int_equal(wheel_take(&wheel, 100, &last), 0);
    set(&wheel, 1088, 2);
    set(&wheel, 1087, 1);
    set(&wheel, 127, 0);
    assert_int_equal(wheel_next(&wheel), 127);
    expect(&wheel, 127, 0, 1);
    assert_int_equal(wheel_next(&wheel), 1087);
    expect(&wheel, 1087, 1, 1);
    assert_int_equal(wheel_next(&wheel), 1088);
    expect(&wheel, 1088, 2, 1);
    assert_true(wheel_next(&wheel) == UINT64_MAX);
    wheel_free(&wheel);
}

// Events beyond one turn are kept in a list. Those of one cycle keep the order in which they were
// set, and precede events of that cycle that are set when it is near.
static void test_far(void **state)
{
    (void)state;
    Wheel wheel = {0};
    wheel_init(&wheel);
    uint32_t last;
    set(&wheel, 5000, 1);
    set(&wheel, 3000, 0);
    set(&wheel, 5000, 2);
    set(&wheel, 1024, 8); // exactly one turn ahead: far
    assert_int_equal(wheel_next(&wheel), 1024);
    expect(&wheel, 1024, 8, 1);
    assert_int_equal(wheel_next(&wheel), 3000);
    expect(&wheel, 3000, 0, 1);
    assert_int_equal(wheel_next(&wheel), 5000);
    assert_int_equal(wheel_take(&wheel, 4500, &last), 0); // 5000 is within the turn from here on
    set(&wheel, 5000, 3);
    assert_int_equal(wheel_next(&wheel), 5000);
    expect(&wheel, 5000, 1, 3);
    assert_true(wheel_next(&wheel) == UINT64_MAX);
    wheel_free(&wheel);
}

// A near event is set for the cycle of a far one that is still in the list, because no cycle in
// between was visited.
static void test_far_and_near_of_one_cycle(void **state)
{
    (void)state;
    Wheel wheel = {0};
    wheel_init(&wheel);
    set(&wheel, 1500, 1); // far from cycle 0
    set(&wheel, 480, 0);
    expect(&wheel, 480, 0, 1); // 1500 is 1020 ahead: near
    set(&wheel, 1500, 2);
    expect(&wheel, 1500, 1, 2);
    wheel_free(&wheel);
}

// Against a plain list: at each visited cycle the events are taken in the order in which they were
// set.
static void test_against_list(void **state)
{
    (void)state;
    enum { EVENTS = 3000 };
    static uint64_t due[EVENTS];
    Wheel wheel = {0};
    wheel_init(&wheel);
    uint64_t now = 0, taken = 0;
    for (uint32_t i = 0; i < EVENTS || taken < EVENTS;) {
        for (unsigned k = 0; k < 5 && i < EVENTS; k++, i++) {
            uint64_t ahead = 1 + random_draw(1, 2, 3, i) % (i % 7 ? 40 : 4000);
            due[i] = now + ahead;
            set(&wheel, due[i], i);
        }
        uint64_t next = UINT64_MAX;
        for (uint32_t e = 0; e < i; e++)
            if (due[e] > now && due[e] < next) next = due[e];
        assert_true(wheel_next(&wheel) == next);
        now = next;
        uint32_t last = 0, list = wheel_take(&wheel, now, &last), at = list;
        for (uint32_t e = 0; e < i; e++) {
            if (due[e] != now) continue;
            assert_int_not_equal(at, 0);
            assert_int_equal(wheel.events[at].payload.result.pc, e);
            at = at == last ? 0 : wheel.events[at].next;
            taken++;
        }
        assert_int_equal(at, 0);
        wheel_release(&wheel, list, last);
    }
    assert_true(wheel_next(&wheel) == UINT64_MAX);
    assert_true(wheel_is_empty(&wheel));
    wheel_free(&wheel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_order_within_a_cycle),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_far_and_near_of_one_cycle),
        cmocka_unit_test(test_against_list),
    };
    return cmocka_run_group_tests_name("wheel", tests, NULL, NULL);
}
