// A script's memory agrees with plain lists of allocations and words, up to its limits.
#include "harness/script_memory.h"

#include "base/random.h"
#include "support/scratch.h"

#include <stdlib.h>
#include <string.h>

enum { SPACE = 4096, STEPS = 20000 }; // bytes of addresses that are tried; steps

// Allocations: each byte has the number of its allocation + 1.
static void test_allocations(void **state)
{
    (void)state;
    static uint16_t owner[SPACE];
    ScriptMemory memory = {0};
    unsigned made = 0, refused = 0, released = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned at = (unsigned)(random_draw(1, 0, 0, i) % (SPACE / 16) * 16);
        unsigned bytes = (unsigned)(random_draw(1, 0, 1, i) % 60);
        if (i % 3 == 0 && at + bytes <= SPACE) {
            bool overlap = false;
            for (unsigned k = at; k < at + bytes; k++) overlap |= owner[k];
            // No byte, but within another one.
            overlap |= !bytes && at && owner[at] && owner[at - 1] == owner[at];
            ScriptMemoryOutcome outcome = script_memory_allocate(&memory, at, bytes);
            assert_int_equal(outcome, overlap ? SCRIPT_MEMORY_OVERLAP : SCRIPT_MEMORY_DONE);
            refused += overlap;
            if (overlap) continue;
            made++;
            for (unsigned k = at; k < at + bytes; k++)
                owner[k] = (uint16_t)memory.allocation_count;
        } else if (i % 3 == 1) {
            bool starts = owner[at] && (!at || owner[at - 1] != owner[at]);
            uint64_t gone = script_memory_release(&memory, at);
            unsigned wanted = 0;
            uint16_t number = owner[at];
            for (unsigned k = at; starts && k < SPACE && owner[k] == number; k++) {
                owner[k] = 0;
                wanted++;
            }
            assert_int_equal(gone, wanted);
            released += gone > 0;
        }
        uint16_t found = script_memory_find(&memory, at);
        assert_int_equal(found, owner[at] ? owner[at] - 1 : HD_NO_ALLOCATION);
    }
    assert_true(made > 1000 && refused > 1000 && released > 100);
    script_memory_free(&memory);
}

static void test_words(void **state)
{
    (void)state;
    static uint8_t wanted[1 << 20];
    uint8_t line[MAX_LINE_BYTES];
    ScriptMemory memory = {0};
    script_memory_read(&memory, 4, line);
    for (unsigned k = 0; k < sizeof line; k++) assert_int_equal(line[k], 0);
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t at = random_draw(2, 0, 0, i) % sizeof wanted / 4 * 4;
        uint32_t value = (uint32_t)random_draw(2, 0, 1, i);
        assert_int_equal(script_memory_write(&memory, at, value), SCRIPT_MEMORY_DONE);
        memcpy(wanted + at, &value, sizeof value);
    }
    for (uint64_t at = 0; at < sizeof wanted; at += sizeof line) {
        script_memory_read(&memory, at + at / sizeof line % sizeof line, line);
        assert_memory_equal(line, wanted + at, sizeof line);
    }
    script_memory_free(&memory);
}

static void test_limits(void **state)
{
    (void)state;
    ScriptMemory memory = {0};
    for (uint64_t i = 0; i < SCRIPT_ALLOCATIONS; i++)
        assert_int_equal(script_memory_allocate(&memory, 8 * i, 8), SCRIPT_MEMORY_DONE);
    assert_int_equal(script_memory_allocate(&memory, 1 << 30, 8), SCRIPT_MEMORY_FULL);
    assert_int_equal(script_memory_find(&memory, 8 * 65534), 65534);
    for (uint64_t i = 0; i < SCRIPT_LINES; i++)
        if (script_memory_write(&memory, i * MAX_LINE_BYTES, 1)) fail_msg("line %u", (unsigned)i);
    assert_int_equal(script_memory_write(&memory, 4, 7), SCRIPT_MEMORY_DONE);
    assert_int_equal(script_memory_write(&memory, UINT64_C(1) << 40, 7), SCRIPT_MEMORY_FULL);
    script_memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_allocations),
                                       cmocka_unit_test(test_words), cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests_name("script-memory", tests, NULL, NULL);
}
