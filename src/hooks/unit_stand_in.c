// Stands in for hooks/unit_hooks.c: drop this file when that comes.
#include "hooks/unit_hooks.h"

void unit_hooks_execute(CacheHooks *const *slices, unsigned count, unsigned mechanism,
                        const HdUnitRequest *request, HdUnitReply *reply)
{
    uint32_t left = request->lanes;
    *reply = (HdUnitReply){0};
    for (unsigned s = 0; s < count && left; s++)
        for (unsigned i = 0; i < slices[s]->count && left; i++) {
            HookedMechanism *h = &slices[s]->items[i];
            if (h->number == mechanism)
                left &= ~h->planned->mechanism->unit.execute(&h->place, request, left, reply);
        }
}
