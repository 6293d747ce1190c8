// The Memory Access Table (lakshminarayana2014, section 4.5.1) on accesses whose fate follows from
// the counts by hand. Four counters, macroblocks of 1 KB, f = 0.99.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

static void rig_init(Rig *rig, const char *text)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, HOOK_L1, 0, 1, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

// Served accesses to an address.
static void use(Rig *rig, uint64_t address, HdKind kind, unsigned times)
{
    rig->hooks->access = (HdAccess){.line = address, .kind = (uint8_t)kind};
    for (unsigned i = 0; i < times; i++) cache_hooks_served(rig->hooks, HD_HIT, HD_NO_INDEX);
}

// Where the data of a load go for which the line `victim` would have to leave.
static HdInsertion ask(Rig *rig, uint64_t address, uint64_t victim)
{
    rig->hooks->access = (HdAccess){.line = address, .kind = HD_LOAD};
    return cache_hooks_fill(rig->hooks, &(HdEviction){.line = victim});
}

static uint64_t counter(const Rig *rig, size_t index)
{
    return cache_hooks_counter(rig->hooks, &rig->plan.items[0], index);
}
enum { ACCESSES, HALVINGS };

// Macroblocks with a counter each; E has A's.
static const uint64_t A = 0, B = 1024, C = 2048, E = 4096;
static const char *const small = "mat:levels=l1,entries=4";

// The load is the first access to B: it goes past where A has had 2, and not where A has had 1.
// B's second is asked about after its first: 2 of 2 are inserted, 2 of 3 go past.
static void test_fewer_go_past(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, small);
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(ask(&rig, B, A), HD_INSERT); // 1 < 0.99 x 1
    use(&rig, A + 896, HD_LOAD, 1); // another line of A's macroblock
    for (unsigned i = 0; i < 3; i++) assert_int_equal(ask(&rig, B, A), HD_BYPASS); // 1 < 1.98
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(ask(&rig, B, A), HD_INSERT); // 2 < 1.98
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(ask(&rig, B, A), HD_BYPASS); // 2 < 2.97
    assert_int_equal(ask(&rig, B, C), HD_INSERT); // 2 < 0
    assert_int_equal(counter(&rig, ACCESSES), 4); // asked 8 times, but served 4
    rig_free(&rig);
}

// Every access counts, not only loads. Where nothing leaves, or a line with the same counter does,
// there is nothing to compare.
static void test_what_counts(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, small);
    use(&rig, A, HD_STORE, 1);
    use(&rig, A, HD_ATOMIC, 1);
    assert_int_equal(ask(&rig, B, A), HD_BYPASS);
    assert_int_equal(cache_hooks_fill(rig.hooks, NULL), HD_INSERT);
    assert_int_equal(ask(&rig, A + 128, A), HD_INSERT);
    assert_int_equal(ask(&rig, E, A), HD_INSERT);
    use(&rig, E, HD_LOAD, 1); // in A's counter
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(ask(&rig, B, A), HD_BYPASS); // 2 < 2.97
    rig_free(&rig);
}

// A counter holds 255 and stays there: with 300 accesses of A, B goes past up to its 252nd access,
// as 252 < 0.99 x 255 = 252.45.
static void test_saturation(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, small);
    use(&rig, A, HD_LOAD, 300);
    use(&rig, B, HD_LOAD, 251);
    assert_int_equal(ask(&rig, B, A), HD_BYPASS);
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(ask(&rig, B, A), HD_INSERT);
    use(&rig, B, HD_LOAD, 100);
    assert_int_equal(ask(&rig, A, B), HD_INSERT); // both full
    assert_int_equal(counter(&rig, HALVINGS), 0);
    rig_free(&rig);
}

// With overflow=halve the 256th access halves all of them first: A has 127 + 1, B, of 5, has 2, C,
// of 1, none. B's 126th then is the first that 0.99 x 128 = 126.72 does not let past: 127.
static void test_halving(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "mat:levels=l1,entries=4,overflow=halve");
    use(&rig, B, HD_LOAD, 5);
    use(&rig, C, HD_LOAD, 1);
    use(&rig, A, HD_LOAD, 255);
    assert_int_equal(counter(&rig, HALVINGS), 0);
    assert_int_equal(ask(&rig, C, B), HD_BYPASS); // 2 < 4.95
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(counter(&rig, HALVINGS), 1);
    assert_int_equal(ask(&rig, C, B), HD_BYPASS); // 1 < 1.98
    use(&rig, C, HD_LOAD, 1);
    assert_int_equal(ask(&rig, C, B), HD_INSERT); // 2 < 1.98: C had none left
    use(&rig, B, HD_LOAD, 123);
    assert_int_equal(ask(&rig, B, A), HD_BYPASS); // 126 < 126.72
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(ask(&rig, B, A), HD_INSERT); // 127
    use(&rig, A, HD_LOAD, 127); // from 128 to 255
    assert_int_equal(counter(&rig, HALVINGS), 1);
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(counter(&rig, HALVINGS), 2);
    rig_free(&rig);
}

// f, and the size of a macroblock.
static void test_parameters(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "mat:levels=l1,entries=4,fraction=0.5,macroblock=128");
    use(&rig, A, HD_LOAD, 2);
    assert_int_equal(ask(&rig, 128, A), HD_INSERT); // 1 < 0.5 x 2
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(ask(&rig, 128, A), HD_BYPASS); // 1 < 1.5
    assert_int_equal(ask(&rig, 512, A), HD_INSERT); // the fifth macroblock has the first's
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fewer_go_past), cmocka_unit_test(test_what_counts),
        cmocka_unit_test(test_saturation), cmocka_unit_test(test_halving),
        cmocka_unit_test(test_parameters)};
    return cmocka_run_group_tests_name("memory access table", tests, NULL, NULL);
}
