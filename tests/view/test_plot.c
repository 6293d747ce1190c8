// Files of figures: what gnuplot, if installed, makes of each kind, and what is said if it fails.
#include "base/file.h"
#include "figure_rows.h"
#include "view/plot.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NO_GNUPLOT "gnuplot draws the figures, and is not installed; install the Debian package " \
                   "gnuplot-nox"

static void need_gnuplot(void)
{
    if (system("command -v gnuplot >/dev/null") == 0) return;
    print_message("left out: gnuplot is not installed\n");
    skip();
}

static char *read_file(const char *path, size_t *size)
{
    HdError err = {0};
    char *bytes = file_read(path, size, &err);
    if (!bytes) fail_msg("%s", err.text);
    return bytes;
}

// Draws a figure of these rows, and returns the file, to be freed.
static char *draw(const Figure *figure, const char *text, const char *name, size_t *size)
{
    HdError err = {0};
    Rows rows = rows_of(text);
    if (!figure_draw(figure, &rows, scratch_path(name), &err)) fail_msg("%s", err.text);
    rows_free(&rows);
    return read_file(scratch_path(name), size);
}

static void collect(void *text, const XML_Char *part, int length)
{
    strncat(text, part, (size_t)length);
}

// Expects XML, and appends the character data to `text` if it is not NULL.
static void parse_svg(const char *svg, size_t size, char *text)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, text);
    if (text) XML_SetCharacterDataHandler(parser, collect);
    if (!XML_Parse(parser, svg, (int)size, true))
        fail_msg("line %lu: %s", XML_GetCurrentLineNumber(parser),
                 XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
}

static const char rows_of_kind[][160] = {
    [FIGURE_BARS] = "x|series|value|published|note\na|s|1|1.5|n\na|t|2||\nb|s|||not run\n",
    [FIGURE_STACKED] = "panel|x|stack|series|value\np|a|1|s|1\np|a|1|t|2\nq|b|2|s|3\n",
    [FIGURE_RANGES] = "x|series|low|value|high\na|s|1|2|3\na|t|2|2|2\nb|s|||\n",
    [FIGURE_LINES] = "x|series|value\n1|s|1\n2|s|2\n3|s|\n4|s|4\n1|t|2\n",
    [FIGURE_POINTS] = "x|value\n1|100\n10|10\n100|1\n",
};

// The same figure twice is the same file, of its kind.
static void test_files(void **state)
{
    (void)state;
    need_gnuplot();
    for (unsigned kind = 0; figure_kinds[kind]; kind++) {
        size_t size, again;
        Figure figure = {.title = "a figure", .kind = kind, .description = "for a test",
                         .log_x = kind == FIGURE_POINTS, .log_y = kind == FIGURE_POINTS,
                         .draw_line = true, .line = 1};
        char *svg = draw(&figure, rows_of_kind[kind], "one.svg", &size);
        char *other = draw(&figure, rows_of_kind[kind], "two.SVG", &again);
        parse_svg(svg, size, NULL);
        assert_true(size == again && memcmp(svg, other, size) == 0);
        assert_contains(svg, "<title>a figure</title>\n<desc>Drawn by heddle " HEDDLE_VERSION
                             ": for a test</desc>");
        assert_contains(svg, " width=\"317\" ");
        assert_null(strstr(strstr(svg, "</title>") + 1, "<title>")); // no names of gnuplot's
        free(svg);
        free(other);
        char *png = draw(&figure, rows_of_kind[kind], "one.png", &size);
        assert_memory_equal(png, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\xdf", 20); // 991 pixels
        // 11811 pixels in a metre; other tools give the same check sum
        assert_memory_equal(png + 33, "\0\0\0\tpHYs\0\0\x2e\x23\0\0\x2e\x23\x01"
                                      "\x78\xa5\x3f\x76", 21);
        assert_memory_equal(png + size - 8, "IEND\xae\x42\x60\x82", 8);
        free(png);
        char *pdf = draw(&figure, rows_of_kind[kind], "one.pdf", &size);
        assert_memory_equal(pdf, "%PDF-1.", 7);
        assert_memory_equal(pdf + size - 6, "%%EOF\n", 6);
        assert_non_null(memmem(pdf, size, "/CreationDate (D:20000101000000", 31));
        free(pdf);
    }
}

// Runs the gnuplot of PATH on a script; its messages are to be freed.
static char *messages_of(const char *script)
{
    char command[1024];
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, "set terminal svg noenhanced\ndiamond = 1\n%s", script);
    fclose(out);
    scratch_text("script", text);
    free(text);
    snprintf(command, sizeof command, "cd '%s' && gnuplot -d script >figure 2>messages",
             scratch_folder());
    assert_int_equal(system(command), 0);
    return read_file(scratch_path("messages"), &size);
}

