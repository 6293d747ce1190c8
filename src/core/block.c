// Blocks: their places on the SM, the start and end of their warps, and barriers.
#include "core/its.h"
#include "core/sm_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// From this size on a store is in pages that come as they are touched: a kernel may ask for far
// more local memory, or deeper recursion, than it uses.
enum { PAGES_FROM = 1 << 20 };

static void store_free(void *store, size_t bytes)
{
    if (bytes >= PAGES_FROM) hd_pages_free(store, bytes);
    else free(store);
}

// Makes *store at least `count * size` bytes, zeroed when it grows. Never NULL, also where a kernel
// needs nothing of it: warps point into it.
static bool store_fit(void **store, size_t *have, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return false;
    if (*store && bytes <= *have) return true;
    void *grown =
        bytes >= PAGES_FROM ? hd_pages_new(bytes) : hd_new_aligned(bytes ? bytes : 1, 1, 64);
    if (!grown) return false;
    store_free(*store, *have);
    *store = grown;
    *have = bytes;
    return true;
}

// What one warp of the launch needs at most: its own frame and the deepest chain of callees, or,
// where calls recurse, core.stack frames of the largest function, as long as a thread's local
// memory fits its window of the generic addresses.
typedef struct WarpNeed {
    size_t frames, slots, predicates, params, local;
    size_t stack; // where what alloca gives begins in local memory
} WarpNeed;

// What alloca may take in all, per thread. CUDA's cudaLimitStackSize has no part in it.
enum { STACK_BYTES = 64 << 10 };

static WarpNeed frames_need(const Sm *sm)
{
    const PtxFunction *kernel = sm->launch->kernel;
    if (kernel->max_call_depth)
        return (WarpNeed){.frames = kernel->max_call_depth, .slots = kernel->max_call_slots,
                          .predicates = kernel->max_call_predicates,
                          .params = kernel->max_call_param_bytes,
                          .local = kernel->max_call_local};
    WarpNeed most = {0};
    for (size_t i = 0; i < sm->launch->module->function_count; i++) {
        const PtxFunction *f = &sm->launch->module->functions[i];
        if (f->entry && f != kernel) continue; // nothing calls it
        if (f->frame_slots > most.slots) most.slots = f->frame_slots;
        if (f->frame_predicates > most.predicates) most.predicates = f->frame_predicates;
        if (f->frame_param_bytes > most.params) most.params = f->frame_param_bytes;
        if (f->local_bytes > most.local) most.local = f->local_bytes;
    }
    size_t depth = sm->config.core->stack;
    size_t window = GUEST_WINDOW_SIZE - (kernel->allocates ? 2 * STACK_BYTES : 0);
    if (most.local && depth > window / most.local) depth = window / most.local;
    return (WarpNeed){.frames = depth, .slots = most.slots * depth,
                      .predicates = most.predicates * depth, .params = most.params * depth,
                      .local = most.local * depth};
}

static WarpNeed warp_need(const Sm *sm)
{
    WarpNeed need = frames_need(sm);
    if (!sm->launch->kernel->allocates) return need;
    need.stack = round_up(need.local, EXEC_STACK_HEAD);
    need.local = need.stack + EXEC_STACK_HEAD + STACK_BYTES;
    return need;
}

static uint64_t shared_bytes(const SmLaunch *launch)
{
    return launch->kernel->shared_bytes + launch->dynamic_shared;
}

static bool stores_fit(Sm *sm, const WarpNeed *need, unsigned warps)
{
    struct WarpStores *s = &sm->store;
    size_t width = sm->config.core->width;
    return store_fit(&s->slots, &s->slots_size, warps * need->slots, SLOT_BYTES) &&
           store_fit(&s->predicates, &s->predicates_size, warps * need->predicates,
                     sizeof(LaneMask)) &&
           store_fit(&s->frame_params, &s->frame_params_size, warps * need->params, width) &&
           store_fit(&s->local, &s->local_size, warps * need->local, width) &&
           store_fit(&s->frames, &s->frames_size, warps * need->frames, sizeof(Frame)) &&
           store_fit(&s->pending, &s->pending_size, warps * sm->scoreboard_words * 2, 8) &&
           store_fit(&s->shared, &s->shared_size, sm->block_places, shared_bytes(sm->launch) + 16);
}

