// What mechanisms see: accesses and fills, lines that leave, prefetches that have come, the room in
// a set, memory instructions that are done, kernels, periods, blocks and warps. Part of
// heddle/mechanism.h, which includes it.
#ifndef HEDDLE_EVENTS_H
#define HEDDLE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// HD_PENDING_HIT: the data were already on their way (merged into an MSHR entry).
typedef enum HdOutcome { HD_HIT, HD_PENDING_HIT, HD_MISS } HdOutcome;

// HD_COPY_BACK: a line evicted from an L1D arrives at its L2 slice (HdHooks.decide_clean_eviction);
// it belongs to no instruction. HD_PREFETCH: seen at an L2, a prefetch of a mechanism at an L1;
// otherwise it is handled as a load. HD_ENGINE_READ: at an L2, a read of a mechanism's engine
// (hd_read_line), likewise; it belongs to no instruction, and its SM is 0. In HdMemoryDone it is an
// instruction of an engine.
typedef enum HdKind {
    HD_LOAD, HD_STORE, HD_ATOMIC, HD_COPY_BACK, HD_PREFETCH, HD_ENGINE_READ
} HdKind;

// The first-level cache that an access belongs to. HD_L1D includes accesses that bypass the L1D.
typedef enum HdCacheKind { HD_L1D, HD_L1I, HD_L1C, HD_L1R } HdCacheKind;

enum { HD_NO_ALLOCATION = UINT16_MAX };
#define HD_NO_INDEX UINT32_MAX
#define HD_NO_PC UINT32_MAX
#define HD_NO_LINE UINT64_MAX

// An access to a cache: one that misses (decide_insert, decide_fetch), one that the cache has
// completed (on_access), or one whose data have arrived (on_fill).
typedef struct HdAccess {
    uint64_t line;       // address of the line
    uint64_t victim;     // where `insertion` is not HD_PASS: the line that had to make room, or
                         // would have had to; HD_NO_LINE: none
    uint64_t cycle;      // core cycles at an L1, L2 cycles at a slice
    uint32_t victim_index;  // line_index of `victim`. In on_access the place may be taken by `line`
    uint32_t pc;         // static instruction number, the same in all launches; HD_NO_PC: none
    uint32_t line_index; // of the line in the cache (HD_PER_LINE); HD_NO_INDEX: not in the cache,
                         // such as after a store that hits and evicts (write=evict)
    uint32_t set;        // set that the line maps to (HD_PER_SET)
    uint16_t allocation; // number of the allocation; HD_NO_ALLOCATION: none
    uint16_t sm;         // SM of the access
    uint16_t warp;       // number of the warp in its block
    uint16_t warp_slot;  // of the warp on its SM (HdWarp.slot)
    uint16_t block_slot; // at an L1: of the warp's block on the SM
    uint16_t number, count; // at an L1: this is access `number`, from 0, of the `count` accesses
                            // that its instruction makes
    uint32_t lanes;      // lanes that touch the line; 0: no warp issued this access (instruction
                         // fetches, write-backs, copy-backs, prefetches)
    uint32_t block;      // number of the block in the grid, lower 32 bits
    uint32_t launch;     // number of the launch, from 1
    uint8_t victim_sectors; // used_sectors of `victim` (HdEviction)
    uint8_t sector;      // number of the sector in the line
    uint8_t sector_mask; // 32-byte sectors of the line that the access touches; bit 0: the first
    uint8_t cache;       // HdCacheKind
    uint8_t kind;        // HdKind
    uint8_t outcome;     // HdOutcome
    uint8_t insertion;   // HdInsertion: where the data go; HD_PASS: no mechanism was asked
    bool inserted_in_l1;   // at a slice: the requesting L1D inserts the data (no bypass)
    bool tag_hit;        // a miss on a line whose data bypassed the cache (HD_TAGS_ONLY) and would
                         // be here otherwise
    uint8_t value_sectors; // 32-byte sectors of the line whose bytes `values` has; bit 0: the first
    uint32_t sideband;   // at a slice: this mechanism's request_tag of the request; in on_fill of
                         // an L1: its reply_tag of the reply
    // With HdMechanism.reads_values, in on_fill and in on_access of hits: bytes of the line, from
    // its first one on. At an L1: as the slice had them when it made the reply that brought them;
    // what the SM has stored since is not in them. At a slice: as they are now. Valid during the
    // hook. NULL: none are known, as of local memory, instructions and constants, of a copy-back,
    // and of a store that evicts its line.
    const uint8_t *values;
} HdAccess;

