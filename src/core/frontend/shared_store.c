// How warps use the shared store of decoded instructions (istore.h).
//
// A warp whose next instruction is not the following one in its entry looks for it in the cycle of
// the issue, and fetches it if the store does not have it. After a branch that is the last
// instruction of its entry, the warp looks for the instruction that follows (frontend.branch).
// While the warp is blocked at a barrier, or throttled, it points to no entry: the warps that it
// waits for may need it.
//
// Warps that have issued together and go on at one instruction, and those of a pair that start
// together, share a look-up and, if it misses, the fetch: the first one fetches, and the others
// follow it.
#include "core/frontend/frontend.h"

static uint32_t block_of(const SmContext *context, const Warp *w)
{
    return w->fetch.pc / instructions_per_entry(context);
}

// The warps that found no entry look again.
static void wake_blocked(Frontend *f)
{
    for (unsigned k = 0; k < f->set_words; k++) {
        if (f->instruction_store_blocked.word[k]) f->due = 0;
        f->lookup_wanted.word[k] |= f->instruction_store_blocked.word[k];
        f->instruction_store_blocked.word[k] = 0;
    }
}

static void point_to(Frontend *f, SmContext *context, Issue *issue, Warp *w, StoreEntry *entry)
{
    istore_hold(&f->istore, entry, w->store.age);
    if (w->store.age) wake_blocked(f); // the others can claim the entry now
    w->store.age = 0;
    w->store.index = (uint32_t)(entry - f->istore.entries) + 1;
    w->fetch.buffer_pc = w->fetch.pc;
    w->fetch.buffered = 1;
    warp_fetched(issue, context, w);
}

// Removes from the set a warp that issued together with `w`, and wants the same static instruction
// `pc`; NULL: there is none.
static Warp *take_next(const Frontend *f, const Blocks *blocks, WarpSet *set, const Warp *w,
                       uint32_t pc)
{
    for (unsigned k = 0; k < f->set_words; k++)
        for (uint64_t bits = set->word[k]; bits; bits &= bits - 1) {
            Warp *other = &blocks->warps[k * 64 + (unsigned)__builtin_ctzll(bits)];
            if (other->group.number != w->group.number || other->fetch.pc != pc) continue;
            warpset_remove(set, other->id);
            return other;
        }
    return NULL;
}

// The warps that share the look-up of `w`.
static void share_look_up(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks,
                          const Warp *w, StoreEntry *entry)
{
    Warp *other;
    while ((other = take_next(f, blocks, &f->lookup_wanted, w, w->fetch.pc))) {
        context->count.groups.shared_lookups++;
        if (entry) point_to(f, context, issue, other, entry);
        else warpset_add(&f->following, other->id);
    }
}

void store_cycle(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks)
{
    for (unsigned i = 0; i < context->config.frontend->store_lookups; i++) {
        if (!warpset_any(&f->lookup_wanted, f->set_words)) return;
        issue_count_slots(issue, context, context->now + 1); // of this cycle, before warps change
        unsigned from = f->lookup_last + 1 < blocks->warp_slots ? f->lookup_last + 1 : 0;
        unsigned slot = warpset_next(&f->lookup_wanted, f->set_words, from);
        f->lookup_last = slot;
        warpset_remove(&f->lookup_wanted, slot);
        Warp *w = &blocks->warps[slot];
        StoreEntry *entry = istore_find(&f->istore, block_of(context, w));
        context->count.sm.instruction_store_lookups++;
        context->count.sm.instruction_store_hits += entry != NULL;
        context->count.sm.instruction_store_misses += !entry;
        if (issue->grouped) share_look_up(f, context, issue, blocks, w, entry);
        if (entry) {
            point_to(f, context, issue, w, entry);
            continue;
        }
        f->stalled = 0; // the tries of all warps count anew
        warpset_add(&f->fetch_wanted, slot);
    }
}

// The warp points to the entry that it has fetched, or waits for one. NULL: it waits.
static StoreEntry *point_to_fetched(Frontend *f, SmContext *context, Issue *issue, Warp *w)
{
    uint32_t block = block_of(context, w);
    StoreEntry *entry = istore_find(&f->istore, block); // another warp may have fetched it
    uint64_t age = w->store.age ? w->store.age : f->next_istore_age;
    if (!entry) entry = istore_place(&f->istore, block, age);
    if (entry) {
        point_to(f, context, issue, w, entry);
        return entry;
    }
    if (!w->store.age) w->store.age = f->next_istore_age++;
    issue_set_aside(issue, w); // the warps that point to the entries must be able to issue
    context->count.sm.instruction_store_blocked++;
    warpset_add(&f->instruction_store_blocked, w->id);
    return NULL;
}

void store_decoded(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks, Warp *w,
                   uint32_t pc)
{
    StoreEntry *entry = NULL;
    context->count.sm.instructions_decoded += instructions_per_entry(context);
    if (pc == w->fetch.pc) {
        entry = point_to_fetched(f, context, issue, w);
    } else { // the warp has been redirected since
        context->count.sm.wrong_path_fetches++;
        frontend_want(f, context, w, w->fetch.pc);
    }
    Warp *other;
    while (issue->grouped && (other = take_next(f, blocks, &f->following, w, pc))) {
        if (entry) point_to(f, context, issue, other, entry);
        else warpset_add(&f->lookup_wanted, other->id);
        f->due = 0;
    }
}

void store_release(Frontend *f, Warp *w)
{
    StoreEntry *entry = &f->istore.entries[w->store.index - 1];
    w->store.index = 0;
    w->fetch.buffered = 0;
    if (istore_release(entry)) wake_blocked(f);
}

void store_advance(Frontend *f, SmContext *context, Warp *w, uint32_t pc)
{
    bool runs = w->flags.live && !w->flags.at_barrier,
        last = (pc + 1) % instructions_per_entry(context) == 0;
    if (runs && !last && warp_pc(w) == pc + 1) {
        w->fetch.buffer_pc = pc + 1;
        return;
    }
    store_release(f, w);
    if (runs) frontend_want(f, context, w, last ? frontend_after(f, w, pc) : warp_pc(w));
}

void frontend_woken(Frontend *f, SmContext *context, Warp *w)
{
    // The last warp to arrive at a barrier wakes itself before it has moved on from its entry.
    if (shared_store(f) && !w->store.index) frontend_want(f, context, w, warp_pc(w));
}
