// An access that a first-level cache could not accept. It is tried again when something has changed
// that may let it pass; the cycles in between are counted by the reason.
#ifndef HEDDLE_CORE_L1_STALLED_ACCESS_H
#define HEDDLE_CORE_L1_STALLED_ACCESS_H

#include "memory/cache/cache.h"

typedef struct StalledAccess {
    bool blocked;   // nothing has changed since
    bool uncounted; // its cycles are counted when it is tried again
    CacheStall reason;
    uint64_t since;
} StalledAccess;

static inline void stall_access(StalledAccess *stall, CacheStall reason, uint64_t now)
{
    *stall = (StalledAccess){.blocked = true, .uncounted = true, .reason = reason, .since = now};
}

// The access is tried again. Returns the cycles for which it has stalled (0: it has not).
static inline uint64_t stall_end(StalledAccess *stall, uint64_t now)
{
    if (!stall->uncounted) return 0;
    stall->uncounted = false;
    return now - stall->since;
}

#endif
