// The start and end of blocks and warps.
#include "core/sm/pipeline.h"

#include "core/execute/simt.h"
#include "core/trace_warp.h"

#include <string.h>

static void report_warp(Sm *sm, const Warp *w, bool starts)
{
    if (!core_hooks_want(sm->hooks, CORE_WARPS)) return;
    HdWarp seen = warp_for_mechanism(w);
    seen.cycle = sm->context.now;
    core_hooks_on_warp(sm->hooks, &seen, starts);
}

static void report_block(Sm *sm, const Block *block, bool starts)
{
    if (!core_hooks_want(sm->hooks, CORE_BLOCKS)) return;
    const uint32_t *grid = sm->context.launch->grid, *at = block->exec.index;
    HdBlock seen = {.number = at[0] + ((uint64_t)at[1] + (uint64_t)at[2] * grid[1]) * grid[0],
                    .cycle = sm->context.now, .slot = block->slot, .warps = block->warps};
    core_hooks_on_block(sm->hooks, &seen, starts);
}

static bool start_warp(Sm *sm, Block *block, unsigned index, uint64_t threads)
{
    SmContext *context = &sm->context;
    Warp *w = &sm->blocks.warps[block->first_warp + index];
    unsigned width = context->config.core->width;
    uint64_t left = threads - (uint64_t)index * width;
    const PtxFunction *kernel = context->launch->kernel;
    if (kernel->reads_unset) memset(w->values.slots, 0, (size_t)kernel->frame_slots * SLOT_BYTES);
    if (kernel->frame_predicates)
        memset(w->values.predicates, 0, kernel->frame_predicates * sizeof *w->values.predicates);
    w->block = block;
    w->age = sm->blocks.next_age++;
    issue_note_start(w);
    // A pair that starts together shares its first look-up.
    issue_group_start(&sm->issue, w, context->config.core->paired && index && w->id % 2);
    w->fetch.buffered = 0;
    w->fetch.in_flight = w->flags.at_barrier = false;
    w->turns.count = 0;
    if (sm->injector) injector_start(sm->injector, w);
    w->exec.block = &block->exec;
    w->exec.warp_in_block = index;
    w->exec.carry = 0;
    if (kernel->allocates) exec_stack_start(&w->exec);
    if (!simt_start(context, w, lanes_all(left < width ? (unsigned)left : width))) return false;
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_start(trace, context, w);
    sm->blocks.warps_live++;
    context->warp_changes++;
    context->count.sm.warps++;
    w->issue.since = context->now;
    work_start(context, w->id);
    warp_classify(&sm->issue, context, w);
    frontend_want(&sm->frontend, context, w, warp_pc(w));
    report_warp(sm, w, true);
    return true;
}

// Stops the SM behind this cycle if only the dispatcher knows whether it starts a block in the
// next one.
static void stop_for_dispatch(Sm *sm)
{
    if (blocks_wait_for_dispatch(&sm->blocks)) sm->until = 0;
}

bool sm_start_block(Sm *sm)
{
    SmContext *context = &sm->context;
    const SmLaunch *launch = context->launch;
    issue_count_cycles(&sm->issue, context, &sm->blocks, context->now);
    uint64_t number = blocks_pop(&sm->blocks);
    unsigned slot = 0;
    while (sm->blocks.blocks[slot].live) slot++;
    Block *block = &sm->blocks.blocks[slot];
    if (!block->placed && !blocks_place(&sm->blocks, context, slot)) return false;
    block->live = true;
    block->ended = block->finished = 0;
    block->warps = sm->blocks.warps_per_block;
    memset(block->barriers, 0, sizeof block->barriers);
    memset(block->exec.shared, 0, block->exec.total_shared);
    block->exec.index[0] = (uint32_t)(number % launch->grid[0]);
    block->exec.index[1] = (uint32_t)(number / launch->grid[0] % launch->grid[1]);
    block->exec.index[2] = (uint32_t)(number / launch->grid[0] / launch->grid[1]);
    sm->blocks.blocks_live++;
    context->count.sm.blocks++;
    report_block(sm, block, true);
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    bool independent = context->config.core->divergence == DIVERGENCE_ITS;
    block->participants = independent ? (uint32_t)threads : block->warps;
    for (unsigned i = 0; i < block->warps; i++)
        if (!start_warp(sm, block, i, threads)) return false;
    stop_for_dispatch(sm);
    return true;
}

// end: the first cycle in which the warp is not on the SM.
static void finish_warp(Sm *sm, Warp *w, uint64_t end)
{
    SmContext *context = &sm->context;
    Block *block = w->block;
    warp_count_wait(context, w, w->pc_base + w->pc);
    SmTrace *trace = trace_of(context, w->id);
    if (trace) trace_end(trace, context);
    issue_count_cycles(&sm->issue, context, &sm->blocks, end);
    sm->blocks.warps_live--;
    report_warp(sm, w, false);
    if (++block->finished < block->warps) return;
    report_block(sm, block, false);
    block->live = false;
    sm->blocks.blocks_live--;
    sm->blocks.blocks_done++;
    sm->blocks.last_end = context->now + 1;
    stop_for_dispatch(sm);
}

void sm_check_warp_end(Sm *sm, Warp *w)
{
    if (w->flags.live || w->scoreboard.count || w->memory.stores || w->memory.atomics ||
        w->memory.loads)
        return;
    if (sm->context.config.core->warp_exit == WARP_EXIT_FETCH && !sm->context.functional)
        frontend_reclaim(&sm->frontend, &sm->context, w);
    else
        finish_warp(sm, w, sm->context.now);
}

void sm_reclaim_warp(Sm *sm, Warp *w)
{
    w->issue.since--; // this cycle has been counted among the warp's
    finish_warp(sm, w, sm->context.now + 1);
}
