// The mechanisms of a GPU: one instance of the plan at each L1D and at each L2 slice.
#include "base/memory.h"
#include "gpu/gpu_internal.h"
#include "hooks/gpu_hooks.h"
#include "hooks/engine_hooks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_TEXT = 320 }; // a verb and HD_CALL_VALUES numbers

static CacheHooks *hooks_at(const Gpu *gpu, HookLevel level, unsigned place)
{
    return level == HOOK_GPU  ? gpu->own_hooks
           : level == HOOK_L1 ? gpu->l1_hooks[place]
                              : gpu->l2_hooks[place];
}

// Whether a mechanism changes the behaviour of the cache of this level: by a decision, or by
// prefetches.
static bool acts_at(const PlannedMechanism *planned, HookLevel level)
{
    return plan_decides(plan_hooks(planned, level)) || plan_prefetches(planned, level);
}

// A mechanism whose micro-ops load for a cache requires the one that ld.global.nc uses.
static bool check_loads(const Gpu *gpu, const PlannedMechanism *planned, HdError *err)
{
    const HdMechanism *m = planned->mechanism;
    const PathConfig *path = &gpu->machine.path;
    if (!m->loads_into_cache || !m->loads_into_cache(planned->parameters)) return true;
    const char *lacking = NULL;
    if (path->nc_path) {
        if (gpu->machine.l1r.mode == CACHE_OFF)
            lacking = "read-only cache, which is off: expected l1r.mode=on";
    } else if (!path->global_in_l1) {
        lacking = "L1D, which global loads do not use: expected memory.global_in_l1=true";
    } else if (gpu->machine.l1d.mode == CACHE_OFF) {
        lacking = "L1D, which is off: expected l1d.mode=on";
    }
    return !lacking ||
           hd_fail(err, "--mechanism %s: it prefetches into the %s", m->name, lacking);
}

// A mechanism that acts on a cache requires that cache to be enabled, and sectored if it decides
// which sectors of a line are fetched.
static bool check_caches(const Gpu *gpu, const PlannedMechanism *planned, HdError *err)
{
    static const char *const needs = "it decides which sectors a miss fetches";
    const char *name = planned->mechanism->name;
    const HdHooks *l1 = plan_hooks(planned, HOOK_L1), *l2 = plan_hooks(planned, HOOK_L2);
    bool l1_off = gpu->machine.l1d.mode == CACHE_OFF, l2_off = gpu->machine.l2.mode == CACHE_OFF;
    const char *off = l2_off ? "the L2" : "the L1D";
    if ((l1->decide_fetch && (l1_off || l2_off)) || (l2->decide_fetch && l2_off))
        return hd_fail(err, "--mechanism %s: %s, and %s is off", name, needs, off);
    if (l2->decide_fetch && gpu->machine.l2.sector <= SECTOR_BYTES)
        return hd_fail(err, "--mechanism %s: %s of the L2 too, but this L2 looks up its sectors of "
                            "%d bytes one by one: expected levels=l1, or l2.sector=128B",
                       name, needs, SECTOR_BYTES);
    if (l1->decide_clean_eviction && (l1_off || l2_off))
        return hd_fail(err, "--mechanism %s: it copies L1D victims back to the L2, and %s is off",
                       name, off);
    if (planned->mechanism->injects && gpu->machine.core.divergence != DIVERGENCE_STACK)
        return hd_fail(err, "--mechanism %s: it injects micro-ops for whole warps, and "
                            "core.divergence is its: expected core.divergence=stack", name);
    bool sees = planned->mechanism->injects || planned->mechanism->core.on_issue;
    if (sees && scalars_go_on(&gpu->machine.scalar))
        return hd_fail(err, "--mechanism %s: it sees a warp's instructions in their order, and "
                            "scalar.go_on is on: expected scalar.go_on=off", name);
    bool at_l1 = acts_at(planned, HOOK_L1), at_l2 = acts_at(planned, HOOK_L2);
    const HdCoreHooks *core = &planned->mechanism->core;
    if (l1_off && plan_core_decides(core) && (core->decide_queue || plan_sees_lines(l1)))
        return hd_fail(err, "--mechanism %s: it works at the L1D, which is off: "
                            "expected l1d.mode=on", name);
    bool effect = plan_core_decides(core) || (at_l1 && !l1_off) || (at_l2 && !l2_off);
    if ((at_l1 || at_l2) && !effect)
        return hd_fail(err, "--mechanism %s: it has no effect: %s off", name,
                       !at_l2 ? "the L1D is" : !at_l1 ? "the L2 is" : "the L1D and the L2 are");
    return true;
}

