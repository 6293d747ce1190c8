// How a mechanism is written: what it declares, what it sees, what it is asked, what it may do.
//
// A mechanism is one constant of type HdMechanism. It has no memory of its own: everything that it
// remembers lies in structures that it declares with their widths in bits, which is what they cost
// in hardware. Heddle allocates them, one set for each place where the mechanism works (an SM with
// its L1, an L2 slice), and hands them to every hook.
//
//     #define ENTRY(F) F(hits, 8) F(trained, 1)
//     HD_BIT_FIELDS(Entry, ENTRY);              // a struct of bit fields, and Entry_bits, 9
//
//     static void served(HdSite *site, const HdAccess *access)
//     {
//         Entry *table = site->structures[0];
//         if (access->outcome == HD_HIT) table[access->pc % 64].hits++;
//     }
//     HD_MECHANISM(mine) = {
//         .name = "mine", .does = "Counts hits by instruction.", .paper = "none",
//         .structures = (const HdStructure[]){
//             {"table", HD_EACH_L1, 64, HD_FIXED, Entry_bits, sizeof(Entry)}, {0}},
//         .l1 = {.served = served},
//         .levels = -1,
//     };
//
// docs/write-a-mechanism.md goes through a whole one, and how it is built, run and added.
//
// Hooks of an SM run beside those of other SMs, those of a slice beside those of other slices: a
// hook touches its own site only. They must do the same whenever they see the same: random numbers
// come from hd_draw.
#ifndef HEDDLE_MECHANISM_H
#define HEDDLE_MECHANISM_H

#include "heddle/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a shared object exports, and what it was built against.
enum { HD_MECHANISM_VERSION = 5 };

// ---- what it declares ----

// HD_MECHANISM(mine) = {...}: the constant hd_mechanism that a shared object exports; built into
// Heddle, mechanism_mine, which its registry names.
#ifdef HEDDLE_BUILT_IN
#define HD_MECHANISM(name) const HdMechanism mechanism_##name
#else
#define HD_MECHANISM(name)                                                                         \
    const int hd_mechanism_version = HD_MECHANISM_VERSION;                                         \
    const HdMechanism hd_mechanism
#endif

// A parameter: a number from `least` to `most`, `whole` or not, or the number of one of `choices`
// (ends with NULL). Given by --mechanism name:key=value, else `standard`, the paper's.
typedef struct HdParameter {
    const char *name, *unit, *does;
    double standard, least, most;
    bool whole;
    const char *const *choices;
} HdParameter;

// A counter; `unit` is what it counts.
typedef struct HdCounter {
    const char *name, *unit, *does;
} HdCounter;

// From a list
//     #define COUNTED(C) C(skipped, "lines", "Lines that were not inserted.")
// HD_COUNTERS(Counted, COUNTED) makes `struct Counted`, to which site->counters points, and
// `Counted_list` for HdMechanism.counters.
#define HD_COUNTER_FIELD(name, unit, does) uint64_t name;
#define HD_COUNTER_ROW(name, unit, does) {#name, unit, does},
#define HD_COUNTERS(Type, LIST)                                                                    \
    typedef struct Type { LIST(HD_COUNTER_FIELD) } Type;                                           \
    static const HdCounter Type##_list[] = {LIST(HD_COUNTER_ROW){0}}

