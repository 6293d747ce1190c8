// The network's two ports of an L2 slice: the in port, where packets from all SMs queue for one
// flit per network cycle, and the out port, through which replies leave at the same rate.
//
// The in port hands a packet to the slice as a whole, as many network cycles after it began as the
// packet has flits. The finite buffers behind it are the SMs' credits (icnt.credits per SM and
// slice).
#ifndef HEDDLE_MEMORY_NETWORK_SLICE_PORTS_H
#define HEDDLE_MEMORY_NETWORK_SLICE_PORTS_H

#include "memory/memory_side.h"
#include "memory/ring.h"

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

typedef struct InPacket {
    MemRequest request;
    uint64_t ready; // L2 cycle in which the slice sees it; set when it passes the port
} InPacket;

typedef struct InPort {
    InPacket *packets;
    uint32_t *order;   // a ring of indices of packets, in the order (time, SM); the first `passed`
                       // have passed the port. The places behind the ring have the free ones
    Ring ring;
    uint32_t capacity; // of packets; it grows
    uint32_t passed;
    uint64_t free; // network cycle
} InPort;

// Inserts a packet in its order behind those that have passed. false: out of memory.
bool in_port_add(InPort *port, const MemRequest *request);
// The tick at which the oldest packet must be passed on: the earliest at which it could reach the
// slice, so that no packet that is still unknown can come before it. TICK_NEVER: none waits.
Tick in_port_next(const InPort *port, const IcntTiming *timing);
// Passes the oldest waiting packet and returns it.
const InPacket *in_port_pass(InPort *port, const IcntTiming *timing, IcntCounters *counters);
// Adds a packet that has passed already, and is at the tags in L2 cycle `ready`. All packets of a
// port are added either so or by in_port_add. false: out of memory.
bool in_port_enter(InPort *port, const MemRequest *request, uint64_t ready,
                   const IcntTiming *timing, IcntCounters *counters);
// The oldest packet that has passed; NULL: none.
const InPacket *in_port_head(const InPort *port);
void in_port_pop(InPort *port);

typedef struct OutPacket {
    MemReply reply; // time is set when it leaves
    Tick ready;
    uint64_t start; // network cycle in which it began to leave
    uint16_t sm;
} OutPacket;

// Room that becomes free in the crossbar's input queue.
typedef struct OutCredit {
    Tick time; // when the slice learns of it
    uint32_t flits;
} OutCredit;

typedef struct OutPort {
    OutPacket *packets; // in the order of ready
    Ring ring;
    uint64_t free; // network cycle
    OutPacket *sent; // [sent_head, sent_count) have left and are not yet in an inbox: they are on
                     // their way, or (input-queued) wait for the crossbar
    size_t sent_head, sent_count, sent_capacity;
    bool bounded;    // input-queued: sends only if the crossbar's queue has room
    uint32_t room;   // flits that are known to be free
    Tick room_since; // when the newest part of `room` became free
    OutCredit *freed;  // that will become free, in the order of time
    Ring freed_ring;
} OutPort;

// With ARBITER_INPUT_QUEUED the port is bounded by icnt.reply_buffer. Its queues lie among
// `tables`. false: out of memory.
bool out_port_init(OutPort *port, uint32_t packets, const IcntConfig *config, HdTables *tables);
// Appends a reply. There is room (the slice checks).
void out_port_add(OutPort *port, const OutPacket *packet);
// The tick at which the first packet starts to leave; TICK_NEVER: none waits, or no room for it is
// known.
Tick out_port_next(const OutPort *port, const IcntTiming *timing);
// Sends the first packet, which starts at out_port_next. false: out of memory.
bool out_port_send(OutPort *port, const IcntTiming *timing, IcntCounters *counters);
// The crossbar has taken `flits` out of the port's queue; the port may use the room from `time` on.
// A short packet that passes while the flits of a long one leave frees its room first.
void out_port_freed(OutPort *port, Tick time, uint32_t flits);
// Flits of room that are free at `now`.
uint32_t out_port_room(OutPort *port, Tick now);
// Whether packets have left that are in no inbox yet.
static inline bool out_port_has_sent(const OutPort *port)
{
    return port->sent_head < port->sent_count;
}
// Moves the packets that are sent and not yet in an inbox to the front of the list.
void out_port_compact(OutPort *port);

void in_port_free(InPort *port);
void out_port_free(OutPort *port);

#endif
