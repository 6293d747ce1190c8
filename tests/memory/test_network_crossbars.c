// The memory side with icnt.arbiter: input-queued, against ticks computed by hand. As in
// test_slice.c, but with flits of 64 bytes: a request, an acknowledgement and a sector have one
// flit, a line has three. Two slices are interleaved by 256 bytes. All accesses hit in the L2.
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void start(Rig *rig, IcntArbiter arbiter)
{
    rig_init(rig);
    rig->icnt.flit = 64;
    rig->icnt.arbiter = arbiter;
    rig->icnt.reply_buffer = 40;
    rig->slice.count = 2;
    rig->slice.select = SELECT_INTERLEAVE;
    rig_start(rig, NULL);
    memory_side_warm(rig->memory, 0, 1024);
}

// The unloaded latency is the other arbiter's: a hit of one sector takes 31 + 7 + 1 + 10.
static void an_idle_network_costs_nothing(void **state)
{
    (void)state;
    for (IcntArbiter arbiter = ARBITER_OLDEST; arbiter <= ARBITER_INPUT_QUEUED; arbiter++) {
        Rig rig;
        start(&rig, arbiter);
        rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 1);
        rig_send(&rig, 3, MEM_LOAD, 100, 256, 15, 2);
        rig_finish(&rig, 1000);
        assert_int_equal(rig_reply(&rig, 0, 1)->time, 49);
        assert_int_equal(rig_reply(&rig, 3, 2)->time, 100 + 34 + 7 + 3 + 10);
        rig_count(&rig, 1000);
        assert_int_equal(rig.icnt_counters.port_wait_cycles, 0);
        assert_int_equal(rig.icnt_counters.reply_wait_cycles, 0);
        rig_stop(&rig);
    }
}

// Slice 0 sends a line to SM 0 from 41 to 44. Slice 1 has a sector for SM 0 at 42 and one for SM 1
// at 43.
static void replies_hold_up_those_behind_them(void **state)
{
    (void)state;
    static const Tick arrives[][3] = {[ARBITER_OLDEST] = {54, 53, 54},
                                      [ARBITER_INPUT_QUEUED] = {54, 55, 56}};
    for (IcntArbiter arbiter = ARBITER_OLDEST; arbiter <= ARBITER_INPUT_QUEUED; arbiter++) {
        Rig rig;
        start(&rig, arbiter);
        rig_send(&rig, 0, MEM_LOAD, 0, 0, 15, 1);
        rig_send(&rig, 0, MEM_LOAD, 4, 256, 1, 2);
        rig_send(&rig, 1, MEM_LOAD, 5, 384, 1, 3);
        rig_finish(&rig, 1000);
        assert_int_equal(rig_reply(&rig, 0, 1)->time, arrives[arbiter][0]);
        assert_int_equal(rig_reply(&rig, 0, 2)->time, arrives[arbiter][1]);
        assert_int_equal(rig_reply(&rig, 1, 3)->time, arrives[arbiter][2]);
        rig_count(&rig, 1000);
        assert_int_equal(rig.icnt_counters.reply_wait_cycles, arbiter == ARBITER_OLDEST ? 0 : 4);
        rig_stop(&rig);
    }
}

// SM 0's store of a line takes slice 0's port from 10 to 13. SM 1's load for slice 0 waits for it,
// and its load for slice 1, which would arrive at 11, waits behind until 14.
static void requests_hold_up_those_behind_them(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, ARBITER_INPUT_QUEUED);
    rig_send(&rig, 0, MEM_STORE, 0, 0, 15, 1);
    rig_send(&rig, 1, MEM_LOAD, 0, 128, 1, 2);
    rig_send(&rig, 1, MEM_LOAD, 1, 256, 1, 3);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 1, 3)->time, 14 + 1 + 20 + 7 + 1 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.port_wait_cycles, 3 + 3);
    rig_stop(&rig);
}

// The same with a step to allocate a virtual channel: SM 0's store keeps slice 0's port for 3 + 1
// cycles, to 14, and SM 1's load for slice 0 keeps SM 1's queue for 1 + 1, to 16. At slice 0 that
// load waits for the store's lookups, at 33 to 36. So its reply is ready at 37 + 7, as that of the
// load for slice 1 at 16 + 1 + 20 + 7, and keeps SM 1's output from 44 to 46.
static void a_channel_is_allocated_for_each_packet(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.icnt.flit = 64;
    rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig.icnt.reply_buffer = 40;
    rig.icnt.allocation = 1;
    rig.slice.count = 2;
    rig.slice.select = SELECT_INTERLEAVE;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 1024);
    rig_send(&rig, 0, MEM_STORE, 0, 0, 15, 1);
    rig_send(&rig, 1, MEM_LOAD, 0, 128, 1, 2);
    rig_send(&rig, 1, MEM_LOAD, 1, 256, 1, 3);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 1, 2)->time, 44 + 1 + 10);
    assert_int_equal(rig_reply(&rig, 1, 3)->time, 46 + 1 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.port_wait_cycles, 4 + 5);
    assert_int_equal(rig.icnt_counters.reply_wait_cycles, 2);
    rig_stop(&rig);
}

