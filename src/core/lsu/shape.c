// Coalescing of memory instructions.
#include "core/lsu/shape.h"

#include "base/memory.h"
#include "hooks/engine_instructions.h"

// The addresses of constants and kernel parameters in the caches, outside all guest allocations.
#define CONSTANT_BASE (UINT64_C(2) << 44)
#define PARAMETER_BASE (UINT64_C(3) << 44)

// An element of local memory of more than 4 bytes lies in several rows of its layout.
static unsigned coalesce_local(const SmContext *context, MemoryOp *r, const uint64_t *offsets,
                               unsigned bytes)
{
    uint64_t addresses[HD_MAX_LANES];
    unsigned count = 0, size = bytes < 4 ? bytes : 4;
    for (unsigned k = 0; k < bytes; k += size) {
        for (LaneMask m = r->lanes; m; m &= m - 1) {
            unsigned l = lanes_first(m), own;
            const Warp *w = memory_op_warp(r, l, &own);
            addresses[l] = local_address(context, w, own, local_offset(r, w, offsets[l]) + k);
        }
        count += coalesce(context->config.path->coalesce, r->lanes, addresses, size,
                          r->accesses + count);
    }
    return count;
}

static unsigned coalesce_atomic(const SmContext *context, MemoryOp *r, const uint64_t *addresses,
                                unsigned bytes)
{
    const AtomicsConfig *config = context->config.atomics;
    bool sector = config->segment == ATOMICS_SEGMENT_SECTOR;
    CoalesceRule rule = sector ? COALESCE_SECTOR : context->config.path->coalesce;
    unsigned count = 0;
    unsigned lanes = core_group_lanes(context->config.core);
    for (unsigned first = 0; first < lanes; first += config->lanes) {
        LaneMask group = r->lanes & lanes_all(config->lanes) << first;
        if (config->coalesce == ATOMICS_BY_WORD)
            count += coalesce_words(rule, group, addresses, bytes, r->accesses + count);
        else
            count += coalesce(rule, group, addresses, bytes, r->accesses + count);
    }
    return count;
}

// Finds the distinct lines of the constant cache, in the order of their first lane.
static unsigned constant_lines(const SmContext *context, const UOp *op, LaneMask lanes,
                               uint64_t base, const uint64_t *offsets, CoalescedAccess *out)
{
    uint64_t line = context->config.l1c->line;
    unsigned count = 0;
    if (op->src[0] == OPERAND_NONE) { // a fixed address, the same for all lanes
        uint64_t at = base + offsets[lanes_first(lanes)];
        out[0] = (CoalescedAccess){.line = at - at % line, .lanes = lanes};
        return 1;
    }
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned l = lanes_first(m), i = 0;
        uint64_t at = (base + offsets[l]) / line * line;
        while (i < count && out[i].line != at) i++;
        if (i == count) out[count++] = (CoalescedAccess){.line = at};
        out[i].lanes |= (LaneMask)1 << l;
    }
    return count;
}

static bool fill_atomics(SmContext *context, MemoryOp *r, const uint64_t *addresses)
{
    const UOp *op = r->op;
    if (!r->atomics) r->atomics = hd_tables_new(&context->tables, COALESCE_MAX, sizeof *r->atomics);
    if (!r->atomics) return sm_out_of_memory(context, "tracking atomics");
    for (unsigned i = 0; i < r->count; i++) {
        AtomicLanes *a = &r->atomics[i];
        a->operation = op->modifier;
        a->type = op->type;
        a->lanes = r->accesses[i].lanes;
        for (LaneMask m = a->lanes; m; m &= m - 1) {
            unsigned l = lanes_first(m), own;
            const Warp *w = memory_op_warp(r, l, &own);
            a->address[l] = addresses[l];
            exec_atomic_operands(op, &w->exec, own, &a->b[l], &a->c[l]);
        }
    }
    return true;
}

static uint64_t address_of(const CoalescedAccess *access)
{
    unsigned sectors = access->span_sectors; // none: constants, whose lines may be shorter
    return access->line + (sectors ? SECTOR_BYTES * lanes_first(sectors) : 0);
}

void shape_order(MemoryOp *r)
{
    CoalescedAccess *a = r->accesses;
    // Addresses mostly rise from lane to lane: the reverse is nearly sorted.
    for (unsigned i = 0, k = r->count - 1u; i < k; i++, k--) {
        CoalescedAccess swapped = a[i];
        a[i] = a[k];
        a[k] = swapped;
    }
    for (unsigned i = 1; i < r->count; i++) {
        uint64_t address = address_of(&a[i]);
        if (address_of(&a[i - 1]) >= address) continue;
        CoalescedAccess moved = a[i];
        unsigned at = i;
        for (; at && address_of(&a[at - 1]) < address; at--) a[at] = a[at - 1];
        a[at] = moved;
    }
}

