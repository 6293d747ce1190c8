// The guest's memory: allocations in one reserved region of the host, and the logs of stores that
// SMs have issued but that have not been applied to memory yet (docs/architecture.md, "Time in
// quanta").
//
// Values only. Global memory is read-only in the SM phase of a quantum: a store goes into its SM's
// log, and the same SM's loads read through that log. In the memory phase guest_commit applies the
// logs in the order (time, SM, sequence).
#ifndef HEDDLE_EXEC_GUEST_H
#define HEDDLE_EXEC_GUEST_H

#include "base/bits.h"
#include "base/budget.h"

#include <stddef.h>
#include <stdint.h>

// Guest addresses of the windows. Global memory starts at GUEST_GLOBAL_BASE. A generic address in
// another window refers to the shared memory of the thread's block, the thread's local memory, the
// module's constant bank, or the kernel's parameters.
#define GUEST_GLOBAL_BASE UINT64_C(0x100000000)
#define GUEST_GLOBAL_SIZE (UINT64_C(1) << 40) // reserved, not committed
#define GUEST_SHARED_BASE UINT64_C(0x01000000) // generic window of shared memory
#define GUEST_LOCAL_BASE UINT64_C(0x02000000)  // generic window of local memory (16 MiB)
#define GUEST_CONST_BASE UINT64_C(0x03000000)  // generic window of the constant bank (read only)
#define GUEST_PARAM_BASE UINT64_C(0x04000000)  // generic window of the parameters (read only)
#define GUEST_WINDOW_SIZE UINT64_C(0x01000000)

// The unit in which written memory counts: a huge page, which the host may provide whole for the
// first byte that is written. Reading provides none.
#define GUEST_PAGE_LOG2 21
#define GUEST_PAGE_BYTES (UINT64_C(1) << GUEST_PAGE_LOG2)

typedef struct GuestAllocation {
    uint64_t base, bytes;
    char name[48]; // names the allocation in every statistic ("offsets", "edges", ...)
    bool live;
} GuestAllocation;

// An allocation in a memory that uses granules (exec/granules.h).
typedef struct GranuleAllocation {
    uint64_t base, bytes;
    uint16_t number;   // allocation number in statistics; several allocations may share one
    bool live;
    uint32_t granules; // granules that refer to it; 0: the entry is unused
    uint32_t next;     // next unused entry + 1; 0: none
    char name[48];
} GranuleAllocation;
typedef struct GuestGranules GuestGranules;

typedef struct GuestMemory {
    uint8_t *host;    // host address of GUEST_GLOBAL_BASE
    uint64_t reserved, committed; // bytes from the base: address space, and usable memory
    uint64_t used;    // high-water mark, bytes from the base
    // The index is the allocation number in statistics. Without granules: sorted by base, never
    // reused. With granules: in order of first use, and each entry describes the last allocation.
    GuestAllocation *allocations;
    size_t allocation_count, allocation_capacity;
    uint64_t live; // bytes of live allocations
    GuestGranules *granules; // NULL: allocations follow each other (bump allocator)
    bool allow_overrun; // an access outside of allocations but in a granule in use is no fault
    uint8_t *taken;     // by page of the region: 1 if it counts in `budget`
    MemoryBudget budget; // the host's memory for the guest
    uint64_t asked;     // without guest_limit: 1 + the bytes that were in use when the host was
                        // last asked what it has left; 0: not yet
} GuestMemory;

enum { GUEST_NO_ALLOCATION = 0xffff };

bool guest_init(GuestMemory *memory, HdError *err);
void guest_free(GuestMemory *memory);
// Whether the region lies at its guest addresses in the host, so that a pointer is valid for both
// (managed memory). True for the first guest memory of a process, unless something else already
// lies there, for example the shadow memory of a sanitizer.
bool guest_is_identity_mapped(const GuestMemory *memory);

// Limits the host's memory for the guest, by --max-memory; 0: what the host has left. Call it
// before the first allocation.
void guest_limit(GuestMemory *memory, uint64_t bytes);

// From now on, memory is allocated and reused in granules, as on a real device, for programs that
// rely on it. Call it before the first allocation.
bool guest_use_granules(GuestMemory *memory, HdError *err);

// Allocates `bytes` zeroed bytes at a multiple of 256, after all other allocations (a bump
// allocator: addresses depend only on the order and sizes of the calls). Returns the guest address,
// 0 on failure. Fault messages use `name`.
uint64_t guest_allocate(GuestMemory *memory, uint64_t bytes, const char *name, HdError *err);
// As guest_allocate, for a call site: a number that identifies a place in the program. With
// granules, a new allocation reuses the allocation number of a released one of the same call site.
// (0, as in guest_allocate: the call site is the name without the digits after a '#'.)
uint64_t guest_allocate_at(GuestMemory *memory, uint64_t bytes, const char *name,
                           uint64_t call_site, HdError *err);
