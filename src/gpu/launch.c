// A launch's beginning and end: does it fit, and what has it counted.
#include "gpu/gpu_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- beginning ----

// What a program asked of the compiler with __launch_bounds__ or -maxrregcount: a compiler spills
// rather than give a thread more registers than that.
static uint32_t bounded(const CoreConfig *core, const PtxFunction *kernel)
{
    enum { LEAST = 16 }; // bounds that ask for fewer are not kept to
    uint32_t most = kernel->max_registers ? kernel->max_registers : UINT32_MAX;
    const uint32_t *bound =
        kernel->required_threads[0] ? kernel->required_threads : kernel->max_threads;
    if (bound[0]) {
        uint64_t threads = bound[0];
        for (int d = 1; d < 3; d++) threads *= bound[d] ? bound[d] : 1;
        uint64_t warps = divide_up(threads, core->width);
        if (kernel->min_blocks) warps *= kernel->min_blocks;
        uint64_t per_warp = core->registers / round_up(warps, core->warp_unit);
        uint64_t fit = (per_warp - per_warp % core->register_unit) / core->width;
        if (fit >= LEAST && fit < most) most = (uint32_t)fit;
    }
    return kernel->registers < most ? kernel->registers : most;
}

bool gpu_registers(const Gpu *gpu, const PtxFunction *kernel, uint32_t *registers, HdError *err)
{
    char base[256];
    ptx_base_name(kernel->name, base, sizeof base);
    *registers = bounded(&gpu->machine.core, kernel);
    for (const char *const *r = gpu->options.registers; r && *r; r++) {
        const char *equals = strchr(*r, '=');
        size_t length = equals ? (size_t)(equals - *r) : 0;
        char *end = NULL;
        unsigned long n = equals ? strtoul(equals + 1, &end, 10) : 0;
        if (!equals || end == equals + 1 || *end || n < 1 || n > 255)
            return hd_fail(
                err, "--registers: '%s' is not KERNEL=NUMBER with a number from 1 to 255", *r);
        bool match = (strlen(base) == length && !memcmp(base, *r, length)) ||
                     (strlen(kernel->name) == length && !memcmp(kernel->name, *r, length));
        if (match) *registers = (uint32_t)n;
    }
    return true;
}

enum { MOST_IN_Z = 64 }; // threads of a block

static bool check_shape(const Gpu *gpu, const Launch *launch, const char *name, HdError *err)
{
    const PtxFunction *k = launch->kernel;
    uint64_t threads = 1, blocks = 1;
    uint64_t most = gpu->machine.core.threads < 1024 ? gpu->machine.core.threads : 1024;
    for (int d = 0; d < 3; d++) {
        if (!launch->grid[d] || !launch->block[d])
            return hd_fail(err, "%s: a grid of (%u,%u,%u) blocks of (%u,%u,%u) threads is empty",
                           name, launch->grid[0], launch->grid[1], launch->grid[2],
                           launch->block[0], launch->block[1], launch->block[2]);
        if (k->required_threads[0] &&
            launch->block[d] != (k->required_threads[d] ? k->required_threads[d] : 1))
            return hd_fail(err, "%s: .reqntid wants blocks of (%u,%u,%u) threads", name,
                           k->required_threads[0], k->required_threads[1], k->required_threads[2]);
        if (threads <= most) threads *= launch->block[d];
        if (__builtin_mul_overflow(blocks, launch->grid[d], &blocks))
            return hd_fail(err, "%s: a grid of (%u,%u,%u) has 2^64 blocks or more", name,
                           launch->grid[0], launch->grid[1], launch->grid[2]);
    }
    const uint32_t *grid = launch->grid;
    if (grid[0] > INT32_MAX || grid[1] > UINT16_MAX || grid[2] > UINT16_MAX)
        return hd_fail(err, "%s: a grid of (%u,%u,%u) blocks, at most (%d,%d,%d) are possible",
                       name, grid[0], grid[1], grid[2], INT32_MAX, UINT16_MAX, UINT16_MAX);
    if (launch->block[2] > MOST_IN_Z)
        return hd_fail(err, "%s: blocks of %u threads in z, at most %d are possible", name,
                       launch->block[2], MOST_IN_Z);
    if (threads > most)
        return hd_fail(err, "%s: %" PRIu64 " threads per block, at most %" PRIu64 " are possible",
                       name, threads, most);
    return true;
}

