// A mechanism outside of Heddle with every hook, for order/*.txt. Below each event, and above each
// answer, a hook prints which line's entry it finds: an entry (HD_PER_LINE) holds the address of
// its line from on_insert on.
//
// The instruction says what the mechanism answers, by its pc: BYPASS, TAGS, PREFETCH (the next
// line, with a tag), REMOVE (the line leaves the L2 after a hit) or PAST (it bypasses the L1 where
// it would stall).
#include "heddle/mechanism.h"

#include <stdio.h>

enum { BYPASS = 1, TAGS, PREFETCH, REMOVE, PAST };
enum { DECLINED_SM = 1 }; // its copy-backs are not inserted
enum { REQUEST_TAG = 5, PREFETCH_TAG = 7, TAG_BITS = 4 };

enum { WAY, QUEUE, PERIOD, PARAMETERS };
static const HdParameter parameters[] = {
    [WAY] = {.name = "way", .description = "answer of decide_victim; -1: passes",
             .value = 0, .min = -1, .max = 64, .kind = HD_WHOLE},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 4, .min = 1, .max = 64, .kind = HD_WHOLE},
    [PERIOD] = {.name = "period", .unit = "cycles", .description = "length of a period",
                .value = 1000000, .min = 1, .max = 1000000, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define ENTRY(F) F(used, 1) F(line, 31)
HD_BIT_FIELDS(Entry, ENTRY);
enum { ENTRIES };
static const HdStructure structures[] = {
    [ENTRIES] = {"addresses", HD_EACH_CACHE, 0, HD_PER_LINE, Entry_bits, sizeof(Entry)},
    {"prefetch queue", HD_EACH_CACHE, QUEUE, HD_PREFETCH_QUEUE, HD_TAGGED_PREFETCH_BITS(TAG_BITS),
     sizeof(HdTaggedPrefetch)},
    {0},
};

typedef unsigned long long Wide; // of a number in printf

static Entry *entry_at(const HdPlace *place, uint32_t line_index)
{
    return (Entry *)place->structures[ENTRIES] + line_index;
}

// Prints the entry at this index, after `what`.
static void print_entry(const HdPlace *place, const char *what, uint32_t line_index)
{
    if (line_index == HD_NO_INDEX) {
        printf("    %sno entry\n", what);
        return;
    }
    const Entry *entry = entry_at(place, line_index);
    if (entry->used) printf("    %sentry of 0x%x\n", what, entry->line);
    else printf("    %snew entry\n", what);
}

// ---- events of a cache ----

static void on_access(HdPlace *place, const HdAccess *access)
{
    print_entry(place, "", access->line_index);
    if (access->insertion != HD_PASS && access->victim != HD_NO_LINE) {
        char what[64];
        snprintf(what, sizeof what, "victim 0x%llx: ", (Wide)access->victim);
        print_entry(place, what, access->victim_index);
    }
    if (access->pc == PREFETCH)
        hd_prefetch_tagged(place, access->line + place->line_bytes, PREFETCH_TAG, 0);
}

static void on_fill(HdPlace *place, const HdAccess *access)
{
    print_entry(place, "", access->line_index);
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    print_entry(place, "", access->line_index);
    *entry_at(place, access->line_index) = (Entry){.used = 1, .line = (uint32_t)access->line};
}

static void on_replace(HdPlace *place, const HdWays *ways, uint32_t way)
{
    print_entry(place, "", ways->first + way);
}

static void on_eviction(HdPlace *place, const HdEviction *line)
{
    print_entry(place, "", line->line_index);
}

static void on_prefetch(HdPlace *place, const HdPrefetched *prefetched)
{
    print_entry(place, "", prefetched->line_index);
}

static void on_kernel(HdPlace *place, const HdKernel *kernel)
{
    (void)place;
    (void)kernel;
}

static void on_period(HdPlace *place, const HdPeriods *ended)
{
    (void)place;
    (void)ended;
}

// ---- answers of a cache ----

static uint32_t request_tag(HdPlace *place, const HdAccess *miss)
{
    print_entry(place, "", miss->line_index);
    return REQUEST_TAG;
}

static uint32_t reply_tag(HdPlace *place, const HdAccess *load)
{
    print_entry(place, "", load->line_index);
    return load->sideband + 1;
}

static HdInsertion decide_insert(HdPlace *place, const HdAccess *miss, const HdRoom *room)
{
    const HdEviction *victim = &room->victim;
    if (room->state == HD_ROOM_VICTIM) print_entry(place, "room: victim: ", victim->line_index);
    else printf("    room: %s\n", room->state == HD_ROOM_FREE ? "free" : "reserved");
    if (miss->kind == HD_COPY_BACK) return miss->sm == DECLINED_SM ? HD_BYPASS : HD_INSERT;
    return miss->pc == BYPASS ? HD_BYPASS : miss->pc == TAGS ? HD_TAGS_ONLY : HD_INSERT;
}

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    for (uint32_t way = 0; way < ways->count; way++)
        print_entry(place, hd_is_reserved(ways, way) ? "reserved: " : "", ways->first + way);
    double way = place->parameters[WAY];
    return way >= 0 ? HD_WAY(way) : HD_PASS;
}

