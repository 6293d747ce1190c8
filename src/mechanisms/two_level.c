// Two-level warp scheduling: round robin among few active warps of each scheduler. Pending warps
// replace those that wait for memory.
//
// Gebhart and others, ISCA 2011. The same as core.policy=two-level, as a mechanism.
#include "heddle/mechanism.h"

#include <string.h>

enum { ACTIVE, PARAMETERS };
static const HdParameter parameters[] = {
    [ACTIVE] = {.name = "active", .unit = "warps", .description = "active warps of a scheduler",
                .value = 8, .min = 1, .max = 256, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(entered, "warps", "Warps that became active.")                                               \
    C(left, "warps", "Active warps that became pending, or have exited.")
HD_COUNTERS(Counted, COUNTED);

#define ENTRY(F) F(used, 1) F(slot, 9)
HD_BIT_FIELDS(Entry, ENTRY);
#define COUNT(F) F(active, 9)
HD_BIT_FIELDS(Count, COUNT);

enum { ENTRIES, COUNTS };
static const HdStructure structures[] = {
    [ENTRIES] = {"active warps", HD_EACH_L1, 0, HD_COMPUTED, Entry_bits, sizeof(Entry)},
    [COUNTS] = {"numbers of active warps", HD_EACH_L1, 0, HD_PER_SCHEDULER, Count_bits,
                sizeof(Count)},
    {0},
};

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    (void)structure;
    return place->schedulers * (uint32_t)place->parameters[ACTIVE];
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    memset(place->structures[ENTRIES], 0, count_entries(place, ENTRIES) * sizeof(Entry));
    memset(place->structures[COUNTS], 0, place->schedulers * sizeof(Count));
}

// The active warps of a scheduler.
typedef struct Set {
    Entry *entry;
    unsigned size;
    Count *count;
} Set;

static Set set_of(const HdPlace *place, unsigned scheduler)
{
    unsigned size = (unsigned)place->parameters[ACTIVE];
    return (Set){(Entry *)place->structures[ENTRIES] + scheduler * size, size,
                 (Count *)place->structures[COUNTS] + scheduler};
}

static bool is_active(const Set *set, unsigned slot)
{
    for (unsigned i = 0; i < set->size; i++)
        if (set->entry[i].used && set->entry[i].slot == slot) return true;
    return false;
}

// A warp stays active while it is ready, or waits for something short.
static void let_leave(HdPlace *place, const HdTurn *turn, Set *set)
{
    for (unsigned i = 0; i < set->size; i++) {
        uint8_t wait = turn->waits[set->entry[i].slot];
        bool stays = wait == HD_READY || wait == HD_WAITS_RESULT || wait == HD_WAITS_FETCH;
        if (!set->entry[i].used || stays) continue;
        set->entry[i].used = false;
        set->count->active--;
        ((Counted *)place->counters)->left++;
    }
}

static void enter(HdPlace *place, Set *set, uint16_t slot)
{
    unsigned free = 0;
    while (set->entry[free].used) free++;
    set->entry[free] = (Entry){.used = true, .slot = slot};
    set->count->active++;
    ((Counted *)place->counters)->entered++;
}

static HdChoice decide_warp(HdPlace *place, const HdTurn *turn)
{
    Set set = set_of(place, turn->scheduler);
    let_leave(place, turn, &set);
    for (unsigned i = 0; i < turn->count && set.count->active < set.size; i++) {
        uint16_t slot = turn->warps[i].slot; // the oldest first
        if (hd_warps_have(turn->candidates, slot) && !is_active(&set, slot))
            enter(place, &set, slot);
    }
    unsigned nearest = HD_MAX_WARPS; // behind the warp that issued last
    for (unsigned i = 0; i < set.size; i++) {
        unsigned slot = set.entry[i].slot;
        unsigned behind = (slot + HD_MAX_WARPS - 1 - turn->last) % HD_MAX_WARPS;
        if (set.entry[i].used && hd_warps_have(turn->candidates, slot) && behind < nearest)
            nearest = behind;
    }
    return nearest < HD_MAX_WARPS ? HD_WARP((turn->last + 1u + nearest) % HD_MAX_WARPS)
                                  : HD_ISSUE_NONE;
}

HD_MECHANISM(two_level) = {
    .name = "two-level",
    .description = "Issues few active warps of each scheduler in turn.",
    .paper = "Gebhart and others, ISCA 2011, two-level warp scheduler",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .count_entries = count_entries,
    .l1 = {.on_kernel_begin = on_kernel_begin},
    .core = {.decide_warp = decide_warp},
    .levels = HD_L1,
};
