// The lines of a cache by their address.
#include "memory/cache/line_map.h"

#include "base/memory.h"

#include <string.h>

bool line_map_init(LineMap *map, uint32_t lines)
{
    uint64_t chains = 2; // as many as lines, so that most have one or none
    while (chains < lines) chains *= 2;
    *map = (LineMap){.bits = log2_floor(chains),
                     .bytes = (chains + lines) * sizeof *map->chains};
    map->chains = hd_pages_new(map->bytes);
    if (!map->chains) return false;
    map->next = map->chains + chains;
    return true;
}

void line_map_free(LineMap *map)
{
    hd_pages_free(map->chains, map->bytes);
    *map = (LineMap){0};
}

void line_map_clear(LineMap *map)
{
    memset(map->chains, 0, ((size_t)1 << map->bits) * sizeof *map->chains);
}

void line_map_add(LineMap *map, uint64_t tag, uint32_t number)
{
    uint32_t *chain = line_map_chain(map, tag);
    map->next[number] = *chain;
    *chain = number + 1;
}

void line_map_remove(LineMap *map, uint64_t tag, uint32_t number)
{
    uint32_t *link = line_map_chain(map, tag);
    while (*link != number + 1) link = &map->next[*link - 1];
    *link = map->next[number];
}
