// Issue groups: the warps that issue one instruction together, and the groups in flight.
//
// A group is a warp alone, a pair of warps (core.paired), or a wave of scalar instructions of
// several warps (scalar.mode = waves). It uses its execution unit as one instruction. A register of
// a pair is one entry of a bank, and so is a register of the scalars of a wave (Yilmazer-Metin,
// "Graph-Waving architecture", 2020, sections 6.1 and 6.3).
#ifndef HEDDLE_CORE_ISSUE_ISSUE_GROUP_H
#define HEDDLE_CORE_ISSUE_ISSUE_GROUP_H

#include "core/warp.h"

typedef enum GroupKind { GROUP_LONE, GROUP_PAIR, GROUP_WAVE } GroupKind;

typedef struct GroupMember {
    Warp *warp;
    LaneMask active, lanes; // of the warp, before and after the guard
    uint8_t place;          // the group's lane of its first lane or, if it is scalar, of its scalar
    bool ahead;             // the warp has gone on from the instruction (scalar.go_on)
} GroupMember;

typedef struct IssueGroup {
    GroupKind kind;
    bool scalar;   // one lane of each warp executes
    bool ahead;    // of a member
    uint16_t wave; // GROUP_WAVE: 1 + index of the wave; else 0
    unsigned count;
    GroupMember member[HD_MAX_LANES];
} IssueGroup;

// A group whose results are written later, at the event EVENT_GROUP.
typedef struct GroupInFlight {
    uint32_t next_free;
    uint32_t function, index; // the instruction
    uint16_t wave;            // as IssueGroup.wave: it ends with the group
    uint16_t count;
    Warp *warps[HD_MAX_LANES];
} GroupInFlight;

// Groups in flight, in a pool that grows to the most that were in flight at once.
typedef struct GroupPool {
    GroupInFlight *items; // index 0 is never used
    uint32_t capacity, free, live;
} GroupPool;

// Takes a free one. 0: out of memory.
uint32_t groups_new(GroupPool *pool);
static inline void groups_free(GroupPool *pool, uint32_t index)
{
    pool->items[index].next_free = pool->free;
    pool->free = index;
    pool->live--;
}

#endif
