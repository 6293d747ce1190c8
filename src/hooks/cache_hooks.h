// The mechanisms at one place (an SM with its L1, a slice of the L2, the GPU), and the calls by
// which the cache and its owner reach them.
//
// A cache without mechanisms has no CacheHooks (NULL). This costs one test on a miss and one on an
// eviction.
#ifndef HEDDLE_HOOKS_CACHE_HOOKS_H
#define HEDDLE_HOOKS_CACHE_HOOKS_H

#include "hooks/plan.h"
#include "hooks/prefetch_queues.h"
#include "hooks/reported_rows.h"
#include "hooks/value_slots.h"
#include "stats/stats.h"

#include <stddef.h>

// What the cache did by the decisions of its mechanisms.
#define HOOK_COUNTERS(C)                                                                           \
    C(inserted, "lines", "Lines that a load miss inserted.")                                       \
    C(tags_only, "lines", "Lines of which the tags were kept while the data bypassed the cache.")  \
    C(bypassed, "accesses", "Load misses whose data bypassed the cache.")                          \
    C(tag_hits, "accesses",                                                                        \
      "Loads that missed only because their data had bypassed the cache before.")                  \
    C(sector_misses, "accesses", "Load misses of a line that was present or pending in part.")     \
    C(sectors_fetched, "sectors of 32 bytes",                                                      \
      "With sectored lines: sectors that loads and atomics fetched.")                              \
    C(sectors_predicted, "sectors of 32 bytes",                                                    \
      "Of sectors_fetched: sectors that the access did not want itself.")                          \
    C(sectors_evicted, "sectors of 32 bytes",                                                      \
      "With sectored lines: sectors that were present in evicted lines.")                          \
    C(sectors_used, "sectors of 32 bytes",                                                         \
      "Of sectors_evicted: sectors that an access had touched.")
typedef struct HookCounters { HOOK_COUNTERS(STAT_FIELD) } HookCounters;
extern const StatTable hook_table;

// Lines that L1Ds copied back to the L2. Over both levels: sent = arrived = inserted + present +
// stale + declined + no_room.
#define COPY_BACK_COUNTERS(C)                                                                      \
    C(sent, "lines", "Clean lines evicted from an L1D and sent back to the L2.")                   \
    C(dropped, "lines", "Clean lines that were not sent back, because the queue was full.")        \
    C(arrived, "lines", "Copy-backs that reached their slice: as many as were sent.")              \
    C(inserted, "lines", "Copy-backs inserted into the L2.")                                       \
    C(present, "lines", "Copy-backs whose line was in the L2 already, with all sectors.")          \
    C(stale, "lines", "Copy-backs refused because the line may have been written meanwhile.")      \
    C(declined, "lines", "Copy-backs that a mechanism did not insert.")                            \
    C(no_room, "lines", "Copy-backs that found no victim.")                                        \
    C(removed_on_hit, "lines", "Lines from which a load hit removed sectors at the L2.")
typedef struct CopyBackCounters { COPY_BACK_COUNTERS(STAT_FIELD) } CopyBackCounters;
extern const StatTable copy_back_table;

// The structures that the core has if a mechanism copies back. For each L1: a version by line
// (HD_PER_LINE) and the queue of copy-backs. For each slice: the versions of the lines written
// last, those evicted by its sets, the sequence number, and a bit by line
// (memory/slice/version_table.h). The list ends with a NULL name.
enum { COPY_BACK_STRUCTURES = 6, VERSION_BITS = 32, VERSION_TAG_BITS = 16, VERSION_WAYS = 8 };
void copy_back_structures(unsigned queue, unsigned write_versions,
                          HdStructure structures[COPY_BACK_STRUCTURES + 1]);

// The structure that the MSHRs of a level have in addition for tags of a mechanism's prefetches:
// the tag, the warp slot, and whether there is one. false: none.
bool prefetch_tag_structure(const PlannedMechanism *planned, HookLevel level,
                            uint32_t mshr_entries, HdStructure *structure);

