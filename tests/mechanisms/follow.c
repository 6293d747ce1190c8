// A mechanism outside of Heddle, for scripts/follow*.txt and tests/cli/shadow.sh: takes the first
// word of each line that it sees as the address of another line, and prefetches that one.
#include "heddle/mechanism.h"

#include <string.h>

enum { QUEUE, AGAIN, PARAMETERS };
static const HdParameter parameters[] = {
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 4, .min = 1, .max = 64, .kind = HD_WHOLE},
    [AGAIN] = {.name = "again", .description = "1: prefetches lines that hits are in, too",
               .max = 1, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(filled, "words", "Sum of the words that fills of loads have shown.")                         \
    C(hit, "words", "Sum of the words that hits of loads have shown.")                             \
    C(brought, "words", "Sum of the words that prefetches have shown.")                            \
    C(sectors, "sectors", "Sectors that were shown.")                                              \
    C(nothing, "accesses", "Fills and hits without values.")
HD_COUNTERS(Counted, COUNTED);

static const HdStructure structures[] = {
    {"prefetch queue", HD_EACH_CACHE, QUEUE, HD_PREFETCH_QUEUE, HD_TAGGED_PREFETCH_BITS(1),
     sizeof(HdTaggedPrefetch)},
    {0},
};

// Adds the first word of a line, if it is shown, and prefetches what it points to.
static void look_at(HdPlace *place, const uint8_t *values, uint8_t sectors, uint64_t *sum)
{
    Counted *counted = place->counters;
    counted->nothing += !sectors;
    for (unsigned s = 0; s < 4; s++) counted->sectors += sectors >> s & 1;
    if (!(sectors & 1)) return;
    uint32_t word;
    memcpy(&word, values, sizeof word);
    *sum += word;
    if (word) hd_prefetch_tagged(place, word, 0, 0);
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (access->kind != HD_LOAD || access->outcome != HD_HIT) return;
    look_at(place, access->values, access->value_sectors, &counted->hit);
    if (place->parameters[AGAIN] > 0) hd_prefetch_tagged(place, access->line, 0, 0);
}

static void on_fill(HdPlace *place, const HdAccess *fill)
{
    Counted *counted = place->counters;
    if (fill->kind == HD_LOAD) look_at(place, fill->values, fill->value_sectors, &counted->filled);
}

static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    Counted *counted = place->counters;
    look_at(place, prefetched->values, prefetched->value_sectors, &counted->brought);
}

#define HOOKS {.on_access = on_access, .on_fill = on_fill, .on_prefetch = on_prefetch}
HD_MECHANISM(follow) = {
    .name = "follow",
    .description = "Prefetches what the first word of a line points to.",
    .paper = "none",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = HOOKS,
    .l2 = HOOKS,
    .prefetch = {.when_full = HD_DROP_OLDEST, .no_room = HD_DROP_SECTOR, .tag_bits = 1},
    .reads_values = true,
};