static MemKind kind_of(const SmContext *context, const MemoryOp *r)
{
    const UOp *op = r->op;
    if (op->code == UOP_ATOM) return MEM_ATOMIC;
    if (op->code == UOP_RED) return MEM_REDUCE;
    bool store = op->code == UOP_ST;
    if (memory_op_is_local(r)) return store ? MEM_LOCAL_STORE : MEM_LOCAL_LOAD;
    if (store) return MEM_STORE;
    return op->flags & UF_NC && context->config.path->nc_path ? MEM_READONLY : MEM_LOAD;
}

// Surface loads use the cache of textures. If textures have a separate cache, surface stores bypass
// that cache and the L1D.
static MemKind surface_kind(const SmContext *context, const UOp *op, bool *cached)
{
    bool apart = context->config.path->texture_path;
    *cached = (op->code == UOP_SULD || !apart) && op->cache != CACHE_CG && op->cache != CACHE_CV;
    if (op->code == UOP_SURED) return MEM_REDUCE;
    if (op->code == UOP_SUST) return MEM_STORE;
    return apart && *cached ? MEM_READONLY : MEM_LOAD;
}

// The passes of the banks of shared memory. Wide accesses take as many lanes together as the banks
// serve in a pass. The blocks of a group's warps have their parts of shared memory one after the
// other.
static unsigned count_passes(const SmContext *context, const MemoryOp *r, const uint64_t *addresses,
                             unsigned bytes)
{
    const SharedConfig *config = context->config.shared;
    const CoreConfig *core = context->config.core;
    unsigned lanes = core_group_lanes(core);
    if (lanes < config->banks) lanes = config->banks < HD_MAX_LANES ? config->banks : HD_MAX_LANES;
    uint64_t placed[HD_MAX_LANES];
    for (LaneMask m = memory_op_is_group(r) ? r->lanes : 0; m; m &= m - 1) {
        unsigned l = lanes_first(m), own;
        const Block *block = memory_op_warp(r, l, &own)->block;
        uint64_t part = block->exec.total_shared + core->shared_reserved;
        placed[l] = addresses[l] + block->slot * round_up(part, core->shared_unit);
    }
    return shared_passes(&(SharedBanks){.count = config->banks,
                                        .bytes = (unsigned)config->bank_bytes,
                                        .lanes = lanes},
                         r->lanes, memory_op_is_group(r) ? placed : addresses, bytes,
                         r->op->class == CLASS_ATOMIC && config->atomics == SHARED_ATOMICS_SERIAL);
}

bool shape_access(SmContext *context, MemoryOp *r, const uint64_t *addresses, unsigned allocation)
{
    const UOp *op = r->op;
    unsigned bytes = ptx_type_bytes(op->type) * op->vec;
    const PathConfig *path = context->config.path;
    r->count = r->sent = 0;
    r->passes = 0;
    r->level = LEVEL_L1;
    switch (r->space) {
    case SPACE_SHARED:
        r->kind = MEMORY_OP_SHARED;
        r->passes = (uint16_t)count_passes(context, r, addresses, bytes);
        r->waiting = 1;
        return true;
    case SPACE_CONST:
    case SPACE_PARAM: {
        uint64_t base = r->space == SPACE_CONST ? CONSTANT_BASE : PARAMETER_BASE;
        r->kind = MEMORY_OP_CONSTANT;
        r->count = (uint8_t)constant_lines(context, op, r->lanes, base, addresses, r->accesses);
        order_accesses(context, r);
        r->waiting = r->count;
        return true;
    }
    default: break;
    }
    r->kind = kind_of(context, r);
    bool cached = memory_op_is_local(r) || shape_in_l1(path, op);
    if (op->class == CLASS_TEXTURE) r->kind = surface_kind(context, op, &cached);
    cached &= context->launch->l1d.mode != CACHE_OFF;
    if (r->kind == MEM_READONLY && context->config.l1r->mode == CACHE_OFF) {
        r->kind = MEM_LOAD; // bypasses the L1s
        cached = false;
    }
    r->bypass = mem_kind_atomic(r->kind) || !cached;
    if (memory_op_is_local(r))
        r->count = (uint8_t)coalesce_local(context, r, addresses, bytes);
    else if (mem_kind_atomic(r->kind))
        r->count = (uint8_t)coalesce_atomic(context, r, addresses, bytes);
    else
        r->count = (uint8_t)coalesce(r->bypass && r->kind == MEM_LOAD ? shape_bypass_rule(context)
                                                                      : path->coalesce,
                                     r->lanes, addresses, bytes, r->accesses);
    order_accesses(context, r);
    r->waiting = r->count;
    for (unsigned i = 0; i < r->count; i++) {
        unsigned a = allocation;
        if (a == GUEST_NO_ALLOCATION && r->space == SPACE_GLOBAL)
            a = bounds_find(context, addresses[lanes_first(r->accesses[i].lanes)], r->pc);
        r->accesses[i].allocation = (uint16_t)a;
    }
    return !mem_kind_atomic(r->kind) || fill_atomics(context, r, addresses);
}

bool shape_in_l1_sectors(const SmContext *context, const UOp *op)
{
    const PathConfig *path = context->config.path;
    return shape_is_usual(path, op) && shape_in_l1(path, op) && path->access_order == ORDER_LANE &&
           path->coalesce == COALESCE_SECTOR && context->launch->l1d.mode != CACHE_OFF;
}

