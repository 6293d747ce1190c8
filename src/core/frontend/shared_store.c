// How warps use the shared store of decoded instructions (istore.h).
//
// A warp whose next instruction is not the following one in its entry looks for it in the cycle of
// the issue, and fetches it if the store does not have it. After a branch that is the last
// instruction of its entry, the warp looks for the instruction that follows (frontend.branch).
// While the warp is blocked at a barrier, or throttled, it points to no entry: the warps that it
// waits for may need it.
#include "core/frontend/frontend.h"

static uint32_t block_of(const SmContext *sm, const Warp *w)
{
    return w->fetch_pc / instructions_per_entry(sm);
}

// The warps that found no entry look again.
static void wake_blocked(Frontend *f)
{
    for (unsigned k = 0; k < f->set_words; k++) {
        f->lookup_wanted.word[k] |= f->instruction_store_blocked.word[k];
        f->instruction_store_blocked.word[k] = 0;
    }
}

static void point_to(Frontend *f, SmContext *sm, Issue *issue, Warp *w, StoreEntry *entry)
{
    istore_hold(&f->istore, entry, w->istore_age);
    if (w->istore_age) wake_blocked(f); // the others can claim the entry now
    w->istore_age = 0;
    w->istore_entry = (uint32_t)(entry - f->istore.entries) + 1;
    w->buffer_pc = w->fetch_pc;
    w->buffered = 1;
    warp_classify(issue, sm, w);
}

void store_cycle(Frontend *f, SmContext *sm, Issue *issue, const Blocks *blocks)
{
    for (unsigned i = 0; i < sm->config.frontend->store_lookups; i++) {
        if (!warpset_any(&f->lookup_wanted, f->set_words)) return;
        unsigned from = f->lookup_last + 1 < blocks->warp_slots ? f->lookup_last + 1 : 0;
        unsigned slot = warpset_next(&f->lookup_wanted, f->set_words, from);
        f->lookup_last = slot;
        warpset_remove(&f->lookup_wanted, slot);
        Warp *w = &blocks->warps[slot];
        StoreEntry *entry = istore_find(&f->istore, block_of(sm, w));
        sm->count.sm.instruction_store_lookups++;
        sm->count.sm.instruction_store_hits += entry != NULL;
        sm->count.sm.instruction_store_misses += !entry;
        if (entry) point_to(f, sm, issue, w, entry);
        else warpset_add(&f->fetch_wanted, slot);
    }
}

void store_decoded(Frontend *f, SmContext *sm, Issue *issue, Warp *w)
{
    uint32_t block = block_of(sm, w);
    StoreEntry *entry = istore_find(&f->istore, block); // another warp may have fetched it
    uint64_t age = w->istore_age ? w->istore_age : f->next_istore_age;
    if (!entry) entry = istore_place(&f->istore, block, age);
    if (entry) {
        point_to(f, sm, issue, w, entry);
        return;
    }
    if (!w->istore_age) w->istore_age = f->next_istore_age++;
    issue_set_aside(issue, w); // the warps that point to the entries must be able to issue
    sm->count.sm.instruction_store_blocked++;
    warpset_add(&f->instruction_store_blocked, w->id);
}

void store_release(Frontend *f, Warp *w)
{
    StoreEntry *entry = &f->istore.entries[w->istore_entry - 1];
    w->istore_entry = 0;
    w->buffered = 0;
    if (istore_release(entry)) wake_blocked(f);
}

void store_advance(Frontend *f, const SmContext *sm, Warp *w, uint32_t pc)
{
    bool runs = w->live && !w->at_barrier, last = (pc + 1) % instructions_per_entry(sm) == 0;
    if (runs && !last && warp_pc(w) == pc + 1) {
        w->buffer_pc = pc + 1;
        return;
    }
    store_release(f, w);
    if (runs) frontend_want(f, sm, w, last ? frontend_after(sm, w, pc) : warp_pc(w));
}

void frontend_woken(Frontend *f, const SmContext *sm, Warp *w)
{
    // The last warp to arrive at a barrier wakes itself before it has moved on from its entry.
    if (shared_store(f) && !w->istore_entry) frontend_want(f, sm, w, warp_pc(w));
}
