// Derives the periods of the clock domains in ticks, and says which frequency to change if they
// have too little in common.
#include "memory/clock.h"

#include <stddef.h>

static const char *const domain_names[CLOCK_DOMAINS] = {
    [CLOCK_CORE] = "core",
    [CLOCK_ICNT] = "network",
    [CLOCK_L2] = "L2",
    [CLOCK_DRAM] = "DRAM",
};

// 2^40 cycles of a domain, times its period, must fit in 64 bits.
enum { PERIOD_BITS = 24 };

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Ticks per millisecond: the least common multiple of the frequencies in kHz. 0: a period in such
// short ticks would take more than PERIOD_BITS.
static uint64_t ticks_per_millisecond(const uint64_t khz[CLOCK_DOMAINS])
{
    uint64_t slowest = khz[0];
    for (int d = 1; d < CLOCK_DOMAINS; d++)
        if (khz[d] < slowest) slowest = khz[d];
    uint64_t ticks = khz[0];
    for (int d = 1; d < CLOCK_DOMAINS; d++) {
        uint64_t factor = khz[d] / greatest_common_divisor(ticks, khz[d]);
        if (__builtin_mul_overflow(ticks, factor, &ticks)) return 0;
        if (ticks / slowest >> PERIOD_BITS) return 0;
    }
    return ticks;
}

// The smallest step (in kHz) such that the frequencies fit if domain d is rounded to it; 0: none.
static uint64_t step_that_fits(const uint64_t khz[CLOCK_DOMAINS], int d, uint64_t *rounded)
{
    static const uint64_t steps[] = {1000, 5000, 10000, 25000, 50000, 100000};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        uint64_t tried[CLOCK_DOMAINS];
        for (int i = 0; i < CLOCK_DOMAINS; i++) tried[i] = khz[i];
        tried[d] = (khz[d] + steps[s] / 2) / steps[s] * steps[s];
        if (!tried[d]) tried[d] = steps[s];
        if (tried[d] != khz[d] && ticks_per_millisecond(tried)) {
            *rounded = tried[d];
            return steps[s];
        }
    }
    return 0;
}

static bool fail_unrelated(const uint64_t khz[CLOCK_DOMAINS], HdError *err)
{
    int best = -1;
    uint64_t best_step = 0, best_khz = 0;
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        uint64_t rounded, step = step_that_fits(khz, d, &rounded);
        if (step && (best < 0 || step < best_step)) {
            best = d;
            best_step = step;
            best_khz = rounded;
        }
    }
    const char *what = "the clock frequencies have too little in common for exact time";
    if (best < 0)
        return hd_fail(err, "%s (core %.3f, network %.3f, L2 %.3f, DRAM %.3f MHz): round them to "
                            "whole multiples of 10 MHz",
                       what, (double)khz[CLOCK_CORE] / 1e3, (double)khz[CLOCK_ICNT] / 1e3,
                       (double)khz[CLOCK_L2] / 1e3, (double)khz[CLOCK_DRAM] / 1e3);
    return hd_fail(err, "%s: the %s clock at %.3f MHz does not fit the others: expected, for "
                        "example, %.0f MHz",
                   what, domain_names[best], (double)khz[best] / 1e3, (double)best_khz / 1e3);
}

bool clocks_derive(Clocks *clocks, HdError *err)
{
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        if (!clocks->khz[d])
            return hd_fail(err, "the %s clock has frequency 0: expected at least 1 kHz",
                           domain_names[d]);
    uint64_t ticks = ticks_per_millisecond(clocks->khz);
    if (!ticks) return fail_unrelated(clocks->khz, err);
    for (int d = 0; d < CLOCK_DOMAINS; d++) clocks->period[d] = ticks / clocks->khz[d];
    clocks->tick_seconds = 1e-3 / (double)ticks;
    return true;
}
