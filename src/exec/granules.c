// Granules: which are in use, what lies in them, and which arrays' numbers allocations have.
#include "exec/granules.h"

#include "base/bits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SMALL_ALIGN = 512,
    MOST_NUMBERS = 1024 // each costs a row of every table of every SM
};
#define SMALL_MOST (UINT64_C(1) << 20) // larger allocations have granules of their own
#define NO_GRANULE SIZE_MAX

typedef struct Granule {
    uint32_t owner;           // of a large allocation: its place + 1
    uint32_t *slots;          // of small ones: their places, by address
    uint32_t count, capacity; // of slots
    uint32_t live;            // allocations
    uint32_t taken, end;      // small: bytes of those that are live; that were ever given out
} Granule;

// Of an array's number.
typedef struct Number {
    uint64_t site;
    uint32_t live; // allocations that have it
} Number;

struct GuestGranules {
    Granule *table; // of the region's granules, the first `used` have been in use
    size_t used, table_capacity, most;
    size_t next;    // where the ring goes on
    size_t current; // is filled with small allocations, or NO_GRANULE
    size_t in_use;  // in which something of the program is live
    size_t *small;  // those of small allocations, the current one included
    size_t small_count, small_capacity;
    GuestPlace *places;
    size_t place_count, place_capacity;
    uint32_t free_place; // list of places that stand for nothing, + 1
    Number *numbers;     // array_count of the memory
    size_t number_capacity;
};

GuestGranules *granules_new(uint64_t reserved)
{
    GuestGranules *g = hd_new(1, sizeof *g);
    if (!g) return NULL;
    g->most = reserved / GRANULE_BYTES;
    g->current = NO_GRANULE;
    // The driver's: in use for good, without an allocation.
    if (!HD_PUSH(g->table, g->used, g->table_capacity, (Granule){.live = 1})) {
        granules_free(g);
        return NULL;
    }
    g->next = g->used;
    return g;
}

void granules_free(GuestGranules *g)
{
    if (!g) return;
    for (size_t i = 0; i < g->used; i++) free(g->table[i].slots);
    free(g->table);
    free(g->small);
    free(g->places);
    free(g->numbers);
    free(g);
}

uint64_t granules_bytes(const GuestGranules *g) { return g->in_use * GRANULE_BYTES; }

// ---- places ----

// A place that stands for nothing yet; NULL: memory is out.
static GuestPlace *place_new(GuestGranules *g, uint32_t *index)
{
    if (g->free_place) {
        *index = g->free_place - 1;
        g->free_place = g->places[*index].next;
        return &g->places[*index];
    }
    if (!HD_PUSH(g->places, g->place_count, g->place_capacity, (GuestPlace){0})) return NULL;
    *index = (uint32_t)g->place_count - 1;
    return &g->places[*index];
}

// A granule no longer speaks of the place.
static void place_drop(GuestGranules *g, uint32_t index)
{
    GuestPlace *place = &g->places[index];
    if (place->granules && --place->granules) return;
    *place = (GuestPlace){.next = g->free_place};
    g->free_place = index + 1;
}

// The slot of the last place that starts at or below the address; count: none does.
static uint32_t slot_below(const GuestGranules *g, const Granule *granule, uint64_t address)
{
    uint32_t low = 0, high = granule->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->places[granule->slots[middle]].base <= address) low = middle + 1;
        else high = middle;
    }
    return low ? low - 1 : granule->count;
}

const GuestPlace *granules_place(const GuestGranules *g, uint64_t address)
{
    uint64_t number = (address - GUEST_GLOBAL_BASE) / GRANULE_BYTES;
    if (address < GUEST_GLOBAL_BASE || number >= g->used) return NULL;
    const Granule *granule = &g->table[number];
    if (granule->owner) return &g->places[granule->owner - 1];
    uint32_t slot = slot_below(g, granule, address);
    return slot < granule->count ? &g->places[granule->slots[slot]] : NULL;
}

bool granules_in_use(const GuestGranules *g, uint64_t address, uint64_t bytes)
{
    if (address < GUEST_GLOBAL_BASE || !bytes || address + bytes < address) return false;
    uint64_t first = (address - GUEST_GLOBAL_BASE) / GRANULE_BYTES;
    uint64_t last = (address - GUEST_GLOBAL_BASE + bytes - 1) / GRANULE_BYTES;
    for (uint64_t i = first; i <= last; i++)
        if (i >= g->used || !g->table[i].live) return false;
    return true;
}

static uint64_t distance(const GuestPlace *place, uint64_t address)
{
    if (address < place->base) return place->base - address;
    uint64_t end = place->base + place->bytes;
    return address < end ? 0 : address - end;
}

// Only told in messages: all places are looked at.
const GuestPlace *granules_nearest(const GuestGranules *g, uint64_t address)
{
    const GuestPlace *best = NULL;
    for (size_t i = 0; i < g->place_count; i++) {
        const GuestPlace *place = &g->places[i];
        if (!place->granules) continue;
        uint64_t its = distance(place, address), least = best ? distance(best, address) : 0;
        if (!best || its < least || (its == least && place->live && !best->live)) best = place;
    }
    return best;
}

