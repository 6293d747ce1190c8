// Granules: which are in use, the allocations in each, and the allocation numbers of statistics.
#include "exec/granules.h"

#include "base/bits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_ALIGN = 512,
    MAX_NUMBERS = 1024 // each needs a row in the per-SM tables of statistics
};
#define MAX_SMALL_BYTES (UINT64_C(1) << 20) // larger allocations have granules of their own
#define NO_GRANULE SIZE_MAX

typedef struct Granule {
    uint32_t owner;           // of a large allocation: its index + 1; 0: none
    uint32_t *by_address;     // indices of small allocations, sorted by address
    uint32_t count, capacity; // of by_address
    uint32_t live;            // number of live allocations
    uint32_t taken, end;      // small allocations: live bytes; high-water mark in bytes
} Granule;

// An allocation number of statistics, shared by the allocations of one call site.
typedef struct AllocationNumber {
    uint64_t call_site;
    uint32_t live; // live allocations with this number
} AllocationNumber;

struct GuestGranules {
    Granule *table; // the first `used` granules of the region; later ones were never in use
    size_t used, table_capacity, total; // total: granules of the region
    size_t next;    // where the round-robin search starts
    size_t current; // the granule that new small allocations fill, or NO_GRANULE
    size_t in_use;  // granules with a live allocation
    size_t *small;  // granules of small allocations, including the current one
    size_t small_count, small_capacity;
    GranuleAllocation *allocations;
    size_t allocation_count, allocation_capacity;
    uint32_t free_allocation; // first unused entry of `allocations`, + 1; 0: none
    AllocationNumber *numbers;     // GuestMemory.allocation_count elements
    size_t number_capacity;
};

GuestGranules *granules_new(uint64_t reserved)
{
    GuestGranules *g = hd_new(1, sizeof *g);
    if (!g) return NULL;
    g->total = reserved / GRANULE_BYTES;
    g->current = NO_GRANULE;
    // The driver's granule: always in use, without an allocation.
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
    for (size_t i = 0; i < g->used; i++) free(g->table[i].by_address);
    free(g->table);
    free(g->small);
    free(g->allocations);
    free(g->numbers);
    free(g);
}

uint64_t granules_bytes(const GuestGranules *g) { return g->in_use * GRANULE_BYTES; }

// ---- allocations ----

// An unused entry of `allocations`; NULL: out of memory.
static GranuleAllocation *allocation_new(GuestGranules *g, uint32_t *index)
{
    if (g->free_allocation) {
        *index = g->free_allocation - 1;
        g->free_allocation = g->allocations[*index].next;
        return &g->allocations[*index];
    }
    if (!HD_PUSH(g->allocations, g->allocation_count, g->allocation_capacity,
                 (GranuleAllocation){0}))
        return NULL;
    *index = (uint32_t)g->allocation_count - 1;
    return &g->allocations[*index];
}

// Removes one granule's reference to the allocation. The entry is freed with the last one.
static void allocation_drop(GuestGranules *g, uint32_t index)
{
    GranuleAllocation *allocation = &g->allocations[index];
    if (allocation->granules && --allocation->granules) return;
    *allocation = (GranuleAllocation){.next = g->free_allocation};
    g->free_allocation = index + 1;
}

// The position in by_address of the last allocation that starts at or below the address; `count`:
// none.
static uint32_t position_below(const GuestGranules *g, const Granule *granule, uint64_t address)
{
    uint32_t low = 0, high = granule->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->allocations[granule->by_address[middle]].base <= address) low = middle + 1;
        else high = middle;
    }
    return low ? low - 1 : granule->count;
}

