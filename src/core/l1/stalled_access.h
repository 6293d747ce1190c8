// An access that stalls at a first-level cache. It is retried when a change may let it proceed; the
// cycles in between are counted by reason.
#ifndef HEDDLE_CORE_L1_STALLED_ACCESS_H
#define HEDDLE_CORE_L1_STALLED_ACCESS_H

#include "memory/cache/cache.h"

typedef struct StalledAccess {
    bool blocked;   // nothing has changed since the last try
    bool uncounted; // its cycles are counted at the next try
    CacheStall reason;
    uint64_t since;
} StalledAccess;

static inline void stall_access(StalledAccess *stall, CacheStall reason, uint64_t now)
{
    *stall = (StalledAccess){.blocked = true, .uncounted = true, .reason = reason, .since = now};
}

// Called when the access is retried. Returns the cycles for which it has stalled (0: none).
static inline uint64_t stall_end(StalledAccess *stall, uint64_t now)
{
    if (!stall->uncounted) return 0;
    stall->uncounted = false;
    return now - stall->since;
}

#endif
