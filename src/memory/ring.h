// A first-in first-out buffer: its indices into an array whose length is a power of two.
#ifndef HEDDLE_MEMORY_RING_H
#define HEDDLE_MEMORY_RING_H

#include "base/tables.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Ring {
    uint32_t head, count, mask; // mask: length of the array - 1
} Ring;

// The index of element i, counted from the oldest.
static inline uint32_t ring_at(const Ring *ring, uint32_t i)
{
    return (ring->head + i) & ring->mask;
}
// The index of a new element, behind the newest. The owner knows that there is room.
static inline uint32_t ring_push(Ring *ring) { return ring_at(ring, ring->count++); }
static inline void ring_pop(Ring *ring)
{
    ring->head = (ring->head + 1) & ring->mask;
    ring->count--;
}

// An array of elements of `size` bytes for at least `wanted` of them, among `tables`, and its ring;
// NULL: out of memory.
static inline void *ring_new(HdTables *tables, Ring *ring, uint64_t wanted, size_t size)
{
    uint64_t length = 1;
    while (length < wanted) length *= 2;
    *ring = (Ring){0, 0, (uint32_t)(length - 1)};
    return hd_tables_new(tables, length, size);
}

#endif
