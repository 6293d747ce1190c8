// Handles Ctrl-C, SIGTERM (timeout) and SIGHUP during a launch, which can take hours: the launch
// stops, the report is written, and then the process ends by the signal. Signals that the program
// handles itself are left alone, and the default actions are restored after the launch.
#ifndef HEDDLE_CUDART_LAUNCH_SIGNALS_H
#define HEDDLE_CUDART_LAUNCH_SIGNALS_H

#include <signal.h>

// Installs handlers for those of the signals that have the default action. The first signal sets
// *stop. Another one ends the process at once, unless it comes within half a second: timeout sends
// two signals in a row. May be called again. Not thread-safe.
void signals_watch(volatile sig_atomic_t *stop);

// The signal that arrived since signals_watch; 0: none.
int signals_caught(void);

// Undoes signals_watch, also in a forked child.
void signals_restore(void);

// Ends the process by the signal `number`.
void signals_end_by(int number);

// "SIGINT".
const char *signals_name(int number);

#endif
