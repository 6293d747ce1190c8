// Watchers of a stage: their list, and reports to them.
#include "memory/watch.h"

void watch_set(Watch *watch, WatchRole role, Watcher watcher)
{
    watch->by_role[role] = watcher;
    watch->kinds = 0;
    for (unsigned i = 0; i < WATCHER_ROLES; i++) watch->kinds |= watch->by_role[i].kinds;
}

void watch_report(const Watch *watch, WatchKind kind, const void *event)
{
    for (unsigned i = 0; i < WATCHER_ROLES; i++) {
        const Watcher *watcher = &watch->by_role[i];
        if (watcher->kinds >> kind & 1) watcher->see(watcher->self, kind, event);
    }
}
