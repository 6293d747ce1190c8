// Stamps of writes: no line that was written since it was read gets in.
#include "memory/stamps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static Stamps *made(void)
{
    Stamps *stamps = calloc(1, sizeof *stamps);
    assert_non_null(stamps);
    return stamps;
}

static const uint64_t A = 0x12345680, B = 0x12345700; // neighbours, of different entries

// A write makes copies stale that were read before it, of its own line only.
static void test_write(void **state)
{
    (void)state;
    Stamps *s = made();
    assert_int_not_equal(stamps_entry(A), stamps_entry(B));
    assert_int_equal(stamps_entry(A), stamps_entry(A + 127));
    uint32_t before = s->sequence;
    assert_false(stamps_stale(s, A, before));
    stamps_write(s, A + 4);
    assert_true(stamps_stale(s, A, before));
    assert_false(stamps_stale(s, B, before));
    uint32_t between = s->sequence;
    assert_false(stamps_stale(s, A, between));
    stamps_write(s, B);
    assert_false(stamps_stale(s, A, between));
    assert_true(stamps_stale(s, B, between));
    free(s);
}

// Another line with the same entry: refused in error, as its writes cannot be told apart.
static void test_shared_entry(void **state)
{
    (void)state;
    Stamps *s = made();
    uint64_t other = A + 128;
    while (stamps_entry(other) != stamps_entry(A)) other += 128;
    stamps_write(s, other);
    assert_true(stamps_stale(s, A, 0));
    assert_false(stamps_stale(s, A, 1));
    free(s);
}

// The next kernel refuses what was read for this one, also where nobody wrote.
static void test_kernels(void **state)
{
    (void)state;
    Stamps *s = made();
    stamps_begin(s);
    uint32_t first = s->sequence;
    assert_false(stamps_stale(s, A, first));
    stamps_begin(s);
    assert_true(stamps_stale(s, A, first));
    assert_false(stamps_stale(s, A, s->sequence));
    free(s);
}

// Numbers that are out stay out: from then on nothing is let in.
static void test_overflow(void **state)
{
    (void)state;
    Stamps *s = made();
    s->sequence = UINT32_MAX - 2;
    stamps_write(s, B);
    assert_false(stamps_stale(s, A, s->sequence));
    stamps_write(s, B);
    assert_int_equal(s->sequence, UINT32_MAX);
    assert_true(stamps_stale(s, A, s->sequence));
    stamps_write(s, A);
    stamps_begin(s);
    assert_int_equal(s->sequence, UINT32_MAX);
    assert_true(stamps_stale(s, B, UINT32_MAX));
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write), cmocka_unit_test(test_shared_entry),
        cmocka_unit_test(test_kernels), cmocka_unit_test(test_overflow)};
    return cmocka_run_group_tests_name("stamps", tests, NULL, NULL);
}
