// Starts programs with posix_spawn and waits for them.
#include "cli/common/subprocess.h"

#include "cli/common/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// The exit status of a child; -1: unknown.
static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFSIGNALED(status) ? SIGNAL_STATUS + WTERMSIG(status) : WEXITSTATUS(status);
}

bool subprocess_run(const TextList *words, int *status, HdError *err)
{
    // As in system(): Ctrl-C goes to the child, and the child's status decides.
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigset_t none;
    posix_spawnattr_t attributes;
    pid_t child;
    fflush(NULL);
    sigemptyset(&ignore.sa_mask);
    sigemptyset(&none);
    sigaddset(&none, SIGINT);
    sigaddset(&none, SIGQUIT);
    int failed = posix_spawnattr_init(&attributes);
    if (failed) return hd_fail(err, "%s: %s", words->items[0], strerror(failed));
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &none);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    failed =
        posix_spawnp(&child, words->items[0], NULL, &attributes, (char **)words->items, environ);
    *status = failed ? -1 : wait_for(child);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    posix_spawnattr_destroy(&attributes);
    if (failed) return hd_fail(err, "%s: %s", words->items[0], strerror(failed));
    return *status >= 0 || hd_fail(err, "%s: its exit status is unknown", words->items[0]);
}

bool subprocess_output(const TextList *words, char *text, size_t size)
{
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    size_t length = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed =
        posix_spawnp(&child, words->items[0], &actions, NULL, (char **)words->items, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char rest[256];
    for (ssize_t got = 1; !failed && got > 0;) {
        bool room = length < size - 1;
        got = room ? read(ends[0], text + length, size - 1 - length)
                   : read(ends[0], rest, sizeof rest);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0 && room)
            length += (size_t)got;
    }
    text[length] = 0;
    close(ends[0]);
    return !failed && wait_for(child) == 0;
}
