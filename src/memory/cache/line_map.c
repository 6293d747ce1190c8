// The lines of a cache by their address.
#include "memory/cache/line_map.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool line_map_init(LineMap *map, uint32_t lines)
{
    uint64_t chains = 1; // as many as lines, so that most have one or none
    while (chains < lines) chains *= 2;
    *map = (LineMap){.chains = hd_new(chains, sizeof *map->chains),
                     .next = hd_new(lines, sizeof *map->next),
                     .mask = (uint32_t)(chains - 1)};
    return map->chains && map->next;
}

void line_map_free(LineMap *map)
{
    free(map->chains);
    free(map->next);
    *map = (LineMap){0};
}

void line_map_clear(LineMap *map)
{
    memset(map->chains, 0, ((size_t)map->mask + 1) * sizeof *map->chains);
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