// CacheHooks.wants: the events, questions and data that some mechanism needs. HOOK_PER_LINE:
// structures by line; HOOK_VALUES: HdAccess.values; HOOK_USED_SECTORS: HdEviction.used_sectors;
// HOOK_SECTORED: several sectors of 32 bytes in one access.
enum {
    HOOK_ON_ACCESS = 1,
    HOOK_ON_EVICT = 2,
    HOOK_PER_LINE = 4,
    HOOK_USED_SECTORS = 8,
    HOOK_ON_FILL = 16,
    HOOK_REQUEST_TAG = 32,
    HOOK_REPLY_TAG = 64,
    HOOK_ON_INVALIDATE = 128,
    HOOK_ON_KERNEL_END_LINE = 256,
    HOOK_SECTORED = 512,
    HOOK_CLEAN_EVICTION = 1024,
    HOOK_AFTER_HIT = 2048,
    HOOK_VICTIM = 4096,
    HOOK_ON_INSERT = 8192,
    HOOK_ON_PREFETCH = 16384,
    HOOK_VALUES = 32768,
    HOOK_STALL = 65536
};

typedef struct HookedMechanism {
    const PlannedMechanism *planned;
    unsigned number; // of the mechanism in the plan
    const HdHooks *hooks;
    const HdCoreHooks *core; // core_hooks.h; NULL: not at an SM
    const HdGpuHooks *gpu;   // gpu_hooks.h; NULL: not at the GPU
    struct CacheHooks *owner;
    struct Exchange *exchange; // words with SMs and slices; NULL: not at the GPU
    struct Engine *engine;     // engine_hooks.h; NULL: none
    ReportedRows *reported;    // its table in the result; NULL: not at the GPU, or no columns
    HdPlace place;
    uint64_t period, period_end; // cycles of the place's clock; 0: no on_period
    uint64_t wake;               // core cycle of on_wake; UINT64_MAX: none
    void **structures; // what place.structures points to
    size_t counters;
    unsigned out_shift, in_shift; // its bits in the sideband tags that leave, that arrive
    uint32_t out_mask, in_mask;
    PrefetchQueue *prefetch_queue; // NULL: it does not prefetch
    bool hides_store_fields; // at a slice, what HdMechanism.request_field_bits pays for: of stores
    bool hides_fields; // request fields are hidden: the mechanism declares no bits for them
    bool reads_values; // HdMechanism.reads_values
    // Reports each call of hd_prefetch to an observer; NULL: there is none.
    void (*observe_prefetch)(const HdPlace *place, uint64_t address, bool queued);
} HookedMechanism;

// The mechanism of a place.
static inline HookedMechanism *hooked_mechanism(const HdPlace *place)
{
    return (HookedMechanism *)((char *)(uintptr_t)place - offsetof(HookedMechanism, place));
}

// Answers that end the run with an error.
typedef enum WrongAnswer {
    WRONG_NONE, WRONG_WAY, WRONG_QUEUE, WRONG_NEXT, WRONG_WARP, WRONG_IDLE
} WrongAnswer;
// Hook and expectation, for a message.
const char *wrong_answer_text(WrongAnswer wrong);

// What mechanisms may ask an SM and have it do (hd_instruction, hd_loop, hd_register, hd_inject,
// hd_spare_lanes).
typedef struct CoreActions {
    const HdInstruction *(*instruction)(const void *sm, uint32_t pc);
    bool (*loop)(const void *sm, uint32_t pc, HdLoop *loop);
    const void *(*register_values)(const void *sm, unsigned warp_slot, HdOperand operand);
    bool (*inject)(void *sm, const HdIssued *behind, const HdMicroOp *op);
    uint32_t (*spare_lanes)(const void *sm, unsigned warp_slot, unsigned number);
} CoreActions;

// HdKernel.engine_instructions and .engine_pc, for one mechanism.
typedef struct KernelEngines {
    uint32_t instructions, pc;
} KernelEngines;

// What hd_fault has said; author NULL: nothing.
typedef struct HookFault {
    const char *author;
    uint32_t pc; // HD_NO_PC: none
    char text[256];
} HookFault;

// ---- what only some places have ----

// The slots of an SM for warps and blocks, and its schedulers.
typedef struct SmSlots {
    unsigned warps, blocks, schedulers;
    unsigned sms; // of the GPU
} SmSlots;

// At an SM: its work, the actions of mechanisms, and the values of its L1D.
typedef struct SmHooks {
    // Reads the work of the SM or of a warp slot (hd_work_of_sm, hd_work_of_warp).
    HdWork (*read_work)(const void *sm, int slot);
    const CoreActions *actions; // NULL: no mechanism sees instructions
    void *self;                 // the SM
    LineValues *values;     // by line of the L1D; NULL: no mechanism reads values
    ValueSlots value_slots; // of fetches on their way
} SmHooks;

// At a slice, of mechanisms with engines (engine_hooks.h).
typedef struct SliceHooks {
    bool has_engines;
    bool may_peek; // hd_peek works
    uint64_t due;  // L2 cycle in which an engine has something to do; UINT64_MAX: none
    const struct EngineActions *actions;
    void *self; // the slice
} SliceHooks;

