// The owner of the cache that a script drives: what an SM or a slice does around its cache, without
// time. Coalesces the lanes of an instruction, looks up its accesses and the queued prefetches,
// keeps fetches until their data arrive, and calls the hooks in the order of the real owners
// (core/l1/l1d.c, memory/slice).
#ifndef HEDDLE_HARNESS_DRIVER_H
#define HEDDLE_HARNESS_DRIVER_H

#include "harness/record.h"
#include "harness/script_memory.h"
#include "hooks/cache_hooks.h"
#include "memory/coalesce.h"
#include "memory/memory_side.h"

// A memory instruction of a warp.
typedef struct DriverInstruction {
    HdKind kind;
    HdCacheKind cache;
    uint32_t pc, lanes, block, stride, bytes;
    uint16_t warp, warp_slot, block_slot, sm;
    bool bypasses_l1, inserted_in_l1;
    uint32_t request_tag;
} DriverInstruction;

// An access of an instruction: a look-up.
typedef struct DriverAccess {
    HdAccess seen;        // as mechanisms see it
    uint64_t address;     // of the first sector
    uint64_t bytes[2];    // of its 128 bytes
    uint32_t request_tag;
    uint8_t request;      // the sectors of the cache that its request accesses, if it is the last
                          // access of the request; else 0
} DriverAccess;

typedef struct DriverWaiter {
    HdAccess seen;
    uint32_t request_tag;
} DriverWaiter;

typedef struct DriverFetch {
    uint64_t address; // of its first sector
    uint8_t sectors;  // those of its line, if several are accessed at once; else 0
    bool direct;      // it has no MSHR entry; its data go to this waiter
    uint32_t token;   // direct: the waiter
} DriverFetch;

typedef struct Driver {
    HookLevel level;
    const CacheConfig *config;
    Cache *cache;
    CacheHooks *hooks;
    Record *record;
    bool fills_at_once, sectored;
    uint64_t sector; // bytes that one look-up accesses; sectored: 32
    uint64_t cycle; // of the next look-up
    CacheCounters counted;
    uint64_t work, work_limit; // what the script has done, in commands; beyond the limit, loops end
    DriverAccess accesses[COALESCE_MAX]; // of the last instruction
    unsigned access_count, next;         // next < access_count: that one stalled
    DriverFetch *fetches;                // whose data have not arrived, the oldest first
    size_t fetch_count, fetch_capacity;
    DriverWaiter *waiters;               // by token
    size_t waiter_count, waiter_capacity;
    uint32_t *tokens;                    // [mshr_merges]
    ScriptMemory memory;
    uint8_t line[MAX_LINE_BYTES];        // the bytes that mechanisms at an L2 read
} Driver;

// `driver` has level, config, cache, hooks and record. false and err: out of memory.
bool driver_init(Driver *driver, HdError *err);
void driver_free(Driver *driver);

// Bytes from an address to the end of its allocation; 0: it lies in none.
uint64_t driver_allocated(const Driver *driver, uint64_t address);

// The instruction issues, and its accesses are looked up; issue_only: they do not follow. lane 0
// has this address, which is a multiple of instruction->bytes, as is the stride.
void driver_instruction(Driver *driver, const DriverInstruction *instruction, uint64_t address,
                        bool issue_only);
// Tries the access that stalled again, and the rest. false: none stalled.
bool driver_retry(Driver *driver);

// The index of the oldest fetch that brings the byte at an address; -1: none does.
int64_t driver_find_fetch(Driver *driver, uint64_t address);
// The data of a fetch arrive.
void driver_fill(Driver *driver, size_t fetch, uint32_t reply_tag);
// Looks up the first queued prefetch, a sector or a line of it. false: there is none, or it waits
// for room.
bool driver_prefetch(Driver *driver);
// A prefetch arrives that an L1 sends into the L2, for the queue of the first mechanism that does
// so. false: none does.
bool driver_receive_prefetch(Driver *driver, uint64_t address, PrefetchTag tag);
// A line arrives that an L1 copies back (L2, with mechanisms that copy back).
void driver_copy_back(Driver *driver, uint64_t line, uint8_t sectors, uint16_t sm);

// Whether the script has done more than it may.
static inline bool driver_overworked(const Driver *driver)
{
    return driver->work > driver->work_limit;
}

// Time passes. An SM sees the end of each period at its cycle, a slice at its next event.
void driver_wait(Driver *driver, uint64_t cycles);

// Whether the byte at an address is in the cache.
bool driver_has(const Driver *driver, uint64_t address);

#endif
