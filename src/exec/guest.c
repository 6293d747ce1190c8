// The guest's global memory: one reserved region of the host, made usable as arrays are allocated,
// and the table of arrays that bounds checks look in.
#include "exec/guest.h"

#include "base/hash.h"
#include "base/memory.h"
#include "exec/granules.h"

#include <ctype.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ARRAY_ALIGN = 256 };
#define RESERVE_LEAST (UINT64_C(1) << 30)
#define COMMIT_UNIT (UINT64_C(1) << 26) // the region becomes usable in steps of this many bytes

static void *reserve(void *at, uint64_t size, int flags)
{
    return mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

// Where the guest has it, so that a pointer is the same for both. The thread sanitizer ends a
// program that asks for such addresses.
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
    // Address space may be limited (ulimit -v, valgrind): take the most that there is.
    for (uint64_t size = GUEST_GLOBAL_SIZE; size >= RESERVE_LEAST; size /= 2) {
        void *at = reserve_in_place(size);
        if (at == MAP_FAILED) at = reserve(NULL, size, 0);
        if (at == MAP_FAILED) continue;
        memory->host = at;
        memory->reserved = size;
        return true;
    }
    return hd_fail(err, "cannot reserve %" PRIu64 " bytes of address space for the guest's memory; "
                        "raise the limit on virtual memory (ulimit -v)",
                   RESERVE_LEAST);
}

bool guest_at_host(const GuestMemory *memory)
{
    return memory->host == (uint8_t *)GUEST_GLOBAL_BASE;
}

void guest_free(GuestMemory *memory)
{
    if (memory->host) munmap(memory->host, memory->reserved);
    free(memory->arrays);
    granules_free(memory->granules);
    *memory = (GuestMemory){0};
}

// Makes the first `end` bytes of the region readable and writable; fresh pages are zero.
static bool commit(GuestMemory *memory, uint64_t end)
{
    if (end <= memory->committed) return true;
    uint64_t upto = round_up(end, COMMIT_UNIT); // within the reservation, a multiple of the unit
    void *at = memory->host + memory->committed;
    size_t size = upto - memory->committed;
    if (mprotect(at, size, PROT_READ | PROT_WRITE) != 0) return false;
    madvise(at, size, MADV_HUGEPAGE); // only a hint: irregular access misses the TLB
    memory->committed = upto;
    return true;
}

bool guest_use_granules(GuestMemory *memory, HdError *err)
{
    memory->granules = granules_new(memory->reserved);
    if (memory->granules && commit(memory, GRANULE_BYTES)) { // the driver's
        memory->used = GRANULE_BYTES;
        return true;
    }
    return hd_fail_memory(err, "building the device's memory");
}

uint64_t guest_taken(const GuestMemory *memory)
{
    return memory->granules ? granules_bytes(memory->granules) : memory->live;
}

// The name without the digits behind a '#', which tell the allocations of one site apart.
static uint64_t site_of(const char *name)
{
    uint64_t hash = HASH_START;
    for (const char *s = name; *s; s++) {
        hash = hash_bytes(hash, s, 1);
        if (*s == '#')
            while (isdigit((unsigned char)s[1])) s++;
    }
    return hash;
}

uint64_t guest_allocate(GuestMemory *memory, uint64_t bytes, const char *name, HdError *err)
{
    return guest_allocate_at(memory, bytes, name, 0, err);
}

uint64_t guest_allocate_at(GuestMemory *memory, uint64_t bytes, const char *name, uint64_t site,
                           HdError *err)
{
    if (memory->granules)
        return granules_allocate(memory, bytes, name, site ? site : site_of(name), commit, err);
    uint64_t start = round_up(memory->used, ARRAY_ALIGN);
    if (memory->array_count >= GUEST_NO_ARRAY) {
        hd_fail(err, "cannot allocate \"%s\": a program can allocate at most %d arrays in one run",
                name, GUEST_NO_ARRAY);
        return 0;
    }
    if (start > memory->reserved || bytes > memory->reserved - start ||
        !commit(memory, start + bytes)) {
        hd_fail(err, "cannot allocate %" PRIu64 " bytes for \"%s\": %" PRIu64
                     " bytes of device memory are in use and this host gives at most %" PRIu64,
                bytes, name, memory->used, memory->reserved);
        return 0;
    }
    GuestArray array = {.base = GUEST_GLOBAL_BASE + start, .bytes = bytes, .live = true};
    snprintf(array.name, sizeof array.name, "%s", name);
    if (!HD_PUSH(memory->arrays, memory->array_count, memory->array_capacity, array)) {
        hd_fail_memory(err, "recording an allocation of device memory");
        return 0;
    }
    // An array without bytes still gets an address of its own.
    memory->used = start + (bytes ? bytes : 1);
    memory->live += bytes;
    return array.base;
}

