// Which set of a cache an address falls into.
//
// Every hashed index (exclusive-or, Fermi's, polynomial) is a linear map over GF(2): the set is
// the exclusive-or of one constant per set bit of the line number. The constants are kept summed
// up by byte, so that a look-up costs one load per byte of the line number.
#ifndef HEDDLE_MEMORY_SET_INDEX_H
#define HEDDLE_MEMORY_SET_INDEX_H

#include "base/error.h"
#include "memory/cache.h"

#include <stdint.h>

typedef struct SetIndex {
    uint32_t sets;
    unsigned line_bits;       // log2 of the line's bytes
    bool power_of_two;        // the number of sets is
    uint32_t (*by_byte)[256]; // [8][256] of the line number's bytes; NULL: linear
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
        return (uint32_t)(index->power_of_two ? number & (index->sets - 1) : number % index->sets);
    uint32_t set = 0;
    for (const uint32_t (*sums)[256] = (const uint32_t (*)[256])index->by_byte; number;
         number >>= 8)
        set ^= (*sums++)[number & 255];
    return set;
}

// Whether the polynomial over GF(2) (bit i: coefficient of x^i) has no divisor but 1 and itself.
bool polynomial_irreducible(uint32_t polynomial);

#endif
