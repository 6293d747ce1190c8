// What the components of the irregular-access reorder unit share: parameters, counters, structures.
//
// segura2022iru, section 3. docs/mechanisms/iru.md says what the paper leaves open. A slice's
// structures are reached by iru_...(place) below; each component changes its own alone.
#ifndef HEDDLE_MECHANISMS_IRU_IRU_H
#define HEDDLE_MECHANISMS_IRU_IRU_H

#include "heddle/mechanism.h"

enum { IRU_LANES = 32, IRU_LINE = 128, IRU_WORD = 4, IRU_MAX_SETS = 1 << 16, IRU_MAX_LINES = 64 };
#define IRU_INDEX_END (UINT32_C(1) << 24)

enum { IRU_ENTRY, IRU_SETS, IRU_BANKS, IRU_TIMEOUT, IRU_SINCE, IRU_BALANCING, IRU_PREFETCHES,
       IRU_LINE_BUFFERS, IRU_READS_OUT, IRU_REQUESTS, IRU_WINDOW, IRU_CLASSIFIER, IRU_RING,
       IRU_RING_HEAD, IRU_CHANNEL, IRU_TIES, IRU_BLOCK, IRU_TABLE, IRU_L2, IRU_PARAMETERS };
enum { IRU_SINCE_ARRIVAL, IRU_SINCE_TURN };
enum { IRU_BALANCE_LATE, IRU_BALANCE_READY };
enum { IRU_HEAD_WAIT, IRU_HEAD_ASIDE };
enum { IRU_TIES_FORWARD, IRU_TIES_ALTERNATE };
enum { IRU_BLOCK_128, IRU_BLOCK_32 };
enum { IRU_SHARED, IRU_PRIVATE };
enum { IRU_THROUGH, IRU_PAST };
enum { IRU_NONE, IRU_MIN, IRU_ADD, IRU_FILTERS };
// Instructions: bit 0, with the secondary; bit 1, with the position.
enum { IRU_WITH_SECONDARY = 1, IRU_WITH_POSITION = 2, IRU_INSTRUCTIONS = 4 };

// ---- counters ----

enum { IRU_BY_ENTRY, IRU_BY_TIMEOUT, IRU_BY_END, IRU_CAUSES };
#define IRU_BY_CAUSE(C)                                                                            \
    C(replies_by_entry, "replies", "Replies whose elements are of one entry that had enough.")     \
    C(replies_by_timeout, "replies", "Replies from the best entries, after the timeout.")          \
    C(replies_by_end, "replies", "Replies from what was left, behind the end of the data.")
#define IRU_COUNTED(C)                                                                             \
    C(read, "elements", "Elements read from the array of indices.")                                \
    C(delivered, "elements", "Elements given to lanes.")                                           \
    C(merged, "elements", "Elements that a filter merged into an element with the same index.")    \
    C(asked, "lanes", "Lanes of all requests.")                                                    \
    C(enabled, "lanes", "Lanes that got an element.")                                              \
    C(disabled, "lanes", "Lanes that got none: their element was merged, or the data had ended.")  \
    C##_ARRAY(by_cause, IRU_CAUSES, IRU_BY_CAUSE)                                                  \
    C(partly_disabled, "replies", "Replies with enabled and disabled lanes.")                      \
    C(all_disabled, "replies", "Replies without an element.")                                      \
    C(blocks, "blocks", "Blocks that the elements of a reply touch, over all replies.")            \
    C(beside, "elements", "Elements inserted into an entry that held another block.")              \
    C(lines, "lines", "Lines of the array of indices that were read.")                             \
    C(secondary_lines, "lines", "Reads of lines of the secondary array.")                          \
    C(foreign, "words", "Secondaries that another slice read and sent over the ring.")             \
    C(hops, "elements", "Elements sent to a neighbour, once for each link.")                       \
    C(request_hops, "requests", "Requests that went on to the next slice, once for each link.")    \
    C(seeks, "requests", "Of these, requests without elements that were not late: they seek a "    \
      "full entry.")                                                                               \
    C(request_elements, "elements", "Elements that went with them, once for each link.")           \
    C(laps, "laps", "Laps of the token that counted the elements, at the last slice.")             \
    C(stalls_table, "elements", "Elements at the head of a bank's FIFO that had to wait.")         \
    C(stalls_ring, "elements", "Elements at the head of a ring buffer that had to wait.")          \
    C(stalls_link, "elements", "Elements that waited for the link to a neighbour.")                \
    C(stalls_classifier, "elements", "Elements that found the classifier's FIFO full.")            \
    C(stalls_requests, "requests", "Requests that found the request buffer full.")                 \
    C(stalls_replies, "replies", "Replies that found the slice's reply queue full.")
