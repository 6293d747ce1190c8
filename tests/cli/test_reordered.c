// The applications of segura2022iru with the mechanism iru: their answers are right, and those of
// its counters that follow from the algorithms.
#include "mechanism_runs.h"

#define BFS "bfs --impl edge-frontier"
#define SSSP "sssp --impl edge-frontier"
#define SSSP_BALANCED "sssp --impl edge-frontier-balanced"
#define PAGERANK "pagerank --impl edge-frontier --param iterations=4"

// The rules that are not the default.
#define OTHER_RULES "iru:since=arrival,balance=late,head=aside,lines=16,ties=alternate"

static const char *const applications[] = {BFS, SSSP, PAGERANK};
enum { APPLICATIONS = sizeof applications / sizeof *applications };

// A run of an application with iru. Heddle checks its answer.
static json_t *reordered(const char *application, const char *graph, const char *options)
{
    char line[512];
    snprintf(line, sizeof line, "--graph %s %s", graph, options);
    json_t *result = run(application, line);
    assert_true(json_is_true(json_object_get(result, "verified")));
    return result;
}

static double counter(const json_t *result, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "mechanisms.list.0.l2.%s", name);
    return number(result, path);
}

static size_t launches_of(const json_t *result, const char *kernel)
{
    size_t count = 0, i;
    const json_t *row;
    json_array_foreach(json_object_get(result, "kernels"), i, row)
        count += strcmp(json_string_value(json_object_get(row, "name")), kernel) == 0;
    return count;
}

// No edge, and graphs of two forms (all_crossed: of six).
static void test_answers(void **state)
{
    (void)state;
    static const char *const graphs[] = {"grid:1x1", "ws:100,4", "rmat:8,8", "grid:2x1",
                                         "grid:20x20", "er:300,2000", "ba:200,3"};
    size_t count = all_crossed() ? 7 : 3;
    static const char *const options[] = {
        "--mechanism iru", "--mechanism iru --functional", "--mechanism iru --block 96",
        "--mechanism iru --set core.width=8", "--mechanism iru --machine maxwell-gtx980",
        "--mechanism iru:l2=past --machine maxwell-gtx980", "--mechanism iru+streaming-bypass",
        "--mechanism " OTHER_RULES " --machine maxwell-gtx980",
        "--mechanism iru+warp-limit"};
    for (size_t g = 0; g < count; g++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++)
            for (size_t a = 0; a < APPLICATIONS; a++)
                json_decref(reordered(applications[a], graphs[g], options[o]));
    json_decref(reordered(BFS, "rmat:8,8", "--mechanism iru --param culling=0"));
    json_decref(reordered(SSSP_BALANCED, "rmat:8,8", "--mechanism iru"));
}

// Everything has one place, and the timeout is the least and the greatest: nothing blocks for ever.
static void test_smallest(void **state)
{
    (void)state;
    static const unsigned sms[] = {1, 30}, slices[] = {1, 4, 12}, widths[] = {8, 32},
                          timeouts[] = {1, 1000000};
    for (unsigned n = 0; n < 2 * 3 * 2 * 2; n++) {
        char options[256];
        snprintf(options, sizeof options,
                 "--set gpu.sms=%u --set slice.count=%u --set core.width=%u --mechanism iru:"
                 "entry=1,sets=1,banks=1,prefetches=1,reads=1,requests=1,classifier=1,ring=1,"
                 "channel=1,timeout=%u%s",
                 sms[n % 2], slices[n / 2 % 3], widths[n / 6 % 2], timeouts[n / 12],
                 (n + n / 6) % 2 ? ",head=aside" : ",since=arrival,balance=late");
        // In turn, each application has each value.
        for (size_t a = 0; a < APPLICATIONS; a++)
            if (all_crossed() || a == (n / 2 + n / 6) % APPLICATIONS)
                json_decref(reordered(applications[a], "rmat:6,8", options));
    }
}

// An engine's replies fill the queue while the head of the slice waits for the data port: from then
// on it stalls for the queue, whether cycles are skipped or not.
static void test_full_replies(void **state)
{
    (void)state;
    static const char options[] = "--graph rmat:9,8 --machine maxwell-gtx980-gpgpusim "
                                  "--set slice.reply_queue=2 --mechanism iru";
    json_t *result = run(BFS, options);
    assert_true(number(result, "icnt.stall_reply_queue") > 0);
    assert_true(number(result, "icnt.stall_data_port") > 0);
    assert_same_on_any_host(BFS, options, result);
    json_decref(result);
}