// Gives all places the list of what a kernel has of engines' instructions.
static bool show_engines(Gpu *gpu, HdError *err)
{
    gpu->kernel_engines = hd_new(gpu_mechanisms(gpu)->count, sizeof *gpu->kernel_engines);
    if (!gpu->kernel_engines) return hd_fail_memory(err, "attaching mechanisms");
    for (HookLevel level = 0; level < HOOK_LEVELS; level++)
        for (unsigned i = 0; i < gpu_mechanism_places(gpu, level); i++) {
            CacheHooks *hooks = hooks_at(gpu, level, i);
            if (hooks) hooks->kernel_engines = gpu->kernel_engines;
        }
    return true;
}

bool mechanisms_attach(Gpu *gpu, HdError *err)
{
    const HookPlan *plan = gpu->options.mechanisms;
    if (!plan || !plan->count) return true;
    for (size_t i = 0; i < plan->count; i++)
        if (!check_caches(gpu, &plan->items[i], err) || !check_loads(gpu, &plan->items[i], err))
            return false;
    unsigned sms = gpu->machine.gpu.sms, slices = gpu->machine.slice.count;
    const CoreConfig *core = &gpu->machine.core;
    SmSlots slots = {core->threads / core->width, core->blocks, core->schedulers, sms};
    unsigned prefetchers = HOOK_CACHES * (unsigned)plan->count;
    if (!memory_side_count_prefetchers(gpu->memory_side, prefetchers, err)) return false;
    gpu->l1_hooks = hd_new(sms, sizeof *gpu->l1_hooks);
    if (!gpu->l1_hooks) return hd_fail_memory(err, "attaching mechanisms");
    for (unsigned i = 0; i < sms; i++) {
        if (!cache_hooks_new(&gpu->l1_hooks[i], plan, HOOK_L1, i, gpu->seed, err)) return false;
        if (!gpu->l1_hooks[i]) continue;
        cache_hooks_set_place_count(gpu->l1_hooks[i], sms);
        if (!cache_hooks_set_slots(gpu->l1_hooks[i], slots, err) ||
            !sm_attach(gpu->sms[i], gpu->l1_hooks[i], err))
            return false;
    }
    gpu->l2_hooks = hd_new(slices, sizeof *gpu->l2_hooks);
    if (!gpu->l2_hooks) return hd_fail_memory(err, "attaching mechanisms");
    for (unsigned i = 0; i < slices; i++) {
        if (!cache_hooks_new(&gpu->l2_hooks[i], plan, HOOK_L2, i, gpu->seed, err) ||
            !memory_side_attach(gpu->memory_side, i, gpu->l2_hooks[i], err))
            return false;
        if (gpu->l2_hooks[i]) cache_hooks_set_place_count(gpu->l2_hooks[i], slices);
    }
    engine_hooks_connect(gpu->l2_hooks, slices);
    for (unsigned i = 0; gpu->l2_hooks[0] && i < sms; i++)
        sm_add_request_fields(gpu->sms[i], plan->request_field_bits);
    if (!gpu_hooks_new(&gpu->own_hooks, plan, sms, slices, gpu->seed, err)) return false;
    if (gpu->own_hooks && !cache_hooks_set_slots(gpu->own_hooks, slots, err)) return false;
    gpu->every_quantum = gpu_hooks_want_quanta(gpu->own_hooks);
    return !plan_has_engines(plan) || show_engines(gpu, err);
}

