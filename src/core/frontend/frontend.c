// Instruction fetch, and the buffers of decoded instructions.
#include "core/frontend/frontend.h"

#include "core/l1/l1_request.h"

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
    bool ok = f->filled && f->stall;
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

void frontend_want_any(Frontend *f, SmContext *sm, Warp *w)
{
    frontend_changed(f, sm);
    if (shared_store(f)) {
        warpset_remove(&f->following, w->id);
        warpset_add(&f->lookup_wanted, w->id);
    } else {
        warpset_add(&f->fetch_wanted, w->id);
    }
}

// Whether the next instruction may be elsewhere.
static bool is_branch(const UOp *op)
{
    UopControl control = uop_infos[op->code].control;
    return control == CONTROL_BRANCH || control == CONTROL_CALL || control == CONTROL_LEAVE;
}

// The number of instructions of a fetch, limited by fetch width, buffer, what it can `reach` and, in
// the warp's function, by the function's end.
static inline unsigned fetch_count(const Frontend *f, const Warp *w, uint32_t reach)
{
    unsigned count = reach < f->fetch_most ? reach : f->fetch_most;
    uint32_t first = w->fetch_pc - w->pc_base, ops = w->op_count;
    if (first < ops && count > ops - first) count = ops - first;
    return count;
}

// The same up to the first branch, with frontend.branch=stall.
__attribute__((noinline))
static unsigned count_to_branch(const Warp *w, unsigned count)
{
    uint32_t first = w->fetch_pc - w->pc_base;
    for (unsigned i = 0; first + i < w->op_count && i < count; i++)
        if (is_branch(&w->ops[first + i])) return i + 1;
    return count;
}

// The instructions that a fetch at this address can reach: one at least, even beyond its line.
static uint32_t reach_of(const SmContext *sm, uint64_t address)
{
    uint32_t line = (uint32_t)sm->config.l1i->line; // a power of two
    if (sm->config.frontend->cross_line) return INT32_MAX;
    uint32_t left = line - ((uint32_t)address & (line - 1));
    uint32_t size = sm->config.frontend->instruction_bytes;
    return left < size ? 1 : left / size;
}

MemRequest frontend_request(const Frontend *f, const SmContext *sm, uint32_t pc)
{
    return request_for_line(f->l1i.config, frontend_address(f, sm, pc), pc, MEM_INSTRUCTION);
}

static inline EventPayload fetched(const Warp *w, unsigned count)
{
    return (EventPayload){.fetched = {count, w->fetch_pc}};
}

__attribute__((noinline, cold))
static void decode_far(const Frontend *f, SmContext *sm, const Warp *w, unsigned count)
{
    if (!wheel_set(&sm->wheel, sm->now + f->decode, EVENT_FETCHED, w->id, fetched(w, count)))
        sm_out_of_memory(sm, "scheduling a fetch");
}

// Decodes the instructions of the warp's fetch.
static inline void decode(const Frontend *f, SmContext *sm, const Warp *w, uint32_t reach)
{
    unsigned count = fetch_count(f, w, reach);
    uint64_t time = sm->now + f->decode;
    if (f->to_branch) count = count_to_branch(w, count);
    if (!wheel_has_room(&sm->wheel, time)) {
        decode_far(f, sm, w, count);
        return;
    }
    uint32_t event = wheel_take_free(&sm->wheel, EVENT_FETCHED, w->id, fetched(w, count));
    wheel_append(&sm->wheel, event, time);
}

// The fetch has stalled in the L1I.
__attribute__((noinline, cold))
static void note_stall(Frontend *f, SmContext *sm, const Warp *w)
{
    CacheStall reason = f->l1i.stall.reason;
    if (cache_out_of_memory(f->l1i.cache)) sm_out_of_memory(sm, "recording the lines of the L1I");
    f->l1i.count.stalls[reason]++; // the next cycle's try may be another warp's
    f->stall[w->id] = (uint8_t)reason;
    f->stalled++;
}

__attribute__((noinline, cold))
static void request_line(Frontend *f, SmContext *sm, uint32_t pc)
{
    *queue_add(&f->l1i.misses) = frontend_request(f, sm, pc);
    if (f->l15) l15_schedule(f->l15, sm);
}

// The warp waits for its instructions.
static inline void begin_fetch(Frontend *f, Warp *w, unsigned words)
{
    f->stalled = 0;
    w->fetching = true;
    warpset_remove(&f->fetch_wanted, words > 1 ? w->id : w->id % 64);
}

// A fetch whose outcome is not that of the last one.
__attribute__((noinline))
static void fetch_apart(Frontend *f, SmContext *sm, Warp *w, uint64_t address, CacheOutcome outcome)
{
    if (outcome == CACHE_STALLED) {
        note_stall(f, sm, w);
        return;
    }
    begin_fetch(f, w, f->set_words);
    if (outcome == CACHE_HIT) decode(f, sm, w, reach_of(sm, address));
    else if (outcome == CACHE_MISS) request_line(f, sm, w->fetch_pc);
}

