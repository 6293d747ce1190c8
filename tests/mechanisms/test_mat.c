// The Memory Access Table (lakshminarayana2014, section 4.5.1), with counts and decisions computed
// by hand. Four counters, macroblocks of 1 KB, f = 0.99.
#include "mechanism_rig.h"

// Served accesses to an address.
static void use(Rig *rig, uint64_t address, HdKind kind, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        rig_serve(rig, (HdAccess){.line = address, .kind = (uint8_t)kind}, HD_HIT);
}

// Where the data of a load go that would evict the line `victim`.
static HdInsertion decide(Rig *rig, uint64_t address, uint64_t victim)
{
    return rig_decide_insert(rig, (HdAccess){.line = address}, victim);
}

// Macroblocks with a counter each; E shares the counter of A.
static const uint64_t A = 0, B = 1024, C = 2048, E = 4096;
static const char *const small = "mat:levels=l1,entries=4";

// The load is the first access to B. It bypasses if A has had 2 accesses, and not if A has had 1.
// The second load of B is decided after the first was served: it is inserted if A has had 2
// accesses, and bypasses if A has had 3.
static void test_fewer_bypass(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, small);
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_INSERT); // 1 < 0.99 x 1
    use(&rig, A + 896, HD_LOAD, 1); // another line of A's macroblock
    for (unsigned i = 0; i < 3; i++) assert_int_equal(decide(&rig, B, A), HD_BYPASS); // 1 < 1.98
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_INSERT); // 2 < 1.98
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_BYPASS); // 2 < 2.97
    assert_int_equal(decide(&rig, B, C), HD_INSERT); // 2 < 0
    assert_int_equal(rig_counter(&rig, "accesses"), 4); // 8 decisions, but 4 accesses served
    rig_free(&rig);
}

// Every access counts, not only loads. If there is no victim, or the victim has the same counter,
// there is nothing to compare.
static void test_what_counts(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, small);
    use(&rig, A, HD_STORE, 1);
    use(&rig, A, HD_ATOMIC, 1);
    assert_int_equal(decide(&rig, B, A), HD_BYPASS);
    assert_int_equal(decide(&rig, B, HD_NO_LINE), HD_INSERT);
    assert_int_equal(decide(&rig, A + 128, A), HD_INSERT);
    assert_int_equal(decide(&rig, E, A), HD_INSERT);
    use(&rig, E, HD_LOAD, 1); // in the counter of A
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_BYPASS); // 2 < 2.97
    rig_free(&rig);
}

// A counter of 8 bits stays at 255: with 300 accesses of A, B bypasses up to its 252nd access,
// because 252 < 0.99 x 255 = 252.45. With 16 bits it bypasses up to its 296th, below 297.
static void test_saturation(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, small);
    use(&rig, A, HD_LOAD, 300);
    use(&rig, B, HD_LOAD, 295);
    assert_int_equal(decide(&rig, B, A), HD_BYPASS);
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_INSERT);
    rig_free(&rig);
    rig_init(&rig, HOOK_L1, "mat:levels=l1,entries=4,counter_bits=8");
    use(&rig, A, HD_LOAD, 300);
    use(&rig, B, HD_LOAD, 251);
    assert_int_equal(decide(&rig, B, A), HD_BYPASS);
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_INSERT);
    use(&rig, B, HD_LOAD, 100);
    assert_int_equal(decide(&rig, A, B), HD_INSERT); // both full
    assert_int_equal(rig_counter(&rig, "halvings"), 0);
    rig_free(&rig);
}

// With overflow=halve and 8 bits, the 256th access of a macroblock first halves all counters: A has
// 127 + 1, B has 2 of 5, C has 0 of 1. B then bypasses below 0.99 x 128 = 126.72: the first access
// that is inserted makes 127.
static void test_halving(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "mat:levels=l1,entries=4,counter_bits=8,overflow=halve");
    use(&rig, B, HD_LOAD, 5);
    use(&rig, C, HD_LOAD, 1);
    use(&rig, A, HD_LOAD, 255);
    assert_int_equal(rig_counter(&rig, "halvings"), 0);
    assert_int_equal(decide(&rig, C, B), HD_BYPASS); // 2 < 4.95
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(rig_counter(&rig, "halvings"), 1);
    assert_int_equal(decide(&rig, C, B), HD_BYPASS); // 1 < 1.98
    use(&rig, C, HD_LOAD, 1);
    assert_int_equal(decide(&rig, C, B), HD_INSERT); // 2 < 1.98: C had none left
    use(&rig, B, HD_LOAD, 123);
    assert_int_equal(decide(&rig, B, A), HD_BYPASS); // 126 < 126.72
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_INSERT); // 127
    use(&rig, A, HD_LOAD, 127); // from 128 to 255
    assert_int_equal(rig_counter(&rig, "halvings"), 1);
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(rig_counter(&rig, "halvings"), 2);
    rig_free(&rig);
}

// All ways wait for data: the miss waits too or, with reserved=bypass, bypasses.
static void test_reserved(void **state)
{
    (void)state;
    for (int bypass = 0; bypass < 2; bypass++) {
        Rig rig;
        rig_init(&rig, HOOK_L2, bypass ? "mat:reserved=bypass" : "mat");
        assert_int_equal(rig_decide_reserved(&rig, (HdAccess){.line = B}),
                         bypass ? HD_BYPASS : HD_INSERT);
        assert_int_equal(decide(&rig, B, HD_NO_LINE), HD_INSERT);
        rig_free(&rig);
    }
}

