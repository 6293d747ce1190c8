// The queues of a hold point: linked lists in one array.
#include "core/l1/hold.h"

bool hold_init(L1Hold *hold, CacheHooks *hooks, HdError *err)
{
    *hold = (L1Hold){.hooks = hooks};
    const char *owner =
        core_hooks_hold(hooks, &hold->held, &hold->capacity, &hold->queues, &hold->seen.count);
    if (!hold->capacity || hold->capacity > UINT16_MAX || !hold->seen.count ||
        hold->seen.count > HD_MAX_WARPS)
        return hd_fail(err, "--mechanism %s: its hold point has %u queues that hold %u accesses: "
                            "expected 1 to %d queues, and 1 to %d accesses",
                       owner, hold->seen.count, hold->capacity, HD_MAX_WARPS, UINT16_MAX);
    hold->seen.queues = hold->queues;
    hold->seen.last = HD_NO_QUEUE;
    for (uint32_t i = 0; i < hold->capacity; i++) hold->held[i].next = i + 1;
    for (uint32_t i = 0; i < hold->seen.count; i++) hold->queues[i] = (HdHoldQueue){0};
    return true;
}

bool hold_push(L1Hold *hold, uint32_t instruction, unsigned access)
{
    HdQueue into = hold->free == hold->capacity
                       ? HD_PASS
                       : core_hooks_decide_queue(hold->hooks, &hold->seen);
    hold->waits = into == HD_PASS;
    if (hold->waits) return false;
    uint32_t number = into - 1, entry = hold->free;
    HdHoldQueue *queue = &hold->queues[number];
    hold->free = hold->held[entry].next;
    hold->held[entry] = (HdHeld){.instruction = instruction, .access = access};
    if (queue->length++) hold->held[queue->last].next = entry;
    else queue->first = (uint16_t)entry;
    queue->last = (uint16_t)entry;
    hd_warps_add(&hold->seen.filled, number);
    hold->seen.held++;
    hold->next = core_hooks_decide_next(hold->hooks, &hold->seen);
    return true;
}

void hold_pop(L1Hold *hold)
{
    HdHoldQueue *queue = &hold->queues[hold->next];
    uint32_t entry = queue->first;
    queue->first = (uint16_t)hold->held[entry].next;
    hold->seen.last = hold->next;
    if (!--queue->length) {
        hold->seen.filled.word[hold->next / 64] &= ~(UINT64_C(1) << hold->next % 64);
        hold->seen.last = HD_NO_QUEUE;
    }
    hold->held[entry].next = hold->free;
    hold->free = entry;
    hold->seen.held--;
    hold->waits = false;
    if (hold->seen.held) hold->next = core_hooks_decide_next(hold->hooks, &hold->seen);
}
