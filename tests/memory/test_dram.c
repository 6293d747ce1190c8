// DRAM command timing against cycles computed by hand from the rig's parameters: tCL 12, tRCD 10,
// tRP 9, tRAS 25, tRC 36, tRRD 6, tWR 8, tCCD 2, tCCDL 3 (banks 0, 2 and 1, 3), tWL 4, tCDLR 5,
// tRTPL 3; a burst of 64 bytes takes 2 cycles of the data bus.
#include "dram_bench.h"

#include "base/random.h"

#include <string.h>

static void idle_bank(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    Bench bench;
    start(&bench, &config);
    push(&bench, 5, 0, place(3, 2, 96), false);
    run(&bench, 1000, false);
    assert_int_equal(bench.finished[0], 5 + 10 + 12 + 2); // tRCD, tCL, burst
    const DramCounters *c = channel_counters(bench.channel);
    assert_int_equal(c->row_misses, 1);
    assert_int_equal(c->activates, 1);
    assert_int_equal(c->queue_wait_cycles, 22); // until its first data
    assert_int_equal(c->bytes_read, 32);
    assert_int_equal(c->bytes_transferred, 64); // half of the burst is wasted
    assert_int_equal(c->bus_busy_cycles, 2);
    hd_tables_free(&bench.tables);
}

static void row_hits_follow_at_the_column_rate(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    Bench bench;
    start(&bench, &config);
    for (unsigned i = 0; i < 3; i++) push(&bench, 0, i, place(0, 0, i * 64), false);
    run(&bench, 1000, false);
    assert_int_equal(bench.finished[0], 24);
    assert_int_equal(bench.finished[1], 27); // tCCDL
    assert_int_equal(bench.finished[2], 30);
    assert_int_equal(channel_counters(bench.channel)->row_hits, 2);
    hd_tables_free(&bench.tables);
}

// With bank_request the bank's request is not in the queue, which then has room for another.
static void a_banks_request_leaves_the_queue(void **state)
{
    (void)state;
    for (unsigned out = 0; out <= 1; out++) {
        DramConfig config = rig_dram();
        config.queue = 1;
        config.bank_request = out;
        Bench bench;
        start(&bench, &config);
        push(&bench, 0, 0, place(3, 0, 0), false);
        assert_int_equal(channel_full(bench.channel, 0), !out);
        if (out) push(&bench, 0, 1, place(4, 0, 0), false);
        assert_true(channel_full(bench.channel, 0));
        run(&bench, 1000, false);
        assert_false(channel_full(bench.channel, 0));
        assert_int_equal(bench.count, out ? 2 : 1);
        hd_tables_free(&bench.tables);
    }
}

// Request 1 wants another row and waits for tRAS. Request 2, to the open row, passes it, unless the
// bank keeps its request: then the row is closed at 25, the other one opened at 36 (tRC) and closed
// at 36 + tRAS, and row 0 opened again at 72.
static void a_bank_keeps_its_request(void **state)
{
    (void)state;
    static const uint64_t finished[2][2] = {{36 + 10 + 14, 14 + 14}, {36 + 10 + 14, 72 + 10 + 14}};
    for (unsigned keeps = 0; keeps <= 1; keeps++) {
        DramConfig config = rig_dram();
        config.bank_request = keeps;
        Bench bench;
        start(&bench, &config);
        push(&bench, 0, 0, place(0, 0, 0), false);
        push(&bench, 12, 1, place(1, 0, 0), false);
        push(&bench, 14, 2, place(0, 0, 64), false);
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[0], 24);
        assert_int_equal(bench.finished[1], finished[keeps][0]);
        assert_int_equal(bench.finished[2], finished[keeps][1]);
        hd_tables_free(&bench.tables);
    }
}

static void writes_wait_for_their_own_time_after_an_activate(void **state)
{
    (void)state;
    for (unsigned tRCDWR = 0; tRCDWR <= 6; tRCDWR += 6) {
        DramConfig config = rig_dram();
        config.tRCDWR = tRCDWR;
        Bench bench;
        start(&bench, &config);
        push(&bench, 5, 0, place(3, 2, 96), true);
        push(&bench, 300, 1, place(3, 1, 96), false);
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[0], 5 + (tRCDWR ? 6 : 10) + 4 + 2); // tWL, burst
        assert_int_equal(bench.finished[1], 300 + 10 + 12 + 2);
        hd_tables_free(&bench.tables);
    }
}

