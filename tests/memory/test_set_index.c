// Set indices against hand-computed values, the equations of a paper, and long division.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/random.h"
#include "memory/cache/set_index.h"

static SetIndex made(CacheIndex kind, uint32_t sets, uint64_t line, uint32_t polynomial)
{
    SetIndex index;
    HdError err = {0};
    const CacheConfig config = {.index = kind, .line = line, .polynomial = polynomial};
    if (!set_index_init(&index, &config, sets, "test", &err)) fail_msg("%s", err.text);
    return index;
}

static void test_linear(void **state)
{
    (void)state;
    SetIndex index = made(INDEX_LINEAR, 32, 128, 0);
    assert_int_equal(set_index_for(&index, 0x12345680), 0x2468ad % 32);
    assert_int_equal(set_index_for(&index, 127), 0);
    set_index_free(&index);
    index = made(INDEX_LINEAR, 48, 128, 0); // any number of sets
    assert_int_equal(set_index_for(&index, 1000 * 128), 40);
    assert_int_equal(set_index_for(&index, 47 * 128 + 5), 47);
    assert_int_equal(set_index_for(&index, 48 * 128), 0);
    set_index_free(&index);
}

// Line number 0x2468ad in groups of 4 bits: 2 ^ 4 ^ 6 ^ 8 ^ a ^ d = f.
static void test_xor(void **state)
{
    (void)state;
    SetIndex index = made(INDEX_XOR, 16, 128, 0);
    assert_int_equal(set_index_for(&index, 0x12345680), 0xf);
    assert_int_equal(set_index_for(&index, UINT64_C(1) << 47), 1); // line bit 40 = 10 groups
    set_index_free(&index);
    index = made(INDEX_XOR, 1, 128, 0);
    assert_int_equal(set_index_for(&index, UINT64_MAX), 0);
    set_index_free(&index);
}

// Which bits of the address the 64 (or 32) sets come from, one bit at a time and together.
static void test_fermi(void **state)
{
    (void)state;
    SetIndex small = made(INDEX_FERMI, 32, 128, 0), large = made(INDEX_FERMI, 64, 128, 0);
    for (unsigned bit = 0; bit < 64; bit++) {
        uint32_t expected = bit >= 7 && bit <= 11 ? 1u << (bit - 7)
                            : bit == 13           ? 1
                            : bit == 14           ? 2
                            : bit == 15           ? 4
                            : bit == 17           ? 8
                            : bit == 19           ? 16
                                                  : 0;
        assert_int_equal(set_index_for(&small, UINT64_C(1) << bit), expected);
        assert_int_equal(set_index_for(&large, UINT64_C(1) << bit), bit == 12 ? 32 : expected);
    }
    // 0xaef80: bits 7-11 are 11111, 13-15 are 111, 17 and 19 are 1, 12 is 0: all cancel.
    assert_int_equal(set_index_for(&large, 0xaef80), 0);
    assert_int_equal(set_index_for(&large, 0xaff80), 32);
    set_index_free(&small);
    set_index_free(&large);
}

// khairy2015, figure 7: the index of 32 sets by x^5 + x^2 + 1 (37), as the exclusive-or of address
// bits. The figure's equations use A7 to A26; the rows of the matrix are compared bit for bit.
static void test_polynomial_paper(void **state)
{
    (void)state;
    static const unsigned char terms[5][14] = {
        {25, 24, 23, 22, 21, 18, 17, 15, 12, 7},
        {26, 25, 24, 23, 22, 19, 18, 16, 13, 8},
        {26, 22, 21, 20, 19, 18, 15, 14, 12, 9},
        {23, 22, 21, 20, 19, 16, 15, 13, 10},
        {24, 23, 22, 21, 20, 17, 16, 14, 11},
    };
    SetIndex index = made(INDEX_POLYNOMIAL, 32, 128, 37);
    for (unsigned i = 0; i < 5; i++) {
        uint32_t figure = 0, row = 0;
        for (unsigned t = 0; terms[i][t]; t++) figure |= UINT32_C(1) << terms[i][t];
        for (unsigned bit = 7; bit <= 26; bit++)
            row |= (set_index_column(&index, bit - 7) >> i & 1) << bit;
        assert_int_equal(row, figure);
    }
    for (uint64_t n = 0; n < 4096; n++) {
        uint64_t address = random_draw(1, 2, 3, n) % (1 << 27);
        uint32_t expected = 0;
        for (unsigned i = 0; i < 5; i++)
            for (unsigned t = 0; terms[i][t]; t++) expected ^= (address >> terms[i][t] & 1) << i;
        assert_int_equal(set_index_for(&index, address), expected);
    }
    set_index_free(&index);
}