// ---- numbers ----

// An array's number for an allocation: one of the same site whose arrays are all released, a new
// one, or, where there are no more, one that it shares with others. false: memory is out.
static bool number_take(GuestMemory *m, const char *name, uint64_t site, uint16_t *number)
{
    GuestGranules *g = m->granules;
    size_t shared = MOST_NUMBERS - 1;
    for (size_t i = 0; i < m->array_count; i++) {
        if (g->numbers[i].site != site) continue;
        shared = i;
        if (g->numbers[i].live) continue;
        *number = (uint16_t)i;
        return true;
    }
    *number = (uint16_t)shared;
    if (m->array_count == MOST_NUMBERS) return true;
    GuestArray array = {0};
    snprintf(array.name, sizeof array.name, "%s", name);
    if (!hd_reserve(&g->numbers, m->array_count, &g->number_capacity, sizeof *g->numbers) ||
        !HD_PUSH(m->arrays, m->array_count, m->array_capacity, array))
        return false;
    *number = (uint16_t)(m->array_count - 1);
    g->numbers[*number] = (Number){.site = site};
    return true;
}

// ---- granules ----

static Granule *granule_of(GuestGranules *g, uint64_t base)
{
    return &g->table[(base - GUEST_GLOBAL_BASE) / GRANULE_BYTES];
}

static bool is_free(const GuestGranules *g, size_t number)
{
    return number >= g->used || (!g->table[number].live && number != g->current);
}

// The first of `count` free granules that follow each other, at or behind `from`; NO_GRANULE: none.
static size_t find_run(const GuestGranules *g, size_t from, size_t count)
{
    size_t run = 0;
    for (size_t i = from; i < g->most; i++) {
        run = is_free(g, i) ? run + 1 : 0;
        if (run == count) return i + 1 - count;
        if (i >= g->used && g->most - i >= count) return i + 1 - run;
    }
    return NO_GRANULE;
}

// Takes free granules: nothing is left of what they were. NO_GRANULE: there are none.
static size_t take_granules(GuestMemory *m, size_t count,
                            bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    size_t first = find_run(g, g->next, count);
    if (first == NO_GRANULE) first = find_run(g, 0, count);
    if (first == NO_GRANULE || !usable(m, (first + count) * GRANULE_BYTES)) return NO_GRANULE;
    while (g->used < first + count) // those between were skipped
        if (!HD_PUSH(g->table, g->used, g->table_capacity, (Granule){0})) return NO_GRANULE;
    for (size_t i = first; i < first + count; i++) {
        Granule *granule = &g->table[i];
        if (granule->owner) place_drop(g, granule->owner - 1);
        for (uint32_t k = 0; k < granule->count; k++) place_drop(g, granule->slots[k]);
        *granule = (Granule){.slots = granule->slots, .capacity = granule->capacity};
    }
    g->next = first + count;
    if (m->used < g->next * GRANULE_BYTES) m->used = g->next * GRANULE_BYTES;
    return first;
}

// The host has the pages back; they are zero when they are used again.
static void give_back(GuestMemory *m, size_t first, size_t count)
{
    madvise(m->host + first * GRANULE_BYTES, count * GRANULE_BYTES, MADV_DONTNEED);
}

// ---- small allocations ----

// A gap between what is live in the granule: its offset, and the slot that it begins at. Slots of
// what is released go first.
static bool find_gap(GuestGranules *g, Granule *granule, uint64_t start, uint32_t size,
                     uint32_t *offset, uint32_t *slot)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < granule->count; i++) {
        uint32_t index = granule->slots[i];
        if (g->places[index].live) granule->slots[kept++] = index;
        else place_drop(g, index);
    }
    granule->count = kept;
    uint32_t at = 0;
    for (uint32_t i = 0; i <= kept; i++) {
        const GuestPlace *next = i < kept ? &g->places[granule->slots[i]] : NULL;
        uint32_t end = next ? (uint32_t)(next->base - start) : (uint32_t)GRANULE_BYTES;
        if (end - at >= size) {
            *offset = at;
            *slot = i;
            return true;
        }
        if (next) at = end + (uint32_t)round_up(next->bytes ? next->bytes : 1, SMALL_ALIGN);
    }
    return false;
}

// A granule of small allocations in which nothing is live.
static void retire(GuestMemory *m, size_t number)
{
    GuestGranules *g = m->granules;
    if (number == g->current) g->current = NO_GRANULE;
    size_t i = 0;
    while (g->small[i] != number) i++;
    g->small[i] = g->small[--g->small_count];
    give_back(m, number, 1);
}

