// The engines of mechanisms at slices (heddle/engines.h): the calls by which a slice reaches them,
// and what their actions ask of the slice.
#ifndef HEDDLE_HOOKS_ENGINE_HOOKS_H
#define HEDDLE_HOOKS_ENGINE_HOOKS_H

#include "hooks/cache_hooks.h"

// What an engine asks of its slice.
typedef struct EngineActions {
    unsigned (*slice_of)(const void *slice, uint64_t address);
    // Bytes of the guest's memory; NULL: they are not in one allocation.
    const void *(*peek)(const void *slice, uint64_t address, size_t bytes);
    // An engine has something to do in this L2 cycle (hooks->slice.due has changed).
    void (*wake)(void *slice, uint64_t cycle);
    // A read waits to be looked up.
    void (*look_up)(void *slice);
    // hd_answer, of a request to the mechanism with this number in the plan. *known: there is such
    // a request.
    bool (*answer)(void *slice, unsigned mechanism, uint32_t number, const HdEngineReply *reply,
                   bool *known);
} EngineActions;

// A link's buffer at the slice that receives.
typedef struct EngineLink {
    char *entries;
    uint32_t capacity, head, count; // count: with the entry that arrives in the next cycle
    uint64_t sent_at;               // cycle of the newest entry
    uint64_t dropped_at;            // cycle in which an entry was taken out last,
    uint32_t dropped;               // and how many were in it
} EngineLink;

// What has come for an entry of HD_READS.
typedef struct EngineArrival {
    uint64_t cycle; // UINT64_MAX: on its way
    uint8_t bytes[VALUE_LINE];
} EngineArrival;

// A mechanism's engine at a slice.
typedef struct Engine {
    HdReadEntry *reads;
    EngineArrival *arrivals; // likewise
    uint32_t read_capacity, reads_out; // entries; those in use
    uint32_t *waiting;       // entries that wait to be looked up: a ring, the oldest first
    uint32_t waiting_head, waiting_count;
    EngineLink *links;       // by structure; capacity 0: it is no link
    uint16_t *linked;        // the structures that are links
    size_t linked_count;
    struct Engine *previous, *next; // at the neighbouring slices; with one slice itself
    CacheHooks *owner;
    uint64_t due;            // cycle of the next on_cycle; UINT64_MAX: none
    uint64_t cycle;          // of the on_cycle that runs; UINT64_MAX: none
} Engine;

// Makes the engine of a mechanism at a slice, which has its structures. false: out of memory. Free
// with engine_free.
bool engine_new(HookedMechanism *h);
void engine_free(Engine *engine);

// Connects the engines of all slices, and sets what they ask of theirs.
void engine_hooks_connect(CacheHooks *const *slices, unsigned count);
void engine_hooks_set_actions(CacheHooks *hooks, const EngineActions *actions, void *slice);

// Whether a mechanism of the plan has engines; whether they exchange entries between slices.
bool plan_has_engines(const HookPlan *plan);
bool plan_links_slices(const HookPlan *plan);

// ---- called by the slice; hooks->slice.has_engines ----

// A kernel begins at this cycle.
void engine_hooks_on_kernel_begin(CacheHooks *hooks, uint64_t cycle);
// Offers a request to the engine of the mechanism with this number in the plan.
bool engine_hooks_take_request(CacheHooks *hooks, unsigned mechanism,
                               const HdEngineRequest *request);
// Runs the cycle of the engines that are due; every: of all.
void engine_hooks_cycle(CacheHooks *hooks, uint64_t cycle, bool every);
// Whether an engine has something to do without a request.
bool engine_hooks_busy(const CacheHooks *hooks);

// A read at the tags.
typedef struct EngineRead {
    uint64_t line;
    unsigned item;  // of hooks->items
    uint32_t entry; // of the structure
    uint8_t sectors;
    bool past_l2;
} EngineRead;
// Whether a read waits to be looked up.
bool engine_hooks_read_waits(const CacheHooks *hooks);
// The oldest read that waits, of the first mechanism that has one, is looked up now.
EngineRead engine_hooks_look_up(CacheHooks *hooks);
// The data of a read come at this cycle: the bytes of its line, as they are now.
void engine_hooks_arrive(CacheHooks *hooks, unsigned item, uint32_t entry, uint64_t cycle,
                         const uint8_t *bytes);

// ---- functional launches ----

// The engines of the mechanism with this number in the plan execute a request, slice by slice.
// *reply is complete then.
void engine_hooks_execute(CacheHooks *const *slices, unsigned count, unsigned mechanism,
                          const HdEngineRequest *request, HdEngineReply *reply);

#endif