// khairy2015, figure 5(b): which of 64 one-byte lines lie in which of 8 sets, eight at a time. The
// figure's set is the residue by x^3 + x^2 + 1 (13) with its bits in the other order, which only
// gives the sets other names.
static void test_polynomial_figure_5b(void **state)
{
    (void)state;
    static const unsigned char figure[8][8] = {
        {0, 4, 2, 6, 1, 5, 3, 7},         {13, 9, 15, 11, 12, 8, 14, 10},
        {23, 19, 21, 17, 22, 18, 20, 16}, {26, 30, 24, 28, 27, 31, 25, 29},
        {35, 39, 33, 37, 34, 38, 32, 36}, {46, 42, 44, 40, 47, 43, 45, 41},
        {52, 48, 54, 50, 53, 49, 55, 51}, {57, 61, 59, 63, 56, 60, 58, 62},
    };
    SetIndex index = made(INDEX_POLYNOMIAL, 8, 1, 13);
    for (unsigned row = 0; row < 8; row++)
        for (unsigned column = 0; column < 8; column++) {
            uint32_t set = set_index_for(&index, figure[row][column]);
            assert_int_equal((set & 1) << 2 | (set & 2) | set >> 2, column);
        }
    set_index_free(&index);
}

// Whether `count` addresses from `start` on, 2^stride lines of 128 bytes apart, lie in as many
// sets.
static bool spreads(const SetIndex *index, uint64_t start, unsigned stride, unsigned count)
{
    uint64_t used = 0;
    for (uint64_t i = 0; i < count; i++)
        used |= UINT64_C(1) << set_index_for(index, start + (i << stride) * 128);
    return (unsigned)__builtin_popcountll(used) == count;
}

// A power-of-two stride meets every set once in as many accesses as there are sets, whatever the
// polynomial: x^k has an inverse modulo an irreducible one. The same holds for a prime. The linear
// index uses M / gcd(M, S) sets (khairy2015, section 4.3).
static void test_power_of_two_strides(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (uint32_t p = 3; p < 128; p += 2) {
        if (!polynomial_irreducible(p)) continue;
        uint32_t sets = UINT32_C(1) << log2_floor(p);
        SetIndex index = made(INDEX_POLYNOMIAL, sets, 128, p);
        for (unsigned stride = 0; stride + log2_floor(p) < 57; stride++, tried++)
            for (uint64_t from = 0; from < 3; from++)
                assert_true(spreads(&index, (from << (stride + log2_floor(p))) * 128 + from, stride,
                                    sets));
        set_index_free(&index);
    }
    assert_true(tried > 1000); // 1 + 1 + 2 + 3 + 6 + 9 polynomials by 51 to 56 strides
    SetIndex prime = made(INDEX_PRIME, 32, 128, 0), linear = made(INDEX_LINEAR, 32, 128, 0);
    for (unsigned stride = 0; stride < 40; stride++) {
        assert_true(spreads(&prime, random_draw(6, 0, 0, stride) >> 24, stride, 31));
        unsigned sets = stride < 5 ? 32u >> stride : 1;
        assert_true(spreads(&linear, 0, stride, sets));
        assert_false(spreads(&linear, 0, stride, sets + 1));
    }
    set_index_free(&prime);
    set_index_free(&linear);
}

// 32 sets: modulo 31, the last is unused; 64: 61; 48: 47; 31 and 2 are primes; 1 is the only set.
static void test_prime(void **state)
{
    (void)state;
    static const struct { uint32_t sets, used; } cases[] = {
        {32, 31}, {64, 61}, {48, 47}, {31, 31}, {4, 3}, {2, 2}, {1, 1}, {1024, 1021},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SetIndex index = made(INDEX_PRIME, cases[i].sets, 128, 0);
        assert_int_equal(index.used, cases[i].used);
        for (uint64_t n = 0; n < 500; n++) {
            uint64_t address = random_draw(7, 0, i, n);
            assert_int_equal(set_index_for(&index, address), address / 128 % cases[i].used);
        }
        set_index_free(&index);
    }
}

// Long division, one bit at a time, of the whole line number.
static uint32_t divided(uint64_t number, uint32_t polynomial, unsigned degree)
{
    uint32_t rest = 0;
    for (int bit = 63; bit >= 0; bit--) {
        rest = rest << 1 | (number >> bit & 1);
        if (rest >> degree & 1) rest ^= polynomial;
    }
    return rest;
}

