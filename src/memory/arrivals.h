// The next arrival of each slice, so that what several slices send is taken in the order of (time,
// slice): a binary heap.
#ifndef HEDDLE_MEMORY_ARRIVALS_H
#define HEDDLE_MEMORY_ARRIVALS_H

#include "memory/memory_side.h"

typedef struct Arrival {
    Tick time;
    unsigned slice;
} Arrival;

typedef struct Arrivals {
    unsigned count;
    Arrival first[MAX_SLICES]; // [0] is the first one
} Arrivals;

static inline void arrivals_clear(Arrivals *arrivals) { arrivals->count = 0; }

static inline bool arrives_before(const Arrival *a, const Arrival *b)
{
    return a->time < b->time || (a->time == b->time && a->slice < b->slice);
}

// Adds a slice's first arrival.
static inline void arrivals_add(Arrivals *arrivals, Tick time, unsigned slice)
{
    Arrival added = {time, slice}, *heap = arrivals->first;
    unsigned at = arrivals->count++;
    for (; at && arrives_before(&added, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = added;
}

// The first arrival is taken, and the next one of its slice comes at `time`; TICK_NEVER: none.
static inline void arrivals_next(Arrivals *arrivals, Tick time)
{
    Arrival *heap = arrivals->first, moved = {time, heap[0].slice};
    if (time == TICK_NEVER) moved = heap[--arrivals->count];
    unsigned at = 0;
    for (unsigned child; (child = 2 * at + 1) < arrivals->count; at = child) {
        child += child + 1 < arrivals->count && arrives_before(&heap[child + 1], &heap[child]);
        if (!arrives_before(&heap[child], &moved)) break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

#endif
