// A mechanism outside of Heddle, for tests/cli: chooses a way that cannot make room.
#include "heddle/mechanism.h"

enum { LEVELS, ANSWER, PARAMETERS };
enum { RESERVED, BEYOND };
static const char *const levels[] = {"l1", "l2", NULL};
static const char *const answers[] = {"reserved", "beyond", NULL};
static const HdParameter parameters[] = {
    [LEVELS] = {.name = "levels", .description = "caches whose replacement it decides",
                .kind = HD_CHOICE, .choices = levels},
    [ANSWER] = {.name = "answer", .description = "a way that waits for data, if there is one, or "
                                                 "the way behind the last one",
                .kind = HD_CHOICE, .choices = answers},
    [PARAMETERS] = {0},
};

static HdWay decide_victim(HdPlace *place, const HdWays *ways)
{
    if (place->parameters[ANSWER] == BEYOND) return HD_WAY(ways->count);
    for (uint32_t way = 0; way < ways->count; way++)
        if (hd_is_reserved(ways, way)) return HD_WAY(way);
    return HD_PASS;
}

HD_MECHANISM(wrong_way) = {
    .name = "wrong-way",
    .description = "Chooses a way that cannot make room.",
    .paper = "none",
    .parameters = parameters,
    .l1 = {.decide_victim = decide_victim},
    .l2 = {.decide_victim = decide_victim},
};
