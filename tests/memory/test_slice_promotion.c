// Prefetches of L1Ds between a slice and its channel: served last, promoted, and dropped. Ticks as
// in test_slice.c: a request sent at t is looked up at t + 31. A miss that is looked up at L comes
// to its channel at L + 31. Data whose last cycle is before D are filled at D + 6, and the reply,
// of two flits, is at its SM 2 + 10 ticks later.
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { OPEN = 0, NEXT = 128, ROW_1 = 4096, ROW_2 = 8192 + 128, TO_SM = 6 + 12 };

static void start(Rig *rig, bool no_skip)
{
    HdError err = {0};
    rig_start(rig, NULL);
    if (!memory_side_attach(rig->memory, 0, NULL, &err)) fail_msg("%s", err.text);
    memory_side_no_skip(rig->memory, no_skip);
}

// A load opens row 0 at 62 and reads at 72. A prefetch of row 0, looked up at 41, comes at 72, and
// a load of row 1 at 73.
//
// As a read, the prefetch hits at 75 (tCCDL). Served last, it waits: row 0 is closed at 87 (tRAS),
// row 1 opened at 98 and read at 108, row 1 closed at 123, row 0 opened at 134 and read at 144. A
// demand access of its line promotes it: on its way to the channel, the prefetch is as a read. At
// the channel, at 76, it hits at once. Both are loads of another SM, or a packet of the first SM. A
// further prefetch changes nothing, nor does a packet for another line.
typedef struct Order {
    bool last;        // dram.prefetches
    MemKind kind;     // of the other request, if it is sent
    Tick sent;        // 0: none is
    bool promotes;
    uint64_t line;
    Tick prefetched;  // the first cycle after its data
} Order;
static const Order orders[] = {
    {.last = false, .prefetched = 75 + 14},
    {.last = true, .prefetched = 144 + 14},
    {true, MEM_LOAD, 20, false, NEXT, 75 + 14},
    {true, MEM_LOAD, 45, false, NEXT, 76 + 14},
    {true, MEM_PREFETCH, 20, true, NEXT, 75 + 14},
    {true, MEM_PREFETCH, 45, true, NEXT, 76 + 14},
    {true, MEM_PREFETCH, 45, true, NEXT + 128, 144 + 14},
    {true, MEM_PREFETCH, 45, false, NEXT, 144 + 14},
};

static void test_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof orders / sizeof *orders; i++) {
        const Order *order = &orders[i / 2];
        Rig rig;
        rig_init(&rig);
        rig.dram.prefetches = order->last ? PREFETCHES_LAST : PREFETCHES_AS_READS;
        start(&rig, i % 2);
        rig_send(&rig, 0, MEM_LOAD, 0, OPEN, 1, 1);
        rig_send(&rig, 0, MEM_PREFETCH, 10, NEXT, 1, 2);
        rig_send(&rig, 1, MEM_LOAD, 11, ROW_1, 1, 3);
        if (order->sent)
            rig_send(&rig, 2, order->kind, order->sent, order->line, 1, 4)->promotes =
                order->promotes;
        rig_finish(&rig, 1000);
        rig_count(&rig, 1000);
        assert_int_equal(rig_reply(&rig, 0, 1)->time, 86 + TO_SM);
        assert_int_equal(rig_reply(&rig, 0, 2)->time, order->prefetched + TO_SM);
        assert_int_equal(rig_reply(&rig, 1, 3)->time, 122 + TO_SM);
        assert_int_equal(rig.in[2].reply_count, order->sent && !order->promotes);
        assert_int_equal(rig.dram_counters.prefetches_promoted, order->prefetched == 76 + 14);
        assert_int_equal(rig.icnt_counters.packets_to_memory, rig.icnt_counters.requests_answered);
        rig_stop(&rig);
    }
}

// As in test_order a prefetch of row 0 waits for a load of row 1. A store to its sector, of two
// flits, is looked up at 77, and sent on (write_miss=fetch-and-forward). It must not pass the fetch
// on its way, so it promotes that at 77. Then the fetch hits at once.
static void test_store(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Rig rig;
        rig_init(&rig);
        rig.l2.write_miss = WRITE_MISS_FORWARD;
        rig.dram.prefetches = PREFETCHES_LAST;
        start(&rig, no_skip);
        rig_send(&rig, 0, MEM_LOAD, 0, OPEN, 1, 1);
        rig_send(&rig, 0, MEM_PREFETCH, 10, NEXT, 1, 2);
        rig_send(&rig, 1, MEM_LOAD, 11, ROW_1, 1, 3);
        rig_send(&rig, 2, MEM_STORE, 45, NEXT, 1, 4);
        rig_finish(&rig, 1000);
        rig_count(&rig, 1000);
        assert_int_equal(rig_reply(&rig, 0, 2)->time, 77 + 14 + TO_SM);
        assert_int_equal(rig.dram_counters.prefetches_promoted, 1);
        assert_int_equal(rig.dram_counters.bytes_written, 32);
        assert_int_equal(rig.dram_counters.bytes_read, 3 * 32);
        rig_stop(&rig);
    }
}

