// What a figure's script draws: positions worked out by hand, gaps, marks and texts.
#include "figure_rows.h"
#include "view/figure_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part)) fail_msg("'%s' is in:\n%s", part, text);
}

// The place of the label with this text, of the whole screen; fails the test if there is none.
static void find_label(const char *script, const char *text, double *x, double *y)
{
    char begin[256];
    snprintf(begin, sizeof begin, "\nset label '%s' at screen ", text);
    const char *label = strstr(script, begin);
    if (!label) fail_msg("no label '%s' in:\n%s", text, script);
    assert_int_equal(sscanf(label + strlen(begin), "%lf, screen %lf", x, y), 2);
}

static const char two_series[] = "x|series|value\n"
                                 "bfs|none|2\n"
                                 "bfs|obm|3\n"
                                 "cc|none|1\n"
                                 "cc|obm|4\n";

// Two bars of 0.4 in a category; each block is a series, in both categories.
static void test_bars(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){.title = "IPC", .y_label = "per cycle"}, two_series);
    assert_contains(script, "\n$d0 << END\n"
                            "-0.2 2 -0.4 0 0 2\n"
                            "0.8 1 0.6 1 0 1\n"
                            "END\n");
    assert_contains(script, "\n$d2 << END\n"
                            "0.2 3 0 0.4 0 3\n"
                            "1.2 4 1 1.4 0 4\n"
                            "END\n");
    assert_contains(script, "\nset xrange [-0.5:1.5]\nset yrange [0:4]\n");
    for (unsigned i = 0; i < 7; i++) {
        double x, y;
        find_label(script, ((const char *const[]){"IPC", "per cycle", "none", "obm", "bfs", "cc",
                                                  "4"})[i], &x, &y);
        assert_true(x > 0 && x < 1 && y > 0 && y < 1);
    }
    assert_lacks(script, "published");
    free(script);
}

// The text below a category is in its middle: a quarter and three quarters of the data area.
static void test_places(void **state)
{
    (void)state;
    double left, right, bfs, cc, top, x, y;
    char *script = script_of(&(Figure){0}, two_series);
    const char *margins = strstr(script, "set lmargin at screen ");
    assert_non_null(margins);
    assert_int_equal(sscanf(margins, "set lmargin at screen %lf\nset rmargin at screen %lf\n"
                                     "set tmargin at screen %lf\nset bmargin at screen %lf\n",
                            &left, &right, &top, &y), 4);
    find_label(script, "bfs", &bfs, &x);
    find_label(script, "cc", &cc, &x);
    assert_true(fabs(bfs - (left + (right - left) / 4)) < 1e-5);
    assert_true(fabs(cc - (left + (right - left) * 3 / 4)) < 1e-5);
    find_label(script, "none", &x, &y);
    assert_true(y > top); // the legend is outside of the data
    find_label(script, "4", &x, &y);
    assert_true(x < left && fabs(y - top) < 1e-5);
    free(script);
}

// A missing value has no bar. The reason stands in the gap if there is room.
static void test_missing(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){0}, "x|series|value|note\n"
                                           "bfs|none|2|\n"
                                           "bfs|obm||not run\n"
                                           "cc|none|nan|\n"
                                           "cc|obm|inf|\n"
                                           "mst|none|1|\n");
    assert_contains(script, "\n$d0 << END\n"
                            "-0.2 2 -0.4 0 0 2\n"
                            "1.8 1 1.6 2 0 1\n"
                            "END\n");
    assert_contains(script, "\n$d2 << END\nEND\n");
    assert_contains(script, "\nset label 'not run' at ");
    const char *none = strstr(script, "\nset label 'no data' at ");
    assert_non_null(none); // cc: both bars together
    assert_non_null(none = strstr(none + 1, "\nset label 'no data' at ")); // mst: obm has no row
    assert_null(strstr(none + strlen("\nset label"), "\nset label 'no data' at "));
    free(script);
}

// Without room a sign is in the gap, and below the figure what the sign means.
static void test_signs(void **state)
{
    (void)state;
    char rows[4096] = "x|series|value|note\n";
    for (unsigned i = 0; i < 20; i++)
        for (unsigned k = 0; k < 3; k++) {
            const char *value = i == 4 && k == 1 ? "|not run" : i == 7 && k == 0 ? "2|one input"
                                : i == 9 && k == 0 ? "3|one input" : "1|";
            snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "k%u|s%u|%s\n", i, k, value);
        }
    double x, y, low;
    char *script = script_of(&(Figure){.width = FIGURE_PAGE}, rows);
    assert_contains(script, "\nset label '* not run;  \u2020 one input' at ");
    find_label(script, "*", &x, &low);
    find_label(script, "\u2020", &x, &y);
    assert_true(y > low); // above the bar of 2, and not at the base
    assert_lacks(script, "'not run'");
    free(script);
    for (char *note = rows; (note = strstr(note, "one input")); note++) note[0] = 'O';
    script = script_of(&(Figure){.width = FIGURE_PAGE, .note = "Of a GTX 480."}, rows);
    assert_contains(script, "\nset label '* not run;  \u2020 One input' at ");
    assert_contains(script, "\nset label 'Of a GTX 480.' at ");
    free(script);
}

