// Memory in granules: addresses of allocations, allowed accesses, reuse of numbers and addresses.
#include "exec/granules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BASE (GUEST_GLOBAL_BASE + GRANULE_BYTES) // after the driver's granule

static GuestMemory memory;
static HdError err;

static int begin(void **state)
{
    (void)state;
    return !guest_init(&memory, &err) || !guest_use_granules(&memory, &err);
}

static int end(void **state)
{
    (void)state;
    guest_free(&memory);
    return 0;
}

static uint64_t take(uint64_t bytes, const char *name)
{
    uint64_t at = guest_allocate(&memory, bytes, name, &err);
    if (!at) fail_msg("%s", err.text);
    return at;
}

static unsigned array_at(uint64_t address, uint64_t bytes)
{
    uint16_t hint = GUEST_NO_ALLOCATION;
    return guest_find(&memory, address, bytes, &hint);
}

static void test_places(void **state)
{
    (void)state;
    uint64_t mib = 1 << 20;
    assert_int_equal(take(4, "a"), BASE);
    assert_int_equal(take(513, "b"), BASE + 512);
    assert_int_equal(take(0, "none"), BASE + 1536);
    assert_int_equal(take(mib, "c"), BASE + 2048);
    assert_int_equal(take(mib + 1, "large"), BASE + 2 * mib); // a granule of its own
    assert_int_equal(take(mib, "d"), BASE + 4 * mib);         // the first granule has no room
    assert_int_equal(take(5 * mib, "larger"), BASE + 6 * mib); // three granules
    assert_int_equal(take(8, "e"), BASE + 5 * mib);
    assert_int_equal(take(2 * mib, "f"), BASE + 12 * mib);
    assert_int_equal(guest_bytes_in_use(&memory), 14 * mib);
    assert_int_equal(array_at(BASE, 4), 0);
    assert_int_equal(array_at(BASE, 5), GUEST_NO_ALLOCATION);
    assert_int_equal(array_at(BASE + 512 + 512, 1), 1);
    assert_int_equal(array_at(BASE + 1536, 1), GUEST_NO_ALLOCATION);
    assert_int_equal(array_at(BASE + 3 * mib, 1), 4);
    assert_int_equal(array_at(BASE + 3 * mib, 2), GUEST_NO_ALLOCATION);
    assert_int_equal(array_at(BASE + 11 * mib - 8, 8), 6);
    assert_int_equal(array_at(BASE - 1, 1), GUEST_NO_ALLOCATION);
    assert_int_equal(array_at(BASE + 14 * mib, 1), GUEST_NO_ALLOCATION);
    uint64_t base, bytes;
    assert_true(guest_range(&memory, BASE + 7 * mib, &base, &bytes));
    assert_int_equal(base, BASE + 6 * mib);
    assert_int_equal(bytes, 5 * mib);
    assert_false(guest_range(&memory, BASE + 11 * mib, &base, &bytes));
}

static void test_lenient(void **state)
{
    (void)state;
    uint64_t mib = 1 << 20, a = take(100, "a"), b = take(3 * mib, "b");
    assert_false(guest_allows_overrun(&memory, a + 100, 4)); // off by default
    memory.allow_overrun = true;
    assert_true(guest_allows_overrun(&memory, a + 100, 4));
    assert_true(guest_allows_overrun(&memory, a + 2 * mib - 4, 8)); // from a's granule into b's
    assert_true(guest_allows_overrun(&memory, b + 4 * mib - 4, 4));
    assert_false(guest_allows_overrun(&memory, b + 4 * mib - 4, 8));
    assert_true(guest_allows_overrun(&memory, BASE - 4, 8)); // from the driver's granule
    assert_true(guest_allows_overrun(&memory, GUEST_GLOBAL_BASE, 4));
    assert_int_equal(*guest_host(&memory, GUEST_GLOBAL_BASE), 0);
    assert_false(guest_allows_overrun(&memory, GUEST_GLOBAL_BASE - 4, 8));
    assert_false(guest_allows_overrun(&memory, UINT64_MAX - 1, 8));
    assert_true(guest_release(&memory, b));
    assert_false(guest_allows_overrun(&memory, b, 4));
    assert_true(guest_release(&memory, a));
    assert_false(guest_allows_overrun(&memory, a, 4)); // nothing is live in its granule
    assert_true(guest_allows_overrun(&memory, BASE - 4, 4));
    assert_int_equal(guest_bytes_in_use(&memory), 0);
}