#ifdef SECTORS
// The sectors that the access needs.
static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    printf("    have: 0x%x\n", have);
    return miss->sector_mask;
}
#define FETCH decide_fetch
#else
#define FETCH NULL
#endif

static HdStalled decide_stall(HdPlace *place, const HdAccess *load, HdStallReason reason)
{
    static const char *const lacks[] = {[HD_STALL_LINE] = "a way",
                                        [HD_STALL_MSHR] = "an MSHR entry",
                                        [HD_STALL_MERGE] = "room in its MSHR entry"};
    (void)place;
    printf("    lacks %s\n", lacks[reason]);
    return load->pc == PAST ? HD_BYPASS_L1 : HD_RETRY;
}

static HdCleanEviction decide_clean_eviction(HdPlace *place, const HdEviction *line)
{
    print_entry(place, "", line->line_index);
    return HD_SEND_BACK;
}

static HdAfterHit decide_after_hit(HdPlace *place, const HdAccess *hit)
{
    print_entry(place, "", hit->line_index);
    return hit->pc == REMOVE ? HD_REMOVE : HD_KEEP;
}

// ---- the pipeline and the GPU ----

static void on_memory_issue(HdPlace *place, const HdMemoryInstruction *instruction)
{
    (void)place;
    (void)instruction;
}

static void on_block(HdPlace *place, const HdBlock *block)
{
    (void)place;
    (void)block;
}

static void on_warp(HdPlace *place, const HdWarp *warp)
{
    (void)place;
    (void)warp;
}

static uint32_t decide_block_limit(HdPlace *place, const HdKernel *kernel, uint32_t fit)
{
    (void)place;
    (void)kernel;
    (void)fit;
    return HD_PASS;
}

static bool decide_issuable(HdPlace *place, const HdWarps *warps, HdIssuable *issuable)
{
    (void)place;
    (void)warps;
    (void)issuable;
    return false;
}

static bool decide_order(HdPlace *place, const HdWarps *warps, HdOrder *order)
{
    (void)place;
    (void)warps;
    (void)order;
    return false;
}

static HdChoice decide_warp(HdPlace *place, const HdTurn *turn)
{
    (void)place;
    (void)turn;
    return HD_PASS;
}

static void on_quantum(HdPlace *place, const HdQuantum *quantum)
{
    (void)place;
    (void)quantum;
}

#define HOOKS                                                                                      \
    .on_access = on_access, .on_fill = on_fill, .on_insert = on_insert, .on_replace = on_replace,  \
    .on_evict = on_eviction, .on_invalidate = on_eviction, .on_kernel_end_line = on_eviction,      \
    .on_kernel_begin = on_kernel, .on_kernel_end = on_kernel, .on_period = on_period,              \
    .on_prefetch = on_prefetch, .decide_insert = decide_insert, .decide_victim = decide_victim,    \
    .decide_fetch = FETCH

HD_MECHANISM(every) = {
    .name = "every",
    .description = "Prints every hook that is called.",
    .paper = "none",
    .parameters = parameters,
    .structures = structures,
    .l1 = {HOOKS, .request_tag = request_tag, .decide_clean_eviction = decide_clean_eviction,
           .decide_stall = decide_stall},
    .l2 = {HOOKS, .reply_tag = reply_tag, .decide_after_hit = decide_after_hit},
    .core = {.on_memory_issue = on_memory_issue, .on_block_start = on_block,
             .on_block_end = on_block, .on_warp_start = on_warp, .on_warp_end = on_warp,
             .on_quantum = on_quantum,
             .decide_block_limit = decide_block_limit, .decide_issuable = decide_issuable,
             .decide_order = decide_order, .decide_warp = decide_warp},
    .gpu = {.on_kernel_begin = on_kernel, .on_kernel_end = on_kernel, .on_quantum = on_quantum},
    .prefetch = {.tag_bits = TAG_BITS},
    .request_field_bits = 3, // of pc
    .request_tag_bits = TAG_BITS,
    .reply_tag_bits = TAG_BITS,
    .copy_back_queue = QUEUE,
};
