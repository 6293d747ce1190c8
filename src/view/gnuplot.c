// Runs gnuplot: a temporary file is its script, another one takes its figure, a third one its
// messages.
#include "view/gnuplot.h"

#include "base/subprocess.h"
#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// Runs gnuplot with these files as its standard ones. The status is as of subprocess_wait; -1: it
// did not run, and errno says why.
static int run(const Streams *streams)
{
    // -d: reads no .gnuplot of the user or of the folder
    static const char *const words[] = {"gnuplot", "-d", NULL};
    pid_t child = subprocess_start(&(Subprocess){.words = words, .in = fileno(streams->script),
                                                 .out = fileno(streams->figure),
                                                 .err = fileno(streams->messages),
                                                 .end_signal = SIGTERM});
    return child < 0 ? -1 : subprocess_wait(child);
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
    if (status > SUBPROCESS_SIGNAL)
        snprintf(how, sizeof how, "signal %d", status - SUBPROCESS_SIGNAL);
    else snprintf(how, sizeof how, "status %d", status);
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
