// A channel with the rig's parameters, to which a test pushes requests at cycles of its choice: tCL
// 12, tRCD 10, tRP 9, tRAS 25, tRC 36, tRRD 6, tWR 8, tCCD 2, tCCDL 3 (banks 0, 2 and 1, 3), tWL 4,
// tCDLR 5, tRTPL 3; a burst of 64 bytes takes 2 cycles of the data bus.
#ifndef TESTS_MEMORY_DRAM_BENCH_H
#define TESTS_MEMORY_DRAM_BENCH_H

#include "memory/dram/dram.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { MOST = 4096 };

typedef struct Bench {
    DramConfig config;
    AddressMap map;
    Channel *channel;
    uint64_t cycle;           // the next to run
    HdTables tables;
    uint64_t finished[MOST]; // by id: the first cycle after the last data
    uint64_t dropped[MOST];  // by id: the cycle in which it was dropped
    unsigned count;
} Bench;

static inline void start(Bench *bench, const DramConfig *config)
{
    *bench = (Bench){.config = *config};
    SliceConfig slice = {.count = 1, .select = SELECT_BANK};
    HdError err = {0};
    if (!dram_check(config, &err) || !address_map_init(&bench->map, &slice, config, &err))
        fail_msg("%s", err.text);
    bench->channel = channel_new(&bench->config, &bench->map, SECTOR_BYTES, &bench->tables);
    assert_non_null(bench->channel);
}

// Runs up to, not including, `until`. Replies are taken at once unless `hold`.
static inline void run(Bench *bench, uint64_t until, bool hold)
{
    for (uint64_t next; (next = channel_next(bench->channel)) < until;) {
        if (next > bench->cycle) bench->cycle = next;
        if (bench->cycle >= until) return;
        const DramDone *done;
        unsigned count = channel_cycle(bench->channel, bench->cycle, &done);
        for (unsigned i = 0; i < count; i++) {
            uint64_t *at = done[i].dropped ? bench->dropped : bench->finished;
            at[done[i].request.slice_address] = done[i].cycle;
            bench->count++;
            if (done[i].dropped) continue;
            if (!hold && !done[i].request.write) channel_taken(bench->channel, bench->cycle);
        }
        bench->cycle++;
    }
}

static inline uint64_t place(unsigned row, unsigned bank, unsigned column)
{
    return (uint64_t)row << 12 | bank << 10 | column;
}

// Runs the channel up to `cycle`, then pushes request number `id`.
static inline void push(Bench *bench, uint64_t cycle, unsigned id, uint64_t address, bool write)
{
    run(bench, cycle, false);
    assert_false(channel_full(bench->channel, address));
    DramRequest request = {.address = address, .slice_address = id, .write = write};
    channel_push(bench->channel, &request, cycle);
}

// The same for a read that only prefetches want.
static inline void push_prefetch(Bench *bench, uint64_t cycle, unsigned id, uint64_t address)
{
    run(bench, cycle, false);
    assert_false(channel_full(bench->channel, address));
    DramRequest request = {.address = address, .slice_address = id, .speculative = true};
    channel_push(bench->channel, &request, cycle);
}

#endif
