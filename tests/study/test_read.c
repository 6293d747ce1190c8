// Study files: what is read, and the messages of mistakes.
#include "study_bench.h"

#define AXES "axes:\n  work: [{name: a, run: bfs}]\n"

static void test_points(void **state)
{
    (void)state;
    Study s;
    assert_read(&s, "title: T\n"
                    "run: --machine m\n"
                    "axes:\n"
                    "  work:\n"
                    "    - {name: a, class: x, size: 5, run: bfs}\n"
                    "    - {name: 'b', class: '7', run: sssp}\n"
                    "  variant:\n"
                    "    baseline: base\n"
                    "    points:\n"
                    "      - {name: base}\n"
                    "      - {name: 'w{n}', for: {n: [1, 2, 4..6]}, when: \"class = 'x'\",\n"
                    "         run: '--mechanism warp-limit:warps={n}'}\n");
    assert_string_equal(s.name, "s");
    assert_int_equal(s.axis_count, 2);
    const StudyAxis *work = &s.axes[0];
    assert_int_equal(work->count, 2);
    assert_string_equal(work->points[0].columns[0].name, "class");
    assert_int_equal(work->points[0].columns[1].value.kind, CELL_INTEGER);
    assert_int_equal(work->points[1].columns[0].value.kind, CELL_TEXT); // quoted
    assert_null(work->points[0].baseline);
    const StudyAxis *variant = &s.axes[1];
    static const char *const names[] = {"base", "w1", "w2", "w4", "w5", "w6"};
    assert_int_equal(variant->count, 6);
    for (unsigned i = 0; i < 6; i++) assert_string_equal(variant->points[i].name, names[i]);
    assert_null(variant->points[0].baseline); // of itself
    assert_string_equal(variant->points[5].baseline, "base");
    study_free(&s);
}

// {NAME} in columns: alone it is the value, else a part of the text.
static void test_columns(void **state)
{
    (void)state;
    Study s;
    assert_read(&s, "title: T\n"
                    "axes:\n"
                    "  v: [{name: 'w{n}', size: '{n}', text: 'of {n}, {m}', for: {n: [3, 4]}}]\n");
    const StudyPoint *point = &s.axes[0].points[1];
    assert_string_equal(point->columns[0].name, "size");
    assert_int_equal(point->columns[0].value.kind, CELL_INTEGER);
    assert_int_equal(point->columns[0].value.integer, 4);
    assert_string_equal(point->columns[1].value.text, "of 4, {m}");
    study_free(&s);
}

// Places of texts: of a quoted one behind the quote, of a block where its text begins.
static void test_places(void **state)
{
    (void)state;
    Study s;
    assert_read(&s, "title: T\n" AXES
                    "views:\n"
                    "  - {name: v, sql: SELECT 1}\n"
                    "  - name: w\n"
                    "    sql: 'SELECT 2'\n"
                    "  - name: x\n"
                    "    sql: |\n"
                    "\n"
                    "      SELECT\n"
                    "        3\n");
    const QueryPlace *place = &s.views[0].sql.place;
    assert_int_equal(place->line, 5);
    assert_int_equal(place->column, 20);
    place = &s.views[1].sql.place;
    assert_int_equal(place->line, 7);
    assert_int_equal(place->column, 11);
    place = &s.views[2].sql.place;
    assert_int_equal(place->line, 11);
    assert_int_equal(place->column, 7);
    assert_int_equal(place->indent, 6);
    study_free(&s);
}

