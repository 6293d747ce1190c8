// What SMs and groups hand over makes the receiver due no later than it can act on it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory/network/exchange.h"

enum { SMS = 3, GROUPS = 2, SLICES_OF_GROUP = 2, PERIOD = 10, SM = 1 };

typedef struct Rig {
    HdTables tables;
    Exchange exchange;
    uint64_t due[SMS];
    Tick groups_due[GROUPS];
} Rig;

static void rig_init(Rig *rig)
{
    *rig = (Rig){0};
    assert_true(exchange_init(&rig->exchange, SMS, GROUPS, SLICES_OF_GROUP, false, PERIOD,
                              &rig->tables));
    rig->exchange.groups_due = rig->groups_due;
    for (unsigned i = 0; i < SMS; i++) rig->exchange.news[i].due = &rig->due[i];
    for (unsigned i = 0; i < SMS; i++) rig->due[i] = 1000;
    for (unsigned i = 0; i < GROUPS; i++) rig->groups_due[i] = 5000;
}

static Packet packet_of(unsigned sm)
{
    return (Packet){.request = {.sm = (uint16_t)sm}};
}

// A reply at tick 101 is at its SM in core cycle 11, which begins at tick 110. A later one leaves
// the cycle as it is, an earlier one lowers it.
static void test_replies_lower_the_due_cycle(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    Packet packet = packet_of(SM);
    const struct {
        Tick time;
        uint64_t due;
    } steps[] = {{101, 11}, {500, 11}, {100, 10}};
    for (unsigned i = 0; i < 3; i++) {
        packet.back[i] = (Transit){.packet = &packet, .time = steps[i].time};
        exchange_answer(&rig.exchange, i % GROUPS, &packet.back[i]);
        assert_true(rig.exchange.news[SM].any);
        assert_int_equal(rig.due[SM], steps[i].due);
    }
    assert_int_equal(rig.due[SM - 1], 1000);
    assert_int_equal(rig.due[SM + 1], 1000);
    hd_tables_free(&rig.tables);
}

// A credit makes an SM due only if a request waits for one.
static void test_credits_lower_it_if_they_are_waited_for(void **state)
{
    (void)state;
    for (unsigned waits = 0; waits < 2; waits++) {
        Rig rig;
        rig_init(&rig);
        rig.exchange.news[SM].waits_for_credit = waits;
        Packet packet = packet_of(SM);
        packet.there = (Transit){.packet = &packet, .time = 200};
        exchange_answer(&rig.exchange, 0, &packet.there);
        assert_true(rig.exchange.news[SM].any);
        assert_int_equal(rig.due[SM], waits ? 20 : 1000);
        assert_ptr_equal(post_take(&rig.exchange.replies, SM), &packet.there);
        hd_tables_free(&rig.tables);
    }
}

// A request makes the group of its slice due at once, and no other.
static void test_a_request_makes_its_group_due(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    Packet packet = packet_of(SM);
    packet.request.owner = 1 + SLICES_OF_GROUP; // the first slice of group 1
    packet.there = (Transit){.packet = &packet, .time = 7};
    exchange_send(&rig.exchange, SM, &packet.there);
    assert_int_equal(rig.groups_due[0], 5000);
    assert_int_equal(rig.groups_due[1], 0);
    assert_ptr_equal(post_take(&rig.exchange.requests, 1), &packet.there);
    hd_tables_free(&rig.tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replies_lower_the_due_cycle),
        cmocka_unit_test(test_credits_lower_it_if_they_are_waited_for),
        cmocka_unit_test(test_a_request_makes_its_group_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
