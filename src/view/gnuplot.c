// Runs gnuplot: a temporary file is its script, another one takes its figure, a third one its
// messages.
#include "view/gnuplot.h"

#include "base/text.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool fail_missing(HdError *err)
{
    return hd_fail(err, "gnuplot draws the figures, and is not installed; install the Debian "
                        "package gnuplot-nox");
}

bool gnuplot_check(HdError *err)
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        char program[4096];
        int length = (int)strcspn(folder, ":");
        snprintf(program, sizeof program, "%.*s/gnuplot", length, folder);
        if (access(program, X_OK) == 0) return true;
        folder += length + (folder[length] == ':');
    }
    return fail_missing(err);
}

// The files of a run of gnuplot.
typedef struct Streams {
    FILE *script, *figure, *messages;
} Streams;

// Runs gnuplot with these files as its standard ones. Returns its status as of waitpid, or -1 if it
// did not run: errno says why.
static int run(const Streams *streams)
{
    // -d: reads no .gnuplot of the user or of the folder
    static const char *const words[] = {"gnuplot", "-d", NULL};
    posix_spawn_file_actions_t files;
    if ((errno = posix_spawn_file_actions_init(&files)) != 0) return -1;
    int failed = posix_spawn_file_actions_adddup2(&files, fileno(streams->script), STDIN_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&files, fileno(streams->figure), STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&files, fileno(streams->messages),
                                                  STDERR_FILENO);
    pid_t child = -1;
    if (!failed)
        failed = posix_spawnp(&child, words[0], &files, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&files);
    int status = -1;
    if (!failed)
        while (waitpid(child, &status, 0) < 0)
            if (errno != EINTR) return -1;
    errno = failed;
    return failed ? -1 : status;
}

// gnuplot's last line of messages, which says what is wrong.
static void read_message(FILE *messages, char *text, size_t size)
{
    char line[256];
    *text = 0;
    rewind(messages);
    while (fgets(line, sizeof line, messages)) {
        const char *start = line + strspn(line, " \t\n^");
        line[strcspn(line, "\n")] = 0;
        if (*start) text_escape(text, size, start, "");
    }
}

static char *read_figure(FILE *figure, size_t *size, HdError *err)
{
    long end = fseek(figure, 0, SEEK_END) == 0 ? ftell(figure) : -1;
    *size = end > 0 ? (size_t)end : 0;
    char *bytes = calloc(1, *size + 1);
    rewind(figure);
    if (bytes && fread(bytes, 1, *size, figure) == *size) return bytes;
    hd_fail_memory(err, "drawing a figure");
    free(bytes);
    return NULL;
}

static char *draw(const Streams *streams, const char *script, size_t *size, HdError *err)
{
    if (fputs(script, streams->script) < 0 || fflush(streams->script) != 0 ||
        fseek(streams->script, 0, SEEK_SET) != 0) {
        hd_fail(err, "no room for gnuplot's script: %s", strerror(errno));
        return NULL;
    }
    int status = run(streams);
    if (status == -1) {
        if (errno == ENOENT) fail_missing(err);
        else hd_fail(err, "gnuplot cannot be run: %s", strerror(errno));
        return NULL;
    }
    char message[200], how[64];
    read_message(streams->messages, message, sizeof message);
    if (WIFSIGNALED(status)) snprintf(how, sizeof how, "signal %d", WTERMSIG(status));
    else snprintf(how, sizeof how, "status %d", WEXITSTATUS(status));
    char *figure = read_figure(streams->figure, size, err);
    if (figure && (status || !*size)) {
        hd_fail(err, "gnuplot drew nothing (%s)%s%s", how, *message ? ": " : "", message);
        free(figure);
        return NULL;
    }
    return figure;
}

char *gnuplot_run(const char *script, size_t *size, HdError *err)
{
    Streams streams = {tmpfile(), tmpfile(), tmpfile()};
    char *figure = NULL;
    if (streams.script && streams.figure && streams.messages)
        figure = draw(&streams, script, size, err);
    else
        hd_fail(err, "no temporary file for gnuplot: %s", strerror(errno));
    if (streams.script) fclose(streams.script);
    if (streams.figure) fclose(streams.figure);
    if (streams.messages) fclose(streams.messages);
    return figure;
}
