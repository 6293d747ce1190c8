// The L2 slice's timing, stalls, stores and atomics, against ticks computed by hand from the rig's
// parameters (rig.h). A request of one flit sent at t is looked up at t + 31. A hit of one sector
// is answered at t + 31 + 7 + 2 flits + 10. A miss takes longer: miss queue 1, pipe 30, DRAM
// 10 + 12 + 2, return 1, fill 5.
#include "rig.h"

#include "memory/slice/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { MISS = 31 + 1 + 30 + 24 + 1 + 5 + 2 + 10, HIT = 31 + 7 + 2 + 10 };

static void least_latencies(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    assert_int_equal(memory_side_forward_latency(rig.memory), 10 + 1 + 20);
    assert_int_equal(memory_side_reply_latency(rig.memory), 1 + 10);
    assert_int_equal(memory_side_next(rig.memory), TICK_NEVER);
    rig_stop(&rig);
}

static void miss_then_hit(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 7);
    rig_send(&rig, 0, MEM_LOAD, 200, 0, 1, 8);
    rig_send(&rig, 0, MEM_LOAD, 300, 0, 2, 9); // another sector of the line: its DRAM row is open
    rig_finish(&rig, 1000);
    const RigReply *reply = rig_reply(&rig, 0, 7);
    assert_int_equal(reply->time, MISS);
    assert_int_equal(reply->level, LEVEL_DRAM);
    assert_int_equal(reply->kind, MEM_LOAD);
    assert_int_equal(reply->sectors, 1);
    assert_int_equal(rig_reply(&rig, 0, 8)->time, 200 + HIT);
    assert_int_equal(rig_reply(&rig, 0, 8)->level, LEVEL_L2);
    assert_int_equal(rig_reply(&rig, 0, 9)->time, 300 + MISS - 10);
    // The credit comes back when the lookup is done.
    assert_int_equal(rig.in[0].credit_count, 3);
    assert_int_equal(rig.in[0].credits[0].time, 31 + 11);
    rig_count(&rig, 1000);
    assert_int_equal(rig.l2_counters.accesses, 3);
    assert_int_equal(rig.l2_counters.load_hits, 1);
    assert_int_equal(rig.l2_counters.load_misses, 2);
    assert_int_equal(rig.l2_counters.fills, 2);
    assert_int_equal(rig.dram_counters.reads, 2);
    assert_int_equal(rig.dram_counters.row_hits, 1);
    assert_int_equal(rig.dram_counters.channel_cycles, 1000);
    assert_int_equal(rig.icnt_counters.flits_to_memory_control, 3);
    assert_int_equal(rig.icnt_counters.flits_to_sm_data, 6);
    assert_int_equal(rig.icnt_counters.flits_to_memory_load, 3);
    assert_int_equal(rig.icnt_counters.flits_to_sm_load, 6);
    assert_int_equal(rig.l2_counters.insertions, 1); // the second miss is to the same line
    rig_stop(&rig);
}

static void sectors_take_a_cycle_each(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128);
    rig_send(&rig, 1, MEM_LOAD, 0, 0, 15, 1);
    rig_finish(&rig, 1000);
    // Lookups at 31 to 34, ready at 41. The reply of 136 bytes has 5 flits.
    assert_int_equal(rig_reply(&rig, 1, 1)->time, 41 + 5 + 10);
    assert_int_equal(rig.in[1].credits[0].time, 34 + 11);
    rig_stop(&rig);
}

