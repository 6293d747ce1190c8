// The interface of a mechanism: what it declares, the events it sees, the decisions it takes, and
// the actions it may request.
//
// A mechanism is one constant of type HdMechanism. It has no variables of its own. All its state
// lies in structures that it declares with their width in bits, which is their cost in hardware.
// Heddle allocates one set of structures for each place at which the mechanism works (an SM with
// its L1, a slice of the L2, or the GPU) and passes the place to every hook.
//
//     #define ENTRY(F) F(hits, 8) F(trained, 1)
//     HD_BIT_FIELDS(Entry, ENTRY);              // a struct of bit fields, and Entry_bits, 9
//
//     static void on_access(HdPlace *place, const HdAccess *access)
//     {
//         Entry *table = place->structures[0];
//         if (access->outcome == HD_HIT) table[access->pc % 64].hits++;
//     }
//     HD_MECHANISM(mine) = {
//         .name = "mine", .description = "Counts hits by instruction.", .paper = "none",
//         .structures = (const HdStructure[]){
//             {"table", HD_EACH_L1, 64, HD_FIXED, Entry_bits, sizeof(Entry)}, {0}},
//         .l1 = {.on_access = on_access},
//     };
//
// docs/write-a-mechanism.md builds, runs and adds a complete mechanism.
//
// Names: hooks `on_...` report an event and change nothing in the machine; hooks `decide_...`
// answer a question, and HD_PASS leaves the answer to the next mechanism or to the baseline.
//
// Hooks of different SMs run concurrently, and so do hooks of different slices: a hook may touch
// only its own place. Hooks must be deterministic; random numbers come from hd_draw.
#ifndef HEDDLE_MECHANISM_H
#define HEDDLE_MECHANISM_H

#include "heddle/engines.h"
#include "heddle/error.h"
#include "heddle/events.h"
#include "heddle/instructions.h"
#include "heddle/parameter.h"
#include "heddle/schedulers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of this interface. A shared object exports the version that it was built against.
enum { HD_MECHANISM_VERSION = 16 };

// ---- declarations ----

// HD_MECHANISM(mine) = {...} defines the constant hd_mechanism, which a shared object exports. In a
// mechanism that is built into Heddle it defines mechanism_mine, which the registry names.
#ifdef HEDDLE_BUILT_IN
#define HD_MECHANISM(name) const HdMechanism mechanism_##name
#else
#define HD_MECHANISM(name)                                                                         \
    const int hd_mechanism_version = HD_MECHANISM_VERSION;                                         \
    const HdMechanism hd_mechanism
#endif

// A counter; `unit` is what it counts.
typedef struct HdCounter {
    const char *name, *unit, *description;
} HdCounter;

// A ratio of counters over all places, part / whole, for the report and the result. Each side names
// one counter, or several as in "hits + late - lost".
typedef struct HdRatio {
    const char *name, *part, *whole, *description;
} HdRatio;

// From a list
//     #define COUNTED(C) C(skipped, "lines", "Lines that were not inserted.")
// HD_COUNTERS(Counted, COUNTED) makes `struct Counted`, to which place->counters points, and
// `Counted_list` for HdMechanism.counters. Counters by a class are rows and an array at once: with
// a list USED_BY of two rows, the row
//     C##_ARRAY(used_by, 2, USED_BY)
// of COUNTED adds the rows of USED_BY, and counted->used_by[2] for the same counters.
#define HD_COUNTER_FIELD(name, unit, description) uint64_t name;
#define HD_COUNTER_FIELD_ARRAY(array, elements, ROWS)                                              \
    union {                                                                                        \
        struct { ROWS(HD_COUNTER_FIELD) };                                                         \
        uint64_t array[elements];                                                                  \
        _Static_assert(sizeof(struct { ROWS(HD_COUNTER_FIELD) }) ==                                \
                           (elements) * sizeof(uint64_t),                                          \
                       "an array of counters has a row for each element");                         \
    };
#define HD_COUNTER_ROW(name, unit, description) {#name, unit, description},
#define HD_COUNTER_ROW_ARRAY(array, elements, ROWS) ROWS(HD_COUNTER_ROW)
#define HD_COUNTERS(Type, LIST)                                                                    \
    typedef struct Type { LIST(HD_COUNTER_FIELD) } Type;                                           \
    static const HdCounter Type##_list[] = {LIST(HD_COUNTER_ROW){0}}

