// A small memory side with times that can be computed by hand: one channel, one slice, every clock
// at 1 GHz (a tick is a cycle of each clock), and SMs that send the requests of a test.
#ifndef HEDDLE_TESTS_MEMORY_RIG_H
#define HEDDLE_TESTS_MEMORY_RIG_H

#include "memory/memory_side.h"
#include "memory/network/arrivals.h"

enum { RIG_SMS = 4 };

// A packet of a reply, as it came to its SM.
typedef struct RigReply {
    Tick time;
    uint64_t line;
    uint32_t token;
    uint16_t slice, bytes;
    uint8_t kind, sectors, sideband_bytes;
    bool last;
    bool dropped;  // there are no data
    uint8_t level; // of the whole reply, as version and tags; 0 if it is not the last packet
    uint32_t version, sideband_tags;
} RigReply;

typedef struct RigCredit {
    Tick time;
    uint16_t slice;
} RigCredit;

// What an SM has got, in the order of (time, slice).
typedef struct RigInbox {
    RigReply *replies;
    size_t reply_count, reply_capacity;
    RigCredit *credits;
    size_t credit_count, credit_capacity;
} RigInbox;

typedef struct Rig {
    IcntConfig icnt;
    CacheConfig l2;
    SliceConfig slice;
    DramConfig dram;
    AtomicsConfig atomics;
    bool linked; // MemoryConfig.linked
    Clocks clocks;
    MemorySide *memory;
    Packet *packets;          // all of them
    TransitList out[RIG_SMS]; // not yet sent
    Arrivals coming[RIG_SMS]; // sent, and at no SM yet
    RigInbox in[RIG_SMS];
    IcntCounters icnt_counters;
    CacheCounters l2_counters;
    DramCounters dram_counters;
} Rig;

// The parameters; a test may change them before rig_start.
//     network: flits of 32 bytes, control 8, latency 10        -> a load's packet is 1 flit
//     slice: rop 20, hit 7, miss 30, fill 5, data port 32 bytes -> seen at time + 10 + 1 + 20
//     L2: 4 KiB, 2 ways of 16 sets, write back, lazy fetch, 4 MSHRs of 2, miss queue of 4
//     DRAM: see rig_dram
void rig_init(Rig *rig);
// 4 banks of 1 KiB rows, bursts of 64 bytes that take 2 cycles;
// tCL 12, tRCD 10, tRP 9, tRAS 25, tRC 36, tRRD 6, tWR 8, tCCD 2, tCCDL 3, tWL 4, tCDLR 5, tRTPL 3.
DramConfig rig_dram(void);
void rig_start(Rig *rig, GuestMemory *guest); // fails the test if the memory side cannot be created
void rig_stop(Rig *rig);

// An SM sends a request, which has left it at `time`, in the next rig_run. Until then the test may
// change it. A store writes all bytes of its sectors.
MemRequest *rig_send(Rig *rig, unsigned sm, MemKind kind, Tick time, uint64_t line,
                     unsigned sectors, uint32_t token);
void rig_run(Rig *rig, Tick until);
// Runs in steps of `step` ticks until nothing is outstanding; fails the test after 10^6 ticks.
void rig_finish(Rig *rig, Tick step);
// Adds the counters up to `now` to the structs of the rig.
void rig_count(Rig *rig, Tick now);

// The reply to `token` of an SM; fails the test if there is none.
const RigReply *rig_reply(const Rig *rig, unsigned sm, uint32_t token);

#endif
