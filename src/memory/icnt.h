// The network's two ports of an L2 slice: in, where packets from all SMs queue for one flit per
// network cycle, and out, through which replies leave at the same rate.
//
// A packet is handed to the slice as a whole: flits network cycles after the port turned to it. The
// finite buffers behind the in port are the SMs' credits (icnt.credits per SM and slice).
#ifndef HEDDLE_MEMORY_ICNT_H
#define HEDDLE_MEMORY_ICNT_H

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

typedef struct InPacket {
    MemRequest request;
    uint64_t ready; // L2 cycle in which the slice sees it; known once it has passed the port
} InPacket;

typedef struct InPort {
    InPacket *packets; // in the order (time, SM); the first `passed` have passed the port
    Ring ring;
    uint32_t passed;
    uint64_t free; // network cycle
} InPort;

bool in_port_init(InPort *port, uint32_t packets);
// Takes a packet in its order behind those that have passed. false where memory is out.
bool in_port_add(InPort *port, const MemRequest *request);
// The tick at which the oldest packet must be passed on: the earliest at which it could reach the
// slice, so that no packet still unknown can come before it. TICK_NEVER: none waits.
Tick in_port_next(const InPort *port, const IcntTiming *timing);
// Lets the oldest waiting packet through; returns it.
const InPacket *in_port_pass(InPort *port, const IcntTiming *timing, IcntCounters *counters);
// The oldest that has passed, or NULL.
const InPacket *in_port_head(const InPort *port);
void in_port_pop(InPort *port);

typedef struct OutPacket {
    MemReply reply; // time is set when it leaves
    Tick ready;
    uint16_t sm;
} OutPacket;

typedef struct OutPort {
    OutPacket *packets; // in the order of ready
    Ring ring;
    uint64_t free; // network cycle
    OutPacket *sent; // [sent_head, sent_count) have left and are not yet in an inbox
    size_t sent_head, sent_count, sent_capacity;
} OutPort;

bool out_port_init(OutPort *port, uint32_t packets);
// Takes a reply; there is room (the slice looks first).
void out_port_add(OutPort *port, const OutPacket *packet);
// The tick at which the first packet starts to leave; TICK_NEVER: none waits.
Tick out_port_next(const OutPort *port, const IcntTiming *timing);
// Sends the first packet, which starts at out_port_next. false where memory is out.
bool out_port_send(OutPort *port, const IcntTiming *timing, IcntCounters *counters);

void in_port_free(InPort *port);
void out_port_free(OutPort *port);

#endif
