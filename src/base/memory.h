// Allocation: zeroed arrays with checked sizes, growing vectors, and arenas for things that die
// together.
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// `count` zeroed elements of `size` bytes; NULL where the product overflows or memory is out.
// A count of 0 gives a valid pointer. Freed with free().
void *hd_new(size_t count, size_t size);

// The same with the start aligned to `align` bytes (a power of two). Freed with free().
void *hd_new_aligned(size_t count, size_t size, size_t align);

// `bytes` zeroed bytes in pages that the host provides as they are touched, for tables of which
// little may ever be used: malloc clears what it hands out. NULL where memory is out.
void *hd_pages_new(size_t bytes);
// Frees them (NULL is allowed); `bytes` as then.
void hd_pages_free(void *pages, size_t bytes);

// Makes room for one more element behind the `count` in *items (elements of `size` bytes, room
// for *capacity); grows by doubling. false where memory is out (the vector is then unchanged).
bool hd_reserve(void *items, size_t count, size_t *capacity, size_t size);

// HD_PUSH(items, count, capacity, value): appends; false where memory is out.
#define HD_PUSH(items, count, capacity, ...)                                                       \
    (hd_reserve(&(items), (count), &(capacity), sizeof *(items))                                   \
         ? ((items)[(count)++] = (__VA_ARGS__), true)                                              \
         : false)

// An arena: many small pieces, freed at once. Zero-initialise to start.
typedef struct HdArena {
    struct HdArenaBlock *blocks;
} HdArena;

// `size` zeroed bytes, 16-byte aligned; NULL where memory is out.
void *hd_arena_new(HdArena *arena, size_t size);
// A copy of the `length` bytes at text, with a terminating zero.
char *hd_arena_text(HdArena *arena, const char *text, size_t length);
// Frees every piece; the arena can be used again.
void hd_arena_free(HdArena *arena);

#endif