void mechanisms_free(Gpu *gpu)
{
    for (unsigned i = 0; gpu->l1_hooks && i < gpu->machine.gpu.sms; i++)
        cache_hooks_free(gpu->l1_hooks[i]);
    for (unsigned i = 0; gpu->l2_hooks && i < gpu->machine.slice.count; i++)
        cache_hooks_free(gpu->l2_hooks[i]);
    cache_hooks_free(gpu->own_hooks);
    free(gpu->l1_hooks);
    free(gpu->l2_hooks);
    free(gpu->kernel_engines);
}

HookCounters mechanisms_counters(const Gpu *gpu, HookLevel level)
{
    HookCounters sum = {0};
    for (unsigned place = 0; place < gpu_mechanism_places(gpu, level); place++)
        stats_add(&hook_table, &sum, &gpu_hooks(gpu, level, place)->counted);
    return sum;
}

// The number of the kernel's first static instruction, which no other kernel has.
static uint32_t kernel_pc(const SmLaunch *launch)
{
    return launch->pc_base[launch->kernel - launch->module->functions];
}

static HdKernel describe_kernel(const Gpu *gpu, const LaunchState *state)
{
    const SmLaunch *launch = &state->launch;
    HdKernel kernel = {.name = launch->kernel->name, .cycle = gpu->cycle,
                       .registers = state->registers,
                       .spare_registers = launch->spare_registers,
                       .shared = launch->kernel->shared_bytes + launch->dynamic_shared,
                       .timed = state->timed && !state->cut.launch,
                       .repeated = gpu->launches && gpu->last_kernel_pc == kernel_pc(launch)};
    memcpy(kernel.grid, launch->grid, sizeof kernel.grid);
    memcpy(kernel.block, launch->block, sizeof kernel.block);
    return kernel;
}

// Sets gpu->kernel_engines for a launch.
static void find_engines(Gpu *gpu, const SmLaunch *launch)
{
    for (unsigned i = 0; i < gpu_mechanisms(gpu)->count; i++) {
        KernelEngines *engines = &gpu->kernel_engines[i];
        engines->instructions = kernel_engine_instructions(gpu, launch, i, &engines->pc);
    }
}

static unsigned count_prefetching(const Gpu *gpu)
{
    unsigned count = 0;
    for (HookLevel level = 0; level < HOOK_CACHES; level++)
        for (unsigned place = 0; place < gpu_mechanism_places(gpu, level); place++) {
            const PrefetchQueues *all = gpu_hooks(gpu, level, place)->prefetches;
            count += all && prefetch_queues_pending(all);
        }
    return count;
}

void mechanisms_on_kernel(Gpu *gpu, const LaunchState *state, bool begins)
{
    if (!begins) gpu->prefetching = count_prefetching(gpu);
    for (HookLevel level = 0; begins && level < HOOK_CACHES; level++)
        gpu->counters_before[level] = mechanisms_counters(gpu, level);
    HdKernel kernel = describe_kernel(gpu, state);
    if (gpu->kernel_engines && begins) find_engines(gpu, &state->launch);
    if (gpu->own_hooks && begins) gpu_hooks_on_kernel(gpu->own_hooks, &kernel, begins);
    if (begins && gpu->l2_hooks) memory_side_on_kernel_begin(gpu->memory_side);
    for (unsigned i = 0; gpu->l1_hooks && i < gpu->machine.gpu.sms; i++)
        if (gpu->l1_hooks[i])
            cache_hooks_on_kernel(gpu->l1_hooks[i], gpu->cycle, &kernel, begins);
    Tick now = clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle);
    uint64_t l2_cycle = clock_cycle(&gpu->clocks, CLOCK_L2, now);
    for (unsigned i = 0; gpu->l2_hooks && i < gpu->machine.slice.count; i++)
        if (gpu->l2_hooks[i]) cache_hooks_on_kernel(gpu->l2_hooks[i], l2_cycle, &kernel, begins);
    if (begins && state->timed) memory_side_begin_engines(gpu->memory_side, now);
    if (gpu->own_hooks && !begins) {
        gpu_hooks_collect(gpu->own_hooks, gpu->l1_hooks, gpu->l2_hooks);
        gpu_hooks_on_kernel(gpu->own_hooks, &kernel, begins);
    }
    if (!begins) gpu->last_kernel_pc = kernel_pc(&state->launch);
}

