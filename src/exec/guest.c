// The guest's global memory: one reserved region of the host, made usable as it is allocated, the
// table of allocations for bounds checks, and the pages that count as the host's memory.
#include "exec/guest.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "exec/granules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALLOCATION_ALIGN = 256 };
#define MIN_RESERVE (UINT64_C(1) << 30)
#define COMMIT_UNIT (UINT64_C(1) << 26) // the region becomes usable in steps of this many bytes
#define LIMIT_STEP (UINT64_C(1) << 26)  // bytes after which the host is asked what it has left

static void *reserve(void *at, uint64_t size, int flags)
{
    return mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

// At the guest addresses, so that pointers are the same for guest and host. The thread sanitizer
// aborts a program that maps these addresses.
static void *reserve_in_place(uint64_t size)
{
#ifdef __SANITIZE_THREAD__
    (void)size;
    return MAP_FAILED;
#else
    return reserve((void *)GUEST_GLOBAL_BASE, size, MAP_FIXED_NOREPLACE);
#endif
}

bool guest_init(GuestMemory *memory, HdError *err)
{
    *memory = (GuestMemory){0};
    // Address space may be limited (ulimit -v, valgrind): take the largest size that works.
    for (uint64_t size = GUEST_GLOBAL_SIZE; size >= MIN_RESERVE; size /= 2) {
        void *at = reserve_in_place(size);
        if (at == MAP_FAILED) at = reserve(NULL, size, 0);
        if (at == MAP_FAILED) continue;
        memory->host = at;
        memory->reserved = size;
        memory->taken = hd_pages_new(size / GUEST_PAGE_BYTES);
        return memory->taken || hd_fail_memory(err, "building the device's memory");
    }
    return hd_fail(err, "cannot reserve %" PRIu64 " bytes of address space for the guest's memory: "
                        "expected a higher limit on virtual memory (ulimit -v)",
                   MIN_RESERVE);
}

bool guest_is_identity_mapped(const GuestMemory *memory)
{
    return memory->host == (uint8_t *)GUEST_GLOBAL_BASE;
}

void guest_free(GuestMemory *memory)
{
    if (memory->host) munmap(memory->host, memory->reserved);
    if (memory->taken) hd_pages_free(memory->taken, memory->reserved / GUEST_PAGE_BYTES);
    free(memory->allocations);
    granules_free(memory->granules);
    *memory = (GuestMemory){0};
}

// Makes the first `end` bytes of the region readable and writable. Fresh pages are zero.
static bool commit(GuestMemory *memory, uint64_t end)
{
    if (end <= memory->committed) return true;
    uint64_t upto = round_up(end, COMMIT_UNIT); // within `reserved`, a multiple of the unit
    void *at = memory->host + memory->committed;
    size_t size = upto - memory->committed;
    if (mprotect(at, size, PROT_READ | PROT_WRITE) != 0) return false;
    madvise(at, size, MADV_HUGEPAGE); // a hint: huge pages save TLB misses of irregular accesses
    memory->committed = upto;
    return true;
}

bool guest_use_granules(GuestMemory *memory, HdError *err)
{
    memory->granules = granules_new(memory->reserved);
    if (memory->granules && commit(memory, GRANULE_BYTES)) { // the granule of the driver
        memory->used = GRANULE_BYTES;
        return true;
    }
    return hd_fail_memory(err, "building the device's memory");
}

// ---- the host's memory ----

void guest_limit(GuestMemory *memory, uint64_t bytes)
{
    if (bytes) memory->budget = budget_start(bytes, "", NULL);
}

// Asks again and again what the host has left, because the guest is not alone on it. A sixteenth is
// left to the rest of this process.
static void ask_host(GuestMemory *memory, uint64_t bytes)
{
    uint64_t used = memory->budget.used;
    bool asked = memory->asked && used + bytes <= memory->budget.limit;
    if (memory->budget.given || (asked && used < memory->asked + LIMIT_STEP)) return;
    memory->budget = budget_of_pages("", NULL);
    memory->budget.limit = used + memory->budget.limit - memory->budget.limit / 16;
    memory->budget.used = used;
    memory->asked = used + 1;
}

uint64_t guest_left(GuestMemory *memory)
{
    ask_host(memory, 0);
    const MemoryBudget *budget = &memory->budget;
    return budget->used < budget->limit ? budget->limit - budget->used : 0;
}

static bool afford(GuestMemory *memory, uint64_t bytes, const char *who, HdError *err)
{
    ask_host(memory, bytes);
    memory->budget.err = err;
    bool ok = budget_check(&memory->budget, bytes, "%s", who);
    if (ok) memory->budget.used += bytes;
    return ok;
}

bool guest_take(GuestMemory *memory, uint64_t address, uint64_t bytes, HdError *err)
{
    if (!bytes) return true;
    uint64_t first = guest_page(address), last = guest_page(address + bytes - 1), fresh = 0;
    for (uint64_t page = first; page <= last; page++) fresh += !memory->taken[page];
    if (!fresh) return true;
    if (!afford(memory, fresh * GUEST_PAGE_BYTES, "the written pages of device memory", err))
        return false;
    memset(memory->taken + first, 1, last - first + 1);
    return true;
}

bool guest_count(GuestMemory *memory, uint64_t before, uint64_t bytes, const char *who,
                 HdError *err)
{
    if (bytes > before) return afford(memory, bytes - before, who, err);
    memory->budget.used -= before - bytes;
    return true;
}

bool guest_give_back(GuestMemory *memory, uint64_t from, uint64_t to)
{
    if (from >= to) return true;
    if (madvise(guest_host(memory, from), to - from, MADV_DONTNEED) != 0) return false;
    uint64_t first = guest_page(from + GUEST_PAGE_BYTES - 1), end = guest_page(to);
    for (uint64_t page = first; page < end; page++) {
        memory->budget.used -= memory->taken[page] * GUEST_PAGE_BYTES;
        memory->taken[page] = 0;
    }
    return true;
}

enum { HOST_PAGE = 1 << 16 }; // a multiple of the host's page size

void guest_clear(GuestMemory *memory, uint64_t address, uint64_t bytes)
{
    uint64_t first = round_up(address, HOST_PAGE), end = address + bytes;
    uint64_t last = end - end % HOST_PAGE;
    if (first >= last || !guest_give_back(memory, first, last)) first = last = end;
    // The host may have written pages that do not count (managed variables).
    memset(guest_host(memory, address), 0, first - address);
    memset(guest_host(memory, last), 0, end - last);
}

uint64_t guest_bytes_in_use(const GuestMemory *memory)
{
    return memory->granules ? granules_bytes(memory->granules) : memory->live;
}

// The hash of the name, without the digits after a '#', which distinguish the allocations of one
// call site.
static uint64_t call_site_of(const char *name)
{
    uint64_t hash = HASH_START;
    for (const char *s = name; *s; s++) {
        hash = hash_bytes(hash, s, 1);
        if (*s == '#')
            while (text_is_digit(s[1])) s++;
    }
    return hash;
}

uint64_t guest_allocate(GuestMemory *memory, uint64_t bytes, const char *name, HdError *err)
{
    return guest_allocate_at(memory, bytes, name, 0, err);
}

uint64_t guest_allocate_at(GuestMemory *memory, uint64_t bytes, const char *name,
                           uint64_t call_site, HdError *err)
{
    if (memory->granules)
        return granules_allocate(memory, bytes, name, call_site ? call_site : call_site_of(name),
                                 commit, err);
    uint64_t start = round_up(memory->used, ALLOCATION_ALIGN);
    if (memory->allocation_count >= GUEST_NO_ALLOCATION) {
        hd_fail(err, "cannot allocate \"%s\": expected at most %d allocations in one run", name,
                GUEST_NO_ALLOCATION);
        return 0;
    }
    if (start > memory->reserved || bytes > memory->reserved - start ||
        !commit(memory, start + bytes)) {
        hd_fail(err, "cannot allocate %" PRIu64 " bytes for \"%s\": %" PRIu64
                     " bytes of device memory are in use: expected at most %" PRIu64 " in all",
                bytes, name, memory->used, memory->reserved);
        return 0;
    }
    GuestAllocation allocation = {.base = GUEST_GLOBAL_BASE + start, .bytes = bytes, .live = true};
    snprintf(allocation.name, sizeof allocation.name, "%s", name);
    if (!HD_PUSH(memory->allocations, memory->allocation_count, memory->allocation_capacity,
                 allocation)) {
        hd_fail_memory(err, "recording an allocation of device memory");
        return 0;
    }
    // An allocation of 0 bytes still gets an address of its own.
    memory->used = start + (bytes ? bytes : 1);
    memory->live += bytes;
    return allocation.base;
}

// The number of the last allocation that starts at or below address; allocation_count if there is
// none.
static size_t allocation_below(const GuestMemory *memory, uint64_t address)
{
    size_t low = 0, high = memory->allocation_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->allocations[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : memory->allocation_count;
}

bool guest_release(GuestMemory *memory, uint64_t base)
{
    if (memory->granules) return granules_release(memory, base);
    size_t i = allocation_below(memory, base);
    if (i == memory->allocation_count || memory->allocations[i].base != base ||
        !memory->allocations[i].live)
        return false;
    GuestAllocation *released = &memory->allocations[i];
    released->live = false;
    memory->live -= released->bytes;
    uint64_t end = base + released->bytes; // its addresses are never used again
    guest_give_back(memory, round_up(base, GUEST_PAGE_BYTES), end - end % GUEST_PAGE_BYTES);
    return true;
}

unsigned guest_search(const GuestMemory *memory, uint64_t address, uint64_t bytes, uint16_t *hint)
{
    if (memory->granules) {
        // Several allocations may share a number, so search the table of the granules.
        const GranuleAllocation *held = granules_allocation(memory->granules, address);
        if (!held || !held->live || bytes > held->bytes ||
            address - held->base > held->bytes - bytes)
            return GUEST_NO_ALLOCATION;
        *hint = held->number;
        return *hint;
    }
    size_t i = allocation_below(memory, address);
    if (i == memory->allocation_count || !guest_holds(&memory->allocations[i], address, bytes))
        return GUEST_NO_ALLOCATION;
    *hint = (uint16_t)i;
    return *hint;
}

bool guest_allows_overrun(const GuestMemory *memory, uint64_t address, uint64_t bytes)
{
    return memory->allow_overrun && granules_in_use(memory->granules, address, bytes);
}

bool guest_range(const GuestMemory *memory, uint64_t address, uint64_t *base, uint64_t *bytes)
{
    uint16_t hint = GUEST_NO_ALLOCATION;
    unsigned allocation = guest_find(memory, address, 1, &hint);
    if (allocation == GUEST_NO_ALLOCATION) return false;
    const GranuleAllocation *held =
        memory->granules ? granules_allocation(memory->granules, address) : NULL;
    *base = held ? held->base : memory->allocations[allocation].base;
    *bytes = held ? held->bytes : memory->allocations[allocation].bytes;
    return true;
}

// The allocation to name in a message. There must be at least one.
static GuestAllocation nearest_allocation(const GuestMemory *memory, uint64_t address)
{
    if (memory->granules) {
        const GranuleAllocation *held = granules_nearest(memory->granules, address);
        GuestAllocation allocation = {.base = held->base, .bytes = held->bytes, .live = held->live};
        memcpy(allocation.name, held->name, sizeof allocation.name);
        return allocation;
    }
    size_t i = allocation_below(memory, address);
    if (i == memory->allocation_count) i = 0;
    const GuestAllocation *allocation = &memory->allocations[i];
    // After the end of one allocation, the next one may be nearer.
    uint64_t end = allocation->base + allocation->bytes;
    if (address >= end && i + 1 < memory->allocation_count &&
        allocation[1].base - address < address - end)
        allocation++;
    return *allocation;
}

void guest_nearest(const GuestMemory *memory, uint64_t address, char *text, size_t size)
{
    if (memory->allocation_count == 0 ||
        (memory->granules && !granules_nearest(memory->granules, address))) {
        snprintf(text, size, "nothing is allocated");
        return;
    }
    // So far away that no index into an allocation can explain the address.
    static const uint64_t far = UINT64_C(1) << 31, top = GUEST_GLOBAL_BASE + GUEST_GLOBAL_SIZE;
    if (address < GUEST_GLOBAL_BASE - far || address > top + far) {
        snprintf(text, size, "no allocation is near: device memory starts at 0x%" PRIx64,
                 GUEST_GLOBAL_BASE);
        return;
    }
    GuestAllocation allocation = nearest_allocation(memory, address);
    uint64_t end = allocation.base + allocation.bytes;
    uint64_t distance = address < allocation.base ? allocation.base - address
                        : address < end      ? address - allocation.base
                                             : address - end;
    const char *where = address < allocation.base ? "bytes before the start of"
                        : address < end      ? "bytes into"
                                             : "bytes past the end of";
    snprintf(text, size, "%" PRIu64 " %s \"%s\" (0x%" PRIx64 ", %" PRIu64 " bytes)%s", distance,
             where, allocation.name, allocation.base, allocation.bytes,
             allocation.live ? "" : ", which is released");
}
