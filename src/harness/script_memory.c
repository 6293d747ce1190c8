// The memory that a script describes. Look-ups take the same time for many allocations and words as
// for few: allocations are sorted by address, lines with words are in a hash table.
#include "harness/script_memory.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

struct ScriptLine {
    uint64_t key; // 1 + address / MAX_LINE_BYTES; 0: unused
    uint8_t bytes[MAX_LINE_BYTES];
};

enum { FIRST_LINES = 64 };

void script_memory_free(ScriptMemory *memory)
{
    free(memory->allocations);
    free(memory->by_address);
    free(memory->lines);
}

// ---- allocations ----

// How many of the sorted allocations start below an address.
static size_t count_below(const ScriptMemory *memory, uint64_t address)
{
    size_t low = 0, high = memory->sorted_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->allocations[memory->by_address[middle]].address < address) low = middle + 1;
        else high = middle;
    }
    return low;
}

uint16_t script_memory_find(const ScriptMemory *memory, uint64_t address)
{
    size_t at = count_below(memory, address + 1);
    if (!at) return HD_NO_ALLOCATION;
    const ScriptAllocation *a = &memory->allocations[memory->by_address[at - 1]];
    return address - a->address < a->bytes ? memory->by_address[at - 1] : HD_NO_ALLOCATION;
}

ScriptMemoryOutcome script_memory_allocate(ScriptMemory *memory, uint64_t address, uint64_t bytes)
{
    if (memory->allocation_count == SCRIPT_ALLOCATIONS) return SCRIPT_MEMORY_FULL;
    // The others do not overlap: only the last one that starts below the end can reach in here.
    size_t at = count_below(memory, address + bytes);
    const ScriptAllocation *before =
        at ? &memory->allocations[memory->by_address[at - 1]] : NULL;
    if (before && address < before->address + before->bytes) return SCRIPT_MEMORY_OVERLAP;
    uint16_t number = (uint16_t)memory->allocation_count;
    if (!hd_reserve(&memory->by_address, memory->sorted_count, &memory->sorted_capacity,
                    sizeof *memory->by_address) ||
        !HD_PUSH(memory->allocations, memory->allocation_count, memory->allocation_capacity,
                 (ScriptAllocation){address, bytes}))
        return SCRIPT_MEMORY_HOST;
    if (!bytes) return SCRIPT_MEMORY_DONE;
    memmove(&memory->by_address[at + 1], &memory->by_address[at],
            (memory->sorted_count++ - at) * sizeof *memory->by_address);
    memory->by_address[at] = number;
    return SCRIPT_MEMORY_DONE;
}

uint64_t script_memory_release(ScriptMemory *memory, uint64_t address)
{
    size_t at = count_below(memory, address);
    if (at == memory->sorted_count) return 0;
    const ScriptAllocation *a = &memory->allocations[memory->by_address[at]];
    if (a->address != address) return 0;
    memmove(&memory->by_address[at], &memory->by_address[at + 1],
            (--memory->sorted_count - at) * sizeof *memory->by_address);
    return a->bytes;
}

// ---- words ----

// The entry of a key, or the unused one where it belongs. The table is not full.
static ScriptLine *find_line(const ScriptMemory *memory, uint64_t key)
{
    size_t i = random_mix(key) & (memory->line_capacity - 1);
    while (memory->lines[i].key && memory->lines[i].key != key)
        i = (i + 1) & (memory->line_capacity - 1);
    return &memory->lines[i];
}

// Makes room for one more line: the table is at most half full.
static bool reserve_line(ScriptMemory *memory)
{
    if ((memory->line_count + 1) * 2 <= memory->line_capacity) return true;
    ScriptMemory grown = *memory;
    grown.line_capacity = memory->line_capacity ? memory->line_capacity * 2 : FIRST_LINES;
    grown.lines = hd_new(grown.line_capacity, sizeof *grown.lines);
    if (!grown.lines) return false;
    for (size_t i = 0; i < memory->line_capacity; i++)
        if (memory->lines[i].key) *find_line(&grown, memory->lines[i].key) = memory->lines[i];
    free(memory->lines);
    *memory = grown;
    return true;
}

ScriptMemoryOutcome script_memory_write(ScriptMemory *memory, uint64_t address, uint32_t value)
{
    uint64_t key = 1 + address / MAX_LINE_BYTES;
    if (!reserve_line(memory)) return SCRIPT_MEMORY_HOST;
    ScriptLine *line = find_line(memory, key);
    if (!line->key) {
        if (memory->line_count == SCRIPT_LINES) return SCRIPT_MEMORY_FULL;
        line->key = key;
        memory->line_count++;
    }
    memcpy(line->bytes + address % MAX_LINE_BYTES, &value, sizeof value);
    return SCRIPT_MEMORY_DONE;
}

void script_memory_read(const ScriptMemory *memory, uint64_t address, uint8_t bytes[MAX_LINE_BYTES])
{
    const ScriptLine *line =
        memory->line_count ? find_line(memory, 1 + address / MAX_LINE_BYTES) : NULL;
    if (line && line->key) memcpy(bytes, line->bytes, MAX_LINE_BYTES);
    else memset(bytes, 0, MAX_LINE_BYTES);
}
