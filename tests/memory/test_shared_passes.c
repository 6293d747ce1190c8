// Passes of shared memory instructions over the banks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory/coalesce.h"

enum { LANES = 32 };
static const LaneMask ALL = UINT32_MAX;
static const SharedBanks of_32 = {.count = 32, .bytes = 4, .lanes = LANES};

// Lane l at l * stride bytes, of 32 banks of 4 bytes.
static unsigned passes_of(LaneMask mask, unsigned stride, unsigned bytes, bool exclusive)
{
    uint64_t offsets[LANES];
    for (unsigned l = 0; l < LANES; l++) offsets[l] = (uint64_t)l * stride;
    return shared_passes(&of_32, mask, offsets, bytes, exclusive);
}

static void test_words(void **state)
{
    (void)state;
    assert_int_equal(passes_of(ALL, 0, 4, false), 1);       // one word for all
    assert_int_equal(passes_of(ALL, 4, 4, false), 1);       // a bank each
    assert_int_equal(passes_of(ALL, 2 * 4, 4, false), 2);   // even banks, two lanes each
    assert_int_equal(passes_of(ALL, 3 * 4, 4, false), 1);   // odd strides hit every bank
    assert_int_equal(passes_of(ALL, 8 * 4, 4, false), 8);
    assert_int_equal(passes_of(ALL, 32 * 4, 4, false), 32); // one bank for all
    assert_int_equal(passes_of(ALL, 33 * 4, 4, false), 1);  // padded
}

static void test_bytes(void **state)
{
    (void)state;
    assert_int_equal(passes_of(ALL, 1, 1, false), 1);  // four lanes share a word
    assert_int_equal(passes_of(ALL, 2, 2, false), 1);
    assert_int_equal(passes_of(ALL, 64, 1, false), 16); // banks 0 and 16
}

// Accesses of 8 bytes are done in halves of the warp, of 16 bytes in quarters.
static void test_wide(void **state)
{
    (void)state;
    assert_int_equal(passes_of(ALL, 8, 8, false), 2);
    assert_int_equal(passes_of(ALL, 16, 16, false), 4);
    assert_int_equal(passes_of(ALL, 0, 8, false), 2);      // a broadcast in each half
    assert_int_equal(passes_of(ALL, 16, 8, false), 4);     // two words in each bank used, per half
    assert_int_equal(passes_of(0x0000ffff, 8, 8, false), 1); // the other half has no active lanes
    assert_int_equal(passes_of(0x00010001, 8, 8, false), 2);
}

static void test_masks(void **state)
{
    (void)state;
    assert_int_equal(passes_of(0, 4, 4, false), 0);
    assert_int_equal(passes_of(1, 128, 4, false), 1);
    assert_int_equal(passes_of(0x80000001, 128, 4, false), 2);
    assert_int_equal(passes_of(0x80000001, 4, 4, false), 1);
}

// Atomics of several lanes on one word take turns, others do not.
static void test_exclusive(void **state)
{
    (void)state;
    assert_int_equal(passes_of(ALL, 0, 4, true), 32);
    assert_int_equal(passes_of(0x3, 0, 4, true), 2);
    assert_int_equal(passes_of(ALL, 4, 4, true), 1);
    assert_int_equal(passes_of(ALL, 8, 4, true), 2);
    assert_int_equal(passes_of(0xf, 2, 2, true), 2); // two lanes on each of two words
    assert_int_equal(passes_of(0xf, 0, 8, true), 4);
}

// Two words of one bank and three readers of a third word of it: three passes.
static void test_mixed(void **state)
{
    (void)state;
    uint64_t offsets[LANES] = {0, 128, 256, 256, 256, 4};
    assert_int_equal(shared_passes(&of_32, 0x3f, offsets, 4, false), 3);
    assert_int_equal(shared_passes(&of_32, 0x3f, offsets, 4, true), 5);
}

static void test_other_banks(void **state)
{
    (void)state;
    const SharedBanks of_8_bytes = {.count = 32, .bytes = 8, .lanes = LANES};
    const SharedBanks of_16 = {.count = 16, .bytes = 4, .lanes = LANES};
    const SharedBanks of_128 = {.count = 128, .bytes = 4, .lanes = LANES};
    const SharedBanks narrow_warp = {.count = 32, .bytes = 4, .lanes = 8};
    uint64_t offsets[LANES];
    for (unsigned l = 0; l < LANES; l++) offsets[l] = l * 8u;
    assert_int_equal(shared_passes(&of_8_bytes, ALL, offsets, 8, false), 1);
    assert_int_equal(shared_passes(&of_8_bytes, ALL, offsets, 4, false), 1);
    for (unsigned l = 0; l < LANES; l++) offsets[l] = l * 4u;
    assert_int_equal(shared_passes(&of_16, ALL, offsets, 4, false), 2);
    assert_int_equal(shared_passes(&of_128, ALL, offsets, 4, false), 1);
    for (unsigned l = 0; l < LANES; l++) offsets[l] = l * 256u; // banks 0 and 64 of 128
    assert_int_equal(shared_passes(&of_128, ALL, offsets, 4, false), 16);
    for (unsigned l = 0; l < 8; l++) offsets[l] = l * 16u;
    assert_int_equal(shared_passes(&narrow_warp, 0xff, offsets, 16, false), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),     cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_wide),      cmocka_unit_test(test_masks),
        cmocka_unit_test(test_exclusive), cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_other_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