// Looks up a fetch that is not from the same sector as the last one. Returns whether it is to be
// made as from there: it hits, and f->last_hit is its sector. Otherwise it is made.
__attribute__((noinline))
static bool look_up(Frontend *f, SmContext *sm, Warp *w)
{
    const FrontendConfig *c = sm->config.frontend;
    uint32_t pc = w->fetch_pc;
    uint64_t address = frontend_address(f, sm, pc);
    CacheOutcome outcome = CACHE_HIT;
    if (!c->perfect && !controller_load_hits(&f->l1i, address)) {
        f->last_hit.count = 0;
        outcome = controller_load_missing(&f->l1i, address, w->id,
                                          (CacheUser){.cycle = sm->now, .user = w});
    } else if (f->per_sector) {
        uint32_t first = pc - pc % f->per_sector;
        uint32_t reach = c->cross_line ? INT32_MAX : f->per_line - first % f->per_line;
        f->last_hit = (FetchSector){.first = first, .count = f->per_sector, .reach = reach};
        return true;
    }
    fetch_apart(f, sm, w, address, outcome);
    return false;
}

// Fetches the instructions that the warp wants from the L1I. A stalled fetch is tried again.
__attribute__((always_inline))
static inline void fetch_for(Frontend *f, SmContext *sm, Warp *w, unsigned words)
{
    sm->count.sm.fetches++;
    if (w->fetch_pc - f->last_hit.first < f->last_hit.count) controller_count_load_hit(&f->l1i);
    else if (!look_up(f, sm, w)) return;
    begin_fetch(f, w, words);
    decode(f, sm, w, f->last_hit.first + f->last_hit.reach - w->fetch_pc);
}

// Gives the warp that waits longest the instructions of the line that has arrived.
__attribute__((noinline, cold))
static void take_filled(Frontend *f, SmContext *sm, const Blocks *blocks)
{
    Warp *w = &blocks->warps[f->filled[f->filled_first]];
    f->filled_first = f->filled_first + 1 < f->filled_capacity ? f->filled_first + 1 : 0;
    f->filled_count--;
    begin_fetch(f, w, f->set_words);
    decode(f, sm, w, reach_of(sm, frontend_address(f, sm, w->fetch_pc)));
}

// The warp slot that fetches next: round robin.
static inline unsigned next_slot(const Frontend *f, unsigned words)
{
    if (words > 1) return warpset_next(&f->fetch_wanted, words, (f->fetch_last + 1) % (words * 64));
    uint64_t wanted = f->fetch_wanted.word[0], later = wanted & ~UINT64_C(1) << f->fetch_last;
    return (unsigned)__builtin_ctzll(later ? later : wanted);
}

// Reclaims exited warps, round robin, up to a warp that fetches, which it returns. NULL: there is
// none.
__attribute__((noinline, cold))
static Warp *reclaim(Frontend *f, const Issue *issue, const Blocks *blocks, unsigned words)
{
    do {
        unsigned slot = next_slot(f, words);
        Warp *w = &blocks->warps[slot];
        if (w->live) return w;
        warpset_remove(&f->fetch_wanted, slot);
        sm_reclaim_warp(issue->sm, w);
    } while (warpset_any(&f->fetch_wanted, words));
    return NULL;
}

// words: Frontend.set_words.
__attribute__((always_inline))
static inline void fetch_wanted(Frontend *f, SmContext *sm, const Issue *issue,
                                const Blocks *blocks, unsigned words)
{
    for (unsigned left = f->fetches; left; left--) {
        if (!warpset_any(&f->fetch_wanted, words)) return;
        if (f->filled_count) {
            take_filled(f, sm, blocks);
            continue;
        }
        Warp *w = &blocks->warps[next_slot(f, words)];
        if (!w->live && !(w = reclaim(f, issue, blocks, words))) return;
        f->fetch_last = w->id;
        fetch_for(f, sm, w, words);
    }
}

void frontend_count_stalls(Frontend *f, SmContext *sm, uint64_t until)
{
    if (!f->blocked || until <= f->blocked_since) return;
    uint64_t tries = (until - f->blocked_since) * sm->config.frontend->fetches;
    unsigned warps = warpset_count(&f->fetch_wanted, f->set_words);
    uint64_t rounds = tries / warps, rest = tries % warps;
    for (unsigned k = 0; rounds && k < f->set_words; k++)
        for (uint64_t left = f->fetch_wanted.word[k]; left; left &= left - 1)
            f->l1i.count.stalls[f->stall[k * 64 + (unsigned)__builtin_ctzll(left)]] += rounds;
    for (; rest; rest--) { // the round that has begun
        f->fetch_last = next_slot(f, f->set_words);
        f->l1i.count.stalls[f->stall[f->fetch_last]]++;
    }
    sm->count.sm.fetches += tries;
    f->blocked_since = until;
}

