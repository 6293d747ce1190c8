// The set of a cache into which an address falls.
//
// Every hashed index (exclusive-or, Fermi's, polynomial) is a linear map over GF(2): the set is the
// exclusive-or of one constant per set bit of the line number. The constants are summed up by byte,
// so that a lookup costs one load per byte of the line number. The other indices (linear, prime)
// are the remainder of a division.
#ifndef HEDDLE_MEMORY_CACHE_SET_INDEX_H
#define HEDDLE_MEMORY_CACHE_SET_INDEX_H

#include "base/fail.h"
#include "memory/cache/cache.h"

#include <stdint.h>

typedef struct SetIndex {
    uint32_t sets;
    uint32_t used;            // sets into which addresses fall: the first ones
    unsigned line_bits;       // log2 of the line's bytes
    bool power_of_two;        // whether `used` is
    uint32_t (*by_byte)[256]; // [8][256], by the line number's bytes; NULL: the remainder by `used`
} SetIndex;

// Makes the index that the configuration selects (index, polynomial, line). name: the configuration
// section, for messages. false and err: this kind of index cannot have that number of sets. Call
// set_index_free after failure too.
bool set_index_init(SetIndex *index, const CacheConfig *config, uint32_t sets, const char *name,
                    HdError *err);
void set_index_free(SetIndex *index);

static inline uint32_t set_index_for(const SetIndex *index, uint64_t address)
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

// The contribution of bit `bit` of the line number (0..63) to the set, by exclusive-or: column
// `bit` of the index's matrix over GF(2), whose row i gives set bit i. The index must be such a
// map: all of a power of two of sets are used.
uint32_t set_index_column(const SetIndex *index, unsigned bit);

// Whether the polynomial over GF(2) (bit i: coefficient of x^i) has no divisors but 1 and itself.
bool polynomial_irreducible(uint32_t polynomial);
// The smallest irreducible one of this degree, other than x.
uint32_t polynomial_smallest_irreducible(unsigned degree);

#endif
