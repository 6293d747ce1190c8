// The L1.5: a cache of the SM between the first-level caches that are only read and the network. It
// serves the misses of the L1C and, if the machine says so, of the L1I.
//
// It takes one request in each cycle, from their miss queues by turns, the earliest in the cycle
// after the miss. Data that it has come l15.latency cycles later; data from the network pass at
// once. It is event-driven (EVENT_L15, EVENT_L15_DATA), so that a machine without it has no stage
// for it.
#ifndef HEDDLE_CORE_L1_L15_H
#define HEDDLE_CORE_L1_L15_H

#include "core/sm_context.h"
#include "memory/cache/controller.h"

enum { L15_SOURCES = 2 };

// A request of a first-level cache whose data are on their way, as the reply to it.
typedef struct L15Waiter {
    MemReply reply;
    uint32_t next; // free list; 0: its end
} L15Waiter;

typedef struct L15 {
    CacheController controller;
    bool on;                // the machine has one; else nothing else here is used
    bool scheduled;         // EVENT_L15 is set
    QueuedRequests queued;  // over its sources
    RequestQueue *sources[L15_SOURCES]; // miss queues of the L1C, and of the L1I; NULL: not served
    unsigned turn;          // the source that is asked first
    L15Waiter *waiters;     // index 0 is never used; a place for each MSHR entry of the sources
    uint32_t free;
} L15;

// Whether it serves requests of this kind.
static inline bool l15_serves(const L15 *l15, unsigned kind)
{
    return l15->on && (kind == MEM_CONSTANT || (kind == MEM_INSTRUCTION && l15->sources[1]));
}

// Makes the L1.5. It takes requests from these miss queues, as their port, and sends its misses to
// the port of its own queue. Without an L1.5 nothing is made. false and err: out of memory, or its
// geometry is invalid.
bool l15_init(L15 *l15, const SmConfig *config, RequestQueue *constants,
              RequestQueue *instructions, HdTables *tables, uint64_t seed, HdError *err);
void l15_free(L15 *l15);

// A source has a new request: schedules a look-up for the next cycle, unless one stalls.
void l15_schedule(L15 *l15, SmContext *context);
// Retries a stalled request after a change (a fill, room in the queue).
static inline void l15_retry(L15 *l15, SmContext *context)
{
    if (!l15->controller.stall.blocked) return;
    l15->controller.stall.blocked = false;
    l15_schedule(l15, context);
}
// EVENT_L15: looks up the next request. Returns whether it has left its source's queue.
bool l15_look_up(L15 *l15, SmContext *context);
// Takes the reply for a waiting request, and frees its entry. level: the level that answered.
MemReply l15_take(L15 *l15, uint32_t waiter, MemLevel level);
// Fills data from the network. Returns the number of waiters, which are the controller's tokens.
unsigned l15_fill(L15 *l15, SmContext *context, const MemReply *reply);

// Makes a functional access for a first-level cache's request; a miss goes to `memory`. l15 NULL:
// the request itself does.
void l15_warm(L15 *l15, const MemRequest *request, const FunctionalMemory *memory);

#endif
