// The hold point between the load/store unit and the L1D: the queues of a mechanism, in front of
// the tags (HdCoreHooks.decide_queue). The mechanism decides into which queue an access goes, and
// from which queue the L1D takes the next.
#ifndef HEDDLE_CORE_L1_HOLD_H
#define HEDDLE_CORE_L1_HOLD_H

#include "hooks/core_hooks.h"

typedef struct L1Hold {
    CacheHooks *hooks;
    HdHeld *held; // structures of the mechanism
    HdHoldQueue *queues;
    uint32_t capacity; // entries of `held`
    uint32_t free;     // first free entry; `capacity`: none
    HdQueues seen;     // what decisions see
    uint32_t next;     // if an access is held: the queue from which the L1D takes the next
    bool waits;        // an access found no room; none has left a queue since
} L1Hold;

// The hold point of these mechanisms, empty. false and err: the mechanism has declared too much, or
// nothing.
bool hold_init(L1Hold *hold, CacheHooks *hooks, HdError *err);

// Puts the access in hooks->current.access, number `access` of an in-flight instruction, into a
// queue. false: it has to wait.
bool hold_push(L1Hold *hold, uint32_t instruction, unsigned access);
// The access that the L1D takes next. There is one.
static inline const HdHeld *hold_first(const L1Hold *hold)
{
    return &hold->held[hold->queues[hold->next].first];
}
// That access has been looked up: it leaves its queue.
void hold_pop(L1Hold *hold);

#endif
