// Transits that wait for their time, in the order of (time, sender): a calendar. It has 64 buckets;
// each has the transits of a few ticks, in order. A transit that is later than all buckets waits in
// a list of its own.
#ifndef HEDDLE_MEMORY_NETWORK_ARRIVALS_H
#define HEDDLE_MEMORY_NETWORK_ARRIVALS_H

#include "memory/packets.h"

enum { ARRIVAL_BUCKETS = 64 };

typedef struct Arrivals {
    uint64_t occupied; // one bit for each bucket with transits
    uint64_t first;    // number of the first bucket (time >> shift) that may have transits; no
                       // transit belongs before it
    uint32_t count;
    uint8_t shift;
    Transit *buckets[ARRIVAL_BUCKETS]; // bucket k lies at k mod 64
    Transit *far;                      // of bucket first + 64 and later ones
} Arrivals;

// `span`: ticks between the first and the last of most transits.
static inline void arrivals_init(Arrivals *arrivals, Tick span)
{
    *arrivals = (Arrivals){0};
    while (span >> arrivals->shift >= ARRIVAL_BUCKETS / 2) arrivals->shift++;
}

// Inserts into a list, behind those of the same time and sender.
static inline void arrivals_insert(Transit **list, Transit *transit)
{
    while (*list && ((*list)->time < transit->time ||
                     ((*list)->time == transit->time && (*list)->from <= transit->from)))
        list = &(*list)->next;
    transit->next = *list;
    *list = transit;
}

static inline void arrivals_add(Arrivals *arrivals, Transit *transit)
{
    uint64_t bucket = transit->time >> arrivals->shift;
    if (!arrivals->count++ || bucket < arrivals->first) {
        // No other transit, or one that comes before all others: these stay in order.
        if (arrivals->count == 1) arrivals->first = bucket;
        bucket = arrivals->first;
    }
    if (bucket - arrivals->first >= ARRIVAL_BUCKETS) {
        arrivals_insert(&arrivals->far, transit);
        return;
    }
    unsigned at = (unsigned)(bucket % ARRIVAL_BUCKETS);
    arrivals->occupied |= UINT64_C(1) << at;
    arrivals_insert(&arrivals->buckets[at], transit);
}

// Bucket `bucket` is the first one now: far transits may have a bucket.
static inline void arrivals_advance(Arrivals *arrivals, uint64_t bucket)
{
    arrivals->first = bucket;
    Transit *far;
    while ((far = arrivals->far) &&
           (far->time >> arrivals->shift) - bucket < ARRIVAL_BUCKETS) {
        arrivals->far = far->next;
        unsigned at = (unsigned)((far->time >> arrivals->shift) % ARRIVAL_BUCKETS);
        arrivals->occupied |= UINT64_C(1) << at;
        arrivals_insert(&arrivals->buckets[at], far);
    }
}

// The first transit; NULL: there is none.
static inline Transit *arrivals_first(Arrivals *arrivals)
{
    if (!arrivals->count) return NULL;
    if (!arrivals->occupied) arrivals_advance(arrivals, arrivals->far->time >> arrivals->shift);
    unsigned at = (unsigned)(arrivals->first % ARRIVAL_BUCKETS);
    uint64_t turned = arrivals->occupied >> at | arrivals->occupied << (ARRIVAL_BUCKETS - at) % 64;
    unsigned later = (unsigned)__builtin_ctzll(turned);
    if (later) arrivals_advance(arrivals, arrivals->first + later);
    return arrivals->buckets[(at + later) % ARRIVAL_BUCKETS];
}

// Takes `transit` out, which arrivals_first has returned, and none has been added since.
static inline void arrivals_remove(Arrivals *arrivals, const Transit *transit)
{
    unsigned at = (unsigned)(arrivals->first % ARRIVAL_BUCKETS);
    arrivals->buckets[at] = transit->next;
    if (!transit->next) arrivals->occupied &= ~(UINT64_C(1) << at);
    arrivals->count--;
}

#endif
