// Ctrl-C and SIGTERM while a simulation runs.
#ifndef HEDDLE_CLI_COMMON_INTERRUPT_H
#define HEDDLE_CLI_COMMON_INTERRUPT_H

#include <signal.h>

// The number of the first signal caught; 0: none.
const volatile sig_atomic_t *signals_caught(void);

// From now on the first SIGINT or SIGTERM is only recorded, so that the simulation can end in order
// and write its results; the second one ends the process at once.
void signals_watch(void);

#endif
