// Asks a mechanism which warp a scheduler tries (HdCoreHooks.decide_warp).
#ifndef HEDDLE_CORE_ISSUE_CHOICE_H
#define HEDDLE_CORE_ISSUE_CHOICE_H

#include "core/issue/asked_warps.h"
#include "hooks/core_hooks.h"

typedef struct Issue Issue;
typedef struct Scheduler Scheduler;

typedef struct WarpChoice {
    bool on;           // a mechanism decides
    CacheHooks *hooks; // the mechanisms
    uint64_t listed;   // SmContext.warp_changes when the warps were listed
    // By scheduler: its warps that have not exited, the oldest first, in rows of `row`; their
    // number; its answers HD_ISSUE_NONE in a row.
    HdWarp *warps;
    unsigned row, *count, *idle;
    uint8_t waits[HD_MAX_WARPS]; // by warp slot, of the scheduler that is asked about
} WarpChoice;

// A mechanism decides. false: out of memory.
bool choice_attach(Issue *issue, const SmConfig *config, CacheHooks *hooks, HdTables *tables);
void choice_begin(Issue *issue, const SmContext *context);
// Asks for one of the warps in `set`, the candidates. true: *warp is tried, or nothing if it is
// NULL. false: mechanisms pass.
bool choice_ask(Issue *issue, const SmContext *context, const Scheduler *s, const WarpSet *set,
                Warp **warp);

#endif
