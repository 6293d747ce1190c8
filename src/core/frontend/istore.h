// The store of decoded instructions that the warps of an SM share (frontend.buffer=shared-store):
// set-associative; each entry has a few consecutive instructions, a tag and the number of warps
// that point to it (Yilmazer-Metin, "Graph-Waving architecture: Efficient execution of graph
// applications on GPUs", 2020, section 6.2). An entry in use is never replaced.
//
// The paper does not say what happens if every way of a set is in use. Warps that spin could then
// keep the warp that they wait for from its instructions for ever. So a warp that finds no free
// entry claims one. A claimed entry takes no new references, is freed with its last one, and then
// goes to the warp that claimed it, or to one that has waited longer. A warp that waits is
// identified by its age: the number that it got when it began to wait.
#ifndef HEDDLE_CORE_FRONTEND_ISTORE_H
#define HEDDLE_CORE_FRONTEND_ISTORE_H

#include "base/tables.h"
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

// `entries` must be a multiple of `ways`. false: out of memory.
bool istore_init(InstructionStore *store, uint32_t entries, uint32_t ways, HdTables *tables);

// The entry of a block of instructions to which a warp may point; NULL: none.
StoreEntry *istore_find(const InstructionStore *store, uint32_t block);
// A new entry, without references, for a block that istore_find does not find: in an unused way, or
// in the least recently used one without references. NULL: none is free for a warp of this age (not
// 0); the warp has claimed one, unless older warps have claimed them all.
StoreEntry *istore_place(InstructionStore *store, uint32_t block, uint64_t age);

// A warp of this age (0: it has claimed none) points to the entry from now on and gives up its
// claim. istore_release: a warp no longer points to the entry. Returns whether the entry is free
// for the warp that has claimed it.
void istore_hold(InstructionStore *store, StoreEntry *entry, uint64_t age);
bool istore_release(StoreEntry *entry);

#endif
