// The progress line of a launch on a terminal, rewritten in place.
#ifndef HEDDLE_REPORT_PROGRESS_H
#define HEDDLE_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

// Zero-initialise to start.
typedef struct ProgressLine {
    bool shown;                     // the terminal shows a line
    uint64_t launch;                // of the last update; the first is 1
    double first_update, last_shown;  // host seconds: first update of the launch; last line shown
    uint64_t first_blocks, last_cycle;
} ProgressLine;

// Updates the line: launch number `launch` is at this cycle, with `done` of its `blocks` finished.
// The line is shown on stderr after `delay` seconds of updates of the launch.
void progress_update(ProgressLine *line, double delay, uint64_t launch, uint64_t cycle,
                   uint64_t done, uint64_t blocks);
// Shows "WHAT: 42 %" on stderr, at most five times a second.
void progress_share(ProgressLine *line, const char *what, uint64_t done, uint64_t total);
// Removes the line, for other output.
void progress_clear(ProgressLine *line);

#endif
