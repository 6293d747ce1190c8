// Bit tricks, the content hash and the counter-based random numbers.
#include "base/bits.h"
#include "base/hash.h"
#include "base/random.h"
#include "support/scratch.h"

#include <string.h>

static void powers_and_rounding(void **state)
{
    (void)state;
    assert_false(is_power_of_two(0));
    assert_true(is_power_of_two(1));
    assert_true(is_power_of_two(UINT64_C(1) << 63));
    assert_false(is_power_of_two(12));
    assert_int_equal(log2_floor(1), 0);
    assert_int_equal(log2_floor(127), 6);
    assert_int_equal(log2_floor(128), 7);
    assert_int_equal(log2_floor(UINT64_MAX), 63);
    assert_int_equal(round_up(0, 48), 0);
    assert_int_equal(round_up(1, 48), 48);
    assert_int_equal(round_up(96, 48), 96);
    assert_int_equal(divide_up(95, 48), 2);
    assert_int_equal(divide_up(97, 48), 3);
}

static void lane_masks(void **state)
{
    (void)state;
    assert_int_equal(lanes_all(4), 0xf);
    assert_int_equal(lanes_all(32), 0xffffffffu);
    assert_int_equal(lanes_count(0x80000001u), 2);
    assert_int_equal(lanes_first(0x80000000u), 31);
    assert_int_equal(lanes_first(0x30), 4);
}

static uint64_t hash_of(const void *bytes, size_t size)
{
    return hash_bytes(HASH_START, bytes, size);
}

static void hashes_tell_contents_apart(void **state)
{
    (void)state;
    static const char zeros[32];
    assert_true(hash_of("abcdefgh", 8) == hash_of("abcdefgh", 8));
    assert_true(hash_of("abcdefgh", 8) != hash_of("abcdefgi", 8));
    assert_true(hash_of("abcdefghijklmnop", 16) != hash_of("ijklmnopabcdefgh", 16));
    for (size_t a = 0; a < sizeof zeros; a++) // runs of zeros differ by their length alone
        for (size_t b = 0; b < a; b++) assert_true(hash_of(zeros, a) != hash_of(zeros, b));
    assert_true(hash_bytes(1, "x", 1) != hash_bytes(2, "x", 1));
}

static void hashes_do_not_depend_on_alignment(void **state)
{
    (void)state;
    char bytes[40] = "0123456789abcdefghijklmn", moved[48];
    uint64_t expected = hash_of(bytes, 24);
    for (int shift = 0; shift < 8; shift++) {
        memcpy(moved + shift, bytes, 24);
        assert_true(hash_of(moved + shift, 24) == expected);
    }
}

static void hash_texts_have_sixteen_digits(void **state)
{
    (void)state;
    char text[HASH_TEXT];
    hash_text(0xabcdef, text);
    assert_string_equal(text, "0000000000abcdef");
    hash_text(UINT64_MAX, text);
    assert_string_equal(text, "ffffffffffffffff");
}

// SplitMix64 from state 0: its published first outputs.
static void random_mix_is_splitmix64(void **state)
{
    (void)state;
    assert_true(random_mix(0) == 0xe220a8397b1dcdafu);
    assert_true(random_mix(0x9e3779b97f4a7c15u) == 0x6e789e6aa1b965f4u);
    assert_true(random_mix(2 * 0x9e3779b97f4a7c15u) == 0x06c45d188009454fu);
}

static void draws_depend_on_all_four_keys(void **state)
{
    (void)state;
    uint64_t draw = random_draw(1, 2, 3, 4);
    assert_true(draw == random_draw(1, 2, 3, 4));
    assert_true(draw != random_draw(2, 2, 3, 4));
    assert_true(draw != random_draw(1, 3, 3, 4));
    assert_true(draw != random_draw(1, 2, 4, 4));
    assert_true(draw != random_draw(1, 2, 3, 5));
    assert_true(random_draw(1, 2, 3, 4) != random_draw(1, 3, 2, 4));
}

// 4096 draws in 16 bins: 256 expected each, standard deviation 15.5; six of them are allowed.
static void draws_fill_the_unit_interval(void **state)
{
    (void)state;
    int bins[16] = {0};
    for (uint64_t i = 0; i < 4096; i++) {
        double x = random_unit(random_draw(7, 0, 0, i));
        assert_true(x >= 0 && x < 1);
        bins[(int)(x * 16)]++;
    }
    for (int i = 0; i < 16; i++) assert_in_range(bins[i], 256 - 93, 256 + 93);
    assert_true(random_unit(0) == 0);
    assert_true(random_unit(UINT64_MAX) < 1);
    assert_true(random_unit(UINT64_C(1) << 63) == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_and_rounding),
        cmocka_unit_test(lane_masks),
        cmocka_unit_test(hashes_tell_contents_apart),
        cmocka_unit_test(hashes_do_not_depend_on_alignment),
        cmocka_unit_test(hash_texts_have_sixteen_digits),
        cmocka_unit_test(random_mix_is_splitmix64),
        cmocka_unit_test(draws_depend_on_all_four_keys),
        cmocka_unit_test(draws_fill_the_unit_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