bool launch_prepare(Gpu *gpu, const Launch *launch, LaunchState *s, HdError *err)
{
    const LoadedModule *loaded = module_of(gpu, launch->module);
    gpu->fault = (SmFault){.kind = GPU_FAULT_UNSUPPORTED};
    if (!loaded) return hd_fail(err, "%s: its module is not loaded", launch->kernel->name);
    char name[256];
    ptx_base_name(launch->kernel->name, name, sizeof name);
    if (launch->kernel->unusable)
        return hd_fail(err, "%s cannot run: %s", name, launch->kernel->unusable);
    gpu->fault.kind = GPU_FAULT_CONFIGURATION;
    if (!check_shape(gpu, launch, name, err) ||
        !gpu_registers(gpu, launch->kernel, &s->registers, err))
        return false;
    gpu->fault.kind = GPU_FAULT_RESOURCES;
    if (launch->module->heap && !system_heap(gpu, err)) return false;
    uint64_t shared = launch->kernel->shared_bytes + launch->dynamic_shared;
    uint64_t taken = machine_block_shared(&gpu->machine, shared);
    unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
    HdError why;
    unsigned fit = machine_occupancy(&gpu->machine, threads, s->registers, shared, &s->limit, &why);
    if (!fit) return hd_fail(err, "%s: %.1024s", name, why.text);
    gpu->fault.kind = GPU_FAULT_HOST;
    s->blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    s->arrays = gpu->memory.array_count;
    s->pcs = gpu->pcs;
    s->start = gpu->cycle + gpu->machine.launch.latency;
    s->launch = (SmLaunch){
        .module = launch->module, .kernel = launch->kernel, .pc_base = loaded->pc_base,
        .grid_id = (uint32_t)gpu->record_count, .sms = gpu->machine.gpu.sms,
        .dynamic_shared = launch->dynamic_shared, .params = launch->params,
        .constants = loaded->constants, .blocks_per_sm = fit,
        .l1d = machine_l1d(&gpu->machine, shared, taken * fit),
        .nanoseconds_per_cycle = 1e6 / (double)gpu->machine.core.frequency,
    };
    memcpy(s->launch.grid, launch->grid, sizeof launch->grid);
    memcpy(s->launch.block, launch->block, sizeof launch->block);
    return memory_side_resize(gpu->memory_side, s->arrays, s->pcs, err);
}

// ---- records ----

bool record_init(LaunchRecord *r, const Machine *machine, size_t arrays, size_t pcs, HdError *err)
{
    memset(r, 0, sizeof *r);
    r->sm.l1d_arrays = hd_new(arrays + 1, sizeof *r->sm.l1d_arrays);
    r->sm.pcs = hd_new(pcs, sizeof *r->sm.pcs);
    r->l2_arrays = hd_new(arrays + 1, sizeof *r->l2_arrays);
    r->l2_pcs = hd_new(pcs, sizeof *r->l2_pcs);
    r->sms = machine->gpu.sms;
    r->slices = machine->slice.count;
    r->sm_links = hd_new(r->sms, sizeof *r->sm_links);
    r->slice_links = hd_new(r->slices, sizeof *r->slice_links);
    r->arrays = arrays;
    r->pcs = pcs;
    bool made = waits_init(&r->sm.waited, pcs) && r->sm_links && r->slice_links;
    if (made && r->sm.l1d_arrays && r->sm.pcs && r->l2_arrays && r->l2_pcs) return true;
    record_release(r);
    return hd_fail_memory(err, "recording a launch");
}

