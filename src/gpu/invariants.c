// Invariants at the end of every launch: counters of the same events agree, and no queue or table
// holds an entry. Where a launch is cut, instructions and requests are on their way, and only those
// counters must agree that count an event at the same time.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Adds a line if the two counts of `what` differ.
static void check_equal(Violations *v, uint64_t left, uint64_t right, const char *what)
{
    if (left == right || v->used + 1 >= v->size) return;
    int n = snprintf(v->text + v->used, v->size - v->used, "  %s: %" PRIu64 " and %" PRIu64 "\n",
                     what, left, right);
    v->used += n > 0 ? (size_t)n : 0;
}

static void check_cache_accesses(Violations *v, const CacheCounters *c, const char *label)
{
    char what[80];
    snprintf(what, sizeof what, "%s accesses, and hits + pending hits + misses", label);
    check_equal(v, c->accesses, c->hits + c->pending_hits + c->misses, what);
}

// A warp is in one state in each cycle. Waits for memory are counted twice, by the waiting
// instruction and, after their end, by the allocation and level waited for.
static void check_waits(Violations *v, const LaunchResult *r, bool all_ended)
{
    uint64_t all = 0, memory = 0, waited = 0, table = 0;
    for (size_t pc = r->first_pc; pc < r->end_pc; pc++) {
        const PcCounters *c = &r->sm.pcs[pc];
        memory += c->waits[WARP_MEMORY];
        table += c->waits[WARP_WAVE_TABLE];
        for (unsigned s = 0; s < WARP_STATES; s++) all += c->waits[s];
        const WaitRow *row = waits_first(&r->sm.waited, pc);
        for (; row; row = waits_next(&r->sm.waited, row)) waited += memory_wait_sum(&row->count);
    }
    check_equal(v, all, r->sm.sm.warp_cycles, "warp cycles by reason of waiting, and in all");
    check_equal(v, table, r->sm.groups.wave_table_full,
                "waits for an entry of the table of waves by instruction, and in all");
    if (all_ended || memory < waited)
        check_equal(v, memory, waited,
                    "waits for memory by instruction, and by what was waited for");
}

// Flits by content, by kind of request, and by the slices' links.
static void check_flits(Violations *v, const LaunchResult *r)
{
    const IcntCounters *c = &r->icnt;
    uint64_t to_memory = 0, to_sm = 0;
    for (unsigned k = 0; k < MEM_KINDS; k++) {
        to_memory += c->to_memory_by_kind[k];
        to_sm += c->to_sm_by_kind[k];
    }
    check_equal(v, to_memory, c->flits_to_memory_control + c->flits_to_memory_data,
        "flits to L2 slices by kind of request, and in all");
    check_equal(v, to_sm, c->flits_to_sm_control + c->flits_to_sm_data,
        "flits to SMs by kind of request, and in all");
    LinkFlits slices = {0};
    for (unsigned i = 0; i < r->slices; i++) {
        slices.to_memory += r->slice_links[i].to_memory;
        slices.to_sm += r->slice_links[i].to_sm;
    }
    check_equal(v, slices.to_memory, to_memory, "flits into slices, and to L2 slices");
    check_equal(v, slices.to_sm, to_sm, "flits out of slices, and to SMs");
}

// Flits at either end of the network.
static void check_links(Violations *v, const LaunchResult *r)
{
    LinkFlits sms = {0}, slices = {0};
    for (unsigned i = 0; i < r->sms; i++) {
        sms.to_memory += r->sm_links[i].to_memory;
        sms.to_sm += r->sm_links[i].to_sm;
    }
    for (unsigned i = 0; i < r->slices; i++) {
        slices.to_memory += r->slice_links[i].to_memory;
        slices.to_sm += r->slice_links[i].to_sm;
    }
    check_equal(v, sms.to_memory, slices.to_memory, "flits out of SMs, and to L2 slices");
    check_equal(v, sms.to_sm, slices.to_sm, "flits into SMs, and to SMs");
}

