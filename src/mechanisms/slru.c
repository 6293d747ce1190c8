// Segmented LRU: lines that have been hit since they came make room after those that have not.
//
// The replacement of Gao and Wilkerson's adaptive bypassing, JWAC-1 2010, as in the program that
// they submitted, after Karedla, Love, Wherry: Caching Strategies to Improve Disk System
// Performance, IEEE Computer 27(3), 1994.
//
// The lines of a set form a stack, by their last access. A hit marks a line as referenced. The
// lowest line that is not referenced makes room; if all are, the lowest of all. Two additions are
// off by default: ageing, by which each replacement takes the mark from the lowest line, and random
// promotion, by which a new line is marked at once.
#include "heddle/mechanism.h"

enum { LEVELS, AGEING, PROMOTION_PROBABILITY, PARAMETERS };

static const char *const levels[] = {"l1", "l2", "l1,l2", NULL};
static const char *const answers[] = {"no", "yes", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches whose replacement it decides",
                .value = 2, .kind = HD_CHOICE, .choices = levels},
    [AGEING] = {.name = "ageing",
                .description = "each replacement takes the mark from the lowest line of the set",
                .value = 0, .kind = HD_CHOICE, .choices = answers},
    [PROMOTION_PROBABILITY] = {.name = "promotion_probability",
                               .description = "probability that a new line is marked at once",
                               .value = 0, .min = 0, .max = 1},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(replaced, "lines", "Lines that made room for another.")                                      \
    C(replaced_referenced, "lines", "Of those: referenced lines.")                                 \
    C(referenced, "lines", "Lines that were hit for the first time, or again after ageing.")       \
    C(aged, "lines", "Lines from which ageing took the mark.")                                     \
    C(promoted_at_random, "lines", "New lines that were marked at once.")
HD_COUNTERS(Counted, COUNTED);

// depth: in the stack; 0 is the top. With more than 256 ways the lowest lines share a depth.
#define LINE(F) F(depth, 8) F(referenced, 1)
HD_BIT_FIELDS(Line, LINE);
enum { DEEPEST = 255 };

static const HdStructure structures[] = {
    {"place in the stack", HD_EACH_CACHE, 0, HD_PER_LINE, Line_bits, sizeof(Line)}, {0}};

static Line *lines_of(const HdPlace *place, uint32_t set)
{
    return (Line *)place->structures[0] + (size_t)set * place->ways;
}

// The way of a line in this set; not below `ways`: the line is in a victim buffer or not here.
static uint32_t way_of(const HdPlace *place, uint32_t set, uint32_t line_index)
{
    return line_index - set * place->ways;
}

// ---- the stack ----

// A line leaves: those below it move up.
static void take_out(HdPlace *place, Line *lines, uint32_t way)
{
    for (uint32_t i = 0; i < place->ways; i++)
        if (lines[i].depth > lines[way].depth) lines[i].depth--;
}

// Puts a line that is not in the stack on its top.
static void put(HdPlace *place, Line *lines, uint32_t way)
{
    for (uint32_t i = 0; i < place->ways; i++)
        if (lines[i].depth < DEEPEST) lines[i].depth++;
    lines[way].depth = 0;
}

// ---- hooks ----

static bool leaves_before(const Line *a, const Line *b)
{
    return a->referenced == b->referenced ? a->depth > b->depth : b->referenced;
}

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    const Line *lines = lines_of(place, ways->set);
    HdWay victim = HD_PASS;
    for (uint32_t way = 0; way < ways->count; way++)
        if (!hd_is_reserved(ways, way) &&
            (victim == HD_PASS || leaves_before(&lines[way], &lines[victim - 1])))
            victim = HD_WAY(way);
    return victim;
}

static void on_replace(HdPlace *place, const HdWays *ways, uint32_t way)
{
    Counted *counted = place->counters;
    Line *lines = lines_of(place, ways->set);
    counted->replaced++;
    counted->replaced_referenced += lines[way].referenced;
    take_out(place, lines, way);
    if (!place->parameters[AGEING] || ways->count == 1) return;
    Line *lowest = way ? &lines[0] : &lines[1];
    for (uint32_t i = 0; i < ways->count; i++)
        if (i != way && lines[i].depth > lowest->depth) lowest = &lines[i];
    counted->aged += lowest->referenced;
    lowest->referenced = 0;
}

static void on_invalidate(HdPlace *place, const HdEviction *line)
{
    uint32_t way = way_of(place, line->set, line->line_index);
    if (way < place->ways) take_out(place, lines_of(place, line->set), way);
}

static void on_insert(HdPlace *place, const HdAccess *access)
{
    Line *lines = lines_of(place, access->set);
    uint32_t way = way_of(place, access->set, access->line_index);
    put(place, lines, way);
    lines[way].referenced = hd_draw(place) < place->parameters[PROMOTION_PROBABILITY];
    ((Counted *)place->counters)->promoted_at_random += lines[way].referenced;
}

static void on_access(HdPlace *place, const HdAccess *access)
{
    uint32_t way = way_of(place, access->set, access->line_index);
    if (access->outcome != HD_HIT || way >= place->ways) return;
    Line *lines = lines_of(place, access->set);
    ((Counted *)place->counters)->referenced += !lines[way].referenced;
    lines[way].referenced = 1;
    take_out(place, lines, way);
    put(place, lines, way);
}

HD_MECHANISM(slru) = {
    .name = "slru",
    .description = "Replaces lines that have not been hit before lines that have (segmented LRU).",
    .paper = "Gao and Wilkerson, JWAC-1 2010, after Karedla and others, IEEE Computer 27(3), 1994",
    .parameters = parameters,
    .counters = Counted_list,
    .structures = structures,
    .l1 = {.decide_victim = decide_victim, .on_replace = on_replace, .on_insert = on_insert,
           .on_invalidate = on_invalidate, .on_access = on_access},
    .l2 = {.decide_victim = decide_victim, .on_replace = on_replace, .on_insert = on_insert,
           .on_invalidate = on_invalidate, .on_access = on_access},
};