HD_COUNTERS(IruCounted, IRU_COUNTED);

// ---- structures ----

#define IRU_ELEMENT(F) F(index, 24) F(secondary, 32) F(position, 24)
HD_BIT_FIELDS(IruElement, IRU_ELEMENT);
// How many elements a set has, the oldest first. A set is an entry of the logical table. No bit
// field, so that compilers vectorise a loop over the sets.
typedef struct IruFill { uint32_t elements; } IruFill;
enum { IruFill_bits = 6 };
// The elements in all entries; the best entry (most elements, then lowest set), if it is known.
#define IRU_TABLE_STATE(F) F(elements, 22) F(known, 1) F(best, 16)
HD_BIT_FIELDS(IruTable, IRU_TABLE_STATE);

// A request of a warp, and when it came (modulo 2^30) by which instruction.
#define IRU_REQUEST(F) F(number, 32) F(lanes, 32)
HD_BIT_FIELDS(IruRequest, IRU_REQUEST);
#define IRU_ARRIVAL(F) F(cycle, 30) F(instruction, 2)
HD_BIT_FIELDS(IruArrival, IRU_ARRIVAL);
// Since when the oldest request has been that, if it came before: modulo 2^30.
#define IRU_TURN(F) F(cycle, 30) F(known, 1)
HD_BIT_FIELDS(IruTurn, IRU_TURN);
// A request that waits for elements, and the cycle from which its timeout counts, modulo 2^30: as
// it is sent to the next slice to seek a full entry.
#define IRU_PENDING(F) F(number, 32) F(lanes, 32) F(instruction, 2) F(since, 30)
HD_BIT_FIELDS(IruPending, IRU_PENDING);
// To the slice before: whether this slice or one ahead of it has a full entry and no request for
// it, and how many links ahead.
#define IRU_READINESS(F) F(ready, 1) F(hops, 8)
HD_BIT_FIELDS(IruReadiness, IRU_READINESS);
// What the next slice has announced last, if no request has used it; what this slice has announced
// last; whether it must announce again, because a request has used that.
#define IRU_READY_STATE(F)                                                                         \
    F(ahead, 1) F(ahead_hops, 8) F(announced, 1) F(announced_hops, 8) F(again, 1)
HD_BIT_FIELDS(IruReadyState, IRU_READY_STATE);
#define IRU_QUEUE(F) F(first, 12) F(count, 13)
HD_BIT_FIELDS(IruQueue, IRU_QUEUE);

// A line of indices, and their secondaries.
#define IRU_PAIR(F) F(index, 24) F(secondary, 32)
HD_BIT_FIELDS(IruPair, IRU_PAIR);
typedef struct IruLine { IruPair pairs[IRU_LANES]; } IruLine;
enum { IruLine_bits = IRU_LANES * IruPair_bits };
// What the line is waiting for: the first element's position, and how many there are; which of its
// parts have been asked for; words that have not come; elements not classified yet, a bit each.
#define IRU_LINE_STATE(F) F(position, 32) F(count, 6) F(asked, 3) F(awaited, 7) F(left, 32)
HD_BIT_FIELDS(IruLineState, IRU_LINE_STATE);
// The next position to read; whether all lines have been; the line buffers in use, in order.
#define IRU_PREFETCHER(F) F(next, 32) F(done, 1) F(first, 6) F(count, 7)
HD_BIT_FIELDS(IruPrefetcher, IRU_PREFETCHER);

