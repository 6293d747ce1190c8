// The rig's parameters and its SMs.
#include "rig.h"
#include "base/bits.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

DramConfig rig_dram(void)
{
    return (DramConfig){.frequency = 1000000,
                        .channels = 1,
                        .banks = 4,
                        .bank_groups = 2,
                        .row = 1024,
                        .bus = 8,
                        .interleave = 256,
                        .burst = 8,
                        .data_rate = 4,
                        .scheduler = 1,
                        .queue = 8,
                        .return_queue = 8,
                        .tCL = 12,
                        .tRCD = 10,
                        .tRP = 9,
                        .tRAS = 25,
                        .tRC = 36,
                        .tRRD = 6,
                        .tWR = 8,
                        .tCCD = 2,
                        .tCCDL = 3,
                        .tWL = 4,
                        .tCDLR = 5,
                        .tRTPL = 3,
                        .map = "RRRR.BBCC.CCSSSSSS"};
}

void rig_init(Rig *rig)
{
    *rig = (Rig){0};
    rig->icnt = (IcntConfig){
        .frequency = 1000000, .flit = 32, .control = 8, .latency = 10, .credits = 8,
        .speedup = 1, .intake = 1};
    rig->l2 = (CacheConfig){.size = 4096,
                            .line = 128,
                            .sector = 32,
                            .ways = 2,
                            .replacement = REPLACE_LRU,
                            .index = INDEX_LINEAR,
                            .allocate = ALLOCATE_ON_MISS,
                            .write = WRITE_BACK,
                            .write_miss = WRITE_MISS_LAZY,
                            .local_write = WRITE_BACK,
                            .mshr_entries = 4,
                            .mshr_merges = 2,
                            .miss_queue = 4,
                            .latency = 7,
                            .port = 32};
    rig->slice = (SliceConfig){.frequency = 1000000,
                               .count = 1,
                               .rop_latency = 20,
                               .fill_latency = 5,
                               .miss_latency = 30,
                               .select = SELECT_BANK,
                               .interleave = 256,
                               .reply_queue = 8,
                               .write_versions = 64};
    rig->dram = rig_dram();
    for (unsigned d = 0; d < CLOCK_DOMAINS; d++) rig->clocks.khz[d] = 1000000;
}

void rig_start(Rig *rig, GuestMemory *guest)
{
    HdError err = {0};
    rig->clocks.khz[CLOCK_ICNT] = rig->icnt.frequency;
    rig->clocks.khz[CLOCK_L2] = rig->slice.frequency;
    rig->clocks.khz[CLOCK_DRAM] = rig->dram.frequency;
    if (!clocks_derive(&rig->clocks, &err)) fail_msg("%s", err.text);
    MemoryConfig config = {&rig->icnt, &rig->l2, &rig->slice, &rig->dram, &rig->atomics,
                           rig->linked};
    rig->memory = memory_side_new(&config, &rig->clocks, RIG_SMS, guest, 1, &err);
    if (!rig->memory) fail_msg("%s", err.text);
}

void rig_stop(Rig *rig)
{
    memory_side_free(rig->memory);
    for (unsigned sm = 0; sm < RIG_SMS; sm++) {
        free(rig->in[sm].replies);
        free(rig->in[sm].credits);
    }
    for (Packet *packet; (packet = rig->packets);) {
        rig->packets = packet->next_free;
        free(packet);
    }
}

MemRequest *rig_send(Rig *rig, unsigned sm, MemKind kind, Tick time, uint64_t line,
                     unsigned sectors, uint32_t token)
{
    Packet *packet = hd_new(1, sizeof *packet);
    if (!packet) fail_msg("out of memory");
    MemRequest *request = &packet->request;
    *request = (MemRequest){.line = line,
                            .token = token,
                            .sm = (uint16_t)sm,
                            .allocation = GUEST_NO_ALLOCATION,
                            .kind = (uint8_t)kind,
                            .sectors = (uint8_t)sectors};
    for (unsigned s = 0; mem_kind_writes(kind) && s < 4; s++)
        if (sectors >> s & 1) request->written[s / 2] |= UINT64_C(0xffffffff) << s % 2 * 32;
    if (mem_kind_writes(kind) || mem_kind_atomic(kind))
        request->bytes = (uint16_t)(lanes_count(sectors) * SECTOR_BYTES);
    packet->there = (Transit){.packet = packet, .time = time, .from = (uint16_t)sm};
    for (unsigned i = 0; i < REPLY_PACKETS; i++) packet->back[i].packet = packet;
    packet->next_free = rig->packets;
    rig->packets = packet;
    transits_append(&rig->out[sm], &packet->there);
    return request;
}

