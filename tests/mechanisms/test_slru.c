// Segmented LRU, with the hits of short streams worked out by hand. Four ways. [a* b]: the stack of
// a set from its top; a is referenced.
#include "mechanism_rig.h"

#include <string.h>

// Loads the lines of a text, a letter each, and stores to those in capitals; "." between rounds.
// Returns "h" and "m" for each load.
static const char *run(Rig *rig, const char *lines)
{
    static char outcomes[64];
    char *to = outcomes;
    for (; *lines; lines++) {
        unsigned line = (unsigned)(*lines | 0x20) - 'a';
        if (*lines >= 'A' && *lines <= 'Z') {
            CacheAccess store = {.address = line * RIG_LINE, .write = true, .sectors = 0xf,
                                 .bytes = {UINT64_MAX, UINT64_MAX}};
            rig->hooks->current.access = (HdAccess){.line = store.address, .kind = HD_STORE};
            cache_access_warm(rig->cache, &store);
        } else {
            *to++ = *lines == '.' ? '.' : rig_hits(rig, line) ? 'h' : 'm';
        }
    }
    *to = 0;
    return outcomes;
}

static void start(Rig *rig, const char *text) { rig_init_sets(rig, HOOK_L1, text, 1, 4); }

// Two lines that were hit survive a scan of four: [d c a* b*], e replaces c, f replaces d.
static void test_scan(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, "slru:levels=l1");
    assert_string_equal(run(&rig, "abba.cdef.ab"), "mmhh.mmmm.hh");
    assert_int_equal(rig_counter(&rig, "replaced"), 2);
    assert_int_equal(rig_counter(&rig, "referenced"), 2);
    // [b* a* f e]; f: [f* b* a* e]. g replaces e, h replaces g: [h f* b* a*].
    assert_string_equal(run(&rig, "f.gh.ba"), "h.mm.hh");
    assert_int_equal(rig_counter(&rig, "replaced_referenced"), 0);
    // [a* b* h f*]; h: all are referenced. c replaces the lowest, f, and f replaces c.
    assert_string_equal(run(&rig, "h.cf.ab"), "h.mm.hh");
    assert_int_equal(rig_counter(&rig, "referenced"), 4);
    assert_int_equal(rig_counter(&rig, "replaced_referenced"), 1);
    rig_free(&rig);
}

// The same scan with ageing: [d c a* b*], e replaces c and b loses its mark, [e d a* b]; f replaces
// b and a loses its mark, [f e d a].
static void test_ageing(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, "slru:levels=l1,ageing=yes");
    assert_string_equal(run(&rig, "abba.cdef.ab"), "mmhh.mmmm.hm");
    assert_int_equal(rig_counter(&rig, "aged"), 2);
    assert_int_equal(rig_counter(&rig, "replaced_referenced"), 0);
    rig_free(&rig);
}

// A loop of five lines never hits, as with LRU, and one line that is used twice in each round
// stays.
static void test_loop(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, "slru:levels=l1");
    assert_string_equal(run(&rig, "zzabcde.zzabcde.zabcde"), "mhmmmmm.hhmmmmm.hmmmmm");
    rig_free(&rig);
}

// A store invalidates a line of [d c a* b*]: [d c b*]. e takes its way, unmarked, and is hit:
// [e* d c b*]. f replaces c, g replaces d, h replaces f.
static void test_invalidation(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, "slru:levels=l1");
    assert_string_equal(run(&rig, "abbacd.Aee.fgh.eb"), "mmhhmm.mh.mmm.hh");
    assert_int_equal(rig_counter(&rig, "referenced"), 3);
    rig_free(&rig);
}

// All new lines are marked at once: the order is LRU's. e replaces a.
static void test_promotion(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, "slru:levels=l1,promotion_probability=1");
    assert_string_equal(run(&rig, "abcd.e.bcd.a"), "mmmm.m.hhh.m");
    assert_int_equal(rig_counter(&rig, "promoted_at_random"), 6);
    rig_free(&rig);
}

// Adaptive bypass with segmented LRU: e bypasses [d c a* b*], and its pair has c as victim. LRU's
// would have been b.
static void test_adaptive_bypass(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, "adaptive-bypass:levels=l1,initial=1+slru:levels=l1");
    assert_string_equal(run(&rig, "abbacd.e.bc"), "mmhhmm.m.hh");
    assert_int_equal(rig_counter(&rig, "pairs"), 1);
    assert_int_equal(rig_counter(&rig, "victim_first"), 1);
    rig_free(&rig);
    start(&rig, "adaptive-bypass:levels=l1,initial=1");
    assert_string_equal(run(&rig, "abbacd.e.c"), "mmhhmm.m.h");
    assert_int_equal(rig_counter(&rig, "victim_first"), 0);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan),      cmocka_unit_test(test_ageing),
        cmocka_unit_test(test_loop),      cmocka_unit_test(test_invalidation),
        cmocka_unit_test(test_promotion), cmocka_unit_test(test_adaptive_bypass),
    };
    return cmocka_run_group_tests_name("segmented LRU", tests, NULL, NULL);
}
