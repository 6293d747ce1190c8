// Storage of the blocks and warps on an SM.
#include "core/blocks/blocks.h"

#include "core/execute/splits.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// Storage of this size or more is in pages that the host provides on first use: a kernel may ask
// for far more local memory, or deeper recursion, than it uses.
enum { PAGES_FROM = 1 << 16 };

static void storage_free(void *store, size_t bytes)
{
    if (bytes >= PAGES_FROM) hd_pages_free(store, bytes);
    else free(store);
}

// Makes *store at least `count * size` bytes, zeroed when it grows. Never NULL, even if a kernel
// needs no bytes: warps point into it.
static bool storage_fit(void **store, size_t *have, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return false;
    if (*store && bytes <= *have) return true;
    void *grown =
        bytes >= PAGES_FROM ? hd_pages_new(bytes) : hd_new_aligned(bytes ? bytes : 1, 1, 64);
    if (!grown) return false;
    storage_free(*store, *have);
    *store = grown;
    *have = bytes;
    return true;
}

// The maximum storage of one warp of the launch: its own frame and the deepest chain of callees.
// With recursion: core.call_depth frames of the largest function, fewer if a thread's local memory
// would not fit in its window of generic addresses, or its parameters not in 4 GiB. One is the
// kernel's own.
typedef struct WarpNeed {
    size_t frames, slots, predicates, params, local;
    size_t stack; // offset in local memory of the storage for alloca
} WarpNeed;

static WarpNeed frames_need(const SmContext *context)
{
    const PtxFunction *kernel = context->launch->kernel;
    if (kernel->max_call_depth)
        return (WarpNeed){.frames = kernel->max_call_depth, .slots = kernel->max_call_slots,
                          .predicates = kernel->max_call_predicates,
                          .params = kernel->max_call_param_bytes,
                          .local = kernel->max_call_local};
    WarpNeed most = {0};
    for (size_t i = 0; i < context->launch->module->function_count; i++) {
        const PtxFunction *f = &context->launch->module->functions[i];
        if (f->entry && f != kernel) continue; // nothing calls it
        if (f->frame_slots > most.slots) most.slots = f->frame_slots;
        if (f->frame_predicates > most.predicates) most.predicates = f->frame_predicates;
        if (f->frame_param_bytes > most.params) most.params = f->frame_param_bytes;
        if (f->local_bytes > most.local) most.local = f->local_bytes;
    }
    size_t depth = context->config.core->call_depth;
    size_t window = GUEST_WINDOW_SIZE - (kernel->allocates ? 2 * EXEC_STACK_BYTES : 0);
    if (most.local && depth > window / most.local) depth = window / most.local;
    if (most.params && depth > UINT32_MAX / most.params) depth = UINT32_MAX / most.params;
    if (!depth) depth = 1;
    return (WarpNeed){.frames = depth, .slots = most.slots * depth,
                      .predicates = most.predicates * depth, .params = most.params * depth,
                      .local = most.local * depth};
}

// The registers that mechanisms add lie behind all frames.
static WarpNeed warp_need(const Blocks *blocks, const SmContext *context)
{
    WarpNeed need = frames_need(context);
    need.slots += blocks->added_slots;
    if (!context->launch->kernel->allocates) return need;
    need.stack = round_up(need.local, EXEC_STACK_HEAD);
    need.local = need.stack + EXEC_STACK_ROOM;
    return need;
}

static uint64_t shared_bytes(const SmLaunch *launch)
{
    return launch->kernel->shared_bytes + launch->dynamic_shared;
}

