// A map from addresses of the host program to what was registered for them.
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
    size_t used, size; // places that have a key, also of what was removed; size is a power of two
} PointerMap;

// A NULL key is in no map. The value that was there is replaced. false: memory is out.
bool pointer_map_put(PointerMap *map, const void *key, void *value);
void *pointer_map_get(const PointerMap *map, const void *key); // NULL where there is none
void pointer_map_remove(PointerMap *map, const void *key);
void pointer_map_free(PointerMap *map);

#endif
