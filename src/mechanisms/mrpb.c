// Memory request prioritization buffer: accesses wait in queues by warp in front of the L1D, which
// takes them queue by queue, so that fewer warps use the cache at a time. A load for which no line
// can make room bypasses the cache.
//
// khairy2015, section 5 and Table 4, compares with it. The rest is from Jia et al., HPCA 2014:
// docs/mechanisms/mrpb.md names the source of each rule.
#include "heddle/mechanism.h"

enum { SIGNATURE, DRAIN, REQUESTS, CAPACITY, BYPASS, PARAMETERS };
enum { BY_WARP, BY_BLOCK };
enum { DRAIN_FIXED, DRAIN_GREEDY, DRAIN_LONGEST };
enum { OF_EACH, OF_ALL };
enum { BYPASS_NONE, BYPASS_LINE, BYPASS_ALL };

static const char *const signatures[] = {"warp", "block", NULL};
static const char *const drains[] = {"fixed", "greedy", "longest", NULL};
static const char *const capacities[] = {"each", "all", NULL};
static const char *const bypasses[] = {"none", "line", "all", NULL};
static const HdParameter parameters[] = {
    [SIGNATURE] = {.name = "signature",
                   .description = "what has a queue: a warp slot, or a block slot",
                   .value = BY_WARP, .kind = HD_CHOICE, .choices = signatures},
    [DRAIN] = {.name = "drain", .description = "the next queue: in each cycle the first that holds "
                                               "an access, the same one until it is empty, or the "
                                               "longest",
               .value = DRAIN_FIXED, .kind = HD_CHOICE, .choices = drains},
    [REQUESTS] = {.name = "requests", .unit = "accesses", .description = "that the buffer holds",
                  .value = 32, .min = 1, .max = 64, .kind = HD_WHOLE},
    [CAPACITY] = {.name = "capacity", .description = "what holds `requests`: each queue, or all "
                                                     "together",
                  .value = OF_EACH, .kind = HD_CHOICE, .choices = capacities},
    [BYPASS] = {.name = "bypass",
                .description = "loads that bypass the L1D where they would stall: none, those "
                               "without a line, or those without an MSHR entry too",
                .value = BYPASS_LINE, .kind = HD_CHOICE, .choices = bypasses},
    [PARAMETERS] = {0},
};

#define BY_REASON(C)                                                                               \
    C(bypassed_line, "loads", "Loads that bypassed the L1D because no line could make room.")      \
    C(bypassed_mshr, "loads", "The same because no MSHR entry was free.")                          \
    C(bypassed_merge, "loads", "The same because their MSHR entry took no more requests.")
#define COUNTED(C)                                                                                 \
    C(held, "accesses", "Accesses that joined a queue.")                                           \
    C(full, "times", "With capacity=each, an access found its queue full: when it came, and after "\
                     "each access that left a queue.")                                             \
    C##_ARRAY(bypassed, 3, BY_REASON)
HD_COUNTERS(Counted, COUNTED);

enum { HELD, QUEUES };
static const HdStructure structures[] = {
    [HELD] = {"held accesses", HD_EACH_L1, 0, HD_HELD, HdHeld_bits, sizeof(HdHeld)},
    [QUEUES] = {"queues", HD_EACH_L1, 0, HD_HOLD_QUEUES, HdHoldQueue_bits, sizeof(HdHoldQueue)},
    {0},
};

static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    uint32_t requests = (uint32_t)place->parameters[REQUESTS];
    bool by_warp = place->parameters[SIGNATURE] == BY_WARP;
    uint32_t queues = by_warp ? place->warp_slots : place->block_slots;
    if (structure == QUEUES) return queues;
    return place->parameters[CAPACITY] == OF_EACH ? queues * requests : requests;
}

static HdQueue decide_queue(HdPlace *place, const HdAccess *access, const HdQueues *queues)
{
    Counted *counted = place->counters;
    bool by_warp = place->parameters[SIGNATURE] == BY_WARP;
    uint32_t number = by_warp ? access->warp_slot : access->block_slot;
    bool full = place->parameters[CAPACITY] == OF_EACH &&
                queues->queues[number].length == place->parameters[REQUESTS];
    counted->full += full;
    counted->held += !full;
    return full ? HD_PASS : HD_QUEUE(number);
}

static HdQueue decide_next(HdPlace *place, const HdQueues *queues)
{
    if (place->parameters[DRAIN] == DRAIN_GREEDY && queues->last != HD_NO_QUEUE &&
        queues->queues[queues->last].length)
        return HD_QUEUE(queues->last);
    if (place->parameters[DRAIN] != DRAIN_LONGEST) return HD_PASS; // the first that holds any
    uint32_t longest = 0;
    for (uint32_t i = 1; i < queues->count; i++)
        if (queues->queues[i].length > queues->queues[longest].length) longest = i;
    return HD_QUEUE(longest);
}

static HdStalled decide_stall(HdPlace *place, const HdAccess *load, HdStallReason reason)
{
    (void)load;
    Counted *counted = place->counters;
    double bypass = place->parameters[BYPASS];
    if (bypass == BYPASS_NONE || (bypass == BYPASS_LINE && reason != HD_STALL_LINE))
        return HD_PASS;
    counted->bypassed[reason]++;
    return HD_BYPASS_L1;
}

HD_MECHANISM(mrpb) = {
    .name = "mrpb",
    .description = "Queues accesses by warp, and bypasses the L1D where no line makes room.",
    .paper = "khairy2015, section 5 (a comparison), after Jia et al., HPCA 2014",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .count_entries = count_entries,
    .l1 = {.decide_stall = decide_stall},
    .core = {.decide_queue = decide_queue, .decide_next = decide_next},
    .levels = HD_L1,
};
