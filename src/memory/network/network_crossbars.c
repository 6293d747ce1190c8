// The crossbars between SMs and slices: their queues, and the packets that pass.
#include "memory/network/network_crossbars.h"
#include "base/memory.h"

#include <stdlib.h>

// A reply has at least one flit, for which the slice had room.
static size_t most_freed(const NetworkCrossbars *switches)
{
    return (size_t)switches->slice_count * switches->context->config.icnt->reply_buffer;
}

bool network_crossbars_init(NetworkCrossbars *switches, const SliceContext *context, Slice **slices,
                            unsigned sms, unsigned groups)
{
    unsigned count = context->config.slice->count;
    *switches = (NetworkCrossbars){.context = context, .slices = slices, .sms = sms,
                                   .slice_count = count, .groups = groups};
    switches->sent = hd_new(sms, sizeof *switches->sent);
    bool ok = switches->sent;
    ok = crossbar_init(&switches->requests, sms, count) && ok;
    ok = crossbar_init(&switches->replies, count, sms) && ok;
    switches->channel_free = hd_new(sms, sizeof *switches->channel_free);
    switches->leaving = hd_new(count, sizeof *switches->leaving);
    switches->outs = hd_new(count, sizeof *switches->outs);
    switches->freed = hd_pages_new(most_freed(switches) * sizeof *switches->freed);
    ok = switches->channel_free && switches->leaving && switches->outs && switches->freed && ok;
    for (unsigned i = 0; ok && i < count; i++) switches->outs[i] = slice_out(slices[i]);
    if (!context->config.icnt->output_buffer) return ok;
    switches->intakes = hd_new(count, sizeof *switches->intakes);
    for (unsigned i = 0; switches->intakes && i < count; i++)
        intake_init(&switches->intakes[i], context, slices[i], &switches->entering);
    return switches->intakes && ok;
}

void network_crossbars_free(NetworkCrossbars *switches)
{
    free(switches->sent);
    for (unsigned i = 0; switches->intakes && i < switches->slice_count; i++)
        intake_free(&switches->intakes[i]);
    free(switches->intakes);
    free(switches->channel_free);
    free(switches->leaving);
    free(switches->outs);
    if (switches->freed)
        hd_pages_free(switches->freed, most_freed(switches) * sizeof *switches->freed);
    crossbar_free(&switches->requests);
    crossbar_free(&switches->replies);
}

static const IcntTiming *timing_of(const NetworkCrossbars *switches)
{
    return &switches->context->icnt;
}

// A packet at the head of a queue: `arrival` is the network cycle in which its last flit has come.
// With one step per cycle a packet begins to leave then, and takes a cycle for each flit. With
// more, it takes one step to get its output and one for each flit, as soon as that has come. The
// next packet waits for icnt.allocation steps more.
static CrossbarHead head_of(const NetworkCrossbars *switches, uint64_t arrival, unsigned output,
                            uint64_t flits)
{
    const IcntConfig *config = timing_of(switches)->config;
    uint64_t steps = config->speedup;
    CrossbarHead head = {
        .ready = arrival, .output = output, .hold = (uint32_t)flits + config->allocation};
    if (steps == 1) return head;
    head.ready = (arrival - (flits - 1)) * steps;
    head.complete = arrival * steps + 1;
    head.hold++;
    return head;
}

// The network cycle of a step.
static uint64_t cycle_of(const NetworkCrossbars *switches, uint64_t step)
{
    return step / timing_of(switches)->config->speedup;
}

// The first step at or after a tick.
static uint64_t step_of(const NetworkCrossbars *switches, Tick tick)
{
    return icnt_cycle(timing_of(switches), tick) * timing_of(switches)->config->speedup;
}