const GranuleAllocation *granules_allocation(const GuestGranules *g, uint64_t address)
{
    uint64_t number = (address - GUEST_GLOBAL_BASE) / GRANULE_BYTES;
    if (address < GUEST_GLOBAL_BASE || number >= g->used) return NULL;
    const Granule *granule = &g->table[number];
    if (granule->owner) return &g->allocations[granule->owner - 1];
    uint32_t position = position_below(g, granule, address);
    return position < granule->count ? &g->allocations[granule->by_address[position]] : NULL;
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

static uint64_t distance(const GranuleAllocation *allocation, uint64_t address)
{
    if (address < allocation->base) return allocation->base - address;
    uint64_t end = allocation->base + allocation->bytes;
    return address < end ? 0 : address - end;
}

// Only messages need this, so a linear search is enough.
const GranuleAllocation *granules_nearest(const GuestGranules *g, uint64_t address)
{
    const GranuleAllocation *best = NULL;
    for (size_t i = 0; i < g->allocation_count; i++) {
        const GranuleAllocation *allocation = &g->allocations[i];
        if (!allocation->granules) continue;
        uint64_t far = distance(allocation, address), best_far = best ? distance(best, address) : 0;
        if (!best || far < best_far || (far == best_far && allocation->live && !best->live))
            best = allocation;
    }
    return best;
}

// ---- allocation numbers ----

// Chooses the allocation number for a new allocation: a number of the same call site without live
// allocations, else a new number. With MAX_NUMBERS in use, the allocation shares one. false: out of
// memory.
static bool number_assign(GuestMemory *m, const char *name, uint64_t call_site, uint16_t *number)
{
    GuestGranules *g = m->granules;
    size_t shared = MAX_NUMBERS - 1;
    for (size_t i = 0; i < m->allocation_count; i++) {
        if (g->numbers[i].call_site != call_site) continue;
        shared = i;
        if (g->numbers[i].live) continue;
        *number = (uint16_t)i;
        return true;
    }
    *number = (uint16_t)shared;
    if (m->allocation_count == MAX_NUMBERS) return true;
    GuestAllocation entry = {0};
    snprintf(entry.name, sizeof entry.name, "%s", name);
    if (!hd_reserve(&g->numbers, m->allocation_count, &g->number_capacity, sizeof *g->numbers) ||
        !HD_PUSH(m->allocations, m->allocation_count, m->allocation_capacity, entry))
        return false;
    *number = (uint16_t)(m->allocation_count - 1);
    g->numbers[*number] = (AllocationNumber){.call_site = call_site};
    return true;
}

// ---- granules ----

// The first of `count` consecutive free granules, at or after `from`; NO_GRANULE: none.
static size_t find_run(const GuestGranules *g, size_t from, size_t count)
{
    size_t run = 0;
    for (size_t i = from; i < g->total; i++) {
        bool taken = i < g->used && (g->table[i].live || i == g->current);
        run = taken ? 0 : run + 1;
        if (run == count) return i + 1 - count;
        if (i >= g->used && g->total - i >= count) return i + 1 - run;
    }
    return NO_GRANULE;
}

// Takes free granules and forgets the allocations that they held. NO_GRANULE: there are none.
static size_t take_granules(GuestMemory *m, size_t count,
                            bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    size_t first = find_run(g, g->next, count);
    if (first == NO_GRANULE) first = find_run(g, 0, count);
    if (first == NO_GRANULE || !usable(m, (first + count) * GRANULE_BYTES)) return NO_GRANULE;
    while (g->used < first + count) // the search may have skipped unused ones
        if (!HD_PUSH(g->table, g->used, g->table_capacity, (Granule){0})) return NO_GRANULE;
    for (size_t i = first; i < first + count; i++) {
        Granule *granule = &g->table[i];
        if (granule->owner) allocation_drop(g, granule->owner - 1);
        for (uint32_t k = 0; k < granule->count; k++) allocation_drop(g, granule->by_address[k]);
        *granule = (Granule){.by_address = granule->by_address, .capacity = granule->capacity};
    }
    g->next = first + count;
    if (m->used < g->next * GRANULE_BYTES) m->used = g->next * GRANULE_BYTES;
    return first;
}

// Granules are pages of their own.
static void give_back(GuestMemory *m, size_t first, size_t count)
{
    uint64_t start = GUEST_GLOBAL_BASE + first * GRANULE_BYTES;
    guest_give_back(m, start, start + count * GRANULE_BYTES);
}

// ---- small allocations ----

// Finds a gap between the live allocations of the granule: its offset, and the position in
// by_address of an allocation there. Removes released allocations from by_address first.
static bool find_gap(GuestGranules *g, Granule *granule, uint64_t start, uint32_t size,
                     uint32_t *offset, uint32_t *position)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < granule->count; i++) {
        uint32_t index = granule->by_address[i];
        if (g->allocations[index].live) granule->by_address[kept++] = index;
        else allocation_drop(g, index);
    }
    granule->count = kept;
    uint32_t at = 0;
    for (uint32_t i = 0; i <= kept; i++) {
        const GranuleAllocation *next = i < kept ? &g->allocations[granule->by_address[i]] : NULL;
        uint32_t end = next ? (uint32_t)(next->base - start) : (uint32_t)GRANULE_BYTES;
        if (end - at >= size) {
            *offset = at;
            *position = i;
            return true;
        }
        if (next) at = end + (uint32_t)round_up(next->bytes ? next->bytes : 1, SMALL_ALIGN);
    }
    return false;
}

// Takes a granule without live allocations out of the list of small granules.
static void retire(GuestMemory *m, size_t number)
{
    GuestGranules *g = m->granules;
    if (number == g->current) g->current = NO_GRANULE;
    size_t i = 0;
    while (g->small[i] != number) i++;
    g->small[i] = g->small[--g->small_count];
    give_back(m, number, 1);
}

