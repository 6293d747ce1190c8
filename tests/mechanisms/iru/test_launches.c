// Launches of the reorder unit that are functional or cut, that leave elements, or that are
// refused; and calls of the host.
#include "rig.h"

#include <stdio.h>
#include <string.h>

// A kernel without the instruction leaves the engine idle, and the configuration as it is.
static void test_other_kernel(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(2);
    uint64_t at = engine_rig_words(rig, WORDS(1, 2, 3, 4), 4, 0);
    assert_null(iru_rig_configure(rig, at, 0, 4, NONE));
    engine_rig_begin(rig, 0, true);
    engine_rig_run(rig, 100);
    assert_null(engine_rig_end(rig, true));
    assert_int_equal(engine_rig_counter(rig, "read"), 0);
    engine_rig_begin(rig, 1, true);
    engine_rig_request(rig, 0, 0xf, PLAIN, 200);
    engine_rig_run(rig, 10000);
    HAS(rig, 0, 0, 1, 2, 3, 4);
    iru_rig_finish(rig);
}

// Nothing of a launch is left in the next one: not even secondaries in the line buffers.
static void test_next_launch(void **state)
{
    (void)state;
    for (unsigned slices = 1; slices <= 3; slices++) {
        EngineRig *rig = iru_rig_new(slices);
        for (unsigned launch = 0; launch < 4; launch++) {
            const uint32_t *secondaries = launch % 2 ? NULL : WORDS(5, 1, 9);
            unsigned instruction = launch % 2 ? POSITION : BOTH;
            iru_rig_begin(rig, WORDS(7, 7, 8), secondaries, 3, MIN, instruction);
            uint32_t request = engine_rig_request(rig, 0, 0x7, instruction, rig->cycle + 300);
            engine_rig_run(rig, 1000000);
            assert_null(engine_rig_end(rig, true));
            HAS(rig, request, 0, 7, 8);
            if (launch % 2) HAS(rig, request, 1, 0, 2);
            else HAS(rig, request, 2, 1, 2);
        }
        assert_int_equal(engine_rig_counter(rig, "merged"), 4);
        engine_rig_free(rig);
    }
}

// ---- functional launches ----

static void test_functional(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(3);
    uint64_t at = engine_rig_words(rig, WORDS(7, 7, 40, 3, 5), 5, 0);
    uint64_t secondary = engine_rig_words(rig, WORDS(1, 2, 3, 4, 5), 5, 0);
    assert_null(iru_rig_configure(rig, at, secondary, 5, MIN));
    engine_rig_begin(rig, 1u << BOTH, false);
    HdEngineReply first = engine_rig_execute(rig, 0xb, BOTH);
    HdEngineReply second = engine_rig_execute(rig, 7, BOTH);
    assert_int_equal(first.predicate, 0xb);
    assert_int_equal(first.values[0][1], 7);
    assert_int_equal(first.values[0][3], 40);
    assert_int_equal(first.values[1][3], 3);
    assert_int_equal(first.values[2][3], 2);
    assert_int_equal(second.predicate, 3);
    assert_int_equal(second.values[0][0], 3);
    assert_null(engine_rig_end(rig, false));
    engine_rig_free(rig);
}

// A launch is cut at any cycle: the rest comes functionally, and nothing is there twice.
static void test_cut(void **state)
{
    (void)state;
    for (unsigned cycle = 0; cycle < 400; cycle += 7) {
        EngineRig *rig = iru_rig_new(3);
        engine_rig_set(rig, "ring", 2);
        engine_rig_set(rig, "sets", 2);
        uint32_t indices[400];
        bool seen[400] = {0};
        for (unsigned i = 0; i < 400; i++) indices[i] = 7 * i;
        iru_rig_begin(rig, indices, NULL, 400, NONE, POSITION);
        for (unsigned i = 0; i < 10; i++) engine_rig_request(rig, i % 3, 0xf, POSITION, 110 + i);
        engine_rig_run(rig, cycle);
        unsigned left = 400;
        for (unsigned i = 0; i < 10; i++)
            if (rig->requests[i].answered != UINT64_MAX)
                for (unsigned lane = 0; lane < 4; lane++, left--)
                    seen[rig->requests[i].reply.values[1][lane]] = true;
        unsigned held = 0; // with requests that the core would have seen answered first
        for (unsigned i = 0; i < 10; i++)
            held += rig->requests[i].taken && rig->requests[i].answered == UINT64_MAX;
        if (held) {
            engine_rig_free(rig);
            continue;
        }
        for (; left; left -= left < 32 ? left : 32) {
            HdEngineReply reply = engine_rig_execute(rig, UINT32_MAX >> (left < 32 ? 32 - left : 0),
                                                     POSITION);
            assert_int_equal(__builtin_popcount(reply.predicate), left < 32 ? left : 32);
            for (unsigned lane = 0; lane < 32 && lane < left; lane++) {
                uint32_t position = reply.values[1][lane];
                assert_false(seen[position]);
                seen[position] = true;
                assert_int_equal(reply.values[0][lane], 7 * position);
            }
        }
        const char *fault = engine_rig_end(rig, false);
        if (fault) fail_msg("cut at %u: %s", cycle, fault);
        engine_rig_free(rig);
    }
}

