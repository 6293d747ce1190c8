// Reuse of memory regions, for r-ex and bypass-copyback (lakshminarayana2014, section 4.4.3): the
// Region Tracking Table of each SM, and the fields of an L2 tag that detect private and shared
// reuse. A region is an allocation.
#ifndef HEDDLE_MECHANISMS_SHARED_REGIONS_H
#define HEDDLE_MECHANISMS_SHARED_REGIONS_H

#include "heddle/mechanism.h"

// ---- parameters of both mechanisms, by index; each may have more ----

enum { QUEUE, REGIONS, PERIOD, REUSE_DIVISOR, FLAGS, LAUNCH, COUNTER_BITS, OVERFLOW,
       REGION_PARAMETERS };
enum { FLAGS_RECOMPUTED, FLAGS_STICKY };
enum { LAUNCH_FORGET, LAUNCH_KEEP };
enum { OVERFLOW_SATURATE, OVERFLOW_HALVE };
extern const char *const reuse_flag_rules[], *const reuse_launch_rules[];
extern const char *const reuse_overflow_rules[];

#define REGION_PARAMETER_ROWS                                                                      \
    [QUEUE] = {.name = "queue", .unit = "lines",                                                   \
               .description = "length of an SM's copy-back queue", .value = 8, .min = 1,           \
               .max = 1024, .kind = HD_WHOLE},                                                     \
    [REGIONS] = {.name = "regions", .unit = "regions",                                             \
                 .description = "regions that an SM tracks", .value = 31, .min = 1, .max = 255,    \
                 .kind = HD_WHOLE},                                                                \
    [PERIOD] = {.name = "period", .unit = "cycles",                                                \
                .description = "core cycles between updates", .value = 10000, .min = 100,          \
                .max = 1e9, .kind = HD_WHOLE},                                                     \
    [REUSE_DIVISOR] = {.name = "reuse_divisor",                                                    \
                       .description = "more hits than accesses divided by this are reuse",         \
                       .value = 64, .min = 1, .max = 255, .kind = HD_WHOLE},                       \
    [FLAGS] = {.name = "flags",                                                                    \
               .description = "an update recomputes the reuse flags, or never clears them "        \
                              "(sticky)",                                                          \
               .value = FLAGS_RECOMPUTED, .kind = HD_CHOICE, .choices = reuse_flag_rules},         \
    [LAUNCH] = {.name = "launch", .description = "what a kernel's beginning does to the tables",   \
                .value = LAUNCH_FORGET, .kind = HD_CHOICE, .choices = reuse_launch_rules},         \
    [COUNTER_BITS] = {.name = "counter_bits", .unit = "bits",                                      \
                      .description = "width of the counters of accesses and hits", .value = 16,    \
                      .min = 4, .max = 16, .kind = HD_WHOLE},                                      \
    [OVERFLOW] = {.name = "overflow",                                                              \
                  .description = "a full counter saturates, or its whole entry is halved",         \
                  .value = OVERFLOW_SATURATE, .kind = HD_CHOICE, .choices = reuse_overflow_rules}

// ---- structures ----

// An entry of the Region Tracking Table (Fig. 22). first, last: the region's bounds in units of
// 256 bytes, with which the hardware compares addresses. Heddle knows the allocation of an access,
// and keeps its number in `first`.
#define REGION(F)                                                                                  \
    F(valid, 1) F(trained, 1) F(shared_reuse, 1) F(private_reuse, 1)                               \
    F(accesses, 16) F(shared_hits, 16) F(private_hits, 16) F(first, 32) F(last, 32)
HD_BIT_FIELDS(Region, REGION);

// Accesses to regions without an entry.
#define UNTRACKED(F) F(accesses, 16)
HD_BIT_FIELDS(Untracked, UNTRACKED);

// The fields added to an L2 tag (Fig. 21). core: the SM whose request or copy-back inserted the
// line. shared, private: another SM, or this one, has hit since.
#define L2_TAG(F) F(core, 8) F(shared, 1) F(private, 1) F(copied_back, 1)
HD_BIT_FIELDS(L2Tag, L2_TAG);

enum { REPLY_SHARED = 1, REPLY_PRIVATE = 2, REGION_REPLY_BITS = 2 };

// The structures that both mechanisms declare, by index. Each has its own tags of the L1's lines.
enum { REGION_TABLE, REGION_UNTRACKED, REGION_L1_TAGS, REGION_L2_TAGS, REGION_STRUCTURES };
#define REGION_STRUCTURE_ROWS                                                                      \
    [REGION_TABLE] = {"region tracking table", HD_EACH_L1, REGIONS, HD_BY_PARAMETER, Region_bits,  \
                      sizeof(Region)},                                                             \
    [REGION_UNTRACKED] = {"untracked accesses", HD_EACH_L1, 1, HD_FIXED, Untracked_bits,           \
                          sizeof(Untracked)},                                                      \
    [REGION_L2_TAGS] = {"core id and reuse bits", HD_EACH_L2, 0, HD_PER_LINE, L2Tag_bits,          \
                        sizeof(L2Tag)}

// ---- counters of accesses and hits ----

// This number of updates without accesses in between halves all counters to 0; more updates change
// nothing.
enum { MAX_UPDATES = 16 };

// The largest value of a counter.
unsigned reuse_full(const HdPlace *place);
// Whether `hits` of `accesses`, both halved, are reuse.
bool reuse_is(const HdPlace *place, unsigned hits, unsigned accesses, bool before);
// Whether an entry whose counters are full is halved before it counts.
bool reuse_halves(const HdPlace *place, unsigned accesses);

// Increments a counter, which saturates at `full`. (A bit field has no address.)
#define SATURATING_INCREMENT(field, full)                                                          \
    do {                                                                                           \
        if ((field) < (full)) (field)++;                                                           \
    } while (0)

// ---- at the L1: Listing 4 ----

// The entry of an access's region; NULL: it has none.
const Region *regions_find(const HdPlace *place, const HdAccess *access);

// What some updates did.
typedef struct RegionUpdates {
    uint64_t trained, replaced;
} RegionUpdates;

// Does the updates of periods that have ended.
RegionUpdates regions_end_periods(HdPlace *place, const HdPeriods *ended);

// Counts a fill of the L1D. A region without an entry gets a free one. NULL: there is none.
const Region *regions_fill(HdPlace *place, const HdAccess *fill);

// A kernel begins.
void regions_clear(HdPlace *place);

// ---- at the L2: Listing 3, as hooks of both mechanisms ----

void regions_on_fill_l2(HdPlace *place, const HdAccess *access);
void regions_on_access_l2(HdPlace *place, const HdAccess *access);
uint32_t regions_reply_tag(HdPlace *place, const HdAccess *load);
// For decide_after_hit: removes the line if the SM that copied it back is the one that hits now.
// Counts that in *removed.
HdAfterHit regions_decide_after_hit(HdPlace *place, const HdAccess *hit, uint64_t *removed);

#endif
