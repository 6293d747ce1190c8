// The L1 data cache: its pipeline in front of the tags, the cache, the queues of what it sends, and
// the mechanisms at it.
//
// Accesses wait in the pipeline for the hit latency, in order, and are then looked up, a few per
// cycle. The one at the head may stall; it is tried again after l1d_retry. A mechanism's prefetches
// are looked up if no access is in front of the tags.
//
// With a hold point of a mechanism (hold.h) they leave the pipeline into its queues, and are looked
// up from these.
//
// The configuration is the launch's. The cache is rebuilt when its geometry changes.
#ifndef HEDDLE_CORE_L1_L1D_H
#define HEDDLE_CORE_L1_L1D_H

#include "core/l1/hold.h"
#include "core/memory_op.h"
#include "hooks/core_hooks.h"
#include "memory/cache/controller.h"

// Accesses of an operation that have entered the pipeline together.
typedef struct L1Run {
    uint64_t ready; // cycle of the look-up
    uint32_t op;    // in-flight memory operation
    uint8_t first;  // which of its accesses
    uint8_t count;  // how many, from this one on
} L1Run;

// What a prefetch has found in the cache, on its way to the mechanism.
typedef struct L1Answer {
    HdPrefetched found;
    unsigned owner; // of the prefetch: index into CacheHooks.prefetches->items
    uint8_t bytes[VALUE_LINE];
} L1Answer;

typedef struct L1d {
    uint64_t due; // nothing is looked up or moves into a queue before; 0: in the next cycle
    CacheController controller; // its stall is of the access at the head, or of the next one of
                                // the hold point; its cache is NULL before the first launch
    CacheConfig config;
    uint64_t changes; // SmLaunch.l1d_changes that the cache was made for
    CacheHooks *hooks; // mechanisms; NULL: none
    SmContext *context; // for the mechanisms
    const MemoryOps *ops;
    RequestFields fields; // of requests
    L1Hold *hold;      // NULL: no mechanism owns the hold point; free()
    L1Run *pipe;       // ring of latency x banks entries
    unsigned head, runs; // its first entry, and their number
    unsigned count, capacity; // accesses in the pipeline
    uint64_t last_cycle; // of the last look-up
    unsigned look_ups;   // in that cycle
    bool prefetch_scheduled; // EVENT_PREFETCH is set
    bool prefetch_waits;     // the next prefetch found no room; nothing has changed since
    L1Answer *answers;       // ring of latency + 1 entries; NULL: no mechanism prefetches
    unsigned first_answer, answer_count;
    uint64_t stopped_until;  // its prefetches, by memory.prefetch_stop
    uint64_t others_stopped_until; // the same because of other SMs (STOP_BY_GPU)
    RequestQueue refetches;  // dropped prefetches that accesses wait for: sent again
    RequestQueue clean_victims; // copied back by mechanisms; sent when no other request can be
    size_t writebacks_out;      // write-backs without an acknowledgement
} L1d;

// Frees all but the hold point.
void l1d_free(L1d *l1d);
// Attaches the mechanisms of the SM; NULL: none. ops: the operations whose accesses are looked up.
// false and err: a hold point cannot be made.
bool l1d_attach(L1d *l1d, SmContext *context, const MemoryOps *ops, CacheHooks *hooks,
                HdError *err);
// Prepares for the context's launch: a changed geometry needs a new cache; lines are invalidated
// between kernels if the machine does so.
bool l1d_begin(L1d *l1d, SmContext *context, HdError *err);

// Accesses for which the pipeline has room.
static inline unsigned l1d_room(const L1d *l1d) { return l1d->capacity - l1d->count; }
// Puts `count` accesses of an operation, from `first` on, into the pipeline, which must have room:
// 1 at least, and UINT8_MAX at most.
static inline void l1d_push(L1d *l1d, uint64_t now, uint32_t op, unsigned first, unsigned count)
{
    unsigned tail = l1d->head + l1d->runs++;
    L1Run *run = &l1d->pipe[tail < l1d->capacity ? tail : tail - l1d->capacity];
    l1d->count += count;
    run->ready = now + l1d->config.latency;
    run->op = op;
    run->first = (uint8_t)first;
    run->count = (uint8_t)count;
    if (run->ready < l1d->due) l1d->due = run->ready;
}

