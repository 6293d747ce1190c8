// The timing wheel of an SM.
#include "core/wheel.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void wheel_init(Wheel *wheel)
{
    wheel->far_time = wheel->next = UINT64_MAX;
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
    if (time - wheel->now < WHEEL_BUCKETS) {
        wheel_append(wheel, index, time);
        return true;
    }
    wheel->events[index].time = time;
    wheel->events[index].next = wheel->far;
    wheel->far = index;
    if (time < wheel->far_time) wheel->far_time = time;
    if (time < wheel->next) wheel->next = time;
    return true;
}

bool wheel_is_empty(const Wheel *wheel)
{
    uint64_t occupied = 0;
    for (unsigned i = 0; i < WHEEL_BUCKETS / 64; i++) occupied |= wheel->occupied[i];
    return !occupied && !wheel->far;
}

uint64_t wheel_find_next(const Wheel *wheel)
{
    unsigned start = (wheel->now + 1) % WHEEL_BUCKETS;
    enum { WORDS = WHEEL_BUCKETS / 64 };
    unsigned word = start / 64;
    uint64_t bits = wheel->occupied[word] & (~UINT64_C(0) << (start % 64));
    for (unsigned i = 0; i <= WORDS; i++) {
        if (bits) {
            unsigned bucket = word * 64 + (unsigned)__builtin_ctzll(bits);
            uint64_t time = wheel->now + 1 + (bucket - start + WHEEL_BUCKETS) % WHEEL_BUCKETS;
            return time < wheel->far_time ? time : wheel->far_time;
        }
        word = (word + 1) % WORDS;
        bits = wheel->occupied[word];
        if (i + 1 == WORDS) bits &= ~(~UINT64_C(0) << (start % 64));
    }
    return wheel->far_time;
}

// The list is in reverse order of setting, so it is reversed first: events of equal cycles keep
// their order.
void wheel_bring_near(Wheel *wheel)
{
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
        if (time - wheel->now < WHEEL_BUCKETS) {
            wheel_append(wheel, i, time);
            continue;
        }
        wheel->events[i].next = wheel->far;
        wheel->far = i;
        if (time < wheel->far_time) wheel->far_time = time;
    }
}
