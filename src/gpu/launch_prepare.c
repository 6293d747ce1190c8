// The start of a launch: checks that it fits the machine, and prepares it.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_REGISTERS = 16 }; // a bound below this is ignored

// The maximum number of registers per thread with which an SM holds this many warps; UINT32_MAX if
// that is below MIN_REGISTERS.
static uint32_t registers_that_fit(const CoreConfig *core, uint64_t warps)
{
    uint64_t per_warp = core->registers / round_up(warps, core->warp_unit);
    uint64_t fit = (per_warp - per_warp % core->register_unit) / core->width;
    return fit >= MIN_REGISTERS && fit < UINT32_MAX ? (uint32_t)fit : UINT32_MAX;
}

// Whether the setting "NAME=N" is for this kernel, by its exact or base name.
static bool is_of(const char *setting, const PtxFunction *kernel)
{
    size_t length = strcspn(setting, "=");
    char base[256];
    if (strlen(kernel->name) == length && !memcmp(kernel->name, setting, length)) return true;
    ptx_base_name(kernel->name, base, sizeof base);
    return strlen(base) == length && !memcmp(base, setting, length);
}

bool gpu_registers(const Gpu *gpu, const PtxFunction *kernel, unsigned threads,
                   uint32_t *registers, HdError *err)
{
    // Limit the front end's count by __launch_bounds__ and -maxrregcount: ptxas spills rather than
    // exceed them. The front end and ptxas count differently, so a launch that runs on a real GPU
    // could fail here. To avoid that, assume that the kernel is compiled for the launch's block.
    const CoreConfig *core = &gpu->machine.core;
    uint32_t max = machine_most_registers(&gpu->machine);
    if (kernel->max_registers && kernel->max_registers < max) max = kernel->max_registers;
    const uint32_t *bound =
        kernel->required_threads[0] ? kernel->required_threads : kernel->max_threads;
    if (bound[0]) {
        uint64_t warps = divide_up(ptx_bound_threads(bound), core->width);
        if (kernel->min_blocks) warps *= kernel->min_blocks;
        uint32_t fit = registers_that_fit(core, warps);
        if (fit < max) max = fit;
    }
    uint32_t fit = threads ? registers_that_fit(core, divide_up(threads, core->width)) : UINT32_MAX;
    if (fit < max) max = fit;
    *registers = kernel->registers < max ? kernel->registers : max;
    for (const char *const *r = gpu->options.registers; r && *r; r++) {
        const char *equals = strchr(*r, '=');
        char *end = NULL;
        unsigned long n = equals ? strtoul(equals + 1, &end, 10) : 0;
        if (!equals || end == equals + 1 || *end || n < 1 || n > 255)
            return hd_fail(
                err, "--registers %s: expected KERNEL=NUMBER with a number from 1 to 255", *r);
        if (is_of(*r, kernel)) *registers = (uint32_t)n;
    }
    return true;
}

bool gpu_check_registers(Gpu *gpu, HdError *err)
{
    for (const char *const *r = gpu->options.registers; r && *r; r++) {
        bool found = false;
        for (size_t m = 0; m < gpu->module_count && !found; m++) {
            const PtxModule *module = gpu->modules[m].module;
            for (size_t f = 0; f < module->function_count && !found; f++)
                found = module->functions[f].entry && is_of(*r, &module->functions[f]);
        }
        if (found) continue;
        char name[256];
        HdError why = {0};
        PtxModule *module;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*r, "="), *r);
        gpu_kernel(gpu, name, &module, &why);
        return hd_fail(err, "--registers %s: %.1024s", *r, why.text);
    }
    return true;
}

enum { MAX_BLOCK_Z = 64 }; // threads of a block

