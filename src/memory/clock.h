// Clock domains with exact time: every domain's period is a whole number of ticks.
//
// A tick is the greatest common divisor of the periods, so a time crosses from one domain to
// another without rounding (docs/architecture.md, "Time in quanta").
#ifndef HEDDLE_MEMORY_CLOCK_H
#define HEDDLE_MEMORY_CLOCK_H

#include "base/fail.h"

#include <stdint.h>

typedef uint64_t Tick;
#define TICK_NEVER UINT64_MAX
#define CYCLE_NEVER UINT64_MAX

typedef enum ClockDomain {
    CLOCK_CORE,
    CLOCK_ICNT,
    CLOCK_L2,
    CLOCK_DRAM,
    CLOCK_DOMAINS
} ClockDomain;

typedef struct Clocks {
    uint64_t khz[CLOCK_DOMAINS];
    Tick period[CLOCK_DOMAINS]; // ticks per cycle
    double tick_seconds;        // for reports only
} Clocks;

// Fills period[] from khz[]. false and err: the frequencies have so little in common that 2^40
// cycles do not fit in 64 bits of ticks; the message says which frequency, and proposes the nearest
// MHz.
bool clocks_derive(Clocks *clocks, HdError *err);

static inline Tick clock_tick(const Clocks *c, ClockDomain d, uint64_t cycle)
{
    return cycle * c->period[d];
}
// The first cycle of domain d that starts at or after t.
static inline uint64_t clock_cycle(const Clocks *c, ClockDomain d, Tick t)
{
    return (t + c->period[d] - 1) / c->period[d];
}

#endif
