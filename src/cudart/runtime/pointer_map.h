// A hash map from pointers to pointers.
#ifndef HEDDLE_CUDART_POINTER_MAP_H
#define HEDDLE_CUDART_POINTER_MAP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct PointerPair {
    const void *key; // NULL: free
    void *value;     // NULL: removed
} PointerPair;

// Zero-initialise to start.
typedef struct PointerMap {
    PointerPair *pairs;
    size_t used, size; // used: pairs with a key, removed ones included; size: a power of two
} PointerMap;

// Adds a pair or replaces the key's value. The key must not be NULL. false: out of memory.
bool pointer_map_put(PointerMap *map, const void *key, void *value);
void *pointer_map_get(const PointerMap *map, const void *key); // NULL: the key is not in the map
void pointer_map_remove(PointerMap *map, const void *key);
void pointer_map_free(PointerMap *map);

#endif