// Each element of a frontier is delivered or merged, and each lane asks for one.
static void test_counters(void **state)
{
    (void)state;
    static const char *const contractions[] = {"bfs_contract", "sssp_compaction",
                                               "pagerank_contract"};
    for (size_t a = 0; a < APPLICATIONS; a++) {
        json_t *plain = reordered(applications[a], "rmat:9,8", "");
        json_t *with = reordered(applications[a], "rmat:9,8", "--mechanism iru");
        double read = counter(with, "read");
        assert_true(read > 0);
        assert_true(read == counter(with, "delivered") + counter(with, "merged"));
        assert_true(read == counter(with, "asked"));
        assert_true(counter(with, "enabled") == counter(with, "delivered"));
        if (a == 0) assert_true(counter(with, "merged") == 0 && counter(with, "disabled") == 0);
        if (a != 0) assert_true(counter(with, "merged") > 0);
        // The two frontiers have their elements in the same slices.
        assert_true(counter(with, "foreign") == 0);
        assert_true(launches_of(with, contractions[a]) == launches_of(plain, contractions[a]) ||
                    a == 1); // its rounds depend on the order in which distances fall
        assert_same_on_any_host(applications[a], "--graph rmat:9,8 --mechanism iru", with);
        json_decref(plain);
        json_decref(with);
        static const char *const options = "--machine maxwell-gtx980 --mechanism " OTHER_RULES;
        json_t *other = reordered(applications[a], "rmat:9,8", options);
        char line[256];
        snprintf(line, sizeof line, "--graph rmat:9,8 %s", options);
        assert_same_on_a_host(applications[a], line, other, a);
        json_decref(other);
    }
}

// What one learns of the instructions.
static void test_described(void **state)
{
    (void)state;
    const Command *c = heddle("mechanism describe iru");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "\n  load_iru %p, %r: Whether there is an element, and its "
                                   "index.\n"));
    assert_non_null(strstr(c->out, "\n  load_iru.secondary.position %p, %r, %r, %r: The same, with "
                                   "both.\n"));
}

// Programs without an instrumented kernel are left alone.
static void test_others(void **state)
{
    (void)state;
    json_t *plain = run("bfs --impl topology --graph rmat:8,8", ""),
           *with = run("bfs --impl topology --graph rmat:8,8", "--mechanism iru");
    assert_true(number(with, "cycles") == number(plain, "cycles"));
    assert_true(counter(with, "read") == 0);
    json_decref(plain);
    json_decref(with);
}

// A frontier of 20 million edges: a position has 24 bits, so a filter has two compactions.
static void test_long_frontier(void **state)
{
    (void)state;
    json_t *with = reordered(SSSP, "er:8192,10000000",
                             "--functional --param delta=1000000 --mechanism iru");
    assert_true(launches_of(with, "sssp_compaction") > launches_of(with, "sssp_filter"));
    json_decref(with);
}

static void test_wide_graph(void **state)
{
    (void)state;
    write_text("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                           "16777217 16777217 1\n1 2\n");
    assert_refused("run " BFS " --graph $T/wide.mtx --functional --mechanism iru",
                   "graph wide has 16777217 vertices: expected at most 2^24 with the mechanism "
                   "iru, whose indices have 24 bits");
}

// A program's own kernel with the instruction: what is missing is said, with its line.
static void test_missing(void **state)
{
    (void)state;
    write_text("k.ptx", ".version 6.0\n.target sm_52\n.address_size 64\n"
                        ".visible .entry k()\n{\n    .reg .b32 %r<2>;\n    .reg .pred %p<2>;\n"
                        "    load_iru %p1, %r1;\n    ret;\n}\n");
    static const char *const modes[] = {"", " --functional"};
    for (unsigned i = 0; i < 2; i++) {
        char line[128];
        snprintf(line, sizeof line, "run $T/k.ptx --entry k --grid 1 --block 32%s", modes[i]);
        assert_refused(line, "k.ptx:8: k has 'load_iru', an instruction of the mechanism iru, "
                             "which is not in this run: expected --mechanism iru");
        strcat(line, " --mechanism iru");
        assert_refused(line, "k.ptx:8: mechanism iru: load_iru without a configuration: expected "
                             "a call configure(...) before each launch, of arrays that are not "
                             "freed since");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),       cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_counters),      cmocka_unit_test(test_full_replies),
        cmocka_unit_test(test_others),        cmocka_unit_test(test_long_frontier),
        cmocka_unit_test(test_wide_graph),    cmocka_unit_test(test_described),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests_name("reordered", tests, NULL, NULL);
}