// ---- what is refused ----

static void test_refused_calls(void **state)
{
    (void)state;
    uint32_t words[64] = {0};
    EngineRig *rig = iru_rig_new(2);
    uint64_t at = engine_rig_words(rig, words, 64, 0), end = at + 256;
    const struct {
        uint64_t values[6];
        const char *message;
    } refused[] = {
        {{0, 0, at, 0, 4, 0}, "expected a type size of the target from 1 to 4294967295 bytes"},
        {{0, 4, at, 0, UINT64_C(1) << 32, 0}, "expected a count of at most 4294967295"},
        {{0, 4, at, 0, 4, 3}, "expected the filter 0 (none), 1 (min) or 2 (add)"},
        {{0, 4, at, 0, 4, 2}, "expected a secondary array for the filter add"},
        {{5, 4, at, 0, 4, 0}, "expected a target in an allocation, or 0"},
        {{0, 4, end, 0, 4, 0}, "expected indices in an allocation"},
        {{0, 4, 0, 0, 4, 0}, "expected indices in an allocation"},
        {{0, 4, at + 2, 0, 4, 0}, "expected indices at a multiple of 4 bytes"},
        {{0, 4, at + 4, 0, 64, 0},
         "expected as many indices as the count, 4 bytes each, in one allocation"},
        {{0, 4, at, end, 4, 0}, "expected a secondary array in an allocation, or 0"},
        {{0, 4, at, at + 1, 4, 0}, "expected a secondary array at a multiple of 4 bytes"},
        {{0, 4, at, at + 4, 64, 0},
         "expected as many secondaries as the count, 4 bytes each, in one allocation"},
    };
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_string_equal(engine_rig_call(rig, "configure", refused[i].values, 6),
                            refused[i].message);
    const char *form = "expected configure(target, type size, indices, secondary or 0, count, "
                       "filter)";
    const uint64_t good[] = {at, 4, at, 0, 64, 0};
    assert_string_equal(engine_rig_call(rig, "configure", good, 5), form);
    assert_string_equal(engine_rig_call(rig, "set", good, 6), form);
    assert_null(engine_rig_call(rig, "configure", good, 6));
    assert_string_equal(engine_rig_call(rig, "configure", good, 6),
                        "expected one configuration for each launch: no launch has used the last "
                        "one");
    engine_rig_free(rig);
}

static void faults(EngineRig *rig, const char *text, uint32_t pc)
{
    assert_non_null(engine_rig_fault(rig));
    assert_string_equal(engine_rig_fault(rig), text);
    assert_int_equal(rig->slice[0].fault_pc, pc);
    engine_rig_free(rig);
}

static void test_refused_kernels(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(2);
    engine_rig_begin(rig, 1, true);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_run(rig, 10000);
    assert_int_equal(rig->requests[0].reply.predicate, 0); // it does not hang
    faults(rig, "load_iru without a configuration: expected a call configure(...) before each "
                "launch, of arrays that are not freed since", 7);
    rig = iru_rig_new(2);
    rig->allocated = 1u << 30; // for the check; nothing is read
    const char *wrong = iru_rig_configure(rig, ENGINE_RIG_BASE, 0, (1 << 24) + 1, NONE);
    if (wrong) fail_msg("%s", wrong);
    engine_rig_begin(rig, 1u << POSITION, true);
    faults(rig, "positions of 16777217 elements: expected at most 2^24 (16777216)", 7);
    for (uint32_t position = 0; position < 2; position++) {
        rig = iru_rig_new(2);
        rig->allocated = 1u << 30;
        assert_null(iru_rig_configure(rig, ENGINE_RIG_BASE, 0, (1 << 24) + 1 - position, NONE));
        engine_rig_begin(rig, 1u << (position ? POSITION : PLAIN), true);
        assert_null(engine_rig_fault(rig));
        engine_rig_free(rig);
    }
    rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(1, 2), NULL, 2, NONE, SECONDARY);
    faults(rig, "load_iru.secondary without secondaries: expected a secondary array in "
                "configure(...)", 7);
}

static void test_refused_indices(void **state)
{
    (void)state;
    for (unsigned timed = 0; timed < 2; timed++) {
        EngineRig *rig = iru_rig_new(1);
        uint64_t at = engine_rig_words(rig, WORDS(1, 16777215, 16777216), 3, 0);
        assert_null(iru_rig_configure(rig, at, 0, 3, NONE));
        engine_rig_begin(rig, 1, timed);
        if (!timed) engine_rig_execute(rig, 7, PLAIN);
        engine_rig_run(rig, 1000);
        faults(rig, "index 16777216 at position 2: expected less than 2^24 (16777216)", HD_NO_PC);
    }
}