// gnuplot has nothing to say about any kind of figure, from the least to the greatest numbers.
static void test_messages(void **state)
{
    (void)state;
    need_gnuplot();
    static const char *const values[] = {"1", "0", "", "-5", "1e100", "-1e100", "1e-300"};
    for (unsigned kind = 0; figure_kinds[kind]; kind++)
        for (unsigned i = 0; i < 14; i++) {
            char rows[256], low[16] = "";
            const char *value = values[i / 2];
            if (kind == FIGURE_STACKED && *value == '-') continue;
            if (kind == FIGURE_RANGES) snprintf(low, sizeof low, "|%s", value);
            snprintf(rows, sizeof rows, "x%s|value\n7%s|%s\n8%s|%s\n", *low ? "|low|high" : "",
                     "", value, "", value);
            if (kind == FIGURE_RANGES)
                snprintf(rows, sizeof rows, "x|low|value|high\n7|%s|%s|%s\n8|%s|%s|%s\n", value,
                         value, value, value, value, value);
            char *script = script_of(&(Figure){.kind = kind, .log_y = i % 2, .draw_line = true,
                                               .line = 2}, rows);
            char *messages = messages_of(script);
            if (*messages) fail_msg("%s of %s: %s", figure_kinds[kind], value, messages);
            free(messages);
            free(script);
        }
}

// Names are shown as they are, and do nothing.
static void test_hostile(void **state)
{
    (void)state;
    need_gnuplot();
    static const char name[] = "it's'' `touch a` $(touch b) \\ @x %s {/Symbol a} \"q\" <b>&amp;";
    char rows[1024], folder[4096], text[65536] = "";
    size_t size;
    snprintf(rows, sizeof rows, "x|series|value|note\n%s|%s|1|%s\nb\r|\x1b[1m\xff\xef\xbf\xbf|2|\n",
             name, name, name);
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(mkdir(scratch_path("empty"), 0700), 0);
    assert_int_equal(chdir(scratch_path("empty")), 0);
    char *svg = draw(&(Figure){.title = name, .x_label = "a\n!touch c\n", .width = 400,
                               .note = "'\nset output '''d'\n"}, rows, "hostile.svg", &size);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(rmdir(scratch_path("empty")), 0); // nothing is in there
    parse_svg(svg, size, text);
    unsigned count = 0;
    for (const char *c = text; (c = strstr(c, name)); c++) count++;
    assert_true(count >= 3); // the title, in <title> too, and the series
    assert_contains(text, "?[1m????");
    assert_contains(text, "a?!touch c?");
    assert_contains(text, "'?set output '''d'?");
    free(svg);
}

