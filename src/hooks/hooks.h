// The mechanisms at one cache: their places, and how the cache and its owner reach them.
//
// A cache without mechanisms has no CacheHooks (NULL): one test where an access misses, or a line
// leaves, is all that it costs.
#ifndef HEDDLE_HOOKS_HOOKS_H
#define HEDDLE_HOOKS_HOOKS_H

#include "hooks/plan.h"
#include "hooks/prefetch.h"
#include "stats/stats.h"

// What the cache did by its mechanisms' decisions.
#define HOOK_COUNTERS(C)                                                                           \
    C(inserted, "lines", "Lines that a load's miss brought into the cache.")                       \
    C(tags_only, "lines", "... whose tags were kept while their data went past.")                  \
    C(bypassed, "accesses", "Loads that missed and whose data went past the cache.")               \
    C(tag_hits, "accesses", "Loads that missed only because their data had gone past before.")     \
    C(sector_misses, "accesses",                                                                   \
      "Loads that missed though their line was here, or on its way, in part.")                     \
    C(sectors_fetched, "parts of 32 bytes",                                                        \
      "Of lines kept by parts: those that loads and atomics fetched.")                             \
    C(sectors_predicted, "parts of 32 bytes", "... that they did not want themselves.")            \
    C(sectors_evicted, "parts of 32 bytes",                                                        \
      "... that were there in lines that left to make room.")                                      \
    C(sectors_used, "parts of 32 bytes", "Of those: that an access had touched.")
typedef struct HookCounters { HOOK_COUNTERS(STAT_FIELD) } HookCounters;
extern const StatTable hook_table;

// Lines that left L1Ds for the L2. Those of both levels: sent = arrived = inserted + present +
// stale + declined + no_room.
#define COPY_BACK_COUNTERS(C)                                                                      \
    C(sent, "lines", "Clean lines that left an L1D and were sent back to the L2.")                 \
    C(dropped, "lines", "... that were not, as the SM's queue of copy-backs was full.")            \
    C(arrived, "lines", "Copy-backs that have come to their slice.")                               \
    C(inserted, "lines", "... and into the L2.")                                                   \
    C(present, "lines", "... of which all whole sectors were there already.")                      \
    C(stale, "lines", "... refused, as they may have been written meanwhile.")                     \
    C(declined, "lines", "... that a mechanism did not let in.")                                   \
    C(no_room, "lines", "... for which no line could leave at once.")                              \
    C(removed_on_hit, "lines", "Lines of which a load's hit took what it read out of the L2.")
typedef struct CopyBackCounters { COPY_BACK_COUNTERS(STAT_FIELD) } CopyBackCounters;
extern const StatTable copy_back_table;

// What the core keeps where a mechanism copies back, for each L1: a stamp by line (HD_PER_LINE),
// the queue; for each slice: stamps of so many lines that were written, what its sets gave up, the
// sequence number, a bit by line (memory/stamps.h). They end with a NULL name.
enum { COPY_BACK_STRUCTURES = 6, STAMP_BITS = 32, STAMP_TAG_BITS = 16, STAMP_WAYS = 8 };
void copy_back_structures(unsigned queue, unsigned write_versions,
                          HdStructure structures[COPY_BACK_STRUCTURES + 1]);

// CacheHooks.wants
enum { HOOK_SERVED = 1, HOOK_EVICTED = 2, HOOK_LINES = 4, HOOK_USED = 8, HOOK_FILLED = 16,
       HOOK_ASKS = 32, HOOK_ANSWERS = 64, HOOK_DROPPED = 128, HOOK_STAYS = 256,
       HOOK_PARTS = 512, HOOK_LEAVES = 1024, HOOK_AFTER_HIT = 2048 };

typedef struct HookedMechanism {
    const PlannedMechanism *planned;
    const HdHooks *hooks;
    const HdCoreHooks *core; // core_hooks.h; NULL: not at an SM
    HdPlace place;
    void **structures; // what place.structures points to
    size_t counters;
    unsigned sent_shift, seen_shift; // its bits in the notes that go out from here, and come here
    uint32_t sent_mask, seen_mask;
    Prefetcher *prefetcher; // NULL: it has no queue for prefetches
} HookedMechanism;

typedef struct CacheHooks {
    uint32_t wants; // what any of them is interested in; HOOK_LINES: structures by line;
                    // HOOK_USED: HdEviction.used; HOOK_PARTS: lines kept by parts of 32 bytes
    uint32_t core_wants; // the same of the pipeline, core_hooks.h
    HookLevel level;
    unsigned count;
    HookedMechanism *items;
    size_t lines;     // of the cache, its victim buffer included
    size_t sets;
    unsigned queue;   // plan_queue; 0: nobody copies back
    // By line; NULL where queue is 0. Of an L1: when its slice read its data. Of the L2: 0 where a
    // write passed while they were fetched, so that they may be old whenever they are read. Else
    // UINT32_MAX.
    uint32_t *stamps;
    uint32_t clock; // L2: the stamp of what is read now ...
    uint32_t began; // ... of the moment at which the fetch of what came last was decided on
    CopyBackCounters copied;
    uint8_t *used;    // by line: HdEviction.used; NULL: nobody asks
    struct Cache *cache; // where these are, and ...
    void (*tell_lines)(struct Cache *cache); // ... what calls cache_hooks_stays for its lines
    uint64_t (*guest_line)(const void *context, uint64_t line); // NULL: the cache's are the guest's
    const void *context;
    Prefetches *prefetches; // NULL: no mechanism makes any
    uint32_t launch;  // number of the kernel that began last
    HdAccess access;  // the one at hand; set by the owner before it asks the cache
    uint32_t notes;   // that came with it, or with the data: of all mechanisms
    uint8_t note_bytes; // that packets grow by which go out from here with notes
    HdAccess filled;  // for which data came last: slot, set and whose they are where nobody waited
                      // by the cache, the rest by the owner
    HookCounters counted;
} CacheHooks;

