// Starts programs and waits for them.
//
// fork and not posix_spawn, because the child asks for a signal at the end of its parent
// (PR_SET_PDEATHSIG) before it becomes the program.
#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_STARTED = 2 }; // the status of a child that did not become the program

int subprocess_wait(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFSIGNALED(status) ? SUBPROCESS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

// Moves a descriptor to the number of a standard one.
static bool move(int from, int to) { return from == 0 || from == to || dup2(from, to) >= 0; }

// In the child: becomes the program. Returns where that fails; errno says why.
static void become(const Subprocess *program, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, program->end_signal);
    if (getppid() != parent) _exit(NOT_STARTED); // the parent ended before the child asked
    if (program->take_interrupts) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
    }
    if (!move(program->in, STDIN_FILENO) || !move(program->out, STDOUT_FILENO) ||
        !move(program->err, STDERR_FILENO))
        return;
    if (program->errors) {
        int fd = open(program->errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0 || dup2(fd, STDERR_FILENO) < 0) return;
    }
    for (size_t i = 0; program->without && program->without[i]; i++) unsetenv(program->without[i]);
    execvp(program->words[0], (char *const *)program->words);
}

pid_t subprocess_start(const Subprocess *program)
{
    int report[2], failed = 0; // the pipe is closed by exec, or holds errno
    pid_t parent = getpid();
    if (pipe2(report, O_CLOEXEC) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        become(program, parent);
        failed = errno;
        if (write(report[1], &failed, sizeof failed) < 0) failed = 0; // the parent is gone
        _exit(NOT_STARTED);
    }
    if (child < 0) failed = errno;
    close(report[1]);
    ssize_t got = -1;
    while (child > 0 && (got = read(report[0], &failed, sizeof failed)) < 0 && errno == EINTR) {}
    close(report[0]);
    if (child > 0 && got <= 0) return child;
    if (child > 0) subprocess_wait(child);
    errno = failed;
    return -1;
}

bool subprocess_run(const char *const *words, int *status, HdError *err)
{
    // As in system(): Ctrl-C goes to the child, and the child's status decides.
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigemptyset(&ignore.sa_mask);
    fflush(NULL);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    pid_t child = subprocess_start(&(Subprocess){
        .words = words, .end_signal = SIGTERM, .take_interrupts = true});
    int failed = child < 0 ? errno : 0;
    *status = failed ? -1 : subprocess_wait(child);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (failed) return hd_fail(err, "%s: %s", words[0], strerror(failed));
    return *status >= 0 || hd_fail(err, "%s: its exit status is unknown", words[0]);
}

// Starts the program and reads what it writes to `stream`, its stdout or stderr. Returns as
// subprocess_messages.
static int collect(Subprocess *program, int *stream, char *text, size_t size)
{
    int ends[2];
    size_t length = 0;
    *text = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *stream = ends[1];
    pid_t child = subprocess_start(program);
    int failed = errno;
    close(ends[1]);
    char rest[256];
    for (ssize_t got = 1; child > 0 && got > 0;) {
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
    errno = failed;
    return child > 0 ? subprocess_wait(child) : -1;
}

bool subprocess_output(const char *const *words, char *text, size_t size)
{
    Subprocess program = {.words = words, .errors = "/dev/null", .end_signal = SIGKILL};
    return collect(&program, &program.out, text, size) == 0;
}

int subprocess_messages(const char *const *words, char *text, size_t size)
{
    Subprocess program = {.words = words, .end_signal = SIGKILL};
    return collect(&program, &program.err, text, size);
}