// With slice.reply: sectors. A packet of a sector has 40 bytes or 2 flits, an acknowledgement 1.
static void a_packet_per_sector(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.slice.reply = REPLY_SECTORS;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128 + 32);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 15, 1);
    rig_send(&rig, 1, MEM_STORE, 200, 256, 15, 2);
    rig_send(&rig, 2, MEM_LOAD, 400, 128, 3, 3); // the first sector hits
    rig_finish(&rig, 1000);
    // Lookups at 31 to 34, ready from 38 on. Each packet has 2 flits and travels for 10.
    const RigInbox *in = &rig.in[0];
    assert_int_equal(in->reply_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(in->replies[i].time, 38 + 2 * (i + 1) + 10);
        assert_int_equal(in->replies[i].bytes, 32);
        assert_int_equal(in->replies[i].sectors, 15);
        assert_int_equal(in->replies[i].last, i == 3);
    }
    // A packet of 136 bytes has 5 flits, 4 cycles more than a load's. Each lookup is acknowledged.
    in = &rig.in[1];
    assert_int_equal(in->reply_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(in->replies[i].time, 200 + 35 + i + 1 + 10);
        assert_int_equal(in->replies[i].bytes, 0);
        assert_int_equal(in->replies[i].last, i == 3);
    }
    // The sector that hits does not wait for the fetch of the other.
    in = &rig.in[2];
    assert_int_equal(in->reply_count, 2);
    assert_int_equal(in->replies[0].time, 400 + HIT);
    assert_false(in->replies[0].last);
    assert_int_equal(in->replies[1].time, 400 + 1 + MISS);
    assert_int_equal(in->replies[1].level, LEVEL_DRAM);
    assert_true(in->replies[1].last);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.packets_to_memory, 3);
    assert_int_equal(rig.icnt_counters.packets_to_sm, 10);
    assert_int_equal(rig.icnt_counters.requests_answered, 3);
    assert_int_equal(rig.icnt_counters.flits_to_sm_data, 12);
    assert_int_equal(rig.icnt_counters.flits_to_sm_control, 4);
    assert_int_equal(rig.icnt_counters.flits_to_sm_load, 12);
    assert_int_equal(rig.icnt_counters.flits_to_sm_store, 4);
    assert_int_equal(rig.icnt_counters.flits_to_memory_load, 2);
    assert_int_equal(rig.icnt_counters.flits_to_memory_store, 5);
    rig_stop(&rig);
}

// Room for one packet: the second sector is looked up after the first packet starts to leave.
static void packets_of_sectors_fill_the_reply_queue(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.slice.reply = REPLY_SECTORS;
    rig.slice.reply_queue = 1;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 3, 1);
    rig_finish(&rig, 1000);
    const RigInbox *in = &rig.in[0];
    assert_int_equal(in->replies[0].time, HIT); // leaves from 38 on
    assert_int_equal(in->replies[1].time, 39 + 7 + 2 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_reply_queue, 39 - 32);
    rig_stop(&rig);
}

static void misses_of_two_sms_merge(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    rig_send(&rig, 1, MEM_LOAD, 0, 0, 1, 1);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 1);
    rig_finish(&rig, 1000);
    // Both arrive at 10. SM 0 has the port first, SM 1 waits for one cycle. One fill answers both,
    // and the second reply leaves two flits after the first.
    assert_int_equal(rig_reply(&rig, 0, 1)->time, MISS);
    assert_int_equal(rig_reply(&rig, 1, 1)->time, MISS + 2);
    assert_int_equal(rig_reply(&rig, 1, 1)->level, LEVEL_DRAM);
    rig_count(&rig, 1000);
    assert_int_equal(rig.l2_counters.pending_hits, 1);
    assert_int_equal(rig.dram_counters.reads, 1);
    assert_int_equal(rig.icnt_counters.port_wait_cycles, 1);
    rig_stop(&rig);
}

static void mshr_stall_is_counted_by_cycle(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.mshr_entries = 1;
    rig_start(&rig, NULL);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 1);
    rig_send(&rig, 0, MEM_LOAD, 0, 128, 1, 2);
    rig_run(&rig, 60);
    rig_count(&rig, 50); // up to 50: the rest of the stall is counted later
    assert_int_equal(rig.l2_counters.stall_mshr_entry, 50 - 32);
    rig_finish(&rig, 1000);
    rig_count(&rig, 1000);
    // Stalls from 32 until the fill at 92, which has its own port.
    assert_int_equal(rig.l2_counters.stall_mshr_entry, 92 - 32);
    assert_int_equal(rig.icnt_counters.stall_data_port, 0);
    assert_int_equal(rig.in[0].credits[1].time, 92 + 11);
    rig_stop(&rig);
}

