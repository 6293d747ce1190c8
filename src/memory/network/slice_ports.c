// The ports of a slice: arrival order, flits and waiting times.
#include "memory/network/slice_ports.h"
#include "base/bits.h"
#include "base/memory.h"
#include "memory/dram/dram.h"

#include <stdlib.h>

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

void in_port_free(InPort *port)
{
    free(port->packets);
    free(port->order);
}

// Packet i of the ring, counted from the oldest.
static InPacket *packet_at(const InPort *port, uint32_t i)
{
    return &port->packets[port->order[ring_at(&port->ring, i)]];
}

enum { FIRST_PACKETS = 16 };

// Makes room for more packets, all of which are in the ring.
static bool grow(InPort *port)
{
    uint32_t capacity = port->capacity ? port->capacity * 2 : FIRST_PACKETS;
    InPacket *packets = realloc(port->packets, capacity * sizeof *packets);
    if (packets) port->packets = packets;
    uint32_t *order = packets ? malloc(capacity * sizeof *order) : NULL;
    if (!order) return false;
    for (uint32_t i = 0; i < port->ring.count; i++)
        order[i] = port->order[ring_at(&port->ring, i)];
    for (uint32_t i = port->ring.count; i < capacity; i++) order[i] = i;
    free(port->order);
    port->order = order;
    port->ring.head = 0;
    port->ring.mask = capacity - 1;
    port->capacity = capacity;
    return true;
}

bool in_port_add(InPort *port, const MemRequest *request)
{
    if (port->ring.count == port->capacity && !grow(port)) return false;
    uint32_t at = port->ring.count, index = port->order[ring_push(&port->ring)];
    for (; at > port->passed; at--) { // in the order of (time, SM)
        const MemRequest *other = &packet_at(port, at - 1)->request;
        if (other->time < request->time ||
            (other->time == request->time && other->sm <= request->sm))
            break;
        port->order[ring_at(&port->ring, at)] = port->order[ring_at(&port->ring, at - 1)];
    }
    port->order[ring_at(&port->ring, at)] = index;
    port->packets[index] = (InPacket){*request, 0};
    return true;
}

Tick in_port_next(const InPort *port, const IcntTiming *timing)
{
    if (port->passed == port->ring.count) return TICK_NEVER;
    return packet_at(port, port->passed)->request.time + timing->forward;
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

bool in_port_enter(InPort *port, const MemRequest *request, uint64_t ready,
                   const IcntTiming *timing, IcntCounters *counters)
{
    if (port->ring.count == port->capacity && !grow(port)) return false;
    port->packets[port->order[ring_push(&port->ring)]] = (InPacket){*request, ready};
    port->passed++;
    count_packet(request, timing, counters);
    return true;
}

const InPacket *in_port_pass(InPort *port, const IcntTiming *timing, IcntCounters *counters)
{
    InPacket *packet = packet_at(port, port->passed++);
    uint64_t arrival = icnt_cycle(timing, packet->request.time + timing->latency);
    uint64_t start = arrival > port->free ? arrival : port->free;
    port->free = start + count_packet(&packet->request, timing, counters);
    packet->ready = divide_up(port->free * timing->period, timing->l2_period) + timing->rop_latency;
    counters->port_wait_cycles += start - arrival;
    return packet;
}

const InPacket *in_port_head(const InPort *port)
{
    return port->passed ? packet_at(port, 0) : NULL;
}

void in_port_pop(InPort *port)
{
    ring_pop(&port->ring);
    port->passed--;
}

bool out_port_init(OutPort *port, uint32_t packets, const IcntConfig *config, HdTables *tables)
{
    port->packets = ring_new(tables, &port->ring, packets, sizeof *port->packets);
    port->bounded = config->arbiter == ARBITER_INPUT_QUEUED;
    if (!port->bounded) return port->packets;
    port->room = config->reply_buffer;
    port->freed = ring_new(tables, &port->freed_ring, config->reply_buffer, sizeof *port->freed);
    port->sent = hd_new(port->room, sizeof *port->sent); // each packet has at least one flit
    port->sent_capacity = port->sent ? port->room : 0;
    return port->packets && port->freed && port->sent;
}

void out_port_free(OutPort *port)
{
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

void out_port_compact(OutPort *port)
{
    hd_drop_taken(port->sent, &port->sent_head, &port->sent_count, sizeof *port->sent);
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
    const MemReply *reply = &port->packets[port->ring.head].reply;
    return icnt_flits(timing->config, (uint64_t)reply->bytes + reply->sideband_bytes);
}

// The cycle in which the first packet could leave if there were room.
static uint64_t out_start(const OutPort *port, const IcntTiming *timing)
{
    uint64_t ready = icnt_cycle(timing, port->packets[port->ring.head].ready);
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

bool out_port_send(OutPort *port, const IcntTiming *timing, IcntCounters *counters)
{
    OutPacket packet = port->packets[port->ring.head];
    uint64_t length = first_length(port, timing);
    uint64_t start = out_port_next(port, timing) / timing->period;
    counters->stall_reply_buffer += start - out_start(port, timing);
    if (port->bounded) {
        while (port->room < length) add_freed(port);
        port->room -= (uint32_t)length;
    }
    port->free = start + length;
    packet.start = start;
    packet.reply.time = port->free * timing->period + timing->latency;
    ring_pop(&port->ring);
    counters->packets_to_sm++;
    counters->requests_answered += packet.reply.last;
    *(packet.reply.bytes ? &counters->flits_to_sm_data : &counters->flits_to_sm_control) += length;
    counters->to_sm_by_kind[packet.reply.kind] += length;
    return HD_PUSH(port->sent, port->sent_count, port->sent_capacity, packet);
}
