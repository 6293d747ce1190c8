// The guest's memory: allocations in one reserved region of the host, and the logs of stores that
// SMs have made but the owners of memory have not yet applied (docs/design.md, "Time").
//
// Values only. In the SM phase of a quantum global memory is read-only: a store goes into the SM's
// log, which that SM's own loads see through. In the memory phase guest_commit applies the logs,
// ordered by (time, SM, sequence).
#ifndef HEDDLE_EXEC_GUEST_H
#define HEDDLE_EXEC_GUEST_H

#include "base/bits.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

// Guest addresses of the windows. Global memory starts at GUEST_GLOBAL_BASE; generic addresses in
// the other windows mean the thread's own block's shared memory, the thread's own local memory, or
// the module's constant bank.
#define GUEST_GLOBAL_BASE UINT64_C(0x100000000)
#define GUEST_GLOBAL_SIZE (UINT64_C(1) << 40) // reserved, not committed
#define GUEST_SHARED_BASE UINT64_C(0x01000000) // generic window of shared memory
#define GUEST_LOCAL_BASE UINT64_C(0x02000000)  // generic window of local memory (16 MiB)
#define GUEST_CONST_BASE UINT64_C(0x03000000)  // generic window of the constant bank (read only)
#define GUEST_PARAM_BASE UINT64_C(0x04000000)  // generic window of the kernel's parameters (same)
#define GUEST_WINDOW_SIZE UINT64_C(0x01000000)

typedef struct GuestAllocation {
    uint64_t base, bytes;
    char name[48]; // names the allocation in every statistic ("offsets", "edges", ...)
    bool live;
} GuestAllocation;

// An allocation, where memory is given out in granules (exec/granules.h).
typedef struct GranuleAllocation {
    uint64_t base, bytes;
    uint16_t number;   // of its allocation; several may have one
    bool live;
    uint32_t granules; // that speak of it; 0: it stands for nothing
    uint32_t next;     // of those that stand for nothing, + 1
    char name[48];
} GranuleAllocation;
typedef struct GuestGranules GuestGranules;

typedef struct GuestMemory {
    uint8_t *host;    // host address of GUEST_GLOBAL_BASE
    uint64_t reserved, committed; // bytes from there: of address space held, and usable so far
    uint64_t used;    // high-water mark, bytes from the base
    GuestAllocation
        *allocations; // index = allocation number in statistics; sorted by base and never reused,
                      // but with granules: by first allocation, and the last one's base
    size_t allocation_count, allocation_capacity;
    uint64_t live; // bytes of the allocations that are not released
    GuestGranules *granules; // NULL: each allocation lies behind the others
    bool
        allow_overrun; // what lies outside of allocations, but in a granule in use, may be accessed
} GuestMemory;

enum { GUEST_NO_ALLOCATION = 0xffff };

bool guest_init(GuestMemory *memory, HdError *err);
void guest_free(GuestMemory *memory);
// Is the region where the guest has it, so that one pointer means the same to the guest and to the
// host (managed memory)? So for the first of a process, unless something else is there already, as
// a sanitizer's shadow.
bool guest_is_identity_mapped(const GuestMemory *memory);

// Memory is given out in granules from now on, as a real device does, and given back: for programs
// that rely on it. Before the first allocation.
bool guest_use_granules(GuestMemory *memory, HdError *err);

// A new zeroed allocation of `bytes` at a multiple of 256 bytes, behind all others (a bump
// allocator: addresses depend only on the order and sizes of the calls). Returns its guest address,
// 0 on failure. A fault message names the allocation `name`.
uint64_t guest_allocate(GuestMemory *memory, uint64_t bytes, const char *name, HdError *err);
// The same for a call site, a number of the caller's for a place in the program: with granules, an
// allocation of the site that was released gives its number to a later one. (0, and guest_allocate:
// the name is the call site, without the digits behind a '#'.)
uint64_t guest_allocate_at(GuestMemory *memory, uint64_t bytes, const char *name,
                           uint64_t call_site, HdError *err);
// Releases an allocation: later accesses are faults. false where base is not an allocation's start.
bool guest_release(GuestMemory *memory, uint64_t base);

// The allocation that holds all of [address, address + bytes), or GUEST_NO_ALLOCATION. `*hint` (an
// allocation number, GUEST_NO_ALLOCATION at first) is tried first and updated.
unsigned guest_find(const GuestMemory *memory, uint64_t address, uint64_t bytes, uint16_t *hint);

// May these bytes be accessed although they leave their allocation?
bool guest_allows_overrun(const GuestMemory *memory, uint64_t address, uint64_t bytes);
// The allocation that holds the address: its start and size. false: none does.
bool guest_range(const GuestMemory *memory, uint64_t address, uint64_t *base, uint64_t *bytes);
// Bytes that allocations take of the device's memory.
uint64_t guest_bytes_in_use(const GuestMemory *memory);

// "nearest allocation" text for a fault at `address`.
void guest_nearest(const GuestMemory *memory, uint64_t address, char *text, size_t size);

static inline uint8_t *guest_host(const GuestMemory *memory, uint64_t address)
{
    return memory->host + (address - GUEST_GLOBAL_BASE);
}

// ---- store logs ----
typedef struct StoreLog StoreLog; // one per SM

StoreLog *store_log_new(HdError *err);
void store_log_free(StoreLog *log);

// Appends the stores of one warp instruction: for each lane in mask, `bytes` (1, 2, 4, 8) from
// data (element of lane l at data + l * stride) to addresses[l]. Lanes in ascending order. `time`
// never decreases. Grows its buffers when a quantum stores more than any before. false: memory out.
bool store_log_add(StoreLog *log, uint64_t time, LaneMask mask, const uint64_t *addresses,
                   unsigned bytes, const void *data, unsigned stride);

// Reads `bytes` (1, 2, 4, 8) at `address` as this SM sees them: memory, overlaid by its own log.
uint64_t store_log_read(const StoreLog *log, const GuestMemory *memory, uint64_t address,
                        unsigned bytes);

// true where nothing is logged: plain loads from memory are then exact.
bool store_log_empty(const StoreLog *log);

// Applies all logs (count of them, log i of SM i) to memory in the order (time, SM, sequence) and
// empties them.
void guest_commit(GuestMemory *memory, StoreLog *const *logs, unsigned count);

#endif
