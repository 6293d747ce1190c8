// Runs gnuplot: a temporary file is its script, another one takes its figure.
#include "cli/common/plot.h"

#include "base/file.h"
#include "base/subprocess.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool fail_missing(HdError *err)
{
    return hd_fail(err, "--svg: gnuplot draws the figures, and is not installed; install the "
                        "Debian package gnuplot-nox");
}

// Runs gnuplot with these files as its input and output. Returns its exit status, or -1 if it did
// not run (errno says why) or a signal ended it.
static int run_gnuplot(FILE *in, FILE *out)
{
    // -d: reads no .gnuplot of the user or of the folder
    static const char *const arguments[] = {"gnuplot", "-d", NULL};
    pid_t child = subprocess_start(&(Subprocess){.words = arguments, .in = fileno(in),
                                                 .out = fileno(out), .end_signal = SIGKILL});
    if (child < 0) return -1;
    int status = subprocess_wait(child);
    errno = 0;
    return status < SUBPROCESS_SIGNAL ? status : -1;
}

static const char style[] =
    "set border 0 linecolor '" PLOT_MUTED "'\n"
    "set tics nomirror scale 0 textcolor '" PLOT_INK "'\n"
    "set style fill solid noborder\n"
    "set style line 1 linecolor '" PLOT_GRID "' linetype 1 linewidth 1\n"
    "unset key\n";

// The figure as gnuplot writes it, to be freed; NULL and err on failure.
static char *draw(FILE *in, FILE *out, const Plot *plot, HdError *err)
{
    fprintf(in, "set terminal svg size %d,%u noenhanced font 'sans-serif,%d' background 'white'\n"
                "%s%s\n", PLOT_WIDTH, plot->height, PLOT_FONT, style, plot->script);
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
    char *figure = calloc(1, (size_t)end + 1);
    rewind(out);
    if (!figure || fread(figure, 1, (size_t)end, out) != (size_t)end) {
        hd_fail_memory(err, "drawing a figure");
        free(figure);
        return NULL;
    }
    return figure;
}

// ---- the description in the file ----

static void put_escaped(FILE *out, char c)
{
    switch (c) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    default: fputc((unsigned char)c < ' ' ? ' ' : c, out);
    }
}

static void put_escaped_text(FILE *out, const char *text)
{
    for (; *text; text++) put_escaped(out, *text);
}

// A word of a command line, in quotes if a shell needs them.
static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";
    if (*word && strspn(word, plain) == strlen(word)) {
        put_escaped_text(out, word);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'') fputs("'\\''", out);
        else put_escaped(out, *word);
    }
    fputc('\'', out);
}

// Writes the figure with the title and the command in place of gnuplot's own <title> and <desc>.
static bool write_figure(const char *figure, const char *title, const char *path, HdError *err)
{
    static const char end[] = "</desc>";
    const char *before = strstr(figure, "<title>");
    const char *after = before ? strstr(before, end) : NULL;
    if (!after) return hd_fail(err, "gnuplot drew no SVG with a <title> and a <desc>");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return hd_fail_memory(err, "drawing a figure");
    fwrite(figure, 1, (size_t)(before - figure), out);
    fputs("<title>", out);
    put_escaped_text(out, title);
    fputs("</title>\n<desc>Drawn by heddle " HEDDLE_VERSION ": heddle", out);
    // The command line, as its user could give it again. It is read from the kernel, because
    // getopt_long reorders argv.
    char *word = NULL;
    size_t room = 0;
    FILE *words = fopen("/proc/self/cmdline", "r");
    for (unsigned i = 0; words && getdelim(&word, &room, 0, words) > 0; i++) {
        if (!i) continue;
        fputc(' ', out);
        put_word(out, word);
    }
    if (words) fclose(words);
    free(word);
    fputs(after, out);
    bool ok = (fclose(out) == 0 || hd_fail_memory(err, "drawing a figure")) &&
              file_write(path, text, size, err);
    free(text);
    return ok;
}

bool plot_svg(const Plot *plot, const char *path, HdError *err)
{
    FILE *in = tmpfile(), *out = tmpfile();
    char *figure = NULL;
    if (in && out)
        figure = draw(in, out, plot, err);
    else
        hd_fail(err, "no temporary file for gnuplot: %s", strerror(errno));
    if (in) fclose(in);
    if (out) fclose(out);
    bool ok = figure && write_figure(figure, plot->title, path, err);
    free(figure);
    return ok;
}

// In single quotes, nothing but the quote and the end of the line has a meaning to gnuplot.
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

double plot_text_width(const char *text, size_t length)
{
    double ems = 0; // widths of DejaVu Sans, the widest of the common fonts
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c & 0xc0) == 0x80) continue; // inside a UTF-8 character
        if (strchr("ijl.,:;'|!()[]/ ft-", c)) ems += 0.36;
        else if (strchr("mwMW>+=<~%@", c)) ems += 0.88;
        else ems += 0.62;
    }
    return ems * PLOT_FONT;
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
