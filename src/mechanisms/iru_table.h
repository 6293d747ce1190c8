// The reordering hash: where an element belongs, and the entries of this slice's sets.
#ifndef HEDDLE_MECHANISMS_IRU_TABLE_H
#define HEDDLE_MECHANISMS_IRU_TABLE_H

#include "iru.h"

// Where an element belongs: its block of the target array, and the set of a slice.
typedef struct IruHome {
    uint64_t block;
    unsigned slice, set, bank;
} IruHome;
IruHome iru_home(const HdPlace *place, uint32_t index);

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
