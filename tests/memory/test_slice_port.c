// The data port of an L2 slice, against ticks computed by hand from the rig's parameters (rig.h): a
// request of one flit sent at t is looked up at t + 31.
#include "rig.h"

#include "memory/slice/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void narrow_data_port(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.port = 16;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 15, 1);
    rig_finish(&rig, 1000);
    // Lookups at 31, 33, 35 and 37, with one stall cycle between two of them.
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 37 + 7 + 5 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_data_port, 3);
    rig_stop(&rig);
}

// An L2 without sectors, and a port of 32 bytes. Each request of one flit is at the tags a cycle
// after the one before, from 31 on, if the port is free.
static void start_hits_of_a_line(Rig *rig, SlicePort port)
{
    rig_init(rig);
    rig->l2.sector = 128;
    rig->slice.port_bytes = port;
    rig_start(rig, NULL);
    memory_side_warm(rig->memory, 0, 512);
}

// In GPGPU-Sim (gpu-cache.cc, use_data_port) a hit keeps the port busy for
// ceil(bytes of the access / bytes of the port) cycles: 1, 2 and 4 for 32, 64 and 128 bytes.
static void a_hit_takes_the_port_by_the_size_of_its_access(void **state)
{
    (void)state;
    Rig rig;
    start_hits_of_a_line(&rig, PORT_BY_ACCESS);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 1);    // 32 bytes, looked up at 31
    rig_send(&rig, 0, MEM_LOAD, 0, 128, 12, 2); // 64 bytes, at 31 + 1
    rig_send(&rig, 0, MEM_LOAD, 0, 256, 15, 3); // 128 bytes, at 32 + 2
    rig_send(&rig, 0, MEM_LOAD, 0, 384, 8, 4);  // 32 bytes, at 34 + 4
    rig_finish(&rig, 1000);
    // Each answer is ready after 7 cycles. Packets of 40, 72, 136 and 40 bytes have 2, 3, 5 and 2
    // flits, travel for 10 cycles, and wait for the packet before.
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 31 + 7 + 2 + 10);
    assert_int_equal(rig_reply(&rig, 0, 2)->time, 31 + 7 + 2 + 3 + 10);
    assert_int_equal(rig_reply(&rig, 0, 3)->time, 31 + 7 + 2 + 3 + 5 + 10);
    assert_int_equal(rig_reply(&rig, 0, 4)->time, 31 + 7 + 2 + 3 + 5 + 2 + 10);
    // A credit leaves after the lookup.
    static const Tick lookups[] = {31, 32, 34, 38};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig.in[0].credits[i].time, lookups[i] + 11);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_data_port, 1 + 3); // at 33; at 35, 36 and 37
    rig_stop(&rig);
}

// By lookup, each of the same hits moves the whole line: 4 cycles.
static void a_hit_takes_the_port_by_what_is_looked_up(void **state)
{
    (void)state;
    Rig rig;
    start_hits_of_a_line(&rig, PORT_BY_LOOKUP);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 1, 1);
    rig_send(&rig, 0, MEM_LOAD, 0, 128, 12, 2);
    rig_send(&rig, 0, MEM_LOAD, 0, 256, 15, 3);
    rig_send(&rig, 0, MEM_LOAD, 0, 384, 8, 4);
    rig_finish(&rig, 1000);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig.in[0].credits[i].time, 31 + 4 * i + 11);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_data_port, 3 * 3);
    rig_stop(&rig);
}

// As there: a miss moves nothing, unless a line is written back for it. A write-back reads all 128
// bytes. The L2 has 16 sets of 2 ways: lines 0, 2048 and 4096 are in the same set.
static void a_miss_takes_the_port_for_its_write_back(void **state)
{
    (void)state;
    static const struct {
        SlicePort port;
        Tick after_miss, after_write_back, after_store;
    } rows[] = {{PORT_BY_ACCESS, 1, 4, 1}, {PORT_BY_LOOKUP, 1, 1, 4}};
    for (unsigned r = 0; r < 2; r++) {
        Rig rig;
        start_hits_of_a_line(&rig, rows[r].port);
        rig_send(&rig, 0, MEM_STORE, 0, 2048, 15, 1);  // a miss that allocates, no victim
        rig_send(&rig, 0, MEM_LOAD, 0, 128, 1, 2);
        rig_send(&rig, 0, MEM_LOAD, 400, 4096, 15, 3); // replaces line 0, which is clean
        rig_send(&rig, 0, MEM_LOAD, 400, 128, 1, 4);
        rig_send(&rig, 0, MEM_LOAD, 800, 6144, 15, 5); // replaces line 2048, which is written back
        rig_send(&rig, 0, MEM_LOAD, 800, 128, 1, 6);
        rig_finish(&rig, 1000);
        const RigCredit *credits = rig.in[0].credits;
        // The store's packet has 5 flits.
        assert_int_equal(credits[0].time, 31 + 4 + 11);
        assert_int_equal(credits[1].time, credits[0].time + rows[r].after_store);
        assert_int_equal(credits[2].time, 400 + 31 + 11);
        assert_int_equal(credits[3].time, credits[2].time + rows[r].after_miss);
        assert_int_equal(credits[4].time, 800 + 31 + 11);
        assert_int_equal(credits[5].time, credits[4].time + rows[r].after_write_back);
        rig_stop(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_data_port),
        cmocka_unit_test(a_hit_takes_the_port_by_the_size_of_its_access),
        cmocka_unit_test(a_hit_takes_the_port_by_what_is_looked_up),
        cmocka_unit_test(a_miss_takes_the_port_for_its_write_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