// Parts are in the order of their series, whatever the order of the rows.
static void test_stacked(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){.kind = FIGURE_STACKED}, "x|series|value\n"
                                                                "a|hits|30\n"
                                                                "a|misses|50\n"
                                                                "b|misses|20\n"
                                                                "b|hits|10\n"
                                                                "c|misses|5\n");
    assert_contains(script, "\n$d0 << END\n0 30 -0.3 0.3 0 30\n1 10 0.7 1.3 0 10\nEND\n");
    assert_contains(script, "\n$d1 << END\n"
                            "0 80 -0.3 0.3 30 80\n"
                            "1 30 0.7 1.3 10 30\n"
                            "2 5 1.7 2.3 0 5\n"
                            "END\n");
    assert_contains(script, "\nset yrange [0:80]\n");
    assert_lacks(script, "no data"); // c lacks a part, which it has no row for
    free(script);
}

static void test_stacks(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){.kind = FIGURE_STACKED}, "x|stack|series|value\n"
                                                                "a|L1|hits|1\n"
                                                                "a|L1|misses|2\n"
                                                                "a|L2|hits|4\n"
                                                                "a|L2|misses|\n"
                                                                "b|L1|hits|1\n");
    assert_contains(script, "\n$d0 << END\n"
                            "-0.2 1 -0.4 0 0 1\n"
                            "0.2 4 0 0.4 0 4\n"
                            "0.8 1 0.6 1 0 1\n"
                            "END\n");
    assert_contains(script, "\n$d1 << END\n-0.2 3 -0.4 0 1 3\nEND\n");
    assert_contains(script, "\nset label 'L1' at ");
    assert_contains(script, "\nset label 'L2' at ");
    assert_contains(script, "\nset label '* part without data' at "); // a, L2
    assert_contains(script, "\nset label 'no data' at ");             // b, L2
    free(script);
}

// From low on, by so much to high; the mark is in the last column.
static void test_ranges(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){.kind = FIGURE_RANGES, .draw_line = true, .line = 1},
                             "x|low|value|high\n"
                             "a|0.75|1|2\n"
                             "b|||\n");
    assert_contains(script, "\n$d0 << END\n0 0.75 1.25 1\nEND\n");
    assert_contains(script, "\nset label 'no data' at ");
    assert_contains(script, "\nset arrow from graph 0, first 1 to graph 1, first 1 nohead ");
    free(script);
    script = script_of(&(Figure){.kind = FIGURE_BARS}, "x|low|value|high\na|1|2|4\n");
    assert_contains(script, "\n$d0 << END\n0 2 -0.3 0.3 0 2\nEND\n$d1 << END\n0 1 3 2\nEND\n");
    free(script);
}

static void test_lines(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){.kind = FIGURE_LINES}, "x|value|note\n"
                                                              "3|30|\n"
                                                              "1|10|\n"
                                                              "2||cut\n"
                                                              "4|40|\n");
    // A value between gaps is no line, and has a mark of its own.
    assert_contains(script, "\n$d0 << END\n1 10\n\n3 30\n4 40\nEND\n"
                            "$d1 << END\n1 10\nEND\n");
    assert_contains(script, ", $d1 using 1:2 with points ");
    assert_contains(script, "\nset label '1 value is missing (cut)' at ");
    assert_contains(script, "\nset xrange [1:4]\nset yrange [0:40]\n");
    free(script);
}

static void test_points(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){.kind = FIGURE_POINTS, .log_x = true, .log_y = true},
                             "x|value\n0|500\n1|100\n10|1\n100|0\n");
    assert_contains(script, "\n$d0 << END\n\n1 100\n10 1\n\nEND\n");
    assert_contains(script, "\nset logscale xy\n");
    assert_contains(script, "\nset label '2 values at or below 0 cannot be on a logarithmic axis' "
                            "at ");
    free(script);
}

static void test_published(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){0}, "x|series|value|published\n"
                                           "a|none|1|\n"
                                           "a|obm||2.5\n"
                                           "b|none|1|0.5\n");
    assert_contains(script, "\n$d4 << END\n0.2 2.5\n0.8 0.5\nEND\n");
    assert_contains(script, ", $d4 using 1:2 with points pointtype 12 ");
    assert_contains(script, "\nset label 'published' at ");
    assert_contains(script, "\nset yrange [0:2.5]\n");
    free(script);
}

