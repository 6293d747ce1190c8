// Sector cache: a miss fetches the wanted sectors of its line, and nothing else.
//
// lakshminarayana2014, section 4.6.1. A line has one tag, and one valid bit for each sector of 32
// bytes. The next level fetches the requested sectors only.
#include "heddle/mechanism.h"

static const char *const levels[] = {"l1", "l1,l2", NULL};
static const HdParameter parameters[] = {
    {.name = "levels",
     .description = "caches that decide; the L2 fetches what is requested with either choice",
     .value = 0, .kind = HD_CHOICE, .choices = levels},
    {0},
};

static uint8_t decide_fetch(HdPlace *place, const HdAccess *miss, uint8_t have)
{
    (void)place;
    (void)have;
    return miss->sector_mask;
}

HD_MECHANISM(sector) = {
    .name = "sector",
    .description = "Fetches the wanted 32-byte sectors of a line, not the whole line.",
    .paper = "lakshminarayana2014, section 4.6.1",
    .parameters = parameters,
    .l1 = {.decide_fetch = decide_fetch},
    .l2 = {.decide_fetch = decide_fetch},
};