// Whether the data of this access belong to instruction `pc`: loads and atomics. False for fetches
// on behalf of stores, for prefetches, and for accesses of the instruction and constant caches.
static inline bool hd_by_instruction(const HdAccess *access)
{
    return access->pc != HD_NO_PC && access->cache != HD_L1I && access->cache != HD_L1C;
}

// A line that leaves a cache, or that is resident when a kernel ends.
typedef struct HdEviction {
    uint64_t line;
    uint32_t line_index, set; // as in HdAccess
    uint8_t used_sectors;     // union of sector_mask over all accesses to it, the first included
    bool dirty, tags_only;
} HdEviction;

// A sector (of a sectored cache: the missing ones of a line) that hd_prefetch_tagged has brought.
typedef struct HdPrefetched {
    uint64_t line, cycle; // as in HdAccess
    uint32_t line_index;  // likewise
    uint32_t tag;
    uint16_t warp_slot;
    uint8_t sector;
    uint8_t sector_mask; // 32-byte sectors of the line that were looked up; bit 0: the first
    uint8_t outcome; // HdOutcome: HD_HIT, it was there; HD_PENDING_HIT, it was on its way; HD_MISS,
                     // it was fetched
    bool late;       // HD_MISS: an access has waited for it
    uint8_t value_sectors; // likewise
    const uint8_t *values; // likewise
} HdPrefetched;

// Whether a set has a way for a line that misses.
typedef enum HdRoomState {
    HD_ROOM_FREE,    // a way holds no line, or the line's tag is here already
    HD_ROOM_VICTIM,  // `victim` would have to leave
    HD_ROOM_RESERVED // all ways wait for data: the miss stalls, unless its data bypass the cache
} HdRoomState;
typedef struct HdRoom {
    HdRoomState state;
    HdEviction victim; // HD_ROOM_VICTIM
} HdRoom;

// The ways of a full set. Their lines have the line_index `first` and the next ones.
enum { HD_MAX_WAYS = 4096 };
typedef struct HdWays {
    uint32_t set, first, count;
    const uint64_t *reserved; // a bit for each way: it waits for data, and its line cannot leave
} HdWays;
static inline bool hd_is_reserved(const HdWays *ways, uint32_t way)
{
    return ways->reserved[way / 64] >> way % 64 & 1;
}

// What a load that stalls at a cache lacks.
typedef enum HdStallReason {
    HD_STALL_LINE, // a way: all ways of the set wait for data
    HD_STALL_MSHR, // an MSHR entry
    HD_STALL_MERGE // room in the MSHR entry of its line
} HdStallReason;

// The queues of a hold point (HdCoreHooks.decide_queue): accesses of memory instructions, which the
// core puts in and takes out. A mechanism declares a structure of each of the two types.
// HdHeld: an access; in hardware its line of 40 bits, 4 sectors, load or store, the in-flight
// instruction (16 bits), the access of it (8 bits), and the next access of its queue (16 bits). The
// data of a store stay with its instruction.
typedef struct HdHeld {
    uint32_t instruction, access, next;
} HdHeld;
enum { HdHeld_bits = 40 + 4 + 1 + 16 + 8 + 16 };
// HdHoldQueue: first and last access of a queue, and their number.
typedef struct HdHoldQueue {
    uint16_t first, last, length;
} HdHoldQueue;
enum { HdHoldQueue_bits = 48 };