// One request may wait for the bank. The prefetch of row 1 comes at 74, and the load of row 2 at
// 77: then the prefetch is dropped, and the load takes its place at 78. It opens row 2 at 98. The
// notice is behind the data of the first load, which are taken at 87 and filled at 92: it is taken
// at 88, and the fetch ends at 93. The first reply leaves up to 94. Then the reply without data
// leaves, of one flit, and is at its SM at 94 + 1 + 10. Meanwhile a load of the prefetched data,
// looked up at 79, stalls. At 93 it fetches them.
static void test_dropped(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        Rig rig;
        rig_init(&rig);
        rig.dram.bank_queue = 1;
        rig.dram.drop_prefetches = true;
        start(&rig, no_skip);
        rig_send(&rig, 0, MEM_LOAD, 0, OPEN, 1, 1);
        rig_send(&rig, 0, MEM_PREFETCH, 12, ROW_1, 1, 2);
        rig_send(&rig, 1, MEM_LOAD, 15, ROW_2, 1, 3);
        rig_send(&rig, 2, MEM_LOAD, 48, ROW_1, 1, 4);
        rig_finish(&rig, 1000);
        rig_count(&rig, 1000);
        const RigReply *dropped = rig_reply(&rig, 0, 2), *again = rig_reply(&rig, 2, 4);
        assert_true(dropped->dropped && dropped->last);
        assert_int_equal(dropped->bytes, 0);
        assert_int_equal(dropped->time, 94 + 11);
        assert_int_equal(rig_reply(&rig, 1, 3)->time, 122 + TO_SM);
        // The fetch comes at 124. Row 2 is closed then, row 1 opened at 134 and read at 144.
        assert_int_equal(again->time, 158 + TO_SM);
        assert_false(again->dropped);
        assert_int_equal(rig.l2_counters.stalls[STALL_MERGE], 93 - 79);
        assert_int_equal(rig.dram_counters.prefetches_dropped, 1);
        assert_int_equal(rig.dram_counters.bytes_read, 3 * 32);
        assert_int_equal(rig.icnt_counters.packets_to_memory, rig.icnt_counters.requests_answered);
        rig_stop(&rig);
    }
}

// The four sectors of a prefetch lie in one bank, for which one request may wait: each but the last
// is dropped for the next one. The reply has no data, in one packet or in four. If a demand access
// waits for it, none is dropped.
static void test_several_sectors(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < 8; variant++) {
        bool demanded = variant & 1, by_sector = variant & 2;
        Rig rig;
        rig_init(&rig);
        rig.dram.bank_queue = 1;
        rig.dram.drop_prefetches = true;
        rig.slice.reply = by_sector ? REPLY_SECTORS : REPLY_REQUEST;
        start(&rig, variant & 4);
        rig_send(&rig, 0, MEM_PREFETCH, 0, ROW_1, 15, 1)->demanded = demanded;
        rig_finish(&rig, 1000);
        rig_count(&rig, 1000);
        const RigInbox *in = &rig.in[0];
        assert_int_equal(in->reply_count, by_sector ? 4 : 1);
        unsigned bytes = 0;
        for (size_t i = 0; i < in->reply_count; i++) bytes += in->replies[i].bytes;
        assert_int_equal(bytes, demanded ? 128 : 0);
        assert_int_equal(in->replies[in->reply_count - 1].dropped, !demanded);
        assert_int_equal(rig.dram_counters.prefetches_dropped, demanded ? 0 : 3);
        rig_stop(&rig);
    }
}

// An L2 that is off merges no requests, so that none could promote a prefetch: it is a read.
static void test_l2_off(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.mode = CACHE_OFF;
    rig.dram.prefetches = PREFETCHES_LAST;
    start(&rig, false);
    rig_send(&rig, 0, MEM_LOAD, 0, OPEN, 1, 1);
    rig_send(&rig, 0, MEM_PREFETCH, 10, NEXT, 1, 2);
    rig_send(&rig, 1, MEM_LOAD, 11, ROW_1, 1, 3);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 0, 2)->time, 75 + 14 + TO_SM);
    rig_stop(&rig);
}

// A slice behind an input-queued crossbar takes no packet while `intake` lookups wait at its tags.
// A packet that promotes, or that joins a mechanism's queue, has left the tags after its turn.
static void test_intake(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig.icnt.output_buffer = 8;
    rig.icnt.reply_buffer = 16;
    rig.icnt.intake = 2;
    rig.dram.prefetches = PREFETCHES_LAST;
    start(&rig, false);
    for (unsigned i = 0; i < 8; i++)
        rig_send(&rig, 0, MEM_PREFETCH, 30 * i, NEXT, 1, 0)->promotes = true;
    rig_send(&rig, 0, MEM_LOAD, 300, OPEN, 1, 1);
    rig_finish(&rig, 1000);
    assert_int_equal(rig.in[0].reply_count, 1);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_store),
        cmocka_unit_test(test_dropped), cmocka_unit_test(test_several_sectors),
        cmocka_unit_test(test_l2_off), cmocka_unit_test(test_intake)};
    return cmocka_run_group_tests_name("promotion of prefetches", tests, NULL, NULL);
}
