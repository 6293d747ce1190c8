// Two-level segregated fit (Masmano, Ripoll, Crespo and Real, "TLSF", 2004): free chunks in lists
// by size, sixteen to each power of two; a free chunk joins its free neighbours.
#include "exec/heap.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stdlib.h>

enum { UNIT = 16, STEPS_LOG2 = 4, STEPS = 1 << STEPS_LOG2, POWERS = 64 };

// Neighbours and list members are indices, 0 for none.
typedef struct Chunk {
    uint64_t start, bytes;
    uint32_t below, above;   // in the heap
    uint32_t next, previous; // in its list; next: of unused chunks, too
    bool free;
} Chunk;

struct GuestHeap {
    uint64_t base, bytes, used;
    Chunk *chunks;
    size_t count, capacity;
    uint32_t unused; // list of chunks that stand for nothing
    uint32_t lists[POWERS][STEPS];
    uint64_t powers;         // bit p: some list of power p has chunks
    uint32_t steps[POWERS];  // by power, bit s: list s has chunks
    uint32_t *at;            // by unit of the heap: the chunk given out that begins there
};

// The list of chunks of that size.
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

// A chunk that stands for nothing yet; 0: out of memory.
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
        h->at = hd_new(bytes / UNIT + 1, sizeof *h->at);
    }
    uint32_t all = h && h->at && HD_PUSH(h->chunks, h->count, h->capacity, (Chunk){0})
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
    free(heap->at);
    free(heap);
}

// The first of at most `most` chunks of a list, from `i` on, that has the bytes.
static uint32_t first_fit(const GuestHeap *h, uint32_t i, uint64_t bytes, uint32_t most)
{
    for (; i && most--; i = h->chunks[i].next)
        if (h->chunks[i].bytes >= bytes) return i;
    return 0;
}

// A chunk of the list that one of this size would be in, where some fit; else of the next list with
// chunks, whose chunks all fit. The whole of a long list is looked through only for want of that.
static uint32_t find_chunk(const GuestHeap *h, uint64_t bytes)
{
    enum { A_FEW = 8 };
    unsigned power, step;
    list_of(bytes, &power, &step);
    uint32_t fit = first_fit(h, h->lists[power][step], bytes, A_FEW);
    if (fit) return fit;
    uint32_t steps = h->steps[power] & ~((2u << step) - 1);
    if (steps) return h->lists[power][__builtin_ctz(steps)];
    uint64_t powers = power == POWERS - 1 ? 0 : h->powers & ~((UINT64_C(2) << power) - 1);
    if (!powers) return first_fit(h, h->lists[power][step], bytes, UINT32_MAX);
    power = (unsigned)__builtin_ctzll(powers);
    return h->lists[power][__builtin_ctz(h->steps[power])];
}

// What a chunk has beyond `bytes` becomes a chunk of its own.
static void split(GuestHeap *h, uint32_t index, uint64_t bytes)
{
    if (h->chunks[index].bytes == bytes) return;
    uint32_t rest = chunk_new(h);
    if (!rest) return; // it is given out whole
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
    h->at[c->start / UNIT] = index;
    h->used += c->bytes;
    return h->base + c->start;
}

// Adds the chunk above to this one.
static void join(GuestHeap *h, uint32_t index)
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
    if (start >= h->bytes || start % UNIT || !h->at[start / UNIT]) return false;
    uint32_t index = h->at[start / UNIT];
    h->at[start / UNIT] = 0;
    h->used -= h->chunks[index].bytes;
    uint32_t above = h->chunks[index].above, below = h->chunks[index].below;
    if (above && h->chunks[above].free) {
        list_remove(h, above);
        join(h, index);
    }
    if (below && h->chunks[below].free) {
        list_remove(h, below);
        join(h, below);
        index = below;
    }
    list_add(h, index);
    return true;
}

uint64_t heap_used(const GuestHeap *heap) { return heap->used; }
