// The counters of launches: the result of each launch, the sums over all launches, and by kernel.
//
// The tables of a result have a row for each allocation and static instruction. A launch changes
// the rows of its kernel's instructions only, and only these are cleared and added up, because a
// program may have many kernels and many short launches. So the host provides the pages of the rows
// of instructions on first use.
#include "gpu/gpu_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- tables ----

// The rows of instructions for r->pc_capacity.
static void free_pc_rows(const LaunchResult *r)
{
    hd_pages_free(r->sm.pcs, r->pc_capacity * sizeof *r->sm.pcs);
    hd_pages_free(r->l2_pcs, r->pc_capacity * sizeof *r->l2_pcs);
}
static bool new_pc_rows(LaunchResult *r)
{
    r->sm.pcs = hd_pages_new(r->pc_capacity * sizeof *r->sm.pcs);
    r->l2_pcs = hd_pages_new(r->pc_capacity * sizeof *r->l2_pcs);
    return r->sm.pcs && r->l2_pcs;
}

bool launch_result_init(LaunchResult *r, const Machine *machine, size_t allocations, size_t pcs,
                        HdError *err)
{
    memset(r, 0, sizeof *r);
    r->sm.l1d_allocations = hd_new(allocations + 1, sizeof *r->sm.l1d_allocations);
    r->l2_allocations = hd_new(allocations + 1, sizeof *r->l2_allocations);
    r->sms = machine->gpu.sms;
    r->slices = machine->slice.count;
    r->sm_links = hd_new(r->sms, sizeof *r->sm_links);
    r->slice_links = hd_new(r->slices, sizeof *r->slice_links);
    r->allocations = r->allocation_capacity = allocations;
    r->pcs = r->pc_capacity = pcs;
    r->end_pc = pcs;
    bool made = waits_init(&r->sm.waited, pcs) && r->sm_links && r->slice_links;
    if (new_pc_rows(r) && made && r->sm.l1d_allocations && r->l2_allocations) return true;
    launch_result_free(r);
    return hd_fail_memory(err, "collecting counters");
}

void launch_result_free(LaunchResult *r)
{
    free(r->sm.l1d_allocations);
    waits_free(&r->sm.waited);
    free(r->l2_allocations);
    free_pc_rows(r);
    free(r->sm_links);
    free(r->slice_links);
    memset(r, 0, sizeof *r);
}

// Makes room for twice `wanted`, so that a program that allocates before every launch rarely pays.
static bool grow_rows(void *rows, size_t count, size_t wanted, size_t size)
{
    void *old, *larger = hd_new(2 * wanted, size);
    if (!larger) return false;
    memcpy(&old, rows, sizeof old);
    memcpy(larger, old, count * size);
    free(old);
    memcpy(rows, &larger, sizeof larger);
    return true;
}

static bool grow_pc_rows(LaunchResult *r, size_t wanted)
{
    LaunchResult larger = {.pc_capacity = 2 * wanted};
    if (!new_pc_rows(&larger)) {
        free_pc_rows(&larger);
        return false;
    }
    if (r->pcs) memcpy(larger.sm.pcs, r->sm.pcs, r->pcs * sizeof *r->sm.pcs);
    if (r->pcs) memcpy(larger.l2_pcs, r->l2_pcs, r->pcs * sizeof *r->l2_pcs);
    free_pc_rows(r);
    r->sm.pcs = larger.sm.pcs;
    r->l2_pcs = larger.l2_pcs;
    r->pc_capacity = larger.pc_capacity;
    return true;
}

// Keeps the row for accesses outside allocations behind the others.
static void move_outside_row(AccessCounters *rows, size_t from, size_t to)
{
    rows[to] = rows[from];
    rows[from] = (AccessCounters){0};
}

