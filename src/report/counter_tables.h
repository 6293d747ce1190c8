// What a GPU counted over all launches, as plain text: the part that all reports share.
#ifndef HEDDLE_REPORT_COUNTER_TABLES_H
#define HEDDLE_REPORT_COUNTER_TABLES_H

#include "gpu/gpu.h"

#include <stdio.h>

enum { ARRAY_WIDTH = 12 }; // characters of an array's name, where it is a short one

// Launches without time, and for the others time, work, issue slots, caches, arrays (their names in
// `array_width` characters), latencies, DRAM, and the lines at which loads wait. seconds: of the
// host, that it took.
void print_counter_tables(Gpu *gpu, double seconds, int array_width, FILE *out);

#endif
