// The memory side: the network's ports towards the L2, the L2 slices and the DRAM channels, run
// together up to a given time.
//
// A request leaves an SM at Transit.time, crosses the network (icnt.latency), waits for the slice's
// port (one flit per network cycle, oldest first, ties by SM number), waits slice.rop_latency, and
// enters the slice's input buffer. The slice splits it into sectors and looks up one sector per L2
// cycle. Misses go to the DRAM channel that owns the address. After the last sector of a request
// (slice.reply: or each one), a reply leaves through the slice's injection port (one flit per
// network cycle) and arrives icnt.latency later.
#ifndef HEDDLE_MEMORY_MEMORY_SIDE_H
#define HEDDLE_MEMORY_MEMORY_SIDE_H

#include "base/bits.h"
#include "base/fail.h"
#include "base/team.h"
#include "exec/guest.h"
#include "memory/cache/each_cache.h"
#include "memory/clock.h"
#include "memory/network/exchange.h"
#include "stats/stats.h"

// Which of several packets that want one port goes first.
typedef enum IcntArbiter {
    ARBITER_OLDEST,       // the oldest; it blocks no other packet: queues at the destinations
    ARBITER_INPUT_QUEUED, // crossbar.h: queues at the sources, in order, with head-of-line blocking
} IcntArbiter;

// Whether all ports choose among the heads of the queues at once, or one after the other.
typedef enum IcntMatching { MATCHING_AT_ONCE, MATCHING_IN_TURN } IcntMatching;

typedef struct IcntConfig {
    uint64_t frequency; // kHz
    uint64_t flit, control; // bytes per flit; of a packet without data (address, acknowledgement)
    uint32_t latency;   // network cycles from the last flit leaving to its arrival, unloaded
    uint32_t credits;   // requests of one SM in the input buffer of one slice or on the way to it
    uint32_t arbiter;      // IcntArbiter
    uint32_t matching;     // ARBITER_INPUT_QUEUED: IcntMatching
    uint32_t speedup;      // ARBITER_INPUT_QUEUED: steps of the crossbar per network cycle
    uint32_t allocation;   // the same: steps between packets of one input, and of one output
    uint32_t output_buffer; // ARBITER_INPUT_QUEUED: flits in front of a slice; 0: no limit
    uint32_t intake;       // with output_buffer: lookups at the tags that stop a slice
    uint32_t input_buffer; // ARBITER_INPUT_QUEUED: flits of one SM that wait for it; 0: no limit
    uint32_t reply_buffer; // ARBITER_INPUT_QUEUED: flits of one slice that wait for the crossbar
} IcntConfig;
extern const HdParameter icnt_parameters[];

// Flits of a packet with `data` bytes.
static inline uint64_t icnt_flits(const IcntConfig *config, uint64_t data)
{
    return divide_up(config->control + data, config->flit);
}

typedef enum SliceSelect {
    SELECT_BANK,       // the channel by dram.interleave, the slice in it by the lowest bank bits
    SELECT_INTERLEAVE, // slices take turns by slice.interleave, channels by dram.interleave
} SliceSelect;

typedef enum SliceReply {
    REPLY_REQUEST, // one packet for the whole request, after its last sector
    REPLY_SECTORS, // one packet per lookup as soon as it is served: data or an acknowledgement
} SliceReply;

// The bytes that a lookup moves through the L2's data port.
typedef enum SlicePort {
    PORT_BY_LOOKUP, // a hit, or a store that writes into the cache: all that is looked up
    PORT_BY_ACCESS, // a hit: what the access reads or writes; a miss: what is written back for it
} SlicePort;

typedef enum SliceHash {
    SLICE_LINEAR,
    SLICE_XOR,        // the digit that names channel or slice, with the bits above it folded
    SLICE_POLYNOMIAL, // the number of the slice with the bits above it, as a polynomial over GF(2)
} SliceHash;