static void expect_near(uint64_t address, const char *wanted)
{
    char text[256];
    guest_nearest(&memory, address, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void test_nearest(void **state)
{
    (void)state;
    expect_near(BASE, "nothing is allocated");
    uint64_t a = take(100, "a"), b = take(100, "b");
    expect_near(a + 112, "12 bytes past the end of \"a\" (0x100200000, 100 bytes)");
    expect_near(a + 500, "12 bytes before the start of \"b\" (0x100200200, 100 bytes)");
    assert_true(guest_release(&memory, b));
    assert_false(guest_release(&memory, b));
    assert_false(guest_release(&memory, a + 4));
    expect_near(b + 4, "4 bytes into \"b\" (0x100200200, 100 bytes), which is released");
}

// A released address is not used again before the whole region has been used.
static void test_ring(void **state)
{
    (void)state;
    memory.reserved = UINT64_C(66) << 20; // 32 granules and that of the driver
    guest_free(&memory);
    assert_true(guest_init(&memory, &err));
    memory.reserved = UINT64_C(66) << 20;
    assert_true(guest_use_granules(&memory, &err));
    uint64_t granule = GRANULE_BYTES, keep = take(granule, "keep");
    for (unsigned i = 0; i < 10; i++) {
        uint64_t at = take(3 * granule, "a");
        assert_int_equal(at, keep + granule + i * 3 * granule);
        *guest_host(&memory, at + 5) = 9;
        assert_true(guest_release(&memory, at));
        assert_int_equal(array_at(at, 1), GUEST_NO_ALLOCATION);
    }
    uint64_t at = take(3 * granule, "a"); // one granule is left at the end
    assert_int_equal(at, keep + granule);
    assert_int_equal(*guest_host(&memory, at + 5), 0);
    assert_int_equal(guest_allocate(&memory, 29 * granule, "b", &err), 0);
    assert_true(strstr(err.text, "\"b\"") != NULL);
    assert_int_equal(take(28 * granule, "b"), keep + 4 * granule);
    assert_int_equal(guest_allocate(&memory, 1, "c", &err), 0);
    assert_true(guest_release(&memory, at));
    assert_int_equal(take(1, "c"), keep + granule);
    memory.reserved = GUEST_GLOBAL_SIZE; // guest_free unmaps the whole region
}

// 100,000 allocations and releases, many of them at once; one terabyte in total.
static void test_many(void **state)
{
    (void)state;
    enum { LIVE = 3000 };
    static uint64_t at[LIVE], bytes[LIVE];
    uint64_t draw = 7, sum = 0;
    for (unsigned i = 0; i < 100000; i++) {
        draw = draw * UINT64_C(6364136223846793005) + 1442695040888963407u;
        unsigned k = (unsigned)(draw >> 33) % LIVE;
        if (at[k]) {
            assert_int_not_equal(array_at(at[k] + bytes[k] - 1, 1), GUEST_NO_ALLOCATION);
            assert_true(guest_release(&memory, at[k]));
        }
        bytes[k] = 1 + (draw >> 13) % ((draw >> 40 & 63) ? 9000 : 1900 << 20);
        char name[32];
        snprintf(name, sizeof name, "cudaMalloc #%u, a.cu:%u", i, k % 7);
        at[k] = take(bytes[k], name);
        assert_int_equal(*guest_host(&memory, at[k]), 0);
        *guest_host(&memory, at[k]) = 1;
        sum += bytes[k];
    }
    assert_true(sum > UINT64_C(1) << 40);
    assert_true(memory.allocation_count <= 1024);
    // No overlap: each byte belongs to one allocation.
    for (unsigned k = 0; k < LIVE; k++) {
        uint64_t base, size;
        if (!at[k]) continue;
        assert_true(guest_range(&memory, at[k], &base, &size));
        assert_int_equal(base, at[k]);
        assert_int_equal(size, bytes[k]);
        assert_true(guest_release(&memory, at[k]));
    }
    assert_int_equal(memory.live, 0);
    assert_int_equal(guest_bytes_in_use(&memory), 0);
    memset(at, 0, sizeof at);
}

static void test_numbers(void **state)
{
    (void)state;
    uint64_t a = take(8, "cudaMalloc #1, a.cu:5"), b = take(8, "cudaMalloc #2, a.cu:5");
    assert_int_equal(array_at(b, 8), 1); // both are live
    assert_true(guest_release(&memory, a));
    a = take(8, "cudaMalloc #3, a.cu:5");
    assert_int_equal(array_at(a, 8), 0);
    assert_string_equal(memory.allocations[0].name, "cudaMalloc #1, a.cu:5");
    assert_int_equal(array_at(take(8, "cudaMalloc #4, a.cu:6"), 8), 2);
    assert_int_equal(array_at(guest_allocate_at(&memory, 8, "x", 77, &err), 8), 3);
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t at = guest_allocate_at(&memory, 8, "x", 77, &err);
        assert_int_equal(array_at(at, 8), i < 1020 ? 4 + i : 1023);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_places, begin, end),
        cmocka_unit_test_setup_teardown(test_lenient, begin, end),
        cmocka_unit_test_setup_teardown(test_nearest, begin, end),
        cmocka_unit_test_setup_teardown(test_numbers, begin, end),
        cmocka_unit_test_setup_teardown(test_ring, begin, end),
        cmocka_unit_test_setup_teardown(test_many, begin, end),
    };
    return cmocka_run_group_tests_name("granules", tests, NULL, NULL);
}
