// Ctrl-C and SIGTERM while a simulation runs.
#ifndef HEDDLE_CLI_COMMON_INTERRUPT_H
#define HEDDLE_CLI_COMMON_INTERRUPT_H

#include <signal.h>

// The number of the signal that came; 0 until then.
const volatile sig_atomic_t *signals_caught(void);

// From now on the first SIGINT or SIGTERM is only noted, so that the simulation can end well and
// its results be written; the second ends the process at once.
void signals_watch(void);

#endif
