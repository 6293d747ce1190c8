// The irregular-access reorder unit: reads the index array of a kernel ahead of it, and gives warps
// groups of indices that touch the same block.
//
// segura2022iru, sections 3 and 4. An engine stands beside each L2 slice; the engines are a ring.
// This file declares the mechanism and orders the steps of an engine in a cycle. Its parts:
// configuration (calls of the host), prefetcher (lines of indices), foreign (secondaries in other
// slices), classifier (FIFOs by bank and neighbour), ring, table, requests (that wait), replier
// (groups), seek (requests that go to a full entry), travel (late requests that go on), end,
// functional. docs/mechanisms/iru.md says what the paper leaves open.
//
// Nothing blocks forever:
// - Reads end: their data go into a line buffer that waits for them.
// - On the ring, one buffer of each direction has a free place, or a head that waits for the table
//   alone (ring.h). Elements take the shorter way, so they arrive.
// - An element waits for a full entry until a request takes from it. While a request waits
//   anywhere, it times out. Then it takes the elements of its slice if they suffice; else it
//   travels and takes those of each slice, from full entries first. If no request waits, the
//   engines sleep until the next request, or the kernel ends and fails because elements are left.
// - Guests of slices move on or are filled (travel.h). Elements use none of their buffers.
// - Requests that seek a full entry wait as the oldest ones of their slices do, and become late as
//   they do (seek.h).
// - Secondaries of other slices have two channels, forward, with the rule of the ring. A word
//   always finds its line buffer. A request for words waits at the owner for reads and words alone.
// - The token and the notes have buffers that are emptied as they arrive. The token waits at a
//   slice only for parts that have been shown to move (end.h).
// - Reply queues drain into the network without the engine.
#include "iru.h"

#include "classifier.h"
#include "configuration.h"
#include "end.h"
#include "functional.h"
#include "prefetcher.h"
#include "replier.h"
#include "requests.h"
#include "ring.h"
#include "seek.h"
#include "travel.h"

static const char *const ties[] = {"forward", "alternate", NULL};
static const char *const blocks[] = {"128", "32", NULL};
static const char *const starts[] = {"arrival", "turn", NULL};
static const char *const balances[] = {"late", "ready", NULL};
static const char *const heads[] = {"wait", "aside", NULL};
static const char *const tables[] = {"shared", "private", NULL};
static const char *const ways_to_memory[] = {"through", "past", NULL};
#define NUMBER(key, of, text, standard, from, to)                                                  \
    {.name = key, .unit = of, .description = text, .value = standard, .min = from, .max = to,      \
     .kind = HD_WHOLE}
static const HdParameter parameters[] = {
    [IRU_ENTRY] = NUMBER("entry", "elements", "that an entry of the table holds", 32, 1, IRU_LANES),
    [IRU_SETS] = NUMBER("sets", "sets", "of the table of each slice", 256, 1, IRU_MAX_SETS),
    [IRU_BANKS] = NUMBER("banks", "banks", "of the table, by the lowest bit of the set", 2, 1, 2),
    [IRU_TIMEOUT] = NUMBER("timeout", "cycles", "of the L2 after which a request takes the best "
                           "entries", 500, 1, 1e6),
    [IRU_SINCE] = {.name = "since", .description = "from when the timeout counts: the request's "
                                                   "arrival, or when it becomes its slice's oldest",
                   .value = IRU_SINCE_TURN, .kind = HD_CHOICE, .choices = starts},
    [IRU_BALANCING] = {.name = "balance", .description = "requests that go to another slice: late "
                                                         "ones, or also those for which another "
                                                         "slice has a full entry ready",
                       .value = IRU_BALANCE_READY, .kind = HD_CHOICE, .choices = balances},
    [IRU_PREFETCHES] = NUMBER("prefetches", "lines", "of indices, with their secondaries, on the "
                              "fly", 8, 1, IRU_MAX_LINES),
    [IRU_LINE_BUFFERS] = NUMBER("lines", "lines", "that a slice can hold, on the fly or not "
                                "classified yet; 0: as many as prefetches", 0, 0, IRU_MAX_LINES),
    [IRU_READS_OUT] = NUMBER("reads", "reads", "of lines on the fly", 16, 1, 256),
    [IRU_REQUESTS] = NUMBER("requests", "requests", "that a slice can hold", 256, 1, 4095),
    [IRU_WINDOW] = NUMBER("window", "lines", "whose elements the classifier sees, the oldest ones",
                          1, 1, IRU_MAX_LINES),
    [IRU_CLASSIFIER] = NUMBER("classifier", "elements", "in each of the classifier's FIFOs", 32, 1,
                              4095),
    [IRU_RING] = NUMBER("ring", "elements", "in the ring buffer of each direction", 144, 1, 4096),
    [IRU_RING_HEAD] = {.name = "head", .description = "of a ring buffer that the table does not "
                                                      "take yet: it waits there, or moves aside "
                                                      "to the FIFO of its bank",
                       .kind = HD_CHOICE, .choices = heads},
    [IRU_CHANNEL] = NUMBER("channel", "entries", "in each buffer of the other channels between "
                           "neighbours", 2, 1, 256),
    [IRU_TIES] = {.name = "ties",
                  .description = "where elements go if both ways round the ring are equally long: "
                                 "forward, or from odd slices backward", .kind = HD_CHOICE,
                  .choices = ties},
    [IRU_BLOCK] = {.name = "block", .description = "bytes of a block: a line or a sector",
                   .value = IRU_BLOCK_128, .kind = HD_CHOICE, .choices = blocks},
    [IRU_TABLE] = {.name = "table",
                   .description = "one logical table of all slices, or one of each slice",
                   .kind = HD_CHOICE, .choices = tables},
    [IRU_L2] = {.name = "l2", .description = "reads of the arrays allocate lines of the L2 or not",
                .kind = HD_CHOICE, .choices = ways_to_memory},
    [IRU_PARAMETERS] = {0},
};

