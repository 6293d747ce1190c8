// Watches mechanisms: stands between the cache and their hooks, and records each event and each
// answer.
#ifndef HEDDLE_HARNESS_OBSERVER_H
#define HEDDLE_HARNESS_OBSERVER_H

#include "harness/record.h"
#include "hooks/cache_hooks.h"

// A mechanism with the observer's hooks in place of its own.
typedef struct ObservedMechanism {
    HdMechanism observed;         // what the plan names
    const HdMechanism *mechanism; // the mechanism itself
    Record *record;
} ObservedMechanism;

// Replaces the mechanisms of a plan by observed ones, and adds one that records evictions. Returns
// them, as many as the plan has afterwards; NULL: out of memory. They and `record` must outlive the
// plan; free().
ObservedMechanism *observer_watch(HookPlan *plan, Record *record);
// Has the hooks of a place report their prefetches. Call it after cache_hooks_new.
void observer_attach(CacheHooks *hooks);

#endif
