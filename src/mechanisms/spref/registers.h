// The spare registers of a warp in a loop: for which turn each one is, which lanes it has, and what
// becomes of these lanes. lakshminarayana2014, 3.3.2.5.
#ifndef HEDDLE_MECHANISMS_SPREF_REGISTERS_H
#define HEDDLE_MECHANISMS_SPREF_REGISTERS_H

#include "training.h"

enum { MAX_DISTANCE = 3 };

// Figure 9: the spare registers that hold a warp's prefetches, heads first. The thesis's pointers
// are the turn modulo the distance whenever they are used.
typedef struct AllocatedReq { uint8_t registers[MAX_TARGETS][MAX_DISTANCE]; } AllocatedReq;
enum {
    LIST_BITS = MAX_DISTANCE * 6,
    AllocatedReq_bits = MAX_HEADS * (LIST_BITS + 3 * 2) + MAX_TAILS * (LIST_BITS + 2 * 2)
};

// The loop that a warp is in, if it is in one of the table (loop: its number + 1). turn: modulo
// TURN_CYCLE, so that its remainder by each distance is right. tested: the lanes at the last exit
// test, while the distance is not decided. filled: the lanes of each target's spare registers whose
// load has not come. fresh: of each target, its register of this turn has been filled again, for a
// later turn.
enum { TURN_CYCLE = 6 };
#define WARP_FIELDS(F)                                                                             \
    F(lanes, 32) F(tested, 32) F(loop, 4) F(turn, 3) F(first, 1) F(decided, 1) F(fresh, 4)
HD_BIT_FIELDS(WarpFields, WARP_FIELDS);
typedef struct WarpLoop {
    WarpFields of;
    uint32_t filled[MAX_TARGETS][MAX_DISTANCE];
} WarpLoop;
enum { WarpLoop_bits = WarpFields_bits + MAX_TARGETS * MAX_DISTANCE * 32 };

// Each prefetched lane has one of these fates.
#define LANE_FATES(C)                                                                              \
    C(moved_lanes, "lanes", "Prefetched lanes that the program's load moved.")                     \
    C(loaded_lanes, "lanes", "Lanes prefetched into the cache that the program's load loaded.")    \
    C(missed_lanes, "lanes", "Prefetched lanes that the loads of `missed` loaded again.")          \
    C(wrong_lanes, "lanes", "Prefetched lanes that the loads of `wrong` loaded again.")            \
    C(unused_lanes, "lanes", "Prefetched lanes for which the program's load did not come.")        \
    C(dropped_lanes, "lanes",                                                                      \
      "Prefetched lanes that did not load: their address, or their head's, is in no allocation.")
typedef enum LaneFate {
    LANES_MOVED, LANES_LOADED, LANES_MISSED, LANES_WRONG, LANES_UNUSED, LANES_DROPPED,
    LANE_FATE_COUNT
} LaneFate;

// The registers of one warp. A target whose `keeps` is false is prefetched into the cache, and uses
// none; its lanes are followed for their fates alone.
typedef struct Registers {
    const HdPlace *place;
    WarpLoop *warp;
    const AllocatedReq *allocated;
    uint64_t *fates;   // [LANE_FATE_COUNT]: counters
    unsigned slot;     // of the warp
    unsigned distance; // of its prefetches; from 1 on in all functions but registers_leave
    bool keeps[MAX_TARGETS];
} Registers;

// The spare register of a target for the turn that is `ahead` turns behind this one.
unsigned registers_spare(const Registers *r, unsigned target, unsigned ahead);
// The lanes that a target has been prefetched in for this turn; for the one a distance ahead.
uint32_t registers_now(const Registers *r, unsigned target);
uint32_t registers_ahead(const Registers *r, unsigned target);
// A target is prefetched for the turn a distance ahead, in these lanes.
void registers_fill(const Registers *r, unsigned target, uint32_t lanes);
// A target's load has come in these lanes: the fate of those that were prefetched for this turn.
void registers_use(const Registers *r, unsigned target, uint32_t lanes, LaneFate fate);
// The turn ends; the warp has left the loop, or has ended: what was prefetched for it is not used.
void registers_next_turn(const Registers *r);
void registers_leave(const Registers *r);

#endif