static const HdRatio ratios[] = {
    {"filtered", "merged", "read", "Elements that were merged into others."},
    {"enabled_lanes", "enabled", "asked", "Lanes that got an element."},
    {"blocks_per_reply", "blocks",
     "replies_by_entry + replies_by_timeout + replies_by_end - all_disabled",
     "Blocks that the elements of a reply touch, of replies with elements."},
    {0},
};

#define EACH(name, entries, Type)                                                                  \
    {name, HD_EACH_L2, entries, HD_FIXED, Type##_bits, sizeof(Type)}
#define SIZED(name, parameter, Type)                                                               \
    {name, HD_EACH_L2, parameter, HD_BY_PARAMETER, Type##_bits, sizeof(Type)}
#define FROM(name, side, parameter, Type)                                                          \
    {name, HD_EACH_L2, parameter, HD_FROM_##side, Type##_bits, sizeof(Type)}
#define COUNTED(name, Type)                                                                        \
    {name, HD_EACH_L2, 0, HD_COMPUTED, Type##_bits, sizeof(Type)}
static const HdStructure structures[] = {
    // Table 1.
    [IRU_REQUEST_BUFFER] = SIZED("requests", IRU_REQUESTS, IruRequest),
    [IRU_LINES] = COUNTED("prefetch buffer", IruLine),
    [IRU_OWN_0] = SIZED("classifier: bank 0", IRU_CLASSIFIER, IruElement),
    [IRU_OWN_1] = SIZED("classifier: bank 1", IRU_CLASSIFIER, IruElement),
    [IRU_TO_NEXT] = SIZED("classifier: forward", IRU_CLASSIFIER, IruElement),
    [IRU_TO_PREVIOUS] = SIZED("classifier: backward", IRU_CLASSIFIER, IruElement),
    [IRU_FORWARD] = FROM("ring: forward", PREVIOUS, IRU_RING, IruElement),
    [IRU_BACKWARD] = FROM("ring: backward", NEXT, IRU_RING, IruElement),
    [IRU_SET_TABLE] = COUNTED("table", IruElement),
    // What it leaves out.
    [IRU_ARRIVALS] = SIZED("arrivals of requests", IRU_REQUESTS, IruArrival),
    [IRU_TURNS] = EACH("turn of the oldest request", 1, IruTurn),
    [IRU_FILLS] = SIZED("fill of the sets", IRU_SETS, IruFill),
    [IRU_TABLES] = EACH("best entry", 1, IruTable),
    [IRU_QUEUES] = EACH("ends of queues", IRU_QUEUE_COUNT, IruQueue),
    [IRU_LINE_STATES] = COUNTED("prefetched lines", IruLineState),
    [IRU_PREFETCHERS] = EACH("prefetcher", 1, IruPrefetcher),
    [IRU_READS] = {"reads", HD_EACH_L2, IRU_READS_OUT, HD_READS, HD_READ_BITS(IRU_TAG_BITS),
                   sizeof(HdReadEntry)},
    [IRU_GROUP_BUFFERS] = EACH("requests with elements", IRU_GROUPS, IruGroup),
    [IRU_HEADS] = FROM("requests that come", PREVIOUS, IRU_CHANNEL, IruHead),
    [IRU_GROUP_ELEMENTS] = FROM("their elements", PREVIOUS, IRU_CHANNEL, IruElement),
    [IRU_ASKS] = FROM("asks for secondaries", PREVIOUS, IRU_CHANNEL, IruAsk),
    [IRU_SECONDARIES] = FROM("secondaries that come", PREVIOUS, IRU_CHANNEL, IruSecondary),
    [IRU_ASKED] = EACH("the ask that is served", 1, IruAsk),
    [IRU_SERVERS] = EACH("how far it is", 1, IruServer),
    [IRU_SERVED] = EACH("its secondaries", IRU_LANES, IruWord),
    [IRU_TOKENS] = FROM("token that comes", PREVIOUS, IRU_CHANNEL, IruToken),
    [IRU_TOKEN_HERE] = EACH("token", 1, IruToken),
    [IRU_NOTES] = FROM("notes of the next slice", NEXT, IRU_CHANNEL, IruNote),
    [IRU_SEEKERS] = FROM("requests that seek", PREVIOUS, IRU_CHANNEL, IruPending),
    [IRU_ANNOUNCEMENTS] = FROM("announcements that come", NEXT, IRU_CHANNEL, IruReadiness),
    [IRU_READY_STATES] = EACH("announcements", 1, IruReadyState),
    [IRU_CONFIGURATIONS] = EACH("configuration", 1, IruConfiguration),
    [IRU_LAUNCHES] = EACH("launch", 1, IruLaunch),
    [IRU_WAITING] = EACH("heads that wait", 1, IruWaits),
    [IRU_BALANCES] = {"balance", HD_EACH_L2, 1, HD_TO_GPU, IruBalance_bits, sizeof(IruBalance)},
    {0},
};

// The entries of the hash table (IRU_SET_TABLE): the sets times the elements of an entry. Else the
// line buffers.
static uint32_t count_entries(const HdPlace *place, unsigned structure)
{
    return structure == IRU_SET_TABLE
               ? iru_parameter(place, IRU_SETS) * iru_parameter(place, IRU_ENTRY)
               : iru_line_buffers(place);
}

// A request's packet names its lanes and the instruction.
enum { REQUEST_BITS = 32 + 2 };
static const HdEngineInstruction instructions[] = {
    {"load_iru", "pr", REQUEST_BITS, "Whether there is an element, and its index."},
    {"load_iru.secondary", "prr", REQUEST_BITS, "The same, with its secondary."},
    {"load_iru.position", "prr", REQUEST_BITS, "The same, with its position in the array."},
    {"load_iru.secondary.position", "prrr", REQUEST_BITS, "The same, with both."},
    {0},
};

// Data first goes into the table, so that they can answer a request in the cycle in which they
// come. Elements that the classifier moves are there in the next cycle.
static uint64_t on_cycle(HdPlace *place, uint64_t cycle)
{
    const IruLaunch *launch = iru_launch(place);
    IruCycle c = {.cycle = cycle, .due = UINT64_MAX};
    if (!launch->active || launch->functional) return UINT64_MAX;
    iru_travel_receive(place, &c);
    iru_seek_receive(place, &c);
    iru_ring_cycle(place, &c);
    iru_replier_cycle(place, &c);
    iru_seek_send(place, &c);
    iru_travel_send(place, &c);
    iru_classifier_cycle(place, &c);
    iru_prefetcher_cycle(place, &c);
    iru_token_cycle(place, &c);
    return c.moved ? cycle + 1 : c.due;
}

HD_MECHANISM(iru) = {
    .name = "iru",
    .description = "Gives warps the indices of an array in groups that touch the same block.",
    .paper = "segura2022iru, sections 3 and 4",
    .parameters = parameters,
    .counters = IruCounted_list,
    .ratios = ratios,
    .structures = structures,
    .count_entries = count_entries,
    .l2 = {.on_call = iru_on_call, .on_release = iru_on_release,
           .on_kernel_begin = iru_on_kernel_begin, .on_kernel_end = iru_on_kernel_end},
    .gpu = {.on_kernel_end = iru_check_all},
    .engine = {.take_request = iru_take_request, .on_data = iru_on_data, .on_cycle = on_cycle,
               .execute = iru_execute},
    .instructions = instructions,
    .levels = HD_L2,
};
