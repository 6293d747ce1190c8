// The runs of a study: conditions, words, baselines; expected values by hand.
#include "study_bench.h"

#include <stdio.h>

typedef struct Made {
    Study study;
    Store *tables;
    StudyMatrix matrix;
} Made;

static bool make(Made *m, const char *text, HdError *err)
{
    assert_read(&m->study, text);
    m->tables = tables_open(NULL, err);
    assert_non_null(m->tables);
    return study_matrix_make(&m->matrix, &m->study, m->tables, 0.5, err);
}

static void made_free(Made *m)
{
    study_matrix_free(&m->matrix);
    store_close(m->tables);
    study_free(&m->study);
}

static void assert_run(const Made *m, size_t i, const char *name, const char *words,
                       const char *baseline)
{
    const StudyRun *run = &m->matrix.runs[i];
    char text[512] = "";
    for (size_t k = 0; k < run->word_count; k++) {
        if (k) strcat(text, "|");
        strcat(text, run->words[k]);
    }
    assert_null(run->words[run->word_count]);
    assert_string_equal(run->name, name);
    assert_string_equal(text, words);
    assert_int_equal(run->baseline_count, baseline ? 1 : 0);
    if (baseline) assert_string_equal(m->matrix.runs[run->baselines[0]].name, baseline);
}

static const char text[] =
    "title: T\n"
    "run: --machine 'a b'\n"
    "axes:\n"
    "  work:\n"
    "    - {name: a, class: x, size: 100, run: 'bfs --param n={cast(size * scale AS INTEGER)}'}\n"
    "    - {name: b, class: y, run: 'sssp --name \"it''s\"'}\n"
    "  variant:\n"
    "    baseline: base\n"
    "    points:\n"
    "      - {name: base}\n"
    "      - {name: 'w{n}', for: {n: [1, 2]}, when: class = 'x' OR n = 2,\n"
    "         run: '--set k={n}'}\n";

static void test_runs(void **state)
{
    (void)state;
    Made m = {0};
    HdError err = {0};
    if (!make(&m, text, &err)) fail_msg("%s", err.text);
    assert_int_equal(m.matrix.count, 5);
    assert_run(&m, 0, "a.base", "--machine|a b|bfs|--param|n=50", NULL);
    assert_run(&m, 1, "a.w1", "--machine|a b|bfs|--param|n=50|--set|k=1", "a.base");
    assert_run(&m, 2, "a.w2", "--machine|a b|bfs|--param|n=50|--set|k=2", "a.base");
    assert_run(&m, 3, "b.base", "--machine|a b|sssp|--name|it's", NULL);
    assert_run(&m, 4, "b.w2", "--machine|a b|sssp|--name|it's|--set|k=2", "b.base");
    made_free(&m);
}

static void test_select(void **state)
{
    (void)state;
    Made m = {0};
    HdError err = {0};
    size_t *runs, count;
    assert_true(make(&m, text, &err));
    StudyText some = {"variant_baseline <> variant AND work = 'a'",
                      {.name = "f", .line = 3, .column = 9}};
    assert_true(study_matrix_select(&m.matrix, m.tables, &some, &runs, &count, &err));
    assert_int_equal(count, 2);
    assert_int_equal(runs[0], 1);
    assert_int_equal(runs[1], 2);
    free(runs);
    StudyText wrong = {"work = 'a' AND klass = 1", {.name = "f", .line = 3, .column = 9}};
    assert_false(study_matrix_select(&m.matrix, m.tables, &wrong, &runs, &count, &err));
    assert_string_equal(err.text, "f:3:24: no such column: klass");
    free(runs);
    made_free(&m);
}

static void assert_wrong(const char *study, const char *message)
{
    Made m = {0};
    HdError err = {0};
    assert_false(make(&m, study, &err));
    assert_string_equal(err.text, message);
    made_free(&m);
}

static void test_mistakes(void **state)
{
    (void)state;
    assert_wrong("title: T\naxes: {v: [{name: a, run: x, when: wrok = 1}]}\n",
                 "s.yaml:2:36: no such column: wrok");
    assert_wrong("title: T\naxes: {v: [{name: a, run: 'x {1 +}'}]}\n",
                 "s.yaml:2:34: near \")\": syntax error");
    assert_wrong("title: T\naxes: {v: [{name: a, n: 1, run: x}, {name: b, run: 'x {n}'}]}\n",
                 "s.yaml:2:55: {n} has no value");
    // Texts that would close a parenthesis of the question around them.
    static const char expression[] =
        "expected one expression of SQL, with its own parentheses, that ends with no comment";
    char wanted[128];
    snprintf(wanted, sizeof wanted, "s.yaml:2:37: %s", expression);
    assert_wrong("title: T\naxes: {v: [{name: a, run: x, when: '1),0) FROM combinations UNION ALL "
                 "SELECT (100000000000), (0'}]}\n", wanted);
    snprintf(wanted, sizeof wanted, "s.yaml:2:31: %s", expression);
    assert_wrong("title: T\naxes: {v: [{name: a, run: 'x {1), (2}'}]}\n", wanted);
    snprintf(wanted, sizeof wanted, "s.yaml:2:37: %s", expression);
    assert_wrong("title: T\naxes: {v: [{name: a, run: x, when: '1 --'}]}\n", wanted);
    assert_wrong("title: T\naxes: {v: [{name: a}]}\n",
                 "s.yaml: the run a has no words: expected a workload in `run`");
    assert_wrong("title: T\naxes: {v: [{name: a, run: x, w: 1}], w: [{name: b}]}\n",
                 "s.yaml: the axis v has a column 'w', which is the name of an axis");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs), cmocka_unit_test(test_select),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests_name("study runs", tests, NULL, NULL);
}
