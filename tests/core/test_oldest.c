// The oldest of a scheduler's warps (GTO, two levels), when warps start in any slots, again and
// again.
#include "support/scratch.h"

#include "base/random.h"
#include "core/issue/pick.h"

#include <stdlib.h>

enum { WORDS = 2, SLOTS = WORDS * 64, STARTS = 5000 };

typedef struct Rig {
    Scheduler scheduler;
    Warp *warps[SLOTS];
    Warp of[SLOTS];
    uint64_t table[SLOTS], key[SLOTS];
} Rig;

static unsigned oldest_by_age(const Rig *rig, unsigned words, const WarpSet *set)
{
    unsigned best = SLOTS;
    for (unsigned i = 0; i < words * 64; i++)
        if (warpset_has(set, i) && (best == SLOTS || rig->of[i].age < rig->of[best].age)) best = i;
    return best;
}

static void test_oldest(void **state)
{
    (void)state;
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->scheduler.warps = rig->warps;
    rig->scheduler.before = rig->scheduler.table = rig->table;
    rig->scheduler.key = rig->key;
    for (unsigned i = 0; i < SLOTS; i++) {
        rig->warps[i] = &rig->of[i];
        rig->of[i] = (Warp){.issue.home = &rig->scheduler, .issue.local = (uint16_t)i,
                            .issue.bit = UINT64_C(1) << i % 64};
    }
    WarpSet started = {0};
    for (uint64_t age = 0; age < STARTS; age++) {
        unsigned slot = (unsigned)(random_draw(1, 0, 0, age) % SLOTS);
        rig->of[slot].age = age;
        issue_note_start(&rig->of[slot]);
        warpset_add(&started, slot);
        WarpSet set = {0};
        for (unsigned k = 0; k < WORDS; k++)
            set.word[k] = started.word[k] & random_draw(1, 1, k, age);
        if (warpset_any(&set, WORDS))
            assert_int_equal(pick_first(&rig->scheduler, WORDS, &set),
                             oldest_by_age(rig, WORDS, &set));
        if (set.word[0])
            assert_int_equal(first_of(&rig->scheduler, 0, set.word[0]),
                             oldest_by_age(rig, 1, &set));
    }
    free(rig);
}

// With LRR the scheduler has no table of who is older.
static void test_without_ages(void **state)
{
    (void)state;
    Scheduler scheduler = {0};
    const Warp w = {.issue.home = &scheduler, .issue.bit = 1};
    issue_note_start(&w);
    assert_null(scheduler.before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_oldest),
                                       cmocka_unit_test(test_without_ages)};
    return cmocka_run_group_tests_name("core oldest", tests, NULL, NULL);
}
