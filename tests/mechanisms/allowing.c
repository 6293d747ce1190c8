// A mechanism outside of Heddle that sees everything and allows everything, for tests/cli: a run
// with it takes the time of a run without mechanisms.
//
// It leaves out the hooks whose presence is hardware: decide_fetch (lines are kept by sectors),
// decide_clean_eviction (packets carry versions), decide_queue (accesses wait in queues), and
// sideband bits (packets grow).
#include "heddle/mechanism.h"

enum { AGAIN, PERIOD, PARAMETERS };
static const HdParameter parameters[] = {
    [AGAIN] = {.name = "again", .unit = "cycles",
               .description = "after which warps are decided about again; 0: after changes only",
               .value = 0, .min = 0, .max = 1000000, .kind = HD_WHOLE},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "length of a period",
                .value = 100, .min = 1, .max = 1000000, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(asked, "questions", "Which warps may issue.")                                                \
    C(orders, "questions", "In which order warps issue.")                                          \
    C(turns, "questions", "Which warp a scheduler issues.")                                        \
    C(limits, "questions", "How many blocks an SM may hold.")                                      \
    C(memory, "instructions", "Memory instructions that were seen.")                               \
    C(instructions, "warp instructions", "Instructions that were seen.")                           \
    C(accesses, "accesses", "At a cache: accesses that were seen.")
HD_COUNTERS(Counted, COUNTED);

// ---- events of a cache ----

static void on_access(HdPlace *place, const HdAccess *access)
{
    (void)access;
    ((Counted *)place->counters)->accesses++;
}

static void on_line(HdPlace *place, const HdAccess *access)
{
    (void)place;
    (void)access;
}

static void on_replace(HdPlace *place, const HdWays *ways, uint32_t way)
{
    (void)place;
    (void)ways;
    (void)way;
}

static void on_eviction(HdPlace *place, const HdEviction *line)
{
    (void)place;
    (void)line;
}

static void on_kernel(HdPlace *place, const HdKernel *kernel)
{
    (void)place;
    (void)kernel;
}

// The sets of warps and the limit of blocks are decided anew in each period.
static void on_period(HdPlace *place, const HdPeriods *ended)
{
    (void)ended;
    hd_reconsider(place);
}

// ---- answers of a cache: those of the baseline ----

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    (void)place;
    (void)miss;
    (void)room;
    return HD_INSERT;
}

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    (void)place;
    (void)ways;
    return HD_PASS;
}

static HdStalled decide_stall(HdPlace *place, const HdAccess *load, HdStallReason reason)
{
    (void)place;
    (void)load;
    (void)reason;
    return HD_RETRY;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    (void)place;
    (void)hit;
    return HD_KEEP;
}

// ---- the pipeline ----

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *instruction)
{
    (void)instruction;
    ((Counted *)place->counters)->memory++;
}

static void on_memory_done(HdPlace *place, const HdMemoryDone *done)
{
    (void)place;
    (void)done;
}

static void on_block(HdPlace *place, const HdBlock *block)
{
    (void)place;
    (void)block;
}

static void on_warp(HdPlace *place, const HdWarp *warp)
{
    hd_wake(place, warp->cycle + 10);
}

static void on_wake(HdPlace *place, uint64_t cycle)
{
    (void)cycle;
    hd_reconsider(place);
}

static void on_issue(HdPlace *place, const HdIssued *issued)
{
    (void)issued;
    ((Counted *)place->counters)->instructions++;
}

static HdSpare decide_move(HdPlace *place, uint16_t warp_slot, const HdInstruction *load)
{
    (void)place;
    (void)warp_slot;
    (void)load;
    return HD_PASS;
}

static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    ((Counted *)place->counters)->limits++;
    return fit;
}

// Names the warps of the question, and no others.
static bool decide_issuable(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    ((Counted *)place->counters)->asked++;
    for (unsigned i = 0; i < warps->count; i++) {
        hd_warps_add(&issuable->loads, warps->warps[i].slot);
        hd_warps_add(&issuable->anything, warps->warps[i].slot);
    }
    uint64_t again = (uint64_t)place->parameters[AGAIN];
    if (again) issuable->ask_at = warps->cycle + again;
    return true;
}

// Passes, and so leaves the order to core.policy.
static bool decide_order(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    ((Counted *)place->counters)->orders++;
    uint64_t again = (uint64_t)place->parameters[AGAIN];
    if (again) order->ask_at = warps->cycle + again;
    return false;
}

static HdChoice decide_warp(HdPlace *place, const HdTurn *turn)
{
    (void)turn;
    ((Counted *)place->counters)->turns++;
    return HD_PASS;
}

// ---- the GPU ----

static void on_quantum(HdPlace *place, const HdQuantum *quantum)
{
    (void)quantum;
    hd_reconsider(place);
}

#define HOOKS                                                                                      \
    .on_access = on_access, .on_fill = on_line, .on_insert = on_line, .on_replace = on_replace,    \
    .on_evict = on_eviction, .on_invalidate = on_eviction, .on_kernel_end_line = on_eviction,      \
    .on_kernel_begin = on_kernel, .on_kernel_end = on_kernel, .on_period = on_period,              \
    .decide_insert = decide_insert, .decide_victim = decide_victim

HD_MECHANISM(allowing) = {
    .name = "allowing",
    .description = "Sees everything and allows everything.",
    .paper = "none",
    .parameters = parameters,
    .counters = Counted_list,
    .l1 = {HOOKS, .decide_stall = decide_stall},
    .l2 = {HOOKS, .decide_after_hit = decide_after_hit},
    .core = {.on_memory_issue = on_memory_issue, .on_memory_done = on_memory_done,
             .on_block_start = on_block, .on_block_end = on_block, .on_warp_start = on_warp,
             .on_warp_end = on_warp, .on_wake = on_wake, .on_issue = on_issue,
             .on_quantum = on_quantum, .decide_move = decide_move,
             .decide_block_limit = decide_block_limit, .decide_issuable = decide_issuable,
             .decide_order = decide_order, .decide_warp = decide_warp},
    .gpu = {.on_kernel_begin = on_kernel, .on_kernel_end = on_kernel, .on_quantum = on_quantum},
    .reads_work = true,
    .reads_values = true,
};
