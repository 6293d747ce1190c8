// Writes what gnuplot drew into a file, with what gnuplot leaves out: the title and description of
// an SVG, the size of a PNG in millimetres. The date in a PDF is replaced.
#include "view/plot.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "view/gnuplot.h"
#include "view/text_layout.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef enum Ending { ENDING_SVG, ENDING_PNG, ENDING_PDF, ENDINGS } Ending;

enum { SCREEN_DPI = 96, PRINT_DPI = 300 };

static bool find_ending(const char *path, Ending *ending, HdError *err)
{
    static const char *const endings[ENDINGS] = {".svg", ".png", ".pdf"};
    size_t length = strlen(path);
    for (*ending = 0; *ending < ENDINGS; (*ending)++)
        if (length > 4 && text_same_letters(path + length - 4, endings[*ending], 5)) return true;
    return hd_fail(err, "%s: expected a name of a figure that ends in .svg, .png or .pdf", path);
}

bool plot_check(const char *path, HdError *err)
{
    Ending ending;
    return find_ending(path, &ending, err) && file_check_writable(path, err) && gnuplot_check(err);
}

// ---- texts ----

// The bytes of the noncharacter at `text`, U+FFFE or U+FFFF, which XML excludes; 0: another one.
static unsigned noncharacter(const char *text)
{
    return strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0 ? 3 : 0;
}

// A copy that is UTF-8 without control characters, to be freed; NULL: out of memory.
static char *clean_copy(const char *text)
{
    char *copy = strdup(text);
    if (!copy) return NULL;
    text_mask(copy, "");
    for (char *c = copy; *c; c++)
        if (noncharacter(c)) memset(c, '?', noncharacter(c));
    return copy;
}

// In single quotes nothing has a meaning to gnuplot. Quotes are strings of their own, as octal
// numbers: gnuplot takes doubled ones for the end of a string at its begin and beside others, and
// expands macros behind one in double quotes.
void plot_quoted(FILE *out, const char *text)
{
    char *copy = clean_copy(text);
    const char *rest = copy ? copy : "?";
    if (!*rest) fputs("''", out);
    while (*rest) {
        int length = (int)strcspn(rest, "'");
        if (length) {
            fprintf(out, "'%.*s'", length, rest);
        } else {
            fputc('"', out);
            for (; rest[length] == '\''; length++) fputs("\\047", out);
            fputc('"', out);
        }
        rest += length;
        if (*rest) fputc('.', out);
    }
    free(copy);
}

static void put_escaped(FILE *out, char c)
{
    switch (c) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    default: fputc(c, out);
    }
}

static void put_escaped_text(FILE *out, const char *text)
{
    char *copy = clean_copy(text);
    for (const char *c = copy ? copy : "?"; *c; c++) put_escaped(out, *c);
    free(copy);
}

// A word of a command line, in quotes if a shell needs them.
static void put_word(FILE *out, char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";
    if (*word && strspn(word, plain) == strlen(word)) {
        put_escaped_text(out, word);
        return;
    }
    char *copy = clean_copy(word);
    fputc('\'', out);
    for (const char *c = copy ? copy : "?"; *c; c++) {
        if (*c == '\'') fputs("'\\''", out);
        else put_escaped(out, *c);
    }
    fputc('\'', out);
    free(copy);
}

// The command line, as its user could give it again. It is read from the kernel, because
// getopt_long reorders argv.
static void put_command(FILE *out)
{
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
}

// ---- the files ----

// Copies an SVG without the titles of its parts. They are gnuplot's own names, which browsers show
// where the mouse rests.
static void copy_untitled(FILE *out, const char *from, const char *end)
{
    static const char begin[] = "<title>", close[] = "</title>";
    for (const char *title, *rest; (title = strstr(from, begin)); from = rest) {
        const char *closed = strstr(title, close);
        rest = closed ? closed + sizeof close - 1 : end;
        fwrite(from, 1, (size_t)(title - from), out);
    }
    fwrite(from, 1, (size_t)(end - from), out);
}

// Replaces *figure by a copy with the plot's title and description in place of gnuplot's own.
static bool describe_svg(const Plot *plot, char **figure, size_t *size, HdError *err)
{
    static const char end[] = "</desc>";
    const char *before = strstr(*figure, "<title>");
    const char *after = before ? strstr(before, end) : NULL;
    if (!after) return hd_fail(err, "gnuplot drew no SVG with a <title> and a <desc>");
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return hd_fail_memory(err, "drawing a figure");
    fwrite(*figure, 1, (size_t)(before - *figure), out);
    fputs("<title>", out);
    put_escaped_text(out, plot->title ? plot->title : "");
    fputs("</title>\n<desc>Drawn by heddle " HEDDLE_VERSION ": ", out);
    if (plot->description) {
        put_escaped_text(out, plot->description);
    } else {
        fputs("heddle", out);
        put_command(out);
    }
    copy_untitled(out, after, *figure + *size);
    if (fclose(out) != 0) {
        free(text);
        return hd_fail_memory(err, "drawing a figure");
    }
    free(*figure);
    *figure = text;
    *size = length;
    return true;
}