static void merge_stall(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    for (unsigned sm = 0; sm < 3; sm++) rig_send(&rig, sm, MEM_LOAD, 0, 0, 1, sm);
    rig_finish(&rig, 1000);
    rig_count(&rig, 1000);
    // The entry takes two requests. The third is first looked up at 33, and hits at 92.
    assert_int_equal(rig.l2_counters.stall_mshr_merge, 92 - 33);
    assert_int_equal(rig.l2_counters.hits, 1);
    rig_stop(&rig);
}

static void full_queues_push_back(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.mshr_entries = 8;
    rig.l2.miss_queue = 2;
    rig.slice.miss_latency = 0;
    rig.dram.queue = 1;
    rig_start(&rig, NULL);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 15, 1);
    rig_send(&rig, 0, MEM_LOAD, 0, 128, 1, 2);
    rig_finish(&rig, 1000);
    rig_count(&rig, 1000);
    // Sector 0 enters the channel's queue at 33 and is read at 43. Until then sector 1 waits in the
    // pipe (from 34), sectors 2 and 3 in the miss queue, and the second request stalls (from 35).
    // After that each sector waits 2 cycles for the previous one (a read every 3 cycles).
    assert_int_equal(rig.l2_counters.stall_miss_queue, 44 - 35);
    assert_int_equal(rig.dram_counters.stall_queue, 10 + 2 + 2 + 2);
    rig_stop(&rig);
}

static void full_reply_queue_stops_lookups(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.slice.reply_queue = 1;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 1);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 2, 2);
    rig_finish(&rig, 1000);
    // The first reply leaves the queue at 38; the second lookup is at 39.
    assert_int_equal(rig_reply(&rig, 0, 1)->time, HIT);
    assert_int_equal(rig_reply(&rig, 0, 2)->time, 39 + 7 + 2 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_reply_queue, 39 - 32);
    rig_stop(&rig);
}

static void stores_are_acknowledged_and_fetched_lazily(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    rig_send(&rig, 0, MEM_STORE, 0, 0, 1, 1);
    rig_send(&rig, 0, MEM_LOAD, 100, 0, 1, 2);
    rig_send(&rig, 0, MEM_STORE, 200, 0, 2, 3)->written[0] = UINT64_C(0xf) << 32;
    rig_send(&rig, 0, MEM_LOAD, 300, 0, 2, 4);
    rig_finish(&rig, 1000);
    // The packet of 40 bytes has 2 flits, the acknowledgement 1.
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 32 + 1 + 10);
    assert_int_equal(rig_reply(&rig, 0, 1)->kind, MEM_STORE);
    assert_int_equal(rig_reply(&rig, 0, 2)->time, 100 + HIT); // a whole sector was written
    assert_int_equal(rig_reply(&rig, 0, 4)->time, 300 + MISS);  // 4 written bytes: fetches
    rig_count(&rig, 1000);
    assert_int_equal(rig.dram_counters.reads, 1);
    assert_int_equal(rig.dram_counters.writes, 0);
    assert_int_equal(rig.icnt_counters.flits_to_memory_data, 4);
    assert_int_equal(rig.icnt_counters.flits_to_sm_control, 2);
    assert_int_equal(rig.l2_counters.store_accesses, 2);
    assert_int_equal(rig.l2_counters.insertions, 1);
    assert_int_equal(rig.l2_counters.store_insertions, 1);
    rig_stop(&rig);
}

static void dirty_victims_are_written_back(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    rig_send(&rig, 0, MEM_STORE, 0, 0, 5, 1); // sectors 0 and 2
    rig_send(&rig, 0, MEM_STORE, 100, 2048, 1, 2);
    rig_run(&rig, 200);
    assert_int_equal(memory_side_outstanding(rig.memory), 0);
    rig_send(&rig, 0, MEM_STORE, 200, 4096, 1, 3); // the third line of set 0 evicts the first
    rig_run(&rig, 255);
    assert_int_equal(rig.in[0].reply_count, 3); // before the 2 write-backs
    assert_int_equal(memory_side_outstanding(rig.memory), 2);
    rig_finish(&rig, 1000);
    rig_count(&rig, 1000);
    assert_int_equal(rig.l2_counters.evictions, 1);
    assert_int_equal(rig.l2_counters.writebacks, 2);
    assert_int_equal(rig.dram_counters.writes, 2);
    assert_int_equal(rig.dram_counters.bytes_written, 64);
    assert_int_equal(rig.dram_counters.reads, 0);
    rig_stop(&rig);
}

