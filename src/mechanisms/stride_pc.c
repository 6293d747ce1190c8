// Stride prefetcher: a load that a warp issues again and again at a constant distance prefetches
// the next addresses.
//
// Chen and Baer: Effective Hardware-Based Data Prefetching for High-Performance Processors, IEEE
// Transactions on Computers 44(5), 1995, section 3: a table of the last address, the stride and a
// state for each load. Here there is an entry for each load and warp: the loads of a warp have the
// stride of their loop, those of different warps do not (Lee and others, Many-Thread Aware
// Prefetching, MICRO 2010, section 3.1).
#include "heddle/mechanism.h"

enum { ENTRIES, DEGREE, DISTANCE, LANES, QUEUE, PARAMETERS };
enum { FIRST_LANE, ALL_LANES };

static const char *const lanes[] = {"first", "all", NULL};
static const HdParameter parameters[] = {
    [ENTRIES] = {.name = "entries", .unit = "entries", .description = "size of the table of an SM",
                 .value = 64, .min = 1, .max = 1 << 16, .kind = HD_WHOLE},
    [DEGREE] = {.name = "degree", .unit = "strides", .description = "prefetched by one load",
                .value = 1, .min = 1, .max = 16, .kind = HD_WHOLE},
    [DISTANCE] = {.name = "distance", .unit = "strides",
                  .description = "from the load to the first address that it prefetches",
                  .value = 1, .min = 1, .max = 64, .kind = HD_WHOLE},
    [LANES] = {.name = "lanes", .description = "which lanes prefetch: the first active one, or all",
               .value = ALL_LANES, .kind = HD_CHOICE, .choices = lanes},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 32, .min = 1, .max = 64, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(loads, "instructions", "Loads that the table saw.")                                          \
    C(replaced, "entries", "Entries that another load or warp took.")                              \
    C(predicted, "instructions", "Loads that came at the predicted address.")                      \
    C(triggers, "instructions", "Loads that prefetched.")
HD_COUNTERS(Counted, COUNTED);

// The address of the first active lane, in units of 4 bytes up to 2^32 of them, and the stride in
// the same units.
enum { INITIAL, TRANSIENT, STEADY, NO_PREDICTION };
#define ENTRY(F) F(used, 1) F(pc, 16) F(warp, 9) F(state, 2) F(last, 32) F(stride, 16)
HD_BIT_FIELDS(Entry, ENTRY);
enum { UNIT = 4, STRIDE_MAX = (1 << 15) - 1 };

enum { TABLE, PREFETCHES };
static const HdStructure structures[] = {
    [TABLE] = {"stride table", HD_EACH_L1, ENTRIES, HD_BY_PARAMETER, Entry_bits, sizeof(Entry)},
    [PREFETCHES] = {"prefetch queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits,
                    sizeof(HdPrefetch)},
    {0},
};

// The stride, with its sign, in bytes.
static int64_t stride_of(const Entry *entry)
{
    return (int64_t)(int16_t)entry->stride * UNIT;
}

// Section 3.2 and Fig. 5: a load is steady after two equal strides, and keeps its stride over one
// irregular address.
static void learn(Entry *entry, uint32_t address, Counted *counted)
{
    int64_t stride = (int32_t)(address - entry->last);
    bool fits = stride >= -STRIDE_MAX && stride <= STRIDE_MAX;
    bool correct = fits && (int16_t)entry->stride == stride;
    counted->predicted += correct;
    if (correct) {
        entry->state = entry->state == NO_PREDICTION ? TRANSIENT : STEADY;
    } else if (entry->state == STEADY) {
        entry->state = INITIAL;
    } else {
        entry->state = entry->state == INITIAL && fits ? TRANSIENT : NO_PREDICTION;
        entry->stride = fits ? (uint16_t)stride : 0;
    }
    entry->last = address;
}

static void prefetch(HdPlace *place, const HdMemoryInstruction *load, int64_t stride)
{
    uint32_t first = (uint32_t)place->parameters[DISTANCE];
    for (uint32_t k = first; k < first + place->parameters[DEGREE]; k++) {
        uint64_t before = HD_NO_LINE;
        for (uint32_t left = load->lanes; left; left &= left - 1) {
            uint64_t address = load->addresses[__builtin_ctz(left)] + (uint64_t)(stride * k);
            uint64_t line = address - address % place->line_bytes;
            if (line != before) hd_prefetch(place, line); // neighbours mostly share a line
            before = line;
            if (place->parameters[LANES] == FIRST_LANE) break;
        }
    }
}

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *load)
{
    if (load->kind != HD_LOAD || load->bypasses_l1 || !load->lanes) return;
    Counted *counted = place->counters;
    // Loads of a loop have neighbouring numbers, and so have the warps of a block.
    uint64_t at = load->pc + (uint64_t)load->warp_slot * 13;
    Entry *entry = (Entry *)place->structures[TABLE] + at % (uint64_t)place->parameters[ENTRIES];
    uint32_t address = (uint32_t)(load->addresses[__builtin_ctz(load->lanes)] / UNIT);
    counted->loads++;
    if (!entry->used || entry->pc != (load->pc & 0xffff) || entry->warp != load->warp_slot) {
        counted->replaced += entry->used;
        *entry = (Entry){.used = 1, .pc = load->pc & 0xffff, .warp = load->warp_slot,
                         .last = address};
        return;
    }
    learn(entry, address, counted);
    if (entry->state != STEADY || !entry->stride) return;
    counted->triggers++;
    prefetch(place, load, stride_of(entry));
}

HD_MECHANISM(stride_pc) = {
    .name = "stride-pc",
    .description = "Prefetches the next addresses of loads with a constant stride, by warp.",
    .paper = "Chen and Baer, IEEE Transactions on Computers 44(5), 1995, section 3",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .core = {.on_memory_issue = on_memory_issue},
    .levels = HD_L1,
};