static void test_polynomial_division(void **state)
{
    (void)state;
    static const struct { uint32_t sets, polynomial, line; unsigned degree; } cases[] = {
        {2, 3, 128, 1}, {16, 19, 128, 4}, {32, 61, 128, 5}, {64, 67, 32, 6}, {4096, 4179, 64, 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SetIndex index = made(INDEX_POLYNOMIAL, cases[i].sets, cases[i].line, cases[i].polynomial);
        for (uint64_t n = 0; n < 1000; n++) {
            uint64_t address = random_draw(4, 5, 6, n);
            assert_int_equal(
                set_index_for(&index, address),
                divided(address / cases[i].line, cases[i].polynomial, cases[i].degree));
        }
        set_index_free(&index);
    }
}

// 0 selects the smallest irreducible polynomial: x^5 + x^2 + 1 for 32 sets, x^6 + x + 1 for 64.
static void test_polynomial_default(void **state)
{
    (void)state;
    static const uint32_t expected[][2] = {{2, 3}, {4, 7}, {16, 19}, {32, 37}, {64, 67}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        SetIndex chosen = made(INDEX_POLYNOMIAL, expected[i][0], 128, 0);
        SetIndex named = made(INDEX_POLYNOMIAL, expected[i][0], 128, expected[i][1]);
        assert_memory_equal(chosen.by_byte, named.by_byte, 8 * sizeof *chosen.by_byte);
        set_index_free(&chosen);
        set_index_free(&named);
    }
}

static void test_irreducible(void **state)
{
    (void)state;
    unsigned degree5 = 0; // 37, 41, 47, 55, 59, 61: (2^5 - 2) / 5 of them
    for (uint32_t p = 32; p < 64; p++) degree5 += polynomial_irreducible(p);
    assert_int_equal(degree5, 6);
    static const uint32_t six[] = {37, 41, 47, 55, 59, 61};
    for (size_t i = 0; i < 6; i++) {
        assert_true(polynomial_irreducible(six[i]));
        SetIndex index = made(INDEX_POLYNOMIAL, 32, 128, six[i]);
        assert_int_equal(set_index_column(&index, 5), six[i] - 32); // the remainder of x^5
        set_index_free(&index);
    }
    assert_false(polynomial_irreducible(0));
    assert_false(polynomial_irreducible(1));
    assert_false(polynomial_irreducible(5));  // (x + 1)^2
    assert_false(polynomial_irreducible(21)); // (x^2 + x + 1)^2
}

// Every aligned run of as many lines as there are sets uses each set once.
static void test_even(void **state)
{
    (void)state;
    static const CacheIndex kinds[] = {INDEX_LINEAR, INDEX_XOR, INDEX_FERMI, INDEX_POLYNOMIAL};
    for (size_t k = 0; k < 4; k++) {
        SetIndex index = made(kinds[k], 64, 128, 0);
        for (uint64_t run = 0; run < 200; run++) {
            uint64_t used = 0, start = (random_draw(8, 0, 0, run) >> 20) / 8192 * 8192;
            for (uint64_t i = 0; i < 64; i++)
                used |= UINT64_C(1) << set_index_for(&index, start + i * 128);
            assert_true(used == UINT64_MAX);
        }
        set_index_free(&index);
    }
}

static void check_message(CacheIndex kind, uint32_t sets, uint32_t polynomial, const char *text)
{
    SetIndex index;
    HdError err = {0};
    const CacheConfig config = {.index = kind, .line = 128, .polynomial = polynomial};
    assert_false(set_index_init(&index, &config, sets, "l1d", &err));
    assert_string_equal(err.text, text);
    set_index_free(&index);
}

static void test_messages(void **state)
{
    (void)state;
    check_message(INDEX_XOR, 48, 0,
                  "l1d: 48 sets need index: linear or prime; xor needs a power of two");
    check_message(INDEX_POLYNOMIAL, 6, 0,
                  "l1d: 6 sets need index: linear or prime; polynomial needs a power of two");
    check_message(INDEX_FERMI, 16, 0, "l1d: index: fermi is made for 32 or 64 sets of 128-byte "
                                      "lines, not 16 sets of 128; use xor or linear");
    check_message(INDEX_POLYNOMIAL, 64, 37, "l1d: polynomial 37 has degree 5: for 64 sets "
                                            "expected degree 6, for example 67");
    check_message(INDEX_POLYNOMIAL, 32, 33, "l1d: polynomial 33 is reducible, so that some sets "
                                            "are used more than others: expected an irreducible "
                                            "one, for example 37");
    check_message(INDEX_POLYNOMIAL, 32, 34, "l1d: polynomial 34 is reducible, so that some sets "
                                            "are used more than others: expected an irreducible "
                                            "one, for example 37");
    check_message(INDEX_POLYNOMIAL, 2, 2, "l1d: polynomial 2 uses only the lowest bit of the line "
                                          "number: expected 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_xor),
        cmocka_unit_test(test_fermi),
        cmocka_unit_test(test_polynomial_paper),
        cmocka_unit_test(test_polynomial_figure_5b),
        cmocka_unit_test(test_power_of_two_strides),
        cmocka_unit_test(test_prime),
        cmocka_unit_test(test_polynomial_division),
        cmocka_unit_test(test_polynomial_default),
        cmocka_unit_test(test_irreducible),
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