void shape_nothing(MemoryOp *r)
{
    r->sent = r->passes = r->count = 0;
    r->level = LEVEL_L1;
    r->kind = MEMORY_OP_NO_ACCESS;
    r->waiting = 1;
}

// ---- engines of mechanisms ----

bool shape_engine(SmContext *context, const Warp *w, MemoryOp *r, unsigned slice)
{
    const EngineInstruction *item = &context->launch->module->engines->items[r->op->imm];
    if (!r->engine) r->engine = hd_new(1, sizeof *r->engine);
    if (!r->engine) return sm_out_of_memory(context, "tracking requests to engines");
    shape_nothing(r);
    r->kind = MEM_ENGINE;
    r->bypass = true;
    r->count = 1;
    r->accesses[0].allocation = GUEST_NO_ALLOCATION;
    r->engine->request.mechanism = item->planned;
    r->engine->request.instruction = item->number;
    r->engine->predicate_base = w->calls.frames[w->calls.frame].predicate_base;
    r->engine->slice = (uint16_t)slice;
    r->engine->bytes = (uint16_t)divide_up(engine_instruction(item)->request_bits, 8);
    return true;
}

// ---- textures ----

// Finds the distinct lines or sectors of the texels, in lane order.
static unsigned group_texels(const SmContext *context, const TextureFetch *fetch, MemoryOp *r)
{
    uint64_t line = r->kind == MEM_READONLY ? context->config.l1r->line : MAX_LINE_BYTES;
    bool sectored =
        r->bypass || (r->kind == MEM_LOAD && context->config.path->coalesce == COALESCE_SECTOR);
    uint64_t access_bytes = sectored ? SECTOR_BYTES : line, found[MEMORY_OP_ACCESSES];
    unsigned count = 0, at = 0;
    for (unsigned k = 0; k < fetch->corners; k++)
        for (LaneMask m = fetch->touched[k]; m; m &= m - 1) {
            unsigned l = lanes_first(m);
            uint64_t address = fetch->address[k][l], unit = address / access_bytes;
            if (at >= count || found[at] != unit) // neighbouring lanes share
                for (at = 0; at < count && found[at] != unit;) at++;
            if (at == count) {
                found[count] = unit;
                r->accesses[count++] = (CoalescedAccess){.line = address / line * line};
            }
            unsigned first = address % MAX_LINE_BYTES; // texels are aligned: within one sector
            CoalescedAccess *a = &r->accesses[at];
            a->bytes[first / 64] |= ((UINT64_C(1) << exec_texture_bytes(fetch, l)) - 1)
                                    << first % 64;
            a->lanes |= (LaneMask)1 << l;
            a->sectors |= (uint8_t)(1u << first / SECTOR_BYTES);
            a->span_sectors = a->sectors;
        }
    return count;
}

void shape_texture(SmContext *context, MemoryOp *r, const TextureFetch *fetch, unsigned allocation)
{
    bool apart = context->config.path->texture_path;
    shape_nothing(r);
    r->bypass = (apart ? context->config.l1r : &context->launch->l1d)->mode == CACHE_OFF;
    r->kind = apart && !r->bypass ? MEM_READONLY : MEM_LOAD;
    r->count = (uint16_t)group_texels(context, fetch, r);
    order_accesses(context, r);
    r->waiting = r->count;
    for (unsigned i = 0; i < r->count; i++) {
        const CoalescedAccess *a = &r->accesses[i];
        uint64_t line = a->line & ~(uint64_t)(MAX_LINE_BYTES - 1);
        unsigned first = a->bytes[0] ? (unsigned)__builtin_ctzll(a->bytes[0])
                                     : 64 + (unsigned)__builtin_ctzll(a->bytes[1]);
        r->accesses[i].allocation = (uint16_t)(allocation != GUEST_NO_ALLOCATION
                                           ? allocation
                                           : bounds_find(context, line + first, r->pc));
    }
    if (!r->count) shape_nothing(r);
}

// ---- counters ----

void shape_count(SmContext *context, const MemoryOp *r)
{
    SmCounters *c = &context->count.sm;
    const UOp *op = r->op;
    if (r->kind == MEMORY_OP_SHARED) {
        c->shared_instructions++;
        c->shared_passes += r->passes;
        return;
    }
    // A request to an engine accesses no memory: accesses per instruction are those of the others.
    if (r->kind == MEMORY_OP_CONSTANT || r->kind == MEM_ENGINE) return;
    count_accesses(context, r);
    if (mem_kind_atomic(r->kind)) c->atomic_lanes += lanes_count(r->lanes);
    if (memory_op_is_local(r)) return;
    if (op->class == CLASS_TEXTURE) {
        c->texture_fetches += op->code == UOP_TEX || op->code == UOP_SULD;
        c->global_stores += op->code == UOP_SUST;
        c->global_atomics += op->code == UOP_SURED;
        return;
    }
    c->global_loads += op->code == UOP_LD;
    c->global_stores += op->code == UOP_ST;
    c->global_atomics += op->code == UOP_ATOM || op->code == UOP_RED;
}

