// The line on a terminal that tells where a launch stands, rewritten in place.
#ifndef HEDDLE_REPORT_PROGRESS_H
#define HEDDLE_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

// Zero-initialise to start.
typedef struct ProgressLine {
    bool shown;                     // a line stands on the terminal
    uint64_t launch;                // that it was last told of: from 1 on
    double first_update, last_shown;  // the host's seconds: of that launch; of any line
    uint64_t first_blocks, last_cycle;
} ProgressLine;

// Tells that launch number `launch` has come to a cycle of its own, with `done` of its `blocks`.
// Shown once the launch has been told of for `delay` seconds, on stderr.
void progress_update(ProgressLine *line, double delay, uint64_t launch, uint64_t cycle,
                   uint64_t done, uint64_t blocks);
// Shows "WHAT: 42 %" on stderr, at most five times a second.
void progress_share(ProgressLine *line, const char *what, uint64_t done, uint64_t total);
// Takes the line away, for other output.
void progress_clear(ProgressLine *line);

#endif
