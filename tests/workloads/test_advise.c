// The choice of a search: the chart, thresholds learned from measurements worked out by hand, and
// wrong files of measurements.
#include "workloads/advise.h"

#include "support/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEADER "kind;graph;vertices;edges;diameter;topology;warp;data\n"

static AdviseTable *read_ok(const char *rows)
{
    char text[2048];
    HdError err = {0};
    assert_true(strlen(rows) + sizeof HEADER < sizeof text);
    strcpy(stpcpy(text, HEADER), rows);
    AdviseTable *table = advise_read(scratch_text("ok.csv", text), &err);
    if (!table) fail_msg("%s", err.text);
    return table;
}

static void test_chart(void **state)
{
    (void)state;
    AdviseRule rule = {.alpha = 10, .beta = 20,
                       .choice = {{ADVISE_TOPOLOGY, ADVISE_DATA}, {ADVISE_WARP, ADVISE_TOPOLOGY}}};
    assert_int_equal(advise_choose(&rule, 9.9, 19), ADVISE_TOPOLOGY); // sparse, short
    assert_int_equal(advise_choose(&rule, 2.1, 6389), ADVISE_DATA);   // sparse, long
    assert_int_equal(advise_choose(&rule, 56.4, 15), ADVISE_WARP);    // dense, short
    rule.choice[1][1] = ADVISE_DATA;
    assert_int_equal(advise_choose(&rule, 14.5, 1141), ADVISE_DATA);  // dense, long
    // A value equal to a threshold counts as above it.
    assert_int_equal(advise_choose(&rule, 10, 19), ADVISE_WARP);
    rule.choice[0][1] = ADVISE_TOPOLOGY;
    assert_int_equal(advise_choose(&rule, 9, 20), ADVISE_TOPOLOGY);
    rule.beta = INFINITY;
    rule.alpha = 0;
    assert_int_equal(advise_choose(&rule, 0, 1e9), ADVISE_WARP);
}

// Choices that the paper's text settles are not learned.
static void test_allowed(void **state)
{
    (void)state;
    static const bool expected[2][2][ADVISE_CHOICES] = {
        // topology, warp, data; short before long
        {{true, true, true}, {false, false, true}},  // sparse
        {{false, true, false}, {true, false, true}}, // dense
    };
    for (int i = 0; i < 4 * ADVISE_CHOICES; i++) {
        int dense = i / 6, is_long = i / 3 % 2, choice = i % 3;
        assert_int_equal(advise_allows(dense, is_long, (AdviseChoice)choice),
                         expected[dense][is_long][choice]);
    }
}

// Degrees 2, 4, 16, 9; diameters 100, 4, 5, 200. Only with alpha between 4 and 9 and beta between 5
// and 100 all four are right.
static const char four[] = "streets;a;10;20;100;200;400;100\n"
                           "streets;b;10;40;4;100;200;300\n"
                           "power-law;c;10;160;5;200;100;300\n"
                           "# between\n"
                           "\n"
                           "power-law;d;10;90;200;1.5;4e0;3\n";

static void test_fit(void **state)
{
    (void)state;
    AdviseRule rule;
    AdviseTable *table = read_ok(four);
    assert_int_equal(table->count, 4);
    assert_string_equal(table->rows[3].graph, "d");
    assert_int_equal(table->rows[2].best, ADVISE_WARP);
    assert_true(advise_fit(table, NULL, &rule, NULL));
    assert_true(fabs(rule.alpha - 6) < 1e-12); // the geometric mean of 4 and 9
    assert_true(fabs(rule.beta - sqrt(500)) < 1e-12);
    assert_int_equal(rule.choice[0][0], ADVISE_TOPOLOGY);
    assert_int_equal(rule.choice[0][1], ADVISE_DATA);
    assert_int_equal(rule.choice[1][0], ADVISE_WARP);
    assert_int_equal(rule.choice[1][1], ADVISE_TOPOLOGY);
    AdviseScore score = advise_score(table, &rule, NULL);
    assert_int_equal(score.graphs, 4);
    assert_int_equal(score.hits, 4);
    assert_int_equal(score.loss, 0);
    // Always the same: topology loses a factor of 2 on a and on c.
    score = advise_always(table, ADVISE_TOPOLOGY);
    assert_int_equal(score.hits, 2);
    assert_true(fabs(advise_slowdown(&score) - sqrt(2)) < 1e-8);
    score = advise_score_corner(table, &rule, true, false);
    assert_int_equal(score.graphs, 1);
    advise_free(table);
}

// Two misses by 1 % are better than one by a factor of 10.
static void test_loss(void **state)
{
    (void)state;
    AdviseRule rule;
    AdviseTable *table = read_ok("k;a;10;40;5;100;101;1000\nk;b;10;40;5;100;101;1000\n"
                                 "l;c;10;40;5;1000;100;1000\n");
    assert_true(advise_fit(table, NULL, &rule, NULL));
    assert_int_equal(advise_choose(&rule, 4, 5), ADVISE_WARP);
    AdviseScore score = advise_score(table, &rule, NULL);
    assert_int_equal(score.hits, 1);
    assert_true(fabs(advise_slowdown(&score) - cbrt(1.01 * 1.01)) < 1e-8);
    advise_free(table);
    // What loses less than a billionth loses nothing, but is a miss.
    table = read_ok("k;a;10;40;5;1000000000001;1000000000000;3000000000000\n");
    assert_true(advise_fit(table, NULL, &rule, NULL));
    assert_int_equal(advise_choose(&rule, 4, 5), ADVISE_WARP);
    assert_int_equal(advise_always(table, ADVISE_TOPOLOGY).loss, 0);
    assert_int_equal(advise_always(table, ADVISE_TOPOLOGY).hits, 0);
    advise_free(table);
}

