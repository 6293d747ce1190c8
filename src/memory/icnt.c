// Ports: arrival order, flits and waiting.
#include "memory/icnt.h"
#include "base/bits.h"

#include <stdlib.h>

static uint64_t flits(const IcntConfig *config, uint64_t data)
{
    return divide_up(config->control + data, config->flit);
}

static uint64_t cycle_at(Tick tick, Tick period) { return (tick + period - 1) / period; }

void icnt_timing(IcntTiming *timing, const MemoryConfig *config, const Clocks *clocks)
{
    Tick period = clocks->period[CLOCK_ICNT], l2 = clocks->period[CLOCK_L2];
    *timing = (IcntTiming){.config = config->icnt,
                           .period = period,
                           .l2_period = l2,
                           .latency = config->icnt->latency * period,
                           .rop_latency = config->slice->rop_latency};
    Tick least = timing->latency + flits(config->icnt, 0) * period;
    timing->forward = least + config->slice->rop_latency * l2;
    timing->reply = least;
}

bool in_port_init(InPort *port, uint32_t packets)
{
    port->packets = ring_new(&port->ring, packets, sizeof *port->packets);
    return port->packets;
}

void in_port_free(InPort *port) { free(port->packets); }

static bool grow(InPort *port)
{
    Ring larger;
    InPacket *packets = ring_new(&larger, (uint64_t)port->ring.count * 2, sizeof *packets);
    if (!packets) return false;
    for (uint32_t i = 0; i < port->ring.count; i++)
        packets[ring_push(&larger)] = port->packets[ring_at(&port->ring, i)];
    free(port->packets);
    port->packets = packets;
    port->ring = larger;
    return true;
}

static bool before(const MemRequest *a, const MemRequest *b)
{
    return a->time < b->time || (a->time == b->time && a->sm < b->sm);
}

bool in_port_add(InPort *port, const MemRequest *request)
{
    if (port->ring.count > port->ring.mask && !grow(port)) return false;
    uint32_t at = port->ring.count;
    ring_push(&port->ring);
    for (; at > port->passed; at--) {
        const InPacket *older = &port->packets[ring_at(&port->ring, at - 1)];
        if (!before(request, &older->request)) break;
        port->packets[ring_at(&port->ring, at)] = *older;
    }
    port->packets[ring_at(&port->ring, at)] = (InPacket){*request, 0};
    return true;
}

Tick in_port_next(const InPort *port, const IcntTiming *timing)
{
    if (port->passed == port->ring.count) return TICK_NEVER;
    return port->packets[ring_at(&port->ring, port->passed)].request.time + timing->forward;
}

const InPacket *in_port_pass(InPort *port, const IcntTiming *timing, IcntCounters *counters)
{
    InPacket *packet = &port->packets[ring_at(&port->ring, port->passed++)];
    uint64_t arrival = cycle_at(packet->request.time + timing->latency, timing->period);
    uint64_t start = arrival > port->free ? arrival : port->free;
    uint64_t length = flits(timing->config, packet->request.bytes);
    port->free = start + length;
    packet->ready = cycle_at(port->free * timing->period, timing->l2_period) + timing->rop_latency;
    counters->packets_to_memory++;
    counters->port_wait_cycles += start - arrival;
    *(packet->request.bytes ? &counters->flits_to_memory_data
                            : &counters->flits_to_memory_control) += length;
    return packet;
}

const InPacket *in_port_head(const InPort *port)
{
    return port->passed ? &port->packets[port->ring.head] : NULL;
}

void in_port_pop(InPort *port)
{
    ring_pop(&port->ring);
    port->passed--;
}

bool out_port_init(OutPort *port, uint32_t packets)
{
    port->packets = ring_new(&port->ring, packets, sizeof *port->packets);
    return port->packets;
}

void out_port_free(OutPort *port)
{
    free(port->packets);
    free(port->sent);
}

void out_port_add(OutPort *port, const OutPacket *packet)
{
    uint32_t at = port->ring.count;
    ring_push(&port->ring);
    for (; at > 0; at--) {
        const OutPacket *older = &port->packets[ring_at(&port->ring, at - 1)];
        if (older->ready <= packet->ready) break;
        port->packets[ring_at(&port->ring, at)] = *older;
    }
    port->packets[ring_at(&port->ring, at)] = *packet;
}

static uint64_t out_start(const OutPort *port, const IcntTiming *timing)
{
    uint64_t ready = cycle_at(port->packets[port->ring.head].ready, timing->period);
    return ready > port->free ? ready : port->free;
}

Tick out_port_next(const OutPort *port, const IcntTiming *timing)
{
    return port->ring.count ? out_start(port, timing) * timing->period : TICK_NEVER;
}

bool out_port_send(OutPort *port, const IcntTiming *timing, IcntCounters *counters)
{
    OutPacket packet = port->packets[port->ring.head];
    uint64_t length = flits(timing->config, packet.reply.bytes);
    port->free = out_start(port, timing) + length;
    packet.reply.time = port->free * timing->period + timing->latency;
    ring_pop(&port->ring);
    counters->packets_to_sm++;
    counters->requests_answered += packet.reply.last;
    *(packet.reply.bytes ? &counters->flits_to_sm_data : &counters->flits_to_sm_control) += length;
    return HD_PUSH(port->sent, port->sent_count, port->sent_capacity, packet);
}