static void write_evict_sends_every_store_down(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.write = WRITE_EVICT;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 32);
    rig_send(&rig, 0, MEM_STORE, 0, 0, 1, 1);
    rig_send(&rig, 0, MEM_LOAD, 200, 0, 1, 2);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 0, 2)->level, LEVEL_DRAM);
    rig_count(&rig, 1000);
    assert_int_equal(rig.dram_counters.writes, 1);
    assert_int_equal(rig.dram_counters.reads, 1);
    rig_stop(&rig);
}

// ---- atomics ----

static AtomicLanes adds(LaneMask lanes, uint64_t address, uint64_t first)
{
    AtomicLanes atomic = {.operation = ATOM_ADD, .type = PTX_U32, .lanes = lanes};
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        atomic.address[l] = address;
        atomic.b[l] = first + l;
    }
    return atomic;
}

static void atomics_are_done_in_the_order_of_arrival(void **state)
{
    (void)state;
    uint32_t words[64] = {100};
    GuestMemory guest = {.host = (uint8_t *)words};
    AtomicLanes first = adds(0x5, GUEST_GLOBAL_BASE, 1), second = adds(0x2, GUEST_GLOBAL_BASE, 9);
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, &guest);
    rig_send(&rig, 0, MEM_ATOMIC, 5, GUEST_GLOBAL_BASE, 1, 1)->atomic = &second;
    rig_send(&rig, 1, MEM_ATOMIC, 0, GUEST_GLOBAL_BASE, 1, 1)->atomic = &first;
    rig_finish(&rig, 1000);
    assert_int_equal(first.b[0], 100); // adds 1
    assert_int_equal(first.b[2], 101); // adds 3
    assert_int_equal(second.b[1], 104); // adds 10, after the first atomic
    assert_int_equal(words[0], 114);
    assert_int_equal(first.b[1], 2); // not a lane of the first atomic
    // A packet with 32 bytes has 2 flits. So has the reply: 2 lanes of 4 bytes take a sector.
    assert_int_equal(rig_reply(&rig, 1, 1)->time, MISS + 1);
    rig_count(&rig, 1000);
    assert_int_equal(rig.l2_counters.atomic_accesses, 2);
    rig_stop(&rig);
}

static void order_holds_for_each_address(void **state)
{
    (void)state;
    uint32_t words[64] = {0};
    GuestMemory guest = {.host = (uint8_t *)words};
    AtomicLanes wide = adds(0x3, GUEST_GLOBAL_BASE, 1), narrow = adds(0x1, GUEST_GLOBAL_BASE, 50);
    wide.address[1] += 32; // the second lane's sector misses
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, &guest);
    memory_side_warm(rig.memory, GUEST_GLOBAL_BASE, 32);
    rig_send(&rig, 0, MEM_ATOMIC, 0, GUEST_GLOBAL_BASE, 3, 1)->atomic = &wide;
    rig_send(&rig, 1, MEM_REDUCE, 1, GUEST_GLOBAL_BASE, 1, 2)->atomic = &narrow;
    rig_finish(&rig, 1000);
    assert_int_equal(wide.b[0], 0);
    assert_int_equal(narrow.b[0], 1); // after the first lane of `wide`, before its second
    assert_int_equal(words[0], 51);
    assert_int_equal(words[8], 2);
    assert_true(rig_reply(&rig, 1, 2)->time < rig_reply(&rig, 0, 1)->time);
    assert_int_equal(rig_reply(&rig, 0, 1)->level, LEVEL_DRAM);
    rig_stop(&rig);
}

