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

bool memory_op_make(MemoryOps *ops, SmContext *context)
{
    MemoryOp *op = ops->free || grow(ops) ? &ops->items[ops->free] : NULL;
    if (op && !op->accesses)
        op->accesses = hd_tables_new(&context->tables, MEMORY_OP_ACCESSES, sizeof *op->accesses);
    return (op && op->accesses) || sm_out_of_memory(context, "tracking memory instructions");
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
        free(ops->items[i].engine);
        free(ops->items[i].group);
    }
    free(ops->items);
}
