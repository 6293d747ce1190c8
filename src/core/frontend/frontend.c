// The buffers of decoded instructions, and which warps want others.
#include "core/frontend/frontend.h"

#include "base/memory.h"

#include <stdlib.h>

bool frontend_init(Frontend *f, const SmConfig *config, HdTables *tables, uint64_t seed,
                   HdError *err)
{
    const FrontendConfig *c = config->frontend;
    f->next_istore_age = 1;
    f->fetches = c->fetches;
    f->decode = c->decode;
    f->to_branch = c->branch == BRANCH_STALL;
    f->falls_through = c->branch == BRANCH_FALL_THROUGH;
    bool simple = !c->perfect && c->buffer == BUFFER_PER_WARP;
    if (simple && config->l1i->sector % c->instruction_bytes == 0) {
        f->per_sector = (uint32_t)(config->l1i->sector / c->instruction_bytes);
        f->per_line = (uint32_t)(config->l1i->line / c->instruction_bytes);
    }
    f->fetch_most = frontend_fetch_instructions(c);
    if (f->fetch_most > c->entries) f->fetch_most = c->entries;
    f->filled_capacity = config->core->threads / config->core->width;
    f->filled = hd_tables_new(tables, f->filled_capacity, sizeof *f->filled);
    f->stall = hd_tables_new(tables, f->filled_capacity, sizeof *f->stall);
    f->exited = hd_tables_new(tables, f->filled_capacity, sizeof *f->exited);
    bool ok = f->filled && f->stall && f->exited;
    if (c->buffer == BUFFER_SHARED_STORE)
        ok = ok && istore_init(&f->istore, c->store_entries, c->store_ways, tables);
    if (!ok) return hd_fail_memory(err, "building an SM");
    return controller_init(&f->l1i, config->l1i, "l1i", tables, seed, err);
}

void frontend_free(Frontend *f)
{
    controller_free(&f->l1i);
}

void frontend_begin(Frontend *f, const Blocks *blocks)
{
    f->fetch_last = f->lookup_last = 0;
    f->set_words = (blocks->warp_slots + 63) / 64;
    f->usual = f->set_words <= 1 && !shared_store(f);
    f->due = UINT64_MAX;
    f->blocked = false;
    f->stalled = 0;
    f->last_hit = (FetchSector){0}; // the launches between may have changed the L1I
}

void frontend_want_any(Frontend *f, SmContext *context, Warp *w)
{
    frontend_changed(f, context);
    if (shared_store(f)) {
        warpset_remove(&f->following, w->id);
        warpset_add(&f->lookup_wanted, w->id);
    } else {
        warpset_add(&f->fetch_wanted, w->id);
    }
}

void frontend_drop_fetched(Frontend *f, SmContext *context, Warp *w, unsigned count)
{
    context->count.sm.wrong_path_fetches++;
    context->count.sm.instructions_flushed += count;
    frontend_want(f, context, w, w->fetch.pc);
}

void frontend_flush(Frontend *f, SmContext *context, Warp *w)
{
    context->count.sm.wrong_path_fetches += w->fetch.buffer_pc == w->fetch.pc;
    if (shared_store(f)) {
        store_release(f, w);
    } else {
        context->count.sm.instructions_flushed += w->fetch.buffered;
        w->fetch.buffered = 0;
    }
    frontend_want(f, context, w, warp_pc(w));
}

void frontend_redirect(Frontend *f, SmContext *context, Warp *w)
{
    if (context->functional || !w->flags.live) return;
    if (shared_store(f)) {
        frontend_give_up(f, w);
        frontend_want(f, context, w, warp_pc(w));
    } else if (!w->fetch.buffered) {
        frontend_want(f, context, w, warp_pc(w));
    } else if (!warp_has_instruction(w)) {
        frontend_flush(f, context, w);
    }
}

void frontend_fill(Frontend *f, SmContext *context, const Blocks *blocks, const MemReply *reply)
{
    frontend_changed(f, context);
    f->last_hit.count = 0;
    uint64_t line = context->config.l1i->line, address = reply->line;
    CacheVictim clean;
    unsigned count = controller_fill(&f->l1i, address, 0, context->now, reply, &clean);
    for (unsigned i = 0; i < count; i++) {
        Warp *w = &blocks->warps[f->l1i.tokens[i]];
        w->fetch.in_flight = false;
        warpset_add(&f->fetch_wanted, w->id);
        if (context->config.frontend->fill != FILL_FORWARD) continue;
        // A warp that has been redirected since may need another line.
        if (frontend_address(f, context, w->fetch.pc) / line != address / line) continue;
        unsigned at = f->filled_first + f->filled_count++;
        f->filled[at < f->filled_capacity ? at : at - f->filled_capacity] = w->id;
    }
}

void frontend_abandon(Frontend *f, SmContext *context, const Blocks *blocks)
{
    for (unsigned i = 0; i < blocks->warp_slots; i++) {
        Warp *w = &blocks->warps[i];
        if (w->store.index) store_release(f, w);
        context->count.sm.instructions_flushed += w->fetch.buffered;
        w->fetch.buffered = 0;
        w->store.age = 0;
    }
    for (uint32_t i = 0; shared_store(f) && i < f->istore.sets * f->istore.ways; i++)
        f->istore.entries[i].claim = 0;
    f->fetch_wanted = f->lookup_wanted = f->instruction_store_blocked = (WarpSet){0};
    f->following = (WarpSet){0};
    f->filled_count = 0;
    f->blocked = false;
}
