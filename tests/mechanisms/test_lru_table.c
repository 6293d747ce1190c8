// The table of prefetchers with many entries: compared with a search through all entries.
#include "mechanisms/shared/lru_table.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { ENTRIES = 13, STEPS = 20000 };

typedef struct Tables {
    LruEntry entries[ENTRIES];
    LruUse use;
    uint64_t numbers[ENTRIES];
    LruTable table;
    // The same by search: keys, and when each entry was used.
    LruKey keys[ENTRIES];
    uint64_t times[ENTRIES], now;
    uint32_t used;
} Tables;

static void tables_init(Tables *t, bool numbers)
{
    memset(t, 0, sizeof *t);
    t->table = (LruTable){t->entries, &t->use, numbers ? t->numbers : NULL, ENTRIES};
}

static bool equal(LruKey a, LruKey b)
{
    return a.warp_slot == b.warp_slot && a.number == b.number;
}

static uint32_t search(const Tables *t, LruKey key)
{
    for (uint32_t i = 0; i < t->used; i++)
        if (equal(t->keys[i], key)) return i;
    return LRU_NONE;
}

static uint32_t add_by_search(Tables *t, LruKey key)
{
    uint32_t at = 0;
    if (t->used < ENTRIES) {
        at = t->used++;
    } else {
        for (uint32_t i = 0; i < ENTRIES; i++)
            if (t->times[i] < t->times[at]) at = i;
    }
    t->keys[at] = key;
    t->times[at] = ++t->now;
    return at;
}

// Random keys, of which the table holds a fifth: the same entry is found, or makes room.
static void test_unique(void **state)
{
    (void)state;
    Tables t;
    tables_init(&t, true);
    unsigned found = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        // Numbers at both ends of their range, each with each of 16 warp slots.
        uint64_t draw = random_draw(1, 0, 0, step), number = draw / 16 % 2;
        LruKey key = {(uint16_t)(HD_MAX_WARPS - 1 - draw % 16 * 8),
                      draw / 32 % 2 ? number : UINT64_MAX - number};
        bool fresh;
        uint32_t at = lru_find_or_add(&t.table, key, &fresh), expected = search(&t, key);
        assert_int_equal(fresh, expected == LRU_NONE);
        if (fresh) expected = add_by_search(&t, key);
        else t.times[expected] = ++t.now;
        assert_int_equal(at, expected);
        found += !fresh;
    }
    assert_in_range(found, STEPS / 8, STEPS / 2);
}

// Several entries with one key: all are found, each once. Some are used in between.
static void test_equal_keys(void **state)
{
    (void)state;
    Tables t;
    tables_init(&t, false);
    for (uint64_t step = 0; step < STEPS; step++) {
        LruKey key = {.warp_slot = (uint16_t)(random_draw(1, 0, 1, step) % 4)};
        uint32_t seen = 0, expected = 0;
        for (uint32_t at = lru_find(&t.table, key); at != LRU_NONE;
             at = lru_find_next(&t.table, at)) {
            assert_false(seen & 1u << at);
            seen |= 1u << at;
        }
        for (uint32_t i = 0; i < t.used; i++) expected |= (uint32_t)equal(t.keys[i], key) << i;
        assert_int_equal(seen, expected);
        uint32_t at = (uint32_t)(random_draw(1, 0, 2, step) % ENTRIES);
        if (step % 3 && at < t.used) {
            lru_use(&t.table, at);
            t.times[at] = ++t.now;
        } else {
            assert_int_equal(lru_add(&t.table, key), add_by_search(&t, key));
        }
    }
    assert_int_equal(t.used, ENTRIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unique),
                                       cmocka_unit_test(test_equal_keys)};
    return cmocka_run_group_tests_name("LRU table", tests, NULL, NULL);
}
