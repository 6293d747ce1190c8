// The coalescer on crafted address patterns, under both rules, and against a quadratic model.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "memory/coalesce.h"

enum { LANES = 32 };
static const LaneMask ALL = UINT32_MAX;

typedef struct Pattern {
    uint64_t at[LANES];
} Pattern;

static Pattern strided(uint64_t start, int64_t stride)
{
    Pattern p;
    for (int l = 0; l < LANES; l++) p.at[l] = start + (uint64_t)(l * stride);
    return p;
}

static void check_access(const CoalescedAccess *a, uint64_t line, LaneMask lanes, unsigned sectors,
                         unsigned span)
{
    assert_int_equal(a->line, line);
    assert_int_equal(a->lanes, lanes);
    assert_int_equal(a->sectors, sectors);
    assert_int_equal(a->span_sectors, span);
}
static void check_bytes(const CoalescedAccess *a, uint64_t low, uint64_t high)
{
    assert_true(a->bytes[0] == low && a->bytes[1] == high);
}

static void test_unit_stride(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1000, 4);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 4, out), 1);
    check_access(&out[0], 0x1000, ALL, 0xf, 0xf);
    check_bytes(&out[0], UINT64_MAX, UINT64_MAX);

    assert_int_equal(coalesce(COALESCE_SECTOR, ALL, p.at, 4, out), 4);
    for (unsigned s = 0; s < 4; s++)
        check_access(&out[s], 0x1000, 0xffu << 8 * s, 1u << s, 1u << s);
    check_bytes(&out[0], 0xffffffff, 0);
    check_bytes(&out[3], 0, UINT64_C(0xffffffff) << 32);
}

// All lanes follow each other but one, whichever it is.
static void test_one_lane_apart(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    for (unsigned l = 1; l < LANES; l++) { // lane 0 would come first
        Pattern p = strided(0x1000, 4);
        p.at[l] = 0x9000;
        uint64_t low = UINT64_MAX, high = UINT64_MAX;
        *(l < 16 ? &low : &high) &= ~(UINT64_C(0xf) << l % 16 * 4);
        assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 4, out), 2);
        check_access(&out[0], 0x1000, ~(1u << l), 0xf, 0xf);
        check_bytes(&out[0], low, high);
        check_access(&out[1], 0x9000, 1u << l, 1, 1);
        check_bytes(&out[1], 0xf, 0);
    }
}

static void test_stride_two(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1000, 8);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 4, out), 2);
    check_access(&out[0], 0x1000, 0x0000ffff, 0xf, 0xf);
    check_access(&out[1], 0x1080, 0xffff0000, 0xf, 0xf);
    check_bytes(&out[1], 0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f);
    assert_int_equal(coalesce(COALESCE_SECTOR, ALL, p.at, 4, out), 8);
    check_access(&out[7], 0x1080, 0xf0000000, 0x8, 0x8);
}

static void test_same_address(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1064, 0);
    for (int rule = COALESCE_LINE; rule <= COALESCE_SECTOR; rule++) {
        assert_int_equal(coalesce((CoalesceRule)rule, ALL, p.at, 4, out), 1);
        check_access(&out[0], 0x1000, ALL, 0x8, 0x8); // 0x64 = 100: the fourth sector
        check_bytes(&out[0], 0, UINT64_C(0xf) << 36);
    }
}

// Accesses come in the order of their first lane, which here is the highest address.
static void test_reversed(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1100 - 4, -4);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 4, out), 1);
    check_access(&out[0], 0x1080, ALL, 0xf, 0xf);
    assert_int_equal(coalesce(COALESCE_SECTOR, ALL, p.at, 4, out), 4);
    check_access(&out[0], 0x1080, 0x000000ff, 0x8, 0x8);
    check_access(&out[3], 0x1080, 0xff000000, 0x1, 0x1);
}

// A start in the middle of a line: two half packets.
static void test_misaligned(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1040, 4);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 4, out), 2);
    check_access(&out[0], 0x1000, 0x0000ffff, 0xc, 0xc);
    check_access(&out[1], 0x1080, 0xffff0000, 0x3, 0x3);

    p = strided(0x1004, 4); // off by one word: a whole line, and a quarter for the last lane
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 4, out), 2);
    check_access(&out[0], 0x1000, 0x7fffffff, 0xf, 0xf);
    check_access(&out[1], 0x1080, 0x80000000, 0x1, 0x1);
    assert_int_equal(coalesce(COALESCE_SECTOR, ALL, p.at, 4, out), 5);
}

