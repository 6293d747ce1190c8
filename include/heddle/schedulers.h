// What a mechanism decides about the warps of an SM: which may issue, in which order schedulers try
// them, and which one a scheduler tries in a turn. Part of heddle/mechanism.h, which includes it.
#ifndef HEDDLE_SCHEDULERS_H
#define HEDDLE_SCHEDULERS_H

#include "heddle/events.h"

// The warps that a question is about, the oldest first. decide_order: all that have not exited.
// decide_issuable: those that can be throttled. Warps that wait at a barrier or sleep are not among
// them, so a mechanism that lets one warp of each scheduler issue cannot block a barrier for ever.
typedef struct HdWarps {
    const HdWarp *warps;
    unsigned count, schedulers;
    uint64_t cycle;     // core cycles
    uint64_t committed; // warp instructions and micro-ops that this SM has finished in this launch
} HdWarps;

// The warps that may issue loads (of global and local memory, which the L1 serves), and the warps
// that may issue any instruction. A load needs both. Barriers are never throttled.
typedef struct HdIssuable {
    HdWarpSet loads, anything; // empty when the hook is called
    uint64_t ask_at;           // latest core cycle of the next call; UINT64_MAX when the hook is
                               // called: not before something changes
} HdIssuable;

// The order in which schedulers try their ready warps, until the next call of decide_order. It is
// by age, the oldest first, when the hook is called: rank 0 for all warps, neither greedy nor
// rotating.
typedef struct HdOrder {
    uint32_t rank[HD_MAX_WARPS]; // by warp slot. Of a scheduler's warps the lowest rank goes first,
                                 // and of equal ranks the oldest warp
    bool greedy;                 // the warp that a scheduler issued last goes first while it is
                                 // ready, whatever its rank
    bool rotates;                // warps of equal rank take turns, by slot, from behind the warp
                                 // that the scheduler issued last; not by age
    uint64_t ask_at;             // latest core cycle of the next call; UINT64_MAX when the hook is
                                 // called: not before something changes
} HdOrder;

// What a warp's next instruction waits for.
typedef enum HdWarpWait {
    HD_NO_WARP,       // no warp is in the slot
    HD_READY,         // nothing, but perhaps for room at its execution port
    HD_WAITS_WAVE,    // its scalar instruction is in a wave of several warps, or waits for one
    HD_WAITS_FETCH,   // to be fetched and decoded
    HD_WAITS_ENTRY,   // an entry of the shared store of instructions (frontend.buffer)
    HD_WAITS_RESULT,  // a result other than a load's or an atomic's
    HD_WAITS_MEMORY,  // the result of a load or an atomic
    HD_WAITS_BARRIER, // a barrier, a fence, or the end of a sleep
    HD_THROTTLED      // decide_issuable
} HdWarpWait;

// The turn of a scheduler in a cycle.
typedef struct HdTurn {
    uint64_t cycle; // core cycles
    const HdWarp *warps; // of the scheduler, all that have not exited, the oldest first
    unsigned count;      // of warps
    unsigned scheduler;
    uint16_t last;       // slot of the warp that the scheduler issued last; at first, of its first
    const HdWarpSet *candidates; // ready warps whose execution port has room
    const uint8_t *waits;        // by warp slot: HdWarpWait of the scheduler's warps
} HdTurn;

// A warp as the answer to decide_warp.
typedef uint32_t HdChoice;
#define HD_WARP(slot) ((HdChoice)(slot) + 1)
#define HD_ISSUE_NONE UINT32_MAX // the scheduler issues nothing in this turn

enum { HD_MOST_IDLE_TURNS = 1000000 };

#endif
