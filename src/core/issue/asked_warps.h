// What a mechanism is asked about the warps of an SM: which ones, and when.
#ifndef HEDDLE_CORE_ISSUE_ASKED_WARPS_H
#define HEDDLE_CORE_ISSUE_ASKED_WARPS_H

#include "core/blocks/blocks.h"
#include "core/sm_context.h"
#include "core/warpset.h"

#include "heddle/mechanism.h"

_Static_assert((int)WARPSET_MOST == (int)HD_MAX_WARPS, "a mechanism's sets hold an SM's warps");

// Lists the warps of an SM that have not exited, the oldest first. blocked: also those at a barrier
// or asleep. Returns their number.
unsigned list_warps(const Blocks *blocks, bool blocked, HdWarp list[WARPSET_MOST]);

// When a mechanism is asked: after the warps have changed, and at the cycle that it named.
typedef struct NextQuestion {
    uint64_t ask_at; // the latest cycle of the next question
    uint64_t seen;   // SmContext.warp_changes at the last one
} NextQuestion;

// Has the mechanism asked as soon as there are warps.
static inline void question_begin(NextQuestion *next, const SmContext *context)
{
    *next = (NextQuestion){.ask_at = UINT64_MAX, .seen = context->warp_changes - 1};
}

// The mechanism has been asked, and named this cycle.
static inline void question_asked(NextQuestion *next, const SmContext *context, uint64_t ask_at)
{
    *next = (NextQuestion){.ask_at = ask_at, .seen = context->warp_changes};
}

static inline bool question_changed(const NextQuestion *next, const SmContext *context)
{
    return context->warp_changes != next->seen;
}

// again: hd_reconsider has had the question asked again.
static inline bool question_due(const NextQuestion *next, const SmContext *context, bool again)
{
    return question_changed(next, context) || again || context->now >= next->ask_at;
}

// The next cycle in which to ask; UINT64_MAX: none.
static inline uint64_t question_cycle(const NextQuestion *next, const SmContext *context,
                                      bool again)
{
    uint64_t soonest = context->now + 1;
    bool now = question_changed(next, context) || again || next->ask_at < soonest;
    return now ? soonest : next->ask_at;
}

#endif