static void test_wide_elements(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1000, 8);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 8, out), 2);
    check_bytes(&out[0], UINT64_MAX, UINT64_MAX);
    assert_int_equal(coalesce(COALESCE_SECTOR, ALL, p.at, 8, out), 8);
    check_access(&out[1], 0x1000, 0x000000f0, 0x2, 0x2);

    p = strided(0x1000, 16);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 16, out), 4);
    check_access(&out[3], 0x1180, 0xff000000, 0xf, 0xf);
    check_bytes(&out[3], UINT64_MAX, UINT64_MAX);
    assert_int_equal(coalesce(COALESCE_SECTOR, ALL, p.at, 16, out), 16);
    check_access(&out[15], 0x1180, 0xc0000000, 0x8, 0x8);
}

// Bytes are grouped by 32, halfwords by 64, though they lie in one line.
static void test_narrow_elements(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1000, 1);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 1, out), 1);
    check_access(&out[0], 0x1000, ALL, 0x1, 0x1);
    check_bytes(&out[0], 0xffffffff, 0);

    p = strided(0x1010, 1);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 1, out), 2);
    check_access(&out[0], 0x1000, 0x0000ffff, 0x1, 0x1);
    check_access(&out[1], 0x1000, 0xffff0000, 0x2, 0x2);

    p = strided(0x1000, 2);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 2, out), 1);
    check_access(&out[0], 0x1000, ALL, 0x3, 0x3);
    p = strided(0x1020, 2);
    assert_int_equal(coalesce(COALESCE_LINE, ALL, p.at, 2, out), 2);
    check_access(&out[0], 0x1000, 0x0000ffff, 0x2, 0x2);
    check_access(&out[1], 0x1000, 0xffff0000, 0x4, 0x4);
}

static void test_scattered(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p;
    for (unsigned l = 0; l < LANES; l++) p.at[l] = (uint64_t)(l * 37 % 32) << 20 | 0x24;
    for (int rule = COALESCE_LINE; rule <= COALESCE_SECTOR; rule++) {
        assert_int_equal(coalesce((CoalesceRule)rule, ALL, p.at, 4, out), 32);
        for (unsigned l = 0; l < LANES; l++)
            check_access(&out[l], (uint64_t)(l * 37 % 32) << 20, 1u << l, 0x2, 0x2);
    }
}

static void test_partial_masks(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1000, 4);
    assert_int_equal(coalesce(COALESCE_LINE, 0, p.at, 4, out), 0);
    assert_int_equal(coalesce(COALESCE_LINE, 0x80000000, p.at, 4, out), 1);
    check_access(&out[0], 0x1000, 0x80000000, 0x8, 0x8);
    check_bytes(&out[0], 0, UINT64_C(0xf) << 60);
    // Lanes 8 and 16: sectors 1 and 2 lie in different halves, so the packet stays whole.
    assert_int_equal(coalesce(COALESCE_LINE, 0x00010100, p.at, 4, out), 1);
    check_access(&out[0], 0x1000, 0x00010100, 0x6, 0xf);
    assert_int_equal(coalesce(COALESCE_SECTOR, 0x00010100, p.at, 4, out), 2);
    // Lanes 0 and 8: the lower half.
    assert_int_equal(coalesce(COALESCE_LINE, 0x00000101, p.at, 4, out), 1);
    check_access(&out[0], 0x1000, 0x00000101, 0x3, 0x3);
}

// Lines of functional accesses are the accesses of sectors, joined where they follow each other.
static void check_lines(unsigned bytes, LaneMask mask, const Pattern *p, const CoalescedAccess *a,
                        unsigned count)
{
    uint64_t words[COALESCE_MAX], loads[COALESCE_MAX];
    WarmBytes stored[COALESCE_MAX];
    unsigned lines = coalesce_lines(mask, p->at, bytes, WARM_STORE, words, stored), expected = 0;
    for (unsigned i = 0; i < count; expected++) {
        uint64_t line = a[i].line, touched[2] = {0};
        unsigned sectors = 0;
        for (; i < count && a[i].line == line; i++) {
            sectors |= a[i].sectors;
            touched[0] |= a[i].bytes[0];
            touched[1] |= a[i].bytes[1];
        }
        assert_true(expected < lines);
        assert_true(words[expected] == warm_word(0, line, (uint8_t)sectors, WARM_STORE));
        assert_true(stored[expected].bits[0] == touched[0]);
        assert_true(stored[expected].bits[1] == touched[1]);
        words[expected] = warm_word(0, line, (uint8_t)sectors, WARM_LOAD);
    }
    assert_int_equal(lines, expected);
    assert_int_equal(coalesce_lines(mask, p->at, bytes, WARM_LOAD, loads, NULL), lines);
    assert_memory_equal(loads, words, lines * sizeof *words);
}

