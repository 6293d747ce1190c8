// A mechanism outside of Heddle, for scripts/periods.txt: it counts periods and the instructions of
// each warp, and the GPU limits the blocks of an SM to the number of its busy warps. A store has it
// woken ten cycles later, and once more.
#include "heddle/mechanism.h"

enum { PERIOD, PARAMETERS };
static const HdParameter parameters[] = {
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "length of a period",
                .value = 100, .min = 1, .max = 1000, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(periods, "periods", "Periods that have ended.")                                              \
    C(repeated, "instructions", "Instructions of warps that had issued one before.")               \
    C(bytes, "bytes", "Sum of the bytes that their lanes access.")                                 \
    C(wakes, "calls", "Calls of on_wake.")                                                         \
    C(wake_cycles, "cycles", "Sum of the cycles of on_wake.")                                      \
    C(quanta, "quanta", "Quanta that have ended.")
HD_COUNTERS(Counted, COUNTED);

#define WARP(F) F(issued, 8)
HD_BIT_FIELDS(Warp, WARP);
#define WORD(F) F(number, 8)
HD_BIT_FIELDS(Word, WORD);

enum { WARPS, BUSY, LIMIT };
static const HdStructure structures[] = {
    [WARPS] = {"instructions", HD_EACH_L1, 0, HD_PER_WARP, Warp_bits, sizeof(Warp)},
    [BUSY] = {"busy warps", HD_EACH_L1, 1, HD_TO_GPU, Word_bits, sizeof(Word)},
    [LIMIT] = {"block limit", HD_EACH_L1, 1, HD_FROM_GPU, Word_bits, sizeof(Word)},
    {0},
};

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    ((Counted *)place->counters)->periods += ended->count;
}

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *instruction)
{
    Counted *counted = place->counters;
    Warp *warp = (Warp *)place->structures[WARPS] + instruction->warp_slot;
    counted->bytes += (uint64_t)__builtin_popcount(instruction->lanes) * instruction->bytes;
    if (warp->issued) counted->repeated++;
    else ((Word *)place->structures[BUSY])->number++;
    warp->issued++;
    if (instruction->kind == HD_STORE) hd_wake(place, instruction->cycle + 10);
}

// The same cycle again is the next one.
static void on_wake(HdPlace *place, uint64_t cycle)
{
    Counted *counted = place->counters;
    counted->wake_cycles += cycle;
    if (++counted->wakes % 2) hd_wake(place, cycle);
}

static void on_quantum(HdPlace *gpu, const HdQuantum *quantum)
{
    ((Counted *)gpu->counters)->quanta++;
    for (unsigned sm = 0; sm < quantum->sms; sm++)
        ((Word *)hd_exchanged(gpu, LIMIT, HD_L1, sm))->number =
            ((Word *)hd_exchanged(gpu, BUSY, HD_L1, sm))->number;
    hd_reconsider(gpu);
}

static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)kernel;
    uint32_t limit = ((Word *)place->structures[LIMIT])->number;
    return limit && limit < fit ? limit : HD_PASS;
}

HD_MECHANISM(periods) = {
    .name = "periods",
    .description = "Counts periods, instructions and quanta.",
    .paper = "none",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_period = on_period},
    .core = {.on_memory_issue = on_memory_issue, .on_wake = on_wake,
             .decide_block_limit = decide_block_limit},
    .gpu = {.on_quantum = on_quantum},
};
