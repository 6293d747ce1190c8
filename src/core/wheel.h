// The timing wheel: events of an SM at fixed latencies ahead, in the order in which they were set.
#ifndef HEDDLE_CORE_WHEEL_H
#define HEDDLE_CORE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

// What happens at an event's cycle.
typedef enum EventType {
    EVENT_WRITEBACK, // a result is written: warp, a = function index, b = instruction
    EVENT_FETCHED,   // decoded instructions enter the warp's buffer: warp, a = how many, b = from
                     // which static instruction on
    EVENT_FLUSHED,   // the warp may fetch again after a taken branch: warp
    EVENT_LSU_READY, // a memory instruction has its operands: a = access record
    EVENT_DATA,      // one access of a load is answered: a = access record
    EVENT_PREFETCH,  // a mechanism at the L1D waits to prefetch
    EVENT_WAKE,      // a sleep is over: warp, a = the lanes that slept
} EventType;

typedef struct Event {
    uint64_t time;
    uint32_t next; // in the slot's list or the free list; 0: end
    uint32_t a, b;
    uint16_t warp;
    uint8_t type;
} Event;

enum { WHEEL_BUCKETS = 1024 };

typedef struct Wheel {
    Event *events; // [1, capacity): index 0 is never used
    uint32_t capacity, free;
    uint32_t first[WHEEL_BUCKETS], last[WHEEL_BUCKETS];
    uint64_t occupied[WHEEL_BUCKETS / 64]; // slots with events
    uint64_t far_time;                   // earliest event beyond the wheel's turn, or UINT64_MAX
    uint32_t far;                        // list of those events, unordered
    uint64_t now;
    unsigned pending;
} Wheel;

bool wheel_init(Wheel *wheel);
void wheel_free(Wheel *wheel);

// A free event (there must be one) becomes this; its index. Each field is written where it stays: a
// copy of a struct just put together would wait for its parts.
static inline uint32_t wheel_take_free(Wheel *wheel, uint64_t time, EventType type, unsigned warp,
                                       uint32_t a, uint32_t b)
{
    uint32_t index = wheel->free;
    Event *event = &wheel->events[index];
    wheel->free = event->next;
    event->time = time;
    event->a = a;
    event->b = b;
    event->warp = (uint16_t)warp;
    event->type = (uint8_t)type;
    wheel->pending++;
    return index;
}

// Puts an event of this turn behind those of its cycle.
static inline void wheel_append(Wheel *wheel, uint32_t index)
{
    unsigned slot = wheel->events[index].time % WHEEL_BUCKETS;
    wheel->events[index].next = 0;
    if (wheel->first[slot])
        wheel->events[wheel->last[slot]].next = index;
    else
        wheel->first[slot] = index;
    wheel->last[slot] = index;
    wheel->occupied[slot / 64] |= UINT64_C(1) << (slot % 64);
}

// wheel_set where the pool is used up or the event lies beyond the wheel's turn.
bool wheel_set_rest(Wheel *wheel, uint64_t time, EventType type, unsigned warp, uint32_t a,
                    uint32_t b);

// Sets an event for cycle `time` (after wheel->now). Events of one cycle come out in the order in
// which they were set. Grows its pool on first use of that many events. false: memory out.
static inline bool wheel_set(Wheel *wheel, uint64_t time, EventType type, unsigned warp, uint32_t a,
                             uint32_t b)
{
    if (!wheel->free || time - wheel->now >= WHEEL_BUCKETS)
        return wheel_set_rest(wheel, time, type, warp, a, b);
    wheel_append(wheel, wheel_take_free(wheel, time, type, warp, a, b));
    return true;
}

// The cycle of the next event; UINT64_MAX where there is none.
uint64_t wheel_next(const Wheel *wheel);

// Moves to cycle `now` (no event may lie before it) and takes its list of events: the index of the
// first (0: none), linked by `next`. The caller returns the list with wheel_release.
uint32_t wheel_take(Wheel *wheel, uint64_t now);
void wheel_release(Wheel *wheel, uint32_t first);

#endif
