// Tests of `heddle advise`: its text, its JSON, and its errors.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Degrees 2, 4, 16, 9; diameters 100, 4, 5, 200. Alpha is 6, the geometric mean of 4 and 9; beta is
// 22.4, that of 5 and 100 (derived in tests/workloads/test_advise.c).
static void write_four(const char *name)
{
    write_text(name, "kind;graph;vertices;edges;diameter;topology;warp;data\n"
                     "streets;a;10;20;100;200;400;100\n"
                     "streets;b;10;40;4;100;200;300\n"
                     "power-law;c;10;160;5;200;100;300\n"
                     "power-law;d;10;90;200;1.5;4;3\n");
}

static void assert_says(const Command *command, const char *part)
{
    if (command->status != 0 || !strstr(command->out, part))
        fail_msg("'%s' is not in (status %d):\n%s%s", part, command->status, command->out,
                 command->err);
}

// A path of 30 vertices has a mean degree of 58/30 and a diameter of 29; a clique of 8: 7 and 1.
static void test_text(void **state)
{
    (void)state;
    write_four("four.csv");
    const Command *c = heddle("advise --graph grid:30x1 --measured $T/four.csv");
    assert_says(c, "out-degree       1.93 mean: below alpha, sparse\n");
    assert_says(c, "diameter         at least 29 (double sweep: from 29 to 0): from beta, long\n");
    assert_says(c, "advice           data\n");
    assert_says(c, "best on 1 of the 1 measured graphs in this corner\n");
    assert_says(c, "alpha = 6, beta = 22.4\n");
    assert_says(c, "mean degree < alpha    topology           data\n");
    assert_says(c, "mean degree >= alpha   warp               topology\n");
    assert_says(c, "in the fit       best on 4 of 4 (100 %), 1.00 times");
    assert_says(c, "left out         best on 1 of 4 (25 %), 1.68 times");
    assert_says(c, "always topology  best on 2 of 4 (50 %), 1.41 times");
    assert_says(heddle("advise --graph er:8,28 --measured $T/four.csv"), "advice           warp\n");
    assert_says(heddle("advise --graph grid:5x2 --measured $T/four.csv"),
                "advice           topology\n");
    assert_says(heddle("advise --help"), "--measured FILE");
}

static void test_json(void **state)
{
    (void)state;
    write_four("four.csv");
    const Command *c = heddle("advise --graph mesh:40x3x3,stencil=26 --json --relabel degree "
                              "--measured $T/four.csv");
    assert_int_equal(c->status, 0);
    json_error_t error;
    json_t *root = json_loads(c->out, 0, &error);
    if (!root) fail_msg("%s", error.text);
    const char *advice, *changes, *dense_long;
    double alpha, slowdown;
    int diameter, hits, dense, is_long;
    assert_int_equal(
        json_unpack(root, "{s:s s:b s:b s:{s:s s:i} s:{s:F s:{s:s}} s:{s:{s:i s:F}}}", "advice",
                    &advice, "dense", &dense, "long", &is_long, "graph", "options", &changes,
                    "diameter", &diameter, "rule", "alpha", &alpha, "choice", "dense_long",
                    &dense_long, "scores", "left_out", "hits", &hits, "slowdown", &slowdown),
        0);
    assert_string_equal(advice, "topology");
    assert_string_equal(dense_long, "topology");
    assert_string_equal(changes, "--relabel degree");
    assert_int_equal(diameter, 39);
    assert_true(dense && is_long && hits == 1 && fabs(alpha - 6) < 1e-9);
    assert_true(fabs(slowdown - pow(8, .25)) < 1e-8);
    json_decref(root);
}

// Machines of the tree, and a folder of the user, which takes precedence.
static void test_machines(void **state)
{
    (void)state;
    assert_says(heddle("advise --graph rmat:8,8"), "graphs on fermi-gtx480: ");
    assert_refused("advise --graph rmat:8,8 --machine fermi-macsim",
                   "there are no measurements of the machine fermi-macsim, only of: fermi-gtx480");
    assert_refused("advise --graph rmat:8,8 --machine fermi-macsim",
                   ". bench/advise.sh fermi-macsim measures it; --measured reads other "
                   "measurements");
    write_four("fermi-macsim.csv");
    setenv("HEDDLE_ADVISE", command_folder(), 1);
    assert_says(heddle("advise --graph rmat:8,8 --machine fermi-macsim"),
                "learned from 4 graphs on fermi-macsim: ");
    assert_says(heddle("advise --graph rmat:8,8"), "graphs on fermi-gtx480: ");
    unsetenv("HEDDLE_ADVISE");
    assert_refused("advise --graph rmat:8,8 --machine fermi-gtx48", "fermi-gtx48");
}

static void test_wrong_input(void **state)
{
    (void)state;
    write_four("four.csv");
    write_text("bad.csv", "# by hand\nkind;graph;vertices;edges;diameter;topology;warp;data\n"
                          "streets;a;10;20;100;200;fast;100\n");
    assert_refused("advise", "no graph: expected --graph (see heddle advise --help)");
    assert_refused("advise rmat:8,8", "'rmat:8,8': expected options only, the graph with "
                                      "--graph (see heddle advise --help)");
    assert_refused("advise --graf x", "unknown option --graf; did you mean '--graph'?");
    assert_refused("advise --graph", "--graph needs a value");
    assert_refused("advise --graph rmt:8,8", "rmt");
    assert_refused("advise --graph rmat:8,8 --relabel hubs",
                   "--relabel hubs: expected degree, bfs or random");
    assert_refused("advise --graph rmat:8,8 --source -1", "--source '-1': expected a whole number");
    assert_refused("advise --graph rmat:4,4 --source 16", "16");
    assert_refused("advise --graph rmat:8,8 --machine fermi-gtx480 --measured $T/four.csv",
                   "--machine and --measured both set what to learn from: expected one of "
                   "them");
    assert_refused("advise --graph rmat:8,8 --measured $T/none.csv", "none.csv");
    assert_refused("advise --graph rmat:8,8 --measured $T/bad.csv",
                   "bad.csv:3:25: 'fast': expected the time of warp (a number above 0)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_wrong_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