// A set of warps of an SM, one bit for each warp slot; also of the queues of a hold point.
enum { HD_MAX_WARPS = 512 };
typedef struct HdWarpSet {
    uint64_t word[HD_MAX_WARPS / 64];
} HdWarpSet;
static inline void hd_warps_add(HdWarpSet *set, unsigned slot)
{
    set->word[slot / 64] |= UINT64_C(1) << slot % 64;
}
static inline bool hd_warps_have(const HdWarpSet *set, unsigned slot)
{
    return set->word[slot / 64] >> slot % 64 & 1;
}

#define HD_NO_QUEUE UINT32_MAX
typedef struct HdQueues {
    const HdHoldQueue *queues;
    uint32_t count;    // of queues
    uint32_t held;     // accesses in all of them
    uint32_t last;     // the queue from which the L1D has taken an access last, if it holds another
                       // one; else HD_NO_QUEUE
    HdWarpSet filled;  // the queues that hold an access
} HdQueues;

// A memory instruction of a warp is done: the last data of a load or atomic have come, a store or
// reduction is acknowledged as a whole, or the last packet of an engine's reply has arrived.
typedef struct HdMemoryDone {
    uint64_t cycle, issued; // core cycles: now, and when it issued (HdMemoryInstruction.cycle)
    uint32_t pc;            // as HdAccess.pc
    uint16_t warp_slot;
    uint8_t kind;           // HdKind: HD_LOAD, HD_STORE or HD_ATOMIC; HD_ENGINE_READ: it is an
                            // instruction of a mechanism's engine
    bool injected;          // a micro-op of a mechanism (hd_inject)
} HdMemoryDone;

// A launch of a kernel.
typedef struct HdKernel {
    const char *name;
    uint64_t cycle;              // core cycles: of its beginning, or of its end
    bool repeated;               // the launch before was of the same kernel
    uint32_t grid[3], block[3];  // blocks, threads
    uint32_t registers;          // per thread, before rounding to the machine's unit
    uint32_t spare_registers;    // per thread, 32 bits each: for mechanisms that inject micro-ops
                                 // (HdMechanism.spare_registers), as many as fit without fewer
                                 // blocks on an SM
    uint64_t shared;             // bytes of shared memory per block, static and dynamic
    bool timed;                  // false: it runs functionally, or has been cut and has run the
                                 // rest functionally (HdEngineHooks.execute)
    // The instructions of the mechanism's engines that the kernel, or a function that it may call,
    // has: a bit for each of HdMechanism.instructions; and the pc of the first one.
    uint32_t engine_instructions, engine_pc;
} HdKernel;

// Periods that have ended. Their length is the parameter `period` of the mechanism, in cycles of
// the place's clock, which counts on between kernels.
typedef struct HdPeriods {
    uint64_t cycle; // end of the last one
    uint64_t count; // 1; or more, if no kernel ran, or if a slice had no event for longer
} HdPeriods;

// A call of the host program to a mechanism (hd_call of heddle/device.h). It comes between kernels.
enum { HD_CALL_VALUES = 8 }; // at most
typedef struct HdCall {
    const char *verb; // what the host says, in words of the mechanism
    const uint64_t *values;
    size_t count; // of values
    // Bytes from a guest address to the end of its allocation; 0: it lies in none.
    uint64_t (*allocated)(const struct HdCall *call, uint64_t address);
    const void *memory; // for `allocated`
} HdCall;

// A block on an SM, and a warp of it. A slot is reused after its block or warp has ended. Of two
// residents the older one has the smaller age.
typedef struct HdBlock {
    uint64_t number; // in the grid
    uint64_t cycle;  // core cycles
    uint32_t slot, warps;
} HdBlock;
typedef struct HdWarp {
    uint64_t age;
    uint64_t cycle; // core cycles: of its start, or of its end; 0 in HdWarps
    uint16_t slot, scheduler;
    uint16_t block; // slot of its block
    uint16_t index; // number of the warp in the block
} HdWarp;

#endif