static void warp_place(Sm *sm, unsigned id, const WarpNeed *need)
{
    Warp *w = &sm->warps[id];
    size_t width = sm->config.core->width;
    w->id = (uint16_t)id;
    w->scheduler = (uint16_t)(id % sm->schedulers);
    w->local = (uint16_t)(id / sm->schedulers);
    w->slots = (uint8_t *)sm->store.slots + id * need->slots * SLOT_BYTES;
    w->predicates = (LaneMask *)sm->store.predicates + id * need->predicates;
    w->frame_params = (uint8_t *)sm->store.frame_params + id * need->params * width;
    w->local_memory = (uint8_t *)sm->store.local + id * need->local * width;
    w->frames = (Frame *)sm->store.frames + id * need->frames;
    w->frame_capacity = (uint32_t)need->frames;
    w->pending = (uint64_t *)sm->store.pending + (size_t)id * 2 * sm->scoreboard_words;
    w->pending_memory = w->pending + sm->scoreboard_words;
    w->exec.frame_param_stride = (uint32_t)need->params;
    w->exec.local = w->local_memory;
    w->exec.local_stride = need->local;
    w->exec.stack = need->stack;
}

bool blocks_allocate(Sm *sm)
{
    const SmLaunch *launch = sm->launch;
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    sm->warps_per_block = (unsigned)divide_up(threads, sm->config.core->width);
    sm->block_places = launch->blocks_per_sm;
    sm->warp_places = sm->block_places * sm->warps_per_block;
    sm->place_words = (sm->warp_places + 63) / 64;
    uint32_t registers = 0;
    for (size_t i = 0; i < launch->module->function_count; i++)
        if (launch->module->functions[i].virtual_registers > registers)
            registers = launch->module->functions[i].virtual_registers;
    sm->scoreboard_words = registers / 64 + 1;
    WarpNeed need = warp_need(sm);
    if (!stores_fit(sm, &need, sm->warp_places)) return sm_out_of_memory(sm, "placing warps");
    for (unsigned b = 0; b < sm->block_places; b++) sm->blocks[b].placed = false;
    return true;
}

// Gives a block's place and its warps their stores, once in a launch: the places that a small grid
// does not need cost nothing. false: memory is out.
static bool block_place(Sm *sm, unsigned place)
{
    const SmLaunch *launch = sm->launch;
    Block *block = &sm->blocks[place];
    uint64_t bytes = shared_bytes(launch);
    block->placed = true;
    block->first_warp = (uint16_t)(place * sm->warps_per_block);
    block->exec = (ExecBlock){
        .dynamic_shared = (uint32_t)launch->dynamic_shared, .total_shared = (uint32_t)bytes,
        .shared = (uint8_t *)sm->store.shared + place * (bytes + 16),
        .params = launch->params, .param_bytes = launch->kernel->param_bytes,
        .constants = launch->constants, .const_bytes = launch->module->const_bytes,
        .textures = launch->textures,
        .sm = sm->id, .sm_count = launch->sms, .grid_id = launch->grid_id,
        .width = sm->config.core->width, .cooperation = launch->cooperation,
    };
    memcpy(block->exec.grid, launch->grid, sizeof launch->grid);
    memcpy(block->exec.block, launch->block, sizeof launch->block);
    WarpNeed need = warp_need(sm);
    bool its = sm->config.core->divergence == DIVERGENCE_ITS;
    for (unsigned i = 0; i < sm->warps_per_block; i++) {
        warp_place(sm, block->first_warp + i, &need);
        if (its && !its_place(&sm->warps[block->first_warp + i], need.slots))
            return sm_out_of_memory(sm, "placing warps");
    }
    memset(sm->warps[block->first_warp].pending, 0,
           (size_t)sm->warps_per_block * 2 * sm->scoreboard_words * 8);
    return true;
}

void blocks_free(Sm *sm)
{
    struct WarpStores *s = &sm->store;
    store_free(s->slots, s->slots_size);
    store_free(s->predicates, s->predicates_size);
    store_free(s->frame_params, s->frame_params_size);
    store_free(s->local, s->local_size);
    store_free(s->frames, s->frames_size);
    store_free(s->pending, s->pending_size);
    store_free(s->shared, s->shared_size);
    if (sm->warps)
        for (unsigned i = 0; i < sm->config.core->threads / sm->config.core->width; i++) {
            free(sm->warps[i].stack);
            its_free(sm->warps[i].its);
        }
}

