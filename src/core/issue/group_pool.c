// The pool of issue groups in flight.
#include "core/issue/issue_group.h"

#include <stdlib.h>

uint32_t groups_new(GroupPool *pool)
{
    if (!pool->free) {
        uint32_t old = pool->capacity, capacity = old ? old * 2 : 64;
        GroupInFlight *items = realloc(pool->items, capacity * sizeof *items);
        if (!items) return 0;
        for (uint32_t i = old ? old : 1; i < capacity; i++)
            items[i].next_free = i + 1 < capacity ? i + 1 : 0;
        pool->items = items;
        pool->free = old ? old : 1;
        pool->capacity = capacity;
    }
    uint32_t index = pool->free;
    pool->free = pool->items[index].next_free;
    pool->live++;
    return index;
}
