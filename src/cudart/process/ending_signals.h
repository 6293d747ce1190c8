// Handles Ctrl-C, SIGTERM (timeout) and SIGHUP, so that a process leaves its report before it ends
// by the signal. Signals that the program handles or ignores itself are left alone.
//
// A signal may arrive in any code, where nearly nothing may be called. So its handler only sets
// flags and wakes a thread, which calls back.
#ifndef HEDDLE_CUDART_ENDING_SIGNALS_H
#define HEDDLE_CUDART_ENDING_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

// Installs handlers for the signals that have the default action, and starts the thread.
// The first signal sets *stop and then calls `arrived` in the thread. Another one ends the process
// at once, unless it comes within half a second: timeout sends two signals in a row. false: the
// thread cannot be started, and nothing has changed. Not thread-safe.
bool signals_watch(volatile sig_atomic_t *stop, void (*arrived)(int number));

// The signal that arrived since signals_watch; 0: none.
int signals_caught(void);

// Whether the program handles a signal that may come at any time. Signals of faults do not count.
bool signals_program_handles(void);

// Defers, in this thread, the signals that the program handles itself: a handler that exits in the
// middle of a call would leave no report.
void signals_defer(void);
// Lets the program's handlers of deferred signals run.
void signals_deliver(void);
// Ends deferring.
void signals_resume(void);

// Undoes signals_watch, if it has succeeded. Must not be called by the thread.
void signals_close(void);

// The same in a forked child, which has no such thread.
void signals_forget(void);

// Ends the process by the signal `number`.
_Noreturn void signals_end_by(int number);

// "SIGINT".
const char *signals_name(int number);

#endif
