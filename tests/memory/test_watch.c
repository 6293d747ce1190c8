// Watchers of a stage: the order of reports, removal, and the host out of memory.
#include "memory/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool exhausted;

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return exhausted ? NULL : __real_realloc(old, bytes);
}

static char seen[64];

// self: a letter.
static void see(void *self, WatchKind kind, const void *event)
{
    (void)kind;
    strncat(seen, self, 1);
    strncat(seen, event, 1);
}

static void add(Watch *watch, WatchRole role, uint32_t kinds, char *self)
{
    HdError err = {0};
    if (!watch_add(watch, (Watcher){role, kinds, see, self}, &err)) fail_msg("%s", err.text);
}

enum { ACCESS = 1u << WATCH_ACCESS, EVICT = 1u << WATCH_EVICT };

static const char *reported(const Watch *watch, WatchKind kind)
{
    *seen = '\0';
    WATCH(watch, kind, "!");
    return seen;
}

// By role; observers in the order in which they were added.
static void test_order(void **state)
{
    (void)state;
    Watch watch = {0};
    assert_string_equal(reported(&watch, WATCH_ACCESS), "");
    add(&watch, WATCHER_MECHANISMS, ACCESS, "m");
    add(&watch, WATCHER_OBSERVER, ACCESS | EVICT, "a");
    add(&watch, WATCHER_TRACE, ACCESS, "t");
    add(&watch, WATCHER_OBSERVER, EVICT, "b");
    add(&watch, WATCHER_OBSERVER, ACCESS, "c");
    add(&watch, WATCHER_SHADOW, ACCESS, "s");
    assert_string_equal(reported(&watch, WATCH_ACCESS), "t!s!a!c!m!");
    assert_string_equal(reported(&watch, WATCH_EVICT), "a!b!");
    assert_string_equal(reported(&watch, WATCH_FILL), "");
    assert_false(watch_wants(&watch, WATCH_FILL));
    watch_free(&watch);
    assert_int_equal(watch.kinds, 0);
}

static void test_removal(void **state)
{
    (void)state;
    Watch watch = {0};
    char *a = "a", *b = "b", *c = "c";
    add(&watch, WATCHER_OBSERVER, ACCESS, a);
    add(&watch, WATCHER_OBSERVER, EVICT, b);
    add(&watch, WATCHER_OBSERVER, ACCESS, c);
    watch_remove(&watch, see, b);
    assert_false(watch_wants(&watch, WATCH_EVICT));
    assert_string_equal(reported(&watch, WATCH_ACCESS), "a!c!");
    watch_remove(&watch, see, b); // it is not there any more
    assert_string_equal(reported(&watch, WATCH_ACCESS), "a!c!");
    watch_remove(&watch, see, a);
    watch_remove(&watch, see, c);
    assert_int_equal(watch.kinds, 0);
    watch_free(&watch);
}

// The watchers that are there stay.
static void test_out_of_memory(void **state)
{
    (void)state;
    Watch watch = {0};
    HdError err = {0};
    unsigned added = 0;
    while (watch.count < watch.capacity || !watch.capacity)
        add(&watch, WATCHER_OBSERVER, ACCESS, "a"), added++;
    exhausted = true;
    bool more = watch_add(&watch, (Watcher){WATCHER_TRACE, EVICT, see, "t"}, &err);
    exhausted = false;
    assert_false(more);
    assert_string_equal(err.text, "out of memory while adding a watcher");
    assert_int_equal(watch.count, added);
    assert_false(watch_wants(&watch, WATCH_EVICT));
    assert_int_equal(strlen(reported(&watch, WATCH_ACCESS)), 2 * added);
    watch_free(&watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_removal),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
