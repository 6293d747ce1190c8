// The fetch stage: what a fetch brings, the L1I, and fetches that stall.
#include "core/frontend/fetch.h"

#include "core/l1/l1_request.h"

// Whether the next instruction may be elsewhere.
static bool is_branch(const UOp *op)
{
    UopControl control = uop_infos[op->code].control;
    return control == CONTROL_BRANCH || control == CONTROL_CALL || control == CONTROL_LEAVE;
}

// `count` up to the first branch, of a fetch with frontend.branch = stall.
static unsigned count_to_branch(const Warp *w, unsigned count)
{
    uint32_t first = w->fetch.pc - w->pc_base;
    for (unsigned i = 0; first + i < w->op_count && i < count; i++)
        if (is_branch(&w->ops[first + i])) return i + 1;
    return count;
}

void fetch_decode_any(const Frontend *f, SmContext *context, const Warp *w, unsigned count)
{
    if (f->to_branch) count = count_to_branch(w, count);
    if (!wheel_set(&context->wheel, context->now + f->decode, EVENT_FETCHED, w->id,
                   fetch_event(w, count)))
        sm_out_of_memory(context, "scheduling a fetch");
}

// The instructions that a fetch at this address can reach: one at least, even beyond its line.
static uint32_t reach_of(const SmContext *context, uint64_t address)
{
    uint32_t line = (uint32_t)context->config.l1i->line; // a power of two
    if (context->config.frontend->cross_line) return INT32_MAX;
    uint32_t left = line - ((uint32_t)address & (line - 1));
    uint32_t size = context->config.frontend->instruction_bytes;
    return left < size ? 1 : left / size;
}

MemRequest frontend_request(const Frontend *f, const SmContext *context, uint32_t pc)
{
    return request_for_line(f->l1i.config, frontend_address(f, context, pc), pc, MEM_INSTRUCTION);
}

// The fetch has stalled in the L1I.
__attribute__((noinline, cold))
static void note_stall(Frontend *f, SmContext *context, const Warp *w)
{
    CacheStall reason = f->l1i.stall.reason;
    if (cache_out_of_memory(f->l1i.cache))
        sm_out_of_memory(context, "recording the lines of the L1I");
    // Of this try alone: the next cycle's may be another warp's.
    controller_count_stall(&f->l1i, reason, 1, (CacheUser){.cycle = context->now, .user = w});
    f->stall[w->id] = (uint8_t)reason;
    f->stalled++;
}

__attribute__((noinline, cold))
static void request_line(Frontend *f, SmContext *context, uint32_t pc)
{
    *queue_add(&f->l1i.misses) = frontend_request(f, context, pc);
    if (f->l15) l15_schedule(f->l15, context);
}

// A fetch with another outcome than the last one.
__attribute__((noinline))
static void fetch_apart(Frontend *f, SmContext *context, Warp *w, uint64_t address,
                        CacheOutcome outcome)
{
    if (outcome == CACHE_STALLED) {
        note_stall(f, context, w);
        return;
    }
    fetch_begin(f, w, f->set_words);
    if (outcome == CACHE_HIT) fetch_decode(f, context, w, reach_of(context, address));
    else if (outcome == CACHE_MISS) request_line(f, context, w->fetch.pc);
}

bool fetch_look_up(Frontend *f, SmContext *context, Warp *w)
{
    const FrontendConfig *c = context->config.frontend;
    uint32_t pc = w->fetch.pc;
    uint64_t address = frontend_address(f, context, pc);
    CacheOutcome outcome = CACHE_HIT;
    if (!c->perfect && !controller_load_hits(&f->l1i, address)) {
        f->last_hit.count = 0;
        outcome = controller_load_missing(&f->l1i, address, w->id,
                                          (CacheUser){.cycle = context->now, .user = w});
    } else if (f->per_sector) {
        uint32_t first = pc - pc % f->per_sector;
        uint32_t reach = c->cross_line ? INT32_MAX : f->per_line - first % f->per_line;
        f->last_hit = (FetchSector){.first = first, .count = f->per_sector, .reach = reach};
        return true;
    }
    fetch_apart(f, context, w, address, outcome);
    return false;
}

void fetch_take_filled(Frontend *f, SmContext *context, const Blocks *blocks)
{
    Warp *w = &blocks->warps[f->filled[f->filled_first]];
    f->filled_first = f->filled_first + 1 < f->filled_capacity ? f->filled_first + 1 : 0;
    f->filled_count--;
    fetch_begin(f, w, f->set_words);
    fetch_decode(f, context, w, reach_of(context, frontend_address(f, context, w->fetch.pc)));
}

Warp *fetch_pass_exited(Frontend *f, const Blocks *blocks)
{
    do {
        unsigned slot = fetch_next_slot(f, f->set_words);
        Warp *w = &blocks->warps[slot];
        if (w->flags.live) return w;
        warpset_remove(&f->fetch_wanted, slot);
        f->exited[f->exited_count++] = (uint16_t)slot;
    } while (warpset_any(&f->fetch_wanted, f->set_words));
    return NULL;
}

void frontend_count_stalls(Frontend *f, SmContext *context, uint64_t until)
{
    if (!f->blocked || until <= f->blocked_since) return;
    uint64_t tries = (until - f->blocked_since) * context->config.frontend->fetches;
    unsigned warps = warpset_count(&f->fetch_wanted, f->set_words);
    uint64_t rounds = tries / warps, rest = tries % warps;
    CacheUser user = {.cycle = until}; // each warp in turn
    for (unsigned k = 0; rounds && k < f->set_words; k++)
        for (uint64_t left = f->fetch_wanted.word[k]; left; left &= left - 1)
            controller_count_stall(&f->l1i, f->stall[k * 64 + (unsigned)__builtin_ctzll(left)],
                                   rounds, user);
    for (; rest; rest--) { // the round that has begun
        f->fetch_last = fetch_next_slot(f, f->set_words);
        controller_count_stall(&f->l1i, f->stall[f->fetch_last], 1, user);
    }
    context->count.sm.fetches += tries;
    f->blocked_since = until;
}

void fetch_note_blocked(Frontend *f, const SmContext *context)
{
    if (f->filled_count || f->stalled < warpset_count(&f->fetch_wanted, f->set_words)) return;
    f->blocked = true;
    f->blocked_since = context->now + 1;
    f->blocked_room = queue_room(&f->l1i.misses);
    f->due = UINT64_MAX;
}

void fetch_cycle_any(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks)
{
    unsigned words = f->set_words;
    if (f->blocked) frontend_changed(f, context);
    if (shared_store(f)) store_cycle(f, context, issue, blocks);
    fetch_wanted(f, context, blocks, words);
    bool look_ups = warpset_any(&f->lookup_wanted, words);
    f->due = look_ups || warpset_any(&f->fetch_wanted, words) ? 0 : UINT64_MAX;
    if (f->stalled && !look_ups) fetch_note_blocked(f, context);
}
