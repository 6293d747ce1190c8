// How many of a line's four parts of 32 bytes were touched while it was in a cache
// (lakshminarayana2014, Fig. 39). It sees, and decides nothing.
//
// Each line that came counts once: when it leaves, or, of those that never did, at the end of the
// last kernel. Which kernel is the last one is not known at its end, so that lines that stay are
// counted at the end of each, and taken back when the next begins.
#include "heddle/mechanism.h"

enum { COUNTS = 5 };

#define COUNTED(C)                                                                                 \
    C(used_0, "lines", "Lines of which no part of 32 bytes was touched.")                          \
    C(used_1, "lines", "... of which one was.")                                                    \
    C(used_2, "lines", "... two.")                                                                 \
    C(used_3, "lines", "... three.")                                                               \
    C(used_4, "lines", "... all four.")
HD_COUNTERS(Counted, COUNTED);

#define RESIDENT(F) F(lines, 32)
HD_BIT_FIELDS(Staying, RESIDENT);

// By the parts touched: of the lines that stayed at the end of the last kernel; at an L1, a slice.
static unsigned parts(const HdEviction *line)
{
    return (unsigned)__builtin_popcount(line->used_sectors & 0xf);
}

// Tags alone are no line that came.
static void leaves(HdPlace *place, const HdEviction *line)
{
    if (!line->tags_only) ((uint64_t *)place->counters)[parts(line)]++;
}

static void on_kernel_end_line(HdPlace *place, const HdEviction *line)
{
    if (line->tags_only) return;
    ((uint64_t *)place->counters)[parts(line)]++;
    ((Staying *)place->structures[0])[parts(line)].lines++;
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    Staying *counted = place->structures[0];
    for (unsigned i = 0; i < COUNTS; i++) {
        ((uint64_t *)place->counters)[i] -= counted[i].lines;
        counted[i].lines = 0;
    }
}

#define HOOKS {.on_evict = leaves, .on_invalidate = leaves, .on_kernel_end_line = on_kernel_end_line, .on_kernel_begin = on_kernel_begin}
const HdMechanism mechanism_sector_use = {
    .name = "sector-use",
    .description = "Counts lines by how many of their parts of 32 bytes were touched; changes nothing.",
    .paper = "lakshminarayana2014, Fig. 39",
    .counters = Counted_list,
    .structures = (const HdStructure[]){
        {"resident", HD_EACH_CACHE, COUNTS, HD_FIXED, Staying_bits, sizeof(Staying)}, {0}},
    .instrument = true,
    .l1 = HOOKS,
    .l2 = HOOKS,
};
