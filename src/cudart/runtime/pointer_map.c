// A hash map: open addressing, linear probing.
#include "cudart/runtime/pointer_map.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_SIZE = 64 };

// The pair of a key, or the free pair where the key belongs.
static PointerPair *find_pair(const PointerMap *map, const void *key)
{
    size_t mask = map->size - 1;
    size_t i = (size_t)(((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (map->pairs[i].key && map->pairs[i].key != key) i = (i + 1) & mask;
    return &map->pairs[i];
}

// Copies the pairs to a larger table and leaves out removed ones.
static bool grow(PointerMap *map)
{
    size_t live = 0;
    for (size_t i = 0; i < map->size; i++) live += map->pairs[i].value != NULL;
    PointerMap larger = {.size = FIRST_SIZE};
    while (larger.size < 4 * (live + 1)) larger.size *= 2;
    larger.pairs = hd_new(larger.size, sizeof *larger.pairs);
    if (!larger.pairs) return false;
    for (size_t i = 0; i < map->size; i++) {
        if (!map->pairs[i].value) continue;
        *find_pair(&larger, map->pairs[i].key) = map->pairs[i];
        larger.used++;
    }
    free(map->pairs);
    *map = larger;
    return true;
}

bool pointer_map_put(PointerMap *map, const void *key, void *value)
{
    if (2 * map->used >= map->size && !grow(map)) return false;
    PointerPair *pair = find_pair(map, key);
    map->used += !pair->key;
    *pair = (PointerPair){key, value};
    return true;
}

void *pointer_map_get(const PointerMap *map, const void *key)
{
    return map->size && key ? find_pair(map, key)->value : NULL;
}

void pointer_map_remove(PointerMap *map, const void *key)
{
    if (map->size && key) find_pair(map, key)->value = NULL;
}

void pointer_map_free(PointerMap *map)
{
    free(map->pairs);
    *map = (PointerMap){0};
}