void record_release(LaunchRecord *r)
{
    free(r->sm.l1d_arrays);
    free(r->sm.pcs);
    waits_free(&r->sm.waited);
    free(r->l2_arrays);
    free(r->l2_pcs);
    free(r->sm_links);
    free(r->slice_links);
    memset(r, 0, sizeof *r);
}

static void add_links(LinkFlits *into, const LinkFlits *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        into[i].to_memory += from[i].to_memory;
        into[i].to_sm += from[i].to_sm;
    }
}

// Adds a launch to the total, whose tables grow with the arrays and instructions.
static bool total_add(LaunchRecord *total, const Machine *machine, const LaunchRecord *r,
                      HdError *err)
{
    LaunchRecord sum;
    if (!record_init(&sum, machine, r->arrays, r->pcs, err)) return false;
    const LaunchRecord *parts[] = {total, r};
    bool waited = true;
    for (unsigned p = 0; p < 2; p++) {
        const LaunchRecord *from = parts[p];
        for (size_t a = 0; a < from->arrays; a++) {
            stats_add(&access_table, &sum.sm.l1d_arrays[a], &from->sm.l1d_arrays[a]);
            stats_add(&access_table, &sum.l2_arrays[a], &from->l2_arrays[a]);
        }
        stats_add(&access_table, &sum.sm.l1d_arrays[sum.arrays],
                  &from->sm.l1d_arrays[from->arrays]);
        stats_add(&access_table, &sum.l2_arrays[sum.arrays], &from->l2_arrays[from->arrays]);
        for (size_t i = 0; i < from->pcs; i++) {
            stats_add(&pc_table, &sum.sm.pcs[i], &from->sm.pcs[i]);
            stats_add(&access_table, &sum.l2_pcs[i], &from->l2_pcs[i]);
        }
        stats_add(&issue_table, &sum.sm.issue, &from->sm.issue);
        stats_add(&sm_table, &sum.sm.sm, &from->sm.sm);
        stats_add(&cache_table, &sum.sm.l1d, &from->sm.l1d);
        stats_add(&cache_table, &sum.sm.l1i, &from->sm.l1i);
        stats_add(&cache_table, &sum.sm.l1c, &from->sm.l1c);
        stats_add(&cache_table, &sum.sm.l1r, &from->sm.l1r);
        stats_add(&cache_table, &sum.l2, &from->l2);
        stats_add(&icnt_table, &sum.icnt, &from->icnt);
        add_links(sum.sm_links, from->sm_links, sum.sms);
        add_links(sum.slice_links, from->slice_links, sum.slices);
        stats_add(&dram_table, &sum.dram, &from->dram);
        for (unsigned i = 0; i <= HD_MAX_LANES; i++) {
            sum.sm.lanes[i] += from->sm.lanes[i];
            sum.sm.requests[i] += from->sm.requests[i];
        }
        for (unsigned c = 0; c < OP_CLASSES; c++) {
            sum.sm.by_class[c] += from->sm.by_class[c];
            sum.sm.thread_by_class[c] += from->sm.thread_by_class[c];
        }
        waited = waited && waits_add(&sum.sm.waited, &from->sm.waited, (uint32_t)from->arrays,
                                     (uint32_t)sum.arrays);
        sum.cycles += from->cycles;
        sum.l2_cycles += from->l2_cycles;
        sum.dram_cycles += from->dram_cycles;
    }
    if (!waited) {
        record_release(&sum);
        return hd_fail_memory(err, "recording a launch");
    }
    record_release(total);
    *total = sum;
    return true;
}

