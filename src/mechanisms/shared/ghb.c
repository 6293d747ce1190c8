// A global history buffer, for ghb-acdc and ghb-stride (Nesbit and Smith, HPCA 2004).
#include "mechanisms/shared/ghb.h"

const char *const ghb_off_on[] = {"off", "on", NULL};

bool ghb_append(HdPlace *place, const HdAccess *access, uint64_t stream, GhbWalk *walk)
{
    GhbLine *ring = place->structures[RING];
    GhbPosition *newest = place->structures[NEWEST], *next = place->structures[NEXT];
    uint32_t lines = (uint32_t)place->parameters[HISTORY];
    uint64_t line = access->line / place->line_bytes;
    LruTable table = {place->structures[RANKS], place->structures[IN_USE],
                      place->structures[NUMBERS], (uint32_t)place->parameters[STREAMS]};
    LruKey key = {place->parameters[WARPS] ? access->warp_slot : 0, stream};
    bool fresh;
    uint32_t index = lru_find_or_add(&table, key, &fresh);
    // If another stream has overwritten the newest line, no line of this one is left.
    const GhbLine *before = &ring[newest[index].at];
    bool linked = !fresh && before->stream == index + 1;
    if (linked && LINE_NUMBER(before) == line) return false;
    uint32_t at = next->at, back = at + (at > newest[index].at ? 0 : lines) - newest[index].at;
    // A newest line that this line overwrites is `lines` back: it is lost.
    if (!linked || back == lines) back = 0;
    ring[at] = (GhbLine){LINE_VALUES(line), .stream = index + 1, .back = back};
    newest[index].at = at;
    next->at = at + 1 == lines ? 0 : at + 1;
    *walk = (GhbWalk){line, at, 0};
    return true;
}

int64_t ghb_go_back(const HdPlace *place, GhbWalk *walk)
{
    const GhbLine *ring = place->structures[RING];
    uint32_t lines = (uint32_t)place->parameters[HISTORY], back = ring[walk->at].back;
    walk->age += back;
    if (!back || walk->age >= lines) return 0;
    walk->at += (walk->at < back ? lines : 0) - back;
    uint64_t newer = walk->line;
    walk->line = LINE_NUMBER(&ring[walk->at]);
    return (int64_t)(newer - walk->line);
}
