// The mechanisms at one SM's pipeline: those of its L1 (cache_hooks.h), at the same places.
//
// An SM without them tests one pointer when a block or warp starts or ends, and when a memory
// instruction issues or is done; and one flag when a warp could issue.
#ifndef HEDDLE_HOOKS_CORE_HOOKS_H
#define HEDDLE_HOOKS_CORE_HOOKS_H

#include "hooks/cache_hooks.h"

enum { CORE_BLOCKS = 1, CORE_WARPS = 2, CORE_ISSUABLE = 4, CORE_MEMORY = 8, CORE_WORK = 16,
       CORE_ISSUE = 32, CORE_WAKE = 64, CORE_HOLD = 128, CORE_MEMORY_DONE = 256, CORE_ORDER = 512,
       CORE_TURN = 1024 };

// The events and questions that a mechanism wants: CORE_...
uint32_t core_hooks_wants(const HookedMechanism *h);

// ---- called by the SM; `hooks` may be NULL ----

static inline bool core_hooks_want(const CacheHooks *hooks, uint32_t what)
{
    return hooks && hooks->core_wants & what;
}
// Events: a block or a warp starts or ends.
void core_hooks_on_block(CacheHooks *hooks, const HdBlock *block, bool starts); // CORE_BLOCKS
void core_hooks_on_warp(CacheHooks *hooks, const HdWarp *warp, bool starts);    // CORE_WARPS
// Event: a memory instruction issues.
void core_hooks_on_memory_issue(CacheHooks *hooks,
                                const HdMemoryInstruction *instruction); // CORE_MEMORY
// Event: a memory instruction is done.
void core_hooks_on_memory_done(CacheHooks *hooks, const HdMemoryDone *done); // CORE_MEMORY_DONE
// Event: an instruction of the program issues. Question: the spare register from which a warp's
// next instruction is moved; HD_PASS: none (CORE_ISSUE).
void core_hooks_on_issue(CacheHooks *hooks, const HdIssued *issued);
HdSpare core_hooks_decide_move(CacheHooks *hooks, uint16_t warp_slot, const HdInstruction *load);
// The number of blocks of this kernel that the SM may hold at once. fit: the number for which it
// has room.
uint32_t core_hooks_decide_block_limit(CacheHooks *hooks, const HdKernel *kernel, uint32_t fit);
// Sets the warps that may issue (CORE_ISSUABLE); all, if no mechanism decides.
void core_hooks_decide_issuable(CacheHooks *hooks, const HdWarps *warps, HdIssuable *issuable);

// The order of the SM's warps (CORE_ORDER). false: no mechanism decides, and only ask_at is valid.
bool core_hooks_decide_order(CacheHooks *hooks, const HdWarps *warps, HdOrder *order);
// The warp that a scheduler tries (CORE_TURN): HD_WARP of a candidate, HD_ISSUE_NONE, or HD_PASS.
// *author: the mechanism that has answered last.
HdChoice core_hooks_decide_warp(CacheHooks *hooks, const HdTurn *turn,
                                const HookedMechanism **author);

// The hold point in front of the L1D (CORE_HOLD): the structures of its owner, whose name is
// returned.
const char *core_hooks_hold(const CacheHooks *hooks, HdHeld **held, uint32_t *capacity,
                            HdHoldQueue **queues, uint32_t *count);
// Question: the queue for the access in hooks->current.access; HD_PASS: the access waits.
HdQueue core_hooks_decide_queue(CacheHooks *hooks, const HdQueues *queues);
// Question: the queue from which the L1D takes the next access.
uint32_t core_hooks_decide_next(CacheHooks *hooks, const HdQueues *queues);

#endif
