// Rows that cannot be drawn, rows at the limits, and texts that look like commands.
#include "figure_rows.h"

#include <stdlib.h>
#include <string.h>

static void test_columns(void **state)
{
    (void)state;
    Figure bars = {0}, stacked = {.kind = FIGURE_STACKED}, ranges = {.kind = FIGURE_RANGES};
    assert_figure_fails(&bars, "x|values\na|1\n",
                        "bars: column 'values': expected x, value, series, panel, low, high, "
                        "published, note; did you mean 'value'?");
    assert_figure_fails(&bars, "x|series\na|b\n",
                        "bars: expected a column 'value' among x, series");
    assert_figure_fails(&bars, "value\n1\n", "bars: expected a column 'x' among value");
    assert_figure_fails(&bars, "x|value|stack\na|1|b\n",
                        "bars: column 'stack': expected x, value, series, panel, low, high, "
                        "published, note");
    assert_figure_fails(&stacked, "x|value|low\na|1|2\n",
                        "stacked: column 'low': expected x, value, series, stack, panel, "
                        "published, note");
    assert_figure_fails(&ranges, "x|value|low\na|1|2\n",
                        "ranges: expected a column 'high' among x, value, low");
    assert_figure_fails(&bars, "x|value|high\na|1|2\n",
                        "bars: expected a column 'low' among x, value, high");
    assert_figure_fails(&bars, "x|value|x\na|1|b\n", "bars: column 'x' is there twice");
}

static void test_cells(void **state)
{
    (void)state;
    Figure bars = {0}, lines = {.kind = FIGURE_LINES}, ranges = {.kind = FIGURE_RANGES};
    Figure stacked = {.kind = FIGURE_STACKED};
    assert_figure_fails(&bars, "x|value\n", "bars: no rows to draw");
    assert_figure_fails(&bars, "x|value\na|1\nb|fast\n",
                        "row 2: value 'fast': expected a number");
    assert_figure_fails(&bars, "x|value\n|1\n", "row 1: x is NULL: expected a text or a number");
    assert_figure_fails(&bars, "x|series|value\na||1\n",
                        "row 1: series is NULL: expected a text or a number");
    assert_figure_fails(&lines, "x|value\na|1\n", "row 1: x 'a': expected a number");
    assert_figure_fails(&lines, "x|value\n|1\n", "row 1: x: expected a number");
    assert_figure_fails(&bars, "x|value\na|1e200\n",
                        "row 1: value 1e+200: expected at most 1e+100");
    assert_figure_fails(&ranges, "x|low|value|high\na|2|1|3\n",
                        "row 1: low 2, value 1, high 3: expected an order from low to high");
    assert_figure_fails(&stacked, "x|value\na|-1\n",
                        "row 1: value -1: expected at least 0 in a stack");
    assert_figure_fails(&bars, "x|value\na|1\nb|2\na|3\n",
                        "rows 1 and 3 are both x 'a': expected one row for each bar");
    assert_figure_fails(&bars, "x|series|value\na|s|1\na|s|3\n",
                        "rows 1 and 2 are both x 'a', series 's': expected one row for each bar");
}

static void test_sizes(void **state)
{
    (void)state;
    static const char rows[] = "x|value\na|1\nb|2\n";
    assert_figure_fails(&(Figure){.width = 20}, rows,
                        "a figure of 20 mm: expected a width of 40 to 400 mm");
    assert_figure_fails(&(Figure){.height = 5}, rows,
                        "panels of 5 mm: expected a height of 10 to 400 mm");
    assert_figure_fails(&(Figure){.y_min = 3, .y_max = 2}, rows,
                        "a y axis from 3 to 2: expected the lower limit first");
    assert_figure_fails(&(Figure){.log_y = true, .y_min = -1}, rows,
                        "a logarithmic y axis from -1: expected a limit above 0");
    assert_figure_fails(&(Figure){.columns = 9},
                        "panel|x|value\n1|a|1\n2|a|1\n3|a|1\n4|a|1\n5|a|1\n6|a|1\n7|a|1\n8|a|1\n"
                        "9|a|1\n",
                        "9 panels side by side: expected fewer columns, or a wider figure");
}

