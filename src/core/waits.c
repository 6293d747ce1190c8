// The table of waits by instruction and allocation: find, create and add rows.
#include "core/waits.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

STAT_TABLE(memory_wait_table, MemoryWaitCounters, MEMORY_WAIT_COUNTERS);

bool waits_init(WaitTable *table, size_t pcs)
{
    table->lists = hd_new(pcs, sizeof *table->lists);
    table->pcs = table->lists ? pcs : 0;
    table->count = 0;
    return table->lists;
}

void waits_free(WaitTable *table)
{
    free(table->lists);
    free(table->rows);
    *table = (WaitTable){0};
}

void waits_clear(WaitTable *table, size_t first, size_t end)
{
    if (end > first) memset(&table->lists[first], 0, (end - first) * sizeof *table->lists);
    table->count = 0;
}

bool waits_enlarge(WaitTable *table, size_t pcs, uint32_t none, uint32_t none_here)
{
    if (pcs > table->pcs) {
        struct WaitList *larger = hd_new(pcs, sizeof *larger);
        if (!larger) return false;
        if (table->pcs) memcpy(larger, table->lists, table->pcs * sizeof *larger);
        free(table->lists);
        table->lists = larger;
        table->pcs = pcs;
    }
    for (size_t i = 0; none != none_here && i < table->count; i++)
        if (table->rows[i].allocation == none) table->rows[i].allocation = none_here;
    return true;
}

WaitRow *waits_row_new(WaitTable *table, uint32_t pc, uint32_t allocation)
{
    uint32_t before = 0, next = table->lists[pc].first;
    while (next && table->rows[next - 1].allocation < allocation) {
        before = next;
        next = table->rows[next - 1].next;
    }
    if (!next || table->rows[next - 1].allocation != allocation) {
        WaitRow row = {.next = next, .allocation = allocation};
        if (!HD_PUSH(table->rows, table->count, table->capacity, row)) return NULL;
        next = (uint32_t)table->count;
        *(before ? &table->rows[before - 1].next : &table->lists[pc].first) = next;
    }
    table->lists[pc].recent = next;
    return &table->rows[next - 1];
}

bool waits_add(WaitTable *into, const WaitTable *from, size_t first, size_t end, uint32_t none,
               uint32_t none_here)
{
    for (size_t pc = first; pc < end; pc++) {
        for (const WaitRow *row = waits_first(from, pc); row; row = waits_next(from, row)) {
            uint32_t allocation = row->allocation == none ? none_here : row->allocation;
            WaitRow *sum = waits_row(into, (uint32_t)pc, allocation);
            if (!sum) return false;
            stats_add(&memory_wait_table, &sum->count, &row->count);
        }
    }
    return true;
}