// Matches the crossbar's heads in the next step with a match, if it is before step `before`, and
// lets the packets pass. false: there is no such step. *ok becomes false if `pass` fails.
static bool pass_step(NetworkCrossbars *switches, Crossbar *crossbar, uint64_t before,
                      CrossbarPass *pass, bool *ok)
{
    uint64_t step;
    if (timing_of(switches)->config->matching == MATCHING_IN_TURN) {
        step = crossbar_next(crossbar);
        if (step >= before) return false;
        *ok = crossbar_step_in_turn(crossbar, step, pass, switches) && *ok;
        return true;
    }
    unsigned count = crossbar_step(crossbar, before, &step);
    uint64_t cycle = count ? cycle_of(switches, step) : 0;
    for (unsigned i = 0; i < count; i++)
        *ok = pass(switches, crossbar->matched[i], cycle) && *ok;
    return count;
}

// ---- requests ----

static uint64_t arrival(const NetworkCrossbars *switches, const Transit *request)
{
    const IcntTiming *timing = timing_of(switches);
    return icnt_cycle(timing, request->time + timing->latency);
}

static void request_head(NetworkCrossbars *switches, unsigned sm)
{
    const SentRequests *sent = &switches->sent[sm];
    if (!sent->count) {
        crossbar_empty(&switches->requests, sm);
        return;
    }
    const Transit *first = sent->items.first;
    crossbar_head(&switches->requests, sm,
                  head_of(switches, arrival(switches, first), first->packet->request.owner - 1u,
                          first->flits));
}

void network_crossbars_take(NetworkCrossbars *switches, Transit *request)
{
    unsigned sm = request->from;
    SentRequests *sent = &switches->sent[sm];
    transits_append(&sent->items, request);
    sent->count++;
    const MemRequest *sends = &request->packet->request;
    request->flits = (uint16_t)icnt_flits(timing_of(switches)->config,
                                          (uint64_t)sends->bytes + sends->sideband_bytes);
    sent->flits += request->flits;
    sent->news = true;
    if (!crossbar_has_head(&switches->requests, sm)) request_head(switches, sm);
}

// The least time from the crossbar matching a packet to the slice acting on it. An intake must have
// decided on all packets of a cycle before the first of them can be at the tags.
static Tick behind_crossbar(const NetworkCrossbars *switches)
{
    const IcntTiming *timing = timing_of(switches);
    return switches->intakes ? network_crossbars_lead(switches)
                             : timing->forward - timing->latency;
}

static bool pass_request(void *context, unsigned sm, uint64_t cycle)
{
    NetworkCrossbars *switches = context;
    const IcntTiming *timing = timing_of(switches);
    SentRequests *sent = &switches->sent[sm];
    Transit *request = transits_pop(&sent->items);
    sent->count--;
    uint64_t complete = arrival(switches, request);
    switches->counters.port_wait_cycles += cycle > complete ? cycle - complete : 0;
    uint64_t flits = request->flits;
    uint64_t first = complete > sent->since ? complete : sent->since; // as head of the queue
    sent->since = cycle + flits;
    sent->busy += sent->since - (first < cycle ? first : cycle);
    sent->passed += flits;
    sent->flits -= flits;
    sent->news = true;
    unsigned slice = request->packet->request.owner - 1u;
    request_head(switches, sm);
    if (switches->intakes) {
        Intake *intake = &switches->intakes[slice];
        bool ok = intake_add(intake, request, (uint32_t)flits, cycle);
        if (!intake_full(intake)) return ok;
        crossbar_close(&switches->requests, slice);
        switches->closed++;
        return ok;
    }
    // As if it had been sent so that it arrives now: the slice's port is idle.
    request->time = cycle * timing->period - timing->latency;
    transits_append(&switches->entering, request);
    return true;
}

// Opens outputs whose slices take packets up to this L2 cycle. Returns whether one was opened.
static bool open_outputs(NetworkCrossbars *switches, uint64_t bound, bool *ok)
{
    const IcntTiming *timing = timing_of(switches);
    bool any = false;
    for (unsigned s = 0; switches->closed && s < switches->slice_count; s++) {
        if (!crossbar_closed(&switches->requests, s)) continue;
        uint64_t cycle = intake_take(&switches->intakes[s], bound, true, ok);
        if (intake_full(&switches->intakes[s])) continue;
        uint64_t open = icnt_cycle(timing, cycle * timing->l2_period);
        crossbar_open(&switches->requests, s, open * timing->config->speedup);
        switches->closed--;
        any = true;
    }
    return any;
}

