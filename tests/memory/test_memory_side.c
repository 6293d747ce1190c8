// The memory side as a whole: replies and counters do not depend on the size of the steps; one
// reply per request, order, attribution, errors.
#include "base/random.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { REQUESTS = 3000, END = 25000, VARIANTS = 24, OWN_MAPS = 16 };

// Three channels of two slices, four clocks, everything small enough to fill up. From OWN_MAPS on
// six slices on eight channels.
static void tight(Rig *rig, unsigned variant)
{
    rig_init(rig);
    rig->icnt.frequency = variant & 1 ? 1400000 : 700000;
    rig->slice.frequency = 700000;
    rig->dram.frequency = 924000;
    rig->dram.channels = 3;
    rig->slice.count = 6;
    rig->slice.reply_queue = 3;
    rig->slice.miss_latency = 6;
    rig->slice.fill_latency = variant & 2 ? 0 : 3;
    rig->l2.miss_queue = variant & 4 ? 2 : 3;
    rig->l2.mshr_entries = variant & 8 ? 16 : 4;
    rig->l2.size = 1024; // 8 lines a slice
    rig->l2.port = variant & 4 ? 16 : 32;
    if (variant % 4 == 3) rig->l2.sector = 128; // whole lines
    if (variant % 8 == 5) {
        rig->slice.select = SELECT_INTERLEAVE;
        rig->dram.interleave = 2 * rig->slice.interleave;
    }
    if (variant == 14) rig->l2.write = WRITE_EVICT;
    rig->l2.write_miss = variant & 8 ? WRITE_MISS_FETCH : WRITE_MISS_LAZY;
    if (variant % 3 == 1) rig->slice.reply = REPLY_SECTORS;
    if (variant % 5 > 2) rig->icnt.arbiter = ARBITER_INPUT_QUEUED;
    rig->icnt.reply_buffer = variant % 5 == 3 ? 5 : 60; // a line has 5 flits
    rig->icnt.speedup = 1 + variant % 2;
    rig->icnt.output_buffer = variant % 5 == 3 ? 6 : variant % 4 * 20;
    rig->icnt.intake = 1 + variant % 7;
    rig->dram.queue = 4;
    rig->dram.return_queue = 3;
    rig->dram.merge_sectors = variant & 1 ? MERGE_ALL : MERGE_NONE;
    rig->dram.refresh_interval = variant & 2 ? 700 : 0;
    rig->dram.refresh_cycles = 60;
    if (variant < OWN_MAPS) return;
    rig->slice.select = SELECT_INTERLEAVE;
    rig->dram.channels = 8;
    rig->dram.interleave = variant & 1 ? 512 : 256;
    rig->dram.queue = rig->dram.return_queue = 1;
    rig->l2.mshr_entries = 16;
}

typedef struct Sent {
    MemRequest request;
    Tick time; // when it has left its SM
} Sent;

typedef struct Stream {
    Sent requests[REQUESTS]; // by the time of their first flits
    AtomicLanes atomics[REQUESTS];
    uint32_t words[4096];
} Stream;

// When its first of one or two flits of 32 bytes, 8 of which are control, began to leave the SM.
static Tick first_flit(const Sent *sent, Tick period)
{
    return sent->time - (sent->request.bytes ? 2 : 1) * period;
}

static void make_stream(Stream *stream, unsigned variant, Tick period)
{
    Tick time = 0;
    Tick port_free[RIG_SMS] = {0};
    memset(stream, 0, sizeof *stream);
    for (unsigned i = 0; i < REQUESTS; i++) {
        uint64_t r = random_draw(3, 1, variant, i);
        static const uint8_t kinds[] = {MEM_LOAD,   MEM_LOAD, MEM_LOAD, MEM_LOAD,
                                        MEM_STORE, MEM_STORE, MEM_ATOMIC, MEM_REDUCE};
        MemRequest *request = &stream->requests[i].request;
        time += (r >> 20 & 7) * period * (r >> 30 & 1);
        *request = (MemRequest){.line = GUEST_GLOBAL_BASE + (r >> 32 & 0x7f) * 128,
                                .token = i,
                                .pc = i % 5,
                                .sm = (uint16_t)(r % RIG_SMS),
                                .allocation = i % 3,
                                .kind = kinds[r >> 8 & 7],
                                .sectors = (uint8_t)(1 + (r >> 12 & 15) % 15)};
        if (request->kind != MEM_LOAD) request->bytes = 32;
        Tick *free = &port_free[request->sm]; // an SM sends one flit at a time
        if (*free < time) *free = time;
        stream->requests[i].time = *free += (request->bytes ? 2 : 1) * period;
        if (request->kind == MEM_STORE)
            request->written[r >> 50 & 1] = r >> 51 & 1 ? ~UINT64_C(0) : 0xffff0;
        if (!mem_kind_atomic(request->kind)) continue;
        AtomicLanes *atomic = request->atomic = &stream->atomics[i];
        *atomic = (AtomicLanes){.operation = ATOM_ADD, .type = PTX_U32, .lanes = 0xf};
        request->sectors = 0;
        for (unsigned lane = 0; lane < 4; lane++) {
            unsigned offset = (r >> (lane * 5) & 31) * 4;
            atomic->address[lane] = request->line + offset;
            atomic->b[lane] = i + lane;
            request->sectors |= (uint8_t)(1u << offset / 32);
        }
    }
    for (unsigned i = 1; i < REQUESTS; i++) // by their first flits; the order is nearly that
        for (unsigned k = i; k && first_flit(&stream->requests[k - 1], period) >
                                      first_flit(&stream->requests[k], period); k--) {
            Sent other = stream->requests[k];
            stream->requests[k] = stream->requests[k - 1];
            stream->requests[k - 1] = other;
        }
    for (unsigned i = 0; i < REQUESTS; i++) stream->requests[i].request.token = i;
}

