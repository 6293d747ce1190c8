// One L2 slice: input port and buffer, tags (cache.h), miss queue, the path to and from the DRAM
// channels, and the reply port. Time is in L2 cycles.
//
//     in port -> input buffer -> tags -+-- hit ---------------------> reply queue -> out port
//                                      +-- miss -> miss queue -> pipe -> channel
//                            data array <- fill pipe <- return queue <--+
//
// Order within one cycle: the pipe's oldest entry offers one sector to its channel; the miss
// queue's oldest entry enters the pipe (miss_latency cycles long); one sector leaves the return
// queue for the fill pipe (fill_latency); the fill pipe's oldest entry is written into the data
// array, which wakes its waiters; the head request looks up one sector. Only stages that are due
// run. Lookups and fills have a data port each (l2.port bytes per cycle). An atomic at the head
// waits until the atomic unit is free (atomic_unit.h). A head that stalls is tried again after a
// fill or a change of the miss queue; the cycles between are counted by the reason of the stall.
#ifndef HEDDLE_MEMORY_SLICE_SLICE_H
#define HEDDLE_MEMORY_SLICE_SLICE_H

#include "memory/cache/controller.h"
#include "memory/dram/dram.h"
#include "memory/network/slice_ports.h"

// What all slices of a machine share. Read-only while they run.
typedef struct SliceContext {
    MemoryConfig config;
    Channel **channels; // by number
    Tick *channel_due;  // by number: when the channel has something to do
    struct Slice **slices; // by number
    struct Exchange *exchange; // with the SMs
    Clocks clocks;
    IcntTiming icnt;
    AddressMap map;
    GuestMemory *guest;
    ShadowMemory *shadow; // NULL in a normal build
    uint64_t lookup_bytes; // of one lookup: a sector of the cache, or a line
    uint32_t lookup_mask; // one bit for each sector of 32 bytes in one lookup
    uint32_t port_cycles; // of the data port per lookup
    bool engines;           // mechanisms have engines at the slices
    uint8_t extra;        // bytes of sideband tags in a reply's packet, at most
} SliceContext;

// Counts of one group's slices.
typedef struct GroupCounts {
    AccessCounters *by_allocation, *by_pc; // accesses by allocation and by static instruction
    size_t allocation_count, pc_count;
    size_t finished; // requests whose last packet, or credit, is on its way to the SM; in this run
} GroupCounts;

// When a slice has something to do. The slice keeps it up to date; the group that runs it reads it.
typedef struct SliceDue {
    Tick in;  // a packet passes the in port: call slice_pass_in before a run that comes so far
    Tick act; // call slice_run
    Tick shared; // up to here, not including it, what it does concerns no other slice and no
                 // channel: it may run before what these do sooner
    Tick engine; // call slice_engine_cycle, after slice_run of all slices
    Tick out; // a reply leaves: call slice_send_until at the end of a run that comes so far
    Tick *group; // the soonest of these times of all slices, and of the channels of the group
} SliceDue;

// Makes one of these times no later than `tick`.
static inline void slice_due_by(SliceDue *due, Tick *time, Tick tick)
{
    if (tick < *time) *time = tick;
    if (tick < *due->group) *due->group = tick;
}

// Why the head was not served: a CacheStall, or one of these.
enum {
    SLICE_STALL_REPLIES = CACHE_STALL_REASONS,
    SLICE_STALL_PORT,
    SLICE_STALL_ATOMIC_UNIT,
    SLICE_STALL_REASONS,
    SLICE_STALL_NONE = SLICE_STALL_REASONS
};

// What a channel does next has changed.
static inline void slice_note_channel(const SliceContext *context, unsigned channel)
{
    uint64_t cycle = channel_next(context->channels[channel]);
    context->channel_due[channel] =
        cycle == CYCLE_NEVER ? TICK_NEVER : clock_tick(&context->clocks, CLOCK_DRAM, cycle);
}

typedef struct Slice Slice;

// Makes a slice of a group among `tables`. context, its channels and exchange, tables, counts and
// due must outlive it. NULL and err: out of memory, or an invalid cache configuration.
Slice *slice_new(const SliceContext *context, unsigned number, unsigned group, HdTables *tables,
                 GroupCounts *counts, SliceDue *due, uint64_t seed, HdError *err);
