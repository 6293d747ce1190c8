// Command lines and child processes, for the benchmarks.
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void child_add(Child *child, const char *format, ...)
{
    size_t space = sizeof child->text - child->used;
    va_list values;
    va_start(values, format);
    int length = vsnprintf(child->text + child->used, space, format, values);
    va_end(values);
    if (length < 0 || (size_t)length >= space || child->count == CHILD_ARGUMENTS) {
        child->too_long = true;
        return;
    }
    child->arguments[child->count++] = child->text + child->used;
    child->used += (size_t)length + 1;
}

bool child_run(Child *child, const char *out, const char *errors, HdError *err)
{
    enum { HOW = O_WRONLY | O_CREAT | O_TRUNC };
    const char *program = child->arguments[0];
    if (child->too_long) return hd_fail(err, "%s: the arguments are too many or too long", program);
    child->arguments[child->count] = NULL;
    pid_t pid;
    int status;
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return hd_fail(err, "%s: cannot be run: %s", program, strerror(failed));
    failed = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out, HOW, 0600);
    if (!failed && errors)
        failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, HOW, 0600);
    if (!failed) failed = posix_spawnp(&pid, program, &actions, NULL, child->arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return hd_fail(err, "%s: cannot be run: %s", program, strerror(failed));
    struct rusage usage;
    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR) return hd_fail(err, "%s: %s", program, strerror(errno));
    if (!WIFEXITED(status)) return hd_fail(err, "%s: terminated by a signal", program);
    child->status = WEXITSTATUS(status);
    child->peak_kib = usage.ru_maxrss;
    return true;
}
