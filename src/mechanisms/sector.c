// Sector cache: a miss fetches the parts of its line that it wants, and nothing else.
//
// lakshminarayana2014, section 4.6.1. A line has a tag, and a bit for each part of 32 bytes, which
// says whether it is there; the next level fetches no more than it is asked for either.
#include "heddle/mechanism.h"

static const char *const levels[] = {"l1", "l1,l2", NULL};
static const HdParameter parameters[] = {
    {.name = "levels",
     .description = "the caches that decide what they fetch; the L2 fetches what it is asked for anyway",
     .value = 0, .choices = levels},
    {0},
};

static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    (void)have;
    return miss->sector_mask;
}

const HdMechanism mechanism_sector = {
    .name = "sector",
    .description = "Fetches the wanted parts of 32 bytes of a line, not the whole line.",
    .paper = "lakshminarayana2014, section 4.6.1",
    .parameters = parameters,
    .l1 = {.decide_fetch = decide_fetch},
    .l2 = {.decide_fetch = decide_fetch},
};