// Frees what the slice has outside the tables. NULL is allowed.
void slice_free(Slice *slice);
// The controller of its cache; it lives as long as the slice.
CacheController *slice_controller(Slice *slice);
// Attaches the mechanisms: those at the slice's cache (`hooks` must outlive the slice; NULL: there
// are none), and prefetches of L1Ds may come. false: out of memory.
bool slice_attach(Slice *slice, struct CacheHooks *hooks, HdError *err);
// A kernel begins: lines that L1Ds read before it are stale.
void slice_on_kernel_begin(Slice *slice);
// The same for engines, which work from this L2 cycle on.
void slice_begin_engines(Slice *slice, uint64_t cycle);
// Functional access: changes the cache as the request, which is placed, would do, but takes no
// time. Returns the version of the data read (version_table.h).
uint32_t slice_access_warm(Slice *slice, const MemRequest *request);

// Sets the slice to which a request goes, and the place of its line there.
void slice_place_request(const SliceContext *context, MemRequest *request);
// Takes a request that an SM has sent.
void slice_add(Slice *slice, Transit *request);
// Adds a request that is at the tags in L2 cycle `ready`: all of them, or none (slice_add).
void slice_enter(Slice *slice, Transit *request, uint64_t ready);

// Passes the packets that are due at the in port before `until`. No other packet that comes later
// can be before them.
void slice_pass_in(Slice *slice, Tick until);
// Runs one cycle, later than the last one, and then the following ones before `bound` in which the
// slice has something to do, up to the first one that concerns other slices or a channel. false:
// out of memory.
bool slice_run(Slice *slice, uint64_t cycle, uint64_t bound);
// Runs the cycle of the engines of mechanisms that are due. false: out of memory.
bool slice_engine_cycle(Slice *slice, uint64_t cycle);
// Whether such an engine has something to do without a request.
bool slice_engine_busy(const Slice *slice);
// Sends the packets that leave through the out port before `until`, and says in SliceDue.out when
// the next one does.
void slice_send_until(Slice *slice, Tick until);

// The crossbar has taken `flits` out of its queue for this out port; the slice may use the room
// from `time` on.
void slice_free_out_flits(Slice *slice, Tick time, uint32_t flits);

// A channel has finished a request of this slice; read data may be taken after `tick`. Calls come
// in the order of ticks.
void slice_on_dram_done(Slice *slice, unsigned channel, const DramDone *done, Tick tick);
// An entry of a channel's queue has become free at tick `now`.
void slice_on_channel_freed(Slice *slice, unsigned channel, Tick now);
// Runs each cycle instead of jumping to the next one that can act (--no-skip).
void slice_every_cycle(Slice *slice, bool every_cycle);

// The L2 cycles of lookups since the intake has taken them (intake.h).
typedef struct LookupLog {
    uint64_t *cycles;
    size_t count, capacity;
    bool on;
} LookupLog;
LookupLog *slice_lookup_log(Slice *slice);
// The lookups of a request, one bit for each part of the line that is looked up at once.
uint32_t slice_lookups(const SliceContext *context, const MemRequest *request);
OutPort *slice_out(Slice *slice);

// Number of writes, prefetches and fetches for stores that are on their way or wait.
size_t slice_background_count(const Slice *slice);

// Counts stalls that last up to, not including, `cycle`, also in the rows of its group.
void slice_count_to(Slice *slice, uint64_t cycle);
// Adds the counters to the given structs (any may be NULL) and resets them.
void slice_counters(Slice *slice, IcntCounters *icnt, CacheCounters *cache, DramCounters *dram);
// Lanes of atomics so far that have changed a value in memory.
uint64_t slice_atomic_changes(const Slice *slice);
// Flits over the links of the slice since the last call of slice_counters.
LinkFlits slice_links(const Slice *slice);
// Whether nothing waits in the slice.
bool slice_idle(const Slice *slice);
// One line of text for the deadlock report.
void slice_describe(const Slice *slice, char *text, size_t size);

#endif
