// Ctrl-C and SIGTERM while a simulation runs. A handler can only reach what is global: this one
// number.
#include "cli/common/interrupt.h"

#include <stddef.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    if (caught) { // the second: delivered again when this returns
        signal(number, SIG_DFL);
        raise(number);
    }
    caught = number;
}

const volatile sig_atomic_t *signals_caught(void) { return &caught; }

void signals_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART}; // output is not cut
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        // What the parent process has set to be ignored (nohup, a background job) stays so.
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}
