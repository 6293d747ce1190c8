// The device heap: allocation, merging of free blocks, and invalid releases.
#include "exec/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BASE UINT64_C(0x100000400)

static GuestHeap *heap_of(uint64_t bytes)
{
    HdError err = {0};
    GuestHeap *heap = heap_new(BASE, bytes, &err);
    if (!heap) fail_msg("%s", err.text);
    return heap;
}

static void test_gives_multiples_of_16(void **state)
{
    (void)state;
    GuestHeap *h = heap_of(1024);
    assert_int_equal(heap_allocate(h, 1), BASE);
    assert_int_equal(heap_allocate(h, 17), BASE + 16);
    assert_int_equal(heap_allocate(h, 16), BASE + 48);
    assert_int_equal(heap_used(h), 64);
    assert_int_equal(heap_allocate(h, 0), 0);
    assert_int_equal(heap_allocate(h, UINT64_MAX), 0);
    assert_int_equal(heap_allocate(h, 961), 0); // 960 are left
    assert_int_equal(heap_allocate(h, 960), BASE + 64);
    assert_int_equal(heap_allocate(h, 1), 0);
    heap_free(h);
}

static void test_release(void **state)
{
    (void)state;
    GuestHeap *h = heap_of(256);
    uint64_t a = heap_allocate(h, 64), b = heap_allocate(h, 64), c = heap_allocate(h, 128);
    assert_int_equal(heap_allocate(h, 16), 0);
    assert_false(heap_release(h, a + 16)); // inside
    assert_false(heap_release(h, a + 8));
    assert_false(heap_release(h, BASE + 256)); // behind the heap
    assert_false(heap_release(h, BASE - 16));
    assert_true(heap_release(h, b));
    assert_false(heap_release(h, b)); // twice
    assert_int_equal(heap_allocate(h, 80), 0);
    assert_true(heap_release(h, a)); // joins b's 64 bytes
    assert_int_equal(heap_allocate(h, 128), a);
    assert_true(heap_release(h, a));
    assert_true(heap_release(h, c));
    assert_int_equal(heap_used(h), 0);
    assert_int_equal(heap_allocate(h, 256), BASE); // whole again
    heap_free(h);
}

// Many sizes in a drawn order: no overlap, and all free blocks merge in the end.
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 4000, BYTES = 1 << 20 };
    static struct { uint64_t at, bytes; } given[COUNT];
    static uint8_t taken[BYTES / 16];
    GuestHeap *h = heap_of(BYTES);
    uint64_t draw = 1;
    for (unsigned i = 0; i < 40 * COUNT; i++) {
        draw = draw * UINT64_C(6364136223846793005) + 1442695040888963407u;
        unsigned k = (unsigned)(draw >> 33) % COUNT;
        uint64_t units = (given[k].bytes + 15) / 16, first = (given[k].at - BASE) / 16;
        if (given[k].at) {
            assert_true(heap_release(h, given[k].at));
            for (uint64_t u = 0; u < units; u++) taken[first + u] = 0;
            given[k].at = 0;
            continue;
        }
        given[k].bytes = 1 + (draw >> 20) % ((draw & 15) ? 300 : 5000);
        given[k].at = heap_allocate(h, given[k].bytes);
        if (!given[k].at) continue;
        first = (given[k].at - BASE) / 16;
        units = (given[k].bytes + 15) / 16;
        assert_true(first + units <= BYTES / 16);
        for (uint64_t u = 0; u < units; u++) {
            assert_int_equal(taken[first + u], 0);
            taken[first + u] = 1;
        }
    }
    for (unsigned k = 0; k < COUNT; k++)
        if (given[k].at) assert_true(heap_release(h, given[k].at));
    assert_int_equal(heap_allocate(h, BYTES), BASE);
    heap_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gives_multiples_of_16),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
