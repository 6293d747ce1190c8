// The crossbars between SMs and slices: their queues, and the packets that pass.
#include "memory/network/network_crossbars.h"

#include <stdlib.h>
#include <string.h>

// Requests of an SM that the crossbar has not taken: those of a quantum and some that wait. More of
// them need memory during a run.
enum { EXPECTED_REQUESTS = 256 };

bool network_crossbars_init(NetworkCrossbars *switches, const SliceContext *context, Slice **slices,
                            unsigned sms)
{
    unsigned count = context->config.slice->count;
    *switches =
        (NetworkCrossbars){.context = context, .slices = slices, .sms = sms, .slice_count = count};
    switches->sent = hd_new(sms, sizeof *switches->sent);
    bool ok = switches->sent;
    for (unsigned i = 0; ok && i < sms; i++) {
        SentRequests *sent = &switches->sent[i];
        sent->items = hd_new(EXPECTED_REQUESTS, sizeof *sent->items);
        sent->capacity = sent->items ? EXPECTED_REQUESTS : 0;
        ok = sent->items;
    }
    ok = crossbar_init(&switches->requests, sms, count) && ok;
    return crossbar_init(&switches->replies, count, sms) && ok;
}

void network_crossbars_free(NetworkCrossbars *switches)
{
    for (unsigned i = 0; switches->sent && i < switches->sms; i++) free(switches->sent[i].items);
    free(switches->sent);
    crossbar_free(&switches->requests);
    crossbar_free(&switches->replies);
}

static const IcntTiming *timing_of(const NetworkCrossbars *switches)
{
    return &switches->context->icnt;
}

// ---- requests ----

static uint64_t arrival(const NetworkCrossbars *switches, const MemRequest *request)
{
    const IcntTiming *timing = timing_of(switches);
    return icnt_cycle(timing, request->time + timing->latency);
}

static void request_head(NetworkCrossbars *switches, unsigned sm)
{
    const SentRequests *sent = &switches->sent[sm];
    if (sent->head == sent->count) {
        crossbar_empty(&switches->requests, sm);
        return;
    }
    const MemRequest *request = &sent->items[sent->head];
    unsigned slice = address_map_split(&switches->context->map, request->line).slice;
    crossbar_head(
        &switches->requests, sm, arrival(switches, request), slice,
        icnt_flits(timing_of(switches)->config, request->bytes + request->sideband_bytes));
}

bool network_crossbars_take(NetworkCrossbars *switches, unsigned sm, const MemRequest *request)
{
    SentRequests *sent = &switches->sent[sm];
    if (!HD_PUSH(sent->items, sent->count, sent->capacity, *request)) return false;
    if (!crossbar_has_head(&switches->requests, sm)) request_head(switches, sm);
    return true;
}

// From the crossbar matching a packet to the slice acting on it.
static Tick behind_crossbar(const IcntTiming *timing) { return timing->forward - timing->latency; }

static bool pass_request(void *context, unsigned sm, uint64_t cycle)
{
    NetworkCrossbars *switches = context;
    const IcntTiming *timing = timing_of(switches);
    SentRequests *sent = &switches->sent[sm];
    MemRequest request = sent->items[sent->head++];
    switches->counters.port_wait_cycles += cycle - arrival(switches, &request);
    // As if it had been sent so that it arrives now: the slice's port is idle.
    request.time = cycle * timing->period - timing->latency;
    unsigned slice = address_map_split(&switches->context->map, request.line).slice;
    request_head(switches, sm);
    return slice_add(switches->slices[slice], &request);
}

bool network_crossbars_pass_requests(NetworkCrossbars *switches, Tick until)
{
    const IcntTiming *timing = timing_of(switches);
    Crossbar *crossbar = &switches->requests;
    bool ok = true;
    for (uint64_t cycle; ok && (cycle = crossbar_next(crossbar)) != UINT64_MAX;) {
        if (cycle * timing->period + behind_crossbar(timing) >= until) break;
        if (timing->config->ports == PORTS_IN_TURN) {
            ok = crossbar_cycle_in_turn(crossbar, cycle, pass_request, switches);
            continue;
        }
        unsigned count = crossbar_cycle(crossbar, cycle);
        for (unsigned i = 0; i < count; i++)
            ok = pass_request(switches, crossbar->matched[i], cycle) && ok;
    }
    for (unsigned sm = 0; sm < switches->sms; sm++) {
        // Requests that still wait move to the front.
        SentRequests *sent = &switches->sent[sm];
        sent->count -= sent->head;
        if (sent->head && sent->count)
            memmove(sent->items, sent->items + sent->head, sent->count * sizeof *sent->items);
        sent->head = 0;
    }
    return ok;
}

