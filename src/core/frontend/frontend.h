// The front end: instruction fetch through the L1I, decode, and buffers of decoded instructions,
// per warp or in a store that all warps share (istore.h).
#ifndef HEDDLE_CORE_FRONTEND_FRONTEND_H
#define HEDDLE_CORE_FRONTEND_FRONTEND_H

#include "core/blocks/blocks.h"
#include "core/frontend/istore.h"
#include "core/issue/classify.h"
#include "core/l1/l15.h"
#include "core/warpset.h"

// The sector of the L1I that the last fetch has hit. Until another one is looked up or filled, all
// fetches from it hit, and change nothing in the cache.
typedef struct FetchSector {
    uint32_t first;  // static instruction
    uint32_t count;  // number of its instructions; 0: the next fetch is looked up
    uint32_t reach;  // number of instructions that a fetch of the first one can reach
} FetchSector;

struct Frontend {
    uint64_t due; // 0: the fetch stage may act in the next cycle; else UINT64_MAX
    FetchSector last_hit;
    bool usual;          // each warp has a buffer, and one word of sets is in use
    bool blocked;        // tries are not made, from blocked_since on
    unsigned stalled;    // tries in a row that stalled
    bool to_branch;      // frontend.branch = stall
    bool falls_through;  // frontend.branch = fall-through
    unsigned fetches, decode; // of FrontendConfig
    // Instructions in a sector and a line of the L1I. 0: they cross its sectors, fetches are not
    // looked up, or warps share the decoded instructions.
    uint32_t per_sector, per_line;
    unsigned fetch_most; // instructions that a fetch can bring into a warp's buffer
    unsigned fetch_last, lookup_last; // warp slots served last
    unsigned set_words;  // words of these sets in use
    // Sets of warp slots.
    WarpSet fetch_wanted;   // warps that may fetch
    WarpSet lookup_wanted;  // shared store: warps that must look up their next instruction
    WarpSet instruction_store_blocked; // shared store: warps that wait for an entry
    WarpSet following; // shared store: warps that wait for the fetch of another of their group
    InstructionStore istore;
    uint64_t next_istore_age;
    CacheController l1i;
    L15 *l15; // serves its misses; NULL: the network does
    // The warps that may fetch try in turn, each cycle. After all of them have stalled in the L1I,
    // their tries are counted and not made, until something changes (frontend_changed).
    uint8_t *stall;         // by warp slot: CacheStall of its last try
    uint64_t blocked_since;
    uint32_t blocked_room;  // of the L1I's miss queue then
    // frontend.fill = forward: a ring of the warp slots that wait for their part of a line. They
    // are in fetch_wanted, too.
    uint16_t *filled;
    unsigned filled_first, filled_count, filled_capacity;
    // core.warp_exit = fetch: slots of exited warps to which this cycle's fetches have come, for
    // the SM to reclaim.
    uint16_t *exited;
    unsigned exited_count;
};

// The L1I's queue is already a port's. false: out of memory.
bool frontend_init(Frontend *f, const SmConfig *config, HdTables *tables, uint64_t seed,
                   HdError *err);
void frontend_free(Frontend *f);
void frontend_begin(Frontend *f, const Blocks *blocks);

// Counts the tries that were not made before this cycle, while all warps that may fetch stall.
void frontend_count_stalls(Frontend *f, SmContext *context, uint64_t until);
// A try may succeed from now on, because the L1I or the warps that may fetch change.
static inline void frontend_changed(Frontend *f, SmContext *context)
{
    if (f->blocked) frontend_count_stalls(f, context, context->now);
    f->blocked = false;
    f->stalled = 0;
    f->due = 0;
}
// A request has left the SM.
static inline void frontend_sent(Frontend *f, SmContext *context)
{
    if (f->blocked && queue_room(&f->l1i.misses) > f->blocked_room) frontend_changed(f, context);
}

// The warp has exited. The fetch stage adds it to `exited` when it comes to it.
static inline void frontend_reclaim(Frontend *f, SmContext *context, const Warp *w)
{
    frontend_changed(f, context);
    warpset_add(&f->fetch_wanted, w->id);
}

