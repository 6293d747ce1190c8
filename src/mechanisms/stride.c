// Stride prefetcher by region: lines of a region of 64 KB that are loaded at a constant distance,
// or at two in turn, prefetch the lines that follow.
//
// lakshminarayana2014, Table 6, compares with it ("RPT Stride Prefetcher, 1024-entry, 16 region
// bits"). The rules are those of the thesis' simulator, MacSim (pref_stride.cc and pref.param.def
// as of September 2013), after Iacobovici and others, Effective Stream-Based and Execution-Based
// Data Prefetching, ICS 2004.
#include "mechanisms/shared/lru_table.h"

enum { ENTRIES, WARPS, REPEATS, DEGREE, DISTANCE, START, QUEUE, PARAMETERS };

static const char *const off_on[] = {"off", "on", NULL};
static const HdParameter parameters[] = {
    [ENTRIES] = {.name = "entries", .unit = "regions", .description = "size of the table of an SM",
                 .value = 1024, .min = 1, .max = LRU_MAX_ENTRIES, .kind = HD_WHOLE},
    [WARPS] = {.name = "warps", .description = "whether each warp has regions of its own",
               .value = 1, .kind = HD_CHOICE, .choices = off_on},
    [REPEATS] = {.name = "repeats", .unit = "strides",
                 .description = "as expected, after which a region is trained",
                 .value = 6, .min = 1, .max = 15, .kind = HD_WHOLE},
    [DEGREE] = {.name = "degree", .unit = "lines", .description = "prefetched by one load",
                .value = 4, .min = 1, .max = 16, .kind = HD_WHOLE},
    [DISTANCE] = {.name = "distance", .unit = "lines",
                  .description = "prefetched and not yet followed by a load, at most",
                  .value = 16, .min = 1, .max = 31, .kind = HD_WHOLE},
    [START] = {.name = "start", .unit = "strides",
               .description = "that are skipped when a region has been trained",
               .value = 1, .min = 0, .max = 31, .kind = HD_WHOLE},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 128, .min = 1, .max = 1024, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(loads, "loads", "Loads that the table saw.")                                                 \
    C(created, "regions", "Regions that got an entry.")                                            \
    C(trained, "regions", "Regions that were trained.")                                            \
    C(restarted, "regions", "Trained regions that another stride made start over.")                \
    C(triggers, "loads", "Loads that prefetched.")
HD_COUNTERS(Counted, COUNTED);

// The strides of a region come in runs: `repeats` times `stride`, then once `between`, which leads
// to the other run. A region with one stride has only run 0, which does not end. 0: not yet known.
// A region has up to 2,048 lines, and strides have a sign.
enum { LINE_BITS = 11, STRIDE_BITS = LINE_BITS + 1 };
#define RUN(F) F(stride, STRIDE_BITS) F(between, STRIDE_BITS) F(repeats, 4)
HD_BIT_FIELDS(Run, RUN);

// last: line of the last load. run, taken: that load came after `taken` strides of this run.
// prefetch_run, prefetch_taken: likewise, of the line prefetched last; ahead: lines from `last` to
// it, for up to 62 strides. expected: strides that came as the known runs expect. sent: lines
// prefetched, less the loads since. two: there are two runs. checking: both are known.
#define REGION(F)                                                                                  \
    F(last, LINE_BITS) F(run, 1) F(taken, 4) F(prefetch_run, 1) F(prefetch_taken, 4)               \
    F(ahead, STRIDE_BITS + 6) F(expected, 4) F(sent, 5) F(two, 1) F(checking, 1) F(trained, 1)
HD_BIT_FIELDS(Region, REGION);
enum { AHEAD_BITS = STRIDE_BITS + 6, REGION_BYTES = 1 << 16, NUMBER_BITS = 32 };

enum { RANKS, NUMBERS, IN_USE, REGIONS, RUN_0, RUN_1, PREFETCHES };
static const HdStructure structures[] = {
    [RANKS] = LRU_ENTRIES("region warps and ranks", ENTRIES),
    [NUMBERS] = LRU_NUMBERS("region numbers", ENTRIES, NUMBER_BITS),
    [IN_USE] = LRU_IN_USE("regions in use"),
    [REGIONS] = {"region table", HD_EACH_L1, ENTRIES, HD_BY_PARAMETER, Region_bits, sizeof(Region)},
    [RUN_0] = {"first runs", HD_EACH_L1, ENTRIES, HD_BY_PARAMETER, Run_bits, sizeof(Run)},
    [RUN_1] = {"second runs", HD_EACH_L1, ENTRIES, HD_BY_PARAMETER, Run_bits, sizeof(Run)},
    [PREFETCHES] = {"prefetch queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits,
                    sizeof(HdPrefetch)},
    {0},
};

// The entry of a region, in its three tables.
typedef struct Entry {
    Region *region;
    Run *runs[2];
} Entry;

// The number in a field of `bits` bits with a sign.
static int signed_of(uint32_t field, unsigned bits)
{
    uint32_t sign = 1u << (bits - 1);
    return (int)(field ^ sign) - (int)sign;
}

static int stride_of(const Run *run) { return signed_of(run->stride, STRIDE_BITS); }

// A position in the runs.
typedef struct Position {
    unsigned run, taken;
} Position;

// The next stride, if the runs go on as they are known; moves the position.
static int next_stride(const Entry *entry, Position *at)
{
    const Run *run = entry->runs[at->run];
    if (!entry->region->two) return stride_of(run);
    if (at->taken < run->repeats) {
        at->taken++;
        return stride_of(run);
    }
    *at = (Position){.run = !at->run};
    return signed_of(run->between, STRIDE_BITS);
}

// Whether the load's stride is the expected one; moves the region's position.
static bool is_expected(const Entry *entry, int stride)
{
    Region *region = entry->region;
    Position at = {region->run, region->taken};
    bool expected = next_stride(entry, &at) == stride;
    region->run = at.run;
    region->taken = at.taken;
    return expected;
}

// The next stride for a prefetch.
static void go_ahead(const Entry *entry)
{
    Region *region = entry->region;
    Position at = {region->prefetch_run, region->prefetch_taken};
    int ahead = signed_of(region->ahead, AHEAD_BITS) + next_stride(entry, &at);
    region->ahead = (uint32_t)ahead;
    region->prefetch_run = at.run;
    region->prefetch_taken = at.taken;
}

static void restart(const Entry *entry, uint32_t last)
{
    *entry->region = (Region){.last = last};
    *entry->runs[0] = *entry->runs[1] = (Run){0};
}

// A region that is not trained sees a stride: of the run that it learns, or between two runs, or,
// if both runs are known, of these. Returns whether the region is now trained.
static bool learn(const Entry *entry, int stride, uint32_t enough)
{
    Region *region = entry->region;
    Run *run = entry->runs[region->run];
    if (region->checking) {
        if (is_expected(entry, stride)) region->expected++;
        else restart(entry, region->last);
        return region->expected == enough;
    }
    if (run->stride && stride_of(run) != stride) {
        run->between = (uint32_t)stride;
        region->checking = region->run == 1;
        region->run = !region->run;
        region->two = 1;
        return false;
    }
    run->stride = (uint32_t)stride;
    run->repeats++;
    if (run->repeats < enough) return false;
    Run only = *run; // a region with one stride
    restart(entry, region->last);
    *entry->runs[0] = only;
    return true;
}

static void on_load(HdPlace *place, const HdAccess *access, const Entry *entry, int stride)
{
    Counted *counted = place->counters;
    Region *region = entry->region;
    if (!region->trained && stride) {
        if (!learn(entry, stride, (uint32_t)place->parameters[REPEATS])) return;
        counted->trained++;
        region->trained = 1;
        region->prefetch_run = region->run;
        region->prefetch_taken = region->taken;
        for (unsigned i = 0; i < place->parameters[START]; i++) go_ahead(entry);
        return;
    }
    if (!region->trained || !is_expected(entry, stride)) {
        counted->restarted += region->trained;
        restart(entry, region->last);
        return;
    }
    region->sent -= region->sent > 0;
    region->ahead = (uint32_t)(signed_of(region->ahead, AHEAD_BITS) - stride);
    unsigned count = 0;
    for (; count < place->parameters[DEGREE] && region->sent < place->parameters[DISTANCE];
         count++) {
        go_ahead(entry);
        region->sent++;
        int64_t ahead = signed_of(region->ahead, AHEAD_BITS);
        hd_prefetch(place, access->line + (uint64_t)(ahead * place->line_bytes));
    }
    counted->triggers += count > 0;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD || access->cache != HD_L1D) return;
    Counted *counted = place->counters;
    counted->loads++;
    LruTable table = {place->structures[RANKS], place->structures[IN_USE],
                      place->structures[NUMBERS], (uint32_t)place->parameters[ENTRIES]};
    LruKey key = {place->parameters[WARPS] ? access->warp_slot : 0, access->line / REGION_BYTES};
    bool fresh;
    uint32_t at = lru_find_or_add(&table, key, &fresh);
    Entry entry = {(Region *)place->structures[REGIONS] + at,
                   {(Run *)place->structures[RUN_0] + at, (Run *)place->structures[RUN_1] + at}};
    uint32_t line = (uint32_t)(access->line % REGION_BYTES / place->line_bytes);
    int stride = (int)line - (int)entry.region->last;
    if (fresh) {
        counted->created++;
        restart(&entry, line);
        return;
    }
    entry.region->last = line;
    on_load(place, access, &entry, stride);
}

HD_MECHANISM(stride) = {
    .name = "stride",
    .description = "Prefetches the next lines of regions that are loaded at constant strides.",
    .paper = "lakshminarayana2014, Table 6 (a comparison)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access},
    .levels = HD_L1,
};
