// Reuse of memory regions, for r-ex and bypass-copyback (lakshminarayana2014, section 4.4.3): the
// Region Tracking Table of each SM, and the fields of an L2 tag that detect private and shared
// reuse. A region is an allocation.
#ifndef HEDDLE_MECHANISMS_REGIONS_H
#define HEDDLE_MECHANISMS_REGIONS_H

#include "heddle/mechanism.h"

// An entry of the Region Tracking Table (Fig. 22). first, last: the region's bounds in units of
// 256 bytes, with which the hardware compares addresses. Heddle knows the allocation of an access,
// and keeps its number in `first`.
#define REGION(F)                                                                                  \
    F(valid, 1) F(trained, 1) F(shared_reuse, 1) F(private_reuse, 1)                               \
    F(accesses, 8) F(shared_hits, 8) F(private_hits, 8) F(first, 32) F(last, 32)
HD_BIT_FIELDS(Region, REGION);

// period: number of the current update period, from the first cycle on. untracked: accesses to
// regions without an entry.
#define REGION_CLOCK(F) F(period, 32) F(untracked, 8)
HD_BIT_FIELDS(RegionClock, REGION_CLOCK);

// The fields added to an L2 tag (Fig. 21). core: the SM whose request or copy-back inserted the
// line. shared, private: another SM, or this one, has hit since.
#define L2_TAG(F) F(core, 8) F(shared, 1) F(private, 1) F(copied_back, 1)
HD_BIT_FIELDS(L2Tag, L2_TAG);

enum { REPLY_SHARED = 1, REPLY_PRIVATE = 2, REGION_REPLY_BITS = 2 };

// The structures that both mechanisms declare, by index. Each has its own tags of the L1's lines.
enum { REGION_TABLE, REGION_CLOCK, REGION_L1_TAGS, REGION_L2_TAGS, REGION_STRUCTURES };

// The tables of one SM, and the parameters of their updates.
typedef struct Regions {
    Region *table;
    RegionClock *clock;
    unsigned count, reuse_divisor; // more hits than accesses / reuse_divisor are reuse
    uint64_t period;               // core cycles
    bool sticky;                   // an update never clears a reuse flag
} Regions;

// What some updates did.
typedef struct RegionUpdates {
    uint64_t periods, trained, replaced;
} RegionUpdates;

// This number of updates without accesses in between halves all 8-bit counters to 0; more updates
// change nothing.
enum { MAX_UPDATES = 8 };

// Increments an 8-bit counter, which saturates. (A bit field has no address.)
#define SATURATING_INCREMENT(field)                                                                \
    do {                                                                                           \
        if ((field) < 255) (field)++;                                                              \
    } while (0)

// ---- at the L1: Listing 4 ----

// The entry of a region; NULL: it has none.
static inline Region *regions_find(const Regions *r, uint16_t allocation)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->table[i].valid && r->table[i].first == allocation) return &r->table[i];
    return NULL;
}

// Frees the entry with the fewest accesses if untracked regions had more: the next untracked region
// that is accessed gets it.
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

// UPDATE of Listing 4. The counter of untracked regions is halved too.
static inline void regions_update(const Regions *r, RegionUpdates *updates)
{
    updates->replaced += regions_replace(r);
    r->clock->untracked /= 2;
    for (unsigned i = 0; i < r->count; i++) {
        Region *e = &r->table[i];
        if (!e->valid || !e->accesses) continue;
        e->accesses /= 2;
        e->shared_hits /= 2;
        e->private_hits /= 2;
        bool shared = e->shared_hits > e->accesses / r->reuse_divisor;
        bool private = e->private_hits > e->accesses / r->reuse_divisor;
        e->shared_reuse = shared || (r->sticky && e->shared_reuse);
        e->private_reuse = private || (r->sticky && e->private_reuse);
        updates->trained += !e->trained;
        e->trained = 1;
    }
}

// Does the updates of all periods that ended before this cycle. Flags are read only on an access,
// so finished periods can be closed lazily.
static inline RegionUpdates regions_advance(const Regions *r, uint64_t cycle)
{
    RegionUpdates updates = {0};
    uint32_t now = (uint32_t)(cycle / r->period);
    updates.periods = now - r->clock->period;
    r->clock->period = now;
    for (unsigned i = 0; i < updates.periods && i < MAX_UPDATES; i++)
        regions_update(r, &updates);
    return updates;
}

// Counts a fill of the L1D. A region without an entry gets a free one. NULL: there is none.
static inline Region *regions_fill(const Regions *r, uint16_t allocation, uint32_t reply)
{
    Region *e = regions_find(r, allocation);
    for (unsigned i = 0; !e && i < r->count; i++)
        if (!r->table[i].valid) {
            e = &r->table[i];
            *e = (Region){.valid = 1, .first = allocation};
        }
    if (!e) {
        SATURATING_INCREMENT(r->clock->untracked);
        return NULL;
    }
    SATURATING_INCREMENT(e->accesses);
    if (reply & REPLY_SHARED) SATURATING_INCREMENT(e->shared_hits);
    if (reply & REPLY_PRIVATE) SATURATING_INCREMENT(e->private_hits);
    return e;
}

static inline void regions_clear(const Regions *r)
{
    for (unsigned i = 0; i < r->count; i++) r->table[i] = (Region){0};
    r->clock->untracked = 0;
}

// ---- at the L2: Listing 3, as hooks of both mechanisms ----

static inline void regions_on_fill_l2(HdPlace *place, const HdAccess *access)
{
    L2Tag *tags = place->structures[REGION_L2_TAGS];
    if (access->line_index == HD_NO_INDEX) return;
    tags[access->line_index] =
        (L2Tag){.core = (uint8_t)access->sm, .copied_back = access->kind == HD_COPY_BACK};
}

// Counts an access as reuse if it is a hit of a load or atomic of an SM.
static inline void regions_on_access_l2(HdPlace *place, const HdAccess *access)
{
    L2Tag *tags = place->structures[REGION_L2_TAGS];
    if (access->outcome != HD_HIT || access->kind == HD_STORE || access->cache != HD_L1D ||
        access->line_index == HD_NO_INDEX)
        return;
    L2Tag *tag = &tags[access->line_index];
    if (tag->core == (uint8_t)access->sm) tag->private = 1;
    else tag->shared = 1;
}

static inline uint32_t regions_reply_tag(HdPlace *place, const HdAccess *load)
{
    const L2Tag *tags = place->structures[REGION_L2_TAGS];
    if (load->line_index == HD_NO_INDEX) return 0;
    return (tags[load->line_index].shared ? REPLY_SHARED : 0) |
           (tags[load->line_index].private ? REPLY_PRIVATE : 0);
}

// For decide_after_hit: removes the line if the SM that copied it back is the one that hits now.
// Counts that in *removed.
static inline HdAfterHit regions_decide_after_hit(HdPlace *place, const HdAccess *hit,
                                                  uint64_t *removed)
{
    const L2Tag *tag = (const L2Tag *)place->structures[REGION_L2_TAGS] + hit->line_index;
    bool owner = tag->copied_back && tag->core == (uint8_t)hit->sm;
    *removed += owner;
    return owner ? HD_REMOVE : HD_PASS;
}

#endif
