// Tests of --source: the vertex of the greatest degree, for each workload and command that takes a
// source, and the warning about a search of which little comes.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Vertices 2 and 3 have 100 edges each, which are the most. One edge starts at vertex 0.
static int write_graphs(void **state)
{
    (void)state;
    char text[4096] = "0 1\n";
    size_t used = strlen(text);
    for (int i = 0; i < 200; i++)
        used += (size_t)sprintf(text + used, "%d %d\n", 2 + i / 100, 4 + i);
    write_text("two.el", text);
    // The first of 100 and of 101 edges is the only one that a search from 0 meets.
    for (int edges = 100; edges <= 101; edges++) {
        char name[16];
        used = (size_t)sprintf(text, "0 1\n");
        for (int i = 1; i < edges; i++) used += (size_t)sprintf(text + used, "2 %d\n", 2 + i);
        sprintf(name, "%d.el", edges);
        write_text(name, text);
    }
    return 0;
}

static const Command *must_run(const char *line)
{
    const Command *c = heddle(line);
    if (c->status != 0) fail_msg("heddle %s: status %d, %s", line, c->status, c->err);
    return c;
}

// The result names the vertex and equals a run from it: the lowest one of equals.
static void test_workloads(void **state)
{
    (void)state;
    static const char *const workloads[] = {"bfs", "bfs --impl data", "sssp --weights 1..9",
                                            "stcon --symmetrize", "bc --param sources=1"};
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        char line[256];
        for (int largest = 0; largest < 2; largest++) {
            snprintf(line, sizeof line, "run %s --graph $T/two.el --source %s --out $T/%d.json",
                     workloads[i], largest ? "largest" : "2", largest);
            const Command *c = must_run(line);
            bool said = strstr(c->out, "\nsource     vertex 2, the largest: 100 edges start "
                                       "there\nanswer ");
            assert_int_equal(said, largest);
            assert_string_equal(c->err, "");
        }
        if (!strstr(must_run("diff $T/0.json $T/1.json")->out, "the same result, "))
            fail_msg("%s", workloads[i]);
        json_t *value = result_value("1.json");
        const json_t *source = json_object_get(json_object_get(value, "result"), "source");
        assert_int_equal(json_integer_value(source), 2);
        json_decref(value);
    }
    // The last value counts.
    const Command *c = must_run("run bfs --graph $T/two.el --source largest --source 3");
    assert_null(strstr(c->out, "\nsource "));
    assert_non_null(strstr(c->out, "reached 101 vertices, depth 1 levels; "));
    // A change of the graph comes before the choice.
    c = must_run("run bfs --graph $T/two.el --relabel degree --source largest");
    assert_non_null(strstr(c->out, "\nsource     vertex 0, the largest: 100 edges start there\n"));
    // No vertex has an edge.
    write_text("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n");
    c = must_run("run bfs --graph $T/none.mtx --source largest");
    assert_non_null(strstr(c->out, "\nsource     vertex 0, the largest: 0 edges start there\n"));
    assert_string_equal(c->err, "");
}

static void test_commands(void **state)
{
    (void)state;
    assert_non_null(strstr(must_run("graph info $T/two.el --source largest")->out,
                           "from vertex 2: reaches 101 "));
    assert_non_null(strstr(must_run("graph info $T/two.el")->out, "from vertex 0: reaches 2 "));
    char *given = strdup(must_run("advise --graph $T/two.el --source 2")->out);
    assert_string_equal(must_run("advise --graph $T/two.el --source largest")->out, given);
    free(given);
    assert_refused("run bfs --graph $T/two.el --source largest,1",
                   "heddle: --source 'largest,1': the graph two has no names of vertices, which "
                   "only a list of edges gives and no written file keeps: expected 0 to 203, or "
                   "largest\n");
    assert_refused("run bfs --graph $T/two.el --source 204",
                   "heddle: source 204 is not a vertex of graph two: expected 0 to 203\n");
    assert_refused("run mst --source largest",
                   "heddle: --source has no effect on mst, which starts at no vertex\n");
}

