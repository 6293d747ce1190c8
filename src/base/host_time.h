// The host's clock, for progress and speed; nothing that is modelled may look at it.
#ifndef HEDDLE_BASE_HOST_TIME_H
#define HEDDLE_BASE_HOST_TIME_H

#include <time.h>

// Seconds since some moment, never going back.
static inline double host_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