// Releases an allocation; later accesses to it fault. false if base is not the start of a live
// allocation.
bool guest_release(GuestMemory *memory, uint64_t base);

// The number of the allocation that holds all of [address, address + bytes), or
// GUEST_NO_ALLOCATION. `*hint` (an allocation number, initially GUEST_NO_ALLOCATION) is tried
// first, and updated. guest_search does not try it.
unsigned guest_search(const GuestMemory *memory, uint64_t address, uint64_t bytes, uint16_t *hint);
static inline bool guest_holds(const GuestAllocation *allocation, uint64_t address, uint64_t bytes)
{
    return allocation->live && address >= allocation->base && bytes <= allocation->bytes &&
           address - allocation->base <= allocation->bytes - bytes;
}
static inline unsigned guest_find(const GuestMemory *memory, uint64_t address, uint64_t bytes,
                                  uint16_t *hint)
{
    if (*hint < memory->allocation_count &&
        guest_holds(&memory->allocations[*hint], address, bytes))
        return *hint;
    return guest_search(memory, address, bytes, hint);
}

// Whether these bytes may be accessed although they lie outside of an allocation.
bool guest_allows_overrun(const GuestMemory *memory, uint64_t address, uint64_t bytes);
// The start and size of the allocation that holds the address. false: there is none.
bool guest_range(const GuestMemory *memory, uint64_t address, uint64_t *base, uint64_t *bytes);
// Bytes of device memory in use, whole granules included.
uint64_t guest_bytes_in_use(const GuestMemory *memory);

// Describes the allocation nearest to `address`, for a fault message.
void guest_nearest(const GuestMemory *memory, uint64_t address, char *text, size_t size);

static inline uint8_t *guest_host(const GuestMemory *memory, uint64_t address)
{
    return memory->host + (address - GUEST_GLOBAL_BASE);
}
// The same if all of [address, address + bytes) is usable global memory; else NULL.
static inline uint8_t *guest_host_range(const GuestMemory *memory, uint64_t address, uint64_t bytes)
{
    uint64_t from = address - GUEST_GLOBAL_BASE;
    return from < memory->committed && bytes <= memory->committed - from ? memory->host + from
                                                                         : NULL;
}

// Sets bytes of allocations to zero. Whole pages go back to the host.
void guest_clear(GuestMemory *memory, uint64_t address, uint64_t bytes);

// ---- the host's memory ----
// Whoever writes to global memory calls guest_take first. SMs that run at the same time only ask
// guest_is_taken, and their pages are taken between quanta.

static inline uint64_t guest_page(uint64_t address)
{
    return (address - GUEST_GLOBAL_BASE) >> GUEST_PAGE_LOG2;
}
// Whether the page of an address in an allocation counts already.
static inline bool guest_is_taken(const GuestMemory *memory, uint64_t address)
{
    return memory->taken[guest_page(address)];
}
// Counts the pages of a range within the region, which will be written. false and err: the host has
// less memory left, or --max-memory allows less; no page of the range is counted then.
bool guest_take(GuestMemory *memory, uint64_t address, uint64_t bytes, HdError *err);
// Bytes that may still be counted.
uint64_t guest_left(GuestMemory *memory);
// Returns whole pages of the host to it, which lie within the region: they read as zero, and no
// longer count. false: the host takes none back.
bool guest_give_back(GuestMemory *memory, uint64_t from, uint64_t to);
// Counts memory of the host that the guest uses beside the region, such as the local memory of its
// threads: `bytes` instead of `before`. `who` needs it, for the message.
bool guest_count(GuestMemory *memory, uint64_t before, uint64_t bytes, const char *who,
                 HdError *err);

// ---- store logs ----
typedef struct StoreLog StoreLog; // one per SM

StoreLog *store_log_new(HdError *err);
void store_log_free(StoreLog *log);

// The stores of one warp instruction: for each lane l in mask, in ascending order, `bytes` from
// data + l * stride to addresses[l].
typedef struct WarpStore {
    LaneMask mask;
    const uint64_t *addresses;
    const void *data;
    unsigned bytes; // 1, 2, 4, 8
    unsigned stride;
} WarpStore;

// Appends a warp's stores to the log. `time` must not decrease from call to call. The buffers grow
// as needed. false: out of memory.
bool store_log_add(StoreLog *log, uint64_t time, const WarpStore *store);

// Reads `bytes` (1, 2, 4, 8) at `address` as this SM sees them: memory overlaid by its own log.
uint64_t store_log_read(const StoreLog *log, const GuestMemory *memory, uint64_t address,
                        unsigned bytes);

// Whether the log is empty: loads may then read memory directly.
bool store_log_empty(const StoreLog *log);

// Applies `count` logs (log i belongs to SM i) to memory in the order (time, SM, sequence), and
// empties them.
void guest_commit(GuestMemory *memory, StoreLog *const *logs, unsigned count);

#endif