static void put_be32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i));
}

// Inserts a chunk that says how large the pixels are (pHYs), behind the first chunk, IHDR.
static bool size_png(char **figure, size_t *size, HdError *err)
{
    enum { SIGNATURE = 8, IHDR = 25, CHUNK = 21, BEFORE = SIGNATURE + IHDR };
    if (*size < BEFORE || memcmp(*figure, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0)
        return hd_fail(err, "gnuplot drew no PNG");
    unsigned char chunk[CHUNK] = {[3] = 9, [4] = 'p', 'H', 'Y', 's'};
    uint32_t per_metre = (uint32_t)(PRINT_DPI / 0.0254 + 0.5);
    put_be32(chunk + 8, per_metre);
    put_be32(chunk + 12, per_metre);
    chunk[16] = 1; // the unit is the metre
    put_be32(chunk + 17, (uint32_t)crc32(0, chunk + 4, 13));
    char *grown = hd_new(*size + CHUNK, 1);
    if (!grown) return hd_fail_memory(err, "drawing a figure");
    memcpy(grown, *figure, BEFORE);
    memcpy(grown + BEFORE, chunk, CHUNK);
    memcpy(grown + BEFORE + CHUNK, *figure + BEFORE, *size - BEFORE);
    free(*figure);
    *figure = grown;
    *size += CHUNK;
    return true;
}

// Sets the digits of the date to a fixed one, so that the same figure is the same file.
static bool undate_pdf(char *figure, size_t size, HdError *err)
{
    static const char fixed[] = "20000101000000", date[] = "/CreationDate (D:";
    if (size < 5 || memcmp(figure, "%PDF-", 5) != 0) return hd_fail(err, "gnuplot drew no PDF");
    char *digits = memmem(figure, size, date, sizeof date - 1);
    if (digits) digits += sizeof date - 1;
    for (size_t i = 0; digits && fixed[i] && text_is_digit(digits[i]); i++) digits[i] = fixed[i];
    return true;
}

static void put_terminal(FILE *out, const Plot *plot, Ending ending)
{
    double print = (double)PRINT_DPI / SCREEN_DPI;
    switch (ending) {
    case ENDING_SVG:
        fprintf(out, "set terminal svg size %u,%u noenhanced font 'sans-serif,%g'", plot->width,
                plot->height, plot->font);
        break;
    // Cairo's terminals take 4/3 pixels for a unit of the font, at 96 pixels per inch.
    case ENDING_PNG:
        fprintf(out, "set terminal pngcairo size %.0f,%.0f noenhanced font 'DejaVu Sans,%g' "
                     "fontscale %.6g linewidth %.6g pointscale %.6g",
                plot->width * print, plot->height * print, plot->font, print * 0.75, print, print);
        break;
    // Its unit of a line is half a point.
    case ENDING_PDF:
        fprintf(out, "set terminal pdfcairo size %.6gin,%.6gin noenhanced font 'DejaVu Sans,%g' "
                     "fontscale 0.5625 linewidth 1.5 pointscale 0.9",
                (double)plot->width / SCREEN_DPI, (double)plot->height / SCREEN_DPI, plot->font);
        break;
    case ENDINGS: break;
    }
    // The SVG terminal draws larger diamonds than the others.
    fprintf(out, " background 'white'\nset encoding utf8\ndiamond = %g\n",
            ending == ENDING_SVG ? 0.6 : 1.0);
}

static const char style[] =
    "set border 0 linecolor '" PLOT_MUTED "'\n"
    "set tics nomirror scale 0 textcolor '" PLOT_INK "'\n"
    "set style fill solid noborder\n"
    "set style line 1 linecolor '" PLOT_GRID "' linetype 1 linewidth 1\n"
    "unset key\n";

// The whole script, to be freed; NULL: out of memory.
static char *whole_script(const Plot *plot, Ending ending)
{
    char *script = NULL;
    size_t size;
    FILE *out = open_memstream(&script, &size);
    if (!out) return NULL;
    locale_t of_program = number_locale_begin();
    put_terminal(out, plot, ending);
    number_locale_end(of_program);
    fputs(style, out);
    fputs(plot->script, out);
    if (fclose(out) != 0) {
        free(script);
        return NULL;
    }
    // Cairo's terminals draw huge boxes for characters that no font has.
    if (ending != ENDING_SVG) text_keep_known(script);
    return script;
}

bool plot_draw(const Plot *plot, const char *path, HdError *err)
{
    Ending ending;
    if (!find_ending(path, &ending, err)) return false;
    char *script = whole_script(plot, ending);
    if (!script) return hd_fail_memory(err, "drawing a figure");
    size_t size;
    char *figure = gnuplot_run(script, &size, err);
    bool ok = figure;
    if (ok && ending == ENDING_SVG) ok = describe_svg(plot, &figure, &size, err);
    if (ok && ending == ENDING_PNG) ok = size_png(&figure, &size, err);
    if (ok && ending == ENDING_PDF) ok = undate_pdf(figure, size, err);
    ok = ok && file_write(path, figure, size, err);
    free(figure);
    free(script);
    return ok;
}
