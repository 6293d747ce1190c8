// Allocation helpers: checked arrays, vectors, arenas.
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *hd_new(size_t count, size_t size)
{
    return calloc(count ? count : 1, size ? size : 1);
}

void *hd_new_aligned(size_t count, size_t size, size_t align)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    if (__builtin_add_overflow(bytes, align, &bytes)) return NULL;
    bytes &= ~(align - 1);
    void *p = aligned_alloc(align, bytes ? bytes : align);
    if (p) memset(p, 0, bytes);
    return p;
}

void *hd_pages_new(size_t bytes)
{
    void *pages = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                       -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void hd_pages_free(void *pages, size_t bytes)
{
    if (pages) munmap(pages, bytes ? bytes : 1);
}

bool hd_reserve(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return true;
    size_t wanted = *capacity ? *capacity * 2 : 8, bytes;
    if (wanted <= count) wanted = count + 1;
    if (__builtin_mul_overflow(wanted, size, &bytes)) return false;
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = realloc(old, bytes);
    if (!grown) return false;
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

typedef struct HdArenaBlock {
    struct HdArenaBlock *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
} HdArenaBlock;

enum { ARENA_BLOCK = 64 * 1024 };

void *hd_arena_new(HdArena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) return NULL; // the sums below cannot overflow
    size = (size + 15) & ~(size_t)15;
    HdArenaBlock *block = arena->blocks;
    if (!block || block->size - block->used < size) {
        size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
        block = calloc(1, sizeof *block + room);
        if (!block) return NULL;
        block->size = room;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *p = block->bytes + block->used;
    block->used += size;
    return p;
}

char *hd_arena_text(HdArena *arena, const char *text, size_t length)
{
    char *copy = hd_arena_new(arena, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

void hd_arena_reset(HdArena *arena)
{
    HdArenaBlock *kept = NULL;
    for (HdArenaBlock *next, *block = arena->blocks; block; block = next) {
        next = block->next;
        if (!kept && block->size == ARENA_BLOCK) kept = block;
        else free(block);
    }
    arena->blocks = kept;
    if (!kept) return;
    memset(kept->bytes, 0, kept->used);
    kept->used = 0;
    kept->next = NULL;
}

void hd_arena_free(HdArena *arena)
{
    while (arena->blocks) {
        HdArenaBlock *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
