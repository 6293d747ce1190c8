// Ctrl-C and SIGTERM while a simulation runs. A signal handler needs global state: this one number.
#include "cli/common/interrupt.h"

#include <stddef.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    if (caught) { // the second signal: raised again with the default action
        signal(number, SIG_DFL);
        raise(number);
    }
    caught = number;
}

const volatile sig_atomic_t *signals_caught(void) { return &caught; }

void signals_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART}; // writes are restarted
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        // A signal that the parent process ignores (nohup, a background job) stays ignored.
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}