// Makes room for this many allocations and instructions; the counters keep their values.
static bool launch_result_grow(LaunchResult *r, size_t allocations, size_t pcs, HdError *err)
{
    size_t old = r->allocations;
    if (allocations > r->allocation_capacity) {
        if (!grow_rows(&r->sm.l1d_allocations, old + 1, allocations + 1,
                       sizeof *r->sm.l1d_allocations) ||
            !grow_rows(&r->l2_allocations, old + 1, allocations + 1, sizeof *r->l2_allocations))
            return hd_fail_memory(err, "collecting counters");
        r->allocation_capacity = 2 * (allocations + 1) - 1;
    }
    if (pcs > r->pc_capacity && !grow_pc_rows(r, pcs))
        return hd_fail_memory(err, "collecting counters");
    if (!waits_enlarge(&r->sm.waited, pcs, (uint32_t)old, (uint32_t)allocations))
        return hd_fail_memory(err, "collecting counters");
    if (allocations != old) {
        move_outside_row(r->sm.l1d_allocations, old, allocations);
        move_outside_row(r->l2_allocations, old, allocations);
    }
    r->allocations = allocations;
    r->pcs = pcs;
    return true;
}

static void launch_result_clear(LaunchResult *r)
{
    LaunchResult tables = *r;
    size_t first = r->first_pc, rows = r->end_pc - first;
    memset(&r->sm.pcs[first], 0, rows * sizeof *r->sm.pcs);
    memset(&r->l2_pcs[first], 0, rows * sizeof *r->l2_pcs);
    memset(r->sm.l1d_allocations, 0, (r->allocations + 1) * sizeof *r->sm.l1d_allocations);
    memset(r->l2_allocations, 0, (r->allocations + 1) * sizeof *r->l2_allocations);
    waits_clear(&r->sm.waited, first, r->end_pc);
    memset(r->sm_links, 0, r->sms * sizeof *r->sm_links);
    memset(r->slice_links, 0, r->slices * sizeof *r->slice_links);
    *r = (LaunchResult){
        .sm = {.l1d_allocations = r->sm.l1d_allocations, .pcs = r->sm.pcs, .waited = r->sm.waited},
        .l2_allocations = tables.l2_allocations, .l2_pcs = tables.l2_pcs,
        .allocations = tables.allocations, .pcs = tables.pcs,
        .allocation_capacity = tables.allocation_capacity, .pc_capacity = tables.pc_capacity,
        .sm_links = tables.sm_links, .slice_links = tables.slice_links, .sms = tables.sms,
        .slices = tables.slices};
}

// ---- sums ----

static void add_links(LinkFlits *into, const LinkFlits *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        into[i].to_memory += from[i].to_memory;
        into[i].to_sm += from[i].to_sm;
    }
}

bool launch_result_add(LaunchResult *total, const LaunchResult *r, HdError *err)
{
    if (!launch_result_grow(total, r->allocations, r->pcs, err)) return false;
    total->first_pc = 0;
    total->end_pc = total->pcs;
    total->cut |= r->cut;
    for (size_t a = 0; a <= r->allocations; a++) {
        stats_add(&access_table, &total->sm.l1d_allocations[a], &r->sm.l1d_allocations[a]);
        stats_add(&access_table, &total->l2_allocations[a], &r->l2_allocations[a]);
    }
    for (size_t i = r->first_pc; i < r->end_pc; i++) {
        stats_add(&pc_table, &total->sm.pcs[i], &r->sm.pcs[i]);
        stats_add(&access_table, &total->l2_pcs[i], &r->l2_pcs[i]);
    }
    add_links(total->sm_links, r->sm_links, total->sms);
    add_links(total->slice_links, r->slice_links, total->slices);
    sm_tables_add(&total->sm, &r->sm);
    stats_add(&cache_table, &total->l2, &r->l2);
    stats_add(&icnt_table, &total->icnt, &r->icnt);
    stats_add(&dram_table, &total->dram, &r->dram);
    stats_add(&launch_table, &total->launch, &r->launch);
    total->cycles += r->cycles;
    total->l2_cycles += r->l2_cycles;
    total->dram_cycles += r->dram_cycles;
    return waits_add(&total->sm.waited, &r->sm.waited, r->first_pc, r->end_pc,
                     (uint32_t)r->allocations, (uint32_t)total->allocations) ||
           hd_fail_memory(err, "collecting counters");
}

