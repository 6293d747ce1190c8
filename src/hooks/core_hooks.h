// The mechanisms at one SM's pipeline: they are those of its L1 (hooks.h), at the same sites.
//
// An SM without them tests one pointer where a block or warp comes or goes, and one flag where a
// warp could issue.
#ifndef HEDDLE_HOOKS_CORE_HOOKS_H
#define HEDDLE_HOOKS_CORE_HOOKS_H

#include "hooks/hooks.h"

enum { CORE_BLOCKS = 1, CORE_WARPS = 2, CORE_ALLOW = 4 }; // CacheHooks.core_wants

// What a mechanism is interested in.
uint32_t core_hooks_wants(const HookedMechanism *h);

// ---- called by the SM; `hooks` may be NULL ----

static inline bool core_hooks_want(const CacheHooks *hooks, uint32_t what)
{
    return hooks && hooks->core_wants & what;
}
void core_hooks_block(CacheHooks *hooks, const HdBlock *block, bool starts); // CORE_BLOCKS
void core_hooks_warp(CacheHooks *hooks, const HdWarp *warp, bool starts);    // CORE_WARPS
// Of how many blocks of this kernel the SM may hold at once, which has room for `fit`.
uint32_t core_hooks_limit(CacheHooks *hooks, const HdKernel *kernel, uint32_t fit);
// Which warps may issue (CORE_ALLOW); all of them where nobody decides.
void core_hooks_allow(CacheHooks *hooks, const HdWarps *warps, HdIssuable *allowed);

#endif