// At a cache: its lines.
typedef struct HookedLines {
    size_t count; // of the cache, its victim buffer included
    size_t sets;
    uint8_t *used;       // by line: HdEviction.used_sectors; NULL: not needed
    struct Cache *cache; // to which the mechanisms are attached
    void (*visit)(struct Cache *cache); // calls cache_hooks_on_kernel_end_line for each line
    // The guest's address of a line address of the cache; NULL: the same.
    uint64_t (*guest_line)(const void *context, uint64_t line);
    const void *guest_context;
} HookedLines;

// At a cache: the access that is looked up, and the fill that came last.
typedef struct HookedAccess {
    HdAccess access;        // the owner sets it before the lookup
    HdAccess shown;         // the same, as a mechanism sees it that does not read all of it
    HdAccess filled;        // the cache sets line_index, set and, if no request waited, kind; the
                            // owner sets the rest
    uint32_t sideband_tags; // of all mechanisms: came with the access, or with the data
    uint8_t sideband_bytes; // of the tags in packets that leave here
    uint32_t inserted;      // line_index of the line that has got a way, which on_insert has still
                            // to report; HD_NO_INDEX: none
} HookedAccess;

// At a cache: clean lines that the L1 sends back to the L2.
typedef struct CopyBacks {
    unsigned queue; // plan_copy_back_queue; 0: no mechanism copies back
    // Versions by line; NULL if queue is 0. L1: the version at which its slice read the data. L2: 0
    // if a store passed during the fetch, so that the data may be old whenever they are read; else
    // UINT32_MAX.
    uint32_t *versions;
    uint32_t read_version;  // L2: version of data read now
    uint32_t fetch_version; // L2: version at the decision to fetch the data that came last
    CopyBackCounters counted;
} CopyBacks;

// hd_reconsider: of decide_issuable, decide_order and decide_block_limit. Each is reset when its
// question has been asked again.
typedef struct Reconsider {
    bool warps, order, blocks;
} Reconsider;

// The first answer that none may give, and the mechanism that gave it.
typedef struct BlamedAnswer {
    WrongAnswer what;
    const char *author;
} BlamedAnswer;

// The mechanisms at a place: an SM with its L1, a slice of the L2, or the GPU.
typedef struct CacheHooks {
    uint32_t wants;      // HOOK_..., of all mechanisms
    uint32_t core_wants; // CORE_... (core_hooks.h), of all mechanisms
    uint64_t due;        // the cycle of the next on_period or on_wake; UINT64_MAX: none
    Reconsider reconsider;
    bool drains; // the kernel's blocks have ended: no more prefetches, which could keep it running
    HookLevel level;
    unsigned count;
    HookedMechanism *items;
    SmSlots slots;   // of an SM, or of the GPU's SMs
    uint32_t launch; // number of the kernel that began last
    HookedLines lines;
    HookedAccess current;
    PrefetchQueues *prefetches; // NULL: no mechanism prefetches
    CopyBacks copy_backs;
    HookCounters counted;
    SmHooks sm;
    SliceHooks slice;
    const KernelEngines *kernel_engines; // by mechanism of the plan; NULL: none has instructions
    HookFault fault;                     // the first
    BlamedAnswer wrong;
} CacheHooks;

// Makes the hooks of the plan's mechanisms at one place; *hooks is NULL if there are none at this
// level. `number`: of the SM or slice. false and err: out of memory. Free with cache_hooks_free,
// after failure too.
bool cache_hooks_new(CacheHooks **hooks, const HookPlan *plan, HookLevel level, unsigned number,
                     uint64_t seed, HdError *err);
void cache_hooks_free(CacheHooks *hooks);

// The cache has this number of lines, and of them sets * ways in sets; all lines are unused. false
// and err: out of memory.
bool cache_hooks_reset_lines(CacheHooks *hooks, size_t lines, size_t sets, uint32_t ways,
                             HdError *err);

// The cache has more lines: the new ones follow the others and are unused. false: out of memory.
bool cache_hooks_grow_lines(CacheHooks *hooks, size_t lines);

// Sets the slots, at an SM or the GPU. false and err: out of memory.
bool cache_hooks_set_slots(CacheHooks *hooks, SmSlots slots, HdError *err);

// Sets the number of SMs or slices of which this is one.
void cache_hooks_set_place_count(CacheHooks *hooks, unsigned places);

