// Re-reference interval prediction (Jaleel and others, ISCA 2010, section 4), with the hits of
// short streams worked out by hand. p: the predictions of the ways, in their order.
#include "mechanism_rig.h"

// Loads the lines of a text, a letter each, "." between rounds. Returns "h" and "m" for each.
static const char *run(Rig *rig, const char *lines, unsigned first, unsigned step)
{
    static char outcomes[256];
    char *to = outcomes;
    for (; *lines; lines++)
        *to++ = *lines == '.' ? '.'
                              : rig_hits(rig, first + step * (unsigned)(*lines - 'a')) ? 'h' : 'm';
    *to = 0;
    return outcomes;
}

// The example of the paper's Fig. 4: two lines that are used again survive a scan of four. LRU
// would miss both. a and b hit: p 0 0; c and d: 0 0 2 2. e: all grow by 1 until c is distant: 1 1 3
// 3, and e replaces c: 1 1 2 3. f replaces d. a and b hit.
static void test_scan(void **state)
{
    (void)state;
    Rig rig;
    rig_init_sets(&rig, HOOK_L1, "drrip:levels=l1,policy=srrip", 1, 4);
    assert_string_equal(run(&rig, "abba.cdef.ab", 0, 1), "mmhh.mmmm.hh");
    assert_int_equal(rig_counter(&rig, "replaced"), 2);
    assert_int_equal(rig_counter(&rig, "srrip_inserted"), 6);
    rig_free(&rig);
}

// A loop of five lines in four ways. SRRIP, as LRU, never hits: all lines are long, and the first
// way makes room in turn. p 2 2 2 2; e: 3 3 3 3, replaces a: 2 3 3 3; a replaces b: 2 2 3 3; ...
static void test_thrash(void **state)
{
    (void)state;
    Rig rig;
    rig_init_sets(&rig, HOOK_L1, "drrip:levels=l1,policy=srrip", 1, 4);
    assert_string_equal(run(&rig, "abcde.abcde.abcde", 0, 1), "mmmmm.mmmmm.mmmmm");
    rig_free(&rig);
    // BRRIP without exceptions: all new lines are distant, so that e replaces a in the first way,
    // and a replaces e; b, c and d stay and become 0.
    rig_init_sets(&rig, HOOK_L1, "drrip:levels=l1,policy=brrip,long_share=0", 1, 4);
    assert_string_equal(run(&rig, "abcde.abcde.abcde", 0, 1), "mmmmm.mhhhm.mhhhm");
    assert_int_equal(rig_counter(&rig, "brrip_inserted"), 9);
    rig_free(&rig);
    // With long_share=1 BRRIP is SRRIP.
    rig_init_sets(&rig, HOOK_L1, "drrip:levels=l1,policy=brrip,long_share=1", 1, 4);
    assert_string_equal(run(&rig, "abcde.abcde.abcde", 0, 1), "mmmmm.mmmmm.mmmmm");
    rig_free(&rig);
}

// A loop of five and one line that is used twice in each round. BRRIP: z a b c, p 0 3 3 3 (z hit).
// d replaces a, then e replaces d, both in the second way: z e b c. Second round: z hits twice; a
// replaces e; b and c hit; d replaces a; e replaces d.
static void test_mixed(void **state)
{
    (void)state;
    Rig rig;
    rig_init_sets(&rig, HOOK_L1, "drrip:levels=l1,policy=brrip,long_share=0", 1, 4);
    assert_string_equal(run(&rig, "zzabcde.zzabcde.zzabcde", 0, 1),
                        "mhmmmmm.hhmhhmm.hhmhhmm");
    rig_free(&rig);
    // SRRIP: p 0 2 2 2; d: all grow by 1: 1 3 3 3, replaces a: 1 2 3 3; e replaces b: 1 2 2 3. z
    // hits. a replaces c: 0 2 2 2. b: 1 3 3 3, replaces d: 1 2 3 3; c replaces e: 1 2 2 3; d
    // replaces a: 1 2 2 2; e: 2 3 3 3, replaces b. z is never distant, and the others never hit.
    rig_init_sets(&rig, HOOK_L1, "drrip:levels=l1,policy=srrip", 1, 4);
    assert_string_equal(run(&rig, "zzabcde.zzabcde.zzabcde", 0, 1),
                        "mhmmmmm.hhmmmmm.hhmmmmm");
    rig_free(&rig);
}

// Four sets, one leader each: set 0 leads SRRIP, set 2 BRRIP. The others follow SRRIP, until the
// leader of SRRIP has missed more.
static void test_duel(void **state)
{
    (void)state;
    static const char *const text = "drrip:levels=l1,leaders=1,long_share=0,scope=cache";
    Rig rig;
    rig_init_sets(&rig, HOOK_L1, text, 4, 4);
    assert_string_equal(run(&rig, "abcde.abcde", 1, 4), "mmmmm.mmmmm"); // set 1: SRRIP
    assert_string_equal(run(&rig, "abcde.abcde", 2, 4), "mmmmm.mhhhm"); // set 2: 7 misses
    assert_string_equal(run(&rig, "abcde.ab", 0, 4), "mmmmm.mm");       // set 0: 7 misses
    assert_int_equal(rig_counter(&rig, "brrip_inserted"), 7);
    assert_string_equal(run(&rig, "abcde.abcde", 3, 4), "mmmmm.mmmmm"); // even: SRRIP
    assert_string_equal(run(&rig, "c", 0, 4), "m");
    assert_int_equal(rig_counter(&rig, "brrip_inserted"), 7);
    // BRRIP now: the five lines of set 1 have been long; the new ones are distant.
    assert_string_equal(run(&rig, "fghij.fghij", 1, 4), "mmmmm.mmmmm");
    assert_int_equal(rig_counter(&rig, "brrip_inserted"), 17);
    rig_free(&rig);
}

// As a member of a level: what the leaders say counts after it has been to the GPU's place and
// back, at the ends of two quanta.
static void test_duel_of_level(void **state)
{
    (void)state;
    Rig rig;
    rig_init_sets(&rig, HOOK_L1, "drrip:levels=l1,leaders=1,long_share=0", 4, 4);
    assert_string_equal(run(&rig, "abcde.abcde", 0, 4), "mmmmm.mmmmm"); // SRRIP misses
    for (unsigned quantum = 0; quantum < 3; quantum++) {
        uint64_t before = rig_counter(&rig, "brrip_inserted");
        run(&rig, "a", 1 + 40 * quantum, 4);
        assert_int_equal(rig_counter(&rig, "brrip_inserted") - before, quantum == 2);
        rig_quantum(&rig);
    }
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_thrash),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_duel),
        cmocka_unit_test(test_duel_of_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
