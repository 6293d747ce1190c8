// Static block (CTA) throttling: an SM holds fewer blocks than it has room for.
//
// khairy2015, section 6, compares static warp throttling with it.
#include "heddle/mechanism.h"

enum { BLOCKS, PARAMETERS };

static const HdParameter parameters[] = {
    [BLOCKS] = {.name = "blocks", .unit = "blocks", .does = "that an SM holds at a time",
                .standard = 4, .least = 1, .most = 1024, .whole = true},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(kernels, "kernels", "Launches of which an SM could have held more blocks, over all SMs.")    \
    C(left_out, "blocks", "How many more, over all these.")
HD_COUNTERS(Counted, COUNTED);

static uint32_t blocks(HdSite *site, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    Counted *counted = site->counters;
    uint32_t most = (uint32_t)site->parameters[BLOCKS];
    if (most >= fit) return 0;
    counted->kernels++;
    counted->left_out += fit - most;
    return most;
}

const HdMechanism mechanism_cta_limit = {
    .name = "cta-limit",
    .does = "Lets an SM hold a fixed number of blocks at most.",
    .paper = "khairy2015, section 6",
    .parameters = parameters,
    .counters = Counted_list,
    .core = {.blocks = blocks},
    .levels = -1,
};