// Finds room for a small allocation: at the end of the current granule, else in a gap, else in a
// new granule. false: there is no room.
static bool find_small(GuestMemory *m, uint32_t size, size_t *number, uint32_t *offset,
                       uint32_t *position, bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    if (g->current == NO_GRANULE || g->table[g->current].end + size > GRANULE_BYTES) {
        if (g->current != NO_GRANULE && !g->table[g->current].live) retire(m, g->current);
        for (size_t i = 0; i < g->small_count; i++) {
            Granule *granule = &g->table[g->small[i]];
            if (GRANULE_BYTES - granule->taken < size) continue;
            *number = g->small[i];
            uint64_t start = GUEST_GLOBAL_BASE + *number * GRANULE_BYTES;
            if (!find_gap(g, granule, start, size, offset, position)) continue;
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
    *position = g->table[g->current].count;
    return true;
}

static GranuleAllocation *place_small(GuestMemory *m, uint64_t bytes,
                               bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    uint32_t size = (uint32_t)round_up(bytes ? bytes : 1, SMALL_ALIGN), offset, position, index;
    size_t number;
    if (!find_small(m, size, &number, &offset, &position, usable)) return NULL;
    Granule *granule = &g->table[number];
    size_t capacity = granule->capacity;
    if (!hd_reserve(&granule->by_address, granule->count, &capacity, sizeof *granule->by_address))
        return NULL;
    granule->capacity = (uint32_t)capacity;
    GranuleAllocation *allocation = allocation_new(g, &index);
    if (!allocation) return NULL;
    memmove(granule->by_address + position + 1, granule->by_address + position,
            (granule->count - position) * sizeof *granule->by_address);
    granule->by_address[position] = index;
    granule->count++;
    granule->taken += size;
    if (offset + size > granule->end) granule->end = offset + size;
    g->in_use += !granule->live++;
    *allocation = (GranuleAllocation){.base = GUEST_GLOBAL_BASE + number * GRANULE_BYTES + offset,
                          .granules = 1};
    return allocation;
}

// ---- large allocations ----

static GranuleAllocation *place_large(GuestMemory *m, uint64_t bytes,
                               bool (*usable)(GuestMemory *memory, uint64_t end))
{
    GuestGranules *g = m->granules;
    size_t count = divide_up(bytes, GRANULE_BYTES), first = take_granules(m, count, usable);
    uint32_t index;
    GranuleAllocation *allocation = first == NO_GRANULE ? NULL : allocation_new(g, &index);
    if (!allocation) return NULL;
    for (size_t i = first; i < first + count; i++) {
        g->table[i].owner = index + 1;
        g->table[i].live = 1;
    }
    g->in_use += count;
    *allocation = (GranuleAllocation){.base = GUEST_GLOBAL_BASE + first * GRANULE_BYTES,
                          .granules = (uint32_t)count};
    return allocation;
}

// ---- allocate and release ----

uint64_t granules_allocate(GuestMemory *m, uint64_t bytes, const char *name, uint64_t call_site,
                           bool (*usable)(GuestMemory *memory, uint64_t end), HdError *err)
{
    GuestGranules *g = m->granules;
    uint16_t number;
    if (!number_assign(m, name, call_site, &number)) {
        hd_fail_memory(err, "recording an allocation of device memory");
        return 0;
    }
    GranuleAllocation *allocation = bytes > m->reserved     ? NULL
                        : bytes <= MAX_SMALL_BYTES   ? place_small(m, bytes, usable)
                                                : place_large(m, bytes, usable);
    if (!allocation) {
        hd_fail(err, "cannot allocate %" PRIu64 " bytes for \"%s\": %" PRIu64 " bytes of device "
                     "memory are in use: expected at most %" PRIu64 " in all",
                bytes, name, granules_bytes(g), m->reserved);
        return 0;
    }
    allocation->bytes = bytes;
    allocation->number = number;
    allocation->live = true;
    snprintf(allocation->name, sizeof allocation->name, "%s", name);
    GuestAllocation *entry = &m->allocations[number];
    entry->base = allocation->base;
    entry->bytes = bytes;
    entry->live = true;
    g->numbers[number].live++;
    m->live += bytes;
    return allocation->base;
}

bool granules_release(GuestMemory *m, uint64_t base)
{
    GuestGranules *g = m->granules;
    GranuleAllocation *allocation = (GranuleAllocation *)granules_allocation(g, base);
    if (!allocation || allocation->base != base || !allocation->live) return false;
    size_t number = (base - GUEST_GLOBAL_BASE) / GRANULE_BYTES;
    allocation->live = false;
    m->live -= allocation->bytes;
    g->numbers[allocation->number].live--;
    if (m->allocations[allocation->number].base == base)
        m->allocations[allocation->number].live = false;
    Granule *granule = &g->table[number];
    if (granule->owner) { // large: the granules are its own
        size_t count = divide_up(allocation->bytes, GRANULE_BYTES);
        for (size_t i = number; i < number + count; i++) g->table[i].live = 0;
        g->in_use -= count;
        give_back(m, number, count);
        return true;
    }
    granule->taken -= (uint32_t)round_up(allocation->bytes ? allocation->bytes : 1, SMALL_ALIGN);
    g->in_use -= !--granule->live;
    if (!granule->live && number != g->current) retire(m, number);
    return true;
}
