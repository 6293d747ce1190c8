// Ctrl-C, SIGTERM (timeout) and SIGHUP while a kernel is simulated, which can take hours: the
// launch is ended, the report written, and then the process ends by the signal as it would have at
// once. The program is a guest's host: its handlers are its own, and what is set here is gone when
// the launch has ended.
#ifndef HEDDLE_CUDART_LAUNCH_SIGNALS_H
#define HEDDLE_CUDART_LAUNCH_SIGNALS_H

#include <signal.h>

// From now on the first of these signals that the program leaves to the system only sets *stop; one
// that comes half a second later or more ends the process at once (timeout sends two of them in a
// row). May be called again. From one thread at a time.
void signals_watch(volatile sig_atomic_t *stop);

// The signal that came since; 0: none.
int signals_caught(void);

// Everything is as before signals_watch, in a child of fork too.
void signals_restore(void);

// Ends the process by the signal.
void signals_end_by(int number);

// "SIGINT".
const char *signals_name(int number);

#endif
