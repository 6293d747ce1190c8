// The timing wheel of an SM.
#include "core/wheel.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void wheel_init(Wheel *wheel)
{
    wheel->far_time = UINT64_MAX;
    wheel->first = wheel->occupied;
    wheel->capacity = 1;
}

void wheel_free(Wheel *wheel) { free(wheel->events); }

bool wheel_set_rest(Wheel *wheel, uint64_t time, EventType type, unsigned warp,
                    EventPayload payload)
{
    if (!wheel->free) {
        uint32_t old = wheel->capacity, capacity = old > 1 ? old * 2 : 256;
        Event *events = realloc(wheel->events, capacity * sizeof *events);
        if (!events) return false;
        for (uint32_t i = old; i < capacity; i++) events[i].next = i + 1 < capacity ? i + 1 : 0;
        wheel->free = old;
        wheel->events = events;
        wheel->capacity = capacity;
    }
    uint32_t index = wheel_take_free(wheel, type, warp, payload);
    if (time - wheel->from < WHEEL_BUCKETS) {
        wheel_append(wheel, index, time);
        return true;
    }
    wheel->events[index].time = time;
    wheel->events[index].next = wheel->far;
    wheel->far = index;
    if (time < wheel->far_time) wheel->far_time = time;
    return true;
}

static bool is_near(const Wheel *wheel)
{
    uint64_t occupied = 0; // no early exit: the compiler combines several words at once
    for (unsigned i = 0; i < WHEEL_WORDS; i++) occupied |= wheel->occupied[i];
    return occupied;
}

bool wheel_is_empty(const Wheel *wheel) { return !is_near(wheel) && !wheel->far; }

uint64_t wheel_find_next(const Wheel *wheel)
{
    if (!is_near(wheel)) return wheel->far_time;
    uint64_t time = wheel->from, word;
    do {
        time += WHEEL_WORD;
        word = wheel->occupied[time / WHEEL_WORD % WHEEL_WORDS];
    } while (!word);
    return time + (unsigned)__builtin_ctzll(word);
}

// The list is in reverse order of setting, so it is reversed first: events of equal cycles keep
// their order.
void wheel_turn(Wheel *wheel, uint64_t from)
{
    wheel->from = from;
    wheel->first = &wheel->occupied[from / WHEEL_WORD % WHEEL_WORDS];
    if (wheel->far_time - from >= WHEEL_BUCKETS) return;
    uint32_t turned = 0, next;
    for (uint32_t i = wheel->far; i; i = next) {
        next = wheel->events[i].next;
        wheel->events[i].next = turned;
        turned = i;
    }
    wheel->far = 0;
    wheel->far_time = UINT64_MAX;
    for (uint32_t i = turned; i; i = next) {
        next = wheel->events[i].next;
        uint64_t time = wheel->events[i].time;
        if (time - from < WHEEL_BUCKETS) {
            wheel_append(wheel, i, time);
            continue;
        }
        wheel->events[i].next = wheel->far;
        wheel->far = i;
        if (time < wheel->far_time) wheel->far_time = time;
    }
}
