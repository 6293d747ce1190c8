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

void in_port_add(InPort *port, Transit *request) { arrivals_add(&port->coming, request); }

Tick in_port_next(InPort *port, const IcntTiming *timing)
{
    const Transit *first = arrivals_first(&port->coming);
    return first ? first->time + timing->forward : TICK_NEVER;
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

const Transit *in_port_pass(InPort *port, const IcntTiming *timing, IcntCounters *counters)
{
    Transit *request = arrivals_take(&port->coming);
    uint64_t arrival = icnt_cycle(timing, request->time + timing->latency);
    uint64_t start = arrival > port->free ? arrival : port->free;
    port->free = start + count_packet(&request->packet->request, timing, counters);
    pass(port, request,
         divide_up(port->free * timing->period, timing->l2_period) + timing->rop_latency);
    counters->port_wait_cycles += start - arrival;
    return request;
}

// ---- out port ----

bool out_port_init(OutPort *port, uint32_t packets, const IcntConfig *config, HdTables *tables)
{
    port->packets = ring_new(tables, &port->ring, packets, sizeof *port->packets);
    port->bounded = config->arbiter == ARBITER_INPUT_QUEUED;
    if (!port->bounded) return port->packets;
    port->room = config->reply_buffer;
    port->freed = ring_new(tables, &port->freed_ring, config->reply_buffer, sizeof *port->freed);
    return port->packets && port->freed;
}

void out_port_add(OutPort *port, Transit *packet)
{
    uint32_t at = port->ring.count;
    ring_push(&port->ring);
    for (; at > 0; at--) {
        Transit *older = port->packets[ring_at(&port->ring, at - 1)];
        if (older->time <= packet->time) break;
        port->packets[ring_at(&port->ring, at)] = older;
    }
    port->packets[ring_at(&port->ring, at)] = packet;
}

static void add_freed(OutPort *port)
{
    const OutCredit *freed = &port->freed[port->freed_ring.head];
    port->room += freed->flits;
    port->room_since = freed->time;
    ring_pop(&port->freed_ring);
}

uint32_t out_port_room(OutPort *port, Tick now)
{
    while (port->freed_ring.count && port->freed[port->freed_ring.head].time <= now)
        add_freed(port);
    return port->room;
}

void out_port_freed(OutPort *port, Tick time, uint32_t flits)
{
    uint32_t at = port->freed_ring.count;
    ring_push(&port->freed_ring);
    for (; at > 0; at--) {
        const OutCredit *other = &port->freed[ring_at(&port->freed_ring, at - 1)];
        if (other->time <= time) break;
        port->freed[ring_at(&port->freed_ring, at)] = *other;
    }
    port->freed[ring_at(&port->freed_ring, at)] = (OutCredit){time, flits};
}

static uint64_t first_length(const OutPort *port, const IcntTiming *timing)
{
    const Transit *first = port->packets[port->ring.head];
    return icnt_flits(timing->config, (uint64_t)first->bytes + first->sideband_bytes);
}

// The cycle in which the first packet could leave if there were room.
static uint64_t out_start(const OutPort *port, const IcntTiming *timing)
{
    uint64_t ready = icnt_cycle(timing, port->packets[port->ring.head]->time);
    return ready > port->free ? ready : port->free;
}

Tick out_port_next(const OutPort *port, const IcntTiming *timing)
{
    if (!port->ring.count) return TICK_NEVER;
    uint64_t start = out_start(port, timing);
    if (port->bounded) {
        uint64_t length = first_length(port, timing), room = port->room;
        Tick since = port->room_since; // from when on the buffer has this room
        for (uint32_t i = 0; room < length; i++) {
            if (i == port->freed_ring.count) return TICK_NEVER; // not yet known
            const OutCredit *freed = &port->freed[ring_at(&port->freed_ring, i)];
            room += freed->flits;
            since = freed->time;
        }
        uint64_t fits = icnt_cycle(timing, since);
        if (fits > start) start = fits;
    }
    return start * timing->period;
}

Transit *out_port_send(OutPort *port, const IcntTiming *timing, IcntCounters *counters)
{
    Transit *packet = port->packets[port->ring.head];
    uint64_t length = first_length(port, timing);
    uint64_t start = out_port_next(port, timing) / timing->period;
    counters->stall_reply_buffer += start - out_start(port, timing);
    if (port->bounded) {
        while (port->room < length) add_freed(port);
        port->room -= (uint32_t)length;
    }
    port->free = start + length;
    packet->cycle = start;
    packet->time = port->free * timing->period + timing->latency;
    ring_pop(&port->ring);
    counters->packets_to_sm++;
    counters->requests_answered += packet->last;
    *(packet->bytes ? &counters->flits_to_sm_data : &counters->flits_to_sm_control) += length;
    counters->to_sm_by_kind[packet->packet->request.kind] += length;
    if (port->bounded) transits_append(&port->sent, packet);
    return packet;
}