// Whether an access that is not blocked is in front of the tags.
static inline bool l1d_has_access(const L1d *l1d, uint64_t now)
{
    if (l1d->controller.stall.blocked) return false;
    return l1d->hold ? l1d->hold->seen.held : l1d->count && l1d->pipe[l1d->head].ready <= now;
}
// Whether an access is due for look-up in this cycle.
static inline bool l1d_is_ready(const L1d *l1d, const SmContext *context)
{
    return l1d_has_access(l1d, context->now) &&
           (l1d->last_cycle != context->now || l1d->look_ups < context->config.path->l1_banks);
}
// Looks up the access, which may stall, or several of its operation: loads that hit, or stores that
// pass to the next level. Returns how many are complete (hits, and stores that stay in the cache;
// the others wait for their replies: 0); *token names the first one.
unsigned l1d_look_up(L1d *l1d, SmContext *context, MemoryOps *ops, uint32_t *token);
// Moves accesses that are due out of the pipeline into the queues of the hold point, after the
// look-ups of the cycle.
void l1d_hold(L1d *l1d, SmContext *context, const MemoryOps *ops);
// Notes the cycle of the next look-up or move into a queue.
static inline void l1d_note_due(L1d *l1d)
{
    bool held = l1d->hold && l1d->hold->seen.held;
    bool waits = l1d->hold ? l1d->hold->waits : l1d->controller.stall.blocked;
    l1d->due = l1d->count && !waits ? l1d->pipe[l1d->head].ready : UINT64_MAX;
    if (held && !l1d->controller.stall.blocked) l1d->due = 0;
}
// Retries a stalled access after a change (a fill, room in a queue).
static inline void l1d_retry(L1d *l1d)
{
    if (!l1d->controller.stall.blocked && !l1d->prefetch_waits) return;
    l1d->controller.stall.blocked = l1d->prefetch_waits = false;
    l1d->due = 0;
}

// Schedules a prefetch for the next cycle, if one is queued and none is scheduled.
void l1d_schedule_prefetch(L1d *l1d, SmContext *context);
// EVENT_PREFETCH: looks up one sector of the next prefetch, if no access is in front of the tags.
void l1d_prefetch(L1d *l1d, SmContext *context);
// EVENT_PREFETCHED: reports the oldest prefetch that has found its data to its mechanism.
void l1d_answer_prefetch(L1d *l1d, SmContext *context);

// Whether an access in front of the tags finds all MSHR entries or the whole miss queue in use.
static inline bool l1d_is_full(const L1d *l1d)
{
    const StalledAccess *stall = &l1d->controller.stall;
    return stall->uncounted && (stall->reason == STALL_MSHR || stall->reason == STALL_MISS_QUEUE);
}
// Until when the SM's own lack of room stops its prefetches; UINT64_MAX: it lasts.
static inline uint64_t l1d_stopped_until(const L1d *l1d)
{
    return l1d_is_full(l1d) ? UINT64_MAX : l1d->stopped_until;
}
// The reply to a prefetch without data: the fetch ends, or the request is sent again if accesses
// wait for it.
void l1d_on_dropped(L1d *l1d, SmContext *context, const MemRequest *request);

// Fills data that have arrived. Returns the number of accesses that waited, whose tokens the
// controller has.
unsigned l1d_fill(L1d *l1d, SmContext *context, const MemReply *reply);

// Reports the data of a load that bypassed the cache without an MSHR entry (MemReply.direct).
void l1d_on_direct_reply(L1d *l1d, SmContext *context, const MemoryOp *op, const MemReply *reply);

// Makes the accesses of an operation functionally; their requests go to `memory`.
void l1d_warm(L1d *l1d, SmContext *context, const MemoryOp *op, const FunctionalMemory *memory);

#endif
