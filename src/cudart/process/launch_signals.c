// Signals that end the process, during a launch. A signal handler can only reach global variables,
// hence these: the signal that arrived, when it did, and the flag that stops the launch.
#include "cudart/process/launch_signals.h"

#include "base/host_time.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static const struct {
    int number;
    const char *name;
} ending[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};
enum { ENDING = sizeof ending / sizeof *ending };

static atomic_int caught;
static _Atomic double caught_at;
static volatile sig_atomic_t *volatile stop_launch;
static bool watched[ENDING];

static void note(int number)
{
    static const double patience = 0.5;
    int error = errno;
    double now = host_seconds();
    if (!caught) {
        caught_at = now;
        caught = number;
        *stop_launch = 1;
    } else if (now - caught_at > patience) {
        signal(number, SIG_DFL); // delivered when this returns
        raise(number);
    }
    errno = error;
}

void signals_watch(volatile sig_atomic_t *stop)
{
    // Interrupted system calls of the program restart. Handlers run on its alternate stack, if any.
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    stop_launch = stop;
    for (int i = 0; i < ENDING; i++) {
        struct sigaction old;
        watched[i] = watched[i] ||
                     (!sigaction(ending[i].number, NULL, &old) && old.sa_handler == SIG_DFL &&
                      !sigaction(ending[i].number, &action, NULL));
    }
}

int signals_caught(void) { return atomic_load(&caught); }

void signals_restore(void)
{
    for (int i = 0; i < ENDING; i++) {
        struct sigaction now;
        // Another thread of the program may have installed its own handler in the meantime.
        if (watched[i] && !sigaction(ending[i].number, NULL, &now) && now.sa_handler == note)
            signal(ending[i].number, SIG_DFL);
        watched[i] = false;
    }
    caught = 0;
}

void signals_end_by(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL); // this thread may block the signal
    raise(number);
    _exit(128 + number); // the first process of a container survives the signal
}

const char *signals_name(int number)
{
    for (int i = 0; i < ENDING; i++)
        if (ending[i].number == number) return ending[i].name;
    return "a signal";
}