// From a list
//     #define ENTRY(F) F(hits, 8) F(trained, 1)
// HD_BIT_FIELDS(Entry, ENTRY) makes a struct of unsigned bit fields, each of at most 32 bits, and
// the constant Entry_bits, the sum of their widths.
#define HD_BIT_FIELD(name, bits) uint32_t name : bits;
#define HD_BIT_SUM(name, bits) +(bits)
#define HD_BIT_FIELDS(Type, LIST)                                                                  \
    typedef struct Type { LIST(HD_BIT_FIELD) } Type;                                               \
    enum { Type##_bits = 0 LIST(HD_BIT_SUM) }

// The places that have a structure. HD_EACH_CACHE: each L1 and each slice of the L2, at the levels
// where the mechanism works. HD_ONE_GPU: the GPU.
typedef enum HdEach { HD_EACH_L1, HD_EACH_L2, HD_EACH_CACHE, HD_ONE_GPU } HdEach;

// The number of entries of a structure.
typedef enum HdExtent {
    HD_FIXED,          // HdStructure.entries
    HD_BY_PARAMETER,   // the value of the parameter with index HdStructure.entries
    HD_PER_LINE,       // one for each line of the cache, indexed by HdAccess.line_index. An entry
                       // moves with its line; all entries are cleared when the cache is resized
    HD_PER_SET,        // one for each set of the cache, indexed by HdAccess.set; cleared likewise
    HD_PER_WARP,       // at an L1: one for each warp slot of the SM; cleared when a warp starts
    HD_PER_BLOCK,      // at an L1: one for each block slot of the SM; cleared when a block starts
    HD_PER_SCHEDULER,  // at an L1: one for each warp scheduler of the SM
    HD_TO_GPU,         // HdStructure.entries, of which the GPU gets a copy at the end of a quantum,
                       // and before its on_kernel_end; 0: the answer of HdMechanism.count_entries
    HD_FROM_GPU,       // likewise, which the GPU writes (HdGpuHooks)
    HD_COMPUTED,       // not of HD_EACH_CACHE: the answer of HdMechanism.count_entries
    HD_HELD,           // at an L1: what a hold point holds (HdHeld), likewise
    HD_HOLD_QUEUES,    // at an L1: its queues (HdHoldQueue), likewise
    HD_READS,          // at a slice: the reads of its engine (hd_read_line), of type HdReadEntry;
                       // their number is the parameter with index HdStructure.entries
    HD_FROM_PREVIOUS,  // at a slice: entries that the engine of the previous slice sends (hd_send);
                       // slice 0 follows the last slice; their number as of HD_READS
    HD_FROM_NEXT,      // at a slice: entries that the engine of the next slice sends
    HD_PREFETCH_QUEUE, // the queue of hd_prefetch; its length is the parameter with index `entries`
    HD_PER_KEY,        // instruments only: one for each key passed to hd_entry_for_key
} HdExtent;

typedef struct HdStructure {
    const char *name;
    HdEach each;
    uint32_t entries; // depends on `extent`: a number of entries, or the index of a parameter;
                      // not read with HD_PER_LINE, _SET, _WARP, _BLOCK and _SCHEDULER, and if
                      // count_entries gives it
    HdExtent extent;
    uint32_t bits;    // of one entry, in hardware
    size_t bytes;     // of the C type of one entry: `bits` as bit fields, rounded up
} HdStructure;

// ---- places ----

// Levels of places, as flags.
enum { HD_L1 = 1, HD_L2 = 2, HD_GPU = 4 };

// A place at which a mechanism works: an SM with its L1, a slice of the L2, or the GPU.
struct HdPlace {
    const double *parameters; // by the index of the declaration
    void *const *structures;  // by the index of the declaration; NULL: not at this level
    void *counters;           // uint64_t each, in the order of the declaration
    unsigned number, places;  // this SM or slice, from 0; how many SMs or slices there are
    unsigned level;           // HD_L1: an SM with its L1; HD_L2: a slice; HD_GPU
    unsigned levels;          // the levels at which the mechanism's cache hooks apply in this run
    size_t sets;              // of the place's cache
    uint32_t ways;            // of a set: its lines have the line_index set * ways and the next
    uint32_t line_bytes;      // of a line of the place's cache
    uint32_t sector_bytes;    // of what this cache looks up on its own: a line, or a part of it
    unsigned warp_slots, block_slots, schedulers; // of an SM; not at a slice
    unsigned sms;             // of the GPU; not at a slice
    uint64_t seed, draws;     // state of hd_draw
};

// The next random number of this place, in [0, 1). It does not depend on other mechanisms.
double hd_draw(HdPlace *place);

// Instruments only: the entry for a key (not UINT64_MAX) in a structure of extent HD_PER_KEY, by
// the structure's index in the declaration. A new entry is zeroed, and *fresh is true. NULL: out of
// memory; the run then fails.
void *hd_entry_for_key(HdPlace *place, unsigned structure, uint64_t key, bool *fresh);

// ---- decisions ----

// The answer to every question that leaves it to the next mechanism, or to the baseline.
#define HD_PASS 0

// A load misses: where do its data go?
typedef enum HdInsertion {
    HD_INSERT = 1, // into the cache; later mechanisms are not asked
    HD_TAGS_ONLY,  // the tags remember the line; the data bypass the cache
    HD_BYPASS,     // the data bypass the cache
} HdInsertion;

// Which way makes room: HD_WAY(way), with a way from 0 to HdWays.count - 1.
typedef uint32_t HdWay;
#define HD_WAY(way) ((HdWay)(way) + 1)

// A clean line is evicted from the L1D (from its victim buffer, if there is one).
typedef enum HdCleanEviction {
    HD_DROP = 1,  // discard it
    HD_SEND_BACK, // copy it back to its L2 slice. Copy-backs wait in a queue (see
                  // HdMechanism.copy_back_queue) for idle network cycles; if the queue is full, the
                  // line is discarded. The slice refuses a line that has been written since it was
                  // read; the core carries the versions that this check needs
} HdCleanEviction;

// A load of an L1D that caches the data hits in the L2: does the line stay there?
typedef enum HdAfterHit {
    HD_KEEP = 1, // the line stays
    HD_REMOVE,   // the sectors that were read leave the L2, unless they are dirty or other sectors
                 // of the line are being fetched
} HdAfterHit;

// A load stalls at an L1: what does it do?
typedef enum HdStalled {
    HD_RETRY = 1, // it waits, and is tried again after a change; later mechanisms are not asked
    HD_BYPASS_L1  // it goes to the L2 without a way, a tag and an MSHR entry, and no other access
                  // merges with it
} HdStalled;

typedef struct HdHooks {
    // Sideband bits.
    // L1: HdMechanism.request_tag_bits bits that travel with a miss of the L1D to the slice.
    uint32_t (*request_tag)(HdPlace *place, const HdAccess *miss);
    // L2: HdMechanism.reply_tag_bits bits that travel with the data of a load to its L1D. Called
    // when the data are read, after on_access or on_fill, for each sector that is looked up on its
    // own; a reply carries the latest answer.
    uint32_t (*reply_tag)(HdPlace *place, const HdAccess *load);

    // Events.
    // The cache has completed an access.
    void (*on_access)(HdPlace *place, const HdAccess *access);
    // The data of a missing sector have arrived. line_index is HD_NO_INDEX if they bypass the
    // cache; a cache that allocates on fill has a line_index only from now on. `access` is the
    // first one that waited. If only stores waited, kind is HD_STORE, pc HD_NO_PC and allocation
    // HD_NO_ALLOCATION; likewise for a prefetch of this cache, with kind HD_PREFETCH.
    void (*on_fill)(HdPlace *place, const HdAccess *access);
    // A line has got a way: at `line_index`, where its entries of extent HD_PER_LINE are new.
    // `access` is the access or, if the cache allocates on fill, the fill for which it did, as
    // on_access or on_fill reports it next. kind HD_PREFETCH: a prefetch of this cache, of which
    // line, line_index, set, cycle and sm are valid.
    void (*on_insert)(HdPlace *place, const HdAccess *access);
    // The line of this way leaves its full set, chosen by any mechanism's decide_victim or by the
    // cache's `replacement`. Its entries of extent HD_PER_LINE are still there.
    void (*on_replace)(HdPlace *place, const HdWays *ways, uint32_t way);
    // A line is replaced. With a victim buffer: it leaves the buffer.
    void (*on_evict)(HdPlace *place, const HdEviction *eviction);
    // A line leaves without being replaced: a store or a mechanism invalidates it, or the cache is
    // invalidated between kernels.
    void (*on_invalidate)(HdPlace *place, const HdEviction *line);
    // A kernel ends, and this line is resident. Called before on_kernel_end.
    void (*on_kernel_end_line)(HdPlace *place, const HdEviction *line);
    void (*on_kernel_begin)(HdPlace *place, const HdKernel *kernel);
    void (*on_kernel_end)(HdPlace *place, const HdKernel *kernel);
    // A period has ended; requires a parameter `period`. An SM calls it in the first cycle of the
    // next period, before all other hooks. A slice calls it before its next other hook.
    void (*on_period)(HdPlace *place, const HdPeriods *ended);

    // The host program calls the mechanism by its name, between kernels. Returns NULL, or why it
    // refuses the call, as "expected ...": the host's hd_call then fails with this text. A refused
    // call must not change state. All SMs are called, then all slices, then the GPU, until a place
    // refuses.
    const char *(*on_call)(HdPlace *place, const HdCall *call);
    // The host has released the allocation of these guest addresses, between kernels.
    void (*on_release)(HdPlace *place, uint64_t address, uint64_t bytes);

    // What hd_prefetch_tagged asked for is there. At an L1, data that a look-up has found there
    // come after the latency of a hit.
    void (*on_prefetch)(HdPlace *place, const HdPrefetched *prefetched);

    // Decisions. Each question has one decider per level, unless `a>b` orders several: b is asked
    // if a passes.
    // Where the data of a load miss go. `room` is what the set has for the line; a cache that
    // allocates on fill says it as if the data arrived now. The question is asked again if the miss
    // stalls and is retried, so answering must not change state. It is not asked for a missing
    // sector of a line that has a way with other sectors. At a slice it is also asked for
    // prefetches of L1s (kind HD_PREFETCH), and for copy-backs (kind HD_COPY_BACK, sm: the sender):
    // HD_PASS and HD_INSERT accept the line, other answers refuse it; on_fill follows for an
    // accepted line.
    HdInsertion (*decide_insert)(HdPlace *place, const HdAccess *miss, const HdRoom *room);
    // Which line of a full set makes room for a new one: a way that is not reserved, of which there
    // is one at least. Another way ends the run with an error. HD_PASS: by the cache's
    // `replacement`. Asked before decide_insert, and again if the access stalls and is retried, so
    // answering must not change state; on_replace follows when the line leaves. Not asked if a way
    // is free, or if all wait for data.
    HdWay (*decide_victim)(HdPlace *place, const HdWays *ways);
    // Which 32-byte sectors of the line a load or atomic that misses fetches, as a mask; bit 0: the
    // first sector. Asked after the other questions, and neither if the access stalls nor if its
    // data bypass the cache. HD_PASS: the whole line. Sectors that the access touches are always
    // fetched; sectors that are present or pending (`have`) never are. A cache at which this is
    // decided is sectored. If the L1 is, the L2 is too, and the L2 fetches what it is asked for
    // unless it has a decider of its own.
    uint8_t (*decide_fetch)(HdPlace *place, const HdAccess *miss, uint8_t have);
    // L1 only: a load stalls of which no data are here, and the miss queue has room for a request.
    // Asked each time that the load is tried and stalls: after a change, and after other accesses
    // of a hold point, not in each cycle. HD_PASS: it waits.
    HdStalled (*decide_stall)(HdPlace *place, const HdAccess *load, HdStallReason reason);
    HdCleanEviction (*decide_clean_eviction)(HdPlace *place, const HdEviction *line); // L1 only
    HdAfterHit (*decide_after_hit)(HdPlace *place, const HdAccess *hit);              // L2 only
} HdHooks;

// ---- the pipeline of an SM ----

// The work of an SM in this launch, or of the warp that is in a slot since it started. An
// instruction is committed when its last result is written; without results, when it issues.
typedef struct HdWork {
    uint64_t issued, committed;                 // warp instructions
    uint64_t issued_threads, committed_threads; // the same, times their active lanes
    uint64_t stalled; // of an SM: issue slots in which a scheduler's warps issued nothing; of a
                      // warp: cycles in which it issued nothing
} HdWork;

// The most lanes of a warp.
enum { HD_LANES = 32 };

// A load, store, atomic or reduction of global or local memory, or an access to a surface, that a
// warp issues. Where warps issue together (core.paired, scalar.mode) it is the access of all of
// them: the lanes are those of their group, the warp and its block are the first ones.
typedef struct HdMemoryInstruction {
    uint64_t cycle;            // core cycles
    const uint64_t *addresses; // [HD_LANES]: of each lane in `lanes`, as caches know it; aligned to
                               // the size of what the lane accesses
    uint32_t lanes;            // active lanes
    uint32_t pc;               // as HdAccess.pc
    uint32_t block;            // number of the block in the grid, lower 32 bits
    uint16_t warp_slot, block_slot; // on the SM
    uint16_t warp;             // number of the warp in its block
    uint16_t accesses;         // that it makes, to lines or sectors
    uint16_t allocation;       // of the first lane; HD_NO_ALLOCATION: none
    uint8_t kind;              // HdKind: HD_LOAD, HD_STORE or HD_ATOMIC
    uint8_t bytes;             // bytes that each lane accesses, beginning at its address. In local
                               // memory, bytes beyond 4 lie in further rows, of 4 for each lane
    bool bypasses_l1;          // its accesses do not use the L1D
    bool injected;             // a micro-op of a mechanism (hd_inject)
} HdMemoryInstruction;

// A queue of the hold point as an answer.
typedef uint32_t HdQueue;
#define HD_QUEUE(number) ((HdQueue)(number) + 1)

// A spare register as the answer to decide_move.
typedef uint32_t HdSpare;
#define HD_SPARE(number) ((HdSpare)(number) + 1)

// The end of a quantum, the time that SMs run without news of each other. Its length is the
// machine's.
typedef struct HdQuantum {
    uint64_t cycle;       // core cycles: its end
    unsigned sms, slices; // how many there are
} HdQuantum;

// Hooks of an SM's pipeline; they work at the places of the L1s.
typedef struct HdCoreHooks {
    // Events.
    // A memory instruction issues. Its accesses reach the L1D later, in their order (on_access).
    void (*on_memory_issue)(HdPlace *place, const HdMemoryInstruction *instruction);
    // A memory instruction of on_memory_issue, micro-ops among them, or an instruction of an engine
    // is done. Called once for each: in the cycle in which its registers are written, if it has
    // any, before all instructions that wait for them, and before on_warp_end. Not called in
    // functional launches.
    void (*on_memory_done)(HdPlace *place, const HdMemoryDone *done);
    void (*on_block_start)(HdPlace *place, const HdBlock *block);
    void (*on_block_end)(HdPlace *place, const HdBlock *block);
    void (*on_warp_start)(HdPlace *place, const HdWarp *warp);
    // All instructions of the warp have finished.
    void (*on_warp_end)(HdPlace *place, const HdWarp *warp);
    // An instruction of the program issues. hd_inject puts micro-ops behind it.
    void (*on_issue)(HdPlace *place, const HdIssued *issued);
    // A quantum ends, before the GPU gets its copies of the words. Requires .gpu.on_quantum.
    void (*on_quantum)(HdPlace *place, const HdQuantum *quantum);
    // The cycle of an hd_wake. Called before all other hooks of that cycle but on_period.
    void (*on_wake)(HdPlace *place, uint64_t cycle);

    // Decisions, ordered as the decisions of HdHooks.
    // At the start of a kernel, and at the end of the quantum of an hd_reconsider: how many blocks
    // the SM may hold at a time, from 1 to `fit`, the number that fits its resources. HD_PASS:
    // `fit`. Blocks that are there when the limit falls run to their end.
    uint32_t (*decide_block_limit)(HdPlace *place, const HdKernel *kernel, uint32_t fit);
    // Which warps may issue. Called when a warp starts, ends, reaches or leaves a barrier, after
    // hd_reconsider, and at the cycle of the last `ask_at`; not in between. Called before the SM
    // issues in a cycle; when warps leave a barrier or wake, at once, because they may be able to
    // issue in the same cycle. It may then be called several times in a cycle; to warps that were
    // ready before, an answer during the issue applies from the next cycle on. false: passes, and
    // only `ask_at` counts. No call is repeated, so answering may change the mechanism's
    // structures.
    bool (*decide_issuable)(HdPlace *place, const HdWarps *warps, HdIssuable *issuable);
    // In which order the schedulers of the SM try their ready warps, in place of core.policy.
    // Called before the SM issues in a cycle: after a warp has started, ended, reached or left a
    // barrier, after hd_reconsider, and at the cycle of the last `ask_at`; not in between. false:
    // passes, and only `ask_at` counts; core.policy orders, if no other mechanism does. No call is
    // repeated, so answering may change the mechanism's structures. Not called in functional
    // launches.
    bool (*decide_order)(HdPlace *place, const HdWarps *warps, HdOrder *order);
    // Which warp a scheduler tries now: HD_WARP(slot), one of turn->candidates. Another one ends
    // the run with an error, and so does HD_ISSUE_NONE in HD_MOST_IDLE_TURNS answers of a scheduler
    // in a row. HD_PASS: by decide_order or core.policy. Called in each turn in which a warp of the
    // scheduler is ready or drops instructions behind a taken branch; also without a candidate,
    // and then any answer issues nothing. Called again in the turn if the warp could not issue
    // after all: it is then no candidate. With core.paired first about the pairs that can issue,
    // of which the candidate is the even warp, then about all warps. With frontend.flush=scheduler,
    // decide_order or core.policy says which warps were tried before. With core.issue=2 a warp
    // issues its second instruction of the cycle unasked. Costs host time in each turn.
    HdChoice (*decide_warp)(HdPlace *place, const HdTurn *turn);
    // Which spare register the warp's next instruction, a load, is moved from: HD_SPARE(number).
    // Asked after on_issue of the instruction before it, so answering must not change state.
    // HD_PASS: the load runs. It also runs if the spare register lacks one of its lanes, or has
    // data from another address in one; on_issue then says so.
    HdSpare (*decide_move)(HdPlace *place, uint16_t warp_slot, const HdInstruction *load);
    // The hold point between load/store unit and L1D, which one mechanism of a run may own by both
    // hooks. An access that would be looked up in this cycle joins a queue instead, and can be
    // looked up in the next one. The accesses of a queue are looked up in their order. A barrier or
    // fence waits until the warp's accesses have been looked up.
    // Into which queue does the access go: HD_QUEUE(number). HD_PASS: into none yet; it waits, and
    // those behind it, until an access has left a queue; so the answer to the first access must not
    // be HD_PASS. Not asked if nothing more can be held.
    HdQueue (*decide_queue)(HdPlace *place, const HdAccess *access, const HdQueues *queues);
    // From which queue, one that holds an access, does the L1D take the next: HD_QUEUE(number).
    // HD_PASS: from the first of them. Asked after each access that has come or left. An access
    // that stalls stays in its queue. Answering must not change state.
    HdQueue (*decide_next)(HdPlace *place, const HdQueues *queues);
} HdCoreHooks;

// ---- the GPU ----

// Hooks of the one place that sees several SMs and slices: its structures have HD_ONE_GPU.
//
// SMs and slices exchange words with it: structures with the extents HD_TO_GPU and HD_FROM_GPU at
// their places. At the end of each quantum the place of the GPU gets a copy of each entry of
// HD_TO_GPU. What it writes into HD_FROM_GPU comes to the places at the end of the next quantum.
// hd_exchanged gives it both.
typedef struct HdGpuHooks {
    void (*on_kernel_begin)(HdPlace *gpu, const HdKernel *kernel);
    void (*on_kernel_end)(HdPlace *gpu, const HdKernel *kernel);
    void (*on_quantum)(HdPlace *gpu, const HdQuantum *quantum); // during kernels
    const char *(*on_call)(HdPlace *gpu, const HdCall *call);             // as in HdHooks
    void (*on_release)(HdPlace *gpu, uint64_t address, uint64_t bytes); // likewise
} HdGpuHooks;

// At the GPU: the entries of an SM (HD_L1) or slice (HD_L2) in a structure of extent HD_TO_GPU, to
// read, or HD_FROM_GPU, to write; by the structure's index in the declaration. NULL: there is no
// such structure at that level, or no such SM or slice.
void *hd_exchanged(HdPlace *gpu, unsigned structure, unsigned level, unsigned number);

// At the GPU, during a kernel or in on_kernel_end: adds a row to the mechanism's table in the
// result: the kernel, the number of its launch, and a value for each of HdMechanism.columns.
void hd_report(HdPlace *gpu, const uint64_t *values);

// ---- actions ----

// At an SM, of a mechanism with reads_work: the work of the SM, and of the warp in a slot.
HdWork hd_work_of_sm(const HdPlace *place);
HdWork hd_work_of_warp(const HdPlace *place, unsigned slot);

// At an SM, of a mechanism with on_issue. hd_instruction: a static instruction of the kernel that
// runs; NULL: the kernel has no such instruction. hd_loop: the loop of an instruction; false: it is
// in no innermost loop. hd_register: the values of a register of a warp now, by lane, as
// HdIssued.sources; NULL: it is none.
const HdInstruction *hd_instruction(const HdPlace *place, uint32_t pc);
bool hd_loop(const HdPlace *place, uint32_t pc, HdLoop *loop);
const void *hd_register(const HdPlace *place, unsigned warp_slot, HdOperand operand);

// To be called from on_issue: the warp issues this micro-op before its next instruction, behind
// those that were injected before. It is not fetched. Otherwise it takes what an instruction of its
// kind takes: an issue slot, a place at a port, operands from the register banks, a unit or the
// load/store unit. It waits for its registers by the scoreboard. A lane whose address is in no
// allocation does not load, and the spare register lacks it. Warp and thread instructions and IPC
// leave micro-ops out: the counter `injected` has them. Issue slots, operands and memory accesses
// are counted for both. false: the warp's queue is full, and nothing is injected.
bool hd_inject(HdPlace *place, const HdIssued *behind, const HdMicroOp *op);

// The lanes for which a spare register of the warp has a value, or waits for the load of one.
// Micro-ops that have not issued count from their issue on.
uint32_t hd_spare_lanes(const HdPlace *place, unsigned warp_slot, unsigned number);

// Has decide_issuable, decide_order and decide_block_limit asked again: at an SM for itself; at the
// GPU for all SMs, after they have got the words that it has written; at a slice without effect. An
// SM asks again in the same cycle where on_period calls this.
void hd_reconsider(HdPlace *place);

// At an SM: has on_wake called in a later core cycle. Of several cycles the earliest counts, and
// the others are forgotten. It does not keep a kernel running, and a kernel's end cancels it.
void hd_wake(HdPlace *place, uint64_t cycle);

// Prefetches the line of a guest address into the cache of the place, sector by sector. To be
// called from on_access, on_fill, on_evict, on_period, on_prefetch, on_memory_issue and on_wake.
// The line waits in the mechanism's prefetch queue, a structure at the levels that prefetch:
//     {"prefetch queue", HD_EACH_CACHE, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits,
//      sizeof(HdPrefetch)}
// where QUEUE is the index of the parameter with the queue's length in lines. Without a queue the
// call has no effect. The cache looks up one sector of the queue's head in each cycle in which no
// access uses the tags. A sector that is neither present nor pending takes the path of a load miss:
// it needs an MSHR entry, a miss-queue entry and a line. Where a load would stall, it is dropped or
// waits, and where the queue is full, the newest or the oldest line is dropped
// (HdMechanism.prefetch). A prefetch is also dropped if the address lies in no allocation or, at an
// L2, belongs to another slice, when a kernel ends, and by rules of the machine for busy times
// (docs/machines.md, "Prefetches after demand requests"): if it is dropped on its way, the line for
// which on_insert was called leaves with on_invalidate. From the quantum after a kernel's last
// block on, the call has no effect; it returns whether it has one. The cache of the place calls
// neither on_access nor decide_insert nor decide_fetch for its prefetch; it calls on_insert and
// on_fill, and decide_victim, on_replace, on_evict and decide_clean_eviction for a line that makes
// room. To the L2, a prefetch that misses in the L1 is an access of kind HD_PREFETCH, with the
// hooks of a load. The result counts the fate of every prefetch (docs/mechanisms.md).
bool hd_prefetch(HdPlace *place, uint64_t address);

// The same with a tag and a warp slot that come back: on_prefetch is called for each sector that is
// looked up, after its data are there; not for one that is dropped. Of `tag`, the lower
// HdMechanism.prefetch.tag_bits bits are kept: in the queue, whose entries then are
// HdTaggedPrefetch, and in an MSHR entry. An entry keeps `tags` of them for each mechanism: a
// further one for the same data on their way finds no room, and with HD_WAIT blocks the queue until
// they arrive. on_prefetch requires tag_bits. With into_l2 it is called at the slice.
bool hd_prefetch_tagged(HdPlace *place, uint64_t address, uint32_t tag, uint16_t warp_slot);

// What happens where a prefetch queue is full, and where a load would stall.
typedef enum HdWhenFull { HD_DROP_NEWEST, HD_DROP_OLDEST } HdWhenFull;
typedef enum HdNoRoom {
    HD_DROP_SECTOR,
    HD_WAIT // the queue's head stays until there is room
} HdNoRoom;

// How a mechanism prefetches.
typedef struct HdPrefetching {
    HdWhenFull when_full;
    HdNoRoom no_room;
    unsigned tag_bits; // of hd_prefetch_tagged, at most 32
    unsigned tags;     // that each MSHR entry keeps, at most 32; 0: one
    bool into_l2;      // prefetches of an L1's place go into the L2 alone: each leaves as a packet
                       // without data, needs a miss-queue entry, and joins the queue of its slice
} HdPrefetching;

// An entry of a prefetch queue: the line's address in units of 32 bytes, and the next sector to
// look up.
#define HD_PREFETCH_FIELDS(F) F(used, 1) F(sector, 3) F(high, 11) F(low, 32)
HD_BIT_FIELDS(HdPrefetch, HD_PREFETCH_FIELDS);
// The same with a tag; in hardware HD_TAGGED_PREFETCH_BITS(tag_bits) bits.
#define HD_TAGGED_PREFETCH_FIELDS(F) HD_PREFETCH_FIELDS(F) F(warp_slot, 9) F(tag, 32)
HD_BIT_FIELDS(HdTaggedPrefetch, HD_TAGGED_PREFETCH_FIELDS);
#define HD_TAGGED_PREFETCH_BITS(tag_bits) (HdTaggedPrefetch_bits - 32 + (tag_bits))

// ---- the mechanism ----

typedef struct HdMechanism {
    const char *name;        // as in --mechanism
    const char *description; // one sentence
    const char *paper;       // paper and section
    const HdParameter *parameters; // each list ends with a NULL name; NULL: none
    const HdCounter *counters;
    const HdRatio *ratios;
    const HdCounter *columns; // the columns of the table that hd_report fills
    const HdStructure *structures;
    // The number of entries of a structure of extent HD_COMPUTED, HD_HELD or HD_HOLD_QUEUES, by its
    // index. Of `place` the parameters, number, level and slots are set (at a slice no slots). 0:
    // the run has no such structure. Also of words exchanged with the GPU whose `entries` are 0:
    // then it depends on the parameters alone.
    uint32_t (*count_entries)(const HdPlace *place, unsigned structure);
    // Sets the fields of a new entry of a structure, by its index, that do not start as zeros. An
    // entry of a line is new when its line is. Not called for queues and entries by key. Of `place`
    // the parameters, number, level and levels are set; of the GPU for what hd_exchanged returns.
    // NULL: all entries are zeros.
    void (*start_entry)(const HdPlace *place, unsigned structure, void *entry);
    HdHooks l1, l2;
    HdCoreHooks core;
    HdGpuHooks gpu;
    HdEngineHooks engine;
    const HdEngineInstruction *instructions; // of its engines
    HdPrefetching prefetch;
    bool reads_work;   // it calls hd_work_of_sm or hd_work_of_warp
    bool injects;      // it calls hd_inject. Requires core.divergence=stack
    // With injects: the index of the parameter with the most spare registers of a thread that it
    // uses. HdKernel.spare_registers is at most that many.
    unsigned spare_registers;
    // With injects: whether micro-ops load for a cache rather than for spare registers, with these
    // values of the parameters. The cache of their loads (ld.global.nc) is then required. NULL: no.
    bool (*loads_into_cache)(const double *parameters);
    bool reads_values; // of HdAccess and HdPrefetched. A cache has these bytes, so this costs no
                       // storage
    // The bits of each load's and atomic's request that the mechanism reads at a slice beyond
    // address, kind and SM: of pc, allocation, warp, warp_slot, lanes, block and inserted_in_l1 of
    // HdAccess. Packets grow by them. 0: these fields are empty there; of stores they always are.
    unsigned request_field_bits;
    // Widths of request_tag and reply_tag; at most 32 in all mechanisms of a run.
    // Packets grow by them.
    unsigned request_tag_bits, reply_tag_bits;
    // With l1.decide_clean_eviction: the index of the parameter with the length of an SM's queue of
    // copy-backs, in lines.
    unsigned copy_back_queue;
    // Where the cache hooks apply: HD_L1, HD_L2 or HD_L1 | HD_L2. 0: as the parameter `levels`
    // says, whose choices are among "l1", "l2" and "l1,l2"; without such a parameter, wherever
    // there are hooks. Hooks of .core and .gpu do not depend on it.
    unsigned levels;
    // A measuring instrument: it decides nothing, and its structures are not hardware and add
    // nothing to the storage cost.
    bool instrument;
    // Checks combinations of parameters: NULL if they are valid, else the reason. May be NULL.
    const char *(*check)(const double *parameters);
} HdMechanism;

#endif