static void warp_place(Blocks *blocks, SmContext *context, unsigned id, const WarpNeed *need)
{
    Warp *w = &blocks->warps[id];
    size_t width = context->config.core->width;
    w->values.slots = (uint8_t *)blocks->storage.slots + id * need->slots * SLOT_BYTES;
    w->values.predicates = (LaneMask *)blocks->storage.predicates + id * need->predicates;
    w->values.frame_params = (uint8_t *)blocks->storage.frame_params + id * need->params * width;
    w->values.local_memory = (uint8_t *)blocks->storage.local + id * need->local * width;
    w->calls.frames = (Frame *)blocks->storage.frames + id * need->frames;
    w->calls.capacity = (uint32_t)need->frames;
    // Of a recursion: the kernel's own frame, which no call takes.
    const PtxFunction *kernel = context->launch->kernel;
    bool recursive = !kernel->max_call_depth;
    w->calls.bytes = recursive ? simt_bytes_to_end(context, &(Frame){.function = kernel}) : 0;
    context->frame_bytes += w->calls.bytes;
    w->scoreboard.pending =
        (uint64_t *)blocks->storage.pending + (size_t)id * 2 * blocks->scoreboard_words;
    w->scoreboard.memory = w->scoreboard.pending + blocks->scoreboard_words;
    w->group.ahead_reads =
        (uint16_t *)blocks->storage.ahead_reads + (size_t)id * blocks->ahead_registers;
    w->exec.frame_param_stride = (uint32_t)need->params;
    w->exec.local = w->values.local_memory;
    w->exec.local_stride = need->local;
    w->exec.stack = need->stack;
}

static bool lie_alike(const BlockBytes *a, const BlockBytes *b)
{
    return a->local == b->local && a->parameters == b->parameters && a->threads == b->threads;
}

static bool has_own(const BlockBytes *b) { return b->local || b->parameters; }

uint64_t blocks_storage_after(const Blocks *blocks, const BlockBytes *next, uint64_t count)
{
    const BlockBytes *touched = &blocks->touched, *others = &blocks->others;
    uint64_t own = count * (next->local + next->parameters),
             held = touched->local + touched->parameters;
    return others->local + others->parameters +
           (lie_alike(&blocks->placed, next) ? larger(held, own) : held + own) +
           larger(touched->registers, count * next->registers) +
           larger(touched->predicates, count * next->predicates);
}

// Notes that a block takes the slot.
static void touch(Blocks *blocks, const BlockBytes *each, unsigned slot)
{
    BlockBytes *touched = &blocks->touched, *others = &blocks->others;
    if (has_own(each) && !lie_alike(&blocks->placed, each)) {
        others->local = smaller(others->local + touched->local, blocks->storage.local_size);
        others->parameters = smaller(others->parameters + touched->parameters,
                                    blocks->storage.frame_params_size);
        touched->local = touched->parameters = 0;
        blocks->placed = *each;
    }
    uint64_t count = slot + 1;
    touched->local = larger(touched->local, count * each->local);
    touched->parameters = larger(touched->parameters, count * each->parameters);
    touched->registers = larger(touched->registers, count * each->registers);
    touched->predicates = larger(touched->predicates, count * each->predicates);
}

void blocks_drop_storage(Blocks *blocks, const SmConfig *config)
{
    WarpStorage *s = &blocks->storage;
    storage_free(s->slots, s->slots_size);
    storage_free(s->predicates, s->predicates_size);
    storage_free(s->frame_params, s->frame_params_size);
    storage_free(s->local, s->local_size);
    storage_free(s->frames, s->frames_size);
    storage_free(s->pending, s->pending_size);
    storage_free(s->shared, s->shared_size);
    storage_free(s->ahead_reads, s->ahead_reads_size);
    *s = (WarpStorage){0};
    blocks->touched = blocks->others = blocks->placed = (BlockBytes){0};
    for (unsigned i = 0; blocks->warps && i < config->core->threads / config->core->width; i++)
        splits_drop_slots(blocks->warps[i].splits);
}

