// Coalescing: divides a memory instruction into accesses to lines or sectors, constants, or banks,
// and selects the cache that they use.
#ifndef HEDDLE_CORE_LSU_SHAPE_H
#define HEDDLE_CORE_LSU_SHAPE_H

#include "core/bounds.h"
#include "core/memory_op.h"
#include "exec/texture.h"

// Fills in the accesses of an operation whose op, pc, space and lanes are set. Counts nothing.
// allocation: the one that all lanes access; GUEST_NO_ALLOCATION: several. false: out of memory.
bool shape_access(SmContext *context, MemoryOp *op, const uint64_t *addresses, unsigned allocation);
// Whether the accesses of a global load or store are to sectors of the L1D, in the order of lanes.
bool shape_in_l1_sectors(const SmContext *context, const UOp *op);
// Fills in the accesses of a texture fetch.
void shape_texture(SmContext *context, MemoryOp *op, const TextureFetch *fetch,
                   unsigned allocation);
// Fills in a texture fetch or surface access without texels, which the unit completes itself.
void shape_nothing(MemoryOp *op);

// Fills in a request to the engine of a slice. false: out of memory.
bool shape_engine(SmContext *context, const Warp *w, MemoryOp *op, unsigned slice);

// Sorts the accesses by descending address; of the same one, the last made comes first.
void shape_order(MemoryOp *op);

// Counts an operation with its accesses.
void shape_count(SmContext *context, const MemoryOp *op);

// ---- usual accesses ----

// Whether a global access uses the L1D. An access that must observe stores of other SMs does not.
static inline bool shape_in_l1(const PathConfig *path, const UOp *op)
{
    bool strong = op->code == UOP_LD && (op->flags & (UF_VOLATILE | UF_CTA_SCOPE)) == UF_VOLATILE;
    return path->global_in_l1 && (path->strong_in_l1 || !strong) && op->cache != CACHE_CG &&
           op->cache != CACHE_CV;
}

// How lanes share the requests of a global load that bypasses the L1D.
static inline CoalesceRule shape_bypass_rule(const SmContext *context)
{
    const CacheConfig *l1d = &context->launch->l1d;
    bool line = l1d->mode == CACHE_OFF && l1d->off_request == OFF_REQUEST_LINE;
    return line ? COALESCE_LINE : COALESCE_SECTOR;
}

// Sorts the accesses as memory.access_order says.
static inline void order_accesses(const SmContext *context, MemoryOp *r)
{
    if (r->count > 1 && context->config.path->access_order != ORDER_LANE) shape_order(r);
}

// Whether an access to memory is a load or store that does not use the read-only cache.
static inline bool shape_is_usual(const PathConfig *path, const UOp *op)
{
    return (op->code == UOP_LD || op->code == UOP_ST) && !(op->flags & UF_NC && path->nc_path);
}

// Whether shape_global serves the instruction: a usual access to global memory, all in one
// allocation.
static inline bool shape_is_global(const SmContext *context, const UOp *op, unsigned allocation)
{
    return allocation != GUEST_NO_ALLOCATION && shape_is_usual(context->config.path, op);
}

// shape_access for an access that shape_is_global accepts.
static inline void shape_global(const SmContext *context, MemoryOp *r, const uint64_t *addresses,
                                unsigned allocation)
{
    const PathConfig *path = context->config.path;
    const UOp *op = r->op;
    unsigned bytes = ptx_type_bytes(op->type) * op->vec;
    bool store = op->code == UOP_ST;
    r->kind = store ? MEM_STORE : MEM_LOAD;
    r->bypass = !shape_in_l1(path, op) || context->launch->l1d.mode == CACHE_OFF;
    r->sent = r->passes = 0;
    r->level = LEVEL_L1;
    CoalesceRule rule = r->bypass && !store ? shape_bypass_rule(context) : path->coalesce;
    unsigned count = coalesce(rule, r->lanes, addresses, bytes, r->accesses);
    r->count = (uint16_t)count;
    r->waiting = count;
    order_accesses(context, r);
    for (unsigned i = 0; i < count; i++) r->accesses[i].allocation = (uint16_t)allocation;
}

static inline void count_accesses(SmContext *context, const MemoryOp *r)
{
    context->count.sm.memory_instructions++;
    context->count.sm.memory_requests += r->count;
    context->count.requests[r->count < HD_MAX_LANES ? r->count : HD_MAX_LANES]++;
    context->count.pcs[r->pc].requests += r->count;
}
// As shape_count.
static inline void shape_count_global(SmContext *context, const MemoryOp *r)
{
    count_accesses(context, r);
    if (r->kind == MEM_STORE) context->count.sm.global_stores++;
    else context->count.sm.global_loads++;
}

#endif