// Sends each request as late as the contract allows and runs in steps of `step` ticks to END
// periods.
static void run_stream(Rig *rig, Stream *stream, Tick step, Tick end)
{
    Tick forward = memory_side_forward_latency(rig->memory);
    Tick flit = rig->clocks.period[CLOCK_ICNT];
    unsigned sent = 0;
    for (Tick until = 0; until < end;) {
        until += step < end - until ? step : end - until;
        for (; sent < REQUESTS; sent++) {
            const Sent *next = &stream->requests[sent];
            if (first_flit(next, flit) + forward >= until) break;
            *rig_send(rig, next->request.sm, next->request.kind, next->time, 0, 1, 0) =
                next->request;
        }
        rig_run(rig, until);
    }
    assert_int_equal(sent, REQUESTS);
    assert_int_equal(memory_side_outstanding(rig->memory), 0);
    assert_int_equal(memory_side_next(rig->memory), TICK_NEVER);
    rig_count(rig, end);
}

static void assert_same(const Rig *a, const Rig *b)
{
    for (unsigned sm = 0; sm < RIG_SMS; sm++) {
        const RigInbox *x = &a->in[sm], *y = &b->in[sm];
        assert_int_equal(x->reply_count, y->reply_count);
        for (size_t i = 0; i < x->reply_count; i++) {
            assert_int_equal(x->replies[i].time, y->replies[i].time);
            assert_int_equal(x->replies[i].token, y->replies[i].token);
            assert_int_equal(x->replies[i].slice, y->replies[i].slice);
            assert_int_equal(x->replies[i].level, y->replies[i].level);
        }
        assert_int_equal(x->credit_count, y->credit_count);
        for (size_t i = 0; i < x->credit_count; i++) {
            assert_int_equal(x->credits[i].time, y->credits[i].time);
            assert_int_equal(x->credits[i].slice, y->credits[i].slice);
        }
    }
    assert_memory_equal(&a->icnt_counters, &b->icnt_counters, sizeof a->icnt_counters);
    assert_memory_equal(&a->l2_counters, &b->l2_counters, sizeof a->l2_counters);
    assert_memory_equal(&a->dram_counters, &b->dram_counters, sizeof a->dram_counters);
}

// Every request has one last reply, at its SM, in the order of (time, slice), and one credit.
static void assert_complete(const Rig *rig, const Stream *stream)
{
    static uint8_t seen[REQUESTS];
    memset(seen, 0, sizeof seen);
    size_t credits = 0;
    for (unsigned sm = 0; sm < RIG_SMS; sm++) {
        const RigInbox *in = &rig->in[sm];
        credits += in->credit_count;
        for (size_t i = 0; i < in->reply_count; i++) {
            const RigReply *reply = &in->replies[i];
            const MemRequest *request = &stream->requests[reply->token].request;
            Tick sent = stream->requests[reply->token].time;
            assert_int_equal(seen[reply->token], 0);
            seen[reply->token] = reply->last;
            assert_int_equal(request->sm, sm);
            assert_int_equal(request->kind, reply->kind);
            assert_int_equal(request->line, reply->line);
            assert_true(reply->time >= sent + memory_side_forward_latency(rig->memory) +
                                           memory_side_reply_latency(rig->memory));
            if (!i) continue;
            const RigReply *last = reply - 1;
            assert_true(last->time < reply->time ||
                        (last->time == reply->time && last->slice <= reply->slice));
        }
        for (size_t i = 1; i < in->credit_count; i++)
            assert_true(in->credits[i - 1].time <= in->credits[i].time);
    }
    for (unsigned i = 0; i < REQUESTS; i++) assert_int_equal(seen[i], 1);
    assert_int_equal(credits, REQUESTS);
}

