// Runs gnuplot: its script comes from, and its figure goes to, a file without a name.
#include "cli/common/plot.h"

#include "base/file.h"

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
    return hd_fail(err, "figures are drawn by gnuplot, which is not installed (Debian: "
                        "gnuplot-nox)");
}

// Runs gnuplot with these as its input and output; its exit status, or -1 where it did not run
// (errno says why) or was ended by a signal.
static int run_gnuplot(FILE *in, FILE *out)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions), status = -1;
    pid_t child = 0;
    char *arguments[] = {(char[]){"gnuplot"}, NULL};
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
        if (error == 0)
            error = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
        if (error == 0)
            error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    while (error == 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR) error = errno;
    errno = error;
    return error == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The figure as text, to be freed; NULL and err on failure.
static char *draw(FILE *in, FILE *out, const char *script, size_t *size, HdError *err)
{
    fprintf(in, "set terminal svg size 800,480 noenhanced font 'sans-serif,14' background 'white'\n"
                "%s\n", script);
    if (fflush(in) != 0 || fseek(in, 0, SEEK_SET) != 0) {
        hd_fail(err, "no room for gnuplot's script: %s", strerror(errno));
        return NULL;
    }
    int status = run_gnuplot(in, out);
    if (status == -1 && errno == ENOENT) {
        fail_missing(err);
        return NULL;
    }
    long end = fseek(out, 0, SEEK_END) == 0 ? ftell(out) : -1;
    if (status != 0 || end <= 0) {
        hd_fail(err, "gnuplot drew nothing (status %d)", status);
        return NULL;
    }
    char *figure = malloc((size_t)end);
    rewind(out);
    if (!figure || fread(figure, 1, (size_t)end, out) != (size_t)end) {
        hd_fail_memory(err, "drawing a figure");
        free(figure);
        return NULL;
    }
    *size = (size_t)end;
    return figure;
}

bool plot_svg(const char *script, const char *path, HdError *err)
{
    FILE *in = tmpfile(), *out = tmpfile();
    size_t size = 0;
    char *figure = NULL;
    if (in && out)
        figure = draw(in, out, script, &size, err);
    else
        hd_fail(err, "no temporary file for gnuplot: %s", strerror(errno));
    if (in) fclose(in);
    if (out) fclose(out);
    bool ok = figure && file_write(path, figure, size, err);
    free(figure);
    return ok;
}

void plot_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        bool control = (unsigned char)*text < ' ';
        if (*text == '\'') fputc('\'', out);
        fputc(control ? ' ' : *text, out);
    }
    fputc('\'', out);
}

bool plot_check(const char *path, HdError *err)
{
    if (!file_check_writable(path, err)) return false;
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