// A bar that is longer than the axis ends there, and its value is written.
static void test_cut(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){.y_max = 2}, "x|value|published\na|1|3\nb|12.25|\n");
    assert_contains(script, "\n0 1 -0.3 0.3 0 1\n1 2 0.7 1.3 0 2\nEND\n");
    assert_contains(script, "\nset label '12.2' at ");
    assert_contains(script, "\nset label '\u25c73' at ");
    assert_contains(script, "\nset yrange [0:2]\n");
    free(script);
    // A sum of shares is no longer than the axis by a rounding.
    script = script_of(&(Figure){.kind = FIGURE_STACKED, .y_max = 100},
                       "x|series|value\na|s|33.3\na|t|66.70000000001\n");
    assert_lacks(script, "rotate by 90");
    free(script);
}

static const char panels[] = "panel|x|value\n"
                             "first|a|1\n"
                             "second|a|20\n"
                             "third|a|3\n"
                             "third|b|4\n";

static void test_panels(void **state)
{
    (void)state;
    double first_x, second_x, third_x, first_y, second_y, third_y;
    char *script = script_of(&(Figure){.columns = 2, .y_label = "IPC"}, panels);
    find_label(script, "first", &first_x, &first_y);
    find_label(script, "second", &second_x, &second_y);
    find_label(script, "third", &third_x, &third_y);
    assert_true(first_x < second_x && first_y == second_y);
    assert_true(third_x == first_x && third_y < first_y);
    unsigned count = 0;
    for (const char *c = script; (c = strstr(c, "\nset yrange [0:20]\n")); c++) count++;
    assert_int_equal(count, 3);
    free(script);
    script = script_of(&(Figure){.columns = 2, .own_limits = true}, panels);
    assert_contains(script, "\nset yrange [0:1]\n");
    assert_contains(script, "\nset yrange [0:4]\n");
    free(script);
}

static void test_negative(void **state)
{
    (void)state;
    char *script = script_of(&(Figure){0}, "x|value\na|-3\nb|5\n");
    assert_contains(script, "\n$d0 << END\n0 -3 -0.3 0.3 0 -3\n1 5 0.7 1.3 0 5\nEND\n");
    assert_contains(script, "\nset arrow from graph 0, first 0 to ");
    free(script);
    // On a logarithmic axis bars begin at its lower end, and zero has none.
    script = script_of(&(Figure){.log_y = true}, "x|value\na|10\nb|0\nc|100\n");
    assert_contains(script, "\n$d0 << END\n0 10 -0.3 0.3 1 10\n2 100 1.7 2.3 1 100\nEND\n");
    assert_contains(script, "\nset label 'not above 0' at ");
    free(script);
}

// Names beside each other if there is room, then slanted, then upright.
static void test_names(void **state)
{
    (void)state;
    static const struct {
        unsigned count, turn;
    } cases[] = {{4, 0}, {16, 45}, {24, 90}};
    for (unsigned i = 0; i < 3; i++) {
        char rows[2048] = "x|value\n", turn[64];
        for (unsigned k = 0; k < cases[i].count; k++)
            snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "kernel%02u|1\n", k);
        char *script = script_of(&(Figure){0}, rows);
        const char *label = strstr(script, "\nset label 'kernel03' at ");
        assert_non_null(label);
        snprintf(turn, sizeof turn, "rotate by %u ", cases[i].turn);
        const char *end = strchr(label + 1, '\n'), *found = strstr(label, turn);
        assert_true(found && found < end);
        free(script);
    }
}

// No two series look the same.
static void test_series(void **state)
{
    (void)state;
    for (size_t i = 0; i < FIGURE_SERIES; i++)
        for (size_t k = 0; k < i; k++) {
            SeriesLook a = figure_series_look(FIGURE_BARS, i);
            SeriesLook b = figure_series_look(FIGURE_BARS, k);
            assert_false(strcmp(a.colour, b.colour) == 0 && a.pattern == b.pattern);
            a = figure_series_look(FIGURE_LINES, i);
            b = figure_series_look(FIGURE_LINES, k);
            assert_false(strcmp(a.colour, b.colour) == 0 && a.dash == b.dash);
            a = figure_series_look(FIGURE_POINTS, i);
            b = figure_series_look(FIGURE_POINTS, k);
            assert_false(strcmp(a.colour, b.colour) == 0 && a.point == b.point);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars), cmocka_unit_test(test_places), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_signs), cmocka_unit_test(test_stacked), cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_lines), cmocka_unit_test(test_points),
        cmocka_unit_test(test_published), cmocka_unit_test(test_cut), cmocka_unit_test(test_panels),
        cmocka_unit_test(test_negative), cmocka_unit_test(test_names),
        cmocka_unit_test(test_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
