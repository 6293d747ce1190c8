// What r-ex and bypass-copyback know of memory regions (lakshminarayana2014, section 4.4.3): the
// table of each SM that tracks how the L2's lines of an allocation are used again, and the fields
// of the L2's lines that tell it.
#ifndef HEDDLE_MECHANISMS_REGIONS_H
#define HEDDLE_MECHANISMS_REGIONS_H

#include "heddle/mechanism.h"

// A region and what is known of it (Fig. 22). first, last: its bounds, which the hardware compares
// with an address, in units of 256 bytes; Heddle is told an address's allocation, and keeps that in
// `first`.
#define REGION(F)                                                                                  \
    F(valid, 1) F(trained, 1) F(shared_reuse, 1) F(private_reuse, 1)                               \
    F(accesses, 8) F(shared, 8) F(private, 8) F(first, 32) F(last, 32)
HD_BIT_FIELDS(Region, REGION);

// period: the number of the one at hand, from the first cycle on.
#define REGION_CLOCK(F) F(period, 32) F(untracked, 8)
HD_BIT_FIELDS(RegionClock, REGION_CLOCK);

// A line of the L2 (Fig. 21): which SM's request or copy-back brought it, whether others, or that
// one, have used it since, and whether it came back.
#define OWNED(F) F(core, 8) F(shared, 1) F(private, 1) F(copied, 1)
HD_BIT_FIELDS(Owned, OWNED);

enum { REPLY_SHARED = 1, REPLY_PRIVATE = 2, REGION_REPLY_BITS = 2 };

// The tables of one SM, and the parameters that they go by.
typedef struct Regions {
    Region *table;
    RegionClock *clock;
    unsigned count, part; // a count above accesses / part is reuse
    uint64_t period;
    bool sticky;          // reuse that was seen once stays
} Regions;

// What the ends of periods did.
typedef struct RegionEvents {
    uint64_t periods, trained, replaced;
} RegionEvents;

// The counters have 8 bits, and stay where they are full.
#define REGION_COUNT(field)                                                                        \
    do {                                                                                           \
        if ((field) < 255) (field)++;                                                              \
    } while (0)

static inline Region *regions_find(const Regions *r, uint16_t array)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->table[i].valid && r->table[i].first == array) return &r->table[i];
    return NULL;
}

// The entry of a region that is accessed now: a free one where it has none. NULL: it is not
// tracked.
static inline Region *regions_take(const Regions *r, uint16_t array)
{
    Region *found = regions_find(r, array);
    for (unsigned i = 0; !found && i < r->count; i++)
        if (!r->table[i].valid) {
            found = &r->table[i];
            *found = (Region){.valid = 1, .first = array};
        }
    return found;
}

// Where regions without an entry had more accesses than the one that had fewest, that one gives its
// entry to the next of them.
static inline bool regions_replace(const Regions *r)
{
    Region *fewest = r->table;
    for (unsigned i = 0; i < r->count; i++) {
        if (!r->table[i].valid) return false;
        if (r->table[i].accesses < fewest->accesses) fewest = &r->table[i];
    }
    if (r->clock->untracked <= fewest->accesses) return false;
    *fewest = (Region){0};
    return true;
}

// Listing 4, with the counters of untracked regions halved too.
static inline void regions_end_period(const Regions *r, RegionEvents *events)
{
    events->replaced += regions_replace(r);
    r->clock->untracked /= 2;
    for (unsigned i = 0; i < r->count; i++) {
        Region *e = &r->table[i];
        if (!e->valid || !e->accesses) continue;
        e->accesses /= 2;
        e->shared /= 2;
        e->private /= 2;
        bool shared = e->shared > e->accesses / r->part, own = e->private > e->accesses / r->part;
        e->shared_reuse = shared || (r->sticky && e->shared_reuse);
        e->private_reuse = own || (r->sticky && e->private_reuse);
        events->trained += !e->trained;
        e->trained = 1;
    }
}

// The ends of all periods before this cycle: flags are read by accesses only, so it is the same as
// if each had come in its time. Behind the eighth in a row all counters are 0.
static inline RegionEvents regions_advance(const Regions *r, uint64_t cycle)
{
    RegionEvents events = {0};
    uint32_t now = (uint32_t)(cycle / r->period), left = now - r->clock->period;
    r->clock->period = now;
    events.periods = left;
    for (; left && events.periods - left < 9; left--) regions_end_period(r, &events);
    return events;
}

// An L1D is filled: Listing 4. NULL: the region is not tracked.
static inline Region *regions_fill(const Regions *r, uint16_t array, uint32_t reply)
{
    Region *e = regions_take(r, array);
    if (!e) {
        REGION_COUNT(r->clock->untracked);
        return NULL;
    }
    REGION_COUNT(e->accesses);
    if (reply & REPLY_SHARED) REGION_COUNT(e->shared);
    if (reply & REPLY_PRIVATE) REGION_COUNT(e->private);
    return e;
}

static inline void regions_forget(const Regions *r)
{
    for (unsigned i = 0; i < r->count; i++) r->table[i] = (Region){0};
    r->clock->untracked = 0;
}

// ---- at the L2: Listing 3 ----

static inline void owned_filled(Owned *lines, const HdAccess *access)
{
    if (access->line_index == HD_NO_INDEX) return;
    lines[access->line_index] =
        (Owned){.core = (uint8_t)access->sm, .copied = access->kind == HD_COPY_BACK};
}

// A load or atomic of an SM has found its line.
static inline bool owned_hit(const HdAccess *access)
{
    return access->outcome == HD_HIT && access->kind != HD_STORE && access->cache == HD_L1D &&
           access->line_index != HD_NO_INDEX;
}

static inline void owned_used(Owned *lines, const HdAccess *access)
{
    if (lines[access->line_index].core == (uint8_t)access->sm) lines[access->line_index].private = 1;
    else lines[access->line_index].shared = 1;
}

static inline uint32_t owned_reply(const Owned *lines, uint32_t slot)
{
    if (slot == HD_NO_INDEX) return 0;
    return (lines[slot].shared ? REPLY_SHARED : 0) | (lines[slot].private ? REPLY_PRIVATE : 0);
}

// Whether the SM that gave the line back takes it now.
static inline bool owned_returns(const Owned *lines, const HdAccess *access)
{
    return lines[access->line_index].copied && lines[access->line_index].core == (uint8_t)access->sm;
}

#endif
