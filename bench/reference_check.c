// The tolerances that a comparison with the reference must meet.
#include "reference.h"

#include <math.h>
#include <stdio.h>

// Tolerances in percent; for rates, in percentage points.
enum { INSTRUCTIONS_OFF = 1, RATE_OFF = 3, COUNT_OFF = 10, LAUNCH_OFF = 25, RUN_OFF = 20 };
// Smaller values are not compared.
enum { LEAST_COUNT = 1000, LEAST_CYCLES = 5000 };

typedef struct Place {
    const char *run;
    size_t launch; // from 1; 0: the whole run
    unsigned missed;
} Place;

static void miss(Place *place, const char *what, double ours, double theirs, const char *bar)
{
    char launch[32] = "";
    if (place->launch) snprintf(launch, sizeof launch, " launch %zu", place->launch);
    printf("%s%s: %s %.1f, theirs %.1f: more than %s apart\n", place->run, launch, what, ours,
           theirs, bar);
    place->missed++;
}

static void within(Place *place, const char *what, double ours, double theirs, int bar)
{
    char text[32];
    snprintf(text, sizeof text, "%d %%", bar);
    if (100 * fabs(ratio(ours, theirs) - 1) > bar) miss(place, what, ours, theirs, text);
}

static void rates_within(Place *place, const char *what, double ours, double theirs)
{
    if (fabs(ours - theirs) > RATE_OFF) miss(place, what, ours, theirs, "3 percentage points");
}

static void check_counts(Place *place, const double *o, const double *t)
{
    static const struct {
        int column;
        const char *name;
    } counts[] = {
        {L1_ACCESSES, "L1D accesses"},    {L2_ACCESSES, "L2 accesses"},
        {TO_MEMORY, "flits to the L2"},   {TO_SM, "flits to the SMs"},
        {DRAM_READS, "DRAM read bursts"}, {DRAM_WRITES, "DRAM write bursts"},
    };
    within(place, "warp instructions", o[WARP_INSTRUCTIONS], t[WARP_INSTRUCTIONS],
           INSTRUCTIONS_OFF);
    rates_within(place, "L1D miss rate", percent(o[L1_MISSES], o[L1_ACCESSES]),
                 percent(t[L1_MISSES], t[L1_ACCESSES]));
    rates_within(place, "L2 miss rate", percent(o[L2_MISSES], o[L2_ACCESSES]),
                 percent(t[L2_MISSES], t[L2_ACCESSES]));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int c = counts[i].column;
        if (t[c] > LEAST_COUNT) within(place, counts[i].name, o[c], t[c], COUNT_OFF);
    }
}

unsigned reference_check(const char *run, const Row *ours, const Row *theirs, size_t count,
                         double *cycles_off)
{
    Place place = {.run = run};
    for (size_t i = 0; i < count; i++) {
        const double *o = ours[i].value, *t = theirs[i].value;
        place.launch = i + 1;
        check_counts(&place, o, t);
        if (t[CYCLES] + theirs[i].latency > LEAST_CYCLES)
            within(&place, "cycles", o[CYCLES], t[CYCLES], LAUNCH_OFF);
    }
    double o[COLUMNS], t[COLUMNS];
    reference_sum(ours, count, o);
    reference_sum(theirs, count, t);
    place.launch = 0;
    check_counts(&place, o, t);
    within(&place, "cycles", o[CYCLES], t[CYCLES], RUN_OFF);
    *cycles_off = ratio(o[CYCLES], t[CYCLES]) - 1;
    return place.missed;
}
