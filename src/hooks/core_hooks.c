// Calls to the mechanisms at one SM's pipeline.
#include "hooks/core_hooks.h"

#include <string.h>

uint32_t core_hooks_wants(const HookedMechanism *h)
{
    const HdCoreHooks *core = h->core;
    if (!core) return 0;
    bool by_warp = false, by_block = false;
    for (const HdStructure *s = h->planned->mechanism->structures; s && s->name; s++) {
        by_warp |= s->extent == HD_PER_WARP;
        by_block |= s->extent == HD_PER_BLOCK;
    }
    return (core->on_block_start || core->on_block_end || by_block ? CORE_BLOCKS : 0) |
           (core->on_warp_start || core->on_warp_end || by_warp ? CORE_WARPS : 0) |
           (core->decide_issuable ? CORE_ISSUABLE : 0) |
           (core->decide_order ? CORE_ORDER : 0) | (core->decide_warp ? CORE_TURN : 0) |
           (core->on_memory_issue ? CORE_MEMORY : 0) |
           (core->on_memory_done ? CORE_MEMORY_DONE : 0) |
           (core->on_issue || core->decide_move ? CORE_ISSUE : 0) |
           (core->on_wake ? CORE_WAKE : 0) |
           (core->decide_queue ? CORE_HOLD : 0) |
           (h->planned->mechanism->reads_work ? CORE_WORK : 0);
}

void core_hooks_on_block(CacheHooks *hooks, const HdBlock *block, bool starts)
{
    if (starts) cache_hooks_clear_slot(hooks, HD_PER_BLOCK, block->slot);
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        void (*hook)(HdPlace *, const HdBlock *) =
            starts ? h->core->on_block_start : h->core->on_block_end;
        if (hook) hook(&h->place, block);
    }
}

void core_hooks_on_warp(CacheHooks *hooks, const HdWarp *warp, bool starts)
{
    if (starts) cache_hooks_clear_slot(hooks, HD_PER_WARP, warp->slot);
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        void (*hook)(HdPlace *, const HdWarp *) =
            starts ? h->core->on_warp_start : h->core->on_warp_end;
        if (hook) hook(&h->place, warp);
    }
}

void core_hooks_on_memory_issue(CacheHooks *hooks, const HdMemoryInstruction *instruction)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->core->on_memory_issue) h->core->on_memory_issue(&h->place, instruction);
    }
}

void core_hooks_on_memory_done(CacheHooks *hooks, const HdMemoryDone *done)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->core->on_memory_done) h->core->on_memory_done(&h->place, done);
    }
}

void core_hooks_on_issue(CacheHooks *hooks, const HdIssued *issued)
{
    for (unsigned i = 0; i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->core->on_issue) h->core->on_issue(&h->place, issued);
    }
}

HdSpare core_hooks_decide_move(CacheHooks *hooks, uint16_t warp_slot, const HdInstruction *load)
{
    HdSpare spare = HD_PASS;
    for (unsigned i = 0; !spare && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->core->decide_move) spare = h->core->decide_move(&h->place, warp_slot, load);
    }
    return spare;
}

uint32_t core_hooks_decide_block_limit(CacheHooks *hooks, const HdKernel *kernel, uint32_t fit)
{
    uint32_t limit = 0;
    for (unsigned i = 0; hooks && !limit && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (h->core->decide_block_limit)
            limit = h->core->decide_block_limit(&h->place, kernel, fit);
    }
    return limit && limit < fit ? limit : fit;
}

static HookedMechanism *owner_of_hold(const CacheHooks *hooks)
{
    HookedMechanism *h = hooks->items;
    while (!h->core->decide_queue) h++;
    return h;
}

