// Keeps which lanes the spare registers of a warp have, and counts what becomes of them.
#include "registers.h"

// Of a target's spare registers, the one for the turn that is `ahead` turns behind this one.
static unsigned index_of(const Registers *r, unsigned ahead)
{
    return (r->warp->of.turn + ahead) % r->distance;
}

unsigned registers_spare(const Registers *r, unsigned target, unsigned ahead)
{
    return r->allocated->registers[target][index_of(r, ahead)];
}

static bool is_fresh(const Registers *r, unsigned target)
{
    return r->warp->of.fresh >> target & 1;
}

uint32_t registers_now(const Registers *r, unsigned target)
{
    return is_fresh(r, target) ? 0 : r->warp->filled[target][index_of(r, 0)];
}

uint32_t registers_ahead(const Registers *r, unsigned target)
{
    return is_fresh(r, target) ? r->warp->filled[target][index_of(r, 0)] : 0;
}

// Settles the fate of lanes of one register. Those that it has not got were dropped.
static void settle(const Registers *r, unsigned target, unsigned index, uint32_t lanes,
                   LaneFate fate)
{
    uint32_t *filled = &r->warp->filled[target][index];
    lanes &= *filled;
    if (!lanes) return;
    uint32_t has = lanes;
    if (r->keeps[target])
        has &= hd_spare_lanes(r->place, r->slot, r->allocated->registers[target][index]);
    *filled &= ~lanes;
    r->fates[fate] += (unsigned)__builtin_popcount(has);
    r->fates[LANES_DROPPED] += (unsigned)__builtin_popcount(lanes & ~has);
}

void registers_fill(const Registers *r, unsigned target, uint32_t lanes)
{
    unsigned index = index_of(r, 0);
    settle(r, target, index, UINT32_MAX, LANES_UNUSED);
    r->warp->of.fresh |= 1u << target;
    r->warp->filled[target][index] = lanes;
}

void registers_use(const Registers *r, unsigned target, uint32_t lanes, LaneFate fate)
{
    if (!is_fresh(r, target)) settle(r, target, index_of(r, 0), lanes, fate);
}

void registers_next_turn(const Registers *r)
{
    for (unsigned i = 0; i < MAX_TARGETS; i++)
        if (!is_fresh(r, i)) settle(r, i, index_of(r, 0), UINT32_MAX, LANES_UNUSED);
}

void registers_leave(const Registers *r)
{
    for (unsigned i = 0; i < MAX_TARGETS; i++)
        for (unsigned k = 0; k < MAX_DISTANCE; k++) settle(r, i, k, UINT32_MAX, LANES_UNUSED);
}