// Where a small allocation goes: behind the others of the current granule, else into a gap, else
// into a new granule. false: there is no room.
static bool find_small(GuestMemory *m, uint32_t size, size_t *number, uint32_t *offset,
                       uint32_t *slot, bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    if (g->current == NO_GRANULE || g->table[g->current].end + size > GRANULE_BYTES) {
        if (g->current != NO_GRANULE && !g->table[g->current].live) retire(m, g->current);
        for (size_t i = 0; i < g->small_count; i++) {
            Granule *granule = &g->table[g->small[i]];
            if (GRANULE_BYTES - granule->taken < size) continue;
            *number = g->small[i];
            uint64_t start = GUEST_GLOBAL_BASE + *number * GRANULE_BYTES;
            if (!find_gap(g, granule, start, size, offset, slot)) continue;
            memset(m->host + *number * GRANULE_BYTES + *offset, 0, size);
            return true;
        }
        if (!hd_reserve(&g->small, g->small_count, &g->small_capacity, sizeof *g->small))
            return false;
        size_t fresh = take_granules(m, 1, usable);
        if (fresh == NO_GRANULE) return false;
        g->current = fresh;
        g->small[g->small_count++] = fresh;
    }
    *number = g->current;
    *offset = g->table[g->current].end;
    *slot = g->table[g->current].count;
    return true;
}

static GuestPlace *place_small(GuestMemory *m, uint64_t bytes,
                               bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    uint32_t size = (uint32_t)round_up(bytes ? bytes : 1, SMALL_ALIGN), offset, slot, index;
    size_t number;
    if (!find_small(m, size, &number, &offset, &slot, usable)) return NULL;
    Granule *granule = &g->table[number];
    size_t capacity = granule->capacity;
    if (!hd_reserve(&granule->slots, granule->count, &capacity, sizeof *granule->slots))
        return NULL;
    granule->capacity = (uint32_t)capacity;
    GuestPlace *place = place_new(g, &index);
    if (!place) return NULL;
    memmove(granule->slots + slot + 1, granule->slots + slot,
            (granule->count - slot) * sizeof *granule->slots);
    granule->slots[slot] = index;
    granule->count++;
    granule->taken += size;
    if (offset + size > granule->end) granule->end = offset + size;
    g->in_use += !granule->live++;
    *place = (GuestPlace){.base = GUEST_GLOBAL_BASE + number * GRANULE_BYTES + offset,
                          .granules = 1};
    return place;
}

static void release_small(GuestMemory *m, const GuestPlace *place, size_t number)
{
    GuestGranules *g = m->granules;
    Granule *granule = &g->table[number];
    granule->taken -= (uint32_t)round_up(place->bytes ? place->bytes : 1, SMALL_ALIGN);
    g->in_use -= !--granule->live;
    if (!granule->live && number != g->current) retire(m, number);
}

// ---- large allocations ----

static GuestPlace *place_large(GuestMemory *m, uint64_t bytes,
                               bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    size_t count = divide_up(bytes, GRANULE_BYTES), first = take_granules(m, count, usable);
    uint32_t index;
    GuestPlace *place = first == NO_GRANULE ? NULL : place_new(g, &index);
    if (!place) return NULL;
    for (size_t i = first; i < first + count; i++) {
        g->table[i].owner = index + 1;
        g->table[i].live = 1;
    }
    g->in_use += count;
    *place = (GuestPlace){.base = GUEST_GLOBAL_BASE + first * GRANULE_BYTES,
                          .granules = (uint32_t)count};
    return place;
}

static void release_large(GuestMemory *m, const GuestPlace *place, size_t first)
{
    GuestGranules *g = m->granules;
    size_t count = divide_up(place->bytes, GRANULE_BYTES);
    for (size_t i = first; i < first + count; i++) g->table[i].live = 0;
    g->in_use -= count;
    give_back(m, first, count);
}

// ---- both ----

uint64_t granules_allocate(GuestMemory *m, uint64_t bytes, const char *name, uint64_t site,
                           bool (*usable)(GuestMemory *memory, uint64_t end), HdError *err)
{
    GuestGranules *g = m->granules;
    uint16_t number;
    if (!number_take(m, name, site, &number)) {
        hd_fail_memory(err, "recording an allocation of device memory");
        return 0;
    }
    GuestPlace *place = bytes > m->reserved     ? NULL
                        : bytes <= SMALL_MOST   ? place_small(m, bytes, usable)
                                                : place_large(m, bytes, usable);
    if (!place) {
        hd_fail(err, "cannot allocate %" PRIu64 " bytes for \"%s\": %" PRIu64 " bytes of device "
                     "memory are in use and this host gives at most %" PRIu64,
                bytes, name, granules_bytes(g), m->reserved);
        return 0;
    }
    place->bytes = bytes;
    place->number = number;
    place->live = true;
    snprintf(place->name, sizeof place->name, "%s", name);
    GuestArray *array = &m->arrays[number];
    array->base = place->base;
    array->bytes = bytes;
    array->live = true;
    g->numbers[number].live++;
    m->live += bytes;
    return place->base;
}

bool granules_release(GuestMemory *m, uint64_t base)
{
    GuestGranules *g = m->granules;
    GuestPlace *place = (GuestPlace *)granules_place(g, base);
    if (!place || place->base != base || !place->live) return false;
    size_t number = (base - GUEST_GLOBAL_BASE) / GRANULE_BYTES;
    place->live = false;
    m->live -= place->bytes;
    g->numbers[place->number].live--;
    if (m->arrays[place->number].base == base) m->arrays[place->number].live = false;
    if (granule_of(g, base)->owner) release_large(m, place, number);
    else release_small(m, place, number);
    return true;
}
