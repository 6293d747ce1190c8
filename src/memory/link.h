// A link: the bounded queue between two stages. Each element begins with the cycle from which on
// the stage behind may take it (LinkTime). Elements are due in the order in which they came.
#ifndef HEDDLE_MEMORY_LINK_H
#define HEDDLE_MEMORY_LINK_H

#include "base/tables.h"
#include "memory/clock.h"

#include <stdbool.h>

typedef struct Link {
    char *items;
    uint32_t size;        // of an element in bytes
    uint32_t head, count; // of the ring
    uint32_t mask;        // places in the ring - 1
    uint32_t capacity;    // elements that it holds at most
} Link;

// The first member of each element.
typedef struct LinkTime {
    uint64_t due; // of the clock of the stages
} LinkTime;

// An empty link for `capacity` elements of `size` bytes, among `tables`. false: out of memory.
static inline bool link_init(Link *link, uint64_t capacity, size_t size, HdTables *tables)
{
    uint64_t places = 1;
    while (places < capacity) places *= 2;
    *link = (Link){.size = (uint32_t)size, .mask = (uint32_t)(places - 1),
                   .capacity = (uint32_t)capacity};
    link->items = hd_tables_new(tables, places, size);
    return link->items;
}

// Element i, counted from the oldest.
static inline void *link_at(const Link *link, uint32_t i)
{
    return link->items + (size_t)((link->head + i) & link->mask) * link->size;
}
static inline void *link_head(const Link *link) { return link_at(link, 0); }
static inline bool link_full(const Link *link) { return link->count == link->capacity; }

// The place of a new element, behind the newest, which the caller writes. There is room.
static inline void *link_push(Link *link) { return link_at(link, link->count++); }
static inline void link_pop(Link *link)
{
    link->head = (link->head + 1) & link->mask;
    link->count--;
}

// The cycle from which on its oldest element may be taken; CYCLE_NEVER: it is empty.
static inline uint64_t link_due(const Link *link)
{
    return link->count ? ((const LinkTime *)link_head(link))->due : CYCLE_NEVER;
}

#endif