// A load that misses a cache with mechanisms inserts its line, bypasses the cache, or misses
// sectors of a present line.
static void check_mechanism_loads(Violations *v, const Gpu *gpu, const LaunchResult *r)
{
    static const char *const what[HOOK_CACHES] = {
        [HOOK_L1] = "loads that missed the L1D by outcome, and in all",
        [HOOK_L2] = "loads that missed the L2 by outcome, and in all"};
    const CacheCounters *caches[HOOK_CACHES] = {[HOOK_L1] = &r->sm.l1d, [HOOK_L2] = &r->l2};
    const uint64_t modes[HOOK_CACHES] = {[HOOK_L1] = gpu->machine.l1d.mode,
                                         [HOOK_L2] = gpu->machine.l2.mode};
    for (HookLevel level = 0; level < HOOK_CACHES; level++) {
        if (!gpu_mechanism_places(gpu, level) || modes[level] == CACHE_OFF) continue;
        HookCounters c = mechanisms_counters(gpu, level);
        stats_subtract(&hook_table, &c, &gpu->counters_before[level]);
        check_equal(v, c.inserted + c.bypassed + c.sector_misses, caches[level]->load_misses,
                    what[level]);
    }
}

// A requested prefetch was dropped or looked up, by sector. A fetched sector is late, useful,
// useless, or unused so far.
static void check_prefetches_at(Violations *v, const CacheHooks *hooks,
                                const PlannedMechanism *planned)
{
    PrefetchCounters c;
    if (!cache_hooks_prefetch_counters(hooks, planned, &c)) return;
    uint64_t dropped = c.queue_full + c.kernel_end + c.unallocated + c.other_slice + c.sent,
             sectors = hooks->prefetches->line / hooks->prefetches->sector;
    check_equal(v, (c.requested - dropped) * sectors,
                c.redundant + c.no_room + c.stopped + c.fetched,
                "sectors to prefetch, and by outcome");
    check_equal(v, c.fetched, c.late + c.useful + c.useless + c.dropped + c.unused,
                "sectors prefetched, and by outcome");
}

static void check_prefetches(Violations *v, const Gpu *gpu, const LaunchResult *r)
{
    if (!r->functional)
        check_equal(v, gpu->prefetching, 0, "places where prefetches wait at the end, and none");
    const HookPlan *plan = gpu_mechanisms(gpu);
    for (HookLevel level = 0; level < HOOK_CACHES; level++)
        for (unsigned place = 0; place < gpu_mechanism_places(gpu, level); place++)
            for (size_t i = 0; i < plan->count; i++)
                check_prefetches_at(v, gpu_hooks(gpu, level, place), &plan->items[i]);
    for (size_t i = 0; plan && i < plan->count; i++) {
        PrefetchCounters c; // over all launches so far; DRAM has served or dropped all fetches
        if (!mechanisms_prefetches(gpu, &plan->items[i], HOOK_L2, &c)) continue;
        check_equal(v, c.dram_bytes,
                    (c.fetched - c.dropped) * gpu_hooks(gpu, HOOK_L2, 0)->prefetches->sector,
                    "bytes of prefetches of the L2 from DRAM, and of their sectors");
    }
}

// Entries left behind by a launch that has ended, one line each.
static void check_leftovers(Violations *v, const Gpu *gpu)
{
    for (unsigned i = 0; i < gpu->active_sms && v->used + 1 < v->size; i++) {
        const char *what = sm_leftover(gpu->sms[i]);
        if (!what) continue;
        int n = snprintf(v->text + v->used, v->size - v->used, "  left on SM %u: %s\n", i, what);
        v->used += n > 0 ? (size_t)n : 0;
    }
    char memory[256];
    memory_side_describe(gpu->memory_side, memory, sizeof memory);
    if (!*memory || v->used + 1 >= v->size) return;
    int n = snprintf(v->text + v->used, v->size - v->used, "  left on the memory side: %s", memory);
    v->used += n > 0 ? (size_t)n : 0;
}