static bool warp_start(Sm *sm, Block *block, unsigned place, unsigned index, uint64_t threads)
{
    Warp *w = &sm->warps[block->first_warp + index];
    unsigned width = sm->config.core->width;
    uint64_t left = threads - (uint64_t)index * width;
    const PtxFunction *kernel = sm->launch->kernel;
    if (kernel->frame_slots) memset(w->slots, 0, (size_t)kernel->frame_slots * SLOT_BYTES);
    if (kernel->frame_predicates)
        memset(w->predicates, 0, kernel->frame_predicates * sizeof *w->predicates);
    w->block = (uint16_t)place;
    w->age = sm->next_age++;
    w->buffered = 0;
    w->fetching = w->at_barrier = false;
    w->turns = 0;
    w->exec.block = &block->exec;
    w->exec.warp_in_block = index;
    w->exec.carry = 0;
    if (kernel->allocates) exec_stack_start(&w->exec);
    if (!simt_start(sm, w, lanes_all(left < width ? (unsigned)left : width))) return false;
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_start(trace, sm, w);
    sm->warps_live++;
    hold_news(sm);
    sm->count.sm.warps++;
    w->since = sm->now;
    warp_classify(sm, w);
    frontend_want(sm, w);
    if (core_hooks_want(sm->l1_hooks, CORE_WARPS)) {
        HdWarp seen = hold_warp(w);
        core_hooks_warp(sm->l1_hooks, &seen, true);
    }
    return true;
}

static void tell_block(Sm *sm, const Block *block, bool starts)
{
    const uint32_t *grid = sm->launch->grid, *at = block->exec.index;
    HdBlock seen = {.number = at[0] + ((uint64_t)at[1] + (uint64_t)at[2] * grid[1]) * grid[0],
                    .cycle = sm->now, .slot = (uint32_t)(block - sm->blocks),
                    .warps = block->warps};
    core_hooks_block(sm->l1_hooks, &seen, starts);
}

bool block_start(Sm *sm, uint64_t number)
{
    const SmLaunch *launch = sm->launch;
    unsigned place = 0;
    while (sm->blocks[place].live) place++;
    Block *block = &sm->blocks[place];
    if (!block->placed && !block_place(sm, place)) return false;
    block->live = true;
    block->ended = block->finished = 0;
    block->warps = sm->warps_per_block;
    memset(block->barriers, 0, sizeof block->barriers);
    memset(block->exec.shared, 0, block->exec.total_shared);
    block->exec.index[0] = (uint32_t)(number % launch->grid[0]);
    block->exec.index[1] = (uint32_t)(number / launch->grid[0] % launch->grid[1]);
    block->exec.index[2] = (uint32_t)(number / launch->grid[0] / launch->grid[1]);
    sm->blocks_live++;
    sm->count.sm.blocks++;
    if (core_hooks_want(sm->l1_hooks, CORE_BLOCKS)) tell_block(sm, block, true);
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    bool its = sm->config.core->divergence == DIVERGENCE_ITS;
    block->units = its ? (uint32_t)threads : block->warps;
    for (unsigned i = 0; i < block->warps; i++)
        if (!warp_start(sm, block, place, i, threads)) return false;
    return true;
}

void warp_check_end(Sm *sm, Warp *w)
{
    if (!w->live && !w->pending_count && !w->stores_out && !w->atomics_out && !w->loads_out)
        warp_finish(sm, w);
}

void warp_finish(Sm *sm, Warp *w)
{
    Block *block = &sm->blocks[w->block];
    warp_count(sm, w, w->pc_base + w->pc);
    SmTrace *trace = trace_of(sm, w->id);
    if (trace) trace_end(trace, sm);
    sm->warps_live--;
    if (core_hooks_want(sm->l1_hooks, CORE_WARPS)) {
        HdWarp seen = hold_warp(w);
        core_hooks_warp(sm->l1_hooks, &seen, false);
    }
    if (++block->finished < block->warps) return;
    if (core_hooks_want(sm->l1_hooks, CORE_BLOCKS)) tell_block(sm, block, false);
    block->live = false;
    sm->blocks_live--;
    sm->blocks_done++;
    sm->last_end = sm->now + 1;
}

// ---- barriers ----

