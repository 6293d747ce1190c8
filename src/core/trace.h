// A trace: the events of one warp of one SM in a range of cycles, as text.
#ifndef HEDDLE_CORE_TRACE_H
#define HEDDLE_CORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The SM appends text, in the thread that runs it. The owner takes the text between quanta.
typedef struct SmTrace {
    unsigned warp;     // warp slot on the SM
    uint64_t start;    // core cycle at which the launch starts: cycle 0 of the trace
    uint64_t from, to; // cycles of the launch, both included
    bool all_lanes;    // show the values of all lanes, not only of the first ones
    char *text;
    size_t length, capacity;
    bool failed;       // out of memory: text is missing
} SmTrace;

#endif