// Sets the bytes of the cache's lines and sectors. sectored: one lookup is to all sectors of a
// line.
void cache_hooks_set_line(CacheHooks *hooks, uint32_t line, uint32_t sector, bool sectored);

// Sets how line addresses of the cache become those of the guest, if they differ.
void cache_hooks_set_guest_line(CacheHooks *hooks,
                        uint64_t (*guest_line)(const void *context, uint64_t line),
                        const void *context);

// ---- called by the cache ----

// Where the data of `hooks->current.access`, which misses, go: HD_INSERT, HD_TAGS_ONLY or
// HD_BYPASS.
HdInsertion cache_hooks_decide_insert(CacheHooks *hooks, const HdRoom *room);
// The way that makes room, which is not reserved; -1: the mechanisms pass.
int cache_hooks_decide_victim(CacheHooks *hooks, const HdWays *ways);
// Whether `hooks->current.access`, a load that stalls, bypasses the cache.
bool cache_hooks_decide_stall(CacheHooks *hooks, HdStallReason reason);
// A mechanism has given a wrong answer.
void cache_hooks_blame(CacheHooks *hooks, const HookedMechanism *h, WrongAnswer wrong);
// Event: the line of the way leaves its set for another.
void cache_hooks_on_replace(CacheHooks *hooks, const HdWays *ways, uint32_t way);
// The sectors that mechanisms fetch for `hooks->current.access` beyond those that it needs. have:
// the sectors that are here or on their way. 0: no mechanism decides.
uint8_t cache_hooks_decide_fetch(CacheHooks *hooks, uint8_t have);
// Events: a line is evicted; a line is invalidated; a line is in the cache as a kernel ends.
void cache_hooks_on_evict(CacheHooks *hooks, const HdEviction *eviction);
void cache_hooks_on_invalidate(CacheHooks *hooks, const HdEviction *line);
void cache_hooks_on_kernel_end_line(CacheHooks *hooks, const HdEviction *line);
// The current access, to these sectors, uses the line at this index.
static inline void cache_hooks_mark_used(CacheHooks *hooks, size_t slot, uint8_t wanted)
{
    if (hooks->lines.used) hooks->lines.used[slot] |= wanted;
}
// Whether a clean line that the L1 evicts is copied back; whether the current access, a load's hit
// in the L2, removes its sectors from the L2.
bool cache_hooks_decide_clean_eviction(CacheHooks *hooks, const HdEviction *line);
bool cache_hooks_decide_after_hit(CacheHooks *hooks);
// For structures by line: a new line has come to index `to`; the line at `from` moves to `to`; two
// lines change places.
void cache_hooks_clear_line(CacheHooks *hooks, size_t to);
void cache_hooks_move_line(CacheHooks *hooks, size_t from, size_t to);
void cache_hooks_swap_lines(CacheHooks *hooks, size_t a, size_t b);
// These sectors of the line are invalidated.
void cache_hooks_invalidate_sectors(CacheHooks *hooks, size_t slot, uint8_t sectors);

// ---- called by the owner ----

// Data of this version have come into the line at this index.
static inline void cache_hooks_lower_version(CacheHooks *hooks, uint32_t slot, uint32_t version)
{
    if (hooks->copy_backs.versions && slot != HD_NO_INDEX &&
        version < hooks->copy_backs.versions[slot])
        hooks->copy_backs.versions[slot] = version;
}
// A reply of an L1D with this value slot has come, with these sectors of 32 bytes of the 128-byte
// line: gives the bytes to hooks->current.filled and its line. The slot is free after the fill's
// events.
void cache_hooks_bring_values(CacheHooks *hooks, uint16_t value_slot, uint8_t sectors);
// L1: gives hooks->current.access, a hit, the bytes of the line at this index (HD_NO_INDEX: none),
// if a mechanism reads values.
static inline void cache_hooks_show_values(CacheHooks *hooks, uint32_t slot)
{
    if (!hooks->sm.values || slot == HD_NO_INDEX || !hooks->sm.values[slot].sectors) return;
    hooks->current.access.value_sectors = hooks->sm.values[slot].sectors;
    hooks->current.access.values = hooks->sm.values[slot].bytes;
}
// Event: hooks->current.access has been served with this outcome; slot: the index of its line now.
// Its values are not shown again.
void cache_hooks_on_access(CacheHooks *hooks, HdOutcome outcome, uint32_t slot);
// Event: the fill in hooks->current.filled is done.
void cache_hooks_on_fill(CacheHooks *hooks);
// The event that a prefetch has found its sector in the line at this index. values: in an L2, bytes
// of the line, or NULL.
HdPrefetched cache_hooks_present(const CacheHooks *hooks, const Prefetch *prefetch, uint64_t cycle,
                                 uint32_t line_index, const uint8_t *values);
