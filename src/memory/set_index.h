// Which set of a cache an address falls into.
//
// Every hashed index (exclusive-or, Fermi's, polynomial) is a linear map over GF(2): the set is
// the exclusive-or of one constant per set bit of the line number. The constants are kept summed
// up by byte, so that a look-up costs one load per byte of the line number. The others (linear,
// prime) are the rest of a division.
#ifndef HEDDLE_MEMORY_SET_INDEX_H
#define HEDDLE_MEMORY_SET_INDEX_H

#include "base/error.h"
#include "memory/cache.h"

#include <stdint.h>

typedef struct SetIndex {
    uint32_t sets;
    uint32_t used;            // sets that an address can fall into: the first ones
    unsigned line_bits;       // log2 of the line's bytes
    bool power_of_two;        // `used` is
    uint32_t (*by_byte)[256]; // [8][256] of the line number's bytes; NULL: the rest by `used`
} SetIndex;

// `line` is a power of two of bytes. Fails where the kind of index cannot serve so many sets
// (`name` is the section that the message names). set_index_free after failure too.
bool set_index_init(SetIndex *index, CacheIndex kind, uint32_t sets, uint64_t line,
                    uint32_t polynomial, const char *name, HdError *err);
void set_index_free(SetIndex *index);

static inline uint32_t set_index_of(const SetIndex *index, uint64_t address)
{
    uint64_t number = address >> index->line_bits;
    if (!index->by_byte)
        return (uint32_t)(index->power_of_two ? number & (index->used - 1) : number % index->used);
    uint32_t set = 0;
    for (const uint32_t (*sums)[256] = (const uint32_t (*)[256])index->by_byte; number;
         number >>= 8)
        set ^= (*sums++)[number & 255];
    return set;
}

// What bit `bit` of the line number (0..63) adds to the set, by exclusive-or: column `bit` of the
// index's matrix over GF(2), of which set bit i is row i. The index must be such a map: of a power
// of two of sets, all of them used.
uint32_t set_index_column(const SetIndex *index, unsigned bit);

// Whether the polynomial over GF(2) (bit i: coefficient of x^i) has no divisor but 1 and itself.
bool polynomial_irreducible(uint32_t polynomial);

#endif