// A slice by itself, behind a crossbar whose queue holds 8 flits. A cycle of the L2 is two ticks.
typedef struct Alone {
    Rig rig; // its configuration
    SliceContext context;
    GroupCounts counts;
    SliceDue due;
    Tick group;
    HdTables tables;
    Slice *slice;
} Alone;

static void start_alone(Alone *alone)
{
    *alone = (Alone){.group = TICK_NEVER, .due.group = &alone->group};
    Rig *rig = &alone->rig;
    rig_init(rig);
    rig->icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig->icnt.reply_buffer = 8;
    rig->slice.reply_queue = 1;
    SliceContext *context = &alone->context;
    context->config = (MemoryConfig){&rig->icnt, &rig->l2, &rig->slice, &rig->dram, &rig->atomics,
                                     false};
    context->clocks = rig->clocks;
    for (unsigned d = 0; d < CLOCK_DOMAINS; d++) context->clocks.period[d] = 1;
    context->clocks.period[CLOCK_L2] = 2;
    icnt_timing(&context->icnt, &context->config, &context->clocks);
    HdError err = {0};
    alone->slice = slice_new(context, 0, 0, &alone->tables, &alone->counts, &alone->due, 1, &err);
    if (!alone->slice) fail_msg("%s", err.text);
}

static void stop_alone(Alone *alone)
{
    slice_free(alone->slice);
    hd_tables_free(&alone->tables);
}

// Two replies of 5 flits: the first leaves room for 3 in the queue. With one more, no room for the
// second is known, and nothing is due. With two more it leaves at 11, and the slice goes on in its
// next cycle, at 12.
static void too_little_room_makes_nothing_due(void **state)
{
    (void)state;
    Alone alone;
    start_alone(&alone);
    Packet packet = {.request.kind = MEM_LOAD};
    for (unsigned i = 0; i < 2; i++) {
        packet.back[i] = (Transit){.packet = &packet, .bytes = 128};
        out_port_add(slice_out(alone.slice), &packet.back[i], &alone.context.icnt);
    }
    slice_send_until(alone.slice, 1);
    assert_int_equal(slice_out(alone.slice)->waiting_count, 1);
    slice_free_out_flits(alone.slice, 10, 1);
    assert_true(alone.due.out == TICK_NEVER && alone.due.act == TICK_NEVER);
    assert_true(alone.group == TICK_NEVER);
    slice_free_out_flits(alone.slice, 11, 1);
    assert_int_equal(alone.due.out, 11);
    assert_int_equal(alone.due.act, 12);
    assert_int_equal(alone.group, 11);
    stop_alone(&alone);
}

// A slice with mechanisms runs each cycle together with the others; so does one of --no-skip.
static void attached_mechanisms_end_running_ahead(void **state)
{
    (void)state;
    Alone alone;
    start_alone(&alone);
    alone.due.shared = 100;
    assert_true(slice_attach(alone.slice, NULL, &(HdError){0}));
    assert_int_equal(alone.due.shared, 0);
    alone.due.shared = 100;
    slice_every_cycle(alone.slice, true);
    assert_int_equal(alone.due.shared, 0);
    stop_alone(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_latencies),
        cmocka_unit_test(miss_then_hit),
        cmocka_unit_test(sectors_take_a_cycle_each),
        cmocka_unit_test(a_packet_per_sector),
        cmocka_unit_test(packets_of_sectors_fill_the_reply_queue),
        cmocka_unit_test(misses_of_two_sms_merge),
        cmocka_unit_test(mshr_stall_is_counted_by_cycle),
        cmocka_unit_test(merge_stall),
        cmocka_unit_test(full_queues_push_back),
        cmocka_unit_test(full_reply_queue_stops_lookups),
        cmocka_unit_test(stores_are_acknowledged_and_fetched_lazily),
        cmocka_unit_test(dirty_victims_are_written_back),
        cmocka_unit_test(write_evict_sends_every_store_down),
        cmocka_unit_test(atomics_are_done_in_the_order_of_arrival),
        cmocka_unit_test(order_holds_for_each_address),
        cmocka_unit_test(too_little_room_makes_nothing_due),
        cmocka_unit_test(attached_mechanisms_end_running_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