// Asks the owner of secondaries for them, from `position` to `position + last`. The words go to the
// line buffer `line` of slice `to`, from `lane` on.
#define IRU_ASK(F) F(position, 32) F(last, 5) F(to, 8) F(line, 6) F(lane, 5)
HD_BIT_FIELDS(IruAsk, IRU_ASK);
#define IRU_SECONDARY(F) F(word, 32) F(to, 8) F(line, 6) F(lane, 5)
HD_BIT_FIELDS(IruSecondary, IRU_SECONDARY);
// What the slice reads for another one, and how far it is.
enum { IRU_IDLE, IRU_TO_READ, IRU_READING, IRU_SENDING };
#define IRU_SERVER(F) F(state, 2) F(sent, 6)
HD_BIT_FIELDS(IruServer, IRU_SERVER);
#define IRU_WORD_FIELD(F) F(word, 32)
HD_BIT_FIELDS(IruWord, IRU_WORD_FIELD);

// A request with the elements that it has. moved: elements that have come, or gone, over the link.
#define IRU_GROUP_HEAD(F)                                                                          \
    F(number, 32) F(lanes, 32) F(instruction, 2) F(elements, 6) F(used, 1) F(moved, 6) F(cause, 2)
HD_BIT_FIELDS(IruGroupHead, IRU_GROUP_HEAD);
typedef struct IruGroup {
    IruGroupHead of;
    IruElement elements[IRU_LANES];
} IruGroup;
enum { IruGroup_bits = IruGroupHead_bits + IRU_LANES * IruElement_bits };
// The guest that has come over the ring; what leaves for the next slice; what is answered.
enum { IRU_GUEST, IRU_LEAVING, IRU_REPLY, IRU_GROUPS };
// Goes ahead of a request's elements.
#define IRU_HEAD(F) F(number, 32) F(lanes, 32) F(instruction, 2) F(elements, 6)
HD_BIT_FIELDS(IruHead, IRU_HEAD);

// The token of the end: what its lap is for, and the elements that it has counted.
enum { IRU_COUNTING, IRU_ENDED, IRU_EMPTYING, IRU_DRAINED };
#define IRU_TOKEN(F) F(lap, 2) F(sum, 32)
HD_BIT_FIELDS(IruToken, IRU_TOKEN);
// To the slice before: there is room for a guest again.
#define IRU_NOTE(F) F(guest_room, 1)
HD_BIT_FIELDS(IruNote, IRU_NOTE);

#define IRU_CONFIGURATION(F)                                                                       \
    F(configured, 1) F(filter, 2) F(target_low, 32) F(target_high, 16) F(type_size, 32)            \
    F(indices_low, 32) F(indices_high, 16) F(secondary_low, 32) F(secondary_high, 16) F(count, 32)
HD_BIT_FIELDS(IruConfiguration, IRU_CONFIGURATION);
// Of the launch: it has the instruction; it is functional; all elements of all slices have been
// inserted (ended), and have left the tables (drained). This slice has the token; the next slice
// has room for a guest. Elements inserted or merged here. In a functional launch: the next one.
#define IRU_LAUNCH(F)                                                                              \
    F(active, 1) F(functional, 1) F(ended, 1) F(drained, 1) F(has_token, 1) F(guest_room, 1)       \
    F(placed, 32) F(next, 32)
HD_BIT_FIELDS(IruLaunch, IRU_LAUNCH);
// Heads of queues that wait, a bit for each, to count each once; links on which nothing could
// leave; a request that was refused; a reply that was. A note that has to be sent.
#define IRU_WAITS(F)                                                                               \
    F(banks, 2) F(ring, 2) F(links, 2) F(fifos, 4) F(request, 1) F(reply, 1) F(note, 1)
