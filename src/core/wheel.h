// The timing wheel: events of an SM at known later cycles, in the order in which they were set.
#ifndef HEDDLE_CORE_WHEEL_H
#define HEDDLE_CORE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

// The types of events, with the fields and the payload that each uses.
typedef enum EventType {
    EVENT_WRITEBACK, // the result of an instruction is written: warp, result
    EVENT_FETCHED,   // decoded instructions enter the warp's buffer: warp, fetched
    EVENT_GROUP,     // the results of an issue group are written: group
    EVENT_LSU_READY, // a memory instruction has its operands: memory (index)
    EVENT_DATA,      // data of one access of a load arrive: memory (token)
    EVENT_PREFETCH,  // the L1D looks up a mechanism's next prefetch
    EVENT_PREFETCHED, // the data of a prefetch, which the L1D had, arrive
    EVENT_WAKE,      // a sleep ends: warp, sleep
    EVENT_COMMIT,    // an instruction is committed, for mechanisms that count it: warp, commit
    EVENT_INJECTED,  // the result of an injected micro-op is written: warp, injected
    EVENT_L15,       // the L1.5 looks up the next request
    EVENT_L15_DATA,  // data that the L1.5 had arrive at a first-level cache: waiter
    EVENT_EXIT,      // the last instruction of an exited warp leaves the pipeline: warp
} EventType;

typedef union EventPayload {
    struct {
        const struct UOpTiming *timing; // of the instruction
        uint32_t pc;                    // its static number
    } result;
    struct {
        uint32_t row; // of its target
    } injected;
    struct {
        uint32_t count, pc; // number of instructions, first static instruction
    } fetched;
    struct {
        uint32_t op;    // index of the in-flight memory operation, or token of one of its accesses
        uint32_t level; // MemLevel that answers
    } memory;
    struct {
        uint32_t index; // of the group in flight
    } group;
    struct {
        uint32_t index; // of the request that waits in the L1.5
    } waiter;
    struct {
        uint32_t lanes; // the lanes that slept
    } sleep;
    struct {
        uint32_t lanes; // how many the instruction had
    } commit;
} EventPayload;

typedef struct Event {
    uint64_t time; // valid beyond one turn
    EventPayload payload;
    uint32_t next; // in the bucket's list, whose end is EventList.last; or a list that ends with 0
    uint16_t warp; // warp slot
    uint8_t type;  // EventType
} Event;

enum { WHEEL_BUCKETS = 1024 };

typedef struct EventList {
    uint32_t first, last; // first is 0: empty
} EventList;

typedef struct Wheel {
    Event *events; // [1, capacity): index 0 is never used
    uint32_t capacity, free;
    EventList lists[WHEEL_BUCKETS];
    uint64_t occupied[WHEEL_BUCKETS / 64]; // buckets with events
    uint64_t far_time;                     // earliest event beyond one turn, or UINT64_MAX
    uint32_t far;                          // list of the events beyond one turn, unordered
    uint64_t now;
    uint64_t next; // no event is sooner
} Wheel;

// Of a zeroed wheel.
void wheel_init(Wheel *wheel);
void wheel_free(Wheel *wheel);

// Fills in a free event, which must exist, and returns its index. Each field is written in place,
// because copying a struct just assembled causes store-forwarding stalls on the host.
static inline uint32_t wheel_take_free(Wheel *wheel, EventType type, unsigned warp,
                                       EventPayload payload)
{
    uint32_t index = wheel->free;
    Event *event = &wheel->events[index];
    wheel->free = event->next;
    event->payload = payload;
    event->warp = (uint16_t)warp;
    event->type = (uint8_t)type;
    return index;
}

// Appends an event of this turn to its cycle's list.
static inline void wheel_append(Wheel *wheel, uint32_t index, uint64_t time)
{
    unsigned bucket = time % WHEEL_BUCKETS;
    EventList *list = &wheel->lists[bucket];
    if (time < wheel->next) wheel->next = time;
    if (list->first) {
        wheel->events[list->last].next = index;
    } else {
        list->first = index;
        wheel->occupied[bucket / 64] |= UINT64_C(1) << (bucket % 64);
    }
    list->last = index;
}

// The slow path of wheel_set: the pool is full, or the event is beyond one turn.
bool wheel_set_rest(Wheel *wheel, uint64_t time, EventType type, unsigned warp,
                    EventPayload payload);

// Sets an event for cycle `time`, which must be after wheel->now. Events of one cycle are taken in
// the order in which they were set. The pool grows as needed. false: out of memory.
static inline bool wheel_set(Wheel *wheel, uint64_t time, EventType type, unsigned warp,
                             EventPayload payload)
{
    if (!wheel->free || time - wheel->now >= WHEEL_BUCKETS)
        return wheel_set_rest(wheel, time, type, warp, payload);
    wheel_append(wheel, wheel_take_free(wheel, type, warp, payload), time);
    return true;
}

uint64_t wheel_find_next(const Wheel *wheel);
// Returns the cycle of the next event; UINT64_MAX: none. Most often it is near.
static inline uint64_t wheel_next(Wheel *wheel)
{
    if (wheel->next > wheel->now) return wheel->next;
    unsigned start = (wheel->now + 1) % WHEEL_BUCKETS;
    uint64_t near = wheel->occupied[start / 64] >> start % 64;
    uint64_t time = wheel->now + 1 + (unsigned)__builtin_ctzll(near | UINT64_C(1) << 63);
    wheel->next = near ? time : wheel_find_next(wheel); // what is far comes later
    return wheel->next;
}

// Moves events that are now within one turn from the far list onto the wheel.
void wheel_bring_near(Wheel *wheel);

// Whether no event is set.
bool wheel_is_empty(const Wheel *wheel);
// Whether cycle `now` may have events. Else the wheel stays at an earlier cycle.
static inline bool wheel_is_due(const Wheel *wheel, uint64_t now) { return wheel->next <= now; }

// Advances to cycle `now`, before which no event may lie, and takes its list of events: returns the
// index of the first (0: none), and sets *last to the last one. They are linked by `next`. The
// caller returns the list with wheel_release before it advances further.
static inline uint32_t wheel_take(Wheel *wheel, uint64_t now, uint32_t *last)
{
    wheel->now = now;
    if (wheel->far_time - now < WHEEL_BUCKETS) wheel_bring_near(wheel);
    unsigned bucket = now % WHEEL_BUCKETS;
    uint32_t first = wheel->lists[bucket].first;
    if (!first) return 0;
    *last = wheel->lists[bucket].last;
    wheel->lists[bucket].first = 0;
    wheel->occupied[bucket / 64] &= ~(UINT64_C(1) << (bucket % 64));
    return first;
}

static inline void wheel_release(Wheel *wheel, uint32_t first, uint32_t last)
{
    wheel->events[last].next = wheel->free;
    wheel->free = first;
}

#endif
