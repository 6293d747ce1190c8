// How warps use the shared store of decoded instructions (istore.h).
//
// A warp whose next instruction does not follow in the entry to which it points looks for it in
// the cycle of the issue, and fetches it where it is not there. While it stands at a barrier, or a
// mechanism holds it back, it points to none: those it waits for may need the place.
#include "core/sm_internal.h"

static uint32_t block_of(const Sm *sm, const Warp *w)
{
    return (w->pc_base + w->pc) / instructions_per_entry(sm);
}

// Those who found no place look again.
static void wake_blocked(Sm *sm)
{
    for (unsigned k = 0; k < sm->place_words; k++) {
        sm->lookup_wanted.word[k] |= sm->store_blocked.word[k];
        sm->store_blocked.word[k] = 0;
    }
}

static void point_to(Sm *sm, Warp *w, StoreEntry *entry)
{
    istore_hold(&sm->istore, entry, w->store_age);
    if (w->store_age) wake_blocked(sm); // the others can claim the entry now
    w->store_age = 0;
    w->store_entry = (uint32_t)(entry - sm->istore.entries) + 1;
    w->buffer_pc = w->pc_base + w->pc;
    w->buffered = 1;
    warp_classify(sm, w);
}

void store_cycle(Sm *sm)
{
    for (unsigned i = 0; i < sm->config.frontend->store_lookups; i++) {
        if (!warpset_any(&sm->lookup_wanted, sm->place_words)) return;
        unsigned from = sm->lookup_last + 1 < sm->warp_places ? sm->lookup_last + 1 : 0;
        unsigned place = warpset_next(&sm->lookup_wanted, sm->place_words, from);
        sm->lookup_last = place;
        warpset_remove(&sm->lookup_wanted, place);
        Warp *w = &sm->warps[place];
        StoreEntry *entry = istore_find(&sm->istore, block_of(sm, w));
        sm->count.sm.istore_lookups++;
        sm->count.sm.istore_hits += entry != NULL;
        sm->count.sm.istore_misses += !entry;
        if (entry) point_to(sm, w, entry);
        else warpset_add(&sm->fetch_wanted, place);
    }
}

void store_decoded(Sm *sm, Warp *w)
{
    uint32_t block = block_of(sm, w);
    StoreEntry *entry = istore_find(&sm->istore, block); // another warp's may have come before
    uint64_t age = w->store_age ? w->store_age : sm->next_store_age;
    if (!entry) entry = istore_place(&sm->istore, block, age);
    if (entry) {
        point_to(sm, w, entry);
        return;
    }
    if (!w->store_age) w->store_age = sm->next_store_age++;
    issue_set_aside(sm, w); // those that point to the entries must be able to issue
    sm->count.sm.istore_blocked++;
    warpset_add(&sm->store_blocked, w->id);
}

void store_give_up(Sm *sm, Warp *w)
{
    StoreEntry *entry = &sm->istore.entries[w->store_entry - 1];
    w->store_entry = 0;
    w->buffered = 0;
    if (istore_release(entry)) wake_blocked(sm);
}

void store_advance(Sm *sm, Warp *w, uint32_t pc)
{
    bool follows = w->live && !w->at_barrier && w->pc_base + w->pc == pc + 1 &&
                   (pc + 1) % instructions_per_entry(sm);
    if (follows) {
        w->buffer_pc = pc + 1;
        return;
    }
    store_give_up(sm, w);
    if (w->live && !w->at_barrier) frontend_want(sm, w);
}

void store_woken(Sm *sm, Warp *w)
{
    // The last one to arrive wakes itself before it has moved on from its entry.
    if (shared_store(sm) && !w->store_entry) frontend_want(sm, w);
}
