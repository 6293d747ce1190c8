// Shared by the files of the L1D: l1d.c (look-ups, fills), l1d_prefetch.c, l1d_mechanisms.c. No
// other file includes it.
#ifndef HEDDLE_CORE_L1_L1D_PARTS_H
#define HEDDLE_CORE_L1_L1D_PARTS_H

#include "core/l1/l1_request.h"
#include "core/l1/l1d.h"
#include "core/shadow_sm.h"

// Whether the cache is sectored, with sectors of 32 bytes.
static inline bool l1d_is_sectored(const L1d *l1d)
{
    return l1d->hooks && l1d->hooks->wants & HOOK_SECTORED;
}
static inline uint64_t l1d_sector_bytes(const L1d *l1d)
{
    return l1d_is_sectored(l1d) ? SECTOR_BYTES : l1d->config.sector;
}

// The sectors that a fetch for `address` requests. fetch: sectors of the line, if the cache is
// sectored.
static inline uint8_t l1d_fetched_sectors(const L1d *l1d, uint64_t address, uint8_t fetch)
{
    if (fetch) return fetch;
    if (l1d->config.sector > SECTOR_BYTES) return 0xf;
    return (uint8_t)(1u << address % MAX_LINE_BYTES / SECTOR_BYTES);
}

// Sends a victim to the next level, if it is dirty or a mechanism copies it back.
void l1d_send_some_victim(L1d *l1d, const CacheVictim *victim);
static inline void l1d_send_victim(L1d *l1d, const CacheVictim *victim)
{
    if (victim->dirty_sectors || victim->copy_back) l1d_send_some_victim(l1d, victim);
}

// ---- l1d_prefetch.c ----

// An access wants data on their way that only a prefetch wanted so far: the sectors `promoted` of
// its line, as in CacheResult.
void l1d_promote(L1d *l1d, SmContext *context, uint64_t address, uint8_t promoted);
// An access or a prefetch has found all MSHR entries or the whole miss queue in use, at cycle
// `last` for the last time: stops prefetches.
static inline void l1d_stop_prefetches(L1d *l1d, const SmContext *context, uint64_t last)
{
    uint64_t until = last + context->config.path->prefetch_stop;
    if (until > l1d->stopped_until) l1d->stopped_until = until;
}
// The same, now: drops prefetches that wait in the miss queue, if the machine does so. Returns
// their number.
unsigned l1d_flush_prefetches(L1d *l1d, const SmContext *context);

// ---- l1d_mechanisms.c ----

// Describes an access to the mechanisms, before it is looked up.
void l1d_describe_access(L1d *l1d, const SmContext *context, const MemoryOp *op, unsigned access);
// Adds the mechanisms' decisions about an access that misses to its request.
void l1d_add_decisions(L1d *l1d, MemRequest *request);
// Has the slice read the bytes of a fetch, if mechanisms want them.
void l1d_fetch_values(L1d *l1d, SmContext *context, MemRequest *request);
// A functional fetch has brought data of this version.
void l1d_warm_fill(L1d *l1d, const SmContext *context, const MemRequest *request, uint32_t version);

#endif
