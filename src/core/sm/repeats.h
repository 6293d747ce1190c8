// Finds warps whose states repeat, so that they never end while no memory changes.
//
// What a warp does next follows from its state (lanes, instruction, registers, predicates, call
// frames, local memory) and from memory. If the state comes back, with memory unchanged in between,
// the warp goes round for ever as long as memory stays so. The state is sampled at branches, and
// compared with a reference, which is renewed after 1, 2, 4, 8, ... samples (Brent's method), so
// that a loop of any length is found.
//
// A loop that reads a clock is never found: its end may depend on time.
#ifndef HEDDLE_CORE_REPEATS_H
#define HEDDLE_CORE_REPEATS_H

#include "core/sm/pipeline.h"

typedef struct WarpRepeats {
    uint64_t reference;      // hash of a state, if samples is not 0
    uint64_t samples, renew; // how many there were; the number at which the reference is renewed
    uint32_t branches;
    uint32_t yields;         // WarpSplits.yields at the reference
    LaneMask ran;            // lanes that have executed an instruction since then
    uint8_t sparse;          // 8 << sparse branches lie between samples
    bool clock;              // the warp has read a clock since then
    bool repeats;            // the state has come back
} WarpRepeats;

typedef struct RepeatWatch {
    WarpRepeats *warps; // by warp slot
    uint64_t polled;    // address of the last load that reads what others write; 0: none
} RepeatWatch;

void repeats_free(RepeatWatch *watch);
// The warp has executed an instruction of these lanes (`active`: before the guard).
void repeats_issue(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, LaneMask active);

#endif