// Degrees of 4 and 4.02 are too near to be distinguished, 4 and 4.08 are not. (Sparse and short may
// be anything, dense and short is warp.)
static void test_step(void **state)
{
    (void)state;
    AdviseRule rule;
    AdviseTable *table = read_ok("k;a;100;400;5;1;2;2\nk;b;100;402;5;2;1;2\n");
    assert_true(advise_fit(table, NULL, &rule, NULL));
    assert_int_equal(advise_score(table, &rule, NULL).hits, 1);
    advise_free(table);
    table = read_ok("k;a;100;400;5;1;2;2\nk;b;100;408;5;2;1;2\n");
    assert_true(advise_fit(table, NULL, &rule, NULL));
    assert_int_equal(advise_score(table, &rule, NULL).hits, 2);
    assert_true(fabs(rule.alpha - sqrt(4 * 4.08)) < 1e-12);
    advise_free(table);
}

// Without the streets: all is dense and beta between 5 and 200, since nothing teaches better, and
// that misses both streets by a factor of 2. Without the power laws: all is long and alpha between
// 2 and 4, which gets d right and misses c by a factor of 2.
static void test_left_out(void **state)
{
    (void)state;
    AdviseRule rule;
    AdviseScore score;
    AdviseTable *table = read_ok(four);
    assert_true(advise_opens_kind(table, 0));
    assert_false(advise_opens_kind(table, 1));
    assert_true(advise_opens_kind(table, 2));
    assert_true(advise_fit(table, "streets", &rule, NULL));
    assert_true(rule.alpha == 0 && fabs(rule.beta - sqrt(1000)) < 1e-12);
    assert_true(advise_fit(table, "power-law", &rule, NULL));
    assert_true(fabs(rule.alpha - sqrt(8)) < 1e-12 && rule.beta == 0);
    assert_true(advise_cross_validate(table, &score, NULL));
    assert_int_equal(score.graphs, 4);
    assert_int_equal(score.hits, 1);
    assert_true(fabs(advise_slowdown(&score) - pow(8, .25)) < 1e-8);
    advise_free(table);

    HdError err = {0};
    table = read_ok("k;a;1;1;1;1;2;3\nk;b;1;2;1;1;2;3\n");
    assert_false(advise_cross_validate(table, &score, &err));
    assert_string_equal(err.text, "all measured graphs are of the kind 'k': a kind at a time is "
                                  "left out, so there have to be two");
    advise_free(table);
}

// Refused with this message behind the path; "@" at its start stands for the header.
static void refused(const char *text, const char *message)
{
    char whole[512], expected[512];
    HdError err = {0};
    snprintf(whole, sizeof whole, "%s%s", *text == '@' ? HEADER : "", text + (*text == '@'));
    const char *path = scratch_text("bad.csv", whole);
    snprintf(expected, sizeof expected, "%s:%s", path, message);
    assert_null(advise_read(path, &err));
    assert_string_equal(err.text, expected);
}

static void test_wrong_files(void **state)
{
    (void)state;
    const char *heads = "1: the first line that is no comment has to be "
                        "'kind;graph;vertices;edges;diameter;topology;warp;data'";
    refused("kind;graph\n", heads);
    refused("kind;graph;vertices;edges;diameter;topology;warp;data;more\n", heads);
    refused("@", " no measurements: no line behind "
                 "'kind;graph;vertices;edges;diameter;topology;warp;data'");
    refused("@k;g;10;20;5;1;2;3\nk;h;10;20;5;1;2\n",
            "3:16: the line ends where the time of data (a number above 0) is needed");
    refused("@k;g;10;20;5;1;0;3\n", "2:15: '0' is not the time of warp (a number above 0)");
    refused("@k;g;10;20;5;-1;2;3\n", "2:13: '-1' is not the time of topology (a number above 0)");
    refused("@k;g;10;20;5;inf;2;3\n",
            "2:13: 'inf' is not the time of topology (a number above 0)");
    refused("@k;g;0;20;5;1;2;3\n", "2:5: '0' is not the number of vertices (from 1)");
    refused("@k;g;10;x;5;1;2;3\n", "2:8: 'x' is not the number of edges (from 1)");
    refused("@k;g;10;20;0;1;2;3\n", "2:11: '0' is not the diameter (from 1)");
    refused("@k;g;10;20;5;1;2;3;4\n", "2:18: ';4' is one field too many: a line is "
            "\"kind;graph;vertices;edges;diameter;topology;warp;data\"");
    refused("@;g;10;20;5;1;2;3\n", "2:1: ';g' is not the kind of graph");
    refused("@k;;10;20;5;1;2;3\n", "2:3: ';10' is not the graph");
    refused("@24-letters-are-too-many-;g;10;20;5;1;2;3\n",
            "2:1: the kind of graph has more than 23 letters");
    refused("@k;g;10;20;5;1;2;3\nk;g;11;20;5;1;2;3\n", "3:3: g has been measured above already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chart),    cmocka_unit_test(test_allowed),
        cmocka_unit_test(test_fit),      cmocka_unit_test(test_loss),
        cmocka_unit_test(test_step),     cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_wrong_files),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