// Each launch waits for its overhead, or another stream's kernel runs meanwhile. Kernels and the
// time between them make up device time.
static void check_device_time(Violations *v, const Gpu *gpu, const LaunchResult *r)
{
    const LaunchCounters *c = &r->launch;
    const LaunchConfig *config = &gpu->machine.launch;
    uint64_t overhead = core_cycles(&gpu->machine, config->overhead),
             graph = core_cycles(&gpu->machine, config->graph_overhead);
    check_equal(v, c->overhead_cycles + c->hidden_cycles,
                (c->launches - c->graph_launches) * overhead + c->graph_launches * graph,
                "cycles of overhead waited and hidden, and launches x overhead");
    check_equal(v, gpu->time.now - 1, gpu->total.cycles + launch_overhead(&gpu->total.launch),
                "device time, and cycles of kernels and between them");
}

// A slot issues a group or a micro-op of a mechanism. The members of all groups are the warp
// instructions.
static void check_groups(Violations *v, const LaunchResult *r)
{
    const GroupCounters *c = &r->sm.groups;
    uint64_t groups = c->pairs + c->lone + c->waves, by_lanes = 0, waves = 0, members = 0,
             warps = 0, scalars = 0;
    for (unsigned k = 0; k <= HD_MAX_LANES; k++) {
        by_lanes += r->sm.group_lanes[k];
        waves += r->sm.waves[k];
        members += k * r->sm.waves[k];
    }
    for (unsigned bin = 0; bin < ISSUABLE_BINS; bin++) {
        warps += c->issuable_warps[bin];
        scalars += c->issuable_scalars[bin];
    }
    check_equal(v, r->sm.issue.issued, groups + r->sm.sm.injected,
                "slots that issued, and groups and micro-ops");
    check_equal(v, c->lone + 2 * c->pairs + c->wave_members, r->sm.sm.warp_instructions,
                "members of groups, and warp instructions");
    check_equal(v, by_lanes, groups, "groups by lanes, and in all");
    check_equal(v, waves, c->waves, "waves by members, and in all");
    check_equal(v, members, c->wave_members, "members x waves, and members of waves");
    check_equal(v, warps, r->sm.sm.cycles, "cycles by issuable warps, and in all");
    check_equal(v, scalars, r->sm.sm.cycles, "cycles by issuable scalars, and in all");
}

// Each miss of a cache that the L1.5 serves is an access there; each miss there is a fill.
static void check_l15(Violations *v, const Gpu *gpu, const LaunchResult *r)
{
    const L15Config *l15 = &gpu->machine.l15;
    uint64_t misses = l15_exists(l15) ? r->sm.l1c.misses : 0;
    if (l15_serves_instructions(l15)) misses += r->sm.l1i.misses;
    check_equal(v, r->sm.l15.accesses, misses, "L1.5 accesses, and misses of caches before it");
    check_equal(v, r->sm.l15.misses, r->sm.l15.fills, "L1.5 misses, and fills");
}

