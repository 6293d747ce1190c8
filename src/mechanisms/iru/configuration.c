// Checks the host's configuration, and resets the engine for a launch that uses it.
#include "configuration.h"

#include "end.h"
#include "prefetcher.h"

#include <string.h>

enum { TARGET, TYPE_SIZE, INDICES, SECONDARY, COUNT, FILTER, VALUES };

// ---- the host ----

// NULL, or why the array is none of `count` words. outside, misaligned, shorter: what to say then.
static const char *check_array(const HdCall *call, uint64_t address, const char *outside,
                               const char *misaligned, const char *shorter)
{
    uint64_t bytes = call->allocated(call, address);
    if (!bytes) return outside;
    if (address % IRU_WORD) return misaligned;
    return bytes / IRU_WORD < call->values[COUNT] ? shorter : NULL;
}

static const char *check_arrays(const HdCall *call)
{
    const uint64_t *v = call->values;
    if (!v[COUNT]) return NULL;
    if (v[TARGET] && !call->allocated(call, v[TARGET]))
        return "expected a target in an allocation, or 0";
    const char *wrong = check_array(call, v[INDICES], "expected indices in an allocation",
                                    "expected indices at a multiple of 4 bytes",
                                    "expected as many indices as the count, 4 bytes each, in one "
                                    "allocation");
    if (wrong || !v[SECONDARY]) return wrong;
    return check_array(call, v[SECONDARY], "expected a secondary array in an allocation, or 0",
                       "expected a secondary array at a multiple of 4 bytes",
                       "expected as many secondaries as the count, 4 bytes each, in one "
                       "allocation");
}

static const char *check_call(const HdPlace *place, const HdCall *call)
{
    const uint64_t *v = call->values;
    if (strcmp(call->verb, "configure") != 0 || call->count != VALUES)
        return "expected configure(target, type size, indices, secondary or 0, count, filter)";
    if (iru_configuration(place)->configured)
        return "expected one configuration for each launch: no launch has used the last one";
    if (!v[TYPE_SIZE] || v[TYPE_SIZE] > UINT32_MAX)
        return "expected a type size of the target from 1 to 4294967295 bytes";
    if (v[COUNT] > UINT32_MAX) return "expected a count of at most 4294967295";
    if (v[FILTER] >= IRU_FILTERS) return "expected the filter 0 (none), 1 (min) or 2 (add)";
    if (v[FILTER] == IRU_ADD && !v[SECONDARY] && v[COUNT])
        return "expected a secondary array for the filter add";
    return check_arrays(call);
}

const char *iru_on_call(HdPlace *place, const HdCall *call)
{
    const uint64_t *v = call->values;
    const char *wrong = check_call(place, call);
    if (wrong) return wrong;
    *iru_configuration(place) = (IruConfiguration){
        .configured = 1, .filter = v[FILTER] & 3,
        .target_low = (uint32_t)v[TARGET], .target_high = v[TARGET] >> 32 & 0xffff,
        .type_size = (uint32_t)v[TYPE_SIZE],
        .indices_low = (uint32_t)v[INDICES], .indices_high = v[INDICES] >> 32 & 0xffff,
        .secondary_low = (uint32_t)v[SECONDARY], .secondary_high = v[SECONDARY] >> 32 & 0xffff,
        .count = (uint32_t)v[COUNT]};
    return NULL;
}

// Arrays in freed memory are none: the next allocation may get their addresses.
void iru_on_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    IruConfiguration *c = iru_configuration(place);
    bool indices = iru_index_address(c, 0) - address < bytes;
    bool secondary = iru_secondary(c) - address < bytes;
    if (c->configured && c->count && (indices || secondary)) *c = (IruConfiguration){0};
}

// ---- launches ----

// Whether the kernel can use the configuration. If not, the launch fails, as one without elements.
static bool check_kernel(HdPlace *place, const HdKernel *kernel)
{
    const IruConfiguration *c = iru_configuration(place);
    uint32_t with_position = 1u << 2 | 1u << 3, with_secondary = 1u << 1 | 1u << 3;
    if (!c->configured) {
        hd_fault(place, kernel->engine_pc, "load_iru without a configuration: expected a call "
                                         "configure(...) before each launch, of arrays that are "
                                         "not freed since");
        return false;
    }
    if (kernel->engine_instructions & with_position && c->count > IRU_INDEX_END) {
        hd_fault(place, kernel->engine_pc, "positions of %u elements: expected at most 2^24 (%u)",
                 c->count, IRU_INDEX_END);
        return false;
    }
    if (kernel->engine_instructions & with_secondary && !iru_secondary(c) && c->count) {
        hd_fault(place, kernel->engine_pc, "load_iru.secondary without secondaries: expected a "
                                         "secondary array in configure(...)");
        return false;
    }
    return true;
}

// Everything is as after the start, but for what the host has said.
static void reset(HdPlace *place, const HdKernel *kernel)
{
    const IruConfiguration *c = iru_configuration(place);
    memset(place->structures[IRU_FILLS], 0, iru_parameter(place, IRU_SETS) * sizeof(IruFill));
    memset(place->structures[IRU_TABLES], 0, sizeof(IruTable));
    memset(place->structures[IRU_QUEUES], 0, IRU_QUEUE_COUNT * sizeof(IruQueue));
    memset(place->structures[IRU_SERVERS], 0, sizeof(IruServer));
    memset(place->structures[IRU_READY_STATES], 0, sizeof(IruReadyState));
    for (unsigned group = 0; group < IRU_GROUPS; group++)
        iru_group(place, group)->of = (IruGroupHead){0};
    *iru_waits(place) = (IruWaits){0};
    *iru_launch(place) = (IruLaunch){.active = 1, .functional = !kernel->timed, .guest_room = 1,
                                     .has_token = !place->number};
    *(IruToken *)place->structures[IRU_TOKEN_HERE] = (IruToken){0};
    *iru_balance(place) = (IruBalance){.count = c->count, .filter = c->filter, .active = 1};
    iru_prefetcher_begin(place);
}

// A functional launch needs the configuration alone: iru_execute gives the elements in the order of
// the array, from slice 0.
void iru_on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    *iru_launch(place) = (IruLaunch){0};
    *iru_balance(place) = (IruBalance){0};
    if (!kernel->engine_instructions) return;
    if (!check_kernel(place, kernel)) *iru_configuration(place) = (IruConfiguration){0};
    reset(place, kernel);
}

void iru_on_kernel_end(HdPlace *place, const HdKernel *kernel)
{
    (void)kernel;
    if (!iru_launch(place)->active) return;
    iru_check_slice(place);
    *iru_launch(place) = (IruLaunch){0};
    *iru_configuration(place) = (IruConfiguration){0};
}