// ---- the host ----

void mechanisms_on_release(Gpu *gpu, uint64_t address, uint64_t bytes)
{
    for (HookLevel level = 0; level < HOOK_LEVELS; level++)
        for (unsigned i = 0; i < gpu_mechanism_places(gpu, level); i++)
            cache_hooks_on_release(hooks_at(gpu, level, i), address, bytes);
}

static uint64_t allocated(const HdCall *call, uint64_t address)
{
    uint64_t start, bytes;
    return guest_range(call->memory, address, &start, &bytes) ? start + bytes - address : 0;
}

// Writes "mark(1, 0x100000000)": values from 2^16 on are mostly addresses.
static void describe_call(const HdCall *call, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%.64s(", call->verb);
    for (size_t i = 0; i < call->count; i++) {
        const char *format = call->values[i] > UINT16_MAX ? "%s0x%" PRIx64 : "%s%" PRIu64;
        used += (size_t)snprintf(text + used, size - used, format, i ? ", " : "", call->values[i]);
    }
    snprintf(text + used, size - used, ")");
}

// Keeps the first refused call with each reason as a notice: a program may ignore the error. The
// report and the result then say it.
static void notice_refused(Gpu *gpu, const HdError *err, const char *reason)
{
    for (size_t i = 0; i < gpu->notice_count; i++)
        if (strstr(gpu->notices[i], reason)) return;
    char *notice = strdup(err->text);
    if (!notice || !HD_PUSH(gpu->notices, gpu->notice_count, gpu->notice_capacity, notice))
        free(notice); // the caller prints it in any case
}

bool gpu_call(Gpu *gpu, const char *mechanism, const char *verb, const uint64_t *values,
              size_t count, HdError *err)
{
    const HookPlan *plan = gpu->options.mechanisms;
    bool runs = false, takes = false;
    for (size_t i = 0; plan && i < plan->count; i++)
        runs |= strcmp(plan->items[i].mechanism->name, mechanism) == 0;
    if (!runs) return true;
    HdCall call = {verb, values, count, allocated, &gpu->memory};
    const char *refused = NULL;
    for (HookLevel level = 0; level < HOOK_LEVELS; level++)
        for (unsigned i = 0; !refused && i < gpu_mechanism_places(gpu, level); i++)
            refused = cache_hooks_on_call(hooks_at(gpu, level, i), mechanism, &call, &takes);
    if (!takes) refused = "expected no calls: it has no hook for them";
    if (!refused) return true;
    char text[CALL_TEXT];
    describe_call(&call, text, sizeof text);
    hd_fail(err, "mechanism %s: %s: %s", mechanism, text, refused);
    notice_refused(gpu, err, refused);
    return false;
}

void mechanisms_copy_backs(const Gpu *gpu, CopyBackCounters *sum)
{
    *sum = (CopyBackCounters){0};
    for (HookLevel level = 0; gpu->l1_hooks && level < HOOK_CACHES; level++)
        for (unsigned i = 0; i < gpu_mechanism_places(gpu, level); i++)
            stats_add(&copy_back_table, sum, &gpu_hooks(gpu, level, i)->copy_backs.counted);
}

bool mechanisms_prefetches(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                           PrefetchCounters *sum)
{
    bool any = false;
    *sum = (PrefetchCounters){0};
    for (unsigned i = 0; i < gpu_mechanism_places(gpu, level); i++) {
        PrefetchCounters at;
        if (!cache_hooks_prefetch_counters(gpu_hooks(gpu, level, i), planned, &at)) continue;
        stats_add(&prefetch_table, sum, &at);
        any = true;
    }
    unsigned mechanism = (unsigned)(planned - gpu_mechanisms(gpu)->items) + 1;
    sum->dram_bytes = memory_side_prefetched(gpu->memory_side, prefetcher_at(mechanism, level));
    return any;
}

// Asks how many blocks an SM may hold: all SMs, or those that want to be asked. Returns the maximum
// of all.
static unsigned decide_block_limits(Gpu *gpu, LaunchState *state, bool all)
{
    unsigned max = 0;
    HdKernel kernel = describe_kernel(gpu, state);
    state->block_slots = 0;
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) {
        CacheHooks *hooks = gpu->l1_hooks[i];
        if (all || (hooks && hooks->reconsider.blocks)) {
            if (hooks) hooks->reconsider.blocks = false;
            sm_decide_block_limit(gpu->sms[i], &kernel);
            note_stop(gpu, i); // it may have room now, or no longer
        }
        unsigned limit = sm_block_limit(gpu->sms[i]);
        state->block_slots += limit;
        if (limit > max) max = limit;
    }
    return max;
}