// Compares with the result of comparing each lane with every earlier one.
static void check_model(CoalesceRule rule, unsigned bytes, LaneMask mask, Pattern p)
{
    uint64_t segment = rule == COALESCE_SECTOR || bytes == 1 ? 32 : bytes == 2 ? 64 : 128;

    CoalescedAccess out[COALESCE_MAX];
    unsigned count = coalesce(rule, mask, p.at, bytes, out), expected = 0;
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        LaneMask same = 0;
        for (unsigned o = 0; o < LANES; o++)
            if (mask >> o & 1 && p.at[o] / segment == p.at[l] / segment) same |= 1u << o;
        if (lanes_first(same) != l) continue;
        assert_true(expected < count);
        const CoalescedAccess *a = &out[expected++];
        assert_int_equal(a->lanes, same);
        assert_int_equal(a->line, p.at[l] / 128 * 128);
        uint64_t touched[2] = {0};
        for (unsigned o = 0; o < LANES; o++)
            for (unsigned b = 0; same >> o & 1 && b < bytes; b++)
                touched[(p.at[o] + b) % 128 / 64] |= UINT64_C(1) << (p.at[o] + b) % 64;
        check_bytes(a, touched[0], touched[1]);
        for (unsigned s = 0; s < 4; s++)
            assert_int_equal(a->sectors >> s & 1, (touched[s / 2] >> s % 2 * 32 & 0xffffffff) != 0);
        assert_int_equal(a->sectors & ~a->span_sectors, 0);
    }
    assert_int_equal(count, expected);
    if (rule == COALESCE_SECTOR) check_lines(bytes, mask, &p, out, count);
}

// Addresses of all densities.
static void check_random(CoalesceRule rule, unsigned bytes, unsigned spread, uint64_t round)
{
    Pattern p;
    for (unsigned l = 0; l < LANES; l++)
        p.at[l] = (random_draw(2, bytes, l, round) >> spread) / bytes * bytes;
    check_model(rule, bytes, (LaneMask)random_draw(1, bytes, 0, round), p);
}

// Evenly spaced addresses, in both directions, of lanes that follow each other and that do not;
// with one lane at another place, too.
static void test_even(void **state)
{
    (void)state;
    static const int64_t strides[] = {0, 1, 2, 4, 8, 12, 16, 32, 48, 64, 96, 128, 144, 256, 4096,
                                      INT64_C(1) << 36, -4, -16, -32, -128, -144, -4096};
    static const LaneMask masks[] = {0, 1, 3, 0xff, 0x80000000, 0xfffffff0, 0x0000ff00, 0x7fffffff,
                                     0xffffffff, 0x55555555, 0xfffeffff};
    static const unsigned starts[] = {0, 16, 48, 112};
    for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
        for (unsigned s = 0; s < sizeof strides / sizeof *strides; s++) {
            if (strides[s] % bytes) continue;
            for (unsigned m = 0; m < sizeof masks / sizeof *masks; m++)
                for (unsigned k = 0; k < sizeof starts / sizeof *starts; k++)
                    for (unsigned moved = 0; moved <= LANES; moved++) {
                        Pattern p = strided((UINT64_C(1) << 44) + starts[k], strides[s]);
                        if (moved < LANES) p.at[moved] += 64;
                        check_model(COALESCE_LINE, bytes, masks[m], p);
                        check_model(COALESCE_SECTOR, bytes, masks[m], p);
                    }
        }
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
        for (uint64_t round = 0; round < 400; round++)
            for (unsigned spread = 24; spread <= 58; spread += 17) {
                check_random(COALESCE_LINE, bytes, spread, round);
                check_random(COALESCE_SECTOR, bytes, spread, round);
            }
}

// ---- atomics, at most one lane on each word ----

// Four words of a sector with 8 lanes each: 8 packets of 4 lanes, in lane order.
static void test_words_of_one_sector(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p;
    for (unsigned l = 0; l < LANES; l++) p.at[l] = 0x1040 + l % 4 * 4;
    for (int rule = COALESCE_LINE; rule <= COALESCE_SECTOR; rule++) {
        assert_int_equal(coalesce_words((CoalesceRule)rule, ALL, p.at, 4, out), 8);
        for (unsigned i = 0; i < 8; i++) {
            check_access(&out[i], 0x1000, 0xfu << 4 * i, 0x4, 0x4);
            check_bytes(&out[i], 0, 0xffff);
        }
    }
}

