// A chained hash table beside a cache's tags: finds a line where there are too many tags to compare
// one by one. It has the index of each line whose tag is an address.
#ifndef HEDDLE_MEMORY_CACHE_LINE_MAP_H
#define HEDDLE_MEMORY_CACHE_LINE_MAP_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LineMap {
    uint32_t *chains; // first line of each chain: index + 1; NULL: there is no map
    uint32_t *next;   // [line]: the next line of its chain, index + 1; 0: the end
    uint32_t bits;    // log2 of the number of chains
    size_t bytes;     // of both arrays, which the host provides page by page
} LineMap;

// An empty map for lines 0 to lines - 1 (at most 2^31 lines). false: out of memory; line_map_free
// after failure too.
bool line_map_init(LineMap *map, uint32_t lines);
void line_map_free(LineMap *map);
void line_map_clear(LineMap *map);

static inline uint32_t *line_map_chain(const LineMap *map, uint64_t tag)
{
    return &map->chains[hash_bits(tag, map->bits)];
}

// Index + 1 of the line with this tag; 0: there is none.
static inline uint32_t line_map_find(const LineMap *map, const uint64_t *tags, uint64_t tag)
{
    uint32_t i = *line_map_chain(map, tag);
    while (i && tags[i - 1] != tag) i = map->next[i - 1];
    return i;
}

// Adds line `number` with this tag; removes it.
void line_map_add(LineMap *map, uint64_t tag, uint32_t number);
void line_map_remove(LineMap *map, uint64_t tag, uint32_t number);

#endif
