// Divides the life of a warp at its target load (segura2022iru, Fig. 3). An instrument.
//
// The target load is the one that the paper's engine reorders: a load of the array that the host
// program names (on_call), or an instruction of a mechanism's engine. The first one of a warp
// counts.
#include "heddle/mechanism.h"

#include <string.h>

#define COUNTED(C)                                                                                 \
    C(warps, "warps", "Warps with a target load.")                                                 \
    C(cycles_to_target, "cycles",                                                                  \
      "Core cycles from the start of these warps until the data of the target load have come.")    \
    C(cycles_after_target, "cycles", "Core cycles from then until the end of these warps.")        \
    C(warps_without, "warps", "Warps that have ended without a target load.")
HD_COUNTERS(Counted, COUNTED);

static const HdRatio ratios[] = {
    {"to_target", "cycles_to_target", "cycles_to_target + cycles_after_target",
     "Share of these warps' cycles until the data of the target load have come."},
    {0},
};

// Guest addresses [begin, end) of the array; both 0: there is none.
typedef struct Array {
    uint64_t begin, end;
} Array;

// A warp. `issued`, `pc`: its target load; arrived: the cycle of its data, while `done`.
typedef struct Life {
    uint64_t started, issued, arrived;
    uint32_t pc;
    bool found, done;
} Life;

enum { ARRAY, LIVES };
static const HdStructure structures[] = {
    [ARRAY] = {"array of the target load", HD_EACH_L1, 1, HD_FIXED, 2 * 64, sizeof(Array)},
    [LIVES] = {"lives of warps", HD_EACH_L1, 0, HD_PER_WARP, 3 * 64 + 32 + 2, sizeof(Life)},
    {0},
};

// ---- the host program ----

static const char *on_call(HdPlace *place, const HdCall *call)
{
    Array *array = place->structures[ARRAY];
    if (strcmp(call->verb, "target") != 0 || call->count != 2)
        return "expected target(address, bytes)";
    uint64_t address = call->values[0], bytes = call->values[1];
    if (call->allocated(call, address) < bytes) return "expected an array within one allocation";
    *array = bytes ? (Array){address, address + bytes} : (Array){0};
    return NULL;
}

static void on_release(HdPlace *place, uint64_t address, uint64_t bytes)
{
    Array *array = place->structures[ARRAY];
    if (array->begin >= address && array->begin - address < bytes) *array = (Array){0};
}

// ---- warps ----

static Life *life_of(const HdPlace *place, uint16_t warp_slot)
{
    return (Life *)place->structures[LIVES] + warp_slot;
}

static void on_warp_start(HdPlace *place, const HdWarp *warp)
{
    life_of(place, warp->slot)->started = warp->cycle;
}

static void on_warp_end(HdPlace *place, const HdWarp *warp)
{
    Counted *counted = place->counters;
    const Life *life = life_of(place, warp->slot);
    if (!life->done) {
        counted->warps_without++;
        return;
    }
    counted->warps++;
    counted->cycles_to_target += life->arrived - life->started;
    counted->cycles_after_target += warp->cycle - life->arrived;
}

static bool touches(const Array *array, const HdMemoryInstruction *load)
{
    for (uint32_t left = load->lanes; left; left &= left - 1) {
        uint64_t address = load->addresses[__builtin_ctz(left)];
        if (address < array->end && address + load->bytes > array->begin) return true;
    }
    return false;
}

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *load)
{
    Life *life = life_of(place, load->warp_slot);
    if (life->found || load->kind != HD_LOAD || load->injected) return;
    if (!touches(place->structures[ARRAY], load)) return;
    life->found = true;
    life->issued = load->cycle;
    life->pc = load->pc;
}

// Engines may answer the requests of a warp in another order, and on_memory_issue has none of them.
// So an instruction of an engine takes the place of a target load that has issued later.
static void on_memory_done(HdPlace *place, const HdMemoryDone *done)
{
    Life *life = life_of(place, done->warp_slot);
    bool is_load = done->kind == HD_LOAD && life->found && done->issued == life->issued &&
                   done->pc == life->pc;
    bool by_engine = done->kind == HD_ENGINE_READ && (!life->found || done->issued < life->issued);
    if (!is_load && !by_engine) return;
    life->found = life->done = true;
    life->issued = done->issued;
    life->pc = done->pc;
    life->arrived = done->cycle;
}

HD_MECHANISM(warp_phases) = {
    .name = "warp-phases",
    .description = "Divides the cycles of warps at their target load; changes nothing.",
    .paper = "segura2022iru, Fig. 3",
    .counters = Counted_list,
    .ratios = ratios,
    .structures = structures,
    .instrument = true,
    .l1 = {.on_call = on_call, .on_release = on_release},
    .core = {.on_memory_issue = on_memory_issue, .on_memory_done = on_memory_done,
             .on_warp_start = on_warp_start, .on_warp_end = on_warp_end},
};