// What bar.red gives: how many threads voted true, or whether all or any did.
static void barrier_result(const UOp *op, ExecWarp *x, LaneMask lanes, const Barrier *barrier)
{
    if (op->modifier == BAR_RED_POPC) {
        uint32_t *count = exec_operand(x, op->dst[0]);
        for (LaneMask m = lanes; m; m &= m - 1) count[lanes_first(m)] = barrier->votes_true;
        return;
    }
    bool all = barrier->votes_true == barrier->votes_counted, any = barrier->votes_true != 0;
    LaneMask *to = &x->predicates[op->dst[0]];
    *to = (op->modifier == BAR_RED_AND ? all : any) ? *to | lanes : *to & ~lanes;
}

// The same for the paths of a warp that stand at the barrier.
static void barrier_results(Warp *w, unsigned number, const Barrier *barrier)
{
    for (uint32_t i = 0; i < w->its->count; i++) {
        const Path *path = &w->its->paths[i];
        if (path->state != PATH_BARRIER || path->barrier != number) continue;
        const UOp *op = its_waits_at(w, path);
        ExecWarp x = its_values(w, path);
        if (op->modifier >= BAR_RED_POPC) barrier_result(op, &x, path->lanes, barrier);
    }
}

// Writes the result of bar.red to every warp of the barrier, and lets them go on.
static void barrier_release(Sm *sm, Block *block, unsigned number)
{
    Barrier *barrier = &block->barriers[number];
    for (unsigned i = 0; i < block->warps; i++) {
        Warp *w = &sm->warps[block->first_warp + i];
        if (w->live && w->its) {
            barrier_results(w, number, barrier);
            its_pass_barrier(sm, w, number);
            continue;
        }
        if (!w->live || !w->at_barrier || w->barrier != number) continue;
        const UOp *op = &w->ops[w->barrier_pc];
        if (op->modifier >= BAR_RED_POPC) barrier_result(op, &w->exec, w->barrier_lanes, barrier);
        warp_pass_barrier(sm, w);
        store_woken(sm, w);
    }
    memset(barrier, 0, sizeof *barrier);
    sm->count.sm.barriers++;
}

static bool barrier_complete(const Block *block, const Barrier *barrier)
{
    // What has ended counts as arrived at a barrier of the whole block.
    if (!barrier->arrived) return false;
    if (barrier->expected) return barrier->arrived >= barrier->expected;
    return barrier->arrived + block->ended >= block->units;
}

void barrier_check(Sm *sm, Block *block)
{
    for (unsigned i = 0; i < BLOCK_BARRIERS; i++)
        if (barrier_complete(block, &block->barriers[i])) barrier_release(sm, block, i);
}

bool barrier_arrive(Sm *sm, Warp *w, const UOp *op, LaneMask lanes)
{
    Block *block = &sm->blocks[w->block];
    unsigned first = lanes_first(lanes);
    uint32_t number = ((const uint32_t *)exec_operand(&w->exec, op->src[0]))[first];
    if (number >= BLOCK_BARRIERS)
        return sm_fault(sm, w, first, "barrier %u does not exist (0..%d)", number,
                        BLOCK_BARRIERS - 1);
    Barrier *barrier = &block->barriers[number];
    if (op->src[1] != OPERAND_NONE) {
        uint32_t threads = ((const uint32_t *)exec_operand(&w->exec, op->src[1]))[first];
        if (threads % sm->config.core->width)
            return sm_fault(sm, w, first,
                            "a barrier of %u threads; whole warps are needed, multiples of %u",
                            threads, sm->config.core->width);
        barrier->expected = w->its ? threads : threads / sm->config.core->width;
    }
    if (op->src[2] != OPERAND_NONE) {
        LaneMask votes = exec_predicate(&w->exec, op->src[2]);
        if (op->flags & UF_NEGATE_C) votes = ~votes;
        barrier->votes_true += lanes_count(votes & lanes);
        barrier->votes_counted += lanes_count(lanes);
    }
    barrier->arrived += w->its ? lanes_count(lanes) : 1;
    if (op->modifier != BAR_ARRIVE && w->its) {
        its_wait(w, PATH_BARRIER);
        w->its->paths[w->its->current].barrier = number;
    } else if (op->modifier != BAR_ARRIVE) {
        w->at_barrier = true;
        w->barrier = number;
        w->barrier_pc = (uint32_t)(op - w->ops);
        w->barrier_lanes = lanes;
        hold_news(sm);
    }
    return true;
}