// What holds at the end of each quantum.
static void check_counters(Violations *v, const Gpu *gpu, const LaunchResult *r)
{
    const Machine *m = &gpu->machine;
    const IssueCounters *i = &r->sm.issue;
    bool grouped = core_groups(&m->core, &m->scalar);
    if (!r->functional && grouped) check_groups(v, r);
    if (!r->functional && m->core.issue == 1 && !grouped) // with dual issue a slot may issue two
        check_equal(v, i->issued, r->sm.sm.warp_instructions + r->sm.sm.injected,
                    "slots that issued, and instructions and micro-ops");
    uint64_t slots = 0;
    for (unsigned s = 0; s < ISSUE_SLOTS; s++) slots += i->slots[s];
    check_equal(v, slots, r->cycles * m->core.schedulers * m->gpu.sms,
        "issue slots by reason, and schedulers x cycles");
    check_equal(v, r->sm.sm.cycles, r->cycles * m->gpu.sms, "SM cycles, and SMs x cycles");
    check_equal(v, r->sm.sm.instruction_store_lookups,
                r->sm.sm.instruction_store_hits + r->sm.sm.instruction_store_misses,
                "look-ups in the shared store, and hits + misses");
    for (unsigned c = 0; c < SM_CACHES; c++)
        check_cache_accesses(v, &r->sm.caches[c], sm_cache_names[c].label);
    check_cache_accesses(v, &r->l2, "L2");
    check_equal(v, r->dram.row_hits + r->dram.row_misses + r->dram.row_conflicts,
        r->dram.reads + r->dram.writes, "DRAM bursts by row state, and reads + writes");
    check_flits(v, r);
    check_device_time(v, gpu, r);
    uint64_t allocations = 0, lanes = 0;
    for (size_t a = 0; a <= r->allocations; a++) allocations += r->sm.l1d_allocations[a].accesses;
    check_equal(v, allocations, r->sm.l1d.accesses, "L1D accesses by allocation, and in all");
    for (unsigned k = 0; k <= HD_MAX_LANES; k++) lanes += k * r->sm.lanes[k];
    check_equal(v, lanes, r->sm.sm.thread_instructions,
                "lanes x instructions, and thread instructions");
}

void check_completed(Violations *v, const Gpu *gpu, const LaunchResult *r)
{
    check_counters(v, gpu, r);
    check_waits(v, r, !r->cut);
    uint64_t issued = r->sm.sm.warp_instructions + r->sm.sm.injected;
    check_equal(v, issued, r->sm.sm.committed, "instructions and micro-ops issued, and committed");
    if (!r->functional && gpu->machine.frontend.buffer == BUFFER_PER_WARP)
        check_equal(v, r->sm.sm.instructions_decoded,
                    r->sm.sm.warp_instructions + r->sm.sm.instructions_flushed,
                    "instructions decoded, and issued + flushed");
    if (!r->functional && gpu->machine.frontend.buffer == BUFFER_SHARED_STORE)
        check_equal(v, r->sm.sm.instructions_decoded,
                    r->sm.sm.instruction_store_misses *
                        frontend_fetch_instructions(&gpu->machine.frontend),
                    "instructions decoded, and fetches of look-ups that missed");
    check_equal(v, r->icnt.packets_to_memory, r->icnt.requests_answered,
        "requests sent and requests answered");
    check_equal(v, r->sm.sm.atomic_lanes, r->l2.atomic_lanes,
                "lanes of atomics sent, and performed by slices");
    check_links(v, r);
    check_l15(v, gpu, r);
    if (!r->functional) check_mechanism_loads(v, gpu, r);
    CopyBackCounters c; // over all launches so far; no copy-back is in flight
    mechanisms_copy_backs(gpu, &c);
    check_equal(v, c.sent, c.arrived, "copy-backs sent and arrived");
    check_equal(v, c.arrived, c.inserted + c.present + c.stale + c.declined + c.no_room,
                "copy-backs arrived, and by outcome");
    check_prefetches(v, gpu, r);
}

void check_result(Violations *v, const Gpu *gpu, const LaunchResult *r)
{
    if (r->cut) {
        check_counters(v, gpu, r);
        check_waits(v, r, false);
        return;
    }
    check_completed(v, gpu, r);
    check_leftovers(v, gpu);
    ShadowMemory *shadow = memory_side_shadow(gpu->memory_side);
    shadow_end_launch(shadow);
    shadow_verdict(shadow, v->text + v->used, v->size - v->used);
}

bool launch_check(const Gpu *gpu, const LaunchResult *r, InvariantCheck *check, HdError *err)
{
    char broken[1024] = "";
    check(&(Violations){broken, sizeof broken, 0}, gpu, r);
    return !*broken || hd_fail(err, "%s: internal error, counters do not agree:\n%s", r->kernel,
                               broken);
}

void gpu_check_invariants(const Gpu *gpu, const LaunchResult *r, char *text, size_t size)
{
    if (size) text[0] = 0;
    check_result(&(Violations){text, size, 0}, gpu, r);
}
