// The ports of a slice: arrival order, flits and waiting times.
#include "memory/network/slice_ports.h"
#include "base/bits.h"

void icnt_timing(IcntTiming *timing, const MemoryConfig *config, const Clocks *clocks)
{
    Tick period = clocks->period[CLOCK_ICNT], l2 = clocks->period[CLOCK_L2];
    *timing = (IcntTiming){.config = config->icnt,
                           .period = period,
                           .l2_period = l2,
                           .latency = config->icnt->latency * period,
                           .rop_latency = config->slice->rop_latency};
    Tick least = timing->latency + icnt_flits(config->icnt, 0) * period;
    timing->forward = least + config->slice->rop_latency * l2;
    timing->reply = least;
}

// ---- in port ----

void in_port_init(InPort *port, const IcntTiming *timing)
{
    arrivals_init(&port->coming, timing->forward + timing->reply);
}

static uint64_t count_packet(const MemRequest *request, const IcntTiming *timing,
                             IcntCounters *counters)
{
    uint64_t length = icnt_flits(timing->config, request->bytes + request->sideband_bytes);
    counters->packets_to_memory++;
    *(request->bytes ? &counters->flits_to_memory_data : &counters->flits_to_memory_control) +=
        length;
    counters->to_memory_by_kind[request->kind] += length;
    return length;
}

static void pass(InPort *port, Transit *request, uint64_t ready)
{
    request->cycle = ready;
    transits_append(&port->passed, request);
    port->passed_count++;
}

void in_port_enter(InPort *port, Transit *request, uint64_t ready, const IcntTiming *timing,
                   IcntCounters *counters)
{
    pass(port, request, ready);
    count_packet(&request->packet->request, timing, counters);
}

Tick in_port_pass(InPort *port, Tick until, const IcntTiming *timing, IcntCounters *counters)
{
    Transit *request;
    while ((request = arrivals_first(&port->coming))) {
        if (request->time + timing->forward >= until) return request->time + timing->forward;
        arrivals_remove(&port->coming, request);
        uint64_t arrival = icnt_cycle(timing, request->time + timing->latency);
        uint64_t start = arrival > port->free ? arrival : port->free;
        port->free = start + count_packet(&request->packet->request, timing, counters);
        pass(port, request,
             divide_up(port->free * timing->period, timing->l2_period) + timing->rop_latency);
        counters->port_wait_cycles += start - arrival;
    }
    return TICK_NEVER;
}

// ---- out port ----

bool out_port_init(OutPort *port, const IcntTiming *timing, HdTables *tables)
{
    const IcntConfig *config = timing->config;
    port->bounded = config->arbiter == ARBITER_INPUT_QUEUED;
    if (!port->bounded) return true;
    port->room = config->reply_buffer;
    return link_init(&port->freed, config->reply_buffer, sizeof(OutCredit), tables);
}

static void add_freed(OutPort *port)
{
    const OutCredit *freed = link_head(&port->freed);
    port->room += freed->flits;
    port->room_since = freed->time.due;
    link_pop(&port->freed);
}

uint32_t out_port_room(OutPort *port, Tick now)
{
    while (link_due(&port->freed) <= now) add_freed(port);
    return port->room;
}

void out_port_freed(OutPort *port, Tick time, uint32_t flits)
{
    Link *freed = &port->freed;
    OutCredit *place = link_push(freed);
    for (uint32_t at = freed->count - 1; at; at--) {
        const OutCredit *before = link_at(freed, at - 1);
        if (before->time.due <= time) break;
        *place = *before;
        place = link_at(freed, at - 1);
    }
    *place = (OutCredit){{time}, flits};
}

Tick out_port_next_bounded(const OutPort *port, const IcntTiming *timing)
{
    const Transit *first = port->waiting.first;
    uint64_t start = out_port_start(port, first, timing);
    uint64_t length = first->flits, room = port->room;
    Tick since = port->room_since; // from when on the buffer has this room
    for (uint32_t i = 0; room < length; i++) {
        if (i == port->freed.count) return TICK_NEVER; // not yet known
        const OutCredit *freed = link_at(&port->freed, i);
        room += freed->flits;
        since = freed->time.due;
    }
    uint64_t fits = icnt_cycle(timing, since);
    return (fits > start ? fits : start) * timing->period;
}

uint64_t out_port_take_room(OutPort *port, const IcntTiming *timing, IcntCounters *counters)
{
    const Transit *packet = port->waiting.first;
    uint64_t start = out_port_next_bounded(port, timing) / timing->period;
    counters->stall_reply_buffer += start - out_port_start(port, packet, timing);
    while (port->room < packet->flits) add_freed(port);
    port->room -= packet->flits;
    return start;
}