// One word: a packet for each lane. Different words: as for loads.
static void test_words_extremes(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = strided(0x1008, 0);
    assert_int_equal(coalesce_words(COALESCE_LINE, ALL, p.at, 8, out), 32);
    for (unsigned l = 0; l < LANES; l++) {
        check_access(&out[l], 0x1000, 1u << l, 0x1, 0x1);
        check_bytes(&out[l], 0xff00, 0);
    }
    p = strided(0x1000, 4);
    assert_int_equal(coalesce_words(COALESCE_LINE, ALL, p.at, 4, out), 1);
    check_access(&out[0], 0x1000, ALL, 0xf, 0xf);
    assert_int_equal(coalesce_words(COALESCE_SECTOR, ALL, p.at, 4, out), 4);
    assert_int_equal(coalesce_words(COALESCE_LINE, 0, p.at, 4, out), 0);
}

// Lanes 0, 1 and 2 on word 0, lane 3 on word 8 (sector 1), lane 4 on word 0: lane 3 joins the first
// packet of the line.
static void test_words_join_the_first(void **state)
{
    (void)state;
    CoalescedAccess out[COALESCE_MAX];
    Pattern p = {.at = {0x2000, 0x2000, 0x2000, 0x2020, 0x2000}};
    assert_int_equal(coalesce_words(COALESCE_LINE, 0x1f, p.at, 4, out), 4);
    check_access(&out[0], 0x2000, 0x9, 0x3, 0x3);
    check_access(&out[1], 0x2000, 0x2, 0x1, 0x1);
    check_access(&out[2], 0x2000, 0x4, 0x1, 0x1);
    check_access(&out[3], 0x2000, 0x10, 0x1, 0x1);
    assert_int_equal(coalesce_words(COALESCE_SECTOR, 0x1f, p.at, 4, out), 5);
    check_access(&out[0], 0x2000, 0x1, 0x1, 0x1);
    check_access(&out[3], 0x2000, 0x8, 0x2, 0x2);
}

// The n-th lane of a word is in the n-th packet of the word's segment.
static void check_random_words(CoalesceRule rule, unsigned bytes, unsigned spread, uint64_t round)
{
    Pattern p;
    LaneMask mask = (LaneMask)random_draw(3, bytes, 0, round);
    unsigned earlier[LANES] = {0}; // lanes on the same word before this one
    for (unsigned l = 0; l < LANES; l++)
        p.at[l] = (random_draw(4, bytes, l, round) >> spread) / bytes * bytes;
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned o = 0; o < l; o++) earlier[l] += mask >> o & 1 && p.at[o] == p.at[l];
    uint64_t segment = rule == COALESCE_SECTOR ? 32 : bytes == 2 ? 64 : 128;

    CoalescedAccess out[COALESCE_MAX];
    unsigned count = coalesce_words(rule, mask, p.at, bytes, out), expected = 0;
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        LaneMask same = 0;
        for (unsigned o = 0; o < LANES; o++)
            if (mask >> o & 1 && p.at[o] / segment == p.at[l] / segment && earlier[o] == earlier[l])
                same |= 1u << o;
        if (lanes_first(same) != l) continue;
        assert_true(expected < count);
        const CoalescedAccess *a = &out[expected++];
        assert_int_equal(a->lanes, same);
        assert_int_equal(a->line, p.at[l] / 128 * 128);
        assert_int_equal(__builtin_popcountll(a->bytes[0]) + __builtin_popcountll(a->bytes[1]),
                         bytes * lanes_count(same));
    }
    assert_int_equal(count, expected);
}

static void test_words_random(void **state)
{
    (void)state;
    for (unsigned bytes = 2; bytes <= 16; bytes *= 2)
        for (uint64_t round = 0; round < 400; round++)
            for (unsigned spread = 47; spread <= 62; spread += 3) {
                check_random_words(COALESCE_LINE, bytes, spread, round);
                check_random_words(COALESCE_SECTOR, bytes, spread, round);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unit_stride),    cmocka_unit_test(test_stride_two),
        cmocka_unit_test(test_same_address),   cmocka_unit_test(test_reversed),
        cmocka_unit_test(test_misaligned),     cmocka_unit_test(test_wide_elements),
        cmocka_unit_test(test_narrow_elements), cmocka_unit_test(test_scattered),
        cmocka_unit_test(test_partial_masks),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_even),           cmocka_unit_test(test_one_lane_apart),
        cmocka_unit_test(test_words_of_one_sector),
        cmocka_unit_test(test_words_extremes), cmocka_unit_test(test_words_join_the_first),
        cmocka_unit_test(test_words_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