static bool kernel_total_add(Gpu *gpu, const LaunchState *s, const LaunchResult *r, HdError *err)
{
    const SmLaunch *launch = &s->launch;
    uint32_t *index = &module_of(gpu, launch->module)->totals[launch->kernel -
                                                              launch->module->functions];
    if (!*index) { // the kernel's first launch
        KernelTotal first = {.module = launch->module, .kernel = launch->kernel};
        if (!HD_PUSH(gpu->kernels, gpu->kernel_count, gpu->kernel_capacity, first))
            return hd_fail_memory(err, "collecting counters");
        *index = (uint32_t)gpu->kernel_count;
    }
    KernelTotal *total = &gpu->kernels[*index - 1];
    memcpy(total->grid, r->grid, sizeof total->grid);
    memcpy(total->block, r->block, sizeof total->block);
    total->registers = r->registers;
    total->blocks_per_sm = r->blocks_per_sm;
    total->limit = r->limit;
    if (r->functional) {
        total->functional += !s->cut.launch; // else the rest of a timed launch
        total->functional_instructions += r->sm.sm.warp_instructions;
        return true;
    }
    total->launches++;
    total->cycles += r->cycles;
#define ADD(field, type, table, of) stats_add(&table, &total->field, &r->sm.field);
    SM_TABLES(ADD)
#undef ADD
    stats_add(&cache_table, &total->l1d, &r->sm.l1d);
    stats_add(&cache_table, &total->l2, &r->l2);
    stats_add(&dram_table, &total->dram, &r->dram);
    return true;
}

const KernelTotal *gpu_kernel_totals(const Gpu *gpu, size_t *count)
{
    *count = gpu->kernel_count;
    return gpu->kernels;
}

uint64_t gpu_launches(const Gpu *gpu) { return gpu->launches; }

// ---- a launch ----

typedef struct Collection {
    Gpu *gpu;
    uint64_t end;    // core cycle
    Tick memory_end; // up to here the memory side has run
    bool ended;
    LaunchResult *result;
    bool failed; // out of memory
} Collection;

// Item `active_sms` is the memory side.
static void count_to_end(void *context, unsigned sm)
{
    const Collection *c = context;
    if (sm == c->gpu->active_sms) {
        memory_side_count_to(c->gpu->memory_side, c->memory_end);
        return;
    }
    c->result->sm_links[sm] = sm_links(c->gpu->sms[sm]);
    sm_count_to(c->gpu->sms[sm], c->end, c->ended);
}

// What the host threads share out: the counters of SMs and those of the memory side, but for the
// rows of instructions; then these rows, which are most of it.
enum { COLLECT_SMS, COLLECT_MEMORY, COLLECT_ROWS, COLLECTED_ROWS = 16 };

static void collect_item(void *context, unsigned item)
{
    Collection *c = context;
    Gpu *gpu = c->gpu;
    LaunchResult *r = c->result;
    if (item == COLLECT_SMS) {
        for (unsigned i = 0; i < gpu->active_sms; i++)
            if (!sm_collect(gpu->sms[i], &r->sm)) c->failed = true;
    } else if (item == COLLECT_MEMORY) {
        memory_side_links(gpu->memory_side, r->slice_links);
        memory_side_counters(gpu->memory_side, c->memory_end, &r->icnt, &r->l2, &r->dram);
        memory_side_rows(gpu->memory_side, r->l2_allocations, r->l2_pcs, 0, 0);
    } else {
        size_t first = r->first_pc + (size_t)(item - COLLECT_ROWS) * COLLECTED_ROWS;
        size_t end = first + COLLECTED_ROWS < r->end_pc ? first + COLLECTED_ROWS : r->end_pc;
        for (unsigned i = 0; i < gpu->active_sms; i++)
            sm_move_rows(gpu->sms[i], first, end, r->sm.pcs);
        memory_side_rows(gpu->memory_side, NULL, r->l2_pcs, first, end);
    }
}

