// Records of degrees: which graphs are opened, which rows are kept, and what is written.
#include "study_bench.h"

#include "report/host_json.h"
#include "study/study_data.h"
#include "study/study_degrees.h"
#include "support/scratch.h"

#include <stdio.h>
#include <unistd.h>

static const char text[] = "title: T\n"
                           "axes:\n"
                           "  graph: [{name: star, run: star}, {name: '7', run: ring}]\n"
                           "  variant: [{name: a, run: --a}, {name: b, run: --b}]\n"
                           "records:\n"
                           "  - {name: degrees, file: degrees.csv, key: graph, degrees: yes}\n";

// What is opened, and the words that name it.
typedef struct Fake {
    const char *words; // of the ring
    const char *fails; // the graph that cannot be read; NULL: none
    unsigned opened;
} Fake;

static Fake *fake; // of the test that runs

static char *name_graph(const void *owner, const StudyRun *run, HdError *err)
{
    (void)err;
    assert_ptr_equal(owner, fake);
    assert_string_equal(run->words[1], "--a"); // the first run with the key
    return strdup(strcmp(run->words[0], "ring") == 0 ? fake->words : run->words[0]);
}

static HdGraph *open_graph(const void *owner, const StudyRun *run, HdError *err)
{
    static const HdEdge star[] = {{0, 1}, {0, 2}, {0, 3}}, ring[] = {{0, 1}, {1, 2}, {2, 0}};
    (void)owner;
    fake->opened++;
    if (fake->fails && strcmp(run->words[0], fake->fails) == 0) {
        hd_fail(err, "no such %s", run->words[0]);
        return NULL;
    }
    return strcmp(run->words[0], "ring") == 0 ? hd_graph_build("ring", 3, ring, 3, err)
                                              : hd_graph_build("star", 4, star, 3, err);
}

// Makes the degrees of a study with the file that is there; write: and writes it.
static DegreesCount make_study(const char *study_text, bool write, HdError *why)
{
    HdError err = {0};
    Study study;
    StudyMatrix matrix;
    DegreesCount count;
    size_t missing;
    const StudyGraphs graphs = {.owner = fake, .name = name_graph, .open = open_graph};
    assert_read(&study, study_text);
    Store *tables = tables_open(NULL, &err);
    if (!tables || !study_matrix_make(&matrix, &study, tables, 1, &err) ||
        !study_data_read(&study, tables, scratch_folder(), &missing, &err))
        fail_msg("%s", err.text);
    if (study_degrees_make(&study, &matrix, tables, &graphs, write ? scratch_folder() : NULL,
                           &count, why) == why->set)
        fail_msg("a result, or a message");
    study_matrix_free(&matrix);
    store_close(tables);
    study_free(&study);
    return count;
}

static DegreesCount make(bool write)
{
    HdError err = {0};
    DegreesCount count = make_study(text, write, &err);
    if (err.set) fail_msg("%s", err.text);
    return count;
}

// Three of the star's vertices have no edge, and one has three; in the ring each has one. A name
// that is a number stays a text.
static void holds(const char *ring_words)
{
    char wanted[512], version[16], bare[16];
    snprintf(bare, sizeof bare, "%.8s", sources_version());
    // A version that looks like a number has quotes.
    snprintf(version, sizeof version, csv_cell(bare, false).kind == CELL_TEXT ? "%s" : "\"%s\"",
             bare);
    snprintf(wanted, sizeof wanted,
             "graph,degree,vertices,input,version\n"
             "star,0,3,star,%s\nstar,3,1,star,%s\n\"7\",1,3,%s,%s\n",
             version, version, ring_words, version);
    scratch_holds(scratch_path("degrees.csv"), wanted);
}