typedef struct SliceConfig {
    uint64_t frequency;    // kHz of the L2 domain
    uint32_t count;        // slices in the machine; SELECT_BANK: a multiple of dram.channels
    uint32_t rop_latency;  // L2 cycles in front of the tags
    uint32_t fill_latency; // L2 cycles from a DRAM reply to the fill
    uint32_t miss_latency; // L2 cycles from a miss to the DRAM queue ("extra DRAM latency")
    uint32_t select;       // SliceSelect: which address bits name the slice
    uint64_t interleave;   // SELECT_INTERLEAVE: bytes that stay in one slice before the next
    uint32_t hash;         // SliceHash
    uint32_t reply_queue;  // replies that may wait for the port before hits and fills stall
    uint32_t reply;        // SliceReply: the packets that answer a request
    uint32_t port_bytes;   // SlicePort
    uint32_t write_versions; // lines written last whose versions it keeps (version_table.h)
} SliceConfig;
#define WRITE_VERSIONS 2048 // default
extern const HdParameter slice_parameters[];

// Which waiting requests for sectors of the same burst are merged into one burst.
typedef enum DramMerge { MERGE_NONE, MERGE_WRITES, MERGE_ALL } DramMerge;

// When a bank serves prefetches that no demand access waits for.
typedef enum DramPrefetches {
    PREFETCHES_AS_READS,
    PREFETCHES_LAST, // after all other requests
} DramPrefetches;

typedef struct DramConfig {
    uint64_t frequency;  // kHz of the command clock
    uint32_t channels, banks, bank_groups;
    uint64_t row, bus, interleave; // bytes: row buffer; a channel's bus; consecutive in a channel
    uint32_t burst, data_rate; // transfers per burst; transfers per command cycle
    uint32_t scheduler, queue, return_queue; // 0 FCFS, 1 FR-FCFS; entries
    uint32_t tCL, tRCD, tRP, tRAS, tRC, tRRD, tWR, tCCD, tCCDL, tWL, tCDLR, tRTPL;
    uint32_t refresh_interval, refresh_cycles; // command cycles; 0: no refresh
    bool dual_bus;      // a row and a column command in the same cycle (HBM)
    uint32_t merge_sectors; // DramMerge
    bool bank_request;      // each bank keeps the request that it serves, out of the queue
    uint32_t tRCDWR;        // activate to write; 0: tRCD
    uint32_t prefetches;    // DramPrefetches
    uint32_t bank_queue;    // requests of one bank in the queue; 0: no limit
    bool drop_prefetches;   // for a request for which the queue has no room
    char map[PARAMETER_TEXT_SIZE]; // bits of the address within a channel: R row, B bank, C and
                                   // S column
} DramConfig;
extern const HdParameter dram_parameters[];

// Whether a channel distinguishes prefetches from demand requests, so that these promote them.
static inline bool dram_ranks_prefetches(const DramConfig *config)
{
    return config->prefetches != PREFETCHES_AS_READS || config->drop_prefetches;
}

// Which lanes of a global atomic share a packet to the L2.
typedef enum AtomicsCoalesce {
    ATOMICS_BY_LINE, // all lanes of a segment
    ATOMICS_BY_WORD, // at most one lane for each word of a segment
} AtomicsCoalesce;

typedef enum AtomicsSegment { ATOMICS_SEGMENT_MEMORY, ATOMICS_SEGMENT_SECTOR } AtomicsSegment;

typedef struct AtomicsConfig { // section `atomics`: global atomics, at the SM and at the slice
    uint32_t coalesce; // AtomicsCoalesce
    uint32_t segment;  // AtomicsSegment: as memory.coalesce, or 32 bytes
    uint32_t lanes;    // a warp is coalesced in groups of this many lanes
    // The slice's unit (atomic_unit.h): words of a request per L2 cycle, 0: all; L2 cycles from one
    // lane on a word to the next, 0: the lanes on a word are combined.
    uint32_t words, word_cycles;
} AtomicsConfig;
extern const HdParameter atomics_parameters[];

typedef struct MemoryConfig {
    const IcntConfig *icnt;
    const CacheConfig *l2;
    const SliceConfig *slice;
    const DramConfig *dram;
    const AtomicsConfig *atomics;
    bool linked; // engines of mechanisms exchange entries between slices
} MemoryConfig;

