// Stream prefetcher: two loads of neighbouring lines make a stream, and the loads that follow it
// prefetch ahead of them.
//
// lakshminarayana2014, Table 6, compares with it ("Stream Prefetcher, 512-entry"), after Tendler
// and others, POWER4 System Microarchitecture, 2001. The rules and numbers are those of the public
// simulator Scarab (pref_stream.c, stream.param.def), which has the stride prefetcher of the
// thesis' simulator too.
#include "mechanisms/shared/line_fields.h"
#include "mechanisms/shared/lru_table.h"

enum { ENTRIES, WARPS, NEAR, START, DEGREE, DISTANCE, QUEUE, PARAMETERS };

static const char *const off_on[] = {"off", "on", NULL};
static const HdParameter parameters[] = {
    [ENTRIES] = {.name = "entries", .unit = "streams", .description = "size of the table of an SM",
                 .value = 512, .min = 1, .max = LRU_MAX_ENTRIES, .kind = HD_WHOLE},
    [WARPS] = {.name = "warps", .description = "whether each warp has streams of its own",
               .value = 1, .kind = HD_CHOICE, .choices = off_on},
    [NEAR] = {.name = "near", .unit = "lines",
              .description = "from a stream's first load to its second, at most",
              .value = 16, .min = 1, .max = 63, .kind = HD_WHOLE},
    [START] = {.name = "start", .unit = "lines",
               .description = "from a stream's second load to its first prefetch",
               .value = 6, .min = 1, .max = 63, .kind = HD_WHOLE},
    [DEGREE] = {.name = "degree", .unit = "lines", .description = "prefetched by one load",
                .value = 2, .min = 1, .max = 16, .kind = HD_WHOLE},
    [DISTANCE] = {.name = "distance", .unit = "lines",
                  .description = "from the begin of a stream's window to its end, at most",
                  .value = 16, .min = 1, .max = 63, .kind = HD_WHOLE},
    [QUEUE] = {.name = "queue", .unit = "lines", .description = "length of the prefetch queue",
               .value = 128, .min = 1, .max = 1024, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(loads, "loads", "Loads that the prefetcher saw.")                                            \
    C(filtered, "loads", "Of these: of a line that has trained a stream before.")                  \
    C(created, "streams", "Streams that got an entry.")                                            \
    C(trained, "streams", "Streams that got a direction.")                                         \
    C(triggers, "loads", "Loads that prefetched.")
HD_COUNTERS(Counted, COUNTED);

// A stream has a window of lines, from its begin (`line_low`, `line_high`) to its end, which was
// prefetched last. length: from begin to end. full: the window has had its greatest length, and
// moves.
#define STREAM(F) LINE_FIELDS(F) F(length, 7) F(trained, 1) F(down, 1) F(full, 1)
HD_BIT_FIELDS(Stream, STREAM);

// The lines that have trained streams last; the oldest is at Next.at.
#define FILTERED(F) F(used, 1) F(warp_slot, LRU_WARP_BITS) LINE_FIELDS(F)
HD_BIT_FIELDS(Filtered, FILTERED);
#define NEXT_FILTERED(F) F(at, 5)
HD_BIT_FIELDS(Next, NEXT_FILTERED);
enum { FILTER_LINES = 32 };

enum { RANKS, IN_USE, STREAMS, FILTER, NEXT, PREFETCHES };
static const HdStructure structures[] = {
    [RANKS] = LRU_ENTRIES("stream warps and ranks", ENTRIES),
    [IN_USE] = LRU_IN_USE("streams in use"),
    [STREAMS] = {"stream table", HD_EACH_L1, ENTRIES, HD_BY_PARAMETER, Stream_bits, sizeof(Stream)},
    [FILTER] = {"train filter", HD_EACH_L1, FILTER_LINES, HD_FIXED, Filtered_bits,
                sizeof(Filtered)},
    [NEXT] = {"next of the filter", HD_EACH_L1, 1, HD_FIXED, Next_bits, sizeof(Next)},
    [PREFETCHES] = {"prefetch queue", HD_EACH_L1, QUEUE, HD_PREFETCH_QUEUE, HdPrefetch_bits,
                    sizeof(HdPrefetch)},
    {0},
};

// Lines from the stream's begin to the line, in its direction; negative: behind the begin.
static int64_t lines_from_begin(const Stream *stream, uint64_t line)
{
    int64_t up = (int64_t)(line - LINE_NUMBER(stream));
    return stream->down ? -up : up;
}

// The line after `line` in the stream's direction, `count` lines on.
static uint64_t line_after(const Stream *stream, uint64_t line, uint64_t count)
{
    return stream->down ? line - count : line + count;
}

static void move_begin(Stream *stream)
{
    uint64_t begin = line_after(stream, LINE_NUMBER(stream), 1);
    *stream = (Stream){LINE_VALUES(begin), .length = stream->length - 1, .trained = 1,
                       .down = stream->down, .full = 1};
}

// The warp's trained stream with the line in its window, or else its untrained stream that begins
// near the line; of several, the one with the lowest index, as in Scarab's search. LRU_NONE: none.
static uint32_t find_stream(const HdPlace *place, const LruTable *table, LruKey key, uint64_t line)
{
    const Stream *streams = place->structures[STREAMS];
    int64_t most = (int64_t)place->parameters[NEAR];
    uint32_t inside = LRU_NONE, near = LRU_NONE;
    for (uint32_t at = lru_find(table, key); at != LRU_NONE; at = lru_find_next(table, at)) {
        const Stream *stream = &streams[at];
        int64_t lines = lines_from_begin(stream, line);
        if (stream->trained && lines >= 0 && lines <= stream->length && at < inside) inside = at;
        if (!stream->trained && lines >= -most && lines <= most && at < near) near = at;
    }
    return inside != LRU_NONE ? inside : near;
}

// Whether the line is among the last ones that have trained; it is from now on.
static bool is_filtered(HdPlace *place, uint16_t warp_slot, uint64_t line)
{
    Filtered *filter = place->structures[FILTER];
    Next *next = place->structures[NEXT];
    Filtered wanted = {.used = 1, .warp_slot = warp_slot, LINE_VALUES(line)};
    for (unsigned i = 0; i < FILTER_LINES; i++)
        if (filter[i].line_low == wanted.line_low && filter[i].line_high == wanted.line_high &&
            filter[i].warp_slot == wanted.warp_slot && filter[i].used)
            return true;
    filter[next->at++] = wanted;
    return false;
}

static void prefetch(HdPlace *place, Stream *stream, uint64_t line)
{
    uint64_t count = 0;
    for (; count < place->parameters[DEGREE]; count++) {
        if (stream->full && LINE_NUMBER(stream) == line) break; // far enough ahead
        stream->length++;
        uint64_t end = line_after(stream, LINE_NUMBER(stream), stream->length);
        hd_prefetch(place, end * place->line_bytes);
        if (stream->length > place->parameters[DISTANCE]) move_begin(stream);
    }
    ((Counted *)place->counters)->triggers += count > 0;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->kind != HD_LOAD || access->cache != HD_L1D) return;
    Counted *counted = place->counters;
    counted->loads++;
    uint64_t line = access->line / place->line_bytes;
    uint16_t warp_slot = place->parameters[WARPS] ? access->warp_slot : 0;
    if (is_filtered(place, warp_slot, line)) {
        counted->filtered++;
        return;
    }
    LruTable table = {place->structures[RANKS], place->structures[IN_USE],
                      .count = (uint32_t)place->parameters[ENTRIES]};
    LruKey key = {.warp_slot = warp_slot};
    uint32_t at = find_stream(place, &table, key, line);
    if (at == LRU_NONE) {
        at = lru_add(&table, key);
        ((Stream *)place->structures[STREAMS])[at] = (Stream){LINE_VALUES(line)};
        counted->created++;
        return;
    }
    lru_use(&table, at);
    Stream *stream = (Stream *)place->structures[STREAMS] + at;
    if (!stream->trained) {
        stream->down = LINE_NUMBER(stream) > line;
        stream->trained = 1;
        stream->length = (uint32_t)(lines_from_begin(stream, line) +
                                    (int64_t)place->parameters[START] - 1);
        counted->trained++;
    }
    prefetch(place, stream, line);
}

HD_MECHANISM(stream) = {
    .name = "stream",
    .description = "Prefetches ahead of loads of neighbouring lines.",
    .paper = "lakshminarayana2014, Table 6 (a comparison)",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.on_access = on_access},
    .levels = HD_L1,
};
