// What SMs and groups of slices hand over to each other between the phases of a quantum.
//
// The network's least latency is the lookahead (docs/architecture.md, "Time in quanta"): what one
// side sends in its phase is taken by the other side in the next one. Each pair of an SM and a
// group has two lists of transits, one for each direction. A list is written by one host thread in
// one phase and read by another in the next; the sender's bit says that the list is not empty.
#ifndef HEDDLE_MEMORY_NETWORK_EXCHANGE_H
#define HEDDLE_MEMORY_NETWORK_EXCHANGE_H

#include "base/tables.h"
#include "memory/packets.h"

typedef struct TransitList {
    Transit *first, *last;
} TransitList;

static inline void transits_append(TransitList *list, Transit *transit)
{
    transit->next = NULL;
    *(list->first ? &list->last->next : &list->first) = transit;
    list->last = transit;
}
// Moves the transits of the other list to the end of this one.
static inline void transits_join(TransitList *list, TransitList *other)
{
    if (!other->first) return;
    *(list->first ? &list->last->next : &list->first) = other->first;
    list->last = other->last;
    other->first = NULL;
}
// Removes the first transit. There is one.
static inline Transit *transits_pop(TransitList *list)
{
    Transit *first = list->first;
    list->first = first->next;
    return first;
}

// One direction.
typedef struct Post {
    TransitList *lists; // [sender * receivers + receiver]
    uint64_t *from;     // [receiver * words]: the senders whose list for the receiver has transits
    unsigned receivers, words;
} Post;

// What an SM knows of its queue in front of the crossbar (icnt.input_buffer): the flits in it, in
// 1/65536, at a network cycle, and how many leave in each cycle after that.
typedef struct QueueLevel {
    uint64_t flits, cycle, drain;
    uint64_t known; // the core cycle from which on the SM may use it
} QueueLevel;
enum { QUEUE_FLIT = 1 << 16 };

// Of an SM, written by the memory side; `waits_for_credit` by the SM.
typedef struct SmNews {
    bool any;      // something has come since the SM looked
    bool waits_for_credit; // a credit may let the SM act
    uint64_t *due; // Gpu.next of the SM: lowered to when the SM can act on a packet; 0: it has to
                   // be asked. NULL: there is no Gpu (tests)
    QueueLevel queue;
} SmNews;

typedef struct Exchange {
    unsigned slices_of_group; // slices of a group have consecutive numbers
    Tick core_period;
    Post requests; // lists from SMs to groups; with crossbars, to one receiver
    Post replies;  // from groups to SMs: packets of replies, and credits. With crossbars, packets
                   // come from them: from sender `groups`
    SmNews *news;  // by SM
    Tick *groups_due; // MemoryGroup.next: becomes 0 if the group has requests to take. NULL: with
                      // crossbars, or there is no memory side (tests)
} Exchange;

// Among `tables`. core_period: ticks of a core cycle. false: out of memory.
bool exchange_init(Exchange *exchange, unsigned sms, unsigned groups, unsigned slices_of_group,
                   bool crossbars, Tick core_period, HdTables *tables);

// Appends to the list of this pair.
static inline void post_send(Post *post, unsigned sender, unsigned receiver, Transit *transit)
{
    TransitList *list = &post->lists[sender * post->receivers + receiver];
    if (!list->first) // other senders set their bits at the same time
        __atomic_fetch_or(&post->from[receiver * post->words + sender / 64],
                          UINT64_C(1) << sender % 64, __ATOMIC_RELAXED);
    transits_append(list, transit);
}
// Has the host fetch the first transits of all lists for the receiver, side by side. They were
// written long ago, on another thread or between other SMs and slices.
static inline void post_fetch(const Post *post, unsigned receiver)
{
    for (unsigned k = 0; k < post->words; k++)
        for (uint64_t from = post->from[receiver * post->words + k]; from; from &= from - 1) {
            unsigned sender = k * 64 + (unsigned)__builtin_ctzll(from);
            __builtin_prefetch(post->lists[sender * post->receivers + receiver].first);
        }
}
// Empties the list of the first sender that has one for the receiver. Returns its first transit;
// NULL: there is none.
static inline Transit *post_take(Post *post, unsigned receiver)
{
    for (unsigned k = 0; k < post->words; k++) {
        uint64_t *from = &post->from[receiver * post->words + k];
        if (!*from) continue;
        unsigned sender = k * 64 + (unsigned)__builtin_ctzll(*from);
        *from &= *from - 1;
        TransitList *list = &post->lists[sender * post->receivers + receiver];
        Transit *first = list->first;
        list->first = NULL;
        return first;
    }
    return NULL;
}

// An SM sends a request, whose slice is known. Its requests come in the order of time.
static inline void exchange_send(Exchange *exchange, unsigned sm, Transit *request)
{
    unsigned slice = request->packet->request.owner - 1u;
    bool apart = exchange->requests.receivers > 1;
    unsigned group = apart ? slice / exchange->slices_of_group : 0;
    post_send(&exchange->requests, sm, group, request);
    if (!exchange->groups_due) return;
    Tick *due = &exchange->groups_due[group];
    if (__atomic_load_n(due, __ATOMIC_RELAXED)) __atomic_store_n(due, 0, __ATOMIC_RELAXED);
}

// The SM looks again, and can act from a core cycle on; 0: it has to be asked. Groups may say so at
// the same time.
static inline void exchange_note(const Exchange *exchange, unsigned sm, uint64_t cycle)
{
    SmNews *news = &exchange->news[sm];
    if (!__atomic_load_n(&news->any, __ATOMIC_RELAXED))
        __atomic_store_n(&news->any, true, __ATOMIC_RELAXED);
    if (!news->due) return;
    uint64_t due = __atomic_load_n(news->due, __ATOMIC_RELAXED);
    while (cycle < due && !__atomic_compare_exchange_n(news->due, &due, cycle, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

// A group sends a packet of a reply, or a credit.
static inline void exchange_answer(Exchange *exchange, unsigned group, Transit *answer)
{
    const Packet *packet = answer->packet;
    unsigned sm = packet->request.sm;
    post_send(&exchange->replies, group, sm, answer);
    bool acts = answer != &packet->there || exchange->news[sm].waits_for_credit;
    exchange_note(exchange, sm, acts ? divide_up(answer->time, exchange->core_period) : UINT64_MAX);
}

#endif