static void add_credit(RigInbox *in, const Transit *credit)
{
    RigCredit added = {credit->time, credit->from};
    if (!HD_PUSH(in->credits, in->credit_count, in->credit_capacity, added))
        fail_msg("out of memory");
    for (size_t i = in->credit_count - 1; i; i--) {
        RigCredit *before = &in->credits[i - 1];
        if (before->time < added.time ||
            (before->time == added.time && before->slice <= added.slice))
            break;
        in->credits[i] = *before;
        *before = added;
    }
}

// Takes the packets that have been sent to an SM. Those before `limit` have arrived.
static void receive(Rig *rig, unsigned sm, Tick limit)
{
    RigInbox *in = &rig->in[sm];
    Transit *transit, *next;
    while ((transit = post_take(&memory_side_exchange(rig->memory)->replies, sm)))
        for (; transit; transit = next) {
            next = transit->next;
            if (transit == &transit->packet->there)
                add_credit(in, transit);
            else
                arrivals_add(&rig->coming[sm], transit);
        }
    while ((transit = arrivals_first(&rig->coming[sm])) && transit->time < limit) {
        arrivals_remove(&rig->coming[sm], transit);
        const MemRequest *request = &transit->packet->request;
        const MemReply none = {0}, *whole = transit->last ? &transit->packet->reply : &none;
        RigReply reply = {.time = transit->time, .line = request->line, .token = request->token,
                          .version = whole->version, .sideband_tags = whole->sideband_tags,
                          .slice = transit->from, .bytes = transit->bytes,
                          .kind = request->kind, .sectors = request->sectors,
                          .sideband_bytes = transit->sideband_bytes, .level = whole->level,
                          .last = transit->last, .dropped = whole->dropped};
        if (!HD_PUSH(in->replies, in->reply_count, in->reply_capacity, reply))
            fail_msg("out of memory");
    }
}

void rig_run(Rig *rig, Tick until)
{
    Exchange *exchange = memory_side_exchange(rig->memory);
    for (unsigned sm = 0; sm < RIG_SMS; sm++)
        while (rig->out[sm].first) {
            Transit *request = transits_pop(&rig->out[sm]);
            memory_side_place(rig->memory, &request->packet->request);
            exchange_send(exchange, sm, request);
        }
    HdError err = {0};
    if (!memory_side_run(rig->memory, until, NULL, &err)) fail_msg("%s", err.text);
    for (unsigned sm = 0; sm < RIG_SMS; sm++)
        receive(rig, sm, until + memory_side_reply_latency(rig->memory));
}

void rig_finish(Rig *rig, Tick step)
{
    Tick until = 0;
    do {
        until += step;
        if (until > 1000000) {
            char text[2000];
            memory_side_describe(rig->memory, text, sizeof text);
            fail_msg("still outstanding: %s", text);
        }
        rig_run(rig, until);
    } while (memory_side_outstanding(rig->memory));
}

void rig_count(Rig *rig, Tick now)
{
    memory_side_count_to(rig->memory, now);
    memory_side_counters(rig->memory, now, &rig->icnt_counters, &rig->l2_counters,
                         &rig->dram_counters);
}

const RigReply *rig_reply(const Rig *rig, unsigned sm, uint32_t token)
{
    const RigInbox *in = &rig->in[sm];
    for (size_t i = 0; i < in->reply_count; i++)
        if (in->replies[i].token == token) return &in->replies[i];
    fail_msg("SM %u has no reply to %u", sm, token);
    return NULL;
}