Tick network_crossbars_next_request(const NetworkCrossbars *switches)
{
    const IcntTiming *timing = timing_of(switches);
    uint64_t cycle = crossbar_next(&switches->requests);
    return cycle == UINT64_MAX ? TICK_NEVER : cycle * timing->period + behind_crossbar(timing);
}

// ---- replies ----

static uint64_t reply_flits(const NetworkCrossbars *switches, const MemReply *reply)
{
    return icnt_flits(timing_of(switches)->config, (uint64_t)reply->bytes + reply->sideband_bytes);
}

static void reply_head(NetworkCrossbars *switches, unsigned slice)
{
    const OutPort *port = slice_out(switches->slices[slice]);
    if (port->sent_head == port->sent_count) {
        crossbar_empty(&switches->replies, slice);
        return;
    }
    const OutPacket *packet = &port->sent[port->sent_head];
    crossbar_head(&switches->replies, slice, packet->start, packet->sm,
                  reply_flits(switches, &packet->reply));
}

Tick network_crossbars_window(NetworkCrossbars *switches, Tick from)
{
    const IcntTiming *timing = timing_of(switches);
    uint64_t room = UINT64_MAX,
             longest = icnt_flits(timing->config, MAX_LINE_BYTES + switches->context->extra);
    for (unsigned s = 0; s < switches->slice_count; s++) {
        uint64_t known = out_port_room(slice_out(switches->slices[s]), from);
        if (known < room) room = known;
    }
    // A port sends a flit per cycle, and the last packet to start must fit as a whole.
    uint64_t cycles = room >= longest ? room - longest + 1 : 0;
    Tick by_room = cycles * timing->period, by_news = timing->period + timing->latency;
    return from + (by_room > by_news ? by_room : by_news);
}

// Where the replies go that pass.
typedef struct Replies {
    NetworkCrossbars *switches;
    Inbox *const *inboxes;
    size_t *answered;
} Replies;

static bool pass_reply(void *context, unsigned slice, uint64_t cycle)
{
    const Replies *to = context;
    NetworkCrossbars *switches = to->switches;
    const IcntTiming *timing = timing_of(switches);
    OutPort *port = slice_out(switches->slices[slice]);
    OutPacket packet = port->sent[port->sent_head++];
    uint64_t length = reply_flits(switches, &packet.reply);
    packet.reply.time = (cycle + length) * timing->period + timing->latency;
    switches->counters.reply_wait_cycles += cycle - packet.start;
    *to->answered += packet.reply.last;
    slice_free_out_flits(switches->slices[slice], packet.reply.time, (uint32_t)length);
    reply_head(switches, slice);
    // An SM's replies pass one after the other, so they are in the order of time.
    Inbox *inbox = to->inboxes[packet.sm];
    return HD_PUSH(inbox->replies, inbox->reply_count, inbox->reply_capacity, packet.reply);
}

bool network_crossbars_pass_replies(NetworkCrossbars *switches, Tick until, Inbox *const *inboxes,
                                    size_t *answered)
{
    const IcntTiming *timing = timing_of(switches);
    Crossbar *crossbar = &switches->replies;
    Replies to = {switches, inboxes, answered};
    bool ok = true;
    for (unsigned s = 0; s < switches->slice_count; s++)
        if (!crossbar_has_head(crossbar, s)) reply_head(switches, s);
    for (uint64_t cycle; ok && (cycle = crossbar_next(crossbar)) != UINT64_MAX;) {
        if (cycle * timing->period >= until) break;
        if (timing->config->ports == PORTS_IN_TURN) {
            ok = crossbar_cycle_in_turn(crossbar, cycle, pass_reply, &to);
            continue;
        }
        unsigned count = crossbar_cycle(crossbar, cycle);
        for (unsigned i = 0; i < count; i++)
            ok = pass_reply(&to, crossbar->matched[i], cycle) && ok;
    }
    for (unsigned s = 0; s < switches->slice_count; s++)
        out_port_compact(slice_out(switches->slices[s]));
    return ok;
}

Tick network_crossbars_next_reply(const NetworkCrossbars *switches)
{
    uint64_t cycle = crossbar_next(&switches->replies);
    return cycle == UINT64_MAX ? TICK_NEVER : cycle * timing_of(switches)->period;
}
