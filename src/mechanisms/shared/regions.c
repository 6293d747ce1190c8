// Reuse of memory regions, for r-ex and bypass-copyback (lakshminarayana2014, section 4.4.3).
#include "mechanisms/shared/regions.h"

const char *const reuse_flag_rules[] = {"recomputed", "sticky", NULL};
const char *const reuse_launch_rules[] = {"forget", "keep", NULL};
const char *const reuse_overflow_rules[] = {"saturate", "halve", NULL};

// ---- counters of accesses and hits ----

unsigned reuse_full(const HdPlace *place)
{
    return (1u << (unsigned)place->parameters[COUNTER_BITS]) - 1;
}

bool reuse_is(const HdPlace *place, unsigned hits, unsigned accesses, bool before)
{
    if (before && place->parameters[FLAGS] == FLAGS_STICKY) return true;
    return hits > accesses / (unsigned)place->parameters[REUSE_DIVISOR];
}

bool reuse_halves(const HdPlace *place, unsigned accesses)
{
    return place->parameters[OVERFLOW] == OVERFLOW_HALVE && accesses == reuse_full(place);
}

// ---- at the L1: Listing 4 ----

static Region *find(const HdPlace *place, uint16_t allocation)
{
    Region *table = place->structures[REGION_TABLE];
    for (unsigned i = 0; i < (unsigned)place->parameters[REGIONS]; i++)
        if (table[i].valid && table[i].first == allocation) return &table[i];
    return NULL;
}

const Region *regions_find(const HdPlace *place, const HdAccess *access)
{
    return access->allocation == HD_NO_ALLOCATION ? NULL : find(place, access->allocation);
}

static void halve(Region *e)
{
    e->accesses /= 2;
    e->shared_hits /= 2;
    e->private_hits /= 2;
}

// Frees the entry with the fewest accesses if untracked regions had more: the next untracked region
// that is accessed gets it.
static bool replace(HdPlace *place)
{
    Region *table = place->structures[REGION_TABLE], *fewest = table;
    const Untracked *untracked = place->structures[REGION_UNTRACKED];
    for (unsigned i = 0; i < (unsigned)place->parameters[REGIONS]; i++) {
        if (!table[i].valid) return false;
        if (table[i].accesses < fewest->accesses) fewest = &table[i];
    }
    if (untracked->accesses <= fewest->accesses) return false;
    *fewest = (Region){0};
    return true;
}

// UPDATE of Listing 4. The counter of untracked regions is halved too.
static void update(HdPlace *place, RegionUpdates *updates)
{
    Region *table = place->structures[REGION_TABLE];
    updates->replaced += replace(place);
    ((Untracked *)place->structures[REGION_UNTRACKED])->accesses /= 2;
    for (unsigned i = 0; i < (unsigned)place->parameters[REGIONS]; i++) {
        Region *e = &table[i];
        if (!e->valid || !e->accesses) continue;
        halve(e);
        e->shared_reuse = reuse_is(place, e->shared_hits, e->accesses, e->shared_reuse);
        e->private_reuse = reuse_is(place, e->private_hits, e->accesses, e->private_reuse);
        updates->trained += !e->trained;
        e->trained = 1;
    }
}

RegionUpdates regions_end_periods(HdPlace *place, const HdPeriods *ended)
{
    RegionUpdates updates = {0};
    for (unsigned i = 0; i < ended->count && i < MAX_UPDATES; i++) update(place, &updates);
    return updates;
}

const Region *regions_fill(HdPlace *place, const HdAccess *fill)
{
    unsigned full = reuse_full(place);
    Region *table = place->structures[REGION_TABLE], *e = find(place, fill->allocation);
    for (unsigned i = 0; !e && i < (unsigned)place->parameters[REGIONS]; i++)
        if (!table[i].valid) {
            e = &table[i];
            *e = (Region){.valid = 1, .first = fill->allocation};
        }
    if (!e) {
        SATURATING_INCREMENT(((Untracked *)place->structures[REGION_UNTRACKED])->accesses, full);
        return NULL;
    }
    if (reuse_halves(place, e->accesses)) halve(e);
    SATURATING_INCREMENT(e->accesses, full);
    if (fill->sideband & REPLY_SHARED) SATURATING_INCREMENT(e->shared_hits, full);
    if (fill->sideband & REPLY_PRIVATE) SATURATING_INCREMENT(e->private_hits, full);
    return e;
}

void regions_clear(HdPlace *place)
{
    if (place->parameters[LAUNCH] != LAUNCH_FORGET) return;
    Region *table = place->structures[REGION_TABLE];
    for (unsigned i = 0; i < (unsigned)place->parameters[REGIONS]; i++) table[i] = (Region){0};
    ((Untracked *)place->structures[REGION_UNTRACKED])->accesses = 0;
}

// ---- at the L2: Listing 3 ----

void regions_on_fill_l2(HdPlace *place, const HdAccess *access)
{
    L2Tag *tags = place->structures[REGION_L2_TAGS];
    if (access->line_index == HD_NO_INDEX) return;
    tags[access->line_index] =
        (L2Tag){.core = (uint8_t)access->sm, .copied_back = access->kind == HD_COPY_BACK};
}

// Counts an access as reuse if it is a hit of a load or atomic of an SM.
void regions_on_access_l2(HdPlace *place, const HdAccess *access)
{
    L2Tag *tags = place->structures[REGION_L2_TAGS];
    if (access->outcome != HD_HIT || access->kind == HD_STORE || access->cache != HD_L1D ||
        access->line_index == HD_NO_INDEX)
        return;
    L2Tag *tag = &tags[access->line_index];
    if (tag->core == (uint8_t)access->sm) tag->private = 1;
    else tag->shared = 1;
}

uint32_t regions_reply_tag(HdPlace *place, const HdAccess *load)
{
    const L2Tag *tags = place->structures[REGION_L2_TAGS];
    if (load->line_index == HD_NO_INDEX) return 0;
    return (tags[load->line_index].shared ? REPLY_SHARED : 0) |
           (tags[load->line_index].private ? REPLY_PRIVATE : 0);
}

HdAfterHit regions_decide_after_hit(HdPlace *place, const HdAccess *hit, uint64_t *removed)
{
    const L2Tag *tag = (const L2Tag *)place->structures[REGION_L2_TAGS] + hit->line_index;
    bool owner = tag->copied_back && tag->core == (uint8_t)hit->sm;
    *removed += owner;
    return owner ? HD_REMOVE : HD_PASS;
}