// A kernel that leaves elements: all slices become idle, and its end fails.
static void test_left(void **state)
{
    (void)state;
    for (unsigned slices = 1; slices <= 6; slices++) {
        EngineRig *rig = iru_rig_new(slices);
        engine_rig_set(rig, "ring", 1);
        engine_rig_set(rig, "sets", 1);
        uint32_t indices[400];
        for (unsigned i = 0; i < 400; i++) indices[i] = 40 * i;
        iru_rig_begin(rig, indices, NULL, 400, NONE, PLAIN);
        engine_rig_request(rig, 0, 0xff, PLAIN, 0);
        engine_rig_run(rig, 1000000);
        assert_true(rig->cycle < 20000);
        assert_string_equal(engine_rig_end(rig, true),
                            "392 of 400 elements are left at the end of the kernel: expected "
                            "threads that load all");
        engine_rig_free(rig);
        rig = iru_rig_new(slices); // all lines have been read, and elements wait for the table
        engine_rig_set(rig, "sets", 1);
        iru_rig_begin(rig, indices, NULL, 60, NONE, PLAIN);
        engine_rig_run(rig, 1000000);
        assert_true(rig->cycle < 1000);
        engine_rig_free(rig);
        rig = iru_rig_new(slices);
        uint64_t at = engine_rig_words(rig, indices, 10, 0);
        assert_null(iru_rig_configure(rig, at, 0, 10, NONE));
        engine_rig_begin(rig, 1, false);
        engine_rig_execute(rig, 0xff, PLAIN);
        assert_string_equal(engine_rig_end(rig, false), "2 of 10 elements are left at the end of "
                                                      "the kernel: expected threads that load all");
        engine_rig_free(rig);
    }
}

// A launch that is cut at any cycle, and then leaves elements: in lines, FIFOs, the table, or in
// the ring behind full entries.
static void test_left_by_cut(void **state)
{
    (void)state;
    for (unsigned cycle = 0; cycle < 500; cycle += 9)
        for (unsigned left = 1; left < 20; left += 3) {
            EngineRig *rig = iru_rig_new(3);
            engine_rig_set(rig, "sets", 2);
            uint32_t indices[100];
            for (unsigned i = 0; i < 100; i++) indices[i] = 32 * i;
            iru_rig_begin(rig, indices, NULL, 100, NONE, PLAIN);
            engine_rig_run(rig, cycle);
            for (unsigned i = left; i < 100; i++)
                assert_int_equal(engine_rig_execute(rig, 1, PLAIN).predicate, 1);
            const char *fault = engine_rig_end(rig, false);
            if (!fault) fail_msg("cut at %u: %u elements are left, without a message", cycle, left);
            char expected[128];
            snprintf(expected, sizeof expected, "%u of 100 elements are left at the end of the "
                     "kernel: expected threads that load all", left);
            assert_string_equal(fault, expected);
            engine_rig_free(rig);
        }
}

// An array that has been freed is none.
static void test_release(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    uint64_t at = engine_rig_words(rig, WORDS(1, 2), 2, 0);
    assert_null(iru_rig_configure(rig, at, 0, 2, NONE));
    mechanism_iru.l2.on_release(&rig->slice[0].place, at + 256, 256);
    assert_non_null(iru_rig_configure(rig, at, 0, 2, NONE));
    mechanism_iru.l2.on_release(&rig->slice[0].place, at, 8);
    assert_null(iru_rig_configure(rig, at, 0, 2, NONE));
    engine_rig_free(rig);
}

// ---- storage ----

static void test_storage(void **state)
{
    (void)state;
    static const double kilobytes[] = {2, 1.75, 1.25, 2.8125, 80};
    static const char *const parts[] = {"requests", "prefetch buffer", "classifier", "ring",
                                        "table"};
    EngineRig *rig = engine_rig_new(&mechanism_iru, 4);
    for (unsigned part = 0; part < 5; part++) {
        double bits = 0;
        for (const HdStructure *s = mechanism_iru.structures; s->name; s++) {
            size_t length = strlen(parts[part]);
            if (strncmp(s->name, parts[part], length) == 0 &&
                (!s->name[length] || s->name[length] == ':'))
                bits += (double)engine_rig_entries(rig, s) * s->bits;
        }
        assert_true(bits / 8192 == kilobytes[part]);
    }
    engine_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_kernel),
        cmocka_unit_test(test_next_launch),
        cmocka_unit_test(test_functional),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_refused_calls),
        cmocka_unit_test(test_refused_kernels),
        cmocka_unit_test(test_refused_indices),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_left_by_cut),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
