// Prefetches in a channel's queue: served last, promoted and dropped, at cycles computed by hand
// from the parameters of dram_bench.h.
#include "dram_bench.h"

// Request 0 has opened row 0. At 12 come a prefetch of this row and two demand reads of row 1.
//
// As a read, the prefetch hits: it is read at 13 (tCCDL). Row 0 is closed at 25 (tRAS), row 1
// opened at 36 (tRC) and read at 46 and 49. Served last, it waits for both: row 1 is closed at 36 +
// 25, row 0 opened at 72 and read at 82. If a demand access promotes it at 20, it hits at 20.
enum { AS_READ, LAST, PROMOTED, ORDERS };
static void a_prefetch_waits_for_demand_reads(void **state)
{
    (void)state;
    static const uint64_t prefetched[ORDERS] = {13 + 14, 82 + 14, 20 + 14};
    for (unsigned order = 0; order < ORDERS; order++) {
        DramConfig config = rig_dram();
        config.prefetches = order == AS_READ ? PREFETCHES_AS_READS : PREFETCHES_LAST;
        Bench bench;
        start(&bench, &config);
        push(&bench, 0, 0, place(0, 0, 0), false);
        push_prefetch(&bench, 12, 1, place(0, 0, 64));
        push(&bench, 12, 2, place(1, 0, 0), false);
        push(&bench, 12, 3, place(1, 0, 64), false);
        run(&bench, 20, false);
        channel_promote(bench.channel, 1, place(0, 0, 64), 0, 20); // another slice's read
        channel_promote(bench.channel, 0, place(0, 0, 128), 0, 20); // another sector
        if (order == PROMOTED) channel_promote(bench.channel, 0, place(0, 0, 64), 0, 20);
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[0], 24);
        assert_int_equal(bench.finished[1], prefetched[order]);
        assert_int_equal(bench.finished[2], 46 + 14);
        assert_int_equal(bench.finished[3], 49 + 14);
        assert_int_equal(channel_counters(bench.channel)->prefetches_promoted, order == PROMOTED);
        hd_tables_free(&bench.tables);
    }
}

// Where no demand request waits for the bank, a prefetch is served at once. A demand read that
// comes at 12 goes before the prefetch of row 1 for which row 0 has been opened to be closed,
// unless the bank keeps its request.
static void an_idle_bank_serves_prefetches(void **state)
{
    (void)state;
    for (unsigned keeps = 0; keeps <= 1; keeps++) {
        DramConfig config = rig_dram();
        config.prefetches = PREFETCHES_LAST;
        config.bank_request = keeps;
        Bench bench;
        start(&bench, &config);
        push_prefetch(&bench, 0, 0, place(0, 0, 0));
        push_prefetch(&bench, 11, 1, place(1, 0, 0));
        push(&bench, 12, 2, place(2, 0, 0), false);
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[0], 24);
        assert_int_equal(bench.finished[keeps ? 1 : 2], 36 + 10 + 14);
        assert_int_equal(bench.finished[keeps ? 2 : 1], 72 + 10 + 14);
        hd_tables_free(&bench.tables);
    }
}

// Two requests may wait for a bank. A third one drops the prefetch among them in the next cycle,
// and leaves the demand request and the other bank alone. With the whole queue full, all banks lose
// theirs. Where none waits, nothing changes.
static void a_full_bank_drops_its_prefetches(void **state)
{
    (void)state;
    for (unsigned whole = 0; whole <= 1; whole++) {
        DramConfig config = rig_dram();
        config.bank_queue = whole ? 0 : 2;
        config.queue = whole ? 3 : 8;
        config.drop_prefetches = true;
        Bench bench;
        start(&bench, &config);
        push(&bench, 0, 0, place(0, 0, 0), false);
        push_prefetch(&bench, 0, 1, place(1, 0, 0));
        push_prefetch(&bench, 0, 2, place(0, 1, 0));
        assert_true(channel_full(bench.channel, place(2, 0, 0)));
        assert_int_equal(channel_full(bench.channel, place(2, 1, 0)), whole);
        run(&bench, 5, false);
        channel_make_room(bench.channel, place(2, 0, 0), 5);
        run(&bench, 6, false);
        assert_int_equal(bench.dropped[1], 5);
        assert_int_equal(bench.dropped[2], whole ? 5 : 0);
        push(&bench, 6, 3, place(2, 0, 0), false);
        if (!whole) channel_make_room(bench.channel, place(2, 0, 0), 7); // none waits
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[0], 24);
        assert_int_equal(bench.finished[1], 0);
        assert_int_equal(!bench.finished[2], whole);
        assert_int_equal(bench.finished[3], 36 + 10 + 14);
        assert_int_equal(bench.count, 4);
        assert_int_equal(channel_counters(bench.channel)->prefetches_dropped, 1 + whole);
        hd_tables_free(&bench.tables);
    }
}

// Neither a prefetch of which one of two bursts has been moved, nor the one that the bank keeps, is
// dropped; nor one that a demand access has promoted.
static void a_prefetch_that_is_served_is_not_dropped(void **state)
{
    (void)state;
    enum { MOVED, KEPT, WANTED, REASONS };
    for (unsigned reason = 0; reason < REASONS; reason++) {
        DramConfig config = rig_dram();
        config.bank_queue = reason == KEPT ? 1 : 2;
        config.drop_prefetches = true;
        config.bank_request = reason == KEPT;
        Bench bench;
        start(&bench, &config);
        DramRequest request = {.sectors = 15, .speculative = true};
        channel_push(bench.channel, &request, 0);
        push_prefetch(&bench, 0, 1, place(1, 0, 0));
        if (reason == WANTED) channel_promote(bench.channel, 0, 0, 8, 0);
        // It is opened at 0, and its bursts are read at 10 and 13.
        uint64_t cycle = reason == MOVED ? 12 : 5;
        run(&bench, cycle, false);
        assert_true(channel_full(bench.channel, place(2, 0, 0)));
        channel_make_room(bench.channel, place(2, 0, 0), cycle);
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[0], 13 + 14);
        assert_int_equal(bench.dropped[1], cycle);
        hd_tables_free(&bench.tables);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prefetch_waits_for_demand_reads),
        cmocka_unit_test(an_idle_bank_serves_prefetches),
        cmocka_unit_test(a_full_bank_drops_its_prefetches),
        cmocka_unit_test(a_prefetch_that_is_served_is_not_dropped),
    };
    return cmocka_run_group_tests_name("prefetches in a channel", tests, NULL, NULL);
}
