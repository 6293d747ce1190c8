// Allocation: zeroed arrays with checked sizes, growing vectors, and arenas of objects that are
// freed together.
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// `count` zeroed elements of `size` bytes; NULL if the product overflows or out of memory. A count
// of 0 gives a valid pointer. Owned by the caller: free().
void *hd_new(size_t count, size_t size);

// The same, aligned to `align` bytes (a power of two). Owned by the caller: free().
void *hd_new_aligned(size_t count, size_t size, size_t align);

// `bytes` zeroed bytes in pages that the host provides on first access, for large tables that may
// be used sparsely. NULL if out of memory.
void *hd_pages_new(size_t bytes);
// Frees them (NULL is allowed); `bytes` as for hd_pages_new.
void hd_pages_free(void *pages, size_t bytes);

// Makes room for one more element after the `count` in *items (elements of `size` bytes, room for
// *capacity); doubles the capacity. false if out of memory; the vector is then unchanged.
bool hd_reserve(void *items, size_t count, size_t *capacity, size_t size);

// HD_PUSH(items, count, capacity, value): appends; false if out of memory.
#define HD_PUSH(items, count, capacity, ...)                                                       \
    (hd_reserve(&(items), (count), &(capacity), sizeof *(items))                                   \
         ? ((items)[(count)++] = (__VA_ARGS__), true)                                              \
         : false)

// A list of *count elements of `size` bytes, of which the first *head are taken: moves the others
// to its front.
static inline void hd_drop_taken(void *items, size_t *head, size_t *count, size_t size)
{
    if (!*head) return;
    *count -= *head;
    if (*count) memmove(items, (char *)items + *head * size, *count * size);
    *head = 0;
}

// An arena: many small pieces that are freed together. Zero-initialise.
typedef struct HdArena {
    struct HdArenaBlock *blocks;
} HdArena;

// `size` zeroed bytes, 16-byte aligned; NULL if out of memory.
void *hd_arena_new(HdArena *arena, size_t size);
// A copy of the `length` bytes at text, with a terminating zero; NULL if out of memory.
char *hd_arena_text(HdArena *arena, const char *text, size_t length);
// Frees all pieces, and keeps some memory for the next ones: faster than hd_arena_free if the arena
// is filled again and again.
void hd_arena_reset(HdArena *arena);
// Frees all pieces; the arena can be used again.
void hd_arena_free(HdArena *arena);

#endif