// Many of one kind: `row` is printed with the numbers from 0.
static char *many(const char *names, const char *row, unsigned count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, "%s\n", names);
    for (unsigned i = 0; i < count; i++) {
        for (const char *c = row; *c; c++)
            if (*c == '#') fprintf(out, "%u", i);
            else fputc(*c, out);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

static void test_many(void **state)
{
    (void)state;
    char *rows = many("x|series|value", "a|s#|#", 64);
    assert_figure_fails(&(Figure){0}, rows, "bars: more than 24 different texts in column "
                                            "'series': expected at most 24");
    free(rows);
    rows = many("x|series|value", "a|s#|#", FIGURE_SERIES);
    free(script_of(&(Figure){.width = FIGURE_PAGE}, rows));
    free(rows);
    rows = many("x|value", "a#|#", 100);
    assert_figure_fails(&(Figure){0}, rows, "100 categories side by side: expected at most 30 in "
                                            "this width, or a wider figure");
    free(rows);
    rows = many("x|value", "a#|#", 600);
    assert_figure_fails(&(Figure){0}, rows, "bars: more than 512 different texts in column 'x': "
                                            "expected at most 512");
    free(rows);
    rows = many("x|value|note", "a#|#|note #", 14);
    assert_figure_fails(&(Figure){0}, rows, "note 'note 13': expected at most 13 different notes "
                                            "in a figure");
    free(rows);
    rows = many("x|value", "#|#", 10000);
    char *script = script_of(&(Figure){.kind = FIGURE_POINTS}, rows);
    assert_contains(script, "\n9999 9999\nEND\n");
    free(script);
    free(rows);
}

// Every kind draws one row, all-missing rows, and the greatest and least numbers.
static void test_extremes(void **state)
{
    (void)state;
    static const char *const values[] = {"1", "0", "", "-5", "1e100", "-1e100", "1e-300", "nan"};
    for (unsigned kind = 0; figure_kinds[kind]; kind++)
        for (unsigned i = 0; i < 8; i++)
            for (unsigned log = 0; log < 2; log++) {
                char rows[256];
                const char *value = values[i];
                if (kind == FIGURE_STACKED && *value == '-') continue;
                if (kind == FIGURE_RANGES)
                    snprintf(rows, sizeof rows, "x|low|value|high\n7|%s|%s|%s\n", value, value,
                             value);
                else
                    snprintf(rows, sizeof rows, "x|value\n7|%s\n", value);
                char *script = script_of(&(Figure){.kind = kind, .log_y = log}, rows);
                assert_contains(script, "\nplot NaN");
                assert_null(strstr(script, "inf"));
                assert_null(strstr(script, "[nan"));
                free(script);
            }
}

// A line of a script without its strings. Fails the test if the strings are not like those of
// plot_quoted: single quotes around anything, or double quotes around \\047.
static void strip_strings(const char *line, char *out)
{
    for (; *line && *line != '\n'; line++) {
        const char *end = line;
        if (*line == '\'') end = strchr(line + 1, '\'');
        else if (*line == '"') end = line + 1 + strspn(line + 1, "\\047");
        if (!end || (end != line && *end != *line)) fail_msg("no end of a string: %s", line);
        if (end == line) *out++ = *line;
        line = end;
    }
    *out = 0;
}

// Each text of a user is in strings of gnuplot's, in which nothing is a command.
static void test_hostile(void **state)
{
    (void)state;
    static const char hostile[] = "it's `touch a` $(touch b) \\ @x # %s {/Symbol a} \"q\" ''\"' ;"
                                  "!touch c";
    char rows[1024], plain[8192];
    snprintf(rows, sizeof rows, "panel|x|series|value|note\n%s|%s|%s|1|%s\nb|%s|%s||%s\n", hostile,
             hostile, hostile, hostile, hostile, hostile, hostile);
    char *script = script_of(&(Figure){.title = hostile, .x_label = "two\nset output 'd'\n",
                                       .y_label = "\xff\x1b[31m", .note = hostile,
                                       .width = 400}, rows);
    assert_contains(script, "\nset label 'it'.\"\\047\".'s `touch a` $(touch b) \\ @x # %s "
                            "{/Symbol a} \"q\" '.\"\\047\\047\".'\"'.\"\\047\".' ;!touch c' at ");
    assert_contains(script, "\nset label 'two?set output '.\"\\047\".'d'.\"\\047\".'?' at ");
    assert_contains(script, "\nset label '??[31m' at ");
    for (const char *line = script; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        strip_strings(line, plain);
        if (strpbrk(plain, "`@!\\\";'#")) fail_msg("outside of a string: %s", plain);
    }
    free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns), cmocka_unit_test(test_cells), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_many), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
