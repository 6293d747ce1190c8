// Static instructions as places that a person knows: function, line of the PTX, line of the source.
#ifndef HEDDLE_REPORT_CODE_LOCATION_H
#define HEDDLE_REPORT_CODE_LOCATION_H

#include "gpu/gpu.h"

typedef struct CodeLocation {
    char function[128];      // base name
    uint32_t ptx_line;
    const char *source_file; // NULL: not known
    uint32_t source_line;
    const char *text;        // the instruction as written
} CodeLocation;

CodeLocation code_location(const Gpu *gpu, uint32_t pc);

// What the loads of one line of the source (where that is not known: of the PTX) cost.
typedef struct HotLine {
    char where[160];   // "kernels/bfs.cu:20"
    const char *text;  // of its most expensive instruction
    char function[128];
    uint64_t latency;  // sum of core cycles
    uint64_t max_latency;    // of which its most expensive instruction
    uint64_t issued, requests; // of its loads
} HotLine;

// The lines with the greatest sums of load latency, at most `most` of them, greatest first. Returns
// how many. *sum is the latency of all lines. 0 as well where memory is out.
size_t hot_lines(const Gpu *gpu, const LaunchResult *record, HotLine *lines, size_t most,
                 uint64_t *sum);

#endif
