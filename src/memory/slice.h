// One L2 slice: input port and buffer, tags (cache.h), miss queue, the way to and from the DRAM
// channels, and the reply port. Time is in L2 cycles.
//
//     in port -> input buffer -> tags -+-- hit ---------------------> reply queue -> out port
//                                      +-- miss -> miss queue -> pipe -> channel
//                            data array <- fill pipe <- return queue <--+
//
// In one cycle, in this order: the pipe's oldest entry offers one sector to its channel; the miss
// queue's oldest enters the pipe (miss_latency cycles long); one sector leaves the return queue for
// the fill pipe (fill_latency); the fill pipe's oldest is written into the data array, which wakes
// its waiters; the head request looks up one sector. Fills and lookups share the data port (l2.port
// bytes per cycle), fills first. A refused head is tried again when a fill or the miss queue has
// changed something; the cycles between are counted for the reason of the refusal.
#ifndef HEDDLE_MEMORY_SLICE_H
#define HEDDLE_MEMORY_SLICE_H

#include "memory/dram.h"
#include "memory/icnt.h"

// What all slices of a machine read, and nobody changes while they run.
typedef struct SliceContext {
    MemoryConfig config;
    Channel **channels; // by number
    Clocks clocks;
    IcntTiming icnt;
    AddressMap map;
    GuestMemory *guest;
    CARRY(CarriedMemory *carried;)
    uint64_t unit;      // bytes of one lookup: a sector of the cache
    uint32_t unit_mask; // sectors of a request in one unit
    uint32_t port_cycles; // of the data port per unit
    uint8_t extra;        // most that mechanisms add to a reply's packet, bytes
} SliceContext;

// Accesses by array and by static instruction, of one group's slices (memory_side.c).
typedef struct AccessTables {
    AccessCounters *arrays, *pcs;
    size_t array_count, pc_count;
} AccessTables;

// When a slice has something to do; kept by the slice, read by the one that runs it.
typedef struct SliceDue {
    Tick in;  // a packet passes the in port: slice_pass_in
    Tick act; // slice_cycle
    Tick out; // a reply leaves: slice_send_out
} SliceDue;

// Why the head was not served: a CacheRefusal, or one of these.
enum { BLOCK_REPLIES = CACHE_REFUSALS, BLOCK_PORT, BLOCK_REASONS, BLOCK_NONE = BLOCK_REASONS };

typedef struct Slice Slice;

// context, its channels, tables and due outlive the slice. NULL and err: memory out, or a cache
// that cannot be.
Slice *slice_new(const SliceContext *context, unsigned number, AccessTables *tables, SliceDue *due,
                 uint64_t seed, HdError *err);
void slice_free(Slice *slice);
Cache *slice_cache(Slice *slice);
// The mechanisms at its cache; `hooks` outlives the slice. false: memory is out.
bool slice_attach(Slice *slice, struct CacheHooks *hooks, HdError *err);
// A kernel begins.
void slice_begin(Slice *slice);
// The request leaves in the cache what it would, outside the simulated time. Returns the stamp of
// the data that it reads (memory/stamps.h).
uint32_t slice_touch(Slice *slice, const MemRequest *request);

// Takes a request that an SM has sent. false where memory is out.
bool slice_add(Slice *slice, const MemRequest *request);

// Lets through what is due at the in port.
void slice_pass_in(Slice *slice, Tick now);
// Does what can be done in `cycle` (later than the last call's). false where memory is out.
bool slice_cycle(Slice *slice, uint64_t cycle);
// Starts to send the reply that is due at the out port. false where memory is out.
bool slice_send_out(Slice *slice, Tick now);

// The crossbar has taken `flits` of what the out port sent; the slice learns of it at `time`.
void slice_room(Slice *slice, Tick time, uint32_t flits);

// A channel is done with a request of this slice; what it read may be taken after `tick`. Calls
// come in the order of ticks.
void slice_done(Slice *slice, unsigned channel, const DramDone *done, Tick tick);
// A place in a channel's queue has become free at tick `now`.
void slice_channel_moved(Slice *slice, unsigned channel, Tick now);
void slice_every_cycle(Slice *slice, bool every_cycle);

// Replies that have left and are not yet in an inbox lie in the out port's sent list, credits here;
// both in the order of time. The owner takes them out.
typedef struct SliceCredit {
    MemCredit credit;
    uint16_t sm;
    bool gone; // no reply to the request will follow
} SliceCredit;
typedef struct CreditList {
    SliceCredit *items;
    size_t count, capacity;
} CreditList;
OutPort *slice_out(Slice *slice);
CreditList *slice_credits(Slice *slice);

// Writes, prefetches and fetches for stores that are on their way or wait.
size_t slice_background(const Slice *slice);

// Adds what was counted and starts again; blocked cycles are counted up to, not including, `cycle`.
LinkFlits slice_links(const Slice *slice); // since the last call of slice_counters
void slice_counters(Slice *slice, uint64_t cycle, IcntCounters *icnt, CacheCounters *cache,
                    DramCounters *dram);
// Nothing waits in it.
bool slice_idle(const Slice *slice);
void slice_describe(const Slice *slice, char *text, size_t size);

#endif