const char *core_hooks_hold(const CacheHooks *hooks, HdHeld **held, uint32_t *capacity,
                            HdHoldQueue **queues, uint32_t *count)
{
    const HookedMechanism *h = owner_of_hold(hooks);
    const HdStructure *s = h->planned->mechanism->structures;
    for (size_t i = 0; s[i].name; i++) {
        uint32_t entries = (uint32_t)cache_hooks_entries(hooks, h->planned, &s[i]);
        if (s[i].extent == HD_HELD) {
            *held = h->structures[i];
            *capacity = entries;
        } else if (s[i].extent == HD_HOLD_QUEUES) {
            *queues = h->structures[i];
            *count = entries;
        }
    }
    return h->planned->mechanism->name;
}

HdQueue core_hooks_decide_queue(CacheHooks *hooks, const HdQueues *queues)
{
    HookedMechanism *h = owner_of_hold(hooks);
    HdQueue answer = h->core->decide_queue(&h->place, &hooks->current.access, queues);
    if (answer <= queues->count && (answer != HD_PASS || queues->held)) return answer;
    cache_hooks_blame(hooks, h, WRONG_QUEUE);
    return HD_PASS;
}

// The first queue that holds an access.
static uint32_t first_filled(const HdQueues *queues)
{
    uint32_t word = 0;
    while (!queues->filled.word[word]) word++;
    return 64 * word + (uint32_t)__builtin_ctzll(queues->filled.word[word]);
}

uint32_t core_hooks_decide_next(CacheHooks *hooks, const HdQueues *queues)
{
    HookedMechanism *h = owner_of_hold(hooks);
    HdQueue answer = h->core->decide_next(&h->place, queues);
    if (answer == HD_PASS) return first_filled(queues);
    if (answer <= queues->count && queues->queues[answer - 1].length) return answer - 1;
    cache_hooks_blame(hooks, h, WRONG_NEXT);
    return first_filled(queues);
}

void core_hooks_decide_issuable(CacheHooks *hooks, const HdWarps *warps, HdIssuable *issuable)
{
    bool decided = false;
    uint64_t ask_at = UINT64_MAX;
    for (unsigned i = 0; !decided && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->core->decide_issuable) continue;
        *issuable = (HdIssuable){.ask_at = UINT64_MAX};
        decided = h->core->decide_issuable(&h->place, warps, issuable);
        if (issuable->ask_at < ask_at) ask_at = issuable->ask_at;
    }
    issuable->ask_at = ask_at;
    if (decided) return;
    memset(&issuable->loads, 0xff, sizeof issuable->loads);
    memset(&issuable->anything, 0xff, sizeof issuable->anything);
}

bool core_hooks_decide_order(CacheHooks *hooks, const HdWarps *warps, HdOrder *order)
{
    bool decided = false;
    uint64_t ask_at = UINT64_MAX;
    for (unsigned i = 0; !decided && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->core->decide_order) continue;
        *order = (HdOrder){.ask_at = UINT64_MAX};
        decided = h->core->decide_order(&h->place, warps, order);
        if (order->ask_at < ask_at) ask_at = order->ask_at;
    }
    order->ask_at = ask_at;
    return decided;
}

static bool may_choose(const HdTurn *turn, HdChoice choice)
{
    return choice == HD_ISSUE_NONE ||
           (choice <= HD_MAX_WARPS && hd_warps_have(turn->candidates, choice - 1));
}

static bool has_candidates(const HdTurn *turn)
{
    uint64_t any = 0;
    for (unsigned k = 0; k < HD_MAX_WARPS / 64; k++) any |= turn->candidates->word[k];
    return any;
}

HdChoice core_hooks_decide_warp(CacheHooks *hooks, const HdTurn *turn,
                                const HookedMechanism **author)
{
    HdChoice choice = HD_PASS;
    for (unsigned i = 0; choice == HD_PASS && i < hooks->count; i++) {
        HookedMechanism *h = &hooks->items[i];
        if (!h->core->decide_warp) continue;
        *author = h;
        choice = h->core->decide_warp(&h->place, turn);
        if (choice == HD_PASS || !has_candidates(turn) || may_choose(turn, choice)) continue;
        cache_hooks_blame(hooks, h, WRONG_WARP);
        return HD_PASS;
    }
    return choice;
}
