// A launch that may never end: threads that spin for what never comes are no deadlock, as something
// always happens.
#ifndef HEDDLE_CUDART_HANG_WATCH_H
#define HEDDLE_CUDART_HANG_WATCH_H

#include <stdbool.h>
#include <stdint.h>

// Zero-initialise to start.
typedef struct HangWatch {
    uint64_t launch; // that was last looked at: from 1 on
    uint64_t blocks_done;  // its blocks that had ended then
    double since;    // when the last of them had
    bool reported;       // once is enough for a process
} HangWatch;

// Looks at launch number `launch`, of which `done` blocks have ended, at `now` by the host's clock.
// Is it to be reported that none has for a minute?
bool hang_suspected(HangWatch *watch, uint64_t launch, uint64_t done, double now);

#endif
