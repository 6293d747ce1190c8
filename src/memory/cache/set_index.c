// Builds the set index of a cache: the linear maps over GF(2), the prime, and their checks.
#include "memory/cache/set_index.h"

#include "base/bits.h"

#include <stdlib.h>

enum { NUMBER_BITS = 64, NUMBER_BYTES = 8 };

// The remainder of a divided by b (not 0), both polynomials over GF(2).
static uint64_t polynomial_rest(uint64_t a, uint64_t b)
{
    unsigned degree = log2_floor(b);
    while (a >> degree) a ^= b << (log2_floor(a) - degree);
    return a;
}

bool polynomial_irreducible(uint32_t polynomial)
{
    if (polynomial < 2) return false;
    unsigned degree = log2_floor(polynomial);
    for (uint32_t divisor = 2; log2_floor(divisor) <= degree / 2; divisor++)
        if (!polynomial_rest(polynomial, divisor)) return false;
    return true;
}

// Odd polynomials only: x itself is irreducible, but as a hash it would ignore the upper bits.
uint32_t polynomial_smallest_irreducible(unsigned degree)
{
    uint32_t p = (UINT32_C(1) << degree) | 1;
    while (!polynomial_irreducible(p)) p += 2;
    return p;
}

static bool is_prime(uint32_t n)
{
    for (uint32_t divisor = 2; divisor <= n / divisor; divisor++)
        if (n % divisor == 0) return false;
    return n > 1;
}

// Nugteren et al., "A Detailed GPU Cache Model Based on Reuse Distance Theory", HPCA 2014, found
// this map on a GTX 480: address bits 7-11 xor {13, 14, 15, 17, 19}; bit 12 on top of 64 sets.
static void fermi_columns(uint32_t columns[NUMBER_BITS], unsigned set_bits)
{
    static const unsigned char upper[] = {13, 14, 15, 17, 19};
    for (unsigned i = 0; i < 5; i++) {
        columns[i] = UINT32_C(1) << i;
        columns[upper[i] - 7] = UINT32_C(1) << i;
    }
    if (set_bits == 6) columns[12 - 7] = UINT32_C(1) << 5;
}

static bool check_polynomial(uint32_t *polynomial, unsigned set_bits, const char *name,
                             HdError *err)
{
    if (!*polynomial) {
        *polynomial = polynomial_smallest_irreducible(set_bits);
        return true;
    }
    if (log2_floor(*polynomial) != set_bits)
        return hd_fail(err, "%s: polynomial %u has degree %u: for %u sets expected degree %u, for "
                            "example %u",
                       name, *polynomial, log2_floor(*polynomial), 1u << set_bits, set_bits,
                       polynomial_smallest_irreducible(set_bits));
    if (*polynomial == 2) // x: irreducible, but x^n modulo x is 0
        return hd_fail(err, "%s: polynomial 2 uses only the lowest bit of the line number: "
                            "expected 3",
                       name);
    if (!polynomial_irreducible(*polynomial))
        return hd_fail(err, "%s: polynomial %u is reducible, so that some sets are used more than "
                            "others: expected an irreducible one, for example %u",
                       name, *polynomial, polynomial_smallest_irreducible(set_bits));
    return true;
}

bool set_index_init(SetIndex *index, const CacheConfig *config, uint32_t sets, const char *name,
                    HdError *err)
{
    CacheIndex kind = (CacheIndex)config->index;
    uint32_t used = sets, polynomial = config->polynomial;
    while (kind == INDEX_PRIME && used > 1 && !is_prime(used)) used--;
    *index = (SetIndex){.sets = sets,
                        .used = used,
                        .line_bits = log2_floor(config->line),
                        .power_of_two = is_power_of_two(used)};
    if (sets == 1 || kind == INDEX_LINEAR || kind == INDEX_PRIME) return true;
    if (kind == INDEX_FERMI && ((sets != 32 && sets != 64) || config->line != 128))
        return hd_fail(err, "%s: index: fermi is made for 32 or 64 sets of 128-byte lines, not "
                            "%u sets of %u; use xor or linear",
                       name, sets, (unsigned)config->line);
    if (!index->power_of_two)
        return hd_fail(err, "%s: %u sets need index: linear or prime; %s needs a power of two",
                       name, sets, kind == INDEX_XOR ? "xor" : "polynomial");
    unsigned set_bits = log2_floor(sets);
    if (kind == INDEX_POLYNOMIAL && !check_polynomial(&polynomial, set_bits, name, err))
        return false;
    uint32_t columns[NUMBER_BITS] = {0}; // by bit of the line number: its contribution to the set
    for (unsigned b = 0; kind == INDEX_XOR && b < NUMBER_BITS; b++)
        columns[b] = UINT32_C(1) << b % set_bits;
    if (kind == INDEX_FERMI) fermi_columns(columns, set_bits);
    // The line number modulo the polynomial (Rau, "Pseudo-randomly interleaved memory", ISCA 1991):
    // bit b of the number adds x^b mod p.
    uint32_t power = 1; // its degree is less than the polynomial's, which is set_bits
    for (unsigned b = 0; kind == INDEX_POLYNOMIAL && b < NUMBER_BITS; b++) {
        columns[b] = power;
        power <<= 1;
        if (power >> set_bits) power ^= polynomial;
    }
    index->by_byte = aligned_alloc(64, NUMBER_BYTES * sizeof *index->by_byte);
    if (!index->by_byte) return hd_fail_memory(err, "building a set index");
    for (unsigned byte = 0; byte < NUMBER_BYTES; byte++) index->by_byte[byte][0] = 0;
    for (unsigned b = 0; b < NUMBER_BITS; b++) { // the sums of the byte's lower bits are there
        unsigned first = 1u << b % 8;
        const uint32_t *restrict lower = index->by_byte[b / 8];
        uint32_t *restrict with_bit = &index->by_byte[b / 8][first];
        for (unsigned i = 0; i < first; i++) with_bit[i] = lower[i] ^ columns[b];
    }
    return true;
}

uint32_t set_index_column(const SetIndex *index, unsigned bit)
{
    if (index->by_byte) return index->by_byte[bit / 8][1u << bit % 8];
    return bit < log2_floor(index->used) ? 1u << bit : 0;
}

void set_index_free(SetIndex *index)
{
    free(index->by_byte);
    index->by_byte = NULL;
}