Tick network_crossbars_lead(const NetworkCrossbars *switches)
{
    const IcntTiming *timing = timing_of(switches);
    return timing->rop_latency * timing->l2_period;
}

bool network_crossbars_pass_requests(NetworkCrossbars *switches, Tick until)
{
    const IcntTiming *timing = timing_of(switches);
    Crossbar *crossbar = &switches->requests;
    bool ok = true;
    Tick behind = behind_crossbar(switches), end = until > behind ? until - behind : 0;
    uint64_t before = step_of(switches, end);
    while (ok) {
        if (switches->closed) {
            uint64_t step = crossbar_next(crossbar);
            Tick bound = step < before ? cycle_of(switches, step) * timing->period : end;
            if (open_outputs(switches, bound / timing->l2_period, &ok)) continue;
        }
        if (!pass_step(switches, crossbar, before, pass_request, &ok)) break;
    }
    for (unsigned s = 0; switches->intakes && s < switches->slice_count; s++) {
        uint64_t bound = end / timing->l2_period;
        if (!crossbar_closed(crossbar, s)) intake_take(&switches->intakes[s], bound, false, &ok);
        intake_end(&switches->intakes[s], bound);
    }
    return ok;
}

void network_crossbars_report(NetworkCrossbars *switches, Tick until)
{
    const IcntTiming *timing = timing_of(switches);
    uint64_t now = icnt_cycle(timing, until - timing->forward), end = now + timing->config->latency;
    switches->reported = until;
    for (unsigned sm = 0; sm < switches->sms; sm++) {
        SentRequests *sent = &switches->sent[sm];
        if (!sent->news && !sent->count) continue;
        if (sent->count) { // the head has waited so far
            uint64_t first = arrival(switches, sent->items.first);
            if (first < sent->since) first = sent->since;
            if (first < end) sent->busy += end - first;
            if (first < end) sent->since = end;
        }
        uint64_t drain = QUEUE_FLIT;
        if (sent->busy) drain = (sent->passed ? sent->passed : 1) * QUEUE_FLIT / sent->busy;
        const Exchange *exchange = switches->context->exchange;
        exchange_note(exchange, sm, 0);
        exchange->news[sm].queue =
            (QueueLevel){sent->flits * QUEUE_FLIT, now, drain ? drain : 1,
                         divide_up(until - timing->forward, exchange->core_period)};
        sent->passed = sent->busy = 0;
        sent->news = false;
    }
}

Tick network_crossbars_next_report(const NetworkCrossbars *switches)
{
    if (!timing_of(switches)->config->input_buffer) return TICK_NEVER;
    for (unsigned k = 0; k < switches->requests.words; k++)
        if (switches->requests.waiting[k]) return switches->reported;
    return TICK_NEVER;
}

Tick network_crossbars_next_request(const NetworkCrossbars *switches)
{
    const IcntTiming *timing = timing_of(switches);
    Tick next = TICK_NEVER;
    for (unsigned s = 0; switches->intakes && s < switches->slice_count; s++) {
        uint64_t cycle = intake_next(&switches->intakes[s]);
        if (cycle == UINT64_MAX) continue;
        Tick tick = (cycle + timing->rop_latency) * timing->l2_period;
        if (tick < next) next = tick;
    }
    uint64_t step = crossbar_next(&switches->requests);
    if (step == UINT64_MAX) return next;
    Tick tick = cycle_of(switches, step) * timing->period + behind_crossbar(switches);
    return tick < next ? tick : next;
}

// ---- replies ----

