// Two-level segregated fit (Masmano, Ripoll, Crespo and Real, "TLSF", 2004). Free chunks are in
// lists by size, sixteen lists for each power of two. A released chunk merges with its free
// neighbours.
#include "exec/heap.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stdlib.h>

enum { UNIT = 16, STEPS_LOG2 = 4, STEPS = 1 << STEPS_LOG2, POWERS = 64 };

// Links are indices into GuestHeap.chunks; 0: none.
typedef struct Chunk {
    uint64_t start, bytes;
    uint32_t below, above;   // neighbours by address
    uint32_t next, previous; // in the free list of its size; next also links unused entries
    bool free;
} Chunk;

struct GuestHeap {
    uint64_t base, bytes, used;
    Chunk *chunks;
    size_t count, capacity;
    uint32_t unused; // first of the list of unused entries of `chunks`
    uint32_t lists[POWERS][STEPS];
    uint64_t powers;         // a bit for each power of two with a list that is not empty
    uint32_t steps[POWERS];  // for each power of two: a bit for each list that is not empty
    uint32_t *chunk_at;      // for each unit of the heap: the live chunk that begins there, or 0
};

// The list that holds free chunks of this size.
static void list_of(uint64_t bytes, unsigned *power, unsigned *step)
{
    *power = log2_floor(bytes);
    *step = (unsigned)(bytes >> (*power - STEPS_LOG2)) - STEPS;
}

static void list_add(GuestHeap *h, uint32_t index)
{
    unsigned power, step;
    Chunk *c = &h->chunks[index];
    list_of(c->bytes, &power, &step);
    c->free = true;
    c->previous = 0;
    c->next = h->lists[power][step];
    if (c->next) h->chunks[c->next].previous = index;
    h->lists[power][step] = index;
    h->powers |= UINT64_C(1) << power;
    h->steps[power] |= 1u << step;
}

static void list_remove(GuestHeap *h, uint32_t index)
{
    unsigned power, step;
    Chunk *c = &h->chunks[index];
    list_of(c->bytes, &power, &step);
    c->free = false;
    if (c->next) h->chunks[c->next].previous = c->previous;
    if (c->previous) {
        h->chunks[c->previous].next = c->next;
        return;
    }
    h->lists[power][step] = c->next;
    if (c->next) return;
    h->steps[power] &= ~(1u << step);
    if (!h->steps[power]) h->powers &= ~(UINT64_C(1) << power);
}

// An unused entry of `chunks`; 0: out of memory.
static uint32_t chunk_new(GuestHeap *h)
{
    uint32_t index = h->unused;
    if (index) {
        h->unused = h->chunks[index].next;
        return index;
    }
    if (h->count == UINT32_MAX || !HD_PUSH(h->chunks, h->count, h->capacity, (Chunk){0})) return 0;
    return (uint32_t)h->count - 1;
}

GuestHeap *heap_new(uint64_t base, uint64_t bytes, HdError *err)
{
    GuestHeap *h = hd_new(1, sizeof *h);
    if (h) {
        h->base = base;
        h->bytes = bytes / UNIT * UNIT;
        h->chunk_at = hd_new(bytes / UNIT + 1, sizeof *h->chunk_at);
    }
    uint32_t all = h && h->chunk_at && HD_PUSH(h->chunks, h->count, h->capacity, (Chunk){0})
                       ? chunk_new(h) : 0;
    if (!all) {
        heap_free(h);
        hd_fail_memory(err, "making the device heap");
        return NULL;
    }
    h->chunks[all].bytes = h->bytes;
    if (h->bytes) list_add(h, all);
    return h;
}

void heap_free(GuestHeap *heap)
{
    if (!heap) return;
    free(heap->chunks);
    free(heap->chunk_at);
    free(heap);
}

// The first chunk with at least `bytes` among at most max_chunks chunks of a list, from chunk `i`
// on; 0: none.
static uint32_t first_fit(const GuestHeap *h, uint32_t i, uint64_t bytes, uint32_t max_chunks)
{
    for (; i && max_chunks--; i = h->chunks[i].next)
        if (h->chunks[i].bytes >= bytes) return i;
    return 0;
}

// Searches the list for this size first, but only its first chunks, because not all of them may
// fit. Then takes any chunk of the next larger list that is not empty: all its chunks fit. Searches
// the whole first list only if there is no larger chunk.
static uint32_t find_chunk(const GuestHeap *h, uint64_t bytes)
{
    enum { MAX_TRIES = 8 };
    unsigned power, step;
    list_of(bytes, &power, &step);
    uint32_t fit = first_fit(h, h->lists[power][step], bytes, MAX_TRIES);
    if (fit) return fit;
    uint32_t steps = h->steps[power] & ~((2u << step) - 1);
    if (steps) return h->lists[power][__builtin_ctz(steps)];
    uint64_t powers = power == POWERS - 1 ? 0 : h->powers & ~((UINT64_C(2) << power) - 1);
    if (!powers) return first_fit(h, h->lists[power][step], bytes, UINT32_MAX);
    power = (unsigned)__builtin_ctzll(powers);
    return h->lists[power][__builtin_ctz(h->steps[power])];
}

// Splits the bytes beyond `bytes` off into a free chunk.
static void split(GuestHeap *h, uint32_t index, uint64_t bytes)
{
    if (h->chunks[index].bytes == bytes) return;
    uint32_t rest = chunk_new(h);
    if (!rest) return; // out of memory: the caller gets the whole chunk
    Chunk *c = &h->chunks[index], *r = &h->chunks[rest];
    *r = (Chunk){.start = c->start + bytes, .bytes = c->bytes - bytes, .below = index,
                 .above = c->above};
    if (r->above) h->chunks[r->above].below = rest;
    c->above = rest;
    c->bytes = bytes;
    list_add(h, rest);
}

uint64_t heap_allocate(GuestHeap *h, uint64_t bytes)
{
    if (!bytes || bytes > h->bytes) return 0;
    bytes = round_up(bytes, UNIT);
    uint32_t index = find_chunk(h, bytes);
    if (!index) return 0;
    list_remove(h, index);
    split(h, index, bytes);
    const Chunk *c = &h->chunks[index];
    h->chunk_at[c->start / UNIT] = index;
    h->used += c->bytes;
    return h->base + c->start;
}

// Merges the chunk above into this one.
static void merge_above(GuestHeap *h, uint32_t index)
{
    Chunk *c = &h->chunks[index];
    uint32_t above = c->above;
    Chunk *a = &h->chunks[above];
    c->bytes += a->bytes;
    c->above = a->above;
    if (c->above) h->chunks[c->above].below = index;
    a->next = h->unused;
    h->unused = above;
}

bool heap_release(GuestHeap *h, uint64_t address)
{
    uint64_t start = address - h->base;
    if (start >= h->bytes || start % UNIT || !h->chunk_at[start / UNIT]) return false;
    uint32_t index = h->chunk_at[start / UNIT];
    h->chunk_at[start / UNIT] = 0;
    h->used -= h->chunks[index].bytes;
    uint32_t above = h->chunks[index].above, below = h->chunks[index].below;
    if (above && h->chunks[above].free) {
        list_remove(h, above);
        merge_above(h, index);
    }
    if (below && h->chunks[below].free) {
        list_remove(h, below);
        merge_above(h, below);
        index = below;
    }
    list_add(h, index);
    return true;
}

uint64_t heap_used(const GuestHeap *heap) { return heap->used; }