static void test_make(void **state)
{
    (void)state;
    fake = &(Fake){.words = "ring"};
    DegreesCount count = make(false);
    assert_int_equal(count.graphs, 2);
    assert_int_equal(count.old, 0);
    assert_int_equal(fake->opened, 0);
    assert_int_not_equal(access(scratch_path("degrees.csv"), F_OK), 0);
    make(true);
    assert_int_equal(fake->opened, 2);
    holds("ring");
    // The same again: no graph is opened.
    count = make(true);
    assert_int_equal(count.old, 2);
    assert_int_equal(fake->opened, 2);
    holds("ring");
    // Other words: this graph alone.
    fake->words = "ring,3";
    count = make(true);
    assert_int_equal(count.old, 1);
    assert_int_equal(fake->opened, 3);
    holds("\"ring,3\"");
}

// Rows of other sources are counted again.
static void test_version(void **state)
{
    (void)state;
    fake = &(Fake){.words = "ring"};
    scratch_text("degrees.csv", "graph,degree,vertices,input,version\n"
                                "star,9,9,star,old\n"
                                "\"7\",9,9,ring,old\n");
    assert_int_equal(make(false).old, 0);
    make(true);
    assert_int_equal(fake->opened, 2);
    holds("ring");
}

// Names that are words of SQL, and numbers that a CSV file gives back as others.
static void test_keys(void **state)
{
    (void)state;
    static const char study[] =
        "title: T\n"
        "axes: {set: [{name: a, size: 1.0, run: star --a}, {name: b, size: 2.5, run: ring --a}]}\n"
        "records: [{name: d, file: degrees.csv, key: 'set, size', degrees: yes}]\n";
    HdError err = {0};
    fake = &(Fake){.words = "ring"};
    make_study(study, true, &err);
    assert_int_equal(fake->opened, 2);
    assert_int_equal(make_study(study, true, &err).old, 2);
    assert_int_equal(fake->opened, 2);
    assert_false(err.set);
}

// A graph that cannot be read: the others have their rows.
static void test_unreadable(void **state)
{
    (void)state;
    HdError err = {0};
    fake = &(Fake){.words = "ring", .fails = "star"};
    make_study(text, true, &err);
    assert_string_equal(err.text, "the degrees of the run star.a: no such star");
    err = (HdError){0};
    fake = &(Fake){.words = "ring"};
    assert_int_equal(make_study(text, true, &err).old, 1);
    assert_int_equal(fake->opened, 1);
    holds("ring");
}

static void test_mistakes(void **state)
{
    (void)state;
    HdError why = {0};
    fake = &(Fake){.words = "ring"};
    make_study("title: T\n"
               "axes: {g: [{name: a, run: star --a}]}\n"
               "records:\n"
               "  - {name: d, file: degrees.csv, key: g, degrees: yes,\n"
               "     where: \"1) UNION SELECT 900000000, 'x' --\"}\n", false, &why);
    assert_string_equal(why.text,
                        "s.yaml:5:14: expected one expression of SQL, with its own parentheses, "
                        "that ends with no comment");
    static const char axes[] = "title: T\naxes:\n  g: [{name: a, run: bfs}]\n";
    char study[512];
    snprintf(study, sizeof study, "%srecords: [{name: d, file: d.csv, key: g}]\n", axes);
    assert_refused(study, "s.yaml:4:11: record d: expected `sql` or `degrees`, and not both");
    snprintf(study, sizeof study,
             "%srecords: [{name: d, file: d.csv, key: g, sql: SELECT 1, degrees: yes}]\n", axes);
    assert_refused(study, "s.yaml:4:11: record d: expected `sql` or `degrees`, and not both");
    snprintf(study, sizeof study, "%srecords: [{name: d, file: d.csv, degrees: yes}]\n", axes);
    assert_refused(study,
                   "s.yaml:4:11: record d: expected a `key` that tells the graphs apart");
}

static int begin(void **state)
{
    (void)state;
    unlink(scratch_path("degrees.csv"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_make, begin),
                                       cmocka_unit_test_setup(test_version, begin),
                                       cmocka_unit_test_setup(test_keys, begin),
                                       cmocka_unit_test_setup(test_unreadable, begin),
                                       cmocka_unit_test_setup(test_mistakes, begin)};
    return cmocka_run_group_tests_name("study degrees", tests, scratch_setup, scratch_teardown);
}