// The SMs have run to the end of the last quantum, but a launch ends with its last block: every SM
// is accounted up to cycle `end`, also an SM without a block.
static bool collect_counters(Gpu *gpu, LaunchState *s, uint64_t end, bool ended, LaunchResult *r,
                             HdError *err)
{
    r->cycles = end - s->collected;
    s->collected = end;
    Collection c = {.gpu = gpu, .end = end, .ended = ended, .result = r,
                    .memory_end = clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle)};
    if (!ended) c.memory_end += gpu->forward;
    team_run(gpu->team, gpu->active_sms + 1, count_to_end, &c);
    unsigned rows = (unsigned)divide_up(r->end_pc - r->first_pc, COLLECTED_ROWS);
    team_run(gpu->team, COLLECT_ROWS + rows, collect_item, &c);
    for (unsigned i = 0; !ended && i < gpu->active_sms; i++)
        if (!sm_begin_part(gpu->sms[i])) c.failed = true;
    if (c.failed) return hd_fail_memory(err, "collecting counters");
    uint64_t inactive = r->cycles * (gpu->machine.gpu.sms - gpu->active_sms);
    r->sm.sm.cycles += inactive;
    r->sm.issue.idle += inactive * gpu->machine.core.schedulers;
    if (core_groups(&gpu->machine.core, &gpu->machine.scalar)) {
        r->sm.groups.issuable_warps[BIN_0] += inactive;
        r->sm.groups.issuable_scalars[BIN_0] += inactive;
    }
    const PtxModule *m = s->launch.module;
    for (size_t f = 0; f < m->function_count; f++) {
        uint32_t base = s->launch.pc_base[f];
        if (base < r->first_pc || base >= r->end_pc) continue;
        const PtxFunction *function = &m->functions[f];
        for (uint32_t k = 0; k < function->op_count; k++) {
            const PcCounters *pc = &r->sm.pcs[base + k];
            OpClass class = uop_counted_as((OpClass)function->ops[k].class);
            r->sm.by_class[class] += pc->issued;
            r->sm.thread_by_class[class] += pc->lanes;
            if (function->timing[k].scalar) r->sm.sm.scalar_instructions += pc->issued;
        }
    }
    return true;
}

// Collects the counters from LaunchState.collected up to cycle `end`, where the launch has ended or
// not, into an empty result of the right size.
static bool collect(Gpu *gpu, LaunchState *s, uint64_t end, bool ended, LaunchResult *r,
                    HdError *err)
{
    ptx_base_name(s->launch.kernel->name, r->kernel, sizeof r->kernel);
    r->function = s->launch.kernel;
    memcpy(r->grid, s->launch.grid, sizeof r->grid);
    memcpy(r->block, s->launch.block, sizeof r->block);
    r->registers = s->registers;
    r->blocks_per_sm = s->launch.blocks_per_sm;
    r->limit = s->limit;
    r->shared_bytes = s->launch.kernel->shared_bytes + s->launch.dynamic_shared;
    r->l1d_bytes = s->launch.l1d.size;
    r->first_pc = s->launch.first_pc;
    r->end_pc = s->launch.end_pc;
    if (!collect_counters(gpu, s, end, ended, r, err)) return false;
    // L2 accesses outside allocations (to instructions, constants and local memory): the difference
    // between all accesses and the accesses to allocations.
    AccessCounters *rest = &r->l2_allocations[r->allocations];
    *rest = (AccessCounters){.accesses = r->l2.accesses, .hits = r->l2.hits,
                             .pending_hits = r->l2.pending_hits, .misses = r->l2.misses};
    memcpy(rest->stalls, r->l2.stalls, sizeof rest->stalls);
    for (size_t a = 0; a < r->allocations; a++)
        stats_subtract(&access_table, rest, &r->l2_allocations[a]);
    Tick ticks = r->cycles * gpu->clocks.period[CLOCK_CORE];
    r->l2_cycles = ticks / gpu->clocks.period[CLOCK_L2];
    r->dram_cycles = ticks / gpu->clocks.period[CLOCK_DRAM];
    return true;
}