// Flits by MemKind, in its order: P_load, ...
#define KIND_COUNTERS(C, P, all)                                                                   \
    C(P##_load, "flits", "Of all flits " all ": for global loads.")                                \
    C(P##_store, "flits", "Of all flits " all ": for global stores.")                              \
    C(P##_atomic, "flits", "Of all flits " all ": for atomics.")                                   \
    C(P##_reduce, "flits", "Of all flits " all ": for reductions: atomics without old values.")    \
    C(P##_local_load, "flits", "Of all flits " all ": for loads of local memory.")                 \
    C(P##_local_store, "flits", "Of all flits " all ": for stores to local memory.")               \
    C(P##_instruction, "flits", "Of all flits " all ": for instructions.")                         \
    C(P##_constant, "flits", "Of all flits " all ": for constants and kernel parameters.")         \
    C(P##_readonly, "flits", "Of all flits " all ": for read-only data.")                          \
    C(P##_copy_back, "flits", "Of all flits " all ": for clean lines that L1Ds copy back.")        \
    C(P##_prefetch, "flits", "Of all flits " all ": for lines prefetched into L1Ds.")              \
    C(P##_engine, "flits", "Of all flits " all ": for requests to engines of mechanisms.")

#define TO_MEMORY_COUNTERS(C) KIND_COUNTERS(C, flits_to_memory, "to L2 slices")
#define TO_SM_COUNTERS(C) KIND_COUNTERS(C, flits_to_sm, "to SMs")

#define ICNT_COUNTERS(C)                                                                           \
    C(flits_to_memory_control, "flits",                                                            \
      "Flits from SMs to L2 slices that carry requests without data.")                             \
    C(flits_to_memory_data, "flits",                                                               \
      "Flits from SMs to L2 slices that carry stores and atomics.")                                \
    C(flits_to_sm_control, "flits", "Flits from L2 slices to SMs that carry acknowledgements.")    \
    C(flits_to_sm_data, "flits", "Flits from L2 slices to SMs that carry data.")                   \
    C##_ARRAY(to_memory_by_kind, MEM_KINDS, TO_MEMORY_COUNTERS)                                    \
    C##_ARRAY(to_sm_by_kind, MEM_KINDS, TO_SM_COUNTERS)                                            \
    C(packets_to_memory, "packets", "Packets from SMs to L2 slices, one per request.")             \
    C(packets_to_sm, "packets", "Packets from L2 slices to SMs.")                                  \
    C(requests_answered, "requests",                                                               \
      "Requests whose last packet has left for the SM, and finished copy-backs, which get "        \
      "none.")                                                                                     \
    C(port_wait_cycles, "network cycles", "Cycles that requests waited for a slice's port.")       \
    C(reply_wait_cycles, "network cycles",                                                         \
      "Cycles that packets to SMs waited in the crossbar's input queues (icnt.arbiter: "           \
      "input-queued).")                                                                            \
    C(stall_reply_buffer, "network cycles",                                                        \
      "Cycles that a slice's first packet waited for room in the crossbar's input queue.")         \
    C(stall_reply_queue, "L2 cycles",                                                              \
      "Cycles in which a slice's head request stalled: its reply queue was full.")                 \
    C(stall_data_port, "L2 cycles",                                                                \
      "Cycles in which a slice's head request stalled: the data port was busy.")                   \
    C(stall_atomic_unit, "L2 cycles",                                                              \
      "Cycles in which a slice's head request, an atomic, stalled: the atomic unit was busy.")     \
    C(stall_engine, "L2 cycles",                                                                   \
      "Cycles in which a slice's head request stalled: a mechanism's engine had no room for it.")

#define DRAM_COUNTERS(C)                                                                           \
    C(reads, "bursts", "Read bursts.")                                                             \
    C(writes, "bursts", "Write bursts.")                                                           \
    C(row_hits, "bursts", "Bursts that found their row open.")                                     \
    C(row_misses, "bursts", "Bursts that had to open a row in an idle bank.")                      \
    C(row_conflicts, "bursts", "Bursts that had to close another row first.")                      \
    C(activates, "commands", "Rows opened.")                                                       \
    C(precharges, "commands", "Rows closed.")                                                      \
    C(refreshes, "commands", "Refreshes.")                                                         \
    C(bytes_read, "bytes", "Bytes requested by reads (sectors; a burst may move more).")           \
    C(bytes_written, "bytes", "Bytes of dirty sectors written.")                                   \
    C(bytes_transferred, "bytes", "Bytes moved over the data bus (bursts x burst bytes).")         \
    C(bus_busy_cycles, "command cycles",                                                           \
      "Cycles in which a data bus was busy, over all channels.")                                   \
    C(channel_cycles, "command cycles",                                                            \
      "Cycles x channels (bus_busy_cycles / this = utilisation).")                                 \
    C(queue_wait_cycles, "command cycles",                                                         \
      "Cycles from entering a channel's queue to the start of the burst, over all bursts.")        \
    C(prefetches_promoted, "requests",                                                             \
      "Queued prefetches that demand requests have promoted (dram.prefetches, drop_prefetches).")  \
    C(prefetches_dropped, "requests",                                                              \
      "Queued prefetches dropped for lack of room (dram.drop_prefetches).")                        \
    C(stall_queue, "L2 cycles",                                                                    \
      "Cycles in which a slice's miss stalled because the channel's queue was full.")

typedef struct IcntCounters { ICNT_COUNTERS(STAT_FIELD) } IcntCounters;
typedef struct DramCounters { DRAM_COUNTERS(STAT_FIELD) } DramCounters;
extern const StatTable icnt_table, dram_table;

// Flits over the two links between the network and an SM or a slice.
typedef struct LinkFlits {
    uint64_t to_memory, to_sm;
} LinkFlits;

// Accesses by allocation or by static instruction: rows of the tables by allocation and by PC.
#define ACCESS_COUNTERS(C)                                                                         \
    C(accesses, "accesses", "Accesses that were served.")                                          \
    C(hits, "accesses", "Accesses that found their data.")                                         \
    C(pending_hits, "accesses", "Accesses to data already on their way.")                          \
    C(misses, "accesses", "Accesses that went to the next level.")                                 \
    C##_ARRAY(stalls, CACHE_STALL_REASONS, ACCESS_STALLS)
#define ACCESS_STALLS(C)                                                                           \
    STALL_COUNTERS(C, stall, "Cycles in which an access at the head stalled")
typedef struct AccessCounters { ACCESS_COUNTERS(STAT_FIELD) } AccessCounters;
extern const StatTable access_table;

// Adds a row to another and clears it. Most rows are empty, and short launches spend their time on
// these, so an empty one is skipped.
static inline void access_move(AccessCounters *into, AccessCounters *from)
{
    uint64_t any = from->accesses;
    for (unsigned reason = 0; reason < CACHE_STALL_REASONS; reason++)
        any |= from->stalls[reason];
    if (!any) return;
    stats_move(&access_table, into, from);
}

typedef struct MemorySide MemorySide;
enum { MAX_SLICES = 256 };

// Whether a memory side can be made. *round_trip: the least time from an SM to a slice and back.
// false and err: what is invalid, by its key.
bool memory_side_check(const MemoryConfig *config, const Clocks *clocks, Tick *round_trip,
                       HdError *err);
// guest: the memory on which atomics are done (NULL in tests without them). NULL and err: out of
// memory, or an invalid configuration. Free with memory_side_free.
MemorySide *memory_side_new(const MemoryConfig *config, const Clocks *clocks, unsigned sms,
                            GuestMemory *guest, uint64_t seed, HdError *err);
void memory_side_free(MemorySide *memory);
// Sets the sizes of the tables of accesses by allocation and by PC; they never shrink. team:
// as in memory_side_run.
bool memory_side_resize(MemorySide *memory, size_t allocations, size_t pcs, Team *team,
                        HdError *err);

// Least ticks from the moment at which a request has left its SM to the one at which a slice can
// act on it, and from then to the arrival of the reply, or credit, at the SM. Their sum is the
// quantum.
Tick memory_side_forward_latency(const MemorySide *memory);
Tick memory_side_reply_latency(const MemorySide *memory);

// The slice that owns an address.
unsigned memory_side_slice(const MemorySide *memory, uint64_t address);
// Sets the slice that gets the request, and the place of its line there.
void memory_side_place(const MemorySide *memory, MemRequest *request);

// Where SMs send requests, and get replies and credits.
Exchange *memory_side_exchange(MemorySide *memory);

// Takes the requests that the SMs have sent, and runs every slice and channel up to, not including,
// tick `until`. Every request that began to leave its SM at a tick t with t + forward latency <
// until must have been sent by then. It began as many network cycles before its Transit.time as it
// has flits.
//
// Sends the SMs all replies and credits whose time is sooner than until + reply latency, and some
// of the later ones: no other reply or credit with a time before that can still come. So after all
// SMs have run up to tick t, a call with until = t + forward latency lets them run up to t +
// forward + reply latency.
//
// The team (NULL: none) shares the work. false and err: out of memory.
bool memory_side_run(MemorySide *memory, Tick until, Team *team, HdError *err);

// The tick of the next event without new requests; TICK_NEVER: idle.
Tick memory_side_next(const MemorySide *memory);

// Number of requests taken and not yet answered (the last packet of a reply is on its way to the
// SM), of writes to DRAM, of fetches for stores, and of slices whose engines have something to
// do. 0 at the end of a run.
size_t memory_side_outstanding(const MemorySide *memory);
// Whether there are any.
bool memory_side_busy(const MemorySide *memory);

// Attaches the mechanisms at a slice's cache, before the first request; `hooks` must outlive the
// memory side. false and err: out of memory, or a reply with its sideband tags does not fit.
bool memory_side_attach(MemorySide *memory, unsigned slice, struct CacheHooks *hooks,
                        HdError *err);

// Visits the slices' caches, in the order of slices. false and err: those of a visit that failed,
// which was the last one.
bool memory_side_each_cache(MemorySide *memory, CacheVisit *visit, void *self, HdError *err);

// From now on counts the bytes that DRAM reads for prefetchers 1 to `prefetchers` (prefetcher_at).
// false and err: out of memory.
bool memory_side_count_prefetchers(MemorySide *memory, unsigned prefetchers, HdError *err);
// Those bytes, of one prefetcher.
uint64_t memory_side_prefetched(const MemorySide *memory, unsigned prefetcher);

// A kernel begins: lines that L1Ds read before it are stale.
void memory_side_on_kernel_begin(MemorySide *memory);
// A kernel with timing begins at this tick: the engines of mechanisms work from the time on at
// which the first request could arrive.
void memory_side_begin_engines(MemorySide *memory, Tick now);

// A host copy leaves its data in the L2 (memory.copy_fills_l2).
void memory_side_warm(MemorySide *memory, uint64_t address, uint64_t bytes);

ShadowMemory *memory_side_shadow(MemorySide *memory); // NULL in a normal build

// Functional access, while nothing is on its way: changes the L2 as the request would, without
// time. Dirty victims need no write, because values are in the guest's memory. Returns the version
// of the data read (version_table.h). Requests to different slices may be served at the same time.
uint32_t memory_side_access_warm(MemorySide *memory, const MemRequest *request);

// Whether no mechanism sees the requests, and the caches warm lines (cache_warms_lines). Then an
// access to sectors of a line is all that a functional request does.
bool memory_side_warms_lines(const MemorySide *memory);
// The slice of a line, and its place there.
unsigned memory_side_locate(const MemorySide *memory, uint64_t line, uint64_t *place);
// The number of slices, MAX_SLICES at most.
unsigned memory_side_slices(const MemorySide *memory);
// The cache of a slice, for accesses that warm its lines. Those of different slices may be used at
// the same time.
struct Cache *memory_side_l2(const MemorySide *memory, unsigned slice);

// Counts stalls of the slices that last up to, not including, `now`. The functions below need it.
void memory_side_count_to(MemorySide *memory, Tick now);
// Adds the counters to the given structs (any may be NULL) and resets them. now: up to when
// channel_cycles are counted.
void memory_side_counters(MemorySide *memory, Tick now, IcntCounters *icnt, CacheCounters *l2,
                          DramCounters *dram);
// The same for accesses by allocation (allocations: one row each; NULL: not these) and by static
// instruction (pcs: one row each), of instructions [first_pc, end_pc) only. Calls for other
// instructions, or for allocations, and memory_side_counters may be called at the same time.
void memory_side_rows(MemorySide *memory, AccessCounters *allocations, AccessCounters *pcs,
                      size_t first_pc, size_t end_pc);

// Writes the flits over the links of slices[0..) since the last call of memory_side_counters.
void memory_side_links(const MemorySide *memory, LinkFlits *slices);

// Lanes of atomics so far that have changed a value in memory.
uint64_t memory_side_atomic_changes(const MemorySide *memory);

// Runs every cycle instead of jumping to the next one that can act (--no-skip). Results are the
// same: a check of the jumps.
void memory_side_no_skip(MemorySide *memory, bool every_cycle);

// Writes one line for each slice, SM and channel that holds requests, for the deadlock report.
void memory_side_describe(const MemorySide *memory, char *text, size_t size);

#endif