static void test_mistakes(void **state)
{
    (void)state;
    assert_refused("", "s.yaml:1:1: expected a study, found nothing");
    assert_refused("title: T\n", "s.yaml:1:1: a study without 'axes'");
    assert_refused("title: T\ntitel: U\n" AXES,
                   "s.yaml:2:1: there is no key 'titel' in a study; did you mean 'title'?");
    assert_refused("title: T\ntitle: U\n" AXES, "s.yaml:2:1: the key 'title' is there twice");
    assert_refused("title: [T]\n" AXES, "s.yaml:1:8: expected a text, not a list or keys");
    assert_refused("title: T\naxes: {}\n", "s.yaml:2:7: expected at least one axis");
    assert_refused("title: T\naxes: {a b: []}\n",
                   "s.yaml:2:8: 'a b': expected a name of letters, digits and _");
    assert_refused("title: T\naxes: {work: []}\n", "s.yaml:2:14: expected at least one point");
    assert_refused("title: T\naxes: {work: [{run: x}]}\n", "s.yaml:2:15: a point without 'name'");
    assert_refused("title: T\naxes: {work: [{name: a}, {name: a}]}\n",
                   "s.yaml:2:26: there are two points 'a' of the axis work");
    assert_refused("title: T\naxes: {v: {baseline: b, points: [{name: a}]}}\n",
                   "s.yaml:2:11: the axis v has no point 'b', the baseline of 'a'");
    assert_refused("title: T\naxes: {v: [{name: a, for: {n: [5..2]}}]}\n",
                   "s.yaml:2:32: '5..2': expected a range A..B, with A at most B, of at most "
                   "10000 numbers");
    assert_refused("title: T\naxes: {v: [{name: a, for: {n: []}}]}\n",
                   "s.yaml:2:31: expected at least one value");
    assert_refused("title: T\n" AXES "records:\n  - {name: r, file: a/b.csv, key: work, sql: x}\n",
                   "s.yaml:5:5: file: expected a name without a folder, of letters, digits, - and "
                   "_, that ends with .csv");
    assert_refused("title: T\n" AXES "tables:\n  - {name: t, align: lx, sql: x}\n",
                   "s.yaml:5:5: align: expected l or r for each column, such as lrr");
    assert_refused("title: T\n" AXES "claims:\n"
                   "  - {id: c, source: s, metric: m, published: 1x}\n",
                   "s.yaml:5:5: published: expected a number, not '1x'");
    assert_refused("title: T\n" AXES "figures:\n"
                   "  - {name: 1, title: t, kind: bars, y: v, log_y: maybe, sql: x}\n",
                   "s.yaml:5:50: expected yes or no");
    assert_refused("title: T\n  bad: x\n", "s.yaml:2:6: mapping values are not allowed in this "
                                            "context");
    // Names that SQLite or studies have, and values without bounds.
    assert_refused("title: T\naxes: {rowid: [{name: a, run: x}]}\n",
                   "s.yaml:2:8: 'rowid' is a name that studies have already: expected another");
    assert_refused("title: T\naxes: {v: [{name: a, V_baseline: 1, run: x}]}\n",
                   "s.yaml:2:22: 'V_baseline' is a name that studies have already: expected "
                   "another");
    assert_refused("title: T\naxes: {v: [{name: 'm{n}', for: {n: [2147483647..2147483648]}}]}\n"
                   "page: 'a\x1b'\n",
                   "s.yaml:1:1: control characters are not allowed");
    assert_refused("title: \"a\\e[2J\"\n" AXES,
                   "s.yaml:1:8: expected a text of UTF-8 without control characters");
    assert_refused("title: T\n" AXES "figures:\n"
                   "  - {name: ../x, title: t, kind: bars, y: v, sql: x}\n",
                   "s.yaml:5:5: name: expected letters, digits, - and _, as of a file");
    assert_refused("title: T\n" AXES "records:\n  - {name: r, file: .rc, key: work, sql: x}\n",
                   "s.yaml:5:5: file: expected a name without a folder, of letters, digits, - and "
                   "_, that ends with .csv");
    assert_refused("title: T\naxes: {v: [{name: a, for: {n: [1.., 2]}}]}\n",
                   "s.yaml:2:32: '1..': expected a range A..B of whole numbers");
    assert_refused("title: T\naxes: {v: [{name: 'm{k}', for: {n: [1]}}]}\n",
                   "s.yaml:2:12: 'm{k}': expected {NAME} of a name in `for`");
    // The name of a second table or claim is a mistake, not a replacement.
    assert_refused("title: T\n" AXES "tables: [{name: t, sql: x}, {name: t, sql: y}]\n",
                   "s.yaml:4:29: there are two tables 't'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests_name("study files", tests, NULL, NULL);
}
