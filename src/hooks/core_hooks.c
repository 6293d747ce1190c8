// The mechanisms at one SM's pipeline: the calls.
#include "hooks/core_hooks.h"

#include <string.h>

uint32_t core_hooks_wants(const HookedMechanism *h)
{
    const HdCoreHooks *core = h->core;
    if (!core) return 0;
    return (core->block_starts || core->block_ends ? CORE_BLOCKS : 0) |
           (core->warp_starts || core->warp_ends ? CORE_WARPS : 0) |
           (core->allow ? CORE_ALLOW : 0);
}

void core_hooks_block(CacheHooks *hooks, const HdBlock *block, bool starts)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        void (*told)(HdSite *, const HdBlock *) =
            starts ? h->core->block_starts : h->core->block_ends;
        if (told) told(&h->site, block);
    }
}

void core_hooks_warp(CacheHooks *hooks, const HdWarp *warp, bool starts)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        void (*told)(HdSite *, const HdWarp *) = starts ? h->core->warp_starts : h->core->warp_ends;
        if (told) told(&h->site, warp);
    }
}

uint32_t core_hooks_limit(CacheHooks *hooks, const HdKernel *kernel, uint32_t fit)
{
    uint32_t limit = 0;
    for (unsigned i = 0; hooks && !limit && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->core->blocks) limit = h->core->blocks(&h->site, kernel, fit);
    }
    return limit && limit < fit ? limit : fit;
}

void core_hooks_allow(CacheHooks *hooks, const HdWarps *warps, HdAllowed *allowed)
{
    bool decided = false;
    uint64_t again = UINT64_MAX;
    for (unsigned i = 0; !decided && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->core->allow) continue;
        *allowed = (HdAllowed){.again = UINT64_MAX};
        decided = h->core->allow(&h->site, warps, allowed);
        if (allowed->again < again) again = allowed->again;
    }
    allowed->again = again;
    if (decided) return;
    memset(&allowed->loads, 0xff, sizeof allowed->loads);
    memset(&allowed->anything, 0xff, sizeof allowed->anything);
}
