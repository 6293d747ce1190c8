// A global history buffer: the lines that were accessed last, in a ring, each linked to the line
// before it of the same stream. Nesbit and Smith, Data Cache Prefetching Using a Global History
// Buffer, HPCA 2004. For ghb-acdc and ghb-stride.
#ifndef HEDDLE_MECHANISMS_SHARED_GHB_H
#define HEDDLE_MECHANISMS_SHARED_GHB_H

#include "mechanisms/shared/line_fields.h"
#include "mechanisms/shared/lru_table.h"

// The parameters and structures of both mechanisms, by index.
enum { STREAMS, HISTORY, WARPS, DEGREE, QUEUE };
enum { RANKS, NUMBERS, IN_USE, NEWEST, RING, NEXT, PREFETCHES };
enum { GHB_MAX_LINES = 1024, GHB_POSITION_BITS = 10, GHB_STREAM_BITS = LRU_INDEX_BITS + 1 };
extern const char *const ghb_off_on[];

#define GHB_PARAMETER_ROWS(streams, lines, prefetched)                                             \
    [STREAMS] = {.name = "streams", .unit = "streams", .description = "size of the index table",   \
                 .value = streams, .min = 1, .max = LRU_MAX_ENTRIES, .kind = HD_WHOLE},            \
    [HISTORY] = {.name = "history", .unit = "lines", .description = "size of the history buffer",  \
                 .value = lines, .min = 2, .max = GHB_MAX_LINES, .kind = HD_WHOLE},                \
    [WARPS] = {.name = "warps", .description = "whether each warp has streams of its own",         \
               .value = 1, .kind = HD_CHOICE, .choices = ghb_off_on},                              \
    [DEGREE] = {.name = "degree", .unit = "lines", .description = "prefetched by one load",        \
                .value = prefetched, .min = 1, .max = 64, .kind = HD_WHOLE},                       \
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",    \
               .value = 128, .min = 1, .max = 1024, .kind = HD_WHOLE}

// A line in the ring. stream: 1 + index of its stream in the index table; 0: no line has come here
// yet. back: how many lines of the ring earlier the stream's line before is; 0: there is none.
#define GHB_LINE(F) LINE_FIELDS(F) F(stream, GHB_STREAM_BITS) F(back, GHB_POSITION_BITS)
HD_BIT_FIELDS(GhbLine, GHB_LINE);
#define GHB_POSITION(F) F(at, GHB_POSITION_BITS)
HD_BIT_FIELDS(GhbPosition, GHB_POSITION);

#define GHB_STRUCTURE_ROWS(number_bits)                                                            \
    [RANKS] = LRU_ENTRIES("index table warps and ranks", STREAMS),                                 \
    [NUMBERS] = LRU_NUMBERS("index table numbers", STREAMS, number_bits),                          \
    [IN_USE] = LRU_IN_USE("streams in use"),                                                       \
    [NEWEST] = {"index table", HD_EACH_L1, STREAMS, HD_BY_PARAMETER, GhbPosition_bits,             \
                sizeof(GhbPosition)},                                                              \
    [RING] = {"history buffer", HD_EACH_L1, HISTORY, HD_BY_PARAMETER, GhbLine_bits,                \
              sizeof(GhbLine)},                                                                    \
    [NEXT] = {"next of the history", HD_EACH_L1, 1, HD_FIXED, GhbPosition_bits,                    \
              sizeof(GhbPosition)},                                                                \
    [PREFETCHES] = {"prefetch queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits,       \
                    sizeof(HdPrefetch)}

// Goes from a stream's newest line to older ones.
typedef struct GhbWalk {
    uint64_t line;    // number of the line that was reached
    uint32_t at, age; // its position, and how many lines are newer
} GhbWalk;

// Appends the access's line to the stream with this number, unless it is the stream's newest one.
// The walk begins at it. false: the line was the newest one.
bool ghb_append(HdPlace *place, const HdAccess *access, uint64_t stream, GhbWalk *walk);

// Goes one line back, and returns the distance from it to the line that the walk was at, in lines.
// 0: the history has no older line of the stream.
int64_t ghb_go_back(const HdPlace *place, GhbWalk *walk);

#endif