// From a list
//     #define ENTRY(F) F(hits, 8) F(trained, 1)
// HD_BIT_FIELDS(Entry, ENTRY) makes a struct of unsigned bit fields, of 32 bits at most each, and
// Entry_bits, their sum.
#define HD_BIT_FIELD(name, bits) uint32_t name : bits;
#define HD_BIT_SUM(name, bits) +(bits)
#define HD_BIT_FIELDS(Type, LIST)                                                                  \
    typedef struct Type { LIST(HD_BIT_FIELD) } Type;                                               \
    enum { Type##_bits = 0 LIST(HD_BIT_SUM) }

// Where a structure is: one for each of them. HD_EACH_CACHE: for each L1 and for each slice of the
// L2, at the levels where the mechanism has hooks.
typedef enum HdEach { HD_EACH_L1, HD_EACH_L2, HD_EACH_CACHE } HdEach;
// How many entries it has: a number, that of a parameter (by its index), or one for each line of
// the cache (at HdAccess.slot, and it moves with the line), or for each set (at HdAccess.set).
// These two begin anew where the cache changes its size. HD_PREFETCHES: the queue of hd_prefetch,
// see there. HD_REMEMBERED, of an instrument only: as many as hd_remember makes.
typedef enum HdExtent {
    HD_FIXED, HD_BY_PARAMETER, HD_PER_LINE, HD_PER_SET, HD_PREFETCHES, HD_REMEMBERED
} HdExtent;

typedef struct HdStructure {
    const char *name;
    HdEach each;
    uint32_t entries;  // HD_FIXED: how many; HD_BY_PARAMETER, HD_PREFETCHES: of which parameter
    HdExtent extent;
    uint32_t bits;     // of an entry, in hardware
    size_t bytes;      // of the C type that holds an entry: what its bits need as bit fields
} HdStructure;

// ---- where it works ----

// One place: an SM with its L1, or a slice of the L2.
typedef struct HdSite {
    const double *parameters; // by the index of the declaration
    void *const *structures;  // by the index of the declaration; NULL: not at this kind of place
    void *counters;           // uint64_t each, in the order of the declaration
    unsigned number, places;  // of the SM or the slice; how many of them there are
    size_t sets;              // of its cache
    uint32_t line;            // bytes of a line of its cache
    uint64_t seed, draws;     // of hd_draw
} HdSite;

// The next random number of this site, from 0 to below 1: whatever other mechanisms are on.
double hd_draw(HdSite *site);

// An instrument's entry of a key (not UINT64_MAX) in a structure HD_REMEMBERED, by the index of the
// declaration: all 0 where there was none (*fresh). NULL: memory is out, and the run will fail.
void *hd_remember(HdSite *site, unsigned structure, uint64_t key, bool *fresh);

// ---- what it sees ----

typedef enum HdOutcome { HD_HIT, HD_MERGED, HD_MISS } HdOutcome;
// HD_COPY_BACK: a line that has left an L1D comes to its slice (HdHooks.leaves; of no instruction).
// HD_PREFETCH: at an L2, what a mechanism at an L1 prefetches; otherwise as a load.
typedef enum HdKind { HD_LOAD, HD_STORE, HD_ATOMIC, HD_COPY_BACK, HD_PREFETCH } HdKind;
// The cache of the SM that an access is for; HD_L1D: what goes past it too.
typedef enum HdFrom { HD_L1D, HD_L1I, HD_L1C, HD_L1R } HdFrom;
enum { HD_NO_ARRAY = UINT16_MAX };
#define HD_NO_SLOT UINT32_MAX
#define HD_NO_PC UINT32_MAX
#define HD_NO_LINE UINT64_MAX

// An access that a cache has served; before that, one that misses; and one whose data have come.
typedef struct HdAccess {
    uint64_t line;    // address of the line that it falls into
    uint64_t leaves;  // where `fill` is not HD_PASS: the line that had, or would have had, to leave
                      // for its data; HD_NO_LINE: none
    uint64_t cycle;   // of the core clock at an L1, of the L2's at a slice
    uint32_t pc;      // static instruction number, the same for all launches; HD_NO_PC: none
    uint32_t slot;    // of the line (HD_PER_LINE); HD_NO_SLOT: it is not in the cache
    uint32_t set;     // of the cache, into which the line falls (HD_PER_SET)
    uint16_t array;   // number of the allocation, HD_NO_ARRAY: none
    uint16_t sm;      // whose access it is
    uint16_t warp;    // ... its number in the block
    uint32_t lanes;   // ... those that touch the line; 0: no warp makes it (instructions, lines
                      // that are written or copied back, prefetches)
    uint32_t block;   // ... its number in the grid, the lower 32 bits
    uint32_t launch;  // ... from 1 on
    uint8_t sector;   // number of its sector in the line
    uint8_t wanted;   // the parts of 32 bytes that it touches, bit 0: the line's first 32 bytes
    uint8_t from;     // HdFrom
    uint8_t kind;     // HdKind
    uint8_t outcome;  // HdOutcome
    uint8_t fill;     // where its data go, a HdFill; HD_PASS: nobody was asked
    bool keeps;       // at a slice: the L1D that asks keeps the data (they do not go past it)
    bool tag_hit;     // a miss whose data went past before (HD_TAGS_ONLY), and would be here now
    uint32_t note;    // at a slice: what this mechanism's `asks` has put into the request; where
                      // data have come to an L1: what its `answers` has put into the reply
} HdAccess;

// Whether `pc` is the instruction whose data these are, as of loads and atomics: not in fetches for
// stores, prefetches, and what caches of instructions and constants load.
static inline bool hd_by_instruction(const HdAccess *access)
{
    return access->pc != HD_NO_PC && access->from != HD_L1I && access->from != HD_L1C;
}

// A line that leaves a cache, or stays in it.
typedef struct HdEviction {
    uint64_t line;
    uint32_t slot, set; // as in HdAccess
    uint8_t used; // HdAccess.wanted of all accesses to it, that of the one that brought it included
    bool dirty, tags_only;
} HdEviction;

// A kernel begins or ends.
typedef struct HdKernel {
    const char *name;
} HdKernel;

// A block of an SM, and one of its warps. A slot is a place on the SM: the next one gets it when
// this one has gone. So long as it is there, of two the one with the smaller age came first.
typedef struct HdBlock {
    uint64_t number; // in the grid
    uint64_t cycle;  // of the core clock
    uint32_t slot, warps;
} HdBlock;
typedef struct HdWarp {
    uint64_t age;
    uint16_t slot, scheduler;
    uint16_t block; // its block's slot
    uint16_t index; // its number in the block
} HdWarp;

// ---- what it is asked ----

// A load misses: where do its data go? `leaves` is what would have to leave for them; NULL:
// nothing. A cache that chooses lines on a fill tells what it would be if the data came now. Asked
// again where the miss is refused and tried again, so that the answer must not change anything.
typedef enum HdFill {
    HD_PASS,      // as without this mechanism
    HD_INSERT,    // into the cache, whatever a later one would say
    HD_TAGS_ONLY, // the tags remember the line, the data go past
    HD_BYPASS,    // past the cache
} HdFill;

// A load or atomic misses, and its data go into the cache: which parts of 32 bytes of the line are
// fetched (bit 0: the first)? What it needs itself is in any case, what is here or on its way
// (`have`) is not. Where this is decided at the L1, both levels keep lines by such parts, and the
// L2 fetches those that it is asked for, unless it is decided there too.
#define HD_PASS_PARTS UINT8_MAX // as without this mechanism: the whole line

// A clean line leaves the L1D, behind the victim buffer where there is one, to make room.
typedef enum HdLeaving {
    HD_LEAVING_PASS, // as without this mechanism
    HD_DROP,         // it is gone
    HD_SEND_BACK,    // it goes back to its slice of the L2. Copy-backs wait in a queue (see
                     // HdMechanism.queue) for what the network has left over; where the queue is
                     // full, the line is dropped. The slice refuses a line that somebody has
                     // written since it was read: the core knows, and carries what that needs
} HdLeaving;

// A load of an L1D that keeps the data has found them in the L2: does the line stay?
typedef enum HdAfterHit {
    HD_AFTER_PASS, // as without this mechanism
    HD_KEEP,       // it stays
    HD_LEAVE,      // what the load has read leaves the L2; not what is dirty, and not in the midst
                   // of other sectors' coming
} HdAfterHit;

typedef struct HdHooks {
    // say
    // Of the L1: HdMechanism.request_bits bits that go down with a miss of the L1D.
    uint32_t (*asks)(HdSite *site, const HdAccess *miss);
    // Of the L2: HdMechanism.reply_bits bits that go back to an L1D with the data of a load, as
    // they are read (with several sectors: those of the last). It knows what `served` has just
    // changed.
    uint32_t (*answers)(HdSite *site, const HdAccess *load);
    // see
    void (*served)(HdSite *site, const HdAccess *access);
    // The data of a sector that missed have come: into the cache, or (slot is HD_NO_SLOT) past it.
    // A cache that allocates on a fill has the line's slot only now. `access` is the first that
    // waited; where only a store did, kind is HD_STORE, pc HD_NO_PC and array HD_NO_ARRAY; for a
    // prefetch of this cache likewise, and kind is HD_PREFETCH.
    void (*filled)(HdSite *site, const HdAccess *access);
    void (*evicted)(HdSite *site, const HdEviction *eviction);
    // A line leaves, not to make room: a store or a mechanism has it given up, or the cache is
    // emptied between kernels.
    void (*dropped)(HdSite *site, const HdEviction *line);
    // A kernel ends, and this line is in the cache; told before kernel_ends.
    void (*stays)(HdSite *site, const HdEviction *line);
    void (*kernel_begins)(HdSite *site, const HdKernel *kernel);
    void (*kernel_ends)(HdSite *site, const HdKernel *kernel);
    // decide: one mechanism for each question and level, unless they are ordered (a>b: b is asked
    // where a passes)
    // At a slice it is also asked about lines that were copied back (kind HD_COPY_BACK; sm: by
    // which): HD_PASS and HD_INSERT let them in, the others do not. Those that get in are `filled`.
    HdFill (*fill)(HdSite *site, const HdAccess *miss, const HdEviction *leaves);
    uint8_t (*fetch)(HdSite *site, const HdAccess *miss, uint8_t have);
    HdLeaving (*leaves)(HdSite *site, const HdEviction *line);      // of the L1
    HdAfterHit (*after_hit)(HdSite *site, const HdAccess *hit);     // of the L2
} HdHooks;

// ---- the pipeline of an SM ----

// A set of an SM's warps, a bit for each slot.
enum { HD_MOST_WARPS = 512 };
typedef struct HdWarpSet {
    uint64_t word[HD_MOST_WARPS / 64];
} HdWarpSet;
static inline void hd_warps_add(HdWarpSet *set, unsigned slot)
{
    set->word[slot / 64] |= UINT64_C(1) << slot % 64;
}
static inline bool hd_warps_have(const HdWarpSet *set, unsigned slot)
{
    return set->word[slot / 64] >> slot % 64 & 1;
}

// The warps that could be held back, the oldest first: those at a barrier, asleep or at their end
// are not among them, so that whoever lets one of each scheduler issue lets all get to a barrier.
typedef struct HdWarps {
    const HdWarp *warps;
    unsigned count, schedulers;
    uint64_t cycle;     // of the core clock
    uint64_t committed; // warp instructions that this SM has finished in this launch
} HdWarps;

// Which of them may issue: loads (of global and local memory, which the L1 serves), anything. A
// barrier is never held back. `again`: the cycle in which to ask again at the latest.
typedef struct HdAllowed {
    HdWarpSet loads, anything; // a load needs both; empty when asked
    uint64_t again;            // UINT64_MAX when asked: not before something changes
} HdAllowed;

// They belong to the same sites as the hooks of the L1, wherever those apply.
typedef struct HdCoreHooks {
    // see
    void (*block_starts)(HdSite *site, const HdBlock *block);
    void (*block_ends)(HdSite *site, const HdBlock *block);
    void (*warp_starts)(HdSite *site, const HdWarp *warp);
    void (*warp_ends)(HdSite *site, const HdWarp *warp); // and all that it issued has finished
    // decide, as above
    // As a kernel begins: of how many blocks may the SM hold at the same time, at least 1 and at
    // most `fit`, for which it has room? 0: passes.
    uint32_t (*blocks)(HdSite *site, const HdKernel *kernel, uint32_t fit);
    // Which warps may issue? Asked when a warp has come or gone, has reached or left a barrier, and
    // at the time named last; not in between. false: passes, and of `allowed` only `again` counts.
    bool (*allow)(HdSite *site, const HdWarps *warps, HdAllowed *allowed);
} HdCoreHooks;

// ---- what it may do ----

// Prefetches: brings the line of this guest address, sector by sector, into the cache of the site.
// To be called from `served`, `filled` and `evicted`. It waits in the mechanism's queue, which is
// declared as a structure of the levels that prefetch,
//     {"prefetch queue", HD_EACH_CACHE, QUEUE, HD_PREFETCHES, HdPrefetch_bits, sizeof(HdPrefetch)}
// where QUEUE is the parameter that says how many lines it holds; without one nothing is done.
// From there one sector is looked up in each cycle in which no access stands in front of the tags.
// What is not there or on its way goes the way of a load's miss, and finds an MSHR entry, a place
// in the miss queue and a line as that does, or is dropped. So is what finds the queue full, lies
// in no allocation or, at an L2, in another slice, or waits as a kernel ends. `served` and `fill`
// do not learn of it; `filled` does, and `evicted` of a line that leaves for it. What became of
// them is in the result (docs/mechanisms.md).
void hd_prefetch(HdSite *site, uint64_t address);

// A line that waits: its address in blocks of 32 bytes, and the sector that is looked up next.
#define HD_PREFETCH_FIELDS(F) F(used, 1) F(sector, 3) F(high, 11) F(low, 32)
HD_BIT_FIELDS(HdPrefetch, HD_PREFETCH_FIELDS);

// ---- the whole ----

typedef struct HdMechanism {
    const char *name;  // as in --mechanism
    const char *does;  // one sentence
    const char *paper; // paper and section
    const HdParameter *parameters; // each list ends with a NULL name; NULL: none
    const HdCounter *counters;
    const HdStructure *structures;
    HdHooks l1, l2;
    HdCoreHooks core;
    // Of `asks` and `answers`; 32 at most with those of the other mechanisms. Packets grow by them.
    unsigned request_bits, reply_bits;
    // With l1.leaves: the index of the parameter that says how many copy-backs an SM's queue holds.
    unsigned queue;
    // The index of a parameter with choices among "l1", "l2", "l1,l2": where the hooks of caches
    // apply; -1: wherever there are some. Left out, it is 0, the first parameter.
    int levels;
    // There to measure: it decides nothing, and what its structures hold is in no hardware and no
    // part of the storage cost.
    bool instrument;
    // What no single parameter can tell: NULL, or why these cannot be. May be NULL.
    const char *(*check)(const double *parameters);
} HdMechanism;

#endif