// A request for sectors of a line costs a burst for each 64 bytes that it touches, and one row.
static void sectors_of_a_line(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    Bench bench;
    start(&bench, &config);
    static const struct { uint8_t sectors; unsigned bursts; } cases[] = {
        {1, 1}, {3, 1}, {6, 2}, {9, 2}, {8, 1}, {15, 2}};
    uint64_t bursts = 0, bytes = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned sectors = cases[i].sectors;
        DramRequest request = {.address = 256 + lanes_first(sectors) * 32u, .slice_address = i,
                               .sectors = cases[i].sectors, .write = i % 2};
        channel_push(bench.channel, &request, i * 200);
        run(&bench, (i + 1) * 200, false);
        bursts += cases[i].bursts;
        bytes += i % 2 ? 0 : lanes_count(sectors) * 32;
        const DramCounters *c = channel_counters(bench.channel);
        assert_int_equal(c->reads + c->writes, bursts);
        assert_int_equal(c->bytes_read, bytes);
        assert_int_equal(c->bytes_transferred, bursts * 64);
    }
    assert_int_equal(channel_counters(bench.channel)->activates, 1);
    assert_int_equal(bench.finished[0], 24);
    assert_int_equal(bench.finished[2], 400 + 12 + 3 + 2); // tCCDL to its second burst
    hd_tables_free(&bench.tables);
}

// Merging serves requests for the same bursts together: two halves of one burst, not more.
static void sectors_merge(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    config.merge_sectors = MERGE_ALL;
    Bench bench;
    start(&bench, &config);
    static const uint8_t sectors[] = {1, 2, 12 | 1, 1};
    for (unsigned i = 0; i < 4; i++) {
        DramRequest request = {.address = lanes_first(sectors[i]) * 32u, .slice_address = i,
                               .sectors = sectors[i]};
        channel_push(bench.channel, &request, 0);
    }
    run(&bench, 1000, false);
    assert_int_equal(bench.count, 4);
    assert_int_equal(bench.finished[0], 24);
    assert_int_equal(bench.finished[1], 24);
    assert_int_equal(bench.finished[3], 24);
    assert_int_equal(bench.finished[2], 30);
    assert_int_equal(channel_counters(bench.channel)->reads, 3);
    hd_tables_free(&bench.tables);
}

static void banks_of_different_groups(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), false);
    push(&bench, 0, 1, place(0, 1, 0), false);
    run(&bench, 100, false);
    assert_int_equal(bench.finished[0], 24);
    assert_int_equal(bench.finished[1], 30); // activated tRRD later
    // Both rows are open: reads go every tCCD = burst.
    push(&bench, 100, 2, place(0, 0, 64), false);
    push(&bench, 100, 3, place(0, 1, 64), false);
    push(&bench, 100, 4, place(0, 0, 128), false);
    run(&bench, 1000, false);
    assert_int_equal(bench.finished[2], 114);
    assert_int_equal(bench.finished[3], 116);
    assert_int_equal(bench.finished[4], 118);
    hd_tables_free(&bench.tables);
}

static void conflict_waits_for_tras_and_trc(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), false);
    push(&bench, 0, 1, place(1, 0, 0), false);
    run(&bench, 1000, false);
    // Read at 10; precharge at tRAS 25 (10 + tRTPL is 13); activate at tRC 36 (25 + tRP is 34).
    assert_int_equal(bench.finished[1], 36 + 10 + 12 + 2);
    assert_int_equal(channel_counters(bench.channel)->row_conflicts, 1);
    assert_int_equal(channel_counters(bench.channel)->precharges, 1);
    hd_tables_free(&bench.tables);

    config.tRTPL = 30; // now the read holds the row: precharge at 40, activate at 49
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), false);
    push(&bench, 0, 1, place(1, 0, 0), false);
    run(&bench, 1000, false);
    assert_int_equal(bench.finished[1], 49 + 24);
    hd_tables_free(&bench.tables);
}

static void bus_turnaround(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), true);
    push(&bench, 0, 1, place(0, 0, 64), false);
    run(&bench, 100, false);
    assert_int_equal(bench.finished[0], 10 + 4 + 2);
    assert_int_equal(bench.finished[1], 16 + 5 + 12 + 2); // tCDLR after the write's data
    push(&bench, 100, 2, place(0, 0, 128), false);
    push(&bench, 100, 3, place(0, 0, 192), true);
    run(&bench, 1000, false);
    assert_int_equal(bench.finished[2], 114);
    assert_int_equal(bench.finished[3], 116 + 2); // two idle cycles between the data
    assert_int_equal(channel_counters(bench.channel)->bytes_written, 64);
    hd_tables_free(&bench.tables);
}

static void write_recovery(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    config.tWR = 20;
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), true);
    push(&bench, 0, 1, place(1, 0, 0), false);
    run(&bench, 1000, false);
    // Data end at 16, precharge at 36, activate at 45, read at 55.
    assert_int_equal(bench.finished[1], 55 + 12 + 2);
    hd_tables_free(&bench.tables);
}