static Stream stream, again;

static void steps_and_jumps_change_nothing(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        Rig whole;
        tight(&whole, variant);
        rig_start(&whole, &(GuestMemory){.host = (uint8_t *)stream.words});
        Tick period = whole.clocks.period[CLOCK_L2], end = END * period;
        Tick flit = whole.clocks.period[CLOCK_ICNT];
        make_stream(&stream, variant, flit);
        run_stream(&whole, &stream, end, end);
        assert_complete(&whole, &stream);
        static const struct { Tick periods, ticks; bool every_cycle; } ways[] = {
            {0, 7, false}, {1, 0, false}, {13, 1, true}, {END, 0, true}};
        for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
            Rig other;
            tight(&other, variant);
            rig_start(&other, &(GuestMemory){.host = (uint8_t *)again.words});
            memory_side_no_skip(other.memory, ways[w].every_cycle);
            make_stream(&again, variant, flit);
            run_stream(&other, &again, ways[w].periods * period + ways[w].ticks, end);
            assert_same(&whole, &other);
            assert_memory_equal(stream.words, again.words, sizeof stream.words);
            for (unsigned i = 0; i < REQUESTS; i++)
                assert_memory_equal(stream.atomics[i].b, again.atomics[i].b,
                                    sizeof stream.atomics[i].b);
            rig_stop(&other);
        }
        rig_stop(&whole);
    }
}

// Each stall reason occurs in some variant of the tight machine.
static void the_stream_fills_everything_up(void **state)
{
    (void)state;
    Rig sum = {0};
    uint64_t refused_by_own_maps = 0;
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        Rig rig;
        tight(&rig, variant);
        rig_start(&rig, &(GuestMemory){.host = (uint8_t *)stream.words});
        Tick period = rig.clocks.period[CLOCK_L2];
        make_stream(&stream, variant, rig.clocks.period[CLOCK_ICNT]);
        run_stream(&rig, &stream, END * period, END * period);
        stats_add(&cache_table, &sum.l2_counters, &rig.l2_counters);
        stats_add(&icnt_table, &sum.icnt_counters, &rig.icnt_counters);
        stats_add(&dram_table, &sum.dram_counters, &rig.dram_counters);
        if (variant >= OWN_MAPS) refused_by_own_maps += rig.dram_counters.stall_queue;
        const CacheCounters *l2 = &rig.l2_counters;
        assert_int_equal(l2->accesses, l2->hits + l2->pending_hits + l2->misses);
        assert_int_equal(l2->fills * rig.l2.sector, rig.dram_counters.bytes_read);
        if (rig.l2.write == WRITE_BACK)
            assert_int_equal(l2->writebacks * rig.l2.sector, rig.dram_counters.bytes_written);
        const DramCounters *d = &rig.dram_counters;
        assert_int_equal(d->reads + d->writes, d->row_hits + d->row_misses + d->row_conflicts);
        rig_stop(&rig);
    }
    assert_true(sum.l2_counters.stall_mshr_entry > 0);
    assert_true(sum.l2_counters.stall_mshr_merge > 0);
    assert_true(sum.l2_counters.stall_miss_queue > 0);
    assert_true(sum.icnt_counters.stall_reply_queue > 0);
    assert_true(sum.icnt_counters.stall_data_port > 0);
    assert_true(sum.icnt_counters.port_wait_cycles > 0);
    assert_true(sum.icnt_counters.reply_wait_cycles > 0);
    assert_true(sum.icnt_counters.stall_reply_buffer > 0);
    assert_true(sum.dram_counters.stall_queue > 0);
    assert_true(refused_by_own_maps > 0);
    assert_true(sum.dram_counters.refreshes > 0);
    assert_true(sum.dram_counters.writes > 0);
}

static void accesses_are_attributed(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    HdError err = {0};
    assert_true(memory_side_resize(rig.memory, 2, 3, NULL, &err));
    MemRequest *request = rig_send(&rig, 0, MEM_LOAD, 0, 0, 3, 1);
    request->allocation = 1;
    request->pc = 2;
    request = rig_send(&rig, 0, MEM_LOAD, 200, 0, 1, 2);
    request->allocation = 1;
    request->pc = 77; // not in the table, so not counted there
    rig_finish(&rig, 1000);
    AccessCounters arrays[2] = {0}, pcs[3] = {0};
    memory_side_rows(rig.memory, arrays, pcs, 0, 3);
    assert_int_equal(arrays[1].accesses, 3);
    assert_int_equal(arrays[1].misses, 2);
    assert_int_equal(arrays[1].hits, 1);
    assert_int_equal(pcs[2].accesses, 2);
    assert_int_equal(arrays[0].accesses, 0);
    memory_side_rows(rig.memory, arrays, pcs, 0, 3); // starts again from zero
    assert_int_equal(arrays[1].accesses, 3);
    rig_stop(&rig);
}

