// The L1D's accesses by allocation and by static instruction. Every launch has these rows: they
// watch each access and the end of each stall, and so are called directly.
#ifndef HEDDLE_CORE_L1_ACCESS_ROWS_H
#define HEDDLE_CORE_L1_ACCESS_ROWS_H

#include "core/memory_op.h"

// The row of an allocation. The last row counts accesses outside all allocations.
static inline AccessCounters *allocation_row(SmContext *context, const MemoryOp *op,
                                             unsigned access)
{
    size_t row = op->accesses[access].allocation;
    return &context->count.l1d_allocations[row < context->allocations ? row : context->allocations];
}

static inline void rows_on_access(SmContext *context, const MemoryOp *op, unsigned access,
                                  CacheOutcome outcome)
{
    AccessCounters *by_allocation = allocation_row(context, op, access);
    PcCounters *by_pc = &context->count.pcs[op->pc];
    by_allocation->accesses++;
    by_pc->l1_accesses++;
    switch (outcome) {
    case CACHE_HIT:
        by_allocation->hits++;
        by_pc->l1_hits++;
        break;
    case CACHE_MERGED:
        by_allocation->pending_hits++;
        by_pc->l1_pending_hits++;
        break;
    default:
        by_allocation->misses++;
        by_pc->l1_misses++;
        break;
    }
}

// Loads of an operation that hit: `count`, from access `first` on.
static inline void rows_on_hits(SmContext *context, const MemoryOp *op, unsigned first,
                                unsigned count)
{
    PcCounters *by_pc = &context->count.pcs[op->pc];
    by_pc->l1_accesses += count;
    by_pc->l1_hits += count;
    for (; count; first++, count--) {
        AccessCounters *by_allocation = allocation_row(context, op, first);
        by_allocation->accesses++;
        by_allocation->hits++;
    }
}

static inline void rows_on_stall(SmContext *context, const MemoryOp *op, unsigned access,
                                 CacheStall reason, uint64_t cycles)
{
    allocation_row(context, op, access)->stalls[reason] += cycles;
    context->count.pcs[op->pc].l1_stalls[reason] += cycles;
}

#endif
