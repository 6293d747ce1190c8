// Prefetch queues: what is dropped from a full queue, and where a prefetch waits for room.
#include "hooks/prefetch_queues.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { LENGTH = 4, LINE = 128, SECTOR = 32 };
static HdPrefetch memory[LENGTH];

// A queue of whole lines that drops its oldest line, and whose head waits for room.
static PrefetchQueues *one_queue(bool into_l2)
{
    PrefetchQueues *all = prefetch_queues_new(1);
    assert_non_null(all);
    memset(memory, 0, sizeof memory);
    prefetch_queues_add(all, memory, LENGTH,
                        &(HdPrefetching){.when_full = HD_DROP_OLDEST, .no_room = HD_WAIT,
                                         .into_l2 = into_l2});
    prefetch_queues_set_line(all, LINE, SECTOR, false);
    return all;
}

static bool push(PrefetchQueues *all, uint64_t line)
{
    return prefetch_queue_push(&all->items[0], line * LINE, (PrefetchTag){0});
}

// A hook of a look-up (on_prefetch, on_evict) prefetches too, and the queue is full: the line that
// is being looked up stays, and its next sector follows.
static void test_drop_in_look_up(void **state)
{
    (void)state;
    PrefetchQueues *all = one_queue(false);
    for (uint64_t line = 0; line < LENGTH; line++) assert_true(push(all, line));
    Prefetch next = prefetch_queues_first(all);
    assert_true(push(all, LENGTH));
    prefetch_queues_looked_up(all, &next, PREFETCH_REDUNDANT, 0);
    assert_int_equal(all->items[0].counted.queue_full, 1);
    assert_int_equal(prefetch_queues_first(all).address, SECTOR);
    for (unsigned sector = 1; sector < LINE / SECTOR; sector++)
        prefetch_queues_looked_up(all, &next, PREFETCH_REDUNDANT, 0);
    assert_int_equal(prefetch_queues_first(all).line, 2 * LINE);
    prefetch_queues_free(all);
}

// An address that an entry cannot hold is in no allocation. The last one that it holds comes back.
static void test_addresses(void **state)
{
    (void)state;
    PrefetchQueues *all = one_queue(false);
    const uint64_t end = UINT64_C(1) << 48;
    assert_false(push(all, end / LINE));
    assert_int_equal(all->items[0].counted.by_outcome[PREFETCH_UNALLOCATED], 1);
    assert_int_equal(all->items[0].waiting, 0);
    assert_true(push(all, end / LINE - 1));
    assert_int_equal(prefetch_queues_first(all).line, end - LINE);
    prefetch_queues_free(all);
}

// Whether the head waits after a look-up without room.
static bool waits(PrefetchQueues *all)
{
    push(all, 0);
    Prefetch next = prefetch_queues_first(all);
    return prefetch_queues_looked_up(all, &next, PREFETCH_NO_ROOM, 0);
}

// In a cache that is off nothing waits for room, which there never is. Prefetches for the L2 wait
// for room in the miss queue of their L1.
static void test_off(void **state)
{
    (void)state;
    for (unsigned into_l2 = 0; into_l2 < 2; into_l2++)
        for (unsigned l1 = 0; l1 < 2; l1++) {
            PrefetchQueues *all = one_queue(into_l2);
            assert_true(waits(all));
            prefetch_queues_set_off(all, true, l1);
            assert_int_equal(waits(all), into_l2 && l1);
            prefetch_queues_set_off(all, false, l1);
            assert_true(waits(all));
            prefetch_queues_free(all);
        }
}

// A stopped prefetch leaves the queue, also one that waits for room, with those of its sectors that
// were not looked up. If all are looked up together, the present ones are redundant.
static void test_stopped(void **state)
{
    (void)state;
    for (unsigned sectored = 0; sectored < 2; sectored++) {
        PrefetchQueues *all = one_queue(false);
        prefetch_queues_set_line(all, LINE, LINE / 4, sectored);
        push(all, 0);
        Prefetch next = prefetch_queues_first(all);
        if (!sectored) {
            assert_false(prefetch_queues_looked_up(all, &next, PREFETCH_REDUNDANT, 0));
            next = prefetch_queues_first(all);
        }
        assert_false(prefetch_queues_looked_up(all, &next, PREFETCH_STOPPED, sectored ? 7 : 0));
        assert_int_equal(all->items[0].waiting, 0);
        assert_int_equal(all->items[0].counted.stopped, 3);
        assert_int_equal(all->items[0].counted.redundant, 1);
        prefetch_queues_free(all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_drop_in_look_up),
        cmocka_unit_test(test_off), cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests_name("prefetch queues", tests, NULL, NULL);
}
