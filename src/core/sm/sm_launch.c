// The launches of an SM: beginning, blocks, and counters.
#include "core/sm/pipeline.h"

#include "core/bounds.h"
#include "core/trace_warp.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- counters ----

// Makes tables of this size. The storage of wait rows is reused. false: out of memory; then `pcs`
// is NULL.
static bool new_tables(Sm *sm, size_t allocations, size_t pcs)
{
    SmContext *context = &sm->context;
    SmTables *count = &context->count;
    free(count->l1d_allocations);
    free(count->pcs);
    free(count->waited.lists);
    count->l1d_allocations = NULL;
    count->pcs = NULL;
    count->waited.lists = NULL;
    context->allocations = context->pcs = context->first_pc = context->end_pc = 0;
    if (!waits_init(&count->waited, pcs) || !bounds_resize(&context->bounds, pcs)) return false;
    count->l1d_allocations = hd_new(allocations + 1, sizeof *count->l1d_allocations);
    if (!count->l1d_allocations) return false;
    count->pcs = hd_new(pcs, sizeof *count->pcs); // last: renew_tables asks for it
    if (!count->pcs) return false;
    context->allocations = allocations;
    context->pcs = context->end_pc = pcs;
    return true;
}

// Clears the counters that the last launch may have changed: sm_collect and sm_move_rows have
// cleared the rows of allocations and instructions. Tables of the right size are reused.
static bool renew_tables(Sm *sm, const SmLaunch *launch, size_t allocations, size_t pcs)
{
    SmContext *context = &sm->context;
    SmTables *count = &context->count;
    bool fit = count->pcs && context->allocations == allocations && context->pcs == pcs;
    if (!fit && !new_tables(sm, allocations, pcs)) return false;
    size_t first = context->first_pc, end = context->end_pc;
    if (fit) waits_clear(&count->waited, first, end);
    bounds_clear(&context->bounds, first, end);
    *count = (SmTables){.l1d_allocations = count->l1d_allocations, .pcs = count->pcs,
                        .waited = count->waited};
    sm->port.links = (LinkFlits){0};
    for (unsigned c = 0; c < SM_CACHES; c++) sm_controller(sm, c)->count = (CacheCounters){0};
    context->first_pc = launch->first_pc;
    context->end_pc = launch->end_pc;
    return true;
}

bool sm_begin(Sm *sm, const SmLaunch *launch, uint64_t start, size_t allocations, size_t pcs,
              HdError *err)
{
    SmContext *context = &sm->context;
    context->err = err;
    context->launch = launch;
    context->functional = false;
    if (context->work) context->work[0] = (HdWork){0};
    context->failed = false; // an earlier launch that the host had no memory for
    // The dispatcher may need a cycle before the first block can start.
    bool cycle = context->config.launch->dispatch == DISPATCH_CYCLE;
    context->now = cycle ? start : start - 1;
    wheel_turn(&context->wheel, context->now - context->now % WHEEL_WORD);
    sm->blocks.blocks_done = 0;
    sm->blocks.last_end = start;
    sm->blocks.block_limit = launch->blocks_per_sm;
    sm->blocks.waits_for_dispatch = cycle;
    sm->stopped = false; // an earlier launch that failed
    sm->functional_begin = sm->functional_steps;
    sm->engine_turn = context->id % sm->port.map.slices;
    issue_begin(&sm->issue, context, &sm->operands, start, sm->injector);
    sm->port.queued.due = 0;
    if (!renew_tables(sm, launch, allocations, pcs))
        return hd_fail_memory(err, "beginning a launch");
    if (!lsu_begin(&sm->lsu, context)) return hd_fail_memory(err, "building an SM");
    sm->blocks.added_slots = sm->injector ? injector_slots(launch->spare_registers) : 0;
    if (!l1d_begin(&sm->l1d, context, err) || !blocks_begin(&sm->blocks, context) ||
        !sm_begin_injector(sm))
        return false;
    frontend_begin(&sm->frontend, &sm->blocks);
    return true;
}

void sm_count_to(Sm *sm, uint64_t end, bool ended)
{
    SmContext *context = &sm->context;
    if (!ended) sm_count_waits(sm, end);
    frontend_count_stalls(&sm->frontend, context, end);
    issue_count_to(&sm->issue, context, &sm->blocks, end);
    if (sm->blocks.blocks_done) sm->issue.turns = sm->blocks.last_end - sm->issue.turn_zero;
    SmTables *c = &context->count;
    for (size_t pc = context->first_pc; pc < context->end_pc; pc++) {
        c->sm.warp_instructions += c->pcs[pc].issued;
        c->sm.thread_instructions += c->pcs[pc].lanes;
    }
}