static bool check_shape(const Gpu *gpu, const Launch *launch, const char *name, HdError *err)
{
    const PtxFunction *k = launch->kernel;
    uint64_t threads = 1, blocks = 1;
    uint64_t max = gpu->machine.core.threads < 1024 ? gpu->machine.core.threads : 1024;
    for (int d = 0; d < 3; d++) {
        if (!launch->grid[d] || !launch->block[d])
            return hd_fail(err, "%s: a grid of (%u,%u,%u) blocks of (%u,%u,%u) threads is empty",
                           name, launch->grid[0], launch->grid[1], launch->grid[2],
                           launch->block[0], launch->block[1], launch->block[2]);
        if (k->required_threads[0] &&
            launch->block[d] != (k->required_threads[d] ? k->required_threads[d] : 1))
            return hd_fail(err, "%s: .reqntid requires blocks of (%u,%u,%u) threads", name,
                           k->required_threads[0], k->required_threads[1], k->required_threads[2]);
        if (threads <= max) threads *= launch->block[d];
        if (__builtin_mul_overflow(blocks, launch->grid[d], &blocks))
            return hd_fail(err, "%s: a grid of (%u,%u,%u) has 2^64 blocks or more", name,
                           launch->grid[0], launch->grid[1], launch->grid[2]);
    }
    const uint32_t *grid = launch->grid;
    if (grid[0] > INT32_MAX || grid[1] > UINT16_MAX || grid[2] > UINT16_MAX)
        return hd_fail(err, "%s: a grid of (%u,%u,%u) blocks: expected at most (%d,%d,%d)",
                       name, grid[0], grid[1], grid[2], INT32_MAX, UINT16_MAX, UINT16_MAX);
    if (launch->block[2] > MAX_BLOCK_Z)
        return hd_fail(err, "%s: blocks of %u threads in z: expected at most %d", name,
                       launch->block[2], MAX_BLOCK_Z);
    if (threads > max)
        return hd_fail(err, "%s: %" PRIu64 " threads per block: expected at most %" PRIu64,
                       name, threads, max);
    return true;
}

static unsigned block_threads(const Launch *launch) // after check_shape
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

// A predicate takes a bit of each thread.
static uint64_t register_bytes(const PtxFunction *k)
{
    return k->max_call_slots * UINT64_C(4) + divide_up(k->max_call_predicates, 8);
}

enum { REAL_REGISTERS = 255, REAL_PREDICATES = 7 };

static uint64_t beyond(uint64_t number, uint64_t real) { return number > real ? number - real : 0; }

// A thread's registers beyond those of a real GPU, and parameters of functions, which are in its
// local memory.
static uint64_t frame_bytes(const PtxFunction *k)
{
    enum { REAL = REAL_REGISTERS * 4 + (REAL_PREDICATES + 7) / 8 };
    return beyond(register_bytes(k), REAL) + k->max_call_param_bytes;
}

static BlockBytes bytes_of_block(const Gpu *gpu, const Launch *launch)
{
    const PtxFunction *k = launch->kernel;
    uint32_t threads = block_threads(launch);
    uint64_t warps = divide_up(threads, gpu->machine.core.width);
    uint64_t stack = k->allocates ? EXEC_STACK_ROOM : 0;
    return (BlockBytes){
        .local = threads * (k->max_call_local + stack),
        .parameters = threads * (uint64_t)k->max_call_param_bytes,
        .registers = warps * SLOT_BYTES * beyond(k->max_call_slots, REAL_REGISTERS),
        .predicates = warps * sizeof(LaneMask) * beyond(k->max_call_predicates, REAL_PREDICATES),
        .threads = threads};
}

// The local memory of one thread, and of all threads that run at the same time. A driver takes
// device memory for it. What a recursion needs is not known before it runs (SmLaunch.frame_limit).
static bool check_local(Gpu *gpu, const Launch *launch, uint64_t blocks_per_sm,
                        const char *name, BlockBytes *block, HdError *err)
{
    uint64_t local = launch->kernel->max_call_local, capacity = gpu->machine.path.capacity;
    if (local > gpu->machine.core.local)
        return hd_fail(err, "%s: %" PRIu64 " bytes of local memory per thread: expected at most "
                            "%" PRIu64 " (core.local)",
                       name, local, gpu->machine.core.local);
    const uint32_t *grid = launch->grid;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t held = smaller(blocks, blocks_per_sm * gpu->machine.gpu.sms);
    uint64_t threads = held * block_threads(launch);
    if (local * threads > capacity)
        return hd_fail(err, "%s: %" PRIu64 " bytes of local memory for each of %" PRIu64
                            " threads at the same time: expected at most %" PRIu64 " bytes in all "
                            "(memory.capacity)",
                       name, local, threads, capacity);
    uint64_t frames = frame_bytes(launch->kernel);
    if ((local + frames) * threads > capacity)
        return hd_fail(err, "%s: %" PRIu64 " bytes of local memory, and %" PRIu64 " of spilled "
                            "registers and of functions' parameters, for each of %" PRIu64
                            " threads at the same time: expected at most %" PRIu64 " bytes in all "
                            "(memory.capacity)",
                       name, local, frames, threads, capacity);
    *block = bytes_of_block(gpu, launch);
    ThreadStorage need = {*block, held, smaller(blocks, blocks_per_sm)};
    return thread_memory_begin(gpu, launch->kernel, &need, name, err);
}