void mechanisms_limit_blocks(Gpu *gpu, LaunchState *state)
{
    if (!gpu->l1_hooks) {
        state->block_slots = gpu->machine.gpu.sms * state->launch.blocks_per_sm;
        return;
    }
    unsigned max = decide_block_limits(gpu, state, true);
    if (max == state->launch.blocks_per_sm) return;
    state->launch.blocks_per_sm = max;
    state->limit = "mechanism";
}

// After the last block, or the cut, only prefetches that are queued are served: new ones for each
// that comes back, or for each period, would never let the launch finish.
static void end_prefetches(Gpu *gpu, const LaunchState *state)
{
    if (blocks_done(gpu) < state->blocks && !state->cut.launch) return;
    for (HookLevel level = 0; level < HOOK_CACHES; level++)
        for (unsigned i = 0; i < gpu_mechanism_places(gpu, level); i++)
            (level == HOOK_L1 ? gpu->l1_hooks : gpu->l2_hooks)[i]->drains = true;
}

// A lack of room in one SM stops the prefetches of the others.
static void share_stops(Gpu *gpu)
{
    const PathConfig *path = &gpu->machine.path;
    if (!path->prefetch_stop || path->prefetch_stop_by != STOP_BY_GPU) return;
    unsigned sms = gpu->machine.gpu.sms, first = 0;
    uint64_t longest = 0, second = 0; // second: of all but `first`
    for (unsigned i = 0; i < sms; i++) {
        uint64_t until = sm_stopped_until(gpu->sms[i]);
        if (until > longest) {
            second = longest;
            longest = until;
            first = i;
        } else if (until > second) {
            second = until;
        }
    }
    for (unsigned i = 0; i < sms; i++)
        sm_stop_prefetches(gpu->sms[i], i == first ? second : longest);
}

void mechanisms_on_quantum(Gpu *gpu, LaunchState *state)
{
    end_prefetches(gpu, state);
    share_stops(gpu);
    bool again = false, all = false; // all: the GPU's place wanted it a quantum ago
    HdQuantum quantum = {gpu->cycle, gpu->machine.gpu.sms, gpu->machine.slice.count};
    if (gpu->own_hooks) {
        all = gpu->own_hooks->reconsider.warps;
        gpu->own_hooks->reconsider.warps = gpu->own_hooks->reconsider.order = false;
        gpu_hooks_on_quantum(gpu->own_hooks, gpu->l1_hooks, gpu->l2_hooks, &quantum);
    }
    for (unsigned i = 0; gpu->l1_hooks[0] && i < gpu->machine.gpu.sms; i++) {
        CacheHooks *sm = gpu->l1_hooks[i];
        sm->reconsider.warps = sm->reconsider.warps || all;
        sm->reconsider.order = sm->reconsider.order || all;
        again = again || all || sm->reconsider.blocks;
    }
    if (!again) return;
    unsigned max = decide_block_limits(gpu, state, all);
    if (max > state->launch.blocks_per_sm) state->launch.blocks_per_sm = max;
}