void sm_move_rows(Sm *sm, size_t first, size_t end, PcCounters *rows)
{
    for (size_t pc = first; pc < end; pc++)
        stats_move(&pc_table, &rows[pc], &sm->context.count.pcs[pc]);
}

bool sm_collect(Sm *sm, SmTables *total)
{
    SmContext *context = &sm->context;
    SmTables *c = &context->count;
    for (size_t a = 0; a <= context->allocations; a++)
        access_move(&total->l1d_allocations[a], &c->l1d_allocations[a]);
    for (unsigned i = 0; i < SM_CACHES; i++) c->caches[i] = sm_controller(sm, i)->count;
    sm_tables_add(total, c);
    uint32_t none = (uint32_t)context->allocations;
    return waits_add(&total->waited, &c->waited, context->first_pc, context->end_pc, none, none);
}

bool sm_begin_part(Sm *sm)
{
    const SmContext *context = &sm->context;
    work_keep_stalls(sm);
    return renew_tables(sm, context->launch, context->allocations, context->pcs);
}

uint64_t sm_instructions(const Sm *sm)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i <= HD_MAX_LANES; i++) sum += sm->context.count.lanes[i];
    return sum;
}

// ---- blocks ----

void sm_decide_block_limit(Sm *sm, const HdKernel *kernel)
{
    if (sm->stopped) return;
    sm->blocks.block_limit =
        core_hooks_decide_block_limit(sm->hooks, kernel, sm->blocks.block_slots);
}

unsigned sm_block_limit(const Sm *sm) { return sm->blocks.block_limit; }

uint64_t sm_stopped_until(const Sm *sm) { return l1d_stopped_until(&sm->l1d); }
void sm_stop_prefetches(Sm *sm, uint64_t until) { sm->l1d.others_stopped_until = until; }
unsigned sm_blocks_held(const Sm *sm) { return sm->blocks.blocks_live + sm->blocks.queue_count; }
uint64_t sm_blocks_done(const Sm *sm) { return sm->blocks.blocks_done; }
uint64_t sm_frame_bytes(const Sm *sm) { return sm->context.frame_bytes; }
void sm_drop_storage(Sm *sm) { blocks_drop_storage(&sm->blocks, &sm->context.config); }
uint64_t sm_storage_after(const Sm *sm, const BlockBytes *next, uint64_t blocks)
{
    return blocks_storage_after(&sm->blocks, next, blocks);
}
void sm_limit_frames(Sm *sm, uint64_t bytes) { sm->context.frame_limit = bytes; }
uint64_t sm_last_end(const Sm *sm) { return sm->blocks.last_end; }
bool sm_waits_for_dispatch(const Sm *sm) { return blocks_wait_for_dispatch(&sm->blocks); }
void sm_no_more_blocks(Sm *sm) { sm->blocks.waits_for_dispatch = false; }
void sm_queue_block(Sm *sm, uint64_t block) { blocks_push(&sm->blocks, block); }

// ---- interface of the GPU to the SM ----

StoreLog *sm_store_log(Sm *sm) { return sm->context.log; }
LinkFlits sm_links(const Sm *sm) { return sm->port.links; }
uint64_t sm_now(const Sm *sm) { return sm->context.now; }
SmFault sm_fault_of(const Sm *sm) { return sm->context.fault; }
bool sm_trace(Sm *sm, SmTrace *trace, HdError *err)
{
    const SmCache shown[] = {SM_L1D, SM_L1C, SM_L1R}; // accesses of operations
    bool ok = true;
    sm->context.trace = trace;
    for (unsigned i = 0; ok && i < sizeof shown / sizeof *shown; i++)
        ok = trace_watch_cache(&sm->context, sm_controller(sm, shown[i]), err);
    if (!ok) sm->context.trace = NULL;
    return ok;
}

bool sm_each_cache(Sm *sm, CacheVisit *visit, void *self, HdError *err)
{
    for (SmCache c = 0; c < SM_CACHES; c++) {
        CachePlace place = {.name = sm_cache_names[c].key, .owner = OWNER_SM,
                            .index = sm->context.id, .number = c};
        if (c == SM_L15 && !sm->l15.on) continue;
        if (!visit(self, &place, sm_controller(sm, c), err)) return false;
    }
    return true;
}
