// The locations of static instructions: function, line of the PTX, line of the source.
#ifndef HEDDLE_REPORT_CODE_LOCATION_H
#define HEDDLE_REPORT_CODE_LOCATION_H

#include "gpu/gpu.h"

typedef struct CodeLocation {
    char function[128];      // base name
    uint32_t ptx_line;
    const char *source_file; // NULL: unknown
    uint32_t source_line;
    const char *text;        // the instruction as written
} CodeLocation;

CodeLocation code_location(const Gpu *gpu, uint32_t pc);

// The cost of the loads of one source line, or of one PTX line if the source is unknown.
typedef struct HotLine {
    char where[160];   // "kernels/bfs.cu:20"
    const char *text;  // of its most expensive instruction
    char function[128];
    uint64_t latency;  // core cycles, summed over its loads
    uint64_t max_latency;    // of its most expensive instruction
    uint64_t issued, requests; // of its loads
} HotLine;

// Writes the lines with the greatest load latency, at most `most`, greatest first, and returns how
// many. *sum is the latency of all lines. Returns 0 when out of memory.
size_t hot_lines(const Gpu *gpu, const LaunchResult *record, HotLine *lines, size_t most,
                 uint64_t *sum);

#endif