// A victim with 4 accesses stays for three misses of another macroblock if it keeps its count, and
// for two if each bypass takes 1 of it: 1 < 3.96, 2 < 2.97, 3 > 1.98. An access that is inserted
// takes nothing.
static void test_victim(void **state)
{
    (void)state;
    for (unsigned stays = 2; stays <= 3; stays++) {
        Rig rig;
        rig_init(&rig, HOOK_L1, stays == 3 ? small : "mat:levels=l1,entries=4,victim=pays");
        use(&rig, A, HD_LOAD, 4);
        for (unsigned i = 0; i < stays; i++)
            assert_int_equal(rig_miss(&rig, (HdAccess){.line = B}, A), HD_BYPASS);
        assert_int_equal(rig_miss(&rig, (HdAccess){.line = B}, A), HD_INSERT);
        use(&rig, C, HD_LOAD, stays - 1);
        // 3 < 3.96, and 2 > 1.98
        assert_int_equal(decide(&rig, C, A), stays == 3 ? HD_BYPASS : HD_INSERT);
        rig_free(&rig);
    }
}

// With tags an entry is of "the corresponding macroblock" alone. E has the index of A, which 300
// accesses have made hot: E's own count is 1, and C's lines stay (1 < 0.99 x 2). Without tags E has
// A's count, 301. E's access takes the entry: A then has none, as a victim (inserted: 1 < 0) and
// as the incoming line (bypassed: 1 < 1.98). The next access of A begins at 1 again.
static void test_tagged_macroblock(void **state)
{
    (void)state;
    for (int tags = 0; tags < 2; tags++)
        for (HookLevel level = HOOK_L1; level <= HOOK_L2; level++) {
            Rig rig;
            HdError err;
            rig_init(&rig, level, tags ? "mat:entries=4,tags=yes" : "mat:entries=4");
            // An SM has slots before its structures whose entries are computed.
            const SmSlots slots = {48, 8, 2, 1};
            if (level == HOOK_L1 && !cache_hooks_set_slots(rig.hooks, slots, &err))
                fail_msg("%s", err.text);
            use(&rig, A, HD_LOAD, 300);
            use(&rig, C, HD_LOAD, 2);
            assert_int_equal(decide(&rig, B, A), HD_BYPASS); // 1 < 297
            assert_int_equal(decide(&rig, E, C), tags ? HD_BYPASS : HD_INSERT);
            assert_int_equal(decide(&rig, E, A), HD_INSERT); // E's access takes the entry
            assert_int_equal(rig_miss(&rig, (HdAccess){.line = E}, C),
                             tags ? HD_BYPASS : HD_INSERT);
            assert_int_equal(decide(&rig, B, A), tags ? HD_INSERT : HD_BYPASS); // 1 < 0, 1 < 298
            assert_int_equal(decide(&rig, A, C), tags ? HD_BYPASS : HD_INSERT); // 1 or 302 < 1.98
            use(&rig, A, HD_LOAD, 2);
            assert_int_equal(decide(&rig, B, A), HD_BYPASS); // 1 < 1.98, 1 < 299.97
            assert_int_equal(decide(&rig, B, E), tags ? HD_INSERT : HD_BYPASS);
            rig_free(&rig);
        }
}

// With tags only the victim's own entry pays. A has 4 accesses; E, with its index, has none left.
static void test_tagged_victim_pays(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "mat:levels=l2,entries=4,tags=yes,victim=pays");
    use(&rig, E, HD_LOAD, 9);
    use(&rig, A, HD_LOAD, 4);
    rig_miss(&rig, (HdAccess){.line = B}, E); // inserted: E has no entry
    use(&rig, C, HD_LOAD, 2);
    assert_int_equal(rig_miss(&rig, (HdAccess){.line = C}, A), HD_BYPASS); // 3 < 3.96
    assert_int_equal(decide(&rig, B, A), HD_BYPASS); // 2 < 2.97: A has paid 1
    use(&rig, B, HD_LOAD, 1);
    assert_int_equal(decide(&rig, B, A), HD_INSERT); // 3
    rig_free(&rig);
}

// The fraction f, and the size of a macroblock.
static void test_parameters(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "mat:levels=l1,entries=4,fraction=0.5,macroblock=128");
    use(&rig, A, HD_LOAD, 2);
    assert_int_equal(decide(&rig, 128, A), HD_INSERT); // 1 < 0.5 x 2
    use(&rig, A, HD_LOAD, 1);
    assert_int_equal(decide(&rig, 128, A), HD_BYPASS); // 1 < 1.5
    assert_int_equal(decide(&rig, 512, A), HD_INSERT); // shares the counter of macroblock 0
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fewer_bypass), cmocka_unit_test(test_what_counts),
        cmocka_unit_test(test_saturation), cmocka_unit_test(test_halving),
        cmocka_unit_test(test_reserved), cmocka_unit_test(test_victim),
        cmocka_unit_test(test_tagged_macroblock), cmocka_unit_test(test_tagged_victim_pays),
        cmocka_unit_test(test_parameters)};
    return cmocka_run_group_tests_name("memory access table", tests, NULL, NULL);
}
