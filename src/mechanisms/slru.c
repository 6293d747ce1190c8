// Segmented LRU: a line that has been hit is protected from lines that have not.
//
// Karedla, Love, Wherry: Caching Strategies to Improve Disk System Performance, IEEE Computer
// 27(3), 1994. The base of the replacement of Gao and Wilkerson's adaptive bypassing (JWAC-1 2010),
// who add the promotion of new lines at random.
//
// The lines of a set form a stack. Its upper part is the protected segment, the rest the
// probationary one. A hit moves a line to the top; if it was probationary, the protected segment
// grows by one line, or is full and its last line becomes the first of the probationary segment,
// without a move in the stack. A new line is put on top of the probationary segment. The lowest
// line makes room.
#include "heddle/mechanism.h"

enum { LEVELS, PROTECTED_SHARE, PROMOTION_PROBABILITY, PARAMETERS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches whose replacement it decides",
                .value = 2, .choices = levels},
    [PROTECTED_SHARE] = {.name = "protected_share",
                         .description = "of the ways: largest size of the protected segment",
                         .value = 0.5, .min = 0, .max = 1},
    [PROMOTION_PROBABILITY] = {.name = "promotion_probability",
                               .description = "probability that a new line is protected at once",
                               .value = 0, .min = 0, .max = 1},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(replaced, "lines", "Lines that made room for another.")                                      \
    C(replaced_protected, "lines", "Of those: lines of the protected segment.")                    \
    C(promoted, "lines", "Lines that a hit moved into the protected segment.")                     \
    C(promoted_at_random, "lines", "New lines that were protected at once.")
HD_COUNTERS(Counted, COUNTED);

// depth: in the stack; 0 is the top. With more than 256 ways the lowest lines share a depth.
#define LINE(F) F(depth, 8)
HD_BIT_FIELDS(Line, LINE);
enum { DEEPEST = 255 };
#define SET(F) F(protected_lines, 8)
HD_BIT_FIELDS(Set, SET);

enum { LINES, SETS };
static const HdStructure structures[] = {
    [LINES] = {"place in the stack", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)},
    [SETS] = {"protected lines", HD_EACH_CACHE, 0, HD_PER_SET, Set_bits, sizeof(Set)},
    {0},
};

static Line *lines_of(const HdPlace *place, uint32_t set)
{
    return (Line *)place->structures[LINES] + (size_t)set * place->ways;
}

static Set *set_of(const HdPlace *place, uint32_t set)
{
    return (Set *)place->structures[SETS] + set;
}

// Whether a line is in this set, and not in a victim buffer.
static bool is_in_set(const HdPlace *place, uint32_t set, uint32_t line_index)
{
    return line_index - (uint64_t)set * place->ways < place->ways;
}

// ---- the stack ----

// A line leaves: those below it move up.
static void take_out(HdPlace *place, uint32_t set, uint32_t way)
{
    Line *lines = lines_of(place, set);
    Set *segments = set_of(place, set);
    uint32_t depth = lines[way].depth;
    for (uint32_t i = 0; i < place->ways; i++)
        if (lines[i].depth > depth) lines[i].depth--;
    segments->protected_lines -= depth < segments->protected_lines;
}

// Puts a line that is not in the stack at this depth: those from there on move down.
static void put(HdPlace *place, uint32_t set, uint32_t way, uint32_t depth)
{
    Line *lines = lines_of(place, set);
    for (uint32_t i = 0; i < place->ways; i++)
        if (lines[i].depth >= depth && lines[i].depth < DEEPEST) lines[i].depth++;
    lines[way].depth = (uint8_t)depth;
}

// Puts a line that is not in the stack on its top. The protected segment grows if it may.
static void put_on_top(HdPlace *place, uint32_t set, uint32_t way)
{
    Set *segments = set_of(place, set);
    uint32_t limit = (uint32_t)(place->parameters[PROTECTED_SHARE] * place->ways);
    if (limit >= place->ways) limit = place->ways - 1; // a new line needs a place
    if (limit > DEEPEST) limit = DEEPEST;
    put(place, set, way, 0);
    segments->protected_lines += segments->protected_lines < limit;
}

// ---- hooks ----

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    const Line *lines = lines_of(place, ways->set);
    HdWay victim = HD_PASS;
    for (uint32_t way = 0; way < ways->count; way++)
        if (!hd_is_reserved(ways, way) &&
            (victim == HD_PASS || lines[way].depth > lines[victim - 1].depth))
            victim = HD_WAY(way);
    return victim;
}

static void on_replace(HdPlace *place, const HdWays *ways, uint32_t way)
{
    Counted *counted = place->counters;
    counted->replaced++;
    counted->replaced_protected +=
        lines_of(place, ways->set)[way].depth < set_of(place, ways->set)->protected_lines;
    take_out(place, ways->set, way);
}

static void on_invalidate(HdPlace *place, const HdEviction *line)
{
    if (is_in_set(place, line->set, line->line_index))
        take_out(place, line->set, line->line_index - line->set * place->ways);
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    uint32_t way = access->line_index - access->set * place->ways;
    if (hd_draw(place) < place->parameters[PROMOTION_PROBABILITY]) {
        ((Counted *)place->counters)->promoted_at_random++;
        put_on_top(place, access->set, way);
    } else {
        put(place, access->set, way, set_of(place, access->set)->protected_lines);
    }
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    if (access->outcome != HD_HIT || !is_in_set(place, access->set, access->line_index)) return;
    uint32_t way = access->line_index - access->set * place->ways;
    ((Counted *)place->counters)->promoted +=
        lines_of(place, access->set)[way].depth >= set_of(place, access->set)->protected_lines;
    take_out(place, access->set, way);
    put_on_top(place, access->set, way);
}

HD_MECHANISM(slru) = {
    .name = "slru",
    .description = "Replaces lines that have not been hit before lines that have (segmented LRU).",
    .paper = "Karedla and others, IEEE Computer 27(3), 1994",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.decide_victim = decide_victim, .on_replace = on_replace, .on_insert = on_insert,
           .on_invalidate = on_invalidate, .on_access = on_access},
    .l2 = {.decide_victim = decide_victim, .on_replace = on_replace, .on_insert = on_insert,
           .on_invalidate = on_invalidate, .on_access = on_access},
};
