// Tables of instruments: any number of entries by key, and an allocation that fails.
#include "hooks/keyed_entries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static bool out_of_memory;
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return out_of_memory ? NULL : __real_calloc(count, size);
}

// Keys that lie a line apart, far more than fit at first.
static void test_growing(void **state)
{
    (void)state;
    enum { KEYS = 10000 };
    Remembered r;
    bool fresh;
    assert_true(remembered_init(&r, sizeof(uint32_t)));
    for (uint32_t n = 0; n < KEYS; n++) {
        uint32_t *entry = remembered_find(&r, n * UINT64_C(128), &fresh);
        assert_true(fresh);
        assert_int_equal(*entry, 0);
        *entry = n;
    }
    for (uint32_t n = 0; n < KEYS; n++) {
        uint32_t *entry = remembered_find(&r, n * UINT64_C(128), &fresh);
        assert_false(fresh);
        assert_int_equal(*entry, n);
    }
    assert_int_equal(r.count, KEYS);
    remembered_free(&r);
}

// A table that cannot grow reports failure from then on, and loses no entry.
static void test_out_of_memory(void **state)
{
    (void)state;
    Remembered r;
    bool fresh;
    assert_true(remembered_init(&r, 1));
    out_of_memory = true;
    uint64_t key = 0;
    while (remembered_find(&r, key, &fresh)) key++;
    assert_int_equal(key, 512); // half of the first 1024 places
    out_of_memory = false;
    assert_true(r.failed);
    assert_null(remembered_find(&r, 0, &fresh));
    remembered_free(&r);
    out_of_memory = true;
    assert_false(remembered_init(&r, 1));
    out_of_memory = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growing),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests_name("remembered", tests, NULL, NULL);
}