HD_BIT_FIELDS(IruWaits, IRU_WAITS);
// For the checks at the end of a launch.
#define IRU_BALANCE(F)                                                                             \
    F(read, 32) F(placed, 32) F(merged, 32) F(delivered, 32) F(asked, 32) F(enabled, 32)           \
    F(disabled, 32) F(partly, 32) F(count, 32) F(filter, 2) F(active, 1)
HD_BIT_FIELDS(IruBalance, IRU_BALANCE);

enum {
    // Table 1.
    IRU_REQUEST_BUFFER, IRU_LINES, IRU_OWN_0, IRU_OWN_1, IRU_TO_NEXT, IRU_TO_PREVIOUS,
    IRU_FORWARD, IRU_BACKWARD, IRU_SET_TABLE,
    // What it leaves out.
    IRU_ARRIVALS, IRU_TURNS, IRU_FILLS, IRU_TABLES, IRU_QUEUES, IRU_LINE_STATES, IRU_PREFETCHERS,
    IRU_READS, IRU_GROUP_BUFFERS, IRU_HEADS, IRU_GROUP_ELEMENTS, IRU_ASKS, IRU_SECONDARIES,
    IRU_ASKED, IRU_SERVERS, IRU_SERVED, IRU_TOKENS, IRU_TOKEN_HERE, IRU_NOTES,
    IRU_SEEKERS, IRU_ANNOUNCEMENTS, IRU_READY_STATES, IRU_CONFIGURATIONS, IRU_LAUNCHES, IRU_WAITING,
    IRU_BALANCES,
};
// Queues of which first and count are in IRU_QUEUES: the classifier's FIFOs, of the two banks and
// to the two neighbours, and the request buffer.
enum { IRU_FIFOS = 4, IRU_FIFO_NEXT = 2, IRU_FIFO_PREVIOUS = 3, IRU_REQUEST_QUEUE = 4,
       IRU_QUEUE_COUNT = 5 };

// ---- access ----

static inline unsigned iru_parameter(const HdPlace *place, unsigned parameter)
{
    return (unsigned)place->parameters[parameter];
}
static inline IruLaunch *iru_launch(const HdPlace *place)
{
    return place->structures[IRU_LAUNCHES];
}
static inline IruConfiguration *iru_configuration(const HdPlace *place)
{
    return place->structures[IRU_CONFIGURATIONS];
}
static inline IruWaits *iru_waits(const HdPlace *place) { return place->structures[IRU_WAITING]; }
static inline IruBalance *iru_balance(const HdPlace *place)
{
    return place->structures[IRU_BALANCES];
}
static inline IruGroup *iru_group(const HdPlace *place, unsigned group)
{
    return (IruGroup *)place->structures[IRU_GROUP_BUFFERS] + group;
}
static inline IruQueue *iru_queue(const HdPlace *place, unsigned queue)
{
    return (IruQueue *)place->structures[IRU_QUEUES] + queue;
}

static inline uint64_t iru_target(const IruConfiguration *c)
{
    return (uint64_t)c->target_high << 32 | c->target_low;
}
static inline uint64_t iru_index_address(const IruConfiguration *c, uint64_t position)
{
    return ((uint64_t)c->indices_high << 32 | c->indices_low) + IRU_WORD * position;
}
static inline uint64_t iru_secondary(const IruConfiguration *c) // 0: none
{
    return (uint64_t)c->secondary_high << 32 | c->secondary_low;
}

// A cycle of the engine: whether anything has moved, so that the next cycle matters too; else the
// next cycle at which something may. written: banks of which the FIFO has got an element of the
// ring in this cycle, a bit each.
typedef struct IruCycle {
    uint64_t cycle, due;
    bool moved;
    unsigned written;
} IruCycle;
static inline void iru_wake(IruCycle *c, uint64_t cycle)
{
    if (cycle < c->due) c->due = cycle;
}

#endif