bool blocks_begin(Blocks *blocks, SmContext *context)
{
    const SmLaunch *launch = context->launch;
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    blocks->warps_per_block = (unsigned)divide_up(threads, context->config.core->width);
    blocks->block_slots = launch->blocks_per_sm;
    blocks->warp_slots = blocks->block_slots * blocks->warps_per_block;
    context->frame_bytes = 0;
    context->frame_limit = launch->frame_limit;
    uint32_t registers = 0;
    for (size_t i = 0; i < launch->module->function_count; i++)
        if (launch->module->functions[i].virtual_registers > registers)
            registers = launch->module->functions[i].virtual_registers;
    blocks->scoreboard_words = (registers + blocks->added_slots) / 64 + 1;
    WarpNeed need = warp_need(blocks, context);
    blocks->slots = need.slots;
    blocks->local_stride = need.local;
    blocks->scoreboard_numbers = registers;
    blocks->ahead_registers = scalars_go_on(context->config.scalar) ? registers : 0;
    WarpStorage *s = &blocks->storage;
    size_t width = context->config.core->width, warps = blocks->warp_slots;
    bool ok =
        storage_fit(&s->slots, &s->slots_size, warps * need.slots, SLOT_BYTES) &&
        storage_fit(&s->predicates, &s->predicates_size, warps * need.predicates,
                    sizeof(LaneMask)) &&
        storage_fit(&s->frame_params, &s->frame_params_size, warps * need.params, width) &&
        storage_fit(&s->local, &s->local_size, warps * need.local, width) &&
        storage_fit(&s->frames, &s->frames_size, warps * need.frames, sizeof(Frame)) &&
        storage_fit(&s->pending, &s->pending_size, warps * blocks->scoreboard_words * 2, 8) &&
        storage_fit(&s->ahead_reads, &s->ahead_reads_size, warps * blocks->ahead_registers,
                    sizeof(uint16_t)) &&
        storage_fit(&s->shared, &s->shared_size, blocks->block_slots, shared_bytes(launch) + 16);
    if (!ok) return sm_out_of_memory(context, "placing warps");
    for (unsigned b = 0; b < blocks->block_slots; b++) blocks->blocks[b].placed = false;
    return true;
}

bool blocks_place(Blocks *blocks, SmContext *context, unsigned slot)
{
    const SmLaunch *launch = context->launch;
    Block *block = &blocks->blocks[slot];
    uint64_t bytes = shared_bytes(launch);
    block->placed = true;
    touch(blocks, &launch->block_bytes, slot);
    block->slot = (uint16_t)slot;
    block->first_warp = (uint16_t)(slot * blocks->warps_per_block);
    block->exec = (ExecBlock){
        .dynamic_shared = (uint32_t)launch->dynamic_shared, .total_shared = (uint32_t)bytes,
        .shared = (uint8_t *)blocks->storage.shared + slot * (bytes + 16),
        .params = launch->params, .param_bytes = launch->kernel->param_bytes,
        .constants = launch->constants, .const_bytes = launch->module->const_bytes,
        .textures = launch->textures,
        .sm = context->id, .sm_count = launch->sms, .grid_id = launch->grid_id,
        .width = context->config.core->width, .cooperation = launch->cooperation,
    };
    memcpy(block->exec.grid, launch->grid, sizeof launch->grid);
    memcpy(block->exec.block, launch->block, sizeof launch->block);
    WarpNeed need = warp_need(blocks, context);
    bool independent = context->config.core->divergence == DIVERGENCE_ITS;
    for (unsigned i = 0; i < blocks->warps_per_block; i++) {
        warp_place(blocks, context, block->first_warp + i, &need);
        if (independent && !splits_place(context, &blocks->warps[block->first_warp + i],
                                         need.slots))
            return sm_out_of_memory(context, "placing warps");
    }
    memset(blocks->warps[block->first_warp].scoreboard.pending, 0,
           (size_t)blocks->warps_per_block * 2 * blocks->scoreboard_words * 8);
    memset(blocks->warps[block->first_warp].group.ahead_reads, 0,
           (size_t)blocks->warps_per_block * blocks->ahead_registers * sizeof(uint16_t));
    return true;
}

void blocks_free(Blocks *blocks, const SmConfig *config)
{
    blocks_drop_storage(blocks, config);
    if (blocks->warps)
        for (unsigned i = 0; i < config->core->threads / config->core->width; i++) {
            free(blocks->warps[i].stack.entries);
            splits_free(blocks->warps[i].splits);
        }
}

bool blocks_init(Blocks *blocks, const SmConfig *config, HdTables *tables)
{
    blocks->queue_capacity = config->core->blocks + config->launch->queue;
    blocks->warps = hd_tables_new(tables, config->core->threads / config->core->width,
                                  sizeof *blocks->warps);
    blocks->blocks = hd_tables_new(tables, config->core->blocks, sizeof *blocks->blocks);
    blocks->queue = hd_tables_new(tables, blocks->queue_capacity, sizeof *blocks->queue);
    if (!blocks->warps || !blocks->blocks || !blocks->queue) return false;
    for (unsigned i = 0; i < config->core->threads / config->core->width; i++) {
        blocks->warps[i].id = (uint16_t)i;
        blocks->warps[i].block = blocks->blocks; // a warp always has one, even before it starts
    }
    return true;
}
