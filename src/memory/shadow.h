// Shadow data: what the debug build heddle-shadow (HD_SHADOW_DATA; docs/decisions/0009) checks.
//
// Values are computed at issue and live in the guest's memory; caches hold tags. The shadow build
// keeps beside each tag the bytes that the modelled hardware would hold there, moves them with
// lines, packets, victims and fills, and checks what each load is given.
//
// The model calls these functions and copies these members in both builds. In a normal build each
// type here is empty (no byte in any struct) and each function does nothing.
#ifndef HEDDLE_MEMORY_SHADOW_H
#define HEDDLE_MEMORY_SHADOW_H

#include "memory/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct AddressMap;
struct Cache;
struct CacheAccess;
struct CacheLine;
struct CacheResult;
struct CacheVictim;
struct DramRequest;
struct Fill;
struct GuestMemory;
struct MemRequest;
struct SliceRequest;
struct Slice;

typedef struct ShadowMemory ShadowMemory; // the histories of all locations; NULL in a normal build

#ifdef HD_SHADOW_DATA

enum { SHADOW_BUILD = 1 };
#include "memory/shadow_data.h"

// A function of the shadow build without result; with one.
#define SHADOW_DO(...) void __VA_ARGS__;
#define SHADOW_GET(Type, ...) Type __VA_ARGS__;

#else

enum { SHADOW_BUILD = 0 };
typedef struct ShadowData {} ShadowData;     // bytes of one line, in a cache or on their way
typedef struct ShadowSource {} ShadowSource; // where the bytes of a store to a cache are
typedef struct ShadowTimes {} ShadowTimes;   // when the sectors of a request were looked up
typedef struct ShadowSlice {} ShadowSlice;   // of one slice

#define SHADOW_DO(...) static inline void __VA_ARGS__ {}
#define SHADOW_GET(Type, ...) static inline Type __VA_ARGS__ { return (Type){}; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif

// ---- life ----

// Makes the histories; *memory is NULL before. shadow_free frees them. Out of memory, both end the
// program.
SHADOW_DO(shadow_new(ShadowMemory **memory, const struct AddressMap *map, unsigned slices,
                     const struct GuestMemory *guest))
SHADOW_DO(shadow_free(ShadowMemory *memory))
// The slice's cache has been made.
SHADOW_DO(shadow_slice_init(struct Slice *slice))
// A launch has ended: checks what could not be checked while stores were on their way.
SHADOW_DO(shadow_end_launch(ShadowMemory *memory))
// Appends a line for each SM and slice that was given wrong data.
SHADOW_DO(shadow_verdict(const ShadowMemory *memory, char *text, size_t size))

// ---- lines of a cache ----

// Only the bytes of the mask.
SHADOW_GET(ShadowData, shadow_select(const ShadowData *from, const uint64_t mask[2]))
// A store has written its bytes into the line.
SHADOW_DO(shadow_store(struct Cache *cache, struct CacheLine *line,
                       const struct CacheAccess *access))
// These sectors of the line are invalidated.
SHADOW_DO(shadow_invalidate(struct Cache *cache, struct CacheLine *line, uint8_t sectors))

// ---- the slice, in the order of a lookup and a fill ----

// The lookup of the head at `offset` is next: prepares the bytes of a store.
SHADOW_DO(shadow_stage_store(struct Slice *slice, uint64_t offset, struct CacheAccess *access))
// Its outcome reaches the shadow data as a watcher of the slice's cache.
// The bytes of the store that was looked up last, for its packet to the DRAM.
SHADOW_GET(ShadowData, shadow_staged(const struct Slice *slice))
// The slice has read these sectors of the request's line for mechanisms (MemRequest.values).
SHADOW_DO(shadow_slice_values(struct Slice *slice, struct SliceRequest *entry, uint8_t sectors))
// The atomics of the request on the lookup at `offset` are done.
SHADOW_DO(shadow_slice_atomics(struct Slice *slice, const struct MemRequest *request,
                               uint64_t offset))
// A fill has come; a request that waited gets its data.
SHADOW_DO(shadow_slice_fill(struct Slice *slice, struct Fill *fill, uint64_t cycle))
SHADOW_DO(shadow_slice_wake(struct Slice *slice, struct SliceRequest *entry))
// An L2 that is off owes the DRAM what atomics have written: the newest entry of slice->owed.
SHADOW_DO(shadow_owe_write(struct Slice *slice, const struct CacheVictim *victim))
// A line that an L1D copied back has come into the cache.
SHADOW_DO(shadow_slice_copy_back(struct Slice *slice, const struct MemRequest *request,
                                 uint64_t cycle))
// A channel has done a write; a read.
SHADOW_DO(shadow_dram_write(struct Slice *slice, const struct DramRequest *done))
SHADOW_GET(ShadowData, shadow_dram_read(struct Slice *slice, const struct DramRequest *done))

#ifndef HD_SHADOW_DATA
#pragma GCC diagnostic pop
#endif

#endif
