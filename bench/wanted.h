// The names on a tool's command line, which select what it compares.
#ifndef HEDDLE_BENCH_WANTED_H
#define HEDDLE_BENCH_WANTED_H

#include <stdbool.h>
#include <string.h>

// Whether `name` is among the names; without any names, everything is wanted.
static inline bool wanted(const char *name, char *const names[], int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return count == 0;
}

#endif
