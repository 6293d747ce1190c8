// The policies of warp schedulers (core.policy), one row each. The names and the description of the
// parameter are made from the rows.
#ifndef HEDDLE_CORE_ISSUE_POLICY_H
#define HEDDLE_CORE_ISSUE_POLICY_H

#include "core/warpset.h"

typedef struct Scheduler Scheduler;

// P(constant, name, description, fields of Policy). A new policy is a new row.
#define SCHEDULER_POLICIES(P)                                                                      \
    P(LRR, "lrr", "loose round robin", .rotates = true)                                            \
    P(GTO, "gto", "the warp that issued last, then the oldest", .by_age = true, .greedy = true)    \
    P(OLDEST, "oldest", "the oldest warp", .by_age = true)                                         \
    P(TWO_LEVEL, "two-level", "loose round robin within an active set of warps", .by_age = true,   \
      .rotates = true, .limit = two_level_limit, .leaving = two_level_leaving,                     \
      .set_aside = two_level_set_aside)

#define POLICY_CONSTANT(constant, ...) SCHEDULE_##constant,
typedef enum SchedulerPolicy {
    SCHEDULER_POLICIES(POLICY_CONSTANT) SCHEDULER_POLICY_COUNT
} SchedulerPolicy;

typedef struct Policy {
    bool by_age;  // it uses the order by age (Scheduler.before)
    bool greedy;  // the warp that issued last goes first while it is ready
    bool rotates; // the warp behind the one that issued last goes first; else the first by age
    // Limits the warps in `set` that the scheduler may take now. Called in each turn with a ready
    // warp, also if `set` is empty; `most`: core.two_level_active. NULL: it may take all.
    void (*limit)(Scheduler *s, unsigned words, unsigned most, WarpSet *set);
    // The warps of a word for which the next call of `limit` changes state. NULL: none.
    uint64_t (*leaving)(const Scheduler *s, unsigned word);
    // The warp waits for an entry of a shared store of instructions. NULL: nothing to do.
    void (*set_aside)(Scheduler *s, unsigned local);
} Policy;
extern const Policy scheduler_policies[SCHEDULER_POLICY_COUNT];

// ---- two_level.c ----

// The active set of a two-level scheduler.
typedef struct ActiveWarps {
    WarpSet warps;
    unsigned count;
} ActiveWarps;

// Warps that wait for memory or a barrier, or have exited, leave the active set, and the oldest
// ready warps outside replace them. Restricts `set` to the active set.
void two_level_limit(Scheduler *s, unsigned words, unsigned most, WarpSet *set);
uint64_t two_level_leaving(const Scheduler *s, unsigned word);
void two_level_set_aside(Scheduler *s, unsigned local);

#endif