// Number of the last array that starts at or below address; array_count where there is none.
static size_t array_below(const GuestMemory *memory, uint64_t address)
{
    size_t low = 0, high = memory->array_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->arrays[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : memory->array_count;
}

bool guest_release(GuestMemory *memory, uint64_t base)
{
    if (memory->granules) return granules_release(memory, base);
    size_t i = array_below(memory, base);
    if (i == memory->array_count || memory->arrays[i].base != base || !memory->arrays[i].live)
        return false;
    memory->arrays[i].live = false;
    memory->live -= memory->arrays[i].bytes;
    return true;
}

static bool holds(const GuestArray *array, uint64_t address, uint64_t bytes)
{
    return array->live && address >= array->base && bytes <= array->bytes &&
           address - array->base <= array->bytes - bytes;
}

static bool place_holds(const GuestPlace *place, uint64_t address, uint64_t bytes)
{
    return place && place->live && bytes <= place->bytes &&
           address - place->base <= place->bytes - bytes;
}

// With granules, an array's number says where its last allocation is; others may have it, too.
static unsigned find_place(const GuestMemory *memory, uint64_t address, uint64_t bytes,
                           uint16_t *hint)
{
    const GuestPlace *place = granules_place(memory->granules, address);
    if (!place_holds(place, address, bytes)) return GUEST_NO_ARRAY;
    *hint = place->number;
    return *hint;
}

unsigned guest_find(const GuestMemory *memory, uint64_t address, uint64_t bytes, uint16_t *hint)
{
    if (*hint < memory->array_count && holds(&memory->arrays[*hint], address, bytes)) return *hint;
    if (memory->granules) return find_place(memory, address, bytes, hint);
    size_t i = array_below(memory, address);
    if (i == memory->array_count || !holds(&memory->arrays[i], address, bytes))
        return GUEST_NO_ARRAY;
    *hint = (uint16_t)i;
    return *hint;
}

bool guest_lenient(const GuestMemory *memory, uint64_t address, uint64_t bytes)
{
    return memory->lenient && granules_in_use(memory->granules, address, bytes);
}

bool guest_range(const GuestMemory *memory, uint64_t address, uint64_t *base, uint64_t *bytes)
{
    uint16_t hint = GUEST_NO_ARRAY;
    unsigned array = guest_find(memory, address, 1, &hint);
    if (array == GUEST_NO_ARRAY) return false;
    const GuestPlace *place =
        memory->granules ? granules_place(memory->granules, address) : NULL;
    *base = place ? place->base : memory->arrays[array].base;
    *bytes = place ? place->bytes : memory->arrays[array].bytes;
    return true;
}

// The array that a message names, of a memory in which there are some.
static GuestArray nearest_array(const GuestMemory *memory, uint64_t address)
{
    if (memory->granules) {
        const GuestPlace *place = granules_nearest(memory->granules, address);
        GuestArray array = {.base = place->base, .bytes = place->bytes, .live = place->live};
        memcpy(array.name, place->name, sizeof array.name);
        return array;
    }
    size_t i = array_below(memory, address);
    if (i == memory->array_count) i = 0;
    const GuestArray *array = &memory->arrays[i];
    // Past the end of one array the next may be nearer.
    uint64_t end = array->base + array->bytes;
    if (address >= end && i + 1 < memory->array_count && array[1].base - address < address - end)
        array++;
    return *array;
}

void guest_nearest(const GuestMemory *memory, uint64_t address, char *text, size_t size)
{
    if (memory->array_count == 0 ||
        (memory->granules && !granules_nearest(memory->granules, address))) {
        snprintf(text, size, "nothing is allocated");
        return;
    }
    // So far from all of it that no index leads there.
    static const uint64_t far = UINT64_C(1) << 31, top = GUEST_GLOBAL_BASE + GUEST_GLOBAL_SIZE;
    if (address < GUEST_GLOBAL_BASE - far || address > top + far) {
        snprintf(text, size, "device memory lies elsewhere, from 0x%" PRIx64 " on",
                 GUEST_GLOBAL_BASE);
        return;
    }
    GuestArray array = nearest_array(memory, address);
    uint64_t end = array.base + array.bytes;
    uint64_t distance = address < array.base ? array.base - address
                        : address < end      ? address - array.base
                                             : address - end;
    const char *where = address < array.base ? "bytes before the start of"
                        : address < end      ? "bytes into"
                                             : "bytes past the end of";
    snprintf(text, size, "%" PRIu64 " %s \"%s\" (0x%" PRIx64 ", %" PRIu64 " bytes)%s", distance,
             where, array.name, array.base, array.bytes,
             array.live ? "" : ", which is released");
}