// Room for three flits. Sectors are ready from 38 to 41. The first three start at once. Each frees
// its flit 1 + 10 after its start, so the fourth starts at 49.
static void a_full_input_queue_stops_the_slice(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.icnt.flit = 64;
    rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig.icnt.reply_buffer = 3;
    rig.slice.reply = REPLY_SECTORS;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 15, 1);
    rig_finish(&rig, 1000);
    static const Tick starts[] = {38, 39, 40, 49};
    assert_int_equal(rig.in[0].reply_count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig.in[0].replies[i].time, starts[i] + 1 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_reply_buffer, 49 - 41);
    rig_stop(&rig);
}

// Eight slices have a line each for SM 0. They pass one behind the other, slice i's from 41 + 3 * i
// to 44 + 3 * i. Slice 0 has no room for its sector for SM 1 until 54, when it learns of the room
// of its line. Slice 7's sector for SM 1 has been sent at 45, but waits behind its line until 65.
// From 48 on no slice sends anything that is known, but the crossbar must not pass the slices' next
// chance.
static void room_counts_before_what_waits(void **state)
{
    (void)state;
    for (Tick step = 7; step < 1000; step *= 7) {
        Rig rig;
        rig_init(&rig);
        rig.icnt.flit = 64;
        rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
        rig.icnt.reply_buffer = 4;
        rig.slice.count = 8;
        rig.slice.select = SELECT_INTERLEAVE;
        rig_start(&rig, NULL);
        memory_side_warm(rig.memory, 0, 4096);
        static const unsigned slices[] = {0, 7, 1, 2, 3, 4, 5, 6};
        for (unsigned i = 0; i < 8; i++)
            rig_send(&rig, 0, MEM_LOAD, i, slices[i] * 256, 15, slices[i]);
        rig_send(&rig, 2, MEM_LOAD, 4, 128, 1, 20);
        rig_send(&rig, 1, MEM_LOAD, 6, 2048, 1, 21);
        rig_send(&rig, 1, MEM_LOAD, 7, 7 * 256 + 128, 1, 22);
        rig_finish(&rig, step);
        assert_int_equal(rig_reply(&rig, 0, 7)->time, 65 + 10);
        assert_int_equal(rig_reply(&rig, 2, 20)->time, 44 + 1 + 10);
        assert_int_equal(rig_reply(&rig, 1, 21)->time, 54 + 1 + 10);
        assert_int_equal(rig_reply(&rig, 1, 22)->time, 65 + 1 + 10);
        rig_stop(&rig);
    }
}

// Two steps per cycle. SM 0's store has three flits, which arrive from 18 to 20. It leaves with
// them, and occupies slice 0's output until the first step of 20. SM 1's load for slice 0, which
// arrives at 20, gets it in the second step of 20, and slice 0's channel, free at 21, from then on.
// At the tags it waits from 42 on for three of the store's four lookups. SM 1's load for slice 1
// arrives at 21 and gets its output in the second step of that cycle.
static void two_steps_per_cycle_pass_packets_sooner(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.icnt.speedup = 2;
    rig.icnt.flit = 64;
    rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig.icnt.reply_buffer = 40;
    rig.slice.count = 2;
    rig.slice.select = SELECT_INTERLEAVE;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 1024);
    rig_send(&rig, 0, MEM_STORE, 10, 0, 15, 1);
    rig_send(&rig, 1, MEM_LOAD, 10, 128, 1, 2);
    rig_send(&rig, 1, MEM_LOAD, 11, 256, 1, 3);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 1, 2)->time, 21 + 1 + 20 + 3 + 7 + 1 + 10);
    assert_int_equal(rig_reply(&rig, 1, 3)->time, 21 + 1 + 20 + 7 + 1 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.port_wait_cycles, 1);
    rig_stop(&rig);
}

