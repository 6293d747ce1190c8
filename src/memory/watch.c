// Watchers of a stage: their list, and reports to them.
#include "memory/watch.h"

#include "base/memory.h"

#include <stdlib.h>

static void note_kinds(Watch *watch)
{
    watch->kinds = 0;
    for (size_t i = 0; i < watch->count; i++) watch->kinds |= watch->items[i].kinds;
}

bool watch_add(Watch *watch, Watcher watcher, HdError *err)
{
    if (!hd_reserve(&watch->items, watch->count, &watch->capacity, sizeof *watch->items))
        return hd_fail_memory(err, "adding a watcher");
    size_t at = watch->count++;
    for (; at && watch->items[at - 1].role > watcher.role; at--)
        watch->items[at] = watch->items[at - 1];
    watch->items[at] = watcher;
    note_kinds(watch);
    return true;
}

void watch_remove(Watch *watch, void (*see)(void *self, WatchKind kind, const void *event),
                  const void *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < watch->count; i++)
        if (watch->items[i].see != see || watch->items[i].self != self)
            watch->items[kept++] = watch->items[i];
    watch->count = kept;
    note_kinds(watch);
}

void watch_free(Watch *watch)
{
    free(watch->items);
    *watch = (Watch){0};
}

void watch_report(const Watch *watch, WatchKind kind, const void *event)
{
    for (size_t i = 0; i < watch->count; i++) {
        const Watcher *watcher = &watch->items[i];
        if (watcher->kinds >> kind & 1) watcher->see(watcher->self, kind, event);
    }
}