static void schedulers_differ(void **state)
{
    (void)state;
    static const uint64_t expected[2][3] = {
        {24, 60, 96}, // FCFS: row 0, row 1 (read at 46), row 0 (precharge 61, activate 72, read 82)
        {24, 60, 27}, // FR-FCFS: the second request to row 0 goes first
    };
    for (unsigned scheduler = 0; scheduler < 2; scheduler++) {
        DramConfig config = rig_dram();
        config.scheduler = scheduler;
        Bench bench;
        start(&bench, &config);
        push(&bench, 0, 0, place(0, 0, 0), false);
        push(&bench, 0, 1, place(1, 0, 0), false);
        push(&bench, 0, 2, place(0, 0, 64), false);
        run(&bench, 1000, false);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(bench.finished[i], expected[scheduler][i]);
        hd_tables_free(&bench.tables);
    }
}

static void command_bus_is_shared_unless_dual(void **state)
{
    (void)state;
    for (unsigned dual = 0; dual < 2; dual++) {
        DramConfig config = rig_dram();
        config.dual_bus = dual;
        Bench bench;
        start(&bench, &config);
        push(&bench, 0, 0, place(0, 0, 0), false);  // read command at 10
        push(&bench, 10, 1, place(0, 1, 0), false); // activate at 10 or 11
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[1], (dual ? 10 : 11) + 24);
        hd_tables_free(&bench.tables);
    }
}

static void full_return_queue_stops_reads(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    config.return_queue = 1;
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), false);
    push(&bench, 0, 1, place(0, 0, 64), false);
    push(&bench, 0, 2, place(0, 1, 0), true); // writes need no entry of the return queue
    run(&bench, 40, true);
    assert_int_equal(bench.count, 2);
    assert_int_equal(channel_next(bench.channel), CYCLE_NEVER);
    channel_taken(bench.channel, 40);
    run(&bench, 1000, true);
    assert_int_equal(bench.finished[1], 40 + 12 + 2);
    hd_tables_free(&bench.tables);
}

static void sectors_of_a_burst_can_share_it(void **state)
{
    (void)state;
    for (unsigned merge = 0; merge < 2; merge++) {
        DramConfig config = rig_dram();
        config.merge_sectors = merge ? MERGE_ALL : MERGE_NONE;
        Bench bench;
        start(&bench, &config);
        push(&bench, 0, 0, place(0, 0, 0), false);
        push(&bench, 0, 1, place(0, 0, 64), false);
        push(&bench, 0, 2, place(0, 0, 32), false);
        run(&bench, 1000, false);
        assert_int_equal(bench.finished[0], 24);
        assert_int_equal(bench.finished[1], 27);
        assert_int_equal(bench.finished[2], merge ? 24 : 30);
        assert_int_equal(channel_counters(bench.channel)->reads, merge ? 2 : 3);
        assert_int_equal(channel_counters(bench.channel)->bytes_read, 96);
        hd_tables_free(&bench.tables);
    }
}

// What is read for each prefetcher, also where another's burst moves it; without other requests.
static void bytes_by_prefetcher(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    config.merge_sectors = MERGE_ALL;
    Bench bench;
    start(&bench, &config);
    assert_int_equal(channel_prefetched(bench.channel, 2), 0);
    assert_true(channel_count_prefetchers(bench.channel, 2, &bench.tables));
    push(&bench, 0, 0, place(0, 0, 0), false);
    for (unsigned id = 1; id < 4; id++) // 2, 1, 2
        channel_push(bench.channel, &(DramRequest){.address = place(0, 0, 32 * id),
                                                   .slice_address = id,
                                                   .prefetcher = (uint16_t)(1 + id % 2)}, 0);
    channel_push(bench.channel, &(DramRequest){.address = place(1, 1, 0), .slice_address = 4,
                                               .sectors = 11, .prefetcher = 1}, 0);
    run(&bench, 1000, false);
    assert_int_equal(channel_prefetched(bench.channel, 1), 32 + 96);
    assert_int_equal(channel_prefetched(bench.channel, 2), 64);
    assert_int_equal(channel_counters(bench.channel)->bytes_read, 32 + 96 + 64 + 32);
    hd_tables_free(&bench.tables);
}

// A read does not merge with an earlier read if a write to the same burst is between them.
static void a_write_is_not_passed(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    config.merge_sectors = MERGE_ALL;
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), false);
    push(&bench, 0, 1, place(0, 0, 32), true);
    push(&bench, 0, 2, place(0, 0, 32), false);
    run(&bench, 1000, false);
    assert_true(bench.finished[0] < bench.finished[1] && bench.finished[1] < bench.finished[2]);
    assert_int_equal(channel_counters(bench.channel)->reads, 2);
    hd_tables_free(&bench.tables);
}