static void count_classes(const Gpu *gpu, SmTables *t)
{
    for (size_t i = 0; i < gpu->module_count; i++) {
        const LoadedModule *loaded = &gpu->modules[i];
        for (size_t f = 0; f < loaded->module->function_count; f++) {
            const PtxFunction *function = &loaded->module->functions[f];
            for (uint32_t k = 0; k < function->op_count; k++) {
                const PcCounters *pc = &t->pcs[loaded->pc_base[f] + k];
                t->by_class[function->ops[k].class] += pc->issued;
                t->thread_by_class[function->ops[k].class] += pc->lanes;
            }
        }
    }
}

static void describe_launch(const LaunchState *s, LaunchRecord *r)
{
    ptx_base_name(s->launch.kernel->name, r->kernel, sizeof r->kernel);
    memcpy(r->grid, s->launch.grid, sizeof r->grid);
    memcpy(r->block, s->launch.block, sizeof r->block);
    r->registers = s->registers;
    r->blocks_per_sm = s->launch.blocks_per_sm;
    r->limit = s->limit;
    r->shared_bytes = s->launch.kernel->shared_bytes + s->launch.dynamic_shared;
    r->l1d_bytes = s->launch.l1d.size;
    r->functional = !s->timed;
}

static uint64_t last_end(const Gpu *gpu, uint64_t start)
{
    uint64_t end = start;
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++)
        if (sm_last_end(gpu->sms[i]) > end) end = sm_last_end(gpu->sms[i]);
    return end;
}

// L2 accesses that belong to no array (instructions, constants, local memory) are what is left.
static void rest_of_l2(LaunchRecord *r)
{
    AccessCounters *rest = &r->l2_arrays[r->arrays];
    *rest = (AccessCounters){
        r->l2.accesses, r->l2.hits, r->l2.pending_hits, r->l2.misses, r->l2.refused_line_allocation,
        r->l2.refused_mshr_entry, r->l2.refused_mshr_merge, r->l2.refused_miss_queue,
        r->l2.refused_conflict};
    for (size_t a = 0; a < r->arrays; a++) stats_subtract(&access_table, rest, &r->l2_arrays[a]);
}

bool launch_record(Gpu *gpu, const LaunchState *s, HdError *err)
{
    LaunchRecord r;
    if (!record_init(&r, &gpu->machine, s->arrays, s->pcs, err)) return false;
    describe_launch(s, &r);
    // Slots are accounted to the end of the last quantum; what lies behind the last block's end is
    // not part of the launch, so every SM is accounted to that end only.
    uint64_t end = last_end(gpu, s->start);
    r.cycles = end - s->start;
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) {
        if (sm_collect(gpu->sms[i], end, &r.sm)) continue;
        record_release(&r);
        return hd_fail_memory(err, "recording a launch");
    }
    for (unsigned i = 0; i < r.sms; i++) r.sm_links[i] = sm_links(gpu->sms[i]);
    memory_side_links(gpu->memory_side, r.slice_links);
    count_classes(gpu, &r.sm);
    Tick now = clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle);
    memory_side_counters(gpu->memory_side, now, &r.icnt, &r.l2, &r.dram, r.l2_arrays, r.l2_pcs);
    rest_of_l2(&r);
    Tick ticks = r.cycles * gpu->clocks.period[CLOCK_CORE];
    r.l2_cycles = ticks / gpu->clocks.period[CLOCK_L2];
    r.dram_cycles = ticks / gpu->clocks.period[CLOCK_DRAM];
    char broken[1024];
    gpu_check(gpu, &r, broken, sizeof broken);
    bool ok = !broken[0] ||
              hd_fail(err, "%s: internal error, counts do not agree:\n%s", r.kernel, broken);
    ok = ok && total_add(s->timed ? &gpu->total : &gpu->functional, &gpu->machine, &r, err);
    if (ok && !HD_PUSH(gpu->records, gpu->record_count, gpu->record_capacity, r))
        ok = hd_fail_memory(err, "recording a launch");
    if (!ok) record_release(&r);
    return ok;
}
