// Static block (CTA) throttling: an SM holds fewer blocks than it has room for.
//
// khairy2015, section 6, compares static warp throttling with it.
#include "heddle/mechanism.h"

enum { BLOCKS, PARAMETERS };

static const HdParameter parameters[] = {
    [BLOCKS] = {.name = "blocks", .unit = "blocks", .description = "that an SM holds at a time",
                .value = 4, .min = 1, .max = 1024, .integer = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(kernels, "kernels", "Launches of which an SM could have held more blocks, over all SMs.")    \
    C(throttled, "blocks", "How many more, over all these.")
HD_COUNTERS(Counted, COUNTED);

static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    Counted *counted = place->counters;
    uint32_t most = (uint32_t)place->parameters[BLOCKS];
    if (most >= fit) return 0;
    counted->kernels++;
    counted->throttled += fit - most;
    return most;
}

const HdMechanism mechanism_cta_limit = {
    .name = "cta-limit",
    .description = "Lets an SM hold a fixed number of blocks at most.",
    .paper = "khairy2015, section 6",
    .parameters = parameters,
    .counters = Counted_list,
    .core = {.decide_block_limit = decide_block_limit},
};
