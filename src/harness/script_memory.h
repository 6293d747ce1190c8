// The memory that a script describes: its allocations, and the words that it has written.
#ifndef HEDDLE_HARNESS_SCRIPT_MEMORY_H
#define HEDDLE_HARNESS_SCRIPT_MEMORY_H

#include "heddle/mechanism.h"
#include "memory/memory_side.h"

typedef struct ScriptAllocation {
    uint64_t address, bytes;
} ScriptAllocation;

typedef struct ScriptLine ScriptLine;

typedef struct ScriptMemory {
    ScriptAllocation *allocations; // by number
    size_t allocation_count, allocation_capacity;
    uint16_t *by_address;          // the numbers of those that have bytes, sorted by address
    size_t sorted_count, sorted_capacity;
    ScriptLine *lines;             // hash table of lines with words; a power of two
    size_t line_count, line_capacity;
} ScriptMemory;

enum { SCRIPT_ALLOCATIONS = HD_NO_ALLOCATION, SCRIPT_LINES = 1 << 20 };

void script_memory_free(ScriptMemory *memory);

// What came of a command that changes the memory.
typedef enum ScriptMemoryOutcome {
    SCRIPT_MEMORY_DONE,
    SCRIPT_MEMORY_OVERLAP, // the allocation overlaps another one
    SCRIPT_MEMORY_FULL,    // there are SCRIPT_ALLOCATIONS, or words in SCRIPT_LINES
    SCRIPT_MEMORY_HOST     // out of memory
} ScriptMemoryOutcome;

// Adds an allocation, whose number is the next one.
ScriptMemoryOutcome script_memory_allocate(ScriptMemory *memory, uint64_t address, uint64_t bytes);
// Releases the allocation that starts at an address, and returns its bytes; 0: there is none.
uint64_t script_memory_release(ScriptMemory *memory, uint64_t address);
// The number of the allocation that holds an address; HD_NO_ALLOCATION: none does.
uint16_t script_memory_find(const ScriptMemory *memory, uint64_t address);

// Writes 4 bytes at a multiple of 4.
ScriptMemoryOutcome script_memory_write(ScriptMemory *memory, uint64_t address, uint32_t value);
// Reads the line of MAX_LINE_BYTES bytes that holds an address. What was not written is 0.
void script_memory_read(const ScriptMemory *memory, uint64_t address,
                        uint8_t bytes[MAX_LINE_BYTES]);

#endif