// Whether all warps that may fetch have stalled: then nothing changes their outcome but what calls
// frontend_changed.
__attribute__((noinline))
static void note_blocked(Frontend *f, const SmContext *sm, unsigned words)
{
    if (f->filled_count || f->stalled < warpset_count(&f->fetch_wanted, words)) return;
    f->blocked = true;
    f->blocked_since = sm->now + 1;
    f->blocked_room = queue_room(&f->l1i.misses);
    f->due = UINT64_MAX;
}

// As frontend_cycle, in unusual cases, or with tries that are made although they stall (--no-skip).
__attribute__((noinline))
static void cycle_of_any(Frontend *f, SmContext *sm, Issue *issue, const Blocks *blocks)
{
    unsigned words = f->set_words;
    if (f->blocked) frontend_changed(f, sm);
    if (shared_store(f)) store_cycle(f, sm, issue, blocks);
    fetch_wanted(f, sm, issue, blocks, words);
    bool look_ups = warpset_any(&f->lookup_wanted, words);
    f->due = look_ups || warpset_any(&f->fetch_wanted, words) ? 0 : UINT64_MAX;
    if (f->stalled && !look_ups) note_blocked(f, sm, words);
}

void frontend_cycle(Frontend *f, SmContext *sm, Issue *issue, const Blocks *blocks)
{
    if (f->blocked || !f->usual) {
        cycle_of_any(f, sm, issue, blocks);
        return;
    }
    fetch_wanted(f, sm, issue, blocks, 1);
    f->due = f->fetch_wanted.word[0] ? 0 : UINT64_MAX;
    if (f->stalled) note_blocked(f, sm, 1);
}

void frontend_drop_fetched(Frontend *f, SmContext *sm, Warp *w, unsigned count)
{
    sm->count.sm.wrong_path_fetches++;
    sm->count.sm.instructions_flushed += count;
    frontend_want(f, sm, w, w->fetch_pc);
}

void frontend_flush(Frontend *f, SmContext *sm, Warp *w)
{
    sm->count.sm.wrong_path_fetches += w->buffer_pc == w->fetch_pc;
    if (shared_store(f)) {
        store_release(f, w);
    } else {
        sm->count.sm.instructions_flushed += w->buffered;
        w->buffered = 0;
    }
    frontend_want(f, sm, w, warp_pc(w));
}

void frontend_redirect(Frontend *f, SmContext *sm, Warp *w)
{
    if (sm->functional || !w->live) return;
    if (shared_store(f)) {
        frontend_give_up(f, w);
        frontend_want(f, sm, w, warp_pc(w));
    } else if (!w->buffered) {
        frontend_want(f, sm, w, warp_pc(w));
    } else if (!warp_has_instruction(w)) {
        frontend_flush(f, sm, w);
    }
}

void frontend_fill(Frontend *f, SmContext *sm, const Blocks *blocks, const MemReply *reply)
{
    frontend_changed(f, sm);
    f->last_hit.count = 0;
    uint64_t line = sm->config.l1i->line, address = reply->line;
    CacheVictim clean;
    unsigned count = controller_fill(&f->l1i, address, 1, sm->now, reply, &clean);
    for (unsigned i = 0; i < count; i++) {
        Warp *w = &blocks->warps[f->l1i.tokens[i]];
        w->fetching = false;
        warpset_add(&f->fetch_wanted, w->id);
        if (sm->config.frontend->fill != FILL_FORWARD) continue;
        // A warp that has been redirected since may need another line.
        if (frontend_address(f, sm, w->fetch_pc) / line != address / line) continue;
        unsigned at = f->filled_first + f->filled_count++;
        f->filled[at < f->filled_capacity ? at : at - f->filled_capacity] = w->id;
    }
}

void frontend_abandon(Frontend *f, SmContext *sm, const Blocks *blocks)
{
    for (unsigned i = 0; i < blocks->warp_slots; i++) {
        Warp *w = &blocks->warps[i];
        if (w->istore_entry) store_release(f, w);
        sm->count.sm.instructions_flushed += w->buffered;
        w->buffered = 0;
        w->istore_age = 0;
    }
    for (uint32_t i = 0; shared_store(f) && i < f->istore.sets * f->istore.ways; i++)
        f->istore.entries[i].claim = 0;
    f->fetch_wanted = f->lookup_wanted = f->instruction_store_blocked = (WarpSet){0};
    f->following = (WarpSet){0};
    f->filled_count = 0;
    f->blocked = false;
}
