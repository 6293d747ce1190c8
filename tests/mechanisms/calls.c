// A mechanism outside of Heddle, for scripts/calls*.txt: the host gives it numbers to add up, and
// arrays, of which it counts the bytes that are allocated and released.
#include "heddle/mechanism.h"

#include <string.h>

#define COUNTED(C)                                                                                 \
    C(sum, "units", "Sum of the values of `add`.")                                                 \
    C(allocated, "bytes", "Bytes from the address of `array` to the end of its allocation.")       \
    C(released, "bytes", "Bytes of released allocations.")                                         \
    C(at_gpu, "calls", "Calls that reached the GPU.")
HD_COUNTERS(Counted, COUNTED);

static const char *on_call(HdPlace *place, const HdCall *call)
{
    Counted *counted = place->counters;
    if (strcmp(call->verb, "array") == 0 && call->count == 1) {
        counted->allocated += call->allocated(call, call->values[0]);
        return NULL;
    }
    if (strcmp(call->verb, "add") != 0) return "expected array ADDRESS, or add NUMBER...";
    for (size_t i = 0; i < call->count; i++) counted->sum += call->values[i];
    return NULL;
}

static const char *on_gpu_call(HdPlace *gpu, const HdCall *call)
{
    (void)call;
    ((Counted *)gpu->counters)->at_gpu++;
    return NULL;
}

static void on_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    (void)address;
    ((Counted *)place->counters)->released += bytes;
}

#define HOOKS {.on_call = on_call, .on_release = on_release}
HD_MECHANISM(calls) = {
    .name = "calls",
    .description = "Adds up what the host tells it.",
    .paper = "none",
    .counters = Counted_list,
    .l1 = HOOKS,
    .l2 = HOOKS,
    .gpu = {.on_call = on_gpu_call, .on_release = on_release},
};
