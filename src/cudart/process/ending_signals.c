// Signals that end the process. A signal handler can only reach global variables, hence these: the
// signal that arrived, when it did, the flag that stops a launch, and what wakes the thread.
#include "cudart/process/ending_signals.h"

#include "base/team.h"

#include "base/host_time.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
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
static void (*call_back)(int number);
static sem_t wake; // posted by the first signal and by signals_close
static pthread_t thread;
static bool watching, handled[ENDING];

static void note(int number)
{
    static const double patience = 0.5;
    int error = errno, none = 0;
    double now = host_seconds();
    if (!caught) caught_at = now;
    if (atomic_compare_exchange_strong(&caught, &none, number)) {
        *stop_launch = 1;
        sem_post(&wake);
    } else if (now - caught_at > patience) {
        signal(number, SIG_DFL); // delivered when this returns
        raise(number);
    }
    errno = error;
}

static void *wait_for_signal(void *nothing)
{
    while (sem_wait(&wake) != 0) continue;
    if (caught) call_back(caught);
    return nothing;
}

// Starts the thread with all signals blocked, so that they reach the program's own threads.
static bool start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    if (sem_init(&wake, 0, 0) != 0) return false;
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool ok = pthread_create(&thread, NULL, wait_for_signal, NULL) == 0;
    if (ok) pthread_setname_np(thread, TEAM_THREAD_NAME);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

bool signals_watch(volatile sig_atomic_t *stop, void (*arrived)(int number))
{
    // Interrupted system calls of the program restart. Handlers run on its alternate stack, if any.
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    stop_launch = stop;
    call_back = arrived;
    caught = 0;
    watching = start_thread();
    for (int i = 0; watching && i < ENDING; i++) {
        struct sigaction old;
        handled[i] = !sigaction(ending[i].number, NULL, &old) && old.sa_handler == SIG_DFL &&
                     !sigaction(ending[i].number, &action, NULL);
    }
    return watching;
}

int signals_caught(void) { return atomic_load(&caught); }

// ---- signals of the program ----

bool signals_program_handles(void)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        struct sigaction now;
        bool fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                     number == SIGILL || number == SIGTRAP || number == SIGABRT ||
                     number == SIGSYS;
        if (!fault && sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_DFL &&
            now.sa_handler != SIG_IGN && now.sa_handler != note)
            return true;
    }
    return false;
}

static _Thread_local bool deferring;
static _Thread_local sigset_t deferred, without; // masks, with and without deferring

void signals_defer(void)
{
    bool any = false;
    sigset_t own;
    if (deferring) return;
    sigemptyset(&own);
    for (int i = 0; i < ENDING; i++) {
        struct sigaction now;
        if (sigaction(ending[i].number, NULL, &now) != 0 || now.sa_handler == SIG_DFL ||
            now.sa_handler == SIG_IGN || now.sa_handler == note)
            continue;
        sigaddset(&own, ending[i].number);
        any = true;
    }
    if (!any || pthread_sigmask(SIG_BLOCK, &own, &without) != 0) return;
    deferring = pthread_sigmask(SIG_BLOCK, NULL, &deferred) == 0;
    if (!deferring) pthread_sigmask(SIG_SETMASK, &without, NULL);
}

void signals_deliver(void)
{
    if (!deferring) return;
    pthread_sigmask(SIG_SETMASK, &without, NULL); // the handlers run before this returns
    pthread_sigmask(SIG_SETMASK, &deferred, NULL);
}

void signals_resume(void)
{
    if (!deferring) return;
    deferring = false;
    pthread_sigmask(SIG_SETMASK, &without, NULL);
}

// ---- ending ----

static void restore(void)
{
    for (int i = 0; i < ENDING; i++) {
        struct sigaction now;
        // The program may have installed its own handler in the meantime.
        if (handled[i] && !sigaction(ending[i].number, NULL, &now) && now.sa_handler == note)
            signal(ending[i].number, SIG_DFL);
        handled[i] = false;
    }
}

void signals_close(void)
{
    if (!watching) return;
    restore();
    sem_post(&wake);
    pthread_join(thread, NULL);
    sem_destroy(&wake);
    watching = false;
}

void signals_forget(void)
{
    restore();
    watching = false;
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
