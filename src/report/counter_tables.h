// Counters of all launches as plain text: the part that all reports share.
#ifndef HEDDLE_REPORT_COUNTER_TABLES_H
#define HEDDLE_REPORT_COUNTER_TABLES_H

#include "gpu/gpu.h"

#include <stdio.h>

enum { ARRAY_WIDTH = 12 }; // characters of a short name of an array

// Prints the functional launches and, for the timed ones, time, work, issue slots, caches, arrays
// (names in `array_width` characters), latencies, DRAM, and the lines with the longest waits for
// loads. `seconds`: the host's time.
void print_counter_tables(Gpu *gpu, double seconds, int array_width, FILE *out);

#endif
