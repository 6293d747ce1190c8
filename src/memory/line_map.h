// Finds a line among more than are quickly compared one by one: a chained hash table beside a
// cache's tags. It holds the number of each line whose tag is an address.
#ifndef HEDDLE_MEMORY_LINE_MAP_H
#define HEDDLE_MEMORY_LINE_MAP_H

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct LineMap {
    uint32_t *chains; // first line of each: number + 1; NULL: there is no map
    uint32_t *next;   // [line]: the next one of its chain, number + 1; 0 at the end
    uint32_t mask;    // chains - 1
} LineMap;

// For lines 0 to lines - 1 (at most 2^31); empty. false where memory is out; line_map_free after
// failure too.
bool line_map_init(LineMap *map, uint32_t lines);
void line_map_free(LineMap *map);
void line_map_clear(LineMap *map);

static inline uint32_t *line_map_chain(const LineMap *map, uint64_t tag)
{
    return &map->chains[random_mix(tag) & map->mask];
}

// Number + 1 of the line with this tag; 0: there is none.
static inline uint32_t line_map_find(const LineMap *map, const uint64_t *tags, uint64_t tag)
{
    uint32_t i = *line_map_chain(map, tag);
    while (i && tags[i - 1] != tag) i = map->next[i - 1];
    return i;
}

// Line `number` has come with this tag; it goes.
void line_map_add(LineMap *map, uint64_t tag, uint32_t number);
void line_map_remove(LineMap *map, uint64_t tag, uint32_t number);

#endif