// Random texts of characters that mean something to gnuplot are printed by it as they are.
static void test_random_texts(void **state)
{
    (void)state;
    need_gnuplot();
    enum { TEXTS = 3000, LONGEST = 8 };
    static const char letters[] = "'''\"`\\a7 #$@%{}!;&";
    char command[1024], *script = NULL, *expected = NULL, *printed;
    size_t size;
    uint32_t random = 1;
    FILE *out = open_memstream(&script, &size), *text = open_memstream(&expected, &size);
    assert_true(out && text);
    fprintf(out, "set print '%s'\n", scratch_path("printed"));
    for (unsigned i = 0; i < TEXTS; i++) {
        char word[LONGEST + 1] = "";
        for (unsigned k = 0; k < i % LONGEST + 1; k++) {
            random = random * 1664525 + 1013904223;
            word[k] = letters[(random >> 16) % (sizeof letters - 1)];
        }
        fputs("print ", out);
        plot_quoted(out, word);
        fputc('\n', out);
        fprintf(text, "%s\n", word);
    }
    fclose(out);
    fclose(text);
    snprintf(command, sizeof command, "gnuplot -d '%s'", scratch_text("script", script));
    assert_int_equal(system(command), 0);
    printed = read_file(scratch_path("printed"), &size);
    assert_string_equal(printed, expected);
    free(script);
    free(expected);
    free(printed);
}

static void assert_refused(const char *path, const char *message)
{
    HdError err = {0};
    assert_false(plot_check(path, &err));
    assert_string_equal(err.text, message);
}

static void test_endings(void **state)
{
    (void)state;
    HdError err = {0};
    assert_refused("figure.gif",
                   "figure.gif: expected a name of a figure that ends in .svg, .png or .pdf");
    assert_refused("svg", "svg: expected a name of a figure that ends in .svg, .png or .pdf");
    assert_refused(".svg", ".svg: expected a name of a figure that ends in .svg, .png or .pdf");
    assert_false(plot_draw(&(Plot){.script = "", .width = 10, .height = 10, .font = 10}, "a.eps",
                           &err));
    assert_string_equal(err.text,
                        "a.eps: expected a name of a figure that ends in .svg, .png or .pdf");
    assert_false(plot_check("/nonexistent/a.svg", &err));
    assert_contains(err.text, "/nonexistent/a.svg");
}

// Draws with a gnuplot that is this shell script, or with none, and expects a failure.
static void assert_fails(const char *gnuplot, const char *name, const char *message)
{
    char *path = strdup(getenv("PATH"));
    HdError err = {0};
    if (gnuplot) assert_int_equal(chmod(scratch_text("gnuplot", gnuplot), 0700), 0);
    else unlink(scratch_path("gnuplot"));
    setenv("PATH", scratch_folder(), 1);
    const char *kept = scratch_text(name, "as it was");
    bool drawn = plot_draw(&(Plot){.script = "plot x\n", .width = 10, .height = 10, .font = 10},
                           kept, &err);
    setenv("PATH", path, 1);
    free(path);
    assert_false(drawn);
    assert_string_equal(err.text, message);
    scratch_holds(kept, "as it was");
}

static void test_failures(void **state)
{
    (void)state;
    assert_fails(NULL, "a.svg", NO_GNUPLOT);
    assert_fails("#!/bin/sh\nexit 3\n", "a.svg", "gnuplot drew nothing (status 3)");
    assert_fails("#!/bin/sh\nprintf 'plot x\\n      ^\\n line 9: invalid\\n\\n' >&2; exit 1\n",
                 "a.svg", "gnuplot drew nothing (status 1): line 9: invalid");
    assert_fails("#!/bin/sh\nexit 0\n", "a.png", "gnuplot drew nothing (status 0)");
    assert_fails("#!/bin/sh\nkill -9 $$\n", "a.pdf", "gnuplot drew nothing (signal 9)");
    assert_fails("#!/bin/sh\necho figure\n", "a.svg",
                 "gnuplot drew no SVG with a <title> and a <desc>");
    assert_fails("#!/bin/sh\necho figure\n", "a.png", "gnuplot drew no PNG");
    assert_fails("#!/bin/sh\necho figure\n", "a.pdf", "gnuplot drew no PDF");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_endings), cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
