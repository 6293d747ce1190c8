// The pool of in-flight memory operations.
#include "core/memory_op.h"

#include <stdlib.h>
#include <string.h>

static bool grow(MemoryOps *ops)
{
    uint32_t old = ops->capacity, capacity = old ? old * 2 : 64;
    if (capacity > TOKEN_OPS) return false;
    MemoryOp *items = realloc(ops->items, capacity * sizeof *items);
    if (!items) return false;
    ops->items = items;
    memset(items + old, 0, (capacity - old) * sizeof *items);
    for (uint32_t i = old ? old : 1; i < capacity; i++)
        items[i].next_free = i + 1 < capacity ? i + 1 : 0;
    ops->free = old ? old : 1;
    ops->capacity = capacity;
    return true;
}

// As memory_op_new, with no operation at hand that has accesses.
__attribute__((noinline, cold))
static MemoryOp *make_op(MemoryOps *ops, SmContext *sm, const Warp *w, PtxSpace space,
                         LaneMask lanes, uint32_t *index)
{
    MemoryOp *op = ops->free || grow(ops) ? &ops->items[ops->free] : NULL;
    if (op && !op->accesses)
        op->accesses = hd_tables_new(&sm->tables, MEMORY_OP_ACCESSES, sizeof *op->accesses);
    if (op && op->accesses) return memory_op_new(ops, sm, w, space, lanes, index);
    sm_out_of_memory(sm, "tracking memory instructions");
    return NULL;
}

MemoryOp *memory_op_new(MemoryOps *ops, SmContext *sm, const Warp *w, PtxSpace space,
                        LaneMask lanes, uint32_t *index)
{
    if (!ops->free || !ops->items[ops->free].accesses)
        return make_op(ops, sm, w, space, lanes, index);
    MemoryOp *op = &ops->items[ops->free];
    *index = ops->free;
    ops->free = op->next_free;
    ops->live++;
    const Frame *frame = &w->frames[w->frame];
    op->function = frame->function_index;
    op->index = w->pc;
    op->op = &w->ops[w->pc];
    op->timing = &w->timing[w->pc];
    op->owner = w;
    op->issued = sm->now;
    op->pc = w->pc_base + w->pc;
    op->slot_base = frame->slot_base;
    op->warp = w->id;
    op->space = (uint8_t)space;
    op->lanes = lanes;
    op->injected = false;
    op->members = 0;
    return op;
}

void memory_op_count_waiting(MemoryOp *op)
{
    for (unsigned i = 0; i < op->members; i++) {
        MemoryMember *member = &op->group->item[i];
        member->waiting = 0;
        for (unsigned k = 0; k < op->count; k++)
            if (op->accesses[k].lanes & member->places) member->waiting++;
    }
}

void memory_ops_free(MemoryOps *ops)
{
    free(ops->atomics);
    for (uint32_t i = 1; i < ops->capacity; i++) {
        shadow_store_free(&ops->items[i].shadow);
        free(ops->items[i].unit);
        free(ops->items[i].group);
    }
    free(ops->items);
}