static void replies_are_on_their_way_when_they_leave(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 256);
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 15, 1); // leaves from 41 to 46, arrives at 56
    rig_run(&rig, 45);
    assert_int_equal(rig.in[0].reply_count, 0); // an acknowledgement could still arrive at 56
    assert_int_equal(memory_side_outstanding(rig.memory), 0); // but the reply is on its way
    assert_int_equal(memory_side_next(rig.memory), TICK_NEVER);
    rig_run(&rig, 46);
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 56);
    rig_stop(&rig);
}

static void what_is_stuck_is_described(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.mshr_entries = 1;
    rig_start(&rig, NULL);
    char text[500];
    memory_side_describe(rig.memory, text, sizeof text);
    assert_string_equal(text, "");
    rig_send(&rig, 0, MEM_LOAD, 0, 0, 3, 1);
    rig_run(&rig, 70);
    memory_side_describe(rig.memory, text, sizeof text);
    assert_non_null(strstr(text, "L2 slice 0: 1 requests"));
    assert_non_null(strstr(text, "refused: mshr_entry"));
    assert_non_null(strstr(text, "DRAM channel 0: 1 sectors"));
    rig_stop(&rig);
}

// Six slices on eight channels: chunk 14 belongs to slice 2 and channel 6, chunk 20 to slice 2 and
// channel 4. The second read does not wait for the first.
static void a_miss_goes_to_the_channel_of_its_address(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.slice.count = 6;
    rig.slice.select = SELECT_INTERLEAVE;
    rig.dram.channels = 8;
    rig_start(&rig, NULL);
    rig_send(&rig, 0, MEM_LOAD, 0, 14 * 256, 1, 1);
    rig_send(&rig, 1, MEM_LOAD, 0, 20 * 256, 1, 2);
    rig_run(&rig, 70);
    char text[500];
    memory_side_describe(rig.memory, text, sizeof text);
    assert_non_null(strstr(text, "DRAM channel 6: 1 sectors"));
    assert_non_null(strstr(text, "DRAM channel 4: 1 sectors"));
    assert_null(strstr(text, "DRAM channel 2"));
    rig_finish(&rig, 1000);
    // As in test_slice.c: 31 + 1 + 30 + 24 + 1 + 5 to the fill, 2 flits, 10 back. The second
    // request is one cycle later at the slice's ports. Its reply leaves after the first reply.
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 104);
    assert_int_equal(rig_reply(&rig, 1, 2)->time, 106);
    assert_int_equal(rig_reply(&rig, 0, 1)->slice, 2);
    assert_int_equal(rig_reply(&rig, 1, 2)->slice, 2);
    rig_count(&rig, 1000);
    assert_int_equal(rig.dram_counters.row_misses, 2); // each channel opens a row
    assert_int_equal(rig.dram_counters.channel_cycles, 8 * 1000);
    rig_stop(&rig);
}

static void expect_error(const Rig *rig, const char *part)
{
    HdError err = {0};
    MemoryConfig config = {&rig->icnt, &rig->l2, &rig->slice, &rig->dram, &rig->atomics, false};
    Clocks clocks = rig->clocks;
    assert_true(clocks_derive(&clocks, &err));
    assert_null(memory_side_new(&config, &clocks, RIG_SMS, NULL, 1, &err));
    if (!strstr(err.text, part)) fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.l2.line = 64;
    expect_error(&rig, "l2.line");
    rig_init(&rig);
    rig.l2.sector = 16;
    expect_error(&rig, "l2.sector");
    rig_init(&rig);
    rig.l2.allocate = ALLOCATE_ON_FILL;
    expect_error(&rig, "l2.allocate");
    rig_init(&rig);
    rig.l2.miss_queue = 1;
    expect_error(&rig, "l2.miss_queue");
    rig.l2.write = rig.l2.local_write = WRITE_EVICT; // atomics make lines dirty
    expect_error(&rig, "l2.miss_queue");
    rig_init(&rig);
    rig.slice.count = 2;
    rig.dram.channels = 3;
    expect_error(&rig, "slice.count");
    rig_init(&rig);
    rig.dram.queue = 0;
    expect_error(&rig, "queue");
    rig_init(&rig);
    rig.l2.ways = 0;
    expect_error(&rig, "ways");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_jumps_change_nothing),
        cmocka_unit_test(the_stream_fills_everything_up),
        cmocka_unit_test(accesses_are_attributed),
        cmocka_unit_test(replies_are_on_their_way_when_they_leave),
        cmocka_unit_test(what_is_stuck_is_described),
        cmocka_unit_test(a_miss_goes_to_the_channel_of_its_address),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