void gpu_sector_structures(const Gpu *gpu, HdStructure structures[SECTOR_STRUCTURES + 1])
{
    unsigned count = 0;
    for (HookLevel level = 0; level < HOOK_CACHES; level++) {
        if (!gpu_mechanism_places(gpu, level)) continue;
        if (!(gpu_hooks(gpu, level, 0)->wants & HOOK_SECTORED)) continue;
        const CacheConfig *cache = level == HOOK_L1 ? &gpu->machine.l1d : &gpu->machine.l2;
        HdEach each = level == HOOK_L1 ? HD_EACH_L1 : HD_EACH_L2;
        uint32_t sectors = (uint32_t)(cache->line / SECTOR_BYTES);
        uint32_t more = sectors - (uint32_t)(cache->line / cache->sector);
        bool dirty = cache->write == WRITE_BACK || cache->local_write == WRITE_BACK;
        if (more)
            structures[count++] = (HdStructure){"line_sectors", each, 0, HD_PER_LINE,
                                                dirty ? 2 * more : more, 1};
        structures[count++] =
            (HdStructure){"fetch_sectors", each, cache->mshr_entries, HD_FIXED, sectors, 1};
    }
    structures[count] = (HdStructure){0};
}

// Fails with what the mechanism has said, at the place of the instruction that it names.
static bool fail_fault(const Gpu *gpu, const HookFault *fault, HdError *err)
{
    for (size_t i = 0; fault->pc != HD_NO_PC && i < gpu->module_count; i++) {
        const LoadedModule *loaded = &gpu->modules[i];
        for (size_t f = 0; f < loaded->module->function_count; f++) {
            const PtxFunction *function = &loaded->module->functions[f];
            uint32_t index = fault->pc - loaded->pc_base[f];
            if (fault->pc < loaded->pc_base[f] || index >= function->op_count) continue;
            return hd_fail_at(err, function->path, (int)function->timing[index].line, 0,
                              "mechanism %s: %s", fault->author, fault->text);
        }
    }
    return hd_fail(err, "mechanism %s: %s", fault->author, fault->text);
}

bool mechanisms_check_faults(const Gpu *gpu, HdError *err)
{
    static const HookLevel order[] = {HOOK_GPU, HOOK_L1, HOOK_L2};
    for (unsigned n = 0; gpu->l1_hooks && n < HOOK_LEVELS; n++)
        for (unsigned i = 0; i < gpu_mechanism_places(gpu, order[n]); i++) {
            const CacheHooks *hooks = gpu_hooks(gpu, order[n], i);
            if (hooks && hooks->fault.author) return fail_fault(gpu, &hooks->fault, err);
            if (hooks && hooks->wrong.what != WRONG_NONE)
                return hd_fail(err, "--mechanism %s: %s", hooks->wrong.author,
                               wrong_answer_text(hooks->wrong.what));
        }
    return true;
}

bool mechanisms_check(const Gpu *gpu, HdError *err)
{
    if (!mechanisms_check_faults(gpu, err)) return false;
    for (HookLevel level = 0; level < HOOK_LEVELS; level++)
        for (unsigned place = 0; place < gpu_mechanism_places(gpu, level); place++)
            if (!cache_hooks_complete(gpu_hooks(gpu, level, place)))
                return hd_fail_memory(err, "storing what mechanisms remember");
    return true;
}

const HookPlan *gpu_mechanisms(const Gpu *gpu) { return gpu->options.mechanisms; }

bool gpu_throttles_warps(const Gpu *gpu)
{
    const HookPlan *plan = gpu->options.mechanisms;
    for (size_t i = 0; plan && i < plan->count; i++)
        if (plan->items[i].mechanism->core.decide_issuable) return true;
    return false;
}

bool gpu_injects(const Gpu *gpu)
{
    const HookPlan *plan = gpu->options.mechanisms;
    for (size_t i = 0; plan && i < plan->count; i++)
        if (plan->items[i].mechanism->injects) return true;
    return false;
}

bool gpu_has_engines(const Gpu *gpu) { return gpu->kernel_engines; }

const CacheHooks *gpu_hooks(const Gpu *gpu, HookLevel level, unsigned place)
{
    return hooks_at(gpu, level, place);
}

unsigned gpu_mechanism_places(const Gpu *gpu, HookLevel level)
{
    if (!gpu->l1_hooks || !gpu_hooks(gpu, level, 0)) return 0;
    return level == HOOK_GPU  ? 1
           : level == HOOK_L1 ? gpu->machine.gpu.sms
                              : gpu->machine.slice.count;
}
