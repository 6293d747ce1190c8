// The reordering hash: where an element belongs, and the entries of this slice's sets.
#ifndef HEDDLE_MECHANISMS_IRU_TABLE_H
#define HEDDLE_MECHANISMS_IRU_TABLE_H

#include "iru.h"

// Where an element belongs: its block of the target array, and the set of a slice.
typedef struct IruHome {
    uint64_t block;
    unsigned slice, set, bank;
} IruHome;
// What the hash of a slice depends on, for many elements.
typedef struct IruHash {
    uint64_t target;
    uint32_t type_size, slices, sets, banks;
    unsigned shift, bits; // of a block; of a digit
    unsigned place;       // the slice of all elements; IRU_ANY_SLICE: the hash says it
} IruHash;
enum { IRU_ANY_SLICE = UINT32_MAX };
IruHash iru_hash(const HdPlace *place);

static inline uint64_t iru_block(const IruHash *hash, uint32_t index)
{
    return (hash->target + (uint64_t)index * hash->type_size) >> hash->shift;
}

static inline IruHome iru_home_by(const IruHash *by, uint32_t index)
{
    uint64_t block = iru_block(by, index), digits = 0;
    for (uint64_t rest = block; rest; rest >>= by->bits) digits ^= rest;
    uint32_t hash = digits & ((1u << by->bits) - 1);
    unsigned set = hash / by->slices % by->sets;
    return (IruHome){.block = block,
                     .slice = by->place == IRU_ANY_SLICE ? hash % by->slices : by->place,
                     .set = set, .bank = set % by->banks};
}

static inline IruHome iru_home(const HdPlace *place, uint32_t index)
{
    IruHash hash = iru_hash(place);
    return iru_home_by(&hash, index);
}

typedef enum IruInserted { IRU_FULL, IRU_INSERTED, IRU_MERGED } IruInserted;

// Inserts an element of this slice, or merges it into one with the same index. IRU_FULL: its entry
// is full, and nothing has changed.
IruInserted iru_table_insert(HdPlace *place, const IruHome *home, const IruElement *element);

// The elements in all entries, and in the best one: that with most, then the lowest set.
unsigned iru_table_elements(const HdPlace *place);
unsigned iru_table_most(HdPlace *place);
// Moves up to `most` elements to `to`, the oldest of the best entry first, then of the next best.
// Returns how many.
unsigned iru_table_take(HdPlace *place, unsigned most, IruElement *to);

#endif
