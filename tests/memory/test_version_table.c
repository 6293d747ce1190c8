// The table of versions of writes: it recognises copies of lines that were written since the read.
#include "memory/slice/version_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ENTRIES = 64 }; // 8 sets

static VersionTable *made(void)
{
    VersionTable *table = version_table_new(ENTRIES);
    assert_non_null(table);
    return table;
}

static const uint64_t A = 0x12345680, B = 0x12345700; // neighbours, of different sets

// The nth line (1, 2, ...) from `from` on that shares A's set, but not its tag.
static uint64_t beside(const VersionTable *s, uint64_t from, unsigned n)
{
    for (uint64_t line = from + 128;; line += 128)
        if (version_table_set(s, line) == version_table_set(s, A) &&
            version_table_tag(line) != version_table_tag(A) && !--n)
            return line;
}

// A write makes older copies of its own line stale, and no others.
static void test_write(void **state)
{
    (void)state;
    VersionTable *s = made();
    assert_int_not_equal(version_table_set(s, A), version_table_set(s, B));
    assert_int_equal(version_table_set(s, A), version_table_set(s, A + 127));
    assert_int_equal(version_table_tag(A), version_table_tag(A + 127));
    uint32_t before = s->sequence;
    assert_false(version_table_is_stale(s, A, before));
    version_table_on_write(s, A + 4);
    assert_true(version_table_is_stale(s, A, before));
    assert_false(version_table_is_stale(s, B, before));
    uint32_t between = s->sequence;
    assert_false(version_table_is_stale(s, A, between));
    version_table_on_write(s, B);
    assert_false(version_table_is_stale(s, A, between));
    assert_true(version_table_is_stale(s, B, between));
    version_table_free(s);
}

// Lines of one set are distinguished.
static void test_same_set(void **state)
{
    (void)state;
    VersionTable *s = made();
    uint64_t other = beside(s, A, 1);
    version_table_on_write(s, other);
    assert_false(version_table_is_stale(s, A, 0));
    assert_true(version_table_is_stale(s, other, 0));
    version_table_on_write(s, A);
    assert_true(version_table_is_stale(s, A, 1));
    assert_false(version_table_is_stale(s, other, 1));
    version_table_free(s);
}

// A line with the same set and tag is rejected by mistake, because the two cannot be distinguished.
static void test_same_tag(void **state)
{
    (void)state;
    VersionTable *s = made();
    uint64_t other = A + 128;
    while (version_table_set(s, other) != version_table_set(s, A) ||
           version_table_tag(other) != version_table_tag(A))
        other += 128;
    version_table_on_write(s, other);
    assert_true(version_table_is_stale(s, A, 0));
    assert_false(version_table_is_stale(s, A, 1));
    version_table_free(s);
}

// The ninth line that is written in a set of eight ways replaces the one with the oldest write.
// From then on, copies of any line of the set that were read before that write are stale.
static void test_given_up(void **state)
{
    (void)state;
    VersionTable *s = made();
    uint64_t lines[VERSION_WAYS + 1], bystander = beside(s, A, VERSION_WAYS + 2);
    for (unsigned i = 0; i <= VERSION_WAYS; i++) lines[i] = beside(s, A, i + 1);
    for (unsigned i = 0; i < VERSION_WAYS; i++)
        version_table_on_write(s, lines[i]); // numbers 1 to 8
    version_table_on_write(s, lines[0]);     // 9: now number 2 is the oldest
    assert_false(version_table_is_stale(s, bystander, 0));
    version_table_on_write(s, lines[VERSION_WAYS]); // 10: replaces lines[1], which has number 2
    assert_true(version_table_is_stale(s, bystander, 1));
    assert_false(version_table_is_stale(s, bystander, 2));
    assert_true(version_table_is_stale(s, lines[1], 1));
    assert_false(version_table_is_stale(s, lines[1], 2));
    assert_true(version_table_is_stale(s, lines[0], 8));
    assert_true(version_table_is_stale(s, lines[2], 2));
    assert_false(version_table_is_stale(s, lines[2], 3));
    assert_false(version_table_is_stale(s, B, 0)); // another set
    version_table_free(s);
}

// The next kernel rejects data that were read in this one, even if nothing was written.
static void test_kernels(void **state)
{
    (void)state;
    VersionTable *s = made();
    version_table_on_kernel_begin(s);
    uint32_t first = s->sequence;
    assert_false(version_table_is_stale(s, A, first));
    version_table_on_kernel_begin(s);
    assert_true(version_table_is_stale(s, A, first));
    assert_false(version_table_is_stale(s, A, s->sequence));
    version_table_free(s);
}

// After the last number the table stays full: all copies are stale.
static void test_overflow(void **state)
{
    (void)state;
    VersionTable *s = made();
    s->sequence = UINT32_MAX - 2;
    version_table_on_write(s, B);
    assert_false(version_table_is_stale(s, A, s->sequence));
    version_table_on_write(s, B);
    assert_int_equal(s->sequence, UINT32_MAX);
    assert_true(version_table_is_stale(s, A, s->sequence));
    version_table_on_write(s, A);
    version_table_on_kernel_begin(s);
    assert_int_equal(s->sequence, UINT32_MAX);
    assert_true(version_table_is_stale(s, B, UINT32_MAX));
    version_table_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write),    cmocka_unit_test(test_same_set),
        cmocka_unit_test(test_same_tag), cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_kernels),  cmocka_unit_test(test_overflow)};
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
