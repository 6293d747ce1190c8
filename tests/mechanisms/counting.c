// A mechanism outside of Heddle that counts events.
#include "heddle/mechanism.h"

#define COUNTED(C)                                                                                 \
    C(hits, "accesses", "Hits.")                                                                   \
    C(fills, "sectors", "Sectors whose data came.")                                                \
    C(echoes, "sectors", "Fills with the reply tag that the L2 makes of the request tag.")         \
    C(evictions, "lines", "Evictions.")                                                            \
    C(kernels, "kernels", "Kernels that ended.")
HD_COUNTERS(Counted, COUNTED);

static const HdParameter parameters[] = {
    {.name = "weight", .description = "what a hit counts", .value = 1, .max = 100,
     .kind = HD_WHOLE},
    {0},
};

static void on_access(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    if (access->outcome == HD_HIT) counted->hits += (uint64_t)place->parameters[0];
}

// The tag of a request is its instruction modulo 16, the tag of the reply is one more.
static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    (void)place;
    return miss->pc % 16;
}

static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    (void)place;
    return load->sideband + 1;
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    Counted *counted = place->counters;
    counted->fills++;
    counted->echoes += access->sideband == access->pc % 16 + 1;
}

static void on_evict(HdPlace *place, const HdEviction *eviction)
{
    (void)eviction;
    ((Counted *)place->counters)->evictions++;
}

static void on_kernel_end(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    ((Counted *)place->counters)->kernels++;
}

HD_MECHANISM(counting) = {
    .name = "counting",
    .description = "Counts what it sees.",
    .paper = "none",
    .parameters = parameters,
    .counters = Counted_list,
    .request_tag_bits = 4,
    .reply_tag_bits = 5,
    .l2 = {.reply_tag = reply_tag},
    .l1 = {.request_tag = request_tag,
           .on_access = on_access,
           .on_fill = on_fill,
           .on_evict = on_evict,
           .on_kernel_end = on_kernel_end},
};
