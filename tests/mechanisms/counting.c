// A mechanism outside of Heddle: it counts what it is told of.
#include "heddle/mechanism.h"

#define COUNTED(C)                                                                                 \
    C(hits, "accesses", "Hits.")                                                                   \
    C(fills, "sectors", "Sectors whose data came.")                                                \
    C(echoes, "sectors", "... with the note that the L2 has made of that of the request.")         \
    C(evictions, "lines", "Evictions.")                                                            \
    C(kernels, "kernels", "Kernels that ended.")
HD_COUNTERS(Counted, COUNTED);

static const HdParameter parameters[] = {
    {.name = "weight", .does = "what a hit counts", .standard = 1, .most = 100, .whole = true},
    {0},
};

static void served(HdSite *site, const HdAccess *access)
{
    Counted *counted = site->counters;
    if (access->outcome == HD_HIT) counted->hits += (uint64_t)site->parameters[0];
}

// A request says its instruction modulo 16, the reply one more than that.
static uint32_t asks(HdSite *site, const HdAccess *miss)
{
    (void)site;
    return miss->pc % 16;
}

static uint32_t answers(HdSite *site, const HdAccess *load)
{
    (void)site;
    return load->note + 1;
}

static void filled(HdSite *site, const HdAccess *access)
{
    Counted *counted = site->counters;
    counted->fills++;
    counted->echoes += access->note == access->pc % 16 + 1;
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

HD_MECHANISM(counting) = {
    .name = "counting",
    .does = "Counts what it sees.",
    .paper = "none",
    .parameters = parameters,
    .counters = Counted_list,
    .request_bits = 4,
    .reply_bits = 5,
    .l2 = {.answers = answers},
    .l1 = {.asks = asks, .served = served, .filled = filled, .evicted = evicted,
           .kernel_ends = kernel_ends},
    .levels = -1,
};
