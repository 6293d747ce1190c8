// A mechanism outside of Heddle: it counts what it is told of.
#include "heddle/mechanism.h"

#define COUNTED(C)                                                                                 \
    C(hits, "accesses", "Hits.")                                                                   \
    C(fills, "sectors", "Sectors whose data came.")                                                \
    C(evictions, "lines", "Evictions.")                                                            \
    C(kernels, "kernels", "Kernels that ended.")
HD_COUNTERS(Counted, COUNTED);

static void served(HdSite *site, const HdAccess *access)
{
    Counted *counted = site->counters;
    counted->hits += access->outcome == HD_HIT;
}

static void filled(HdSite *site, const HdAccess *access)
{
    (void)access;
    ((Counted *)site->counters)->fills++;
}

static void evicted(HdSite *site, const HdEviction *eviction)
{
    (void)eviction;
    ((Counted *)site->counters)->evictions++;
}

static void kernel_ends(HdSite *site, const HdKernel *kernel)
{
    (void)kernel;
    ((Counted *)site->counters)->kernels++;
}

HD_MECHANISM hd_mechanism = {
    .name = "counting",
    .does = "Counts what it sees.",
    .paper = "none",
    .counters = Counted_list,
    .l1 = {.served = served, .filled = filled, .evicted = evicted, .kernel_ends = kernel_ends},
    .levels = -1,
};