bool launch_collect_part(Gpu *gpu, LaunchState *s, LaunchResult *part, HdError *err)
{
    return collect(gpu, s, gpu->cycle, false, part, err);
}

// Adds a launch to the sums.
static bool add_launch(Gpu *gpu, const LaunchState *s, const LaunchResult *r, HdError *err)
{
    return launch_result_add(r->functional ? &gpu->functional : &gpu->total, r, err) &&
           launch_check(gpu, r, check_result, err) && kernel_total_add(gpu, s, r, err);
}

// Collects a launch into an empty result of the right size.
static bool collect_into(Gpu *gpu, LaunchState *s, LaunchResult *r, HdError *err)
{
    uint64_t end = s->start;
    for (unsigned i = 0; i < gpu->active_sms; i++)
        if (sm_last_end(gpu->sms[i]) > end) end = sm_last_end(gpu->sms[i]);
    if (!collect(gpu, s, end, true, r, err)) return false;
    r->functional = !s->timed;
    r->launch = s->between;
    launch_advance(gpu, s, r->cycles);
    uint64_t most = gpu->options.max_thread_instructions;
    if (!add_launch(gpu, s, r, err)) return false;
    if (!s->timed || !most || gpu->total.sm.sm.thread_instructions < most) return true;
    gpu->cut = launch_describe_cut(gpu, s);
    return mechanisms_keep_sums(gpu, err);
}

// Adds the rest of a launch that was cut, which took no time, to the functional launches.
static bool add_rest(Gpu *gpu, LaunchState *s, HdError *err)
{
    LaunchResult rest;
    if (!launch_result_init(&rest, &gpu->machine, s->allocations, s->pcs, err)) return false;
    bool ok = collect(gpu, s, s->collected, true, &rest, err);
    rest.functional = true;
    ok = ok && add_launch(gpu, s, &rest, err);
    launch_result_free(&rest);
    return ok;
}

static bool keep(Gpu *gpu, LaunchResult *r, HdError *err)
{
    if (HD_PUSH(gpu->results, gpu->result_count, gpu->result_capacity, *r)) return true;
    launch_result_free(r);
    return hd_fail_memory(err, "collecting counters");
}

static bool collect_cut(Gpu *gpu, LaunchState *s, HdError *err)
{
    gpu->cut = s->cut;
    s->part.launch = s->between;
    launch_advance(gpu, s, s->part.cycles);
    if (!add_launch(gpu, s, &s->part, err) || !add_rest(gpu, s, err)) return false;
    if (gpu->options.only_totals) return true;
    LaunchResult part = s->part;
    s->part = (LaunchResult){0};
    return keep(gpu, &part, err);
}

static bool collect_new(Gpu *gpu, LaunchState *s, HdError *err)
{
    LaunchResult r;
    if (!launch_result_init(&r, &gpu->machine, s->allocations, s->pcs, err)) return false;
    if (collect_into(gpu, s, &r, err)) return keep(gpu, &r, err);
    launch_result_free(&r);
    return false;
}

bool launch_collect(Gpu *gpu, LaunchState *s, HdError *err)
{
    gpu->approximate |= !s->timed && !gpu->cut.launch;
    if (s->cut.launch) {
        if (!collect_cut(gpu, s, err)) return false;
    } else if (gpu->options.only_totals) {
        launch_result_clear(&gpu->recent);
        if (!launch_result_grow(&gpu->recent, s->allocations, s->pcs, err) ||
            !collect_into(gpu, s, &gpu->recent, err))
            return false;
    } else if (!collect_new(gpu, s, err)) {
        return false;
    }
    gpu->launches++;
    gpu->last_functional = !s->timed || s->cut.launch;
    return true;
}

bool gpu_is_approximate(const Gpu *gpu) { return gpu->approximate; }