enum { MAX_FRAMES = 1 << 19 }; // bytes of one thread's frames: the local memory that GPUs allow

static bool check_frames(const PtxFunction *k, const char *name, HdError *err)
{
    uint64_t registers = register_bytes(k);
    if (k->max_call_param_bytes > MAX_FRAMES)
        return hd_fail(err, "%s: %u bytes of functions' parameters per thread: expected at most %d",
                       name, k->max_call_param_bytes, MAX_FRAMES);
    if (registers > MAX_FRAMES)
        return hd_fail(err, "%s: %" PRIu64 " bytes of registers per thread: expected at most %d",
                       name, registers, MAX_FRAMES);
    return true;
}

// The mechanism of each of the kernel's engine instructions must run.
static bool check_engines(const LoadedModule *loaded, const Launch *launch, HdError *err)
{
    uint32_t kernel = (uint32_t)(launch->kernel - launch->module->functions);
    for (const EngineUse *use = NULL; (use = engine_uses_next(&loaded->engines, use, kernel));) {
        char what[128];
        if (use->instruction->planned != ENGINE_NOT_PLANNED) continue;
        snprintf(what, sizeof what, "which is not in this run: expected --mechanism %s",
                 use->instruction->mechanism->name);
        return engine_use_fail(use, launch->module, what, err);
    }
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
    if (!check_engines(loaded, launch, err)) return false;
    gpu->fault.kind = GPU_FAULT_CONFIGURATION;
    if (!check_shape(gpu, launch, name, err) ||
        !gpu_registers(gpu, launch->kernel, block_threads(launch), &s->registers, err))
        return false;
    gpu->fault.kind = GPU_FAULT_RESOURCES;
    if (!check_frames(launch->kernel, name, err)) return false;
    if (launch->module->heap && !system_heap(gpu, err)) return false;
    uint64_t shared = launch->kernel->shared_bytes + launch->dynamic_shared;
    HdError why;
    unsigned threads = block_threads(launch);
    unsigned fit = machine_occupancy(&gpu->machine, threads, s->registers, shared, &s->limit, &why);
    if (!fit) return hd_fail(err, "%s: %.1024s", name, why.text);
    s->blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    BlockBytes block_bytes = {0};
    if (!check_local(gpu, launch, fit, name, &block_bytes, err)) return false;
    uint32_t spare = machine_spare_registers(&gpu->machine, threads, s->registers, shared,
                                             plan_spare_registers(gpu->options.mechanisms));
    SmUse use = machine_use(&gpu->machine, fit, threads, s->registers + spare, shared);
    gpu->fault.kind = GPU_FAULT_HOST;
    s->allocations = gpu->memory.allocation_count;
    s->pcs = gpu->pcs;
    s->start = s->collected = gpu->cycle + gpu->machine.launch.latency;
    s->launch = (SmLaunch){
        .module = launch->module, .kernel = launch->kernel, .pc_base = loaded->pc_base,
        .grid_id = (uint32_t)gpu->launches, .sms = gpu->machine.gpu.sms,
        .dynamic_shared = launch->dynamic_shared, .params = launch->params,
        .cooperation = launch->cooperation,
        .constants = loaded->constants, .textures = gpu->textures, .blocks_per_sm = fit,
        .spare_registers = spare, .block_bytes = block_bytes,
        .frame_limit = gpu->machine.path.capacity / gpu->machine.gpu.sms,
        .l1d = machine_l1d(&gpu->machine, &use),
        .nanoseconds_per_cycle = 1e6 / (double)gpu->machine.core.frequency,
    };
    memcpy(s->launch.grid, launch->grid, sizeof launch->grid);
    memcpy(s->launch.block, launch->block, sizeof launch->block);
    // The instructions that the kernel may issue: its own or, if it calls functions, its module's.
    const PtxModule *m = launch->module;
    size_t kernel = (size_t)(launch->kernel - m->functions);
    bool alone = launch->kernel->max_call_depth == 1;
    size_t first = alone ? kernel : 0, last = alone ? kernel : m->function_count - 1;
    s->launch.first_pc = loaded->pc_base[first];
    s->launch.end_pc = loaded->pc_base[last] + m->functions[last].op_count;
    if (s->launch.l1d.size != gpu->l1d_size) gpu->l1d_changes++;
    gpu->l1d_size = s->launch.l1d.size;
    s->launch.l1d_changes = gpu->l1d_changes;
    return memory_side_resize(gpu->memory_side, s->allocations, s->pcs, gpu->team, err);
}
