// The atomic unit of an L2 slice: when it performs the lanes of an atomic that has its data.
//
// The unit takes one request at a time, in the order of the lookups and fills. It makes one pass
// over the request's words for each lane on the most crowded word: pass k performs the k-th lane of
// each word. A pass takes a cycle for every `words` words. A pass on a word starts at least
// `word_cycles` after the word's last one, also after one of an earlier request. With word_cycles 0
// the lanes on a word are combined: there is one pass.
#ifndef HEDDLE_MEMORY_SLICE_ATOMIC_UNIT_H
#define HEDDLE_MEMORY_SLICE_ATOMIC_UNIT_H

#include "base/tables.h"
#include "memory/memory_side.h"

typedef struct AtomicWord {
    uint64_t address, free; // free: the first cycle in which a pass on the word may start
} AtomicWord;

typedef struct AtomicUnit {
    uint32_t words, word_cycles; // atomics.words and word_cycles
    uint64_t free;               // the first cycle in which the next request may start
    uint64_t busy;               // cycles of all passes so far, and between passes of one request
    AtomicWord *recent;          // words with a free cycle after `free`; older ones may remain
    uint32_t recent_count;
} AtomicUnit;

// Its words lie among `tables`. false: out of memory.
bool atomic_unit_init(AtomicUnit *unit, const AtomicsConfig *config, HdTables *tables);

// Whether the unit takes time at all.
static inline bool atomic_unit_is_timed(const AtomicUnit *unit)
{
    return unit->words || unit->word_cycles;
}

// Performs these lanes of an atomic from `cycle` on, which is not before the last call's.
// Returns the cycle of the last pass's end: `cycle` itself if the unit is free and needs one cycle,
// or takes no time.
uint64_t atomic_unit_perform(AtomicUnit *unit, const AtomicLanes *atomic, LaneMask lanes,
                             uint64_t cycle);

#endif