// Event: HdHooks.on_prefetch. owner: index into hooks->prefetches->items. Clears the values if the
// mechanism does not read them.
void cache_hooks_on_prefetch(CacheHooks *hooks, unsigned owner, HdPrefetched *prefetched);
// Both, where nothing else looks at the event.
static inline void cache_hooks_on_present(CacheHooks *hooks, const Prefetch *prefetch,
                                          uint64_t cycle, uint32_t line_index,
                                          const uint8_t *values)
{
    HdPrefetched present = cache_hooks_present(hooks, prefetch, cycle, line_index, values);
    cache_hooks_on_prefetch(hooks, prefetch->owner, &present);
}
// Event: the fill in hooks->current.filled has brought tags, if it did.
void cache_hooks_on_tagged_fill(CacheHooks *hooks);
// The mechanism with this queue of prefetches.
const HookedMechanism *cache_hooks_prefetcher(const CacheHooks *hooks, unsigned owner);
// A slice has got a prefetch of its L1Ds' places (HdPrefetching.into_l2) for its queue. number: of
// the mechanism in the plan.
void cache_hooks_add_prefetch(CacheHooks *hooks, unsigned number, uint64_t address,
                              PrefetchTag tag);
// Event: `access` gave its line the way at hooks->current.inserted, if that is not HD_NO_INDEX,
// which it then becomes.
void cache_hooks_on_insert(CacheHooks *hooks, const HdAccess *access);
// The sideband tags of all mechanisms for the request (L1) or the reply (L2) of
// hooks->current.access.
uint32_t cache_hooks_sideband_tags(CacheHooks *hooks);
// Events: a kernel begins; a kernel ends, before which each line is reported to mechanisms that
// want it. cycle: as for cache_hooks_at.
void cache_hooks_on_kernel(CacheHooks *hooks, uint64_t cycle, const HdKernel *kernel, bool begins);
// The kernel as a mechanism sees it: with the instructions of its own engines.
static inline HdKernel kernel_seen_by(const HookedMechanism *h, const HdKernel *kernel)
{
    HdKernel seen = *kernel;
    const KernelEngines *engines = h->owner->kernel_engines;
    if (!engines) return seen;
    seen.engine_instructions = engines[h->number].instructions;
    seen.engine_pc = engines[h->number].pc;
    return seen;
}

// Event: the host calls the mechanism of this name. Returns why it refuses, or NULL. *takes is set
// if the mechanism has a hook for calls here.
const char *cache_hooks_on_call(CacheHooks *hooks, const char *mechanism, const HdCall *call,
                                bool *takes);
// Event: the host has released these bytes.
void cache_hooks_on_release(CacheHooks *hooks, uint64_t address, uint64_t bytes);

// Calls on_period for the periods that have ended by this cycle, then on_wake for mechanisms that
// want to be woken by then. Comes before all other events of the cycle.
void cache_hooks_call_due(CacheHooks *hooks, uint64_t cycle);
static inline void cache_hooks_at(CacheHooks *hooks, uint64_t cycle)
{
    if (cycle >= hooks->due) cache_hooks_call_due(hooks, cycle);
}

// Whether there was memory for all entries of instruments by key, for all lines that left for a
// prefetch, and for all rows of tables.
bool cache_hooks_complete(const CacheHooks *hooks);

// ---- for the result ----

// The value of a counter of one mechanism here, by the counter's index.
uint64_t cache_hooks_counter(const CacheHooks *hooks, const PlannedMechanism *planned,
                             size_t index);
// The counters of its prefetches here; false: it does not prefetch.
bool cache_hooks_prefetch_counters(const CacheHooks *hooks, const PlannedMechanism *planned,
                            PrefetchCounters *counters);
// The number of entries of a structure here. planned: the mechanism that declares it; NULL: the
// core does.
uint64_t cache_hooks_entries(const CacheHooks *hooks, const PlannedMechanism *planned,
                             const HdStructure *structure);
// Gives these entries of a structure, which are zeros, their first values.
void cache_hooks_start_entries(const HookedMechanism *h, size_t structure, void *entries,
                               size_t count);
// A warp or a block starts in this slot: HD_PER_WARP, HD_PER_BLOCK.
void cache_hooks_clear_slot(CacheHooks *hooks, HdExtent extent, unsigned slot);

#endif