// frontend_want if there is a shared store, or while fetches are not tried.
void frontend_want_any(Frontend *f, SmContext *context, Warp *w);
// Requests static instruction `pc` for a warp, by a look-up in the shared store or a fetch. After a
// branch it need not be the warp's next instruction (frontend.branch).
static inline void frontend_want(Frontend *f, SmContext *context, Warp *w, uint32_t pc)
{
    w->fetch.pc = pc;
    if (w->fetch.in_flight || context->functional) return;
    if (f->blocked || !f->usual) {
        frontend_want_any(f, context, w);
        return;
    }
    f->stalled = 0; // the tries of all warps count anew
    f->due = 0;
    f->fetch_wanted.word[0] |= UINT64_C(1) << w->id;
}
// Drops all decoded and wanted instructions; no fetch is in flight.
void frontend_abandon(Frontend *f, SmContext *context, const Blocks *blocks);
// Fills an instruction line that has arrived.
void frontend_fill(Frontend *f, SmContext *context, const Blocks *blocks, const MemReply *reply);
// Decoded instructions of a warp that has been redirected since its fetch are dropped.
void frontend_drop_fetched(Frontend *f, SmContext *context, Warp *w, unsigned count);
// Drops the warp's buffered instructions, which are not its next ones, and requests those.
void frontend_flush(Frontend *f, SmContext *context, Warp *w);
// The warp has moved to another instruction without issuing.
void frontend_redirect(Frontend *f, SmContext *context, Warp *w);

// What the warp fetches after instruction `pc`, which has issued and was the last one buffered.
static inline uint32_t frontend_after(const Frontend *f, const Warp *w, uint32_t pc)
{
    return f->falls_through ? pc + 1 : warp_pc(w);
}

// The request for the line of a static instruction.
MemRequest frontend_request(const Frontend *f, const SmContext *context, uint32_t pc);

// ---- shared_store.c: with frontend.buffer=shared-store ----

static inline bool shared_store(const Frontend *f) { return f->istore.entries; }
static inline uint32_t instructions_per_entry(const SmContext *context)
{
    return frontend_fetch_instructions(context->config.frontend);
}
// The address of a static instruction in instruction memory, outside all guest allocations; with a
// shared store, of the entry that has it.
static inline uint64_t frontend_address(const Frontend *f, const SmContext *context, uint32_t pc)
{
    if (shared_store(f)) pc -= pc % instructions_per_entry(context);
    return (UINT64_C(1) << 44) + (uint64_t)pc * context->config.frontend->instruction_bytes;
}
// Looks up the next instructions of warps.
void store_cycle(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks);
// The instructions that the warp fetched at static instruction `pc` are decoded.
void store_decoded(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks, Warp *w,
                   uint32_t pc);
// The instructions that the warp fetched at static instruction `pc` are decoded.
static inline void frontend_fetched(Frontend *f, SmContext *context, Issue *issue,
                                    const Blocks *blocks, Warp *w, unsigned count, uint32_t pc)
{
    w->fetch.in_flight = false;
    if (shared_store(f)) {
        store_decoded(f, context, issue, blocks, w, pc);
        return;
    }
    context->count.sm.instructions_decoded += count;
    if (pc != w->fetch.pc) {
        frontend_drop_fetched(f, context, w, count);
        return;
    }
    w->fetch.buffer_pc = pc;
    w->fetch.buffered = (uint8_t)count;
    if (w->injector) warp_fetched(issue, context, w);
    else warp_classify_here(issue, context, w);
}
void store_advance(Frontend *f, SmContext *context, Warp *w, uint32_t pc);
// The warp releases its entry.
void store_release(Frontend *f, Warp *w);
// The warp may continue after a barrier or a sleep (with or without a shared store).
void frontend_woken(Frontend *f, SmContext *context, Warp *w);
// The warp has issued static instruction `pc`. The instruction that follows is buffered, or is
// requested. Buffered instructions other than the warp's next one stay until frontend_flush.
static inline void frontend_advance(Frontend *f, SmContext *context, Warp *w, uint32_t pc)
{
    if (shared_store(f)) {
        store_advance(f, context, w, pc);
        return;
    }
    w->fetch.buffered--;
    w->fetch.buffer_pc++;
    if (!w->flags.live) {
        context->count.sm.instructions_flushed += w->fetch.buffered;
        w->fetch.buffered = 0;
    } else if (!w->fetch.buffered) {
        frontend_want(f, context, w, frontend_after(f, w, pc));
    }
}
// A throttled warp releases its entry, so that it does not block the others' instructions.
static inline void frontend_give_up(Frontend *f, Warp *w)
{
    if (w->store.index) store_release(f, w);
}

#endif
