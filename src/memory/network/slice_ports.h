// The network's two ports of an L2 slice: the in port, where packets from all SMs queue for one
// flit per network cycle, and the out port, through which replies leave at the same rate.
//
// The in port hands a packet to the slice as a whole, as many network cycles after it began as the
// packet has flits. The finite buffers behind it are the SMs' credits (icnt.credits per SM and
// slice).
#ifndef HEDDLE_MEMORY_NETWORK_SLICE_PORTS_H
#define HEDDLE_MEMORY_NETWORK_SLICE_PORTS_H

#include "memory/link.h"
#include "memory/memory_side.h"
#include "memory/network/arrivals.h"
#include "memory/network/exchange.h"

typedef struct IcntTiming {
    const IcntConfig *config;
    Tick period, l2_period;
    Tick latency; // of the network
    uint32_t rop_latency; // L2 cycles between the port and the input buffer
    Tick forward, reply;  // least latencies (memory_side.h)
} IcntTiming;

void icnt_timing(IcntTiming *timing, const MemoryConfig *config, const Clocks *clocks);
// The first network cycle that starts at or after a tick.
static inline uint64_t icnt_cycle(const IcntTiming *timing, Tick tick)
{
    return (tick + timing->period - 1) / timing->period;
}

typedef struct InPort {
    Arrivals coming;    // to the port
    TransitList passed; // behind it
    uint32_t passed_count;
    uint64_t free; // network cycle
} InPort;

void in_port_init(InPort *port, const IcntTiming *timing);
// Inserts a request in the order (time, SM).
static inline void in_port_add(InPort *port, Transit *request)
{
    arrivals_add(&port->coming, request);
}
// Passes the requests that are due before `until`, in order. A request is due at the earliest tick
// at which it could reach the slice, so that no request that is still unknown can come before it.
// Returns when the next one is due; TICK_NEVER: none waits.
Tick in_port_pass(InPort *port, Tick until, const IcntTiming *timing, IcntCounters *counters);
// Adds a request that has passed already, and is at the tags in L2 cycle `ready`. All requests of a
// port are added either so or by in_port_add.
void in_port_enter(InPort *port, Transit *request, uint64_t ready, const IcntTiming *timing,
                   IcntCounters *counters);
// The oldest request that has passed; NULL: none.
static inline Transit *in_port_head(const InPort *port) { return port->passed.first; }
static inline void in_port_pop(InPort *port)
{
    transits_pop(&port->passed);
    port->passed_count--;
}
// Requests that are on their way to the port, or behind it.
static inline uint32_t in_port_count(const InPort *port)
{
    return port->coming.count + port->passed_count;
}

// Room that becomes free in the crossbar's input queue.
typedef struct OutCredit {
    LinkTime time; // tick at which the slice learns of it
    uint32_t flits;
} OutCredit;

typedef struct OutPort {
    TransitList waiting; // packets of replies, in the order in which they are ready
    uint32_t waiting_count;
    uint64_t free; // network cycle
    TransitList sent; // input-queued: have left, and wait for the crossbar
    bool bounded;    // input-queued: sends only if the crossbar's queue has room
    uint32_t room;   // flits that are known to be free
    Tick room_since; // when the newest part of `room` became free
    Link freed; // room that will become free, in the order of time
} OutPort;

// With ARBITER_INPUT_QUEUED the port is bounded by icnt.reply_buffer. Its queue lies among
// `tables`. false: out of memory.
bool out_port_init(OutPort *port, const IcntTiming *timing, HdTables *tables);
// Adds a packet of a reply, ready at its time. There is room (the slice checks).
static inline void out_port_add(OutPort *port, Transit *packet, const IcntTiming *timing)
{
    TransitList *waiting = &port->waiting;
    packet->flits = (uint16_t)icnt_flits(timing->config,
                                         (uint64_t)packet->bytes + packet->sideband_bytes);
    port->waiting_count++;
    if (waiting->first && waiting->last->time > packet->time)
        arrivals_insert(&waiting->first, packet);
    else
        transits_append(waiting, packet);
}
// The network cycle in which this packet, the first, could leave if there were room.
static inline uint64_t out_port_start(const OutPort *port, const Transit *first,
                                      const IcntTiming *timing)
{
    uint64_t ready = icnt_cycle(timing, first->time);
    return ready > port->free ? ready : port->free;
}
// The tick at which the first packet starts to leave; TICK_NEVER: none waits, or no room for it is
// known.
Tick out_port_next_bounded(const OutPort *port, const IcntTiming *timing); // one waits
static inline Tick out_port_next(const OutPort *port, const IcntTiming *timing)
{
    const Transit *first = port->waiting.first;
    if (!first) return TICK_NEVER;
    if (port->bounded) return out_port_next_bounded(port, timing);
    return out_port_start(port, first, timing) * timing->period;
}
// Takes the room for the first packet, and returns when it starts.
uint64_t out_port_take_room(OutPort *port, const IcntTiming *timing, IcntCounters *counters);
// Sends the first packet, which starts at out_port_next: it is in `sent` (input-queued), or the
// owner hands it over.
static inline Transit *out_port_send(OutPort *port, const IcntTiming *timing,
                                     IcntCounters *counters)
{
    Transit *packet = port->waiting.first;
    uint64_t start = port->bounded ? out_port_take_room(port, timing, counters)
                                   : out_port_start(port, packet, timing);
    uint64_t length = packet->flits;
    transits_pop(&port->waiting);
    port->waiting_count--;
    port->free = start + length;
    packet->cycle = start;
    packet->time = port->free * timing->period + timing->latency;
    counters->packets_to_sm++;
    counters->requests_answered += packet->last;
    *(packet->bytes ? &counters->flits_to_sm_data : &counters->flits_to_sm_control) += length;
    counters->to_sm_by_kind[packet->packet->request.kind] += length;
    if (port->bounded) transits_append(&port->sent, packet);
    return packet;
}
// The crossbar has taken `flits` out of the port's queue; the port may use the room from `time` on.
// A short packet that passes while the flits of a long one leave frees its room first.
void out_port_freed(OutPort *port, Tick time, uint32_t flits);
// Flits of room that are free at `now`.
uint32_t out_port_room(OutPort *port, Tick now);

#endif
