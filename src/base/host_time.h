// The host's clock, for progress and speed. Simulated state must not depend on it.
#ifndef HEDDLE_BASE_HOST_TIME_H
#define HEDDLE_BASE_HOST_TIME_H

#include <time.h>

// Seconds of a monotonic clock.
static inline double host_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