// A vertex is also found by its name in a list of edges, whatever its number has become.
static void test_names(void **state)
{
    (void)state;
    write_text("names.csv", "from,to\nann,bob\nann,cy\ncy,ann\ncy,bob\ncy,dan\n");
    const Command *c = must_run("run bfs --graph $T/names.csv --relabel degree --source ann "
                                "--out $T/named.json");
    assert_non_null(strstr(c->err, "heddle: note: --source ann is vertex 1 of the graph; its name "
                                   "in the file is 'ann'\n"));
    json_t *value = result_value("named.json");
    const json_t *source = json_object_get(json_object_get(value, "result"), "source");
    assert_int_equal(json_integer_value(source), 1);
    json_decref(value);
    assert_non_null(strstr(must_run("advise --graph $T/names.csv --source cy")->err,
                           "heddle: note: --source cy is vertex 2 of the graph; its name in the "
                           "file is 'cy'\n"));
    c = heddle("run bfs --graph $T/names.csv --source eve");
    assert_int_equal(c->status, 2);
    assert_non_null(strstr(c->err, "heddle: --source 'eve': the graph names has no vertex of this "
                                   "name: expected 0 to 3, the name of a vertex, or largest\n"));
    // Names with quotation marks, and behind a hyphen.
    write_text("odd.csv", "from,to\n\"a\"\"b\",-c\n-c,d\n");
    assert_non_null(strstr(must_run("graph info $T/odd.csv --source a\"b")->err,
                           "heddle: note: --source a\"b is vertex 0 of the graph; its name in the "
                           "file is 'a\"b'\n"));
    assert_non_null(strstr(must_run("graph info $T/odd.csv --source=-c")->err,
                           "heddle: note: --source -c is vertex 1 of the graph; its name in the "
                           "file is '-c'\n"));
    assert_refused("graph info $T/odd.csv --source=-7",
                   "heddle: --source '-7': expected a whole number from 0 to 4294967295, largest, "
                   "or the name of a vertex\n");
    // Another file has no names.
    must_run("graph convert $T/names.csv $T/names.hdg");
    assert_refused("graph info $T/names.hdg --source cy",
                   "heddle: --source 'cy': the graph names has no names of vertices, which only a "
                   "list of edges gives and no written file keeps: expected 0 to 3, or largest\n");
}

// A search that looks at less than 1 % of the edges is warned of, by all reports.
static void test_little_work(void **state)
{
    (void)state;
    static const char warning[] =
        "heddle: warning: the search from vertex 0 looks at 1 of 101 edges, less than 1 % of the "
        "graph; --source largest starts at the vertex of the greatest degree\n";
    assert_string_equal(must_run("run bfs --graph $T/101.el")->err, warning);
    assert_string_equal(must_run("run bfs --graph $T/101.el --quiet")->err, warning);
    assert_string_equal(must_run("run bfs --graph $T/101.el --functional")->err, warning);
    assert_string_equal(must_run("run sssp --weights 1..9 --graph $T/101.el")->err, warning);
    assert_string_equal(must_run("run bfs --graph $T/100.el")->err, "");
    assert_string_equal(must_run("run bfs --graph $T/101.el --source 2")->err, "");
    assert_string_equal(must_run("run cc --graph $T/101.el")->err, "");
    // In this graph no vertex is better.
    char text[4096];
    size_t used = 0;
    for (int i = 0; i < 101; i++) used += (size_t)sprintf(text + used, "%d %d\n", 2 * i, 2 * i + 1);
    write_text("pairs.el", text);
    assert_string_equal(must_run("run bfs --graph $T/pairs.el --source largest")->err,
                        "heddle: warning: the search from vertex 0 looks at 1 of 101 edges, less "
                        "than 1 % of the graph\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workloads),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_little_work),
    };
    return cmocka_run_group_tests_name("sources", tests, write_graphs, NULL);
}