static void short_bursts_are_repeated(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    config.burst = 2; // 16 bytes, half a cycle: rounded up
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), false);
    run(&bench, 1000, false);
    assert_int_equal(bench.finished[0], 13 + 12 + 1); // the second burst tCCDL after the first
    assert_int_equal(channel_counters(bench.channel)->reads, 2);
    assert_int_equal(channel_counters(bench.channel)->bytes_read, 32);
    hd_tables_free(&bench.tables);
}

static void refresh_closes_rows_and_waits(void **state)
{
    (void)state;
    DramConfig config = rig_dram();
    config.refresh_interval = 200;
    config.refresh_cycles = 50;
    Bench bench;
    start(&bench, &config);
    push(&bench, 0, 0, place(0, 0, 0), false);
    push(&bench, 202, 1, place(0, 0, 64), false);
    run(&bench, 390, false);
    // Precharge at 200, refresh at 209, activate at 259: the refresh has closed the row.
    assert_int_equal(bench.finished[1], 259 + 24);
    push(&bench, 405, 2, place(1, 3, 0), false);
    run(&bench, 590, false);
    // At 400 the row is closed (precharge), refresh at 409.
    assert_int_equal(bench.finished[2], 459 + 24);
    assert_int_equal(channel_counters(bench.channel)->refreshes, 2);
    hd_tables_free(&bench.tables);
}

// The same random stream with and without jumps gives the same times and counters.
static void jumping_equals_ticking(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < 8; variant++) {
        Bench bench[2];
        for (unsigned ticked = 0; ticked < 2; ticked++) {
            DramConfig config = rig_dram();
            config.scheduler = variant & 1;
            config.dual_bus = variant >> 1 & 1;
            config.refresh_interval = variant & 4 ? 500 : 0;
            config.refresh_cycles = 40;
            start(&bench[ticked], &config);
            channel_every_cycle(bench[ticked].channel, ticked);
            uint64_t cycle = 0;
            for (unsigned id = 0; id < 1500; id++) {
                uint64_t r = random_draw(7, 1, variant, id);
                cycle += r % 17 * (r >> 5 & 1);
                while (channel_full(bench[ticked].channel, 0)) run(&bench[ticked], ++cycle, false);
                push(&bench[ticked], cycle, id, r >> 40 & 0x3fe0, r >> 20 & 1);
            }
            run(&bench[ticked], cycle + 20000, false);
            assert_int_equal(bench[ticked].count, 1500);
        }
        assert_memory_equal(bench[0].finished, bench[1].finished, sizeof bench[0].finished);
        assert_memory_equal(channel_counters(bench[0].channel), channel_counters(bench[1].channel),
                            sizeof(DramCounters));
        for (unsigned i = 0; i < 2; i++) hd_tables_free(&bench[i].tables);
    }
}

static void wrong_parameters_are_named(void **state)
{
    (void)state;
    HdError err = {0};
    DramConfig config = rig_dram();
    config.bank_groups = 5;
    assert_false(dram_check(&config, &err));
    assert_non_null(strstr(err.text, "dram.bank_groups"));
    config = rig_dram();
    config.refresh_interval = config.refresh_cycles = 100;
    assert_false(dram_check(&config, &err));
    assert_non_null(strstr(err.text, "dram.refresh_interval"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_bank),
        cmocka_unit_test(row_hits_follow_at_the_column_rate),
        cmocka_unit_test(a_banks_request_leaves_the_queue),
        cmocka_unit_test(a_bank_keeps_its_request),
        cmocka_unit_test(writes_wait_for_their_own_time_after_an_activate),
        cmocka_unit_test(sectors_of_a_line),
        cmocka_unit_test(sectors_merge),
        cmocka_unit_test(banks_of_different_groups),
        cmocka_unit_test(conflict_waits_for_tras_and_trc),
        cmocka_unit_test(bus_turnaround),
        cmocka_unit_test(write_recovery),
        cmocka_unit_test(schedulers_differ),
        cmocka_unit_test(command_bus_is_shared_unless_dual),
        cmocka_unit_test(full_return_queue_stops_reads),
        cmocka_unit_test(sectors_of_a_burst_can_share_it),
        cmocka_unit_test(bytes_by_prefetcher),
        cmocka_unit_test(a_write_is_not_passed),
        cmocka_unit_test(short_bursts_are_repeated),
        cmocka_unit_test(refresh_closes_rows_and_waits),
        cmocka_unit_test(jumping_equals_ticking),
        cmocka_unit_test(wrong_parameters_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
