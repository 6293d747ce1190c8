// Detects launches that may never end. Threads that spin on a flag that no thread sets are not
// detected as a deadlock, because they always make progress.
#ifndef HEDDLE_CUDART_HANG_WATCH_H
#define HEDDLE_CUDART_HANG_WATCH_H

#include <stdbool.h>
#include <stdint.h>

// Zero-initialise to start.
typedef struct HangWatch {
    uint64_t launch;      // the launch that was checked last, from 1 on
    uint64_t blocks_done; // how many of its blocks had ended
    double since;         // when the last of them ended
    bool reported;        // at most one report per process
} HangWatch;

// Checks launch number `launch`, of which `done` blocks have ended, at host time `now` in seconds.
// Returns whether to report that no block has ended for a minute.
bool hang_suspected(HangWatch *watch, uint64_t launch, uint64_t done, double now);

#endif