// The plan's mechanisms at one cache; *hooks is NULL where there are none at this level. `number`:
// of the SM or slice. Free with cache_hooks_free.
bool cache_hooks_new(CacheHooks **hooks, const HookPlan *plan, HookLevel level, unsigned number,
                     uint64_t seed, HdError *err);
void cache_hooks_free(CacheHooks *hooks);

// The cache has so many lines in so many sets, and all are unused. false: memory is out.
bool cache_hooks_size(CacheHooks *hooks, size_t lines, size_t sets, HdError *err);

// The cache has more lines, the new ones behind the others and unused. false: memory is out.
bool cache_hooks_grow(CacheHooks *hooks, size_t lines);

// Of how many SMs or slices this is one.
void cache_hooks_count(CacheHooks *hooks, unsigned places);

// The cache's lines and sectors have so many bytes. parts: the latter are parts of a line, of which
// one look-up sees all.
void cache_hooks_line(CacheHooks *hooks, uint32_t line, uint32_t sector, bool parts);

// How the cache's line addresses become the guest's, where they are others.
void cache_hooks_places(CacheHooks *hooks,
                        uint64_t (*guest_line)(const void *context, uint64_t line),
                        const void *context);

// ---- called by the cache ----

// Where the data of `hooks->access` go, which misses: HD_INSERT, HD_TAGS_ONLY or HD_BYPASS.
// leaves: what would have to leave; NULL: nothing.
HdInsertion cache_hooks_fill(CacheHooks *hooks, const HdEviction *leaves);
// Which parts `hooks->access` fetches, of which the cache has `have`. With no mechanism that
// decides it: none but those it needs.
uint8_t cache_hooks_fetch(CacheHooks *hooks, uint8_t have);
void cache_hooks_evicted(CacheHooks *hooks, const HdEviction *eviction);
void cache_hooks_dropped(CacheHooks *hooks, const HdEviction *line);
void cache_hooks_stays(CacheHooks *hooks, const HdEviction *line);
// The access at hand touches the line in this slot.
static inline void cache_hooks_use(CacheHooks *hooks, size_t slot, uint8_t wanted)
{
    if (hooks->used) hooks->used[slot] |= wanted;
}
// Whether a clean line that leaves the L1 is sent back; the access at hand, a load's hit in the L2,
// makes its line leave.
bool cache_hooks_sends_back(CacheHooks *hooks, const HdEviction *line);
bool cache_hooks_leaves_hit(CacheHooks *hooks);
// What the structures by line hold: a new line has come to slot `to`; the line of slot `from` goes
// to `to`; those of two slots change places.
void cache_hooks_clear(CacheHooks *hooks, size_t to);
void cache_hooks_move(CacheHooks *hooks, size_t from, size_t to);
void cache_hooks_swap(CacheHooks *hooks, size_t a, size_t b);
// These sectors of the line in the slot are given up.
void cache_hooks_drop(CacheHooks *hooks, size_t slot, uint8_t sectors);

// ---- called by the owner ----

// Data with this stamp have come into the line of this slot.
static inline void cache_hooks_stamp(CacheHooks *hooks, uint32_t slot, uint32_t stamp)
{
    if (hooks->stamps && slot != HD_NO_INDEX && stamp < hooks->stamps[slot])
        hooks->stamps[slot] = stamp;
}
// hooks->access has been served with this outcome; slot: of its line now.
void cache_hooks_served(CacheHooks *hooks, HdOutcome outcome, uint32_t slot);
// The data for hooks->on_fill have come.
void cache_hooks_filled(CacheHooks *hooks);
// The notes of all mechanisms for the request (L1) or the reply (L2) that hooks->access makes.
uint32_t cache_hooks_notes(CacheHooks *hooks);
// At the end `cache` is asked for the lines that stay, where somebody wants to hear of them.
void cache_hooks_kernel(CacheHooks *hooks, const HdKernel *kernel, bool begins);

// Whether all that instruments have asked to be remembered is.
bool cache_hooks_whole(const CacheHooks *hooks);

// ---- for the result ----

// What a mechanism of the plan has counted here, by the counter's index.
uint64_t cache_hooks_counter(const CacheHooks *hooks, const PlannedMechanism *planned,
                             size_t index);
// What has become of its prefetches here; false: it has no queue for them.
bool cache_hooks_prefetches(const CacheHooks *hooks, const PlannedMechanism *planned,
                            PrefetchCounters *counters);
// Entries of a structure at one cache of so many lines and sets.
uint64_t hooks_structure_entries(const PlannedMechanism *planned, const HdStructure *structure,
                                 uint64_t lines, uint64_t sets);

#endif
