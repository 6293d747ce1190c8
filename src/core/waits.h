// How long warps waited for memory, by the instruction that they waited for and the allocation that
// it accessed.
#ifndef HEDDLE_CORE_WAITS_H
#define HEDDLE_CORE_WAITS_H

#include "stats/stats.h"

// A wait is counted at the instruction whose reply ended it.
#define WAITS_BY_END(C)                                                                            \
    C(l1, "warp cycles", "Waits that a first-level cache ended (L1D, constant or read-only).")     \
    C(l2, "warp cycles", "Waits that the L2 ended.")                                               \
    C(dram, "warp cycles", "Waits that DRAM ended.")                                               \
    C(shared, "warp cycles", "Waits that shared memory ended.")                                    \
    C(result, "warp cycles",                                                                       \
      "Waits that an instruction without memory access ended, with loads or atomics in flight.")
typedef enum WaitEnd { WAIT_L1, WAIT_L2, WAIT_DRAM, WAIT_SHARED, WAIT_RESULT, WAIT_ENDS } WaitEnd;
#define MEMORY_WAIT_COUNTERS(C) C##_ARRAY(by_end, WAIT_ENDS, WAITS_BY_END)
typedef struct MemoryWaitCounters { MEMORY_WAIT_COUNTERS(STAT_FIELD) } MemoryWaitCounters;
static inline uint64_t memory_wait_sum(const MemoryWaitCounters *c)
{
    uint64_t sum = 0;
    for (unsigned end = 0; end < WAIT_ENDS; end++) sum += c->by_end[end];
    return sum;
}
extern const StatTable memory_wait_table;

// One pair of instruction and allocation. Nearly all instructions access one allocation, so that a
// dense table would be nearly empty. Each instruction has a list of its rows, sorted by allocation.
typedef struct WaitRow {
    uint32_t next;  // index + 1 of its instruction's next row, 0: none
    uint32_t allocation; // index of the allocation; the number of allocations means none
    MemoryWaitCounters count;
} WaitRow;

typedef struct WaitTable {
    struct WaitList {
        uint32_t first, recent; // index + 1 of a row, 0: none. recent: the row found last
    } *lists; // by static instruction
    WaitRow *rows;
    size_t pcs, count, capacity;
} WaitTable;

// Makes an empty table for `pcs` instructions. Keeps the storage of rows. false: out of memory.
bool waits_init(WaitTable *table, size_t pcs);
// Empties a table in which only instructions [first, end) have rows.
void waits_clear(WaitTable *table, size_t first, size_t end);
// Makes room for more instructions, and for more allocations: rows of `none` become rows of
// `none_here`. false: out of memory, and nothing has changed.
bool waits_enlarge(WaitTable *table, size_t pcs, uint32_t none, uint32_t none_here);
void waits_free(WaitTable *table);
// Finds or makes the row of an instruction and an allocation. NULL: out of memory.
WaitRow *waits_row_new(WaitTable *table, uint32_t pc, uint32_t allocation);
// Adds another table's rows for instructions [first, end). Its rows of allocation `none` become
// rows of `none_here`. false: out of memory.
bool waits_add(WaitTable *into, const WaitTable *from, size_t first, size_t end, uint32_t none,
               uint32_t none_here);

// The instruction's first row in the order of allocations, and the one after `row`; NULL: none.
static inline const WaitRow *waits_first(const WaitTable *table, size_t pc)
{
    uint32_t first = pc < table->pcs ? table->lists[pc].first : 0;
    return first ? &table->rows[first - 1] : NULL;
}
static inline const WaitRow *waits_next(const WaitTable *table, const WaitRow *row)
{
    return row->next ? &table->rows[row->next - 1] : NULL;
}

// Finds or makes a row. Most often it is the row found last. NULL: out of memory.
static inline WaitRow *waits_row(WaitTable *table, uint32_t pc, uint32_t allocation)
{
    uint32_t recent = table->lists[pc].recent;
    if (recent && table->rows[recent - 1].allocation == allocation) return &table->rows[recent - 1];
    return waits_row_new(table, pc, allocation);
}

#endif