static void reply_head(NetworkCrossbars *switches, unsigned slice)
{
    const Transit *packet = switches->leaving[slice].first;
    if (!packet) {
        crossbar_empty(&switches->replies, slice);
        return;
    }
    uint64_t flits = packet->flits;
    // A slice hands over the flits of a packet from this cycle on.
    uint64_t complete = packet->cycle;
    if (timing_of(switches)->config->speedup > 1) complete += flits - 1;
    crossbar_head(&switches->replies, slice,
                  head_of(switches, complete, packet->packet->request.sm, flits));
}

Tick network_crossbars_news(const NetworkCrossbars *switches)
{
    return timing_of(switches)->period + timing_of(switches)->latency;
}

Tick network_crossbars_window(NetworkCrossbars *switches, Tick from, Tick reply)
{
    const IcntTiming *timing = timing_of(switches);
    uint64_t room = UINT64_MAX,
             longest = icnt_flits(timing->config, MAX_LINE_BYTES + switches->context->extra);
    for (unsigned s = 0; s < switches->slice_count; s++) {
        uint64_t known = out_port_room(switches->outs[s], from);
        if (known < room) room = known;
    }
    // A port sends a flit per cycle, and the last packet to start must fit as a whole.
    uint64_t cycles = room >= longest ? room - longest + 1 : 0;
    Tick by_room = from + cycles * timing->period, by_news = (reply < from ? reply : from) +
                                                             network_crossbars_news(switches);
    return by_room > by_news ? by_room : by_news;
}

static bool pass_reply(void *context, unsigned slice, uint64_t cycle)
{
    NetworkCrossbars *switches = context;
    const IcntTiming *timing = timing_of(switches);
    Transit *packet = transits_pop(&switches->leaving[slice]);
    uint64_t length = packet->flits;
    uint64_t *channel = &switches->channel_free[packet->packet->request.sm];
    *channel = (cycle > *channel ? cycle : *channel) + length;
    packet->time = *channel * timing->period + timing->latency;
    switches->waited += cycle - packet->cycle;
    switches->answered += packet->last;
    switches->freed[switches->freed_count++] =
        (FreedRoom){(cycle + length) * timing->period + timing->latency, slice, (uint32_t)length};
    reply_head(switches, slice);
    exchange_answer(switches->context->exchange, switches->groups, packet);
    return true;
}

bool network_crossbars_pass_replies(NetworkCrossbars *switches, Tick until)
{
    uint64_t before = step_of(switches, until);
    bool ok = true;
    while (pass_step(switches, &switches->replies, before, pass_reply, &ok)) {}
    return ok;
}

Tick network_crossbars_next_reply(const NetworkCrossbars *switches)
{
    uint64_t step = crossbar_next(&switches->replies);
    if (step == UINT64_MAX) return TICK_NEVER;
    return cycle_of(switches, step) * timing_of(switches)->period;
}

// ---- between two runs of the slices ----

bool network_crossbars_exchange(NetworkCrossbars *switches, size_t *answered)
{
    bool ok = true;
    for (unsigned s = 0; s < switches->slice_count; s++) {
        OutPort *out = switches->outs[s];
        if (switches->intakes) ok = intake_read_log(&switches->intakes[s]) && ok;
        if (!out->sent.first) continue;
        transits_join(&switches->leaving[s], &out->sent);
        if (!crossbar_has_head(&switches->replies, s)) reply_head(switches, s);
    }
    for (size_t i = 0; i < switches->freed_count; i++) {
        const FreedRoom *freed = &switches->freed[i];
        slice_free_out_flits(switches->slices[freed->slice], freed->time, freed->flits);
    }
    while (switches->entering.first) {
        Transit *request = transits_pop(&switches->entering);
        Slice *slice = switches->slices[request->packet->request.owner - 1u];
        if (switches->intakes) slice_enter(slice, request, request->cycle);
        else slice_add(slice, request);
    }
    *answered = switches->answered;
    switches->counters.reply_wait_cycles += switches->waited;
    switches->freed_count = switches->answered = switches->waited = 0;
    return ok;
}
