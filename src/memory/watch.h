// Watchers of a cache. A cache reports what has happened, and does not know who watches: a trace,
// the shadow data, observers, mechanisms. Watchers decide nothing; a question to mechanisms is no
// event.
//
// Without a watcher a report costs one test, and the event is not even described.
//
// A cache reports on the host thread that runs its SM or slice, so several may report at the same
// time: a watcher that sees more than one of them has a state for each.
#ifndef HEDDLE_MEMORY_WATCH_H
#define HEDDLE_MEMORY_WATCH_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

// The events of a cache; each has a CacheEvent (memory/cache/controller.h).
typedef enum WatchKind {
    WATCH_ACCESS,     // an access was looked up; it may have stalled
    WATCH_FILL,       // data have come into the cache, or bypass it
    WATCH_EVICT,      // a line was replaced by another one
    WATCH_INVALIDATE, // sectors, or all lines, have left for another reason
    WATCH_STALL,      // an access has stalled for these cycles
    WATCH_KINDS
} WatchKind;

// Who watches, in the order of the reports. Mechanisms come last: they may change what the others
// look at.
typedef enum WatchRole {
    WATCHER_TRACE,
    WATCHER_SHADOW,
    WATCHER_OBSERVER, // any number of them, in the order in which they were added
    WATCHER_MECHANISMS
} WatchRole;

typedef struct Watcher {
    WatchRole role;
    uint32_t kinds; // bit k: sees events of WatchKind k
    void (*see)(void *self, WatchKind kind, const void *event);
    void *self;
} Watcher;

// The watchers of a cache. Zero: there are none. Free with watch_free.
typedef struct Watch {
    uint32_t kinds; // of all watchers
    Watcher *items; // in the order of the reports
    size_t count, capacity;
} Watch;

// Adds a watcher: while nothing is reported, between launches or as one begins. false and err: out
// of memory.
bool watch_add(Watch *watch, Watcher watcher, HdError *err);
// Removes what was added with this function and self, if it was.
void watch_remove(Watch *watch, void (*see)(void *self, WatchKind kind, const void *event),
                  const void *self);
void watch_free(Watch *watch);
// Reports an event to those that want its kind.
void watch_report(const Watch *watch, WatchKind kind, const void *event);

// Whether a watcher wants events of this kind.
static inline bool watch_wants(const Watch *watch, WatchKind kind)
{
    return __builtin_expect(watch->kinds >> kind & 1, 0);
}

// Reports an event if it is watched; `event` is evaluated only then.
#define WATCH(watch, kind, event)                                                                  \
    do {                                                                                           \
        if (watch_wants(watch, kind)) watch_report(watch, kind, event);                            \
    } while (0)

#endif
