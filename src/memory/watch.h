// Watchers of a stage. A stage reports what has happened, and does not know who watches: a trace,
// the shadow data, mechanisms. Watchers decide nothing; a question to mechanisms is no event.
//
// Without a watcher a report costs one test, and the event is not even described.
#ifndef HEDDLE_MEMORY_WATCH_H
#define HEDDLE_MEMORY_WATCH_H

#include <stdint.h>

// The events of a cache; each has a CacheEvent (memory/cache/controller.h).
typedef enum WatchKind {
    WATCH_ACCESS, // an access was looked up; it may have stalled
    WATCH_FILL,   // data have come into the cache, or bypass it
    WATCH_STALL,  // an access that stalled is tried again
    WATCH_KINDS
} WatchKind;

// Who watches, in the order of the reports. Mechanisms come last: they may change what the others
// look at.
typedef enum WatchRole {
    WATCHER_TRACE,
    WATCHER_SHADOW,
    WATCHER_MECHANISMS,
    WATCHER_ROLES
} WatchRole;

typedef struct Watcher {
    uint32_t kinds; // bit k: sees events of WatchKind k; 0: does not watch
    void (*see)(void *self, WatchKind kind, const void *event);
    void *self;
} Watcher;

// The watchers of a stage, at most one of each role. Zero: there are none.
typedef struct Watch {
    uint32_t kinds; // of all watchers
    Watcher by_role[WATCHER_ROLES];
} Watch;

// The watcher of a role from now on, instead of the one before.
void watch_set(Watch *watch, WatchRole role, Watcher watcher);
// Reports an event to those that want its kind.
void watch_report(const Watch *watch, WatchKind kind, const void *event);

// Reports an event if it is watched; `event` is evaluated only then.
#define WATCH(watch, kind, event)                                                                  \
    do {                                                                                           \
        if (__builtin_expect((watch)->kinds >> (kind) & 1, 0))                                     \
            watch_report(watch, kind, event);                                                      \
    } while (0)

#endif
