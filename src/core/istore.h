// The store of decoded instructions that the warps of an SM share (frontend.buffer=shared-store):
// set-associative, each entry holding a few instructions in sequence, a tag and a count of the
// warps that point to it (Yilmazer-Metin, "Graph-Waving architecture: Efficient execution of graph
// applications on GPUs", 2020, section 6.2). An entry in use is never replaced.
//
// That paper does not say what happens where every way of a set is in use. Warps that spin could
// then keep the one they wait for from its instructions for ever. So a warp that finds no place
// claims an entry: it takes no new references, is gone with its last one, and is then for that warp
// or for one that has waited longer. Who waits is told apart by an age: when it began to.
#ifndef HEDDLE_CORE_ISTORE_H
#define HEDDLE_CORE_ISTORE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct StoreEntry {
    uint64_t order;      // of last use
    uint64_t claim;      // age of the warp that has claimed it, 0: none
    uint32_t block;      // number of its first instruction / instructions per entry
    uint32_t references; // warps that point to it
    bool valid;
} StoreEntry;

typedef struct InstructionStore {
    StoreEntry *entries; // [set][way]; NULL: the machine has none
    uint32_t sets, ways;
    uint64_t uses;       // clock of StoreEntry.order
} InstructionStore;

// `entries` must be a multiple of `ways`. false: memory is out.
bool istore_init(InstructionStore *store, uint32_t entries, uint32_t ways);
void istore_free(InstructionStore *store);

// The entry of a block to which a warp may point; NULL: there is none.
StoreEntry *istore_find(const InstructionStore *store, uint32_t block);
// A new entry for a block that istore_find does not find, without references: in an unused way or
// the least recently used that nobody points to. NULL: there is none for a warp of this age (not
// 0); it has claimed one, unless older ones have claimed them all.
StoreEntry *istore_place(InstructionStore *store, uint32_t block, uint64_t age);

// A warp of this age (0: it has claimed none) points to the entry and gives its claim up; no longer
// points to it. istore_release returns whether the entry has left for the one that claims it.
void istore_hold(InstructionStore *store, StoreEntry *entry, uint64_t age);
bool istore_release(StoreEntry *entry);

#endif