// 25 loads of SM 0 for slice 0 arrive from 10 on, one in each cycle, and one for slice 1 behind
// them. The data port takes 4 cycles for each lookup, so the lookups are at 31, 35, 39, ... The
// slice takes a packet in each cycle from 11 on, until in 33 two lookups wait at its tags. 22
// packets are taken, and one of them waits only after the lookup at 31 + 20 * 4 = 111. Two packets
// wait in the buffer; the third passes the crossbar in 112, the one for slice 1 in 113.
static void a_slice_that_takes_nothing_stops_the_crossbar(void **state)
{
    (void)state;
    for (unsigned buffer = 0; buffer <= 2; buffer += 2) {
        for (Tick step = 7; step < 1000; step *= 7) {
            Rig rig;
            rig_init(&rig);
            rig.icnt.flit = 64;
            rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
            rig.icnt.reply_buffer = 40;
            rig.icnt.output_buffer = buffer;
            rig.icnt.intake = 2;
            rig.l2.port = 8;
            rig.slice.count = 2;
            rig.slice.select = SELECT_INTERLEAVE;
            rig_start(&rig, NULL);
            memory_side_warm(rig.memory, 0, 1024);
            for (unsigned i = 0; i < 25; i++) rig_send(&rig, 0, MEM_LOAD, i, 0, 1, i);
            rig_send(&rig, 0, MEM_LOAD, 25, 256, 1, 25);
            rig_finish(&rig, step);
            Tick passes = buffer ? 113 : 35;
            assert_int_equal(rig_reply(&rig, 0, 25)->time, passes + 1 + 20 + 7 + 1 + 10);
            // The packets of the buffer reach the tags at 132 and 133.
            assert_int_equal(rig_reply(&rig, 0, 22)->time,
                             (buffer ? 132 : 31 + 22 * 4) + 7 + 1 + 10);
            rig_stop(&rig);
        }
    }
}

// Two SMs send 40 loads each to one slice, from 0 on. Their packets pass in turn, one in each cycle
// from 10 on. When the SMs are at 50, the crossbar has worked up to 60: of each SM 25 have passed
// and 15 wait, and each queue lost one in two cycles.
static void sms_learn_what_waits_in_their_queues(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig.icnt.reply_buffer = 60;
    rig.icnt.input_buffer = 30;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128);
    for (unsigned i = 0; i < 40; i++)
        for (unsigned sm = 0; sm < 2; sm++) rig_send(&rig, sm, MEM_LOAD, i, 0, 1, i);
    rig_run(&rig, 50 + 10 + 1 + 20);
    const SmNews *news = memory_side_exchange(rig.memory)->news;
    for (unsigned sm = 0; sm < 2; sm++) {
        assert_int_equal(news[sm].queue.flits, 15 * QUEUE_FLIT);
        assert_int_equal(news[sm].queue.cycle, 50);
        assert_int_equal(news[sm].queue.drain, QUEUE_FLIT / 2);
    }
    rig_run(&rig, 1000);
    for (unsigned sm = 0; sm < 2; sm++) assert_int_equal(news[sm].queue.flits, 0);
    rig_stop(&rig);
}

static void a_line_must_fit(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
    HdError err = {0};
    assert_true(clocks_derive(&rig.clocks, &err));
    MemoryConfig config = {&rig.icnt, &rig.l2, &rig.slice, &rig.dram, &rig.atomics,
                           false};
    struct {
        const char *name;
        uint32_t *flits;
    } buffers[] = {{"reply_buffer", &rig.icnt.reply_buffer},
                   {"input_buffer", &rig.icnt.input_buffer}};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        char expected[128];
        *buffers[i].flits = 4; // 136 bytes are 5 flits
        assert_null(memory_side_new(&config, &rig.clocks, RIG_SMS, NULL, 1, &err));
        snprintf(expected, sizeof expected,
                 "icnt.%s: 4 flits: expected at least 5, for a packet with a line",
                 buffers[i].name);
        assert_string_equal(err.text, expected);
        *buffers[i].flits = 5;
    }
}

static void the_intake_needs_a_distance(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig.icnt.reply_buffer = 60;
    rig.icnt.output_buffer = 80;
    rig.slice.rop_latency = 0;
    HdError err = {0};
    assert_true(clocks_derive(&rig.clocks, &err));
    MemoryConfig config = {&rig.icnt, &rig.l2, &rig.slice, &rig.dram, &rig.atomics,
                           false};
    assert_null(memory_side_new(&config, &rig.clocks, RIG_SMS, NULL, 1, &err));
    assert_string_equal(err.text,
                        "icnt.output_buffer: 80 flits with slice.rop_latency = 0: expected "
                        "slice.rop_latency of at least 1, or 0 flits for no limit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_network_costs_nothing),
        cmocka_unit_test(replies_hold_up_those_behind_them),
        cmocka_unit_test(requests_hold_up_those_behind_them),
        cmocka_unit_test(a_channel_is_allocated_for_each_packet),
        cmocka_unit_test(a_full_input_queue_stops_the_slice),
        cmocka_unit_test(room_counts_before_what_waits),
        cmocka_unit_test(two_steps_per_cycle_pass_packets_sooner),
        cmocka_unit_test(a_slice_that_takes_nothing_stops_the_crossbar),
        cmocka_unit_test(sms_learn_what_waits_in_their_queues),
        cmocka_unit_test(a_line_must_fit),
        cmocka_unit_test(the_intake_needs_a_distance),
    };
    return cmocka_run_group_tests_name("switches", tests, NULL, NULL);
}
