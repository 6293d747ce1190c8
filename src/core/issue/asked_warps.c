// Lists the warps of an SM by age.
#include "core/issue/asked_warps.h"

// The slots of the live blocks, the oldest first: a block's warps start one after the other.
static unsigned blocks_by_age(const Blocks *blocks, uint16_t order[WARPSET_MOST])
{
    unsigned count = 0;
    for (unsigned b = 0; b < blocks->block_slots; b++) {
        if (!blocks->blocks[b].live) continue;
        uint64_t age = blocks->warps[blocks->blocks[b].first_warp].age;
        unsigned at = count++;
        for (; at && blocks->warps[blocks->blocks[order[at - 1]].first_warp].age > age; at--)
            order[at] = order[at - 1];
        order[at] = (uint16_t)b;
    }
    return count;
}

unsigned list_warps(const Blocks *blocks, bool blocked, HdWarp list[WARPSET_MOST])
{
    uint16_t order[WARPSET_MOST];
    unsigned live = blocks_by_age(blocks, order), count = 0;
    for (unsigned b = 0; b < live; b++) {
        const Block *block = &blocks->blocks[order[b]];
        for (unsigned i = 0; i < block->warps; i++) {
            const Warp *w = &blocks->warps[block->first_warp + i];
            if (!w->flags.live || (w->flags.at_barrier && !blocked)) continue;
            list[count++] = warp_for_mechanism(w);
        }
    }
    return count;
}
