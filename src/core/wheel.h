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

enum { WHEEL_WORD = 64, WHEEL_WORDS = 16, WHEEL_BUCKETS = WHEEL_WORD * WHEEL_WORDS };

typedef struct EventList {
    uint32_t first, last; // first is 0: empty
} EventList;

// The wheel has the events of the cycles [from, from + WHEEL_BUCKETS). What is later is far.
typedef struct Wheel {
    Event *events; // [1, capacity): index 0 is never used
    uint32_t capacity, free;
    uint64_t from;     // a multiple of WHEEL_WORD. Cycles before the last one taken have no events
    uint64_t *first;   // of `occupied`: the word of the first cycles
    uint64_t far_time; // earliest far event, or UINT64_MAX
    uint32_t far;      // list of the far events, unordered
    uint64_t occupied[WHEEL_WORDS]; // cycles with events
    EventList lists[WHEEL_BUCKETS];
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

// Appends an event that is not far to its cycle's list.
static inline void wheel_append(Wheel *wheel, uint32_t index, uint64_t time)
{
    EventList *list = &wheel->lists[time % WHEEL_BUCKETS];
    if (list->first) {
        wheel->events[list->last].next = index;
    } else {
        list->first = index;
        wheel->occupied[time / WHEEL_WORD % WHEEL_WORDS] |= UINT64_C(1) << time % WHEEL_WORD;
    }
    list->last = index;
}

// The slow path of wheel_set: the pool is full, or the event is far.
bool wheel_set_rest(Wheel *wheel, uint64_t time, EventType type, unsigned warp,
                    EventPayload payload);

// Whether an event can be set for cycle `time` by wheel_take_free and wheel_append.
static inline bool wheel_has_room(const Wheel *wheel, uint64_t time)
{
    return wheel->free && time - wheel->from < WHEEL_BUCKETS;
}
// Sets an event for cycle `time`, which must be after the cycles that were taken. Events of one
// cycle are taken in the order in which they were set. The pool grows as needed. false: out of
// memory.
static inline bool wheel_set(Wheel *wheel, uint64_t time, EventType type, unsigned warp,
                             EventPayload payload)
{
    if (!wheel_has_room(wheel, time))
        return wheel_set_rest(wheel, time, type, warp, payload);
    wheel_append(wheel, wheel_take_free(wheel, type, warp, payload), time);
    return true;
}

// The next event behind the first WHEEL_WORD cycles of the wheel, which have none.
uint64_t wheel_find_next(const Wheel *wheel);
// Returns the cycle of the next event; UINT64_MAX: none. Most often it is near.
static inline uint64_t wheel_next(Wheel *wheel)
{
    uint64_t near = *wheel->first;
    return near ? wheel->from + (unsigned)__builtin_ctzll(near) : wheel_find_next(wheel);
}

// Turns the wheel to these cycles, onto which events move that were far.
void wheel_turn(Wheel *wheel, uint64_t from);

// Whether no event is set.
bool wheel_is_empty(const Wheel *wheel);

// Advances to cycle `now`, before which no event may lie, and takes its list of events: returns the
// index of the first (0: none), and sets *last to the last one. They are linked by `next`. The
// caller returns the list with wheel_release before it advances further.
static inline uint32_t wheel_take(Wheel *wheel, uint64_t now, uint32_t *last)
{
    if (now - wheel->from >= WHEEL_WORD) wheel_turn(wheel, now - now % WHEEL_WORD);
    EventList *list = &wheel->lists[now % WHEEL_BUCKETS];
    uint32_t first = list->first;
    if (!first) return 0;
    *last = list->last;
    list->first = 0;
    *wheel->first &= *wheel->first - 1; // of the cycles that are left, it was the first
    return first;
}

static inline void wheel_release(Wheel *wheel, uint32_t first, uint32_t last)
{
    wheel->events[last].next = wheel->free;
    wheel->free = first;
}

#endif
