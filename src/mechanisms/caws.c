// Criticality-aware warp scheduling: the warp that is likely to finish last goes first.
//
// After Lee and Wu, CAWS, PACT 2014, and Lee, Arunkumar and Wu, CAWA, ISCA 2015, of which we know
// the abstracts (docs/mechanisms/caws.md).
#include "heddle/mechanism.h"

enum { INTERVAL, PARAMETERS };
static const HdParameter parameters[] = {
    [INTERVAL] = {.name = "interval", .unit = "cycles", .description = "from one order to the next",
                  .value = 256, .min = 1, .max = 1000000, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(orders, "orders", "Orders of warps.")                                                        \
    C(divergent, "branches", "Divergent branches.")
HD_COUNTERS(Counted, COUNTED);

// extra: instructions that divergent branches add.
#define WARP(F) F(extra, 32)
HD_BIT_FIELDS(Warp, WARP);

enum { WARPS };
static const HdStructure structures[] = {
    [WARPS] = {"extra instructions", HD_EACH_L1, 0, HD_PER_WARP, Warp_bits, sizeof(Warp)},
    {0},
};

// Where the lanes of a warp part, it executes both sides.
static void on_issue(HdPlace *place, const HdIssued *issued)
{
    const HdInstruction *branch = issued->instruction;
    bool parts = issued->lanes && issued->lanes != issued->active;
    if (branch->opcode != HD_OP_BRANCH || !parts) return;
    Warp *warp = (Warp *)place->structures[WARPS] + issued->warp_slot;
    warp->extra += branch->target > branch->pc ? branch->target - branch->pc
                                               : branch->pc - branch->target;
    ((Counted *)place->counters)->divergent++;
}

// The cycles that it needs for its extra instructions, and those in which it issued nothing.
static uint64_t criticality(const HdPlace *place, unsigned slot)
{
    const Warp *warp = (const Warp *)place->structures[WARPS] + slot;
    HdWork work = hd_work_of_warp(place, slot);
    uint64_t issued = work.issued ? work.issued : 1;
    return warp->extra * (issued + work.stalled) / issued + work.stalled;
}

static bool decide_order(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    for (unsigned i = 0; i < warps->count; i++) {
        uint16_t slot = warps->warps[i].slot;
        uint64_t critical = criticality(place, slot);
        order->rank[slot] = critical < UINT32_MAX ? UINT32_MAX - (uint32_t)critical : 0;
    }
    order->greedy = true;
    order->ask_at = warps->cycle + (uint64_t)place->parameters[INTERVAL];
    ((Counted *)place->counters)->orders++;
    return true;
}

HD_MECHANISM(caws) = {
    .name = "caws",
    .description = "Issues the warp first that is likely to finish last.",
    .paper = "Lee and Wu, CAWS, PACT 2014, and Lee and others, CAWA, ISCA 2015",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .core = {.on_issue = on_issue, .decide_order = decide_order},
    .reads_work = true,
};
