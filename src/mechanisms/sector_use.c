// Counts lines by how many of their four 32-byte sectors were used while they were in a cache
// (lakshminarayana2014, Fig. 39). An instrument.
//
// Each line counts once: when it leaves the cache, or at the end of the last kernel if it is still
// resident. Which kernel is the last one is not known at its end. So resident lines are counted at
// the end of each kernel, and subtracted again when the next kernel begins.
#include "heddle/mechanism.h"

enum { COUNTS = 5 };
#define BY_USED_SECTORS(C)                                                                         \
    C(used_0, "lines", "Lines of which no sector was used.")                                       \
    C(used_1, "lines", "Lines of which one sector was used.")                                      \
    C(used_2, "lines", "Lines of which two sectors were used.")                                    \
    C(used_3, "lines", "Lines of which three sectors were used.")                                  \
    C(used_4, "lines", "Lines of which all four sectors were used.")
#define COUNTED(C) C##_ARRAY(used, COUNTS, BY_USED_SECTORS)
HD_COUNTERS(Counted, COUNTED);

// By the number of used sectors: lines that were resident at the end of the last kernel.
#define RESIDENT(F) F(lines, 32)
HD_BIT_FIELDS(Resident, RESIDENT);

static unsigned used_sectors(const HdEviction *line)
{
    return (unsigned)__builtin_popcount(line->used_sectors & 0xf);
}

// Tags without data are no line.
static void on_evict(HdPlace *place, const HdEviction *line)
{
    Counted *counted = place->counters;
    if (!line->tags_only) counted->used[used_sectors(line)]++;
}

static void on_kernel_end_line(HdPlace *place, const HdEviction *line)
{
    Resident *resident = place->structures[0];
    if (!line->tags_only) resident[used_sectors(line)].lines++;
    on_evict(place, line);
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    Counted *counted = place->counters;
    Resident *resident = place->structures[0];
    for (unsigned i = 0; i < COUNTS; i++) {
        counted->used[i] -= resident[i].lines;
        resident[i].lines = 0;
    }
}

#define HOOKS                                                                                      \
    {.on_evict = on_evict, .on_invalidate = on_evict, .on_kernel_end_line = on_kernel_end_line,    \
     .on_kernel_begin = on_kernel_begin}
HD_MECHANISM(sector_use) = {
    .name = "sector-use",
    .description = "Counts lines by how many of their 32-byte sectors were used; changes nothing.",
    .paper = "lakshminarayana2014, Fig. 39",
    .counters = Counted_list,
    .structures = (const HdStructure[]){
        {"resident lines", HD_EACH_CACHE, COUNTS, HD_FIXED, Resident_bits, sizeof(Resident)}, {0}},
    .instrument = true,
    .l1 = HOOKS,
    .l2 = HOOKS,
};
