// Static block (CTA) throttling: an SM holds fewer blocks than would fit.
//
// khairy2015, section 6, compares static warp throttling with it.
#include "heddle/mechanism.h"

enum { BLOCKS, PARAMETERS };

static const HdParameter parameters[] = {
    [BLOCKS] = {.name = "blocks", .unit = "blocks", .description = "most blocks that an SM holds",
                .value = 4, .min = 1, .max = 1024, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(kernels, "kernels", "Launches in which an SM was limited to fewer blocks, over all SMs.")    \
    C(throttled, "blocks", "Blocks that would have fitted beyond the limit, over these launches.")
HD_COUNTERS(Counted, COUNTED);

static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    Counted *counted = place->counters;
    uint32_t limit = (uint32_t)place->parameters[BLOCKS];
    if (limit >= fit) return HD_PASS;
    counted->kernels++;
    counted->throttled += fit - limit;
    return limit;
}

HD_MECHANISM(cta_limit) = {
    .name = "cta-limit",
    .description = "Limits the blocks that an SM holds at a time to a fixed number.",
    .paper = "khairy2015, section 6",
    .parameters = parameters,
    .counters = Counted_list,
    .core = {.decide_block_limit = decide_block_limit},
};
