// Tests of `heddle run` with a workload: the report, the JSON, reproducibility, wrong answers.
#include "command.h"
#include "cli/results/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_int_t integer(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) fail_msg("%s is no integer", key);
    return json_integer_value(value);
}

// Each result of these tests is validated by the schema.
static json_t *checked_result(const char *name)
{
    char why[512];
    json_error_t error;
    json_t *schema = json_load_file(getenv("HEDDLE_SCHEMA"), 0, &error);
    if (!schema) fail_msg("%s:%d: %s", getenv("HEDDLE_SCHEMA"), error.line, error.text);
    json_t *value = result_value(name);
    if (!schema_accepts(schema, value, why, sizeof why)) fail_msg("%s: %s", name, why);
    json_decref(schema);
    json_t *result = json_incref(json_object_get(value, "result"));
    json_decref(value);
    return result;
}

// Runs heddle run LINE --out $T/NAME, which must succeed.
static void run_to(const char *line, const char *name)
{
    char whole[512];
    snprintf(whole, sizeof whole, "run %s --quiet --out $T/%s", line, name);
    const Command *c = heddle(whole);
    if (c->status != 0) fail_msg("heddle %s: status %d, %s", whole, c->status, c->err);
    assert_string_equal(c->out, "");
    assert_string_equal(c->err, "");
}

static void test_report(void **state)
{
    (void)state;
    const Command *c = heddle("run bfs --graph rmat:8,8 --source 0 --machine fermi-gtx480");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, ""); // no progress line without a terminal
    static const char *const parts[] = {
        "bfs topology on rmat:8,8",
        "machine fermi-gtx480",
        "verified against the CPU",
        "core cycles",
        "IPC",
        "stall_memory",
        "idle",
        "L1D",
        "L2",
        "frontier",
        "requests per memory instruction",
        "DRAM",
        "where loads wait",
        "kernels/bfs.cu:",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(c->out, parts[i])) fail_msg("the report has no '%s':\n%s", parts[i], c->out);
    size_t lines = 0;
    for (const char *p = c->out; *p; p++) lines += *p == '\n';
    assert_in_range(lines, 20, 50); // one screen
}

// Relations between counters that hold in every run.
static void check_sums(const json_t *counters, json_int_t slots_per_cycle)
{
    const json_t *issue = json_object_get(counters, "issue");
    const char *key;
    json_t *value;
    json_int_t sum = 0;
    json_object_foreach((json_t *)issue, key, value) if (strcmp(key, "slots") != 0) sum +=
        json_integer_value(value);
    assert_int_equal(sum, integer(issue, "slots"));
    assert_int_equal(sum, integer(counters, "cycles") * slots_per_cycle);
    assert_int_equal(integer(issue, "issued"), integer(counters, "warp_instructions"));
    json_int_t warps = 0, threads = 0;
    size_t lanes;
    json_array_foreach(json_object_get(counters, "lanes"), lanes, value)
    {
        warps += json_integer_value(value);
        threads += json_integer_value(value) * (json_int_t)lanes;
    }
    assert_int_equal(warps, integer(counters, "warp_instructions"));
    assert_int_equal(threads, integer(counters, "thread_instructions"));
    const json_t *l1d = json_object_get(counters, "l1d");
    assert_int_equal(integer(l1d, "accesses"),
                     integer(l1d, "hits") + integer(l1d, "pending_hits") + integer(l1d, "misses"));
    json_int_t by_array = 0;
    json_object_foreach(json_object_get(counters, "allocations"), key, value) by_array +=
        integer(json_object_get(value, "l1d"), "accesses");
    assert_int_equal(by_array, integer(l1d, "accesses"));
}

static void test_schema_and_sums(void **state)
{
    (void)state;
    static const char *const impls[] = {"topology", "warp", "reference-topo", "reference-warp"};
    for (size_t i = 0; i < 4; i++) {
        char line[128];
        snprintf(line, sizeof line, "bfs --impl %s --graph rmat:8,8 --per-kernel", impls[i]);
        run_to(line, "run.json");
        json_t *result = checked_result("run.json");
        assert_true(json_is_true(json_object_get(result, "verified")));
        const json_t *kernels = json_object_get(result, "kernels");
        json_int_t sms =
            integer(json_object_get(json_object_get(result, "parameters"), "gpu"), "sms");
        json_int_t schedulers =
            integer(json_object_get(json_object_get(result, "parameters"), "core"), "schedulers");
        check_sums(result, sms * schedulers);
        json_int_t cycles = 0;
        size_t k;
        json_t *kernel;
        json_array_foreach(kernels, k, kernel)
        {
            check_sums(kernel, sms * schedulers);
            cycles += integer(kernel, "cycles");
        }
        assert_int_equal(cycles, integer(result, "cycles"));
        assert_int_equal(
            integer(json_object_get(json_array_get(kernels, 0), "application"), "active_vertices"),
            1);
        json_decref(result);
    }
}

static void test_stream(void **state)
{
    (void)state;
    run_to("stream --param elements=5000", "stream.json");
    json_t *result = checked_result("stream.json");
    assert_int_equal(integer(json_object_get(result, "answer"), "copied"), 5000);
    assert_true(json_is_null(json_object_get(result, "graph")));
    json_decref(result);
}

static size_t functional_kernels(const json_t *result)
{
    const json_t *kernels = json_object_get(result, "kernels");
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(kernels); i++)
        count += json_is_true(json_object_get(json_array_get(kernels, i), "functional"));
    return count;
}

// The host's seconds of functional launches are given if there were any, and are a part of all.
static void check_functional_seconds(const char *name, bool any)
{
    json_t *value = result_value(name);
    const json_t *host = json_object_get(value, "host");
    const json_t *seconds = json_object_get(host, "functional_seconds");
    assert_int_equal(seconds != NULL, any);
    if (any) assert_true(json_real_value(seconds) > 0);
    if (any)
        assert_true(json_real_value(seconds) <= json_real_value(json_object_get(host, "seconds")));
    json_decref(value);
}

// Functional runs, in part or wholly: the answer is verified, and the result is marked.
static void test_functional(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        size_t functional; // of the twelve launches
    } runs[] = {{"", 0}, {"--functional", 12}, {"--skip-kernels 4", 4},
                {"--detail-kernels 3..4", 10}, {"--detail-kernels 3", 11}, {"--skip-kernels 0", 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char line[160];
        snprintf(line, sizeof line, "bfs --graph rmat:10,8 %s", runs[i].options);
        run_to(line, "functional.json");
        json_t *result = checked_result("functional.json");
        assert_true(json_is_true(json_object_get(result, "verified")));
        assert_int_equal(json_array_size(json_object_get(result, "kernels")), 12);
        assert_int_equal(functional_kernels(result), runs[i].functional);
        assert_int_equal(json_is_true(json_object_get(result, "approximate")),
                         runs[i].functional > 0);
        assert_int_equal(integer(result, "cycles") == 0, runs[i].functional == 12);
        check_functional_seconds("functional.json", runs[i].functional > 0);
        json_decref(result);
    }
    const Command *c = heddle("run bfs --graph rmat:10,8 --functional");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "12 of 12 launches run functionally"));
    assert_null(strstr(c->out, "IPC"));
    c = heddle("run bfs --graph rmat:10,8 --skip-kernels 4");
    assert_non_null(strstr(c->out, "4 of 12 launches run functionally"));
    assert_non_null(strstr(c->out, "APPROXIMATE"));
}

// Every implementation has the right answer functionally; and where no warps race, each launch has
// as many instructions as when timed.
static void test_functional_implementations(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        bool races; // warps that find a vertex at the same time both write it
    } runs[] = {{"bfs --impl topology --graph rmat:9,8", false},
                {"bfs --impl reference-topo --graph rmat:9,8", false},
                {"bfs --impl warp --graph rmat:9,8", true},
                {"bfs --impl reference-warp --graph rmat:9,8", true},
                {"stream --param elements=5000", false}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char line[160];
        snprintf(line, sizeof line, "%s --functional", runs[i].run);
        run_to(runs[i].run, "timed.json");
        run_to(line, "functional.json");
        json_t *timed = checked_result("timed.json"), *b = checked_result("functional.json");
        assert_true(json_is_true(json_object_get(b, "verified")));
        assert_true(json_equal(json_object_get(b, "answer"), json_object_get(timed, "answer")));
        const json_t *x = json_object_get(timed, "kernels"), *y = json_object_get(b, "kernels");
        assert_int_equal(json_array_size(x), json_array_size(y));
        assert_true(json_array_size(x) > 0);
        for (size_t k = 0; !runs[i].races && k < json_array_size(x); k++) {
            const json_t *in_time = json_array_get(x, k), *without = json_array_get(y, k);
            assert_int_equal(integer(in_time, "warp_instructions"),
                             integer(without, "warp_instructions"));
            assert_int_equal(integer(in_time, "thread_instructions"),
                             integer(without, "thread_instructions"));
        }
        json_decref(timed);
        json_decref(b);
    }
}

// Expects that every run gives the same result, byte for byte, with each of the options.
static void expect_same(const char *const *runs, size_t run_count, const char *const *options,
                        size_t option_count)
{
    for (size_t i = 0; i < run_count; i++) {
        char *first = NULL;
        for (size_t k = 0; k < option_count; k++) {
            char line[300];
            snprintf(line, sizeof line, "%s --per-kernel %s", runs[i], options[k]);
            run_to(line, "same.json");
            char *text = result_text("same.json");
            if (first && strcmp(first, text) != 0) fail_msg("%s gives another result", line);
            if (!first)
                first = text;
            else
                free(text);
        }
        free(first);
    }
}

// Functional launches take turns in an order of their own: no host option changes what they
// compute, or what they leave in the caches for the others.
static void test_functional_sameness(void **state)
{
    (void)state;
    static const char *const options[] = {"--threads 1", "--threads 2", "--no-skip",
                                          "--threads 2 --shuffle 5"};
    static const char *const runs[] = {
        "bfs --impl warp --graph rmat:9,8 --skip-kernels 2",
        "bfs --impl topology --graph rmat:9,8 --detail-kernels 3..5 --machine fermi-macsim"};
    expect_same(runs, sizeof runs / sizeof *runs, options, sizeof options / sizeof *options);
}

// Timed runs do not depend on host options.
static void test_sameness(void **state)
{
    (void)state;
    static const char *const options[] = {
        "--threads 1", "--threads 2", "--threads 4", "--threads 3 --shuffle 4", "--no-skip",
        "--shuffle 7", "--shuffle 99 --no-skip"};
    static const char *const runs[] = {
        "bfs --impl topology --graph rmat:9,8", "bfs --impl warp --graph grid:40x20",
        "bfs --impl reference-warp --graph rmat:9,8 --machine fermi-gtx480-gpgpusim4",
        "stream --param elements=20000 --machine fermi-macsim",
        // Warps miss in the shared store while all others stall in the L1I.
        "aes --param states=1024 --machine kepler-k40c --set gpu.sms=1 "
        "--set frontend.buffer=shared-store --set l1i.mshr_merges=32 --set memory.coalesce=sector",
        // Warps leave the active set of their scheduler while no port has room.
        "aes --param states=512 --machine kepler-k40c --set gpu.sms=1 --set core.width=8 "
        "--set core.schedulers=2 --set core.policy=two-level --set operand.shared_collectors=2"};
    expect_same(runs, sizeof runs / sizeof *runs, options, sizeof options / sizeof *options);
}

// fermi-macsim has six slices and eight channels with separate address maps.
static void test_slices_beside_channels(void **state)
{
    (void)state;
    run_to("bfs --graph rmat:10,8 --machine fermi-macsim", "jumps.json");
    run_to("bfs --graph rmat:10,8 --machine fermi-macsim --no-skip --shuffle 3", "cycles.json");
    json_t *result = checked_result("jumps.json");
    const json_t *parameters = json_object_get(result, "parameters");
    assert_int_equal(integer(json_object_get(parameters, "slice"), "count"), 6);
    assert_int_equal(integer(json_object_get(parameters, "dram"), "channels"), 8);
    assert_true(json_is_true(json_object_get(result, "verified")));
    json_decref(result);
    char *jumps = result_text("jumps.json"), *cycles = result_text("cycles.json");
    assert_string_equal(jumps, cycles);
    free(jumps);
    free(cycles);
}

// A machine without an L1.5 has neither its counters nor its parameters in a result.
static void test_l15(void **state)
{
    (void)state;
    run_to("bfs --graph rmat:7,4", "without.json");
    run_to("bfs --graph rmat:7,4 --set l15.mode=cache --set l15.size=32KiB", "with.json");
    json_t *without = checked_result("without.json"), *with = checked_result("with.json");
    assert_null(json_object_get(without, "l15"));
    assert_null(json_object_get(json_object_get(without, "parameters"), "l15"));
    const json_t *parameters = json_object_get(json_object_get(with, "parameters"), "l15");
    assert_int_equal(integer(parameters, "size"), 32 << 10);
    const json_t *l15 = json_object_get(with, "l15"), *l1c = json_object_get(with, "l1c");
    assert_true(integer(l15, "accesses") > 0);
    assert_int_equal(integer(l15, "accesses"), integer(l1c, "misses"));
    json_decref(without);
    json_decref(with);
    const Command *c = heddle("run bfs --graph rmat:7,4 --set l15.mode=cache");
    assert_non_null(strstr(c->out, "\n  L1.5 "));
    c = heddle("run bfs --graph rmat:7,4");
    assert_null(strstr(c->out, "L1.5"));
}

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

// The hash covers parameters and counters, counters_hash only the counters. A parameter without
// effect on counters changes only the hash.
static void test_hashes(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
        bool counters_same;
    } cases[] = {
        {"", "--set dram.tCL=40", false},
        {"", "--set core.local=256KiB", true}, // no kernel uses local memory
        {"--mechanism cta-limit:blocks=100", "--mechanism cta-limit:blocks=200", true},
        {"--mechanism cta-limit:blocks=1", "--mechanism cta-limit:blocks=2", false},
        {"", "--mechanism cta-limit:blocks=100", false}, // the mechanism adds counters
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        snprintf(line, sizeof line, "bfs --graph rmat:7,4 %s", cases[i].before);
        run_to(line, "a.json");
        snprintf(line, sizeof line, "bfs --graph rmat:7,4 %s", cases[i].after);
        run_to(line, "b.json");
        json_t *a = checked_result("a.json"), *b = checked_result("b.json");
        assert_false(same_text(a, b, "hash"));
        if (same_text(a, b, "counters_hash") != cases[i].counters_same)
            fail_msg("counters_hash: '%s' and '%s'", cases[i].before, cases[i].after);
        json_decref(a);
        json_decref(b);
    }
}

// The result contains the graph options, with which the run can be repeated.
static void test_graph_options(void **state)
{
    (void)state;
    char line[256];
    write_text("loops.txt", "0 1\n1 1\n0 1\n1 2\n2 2\n3 4\n");
    run_to("bfs --graph $T/loops.txt --relabel random --symmetrize --largest-component --source 2 "
           "--drop-loops --weights 1..9", "changed.json");
    json_t *result = checked_result("changed.json");
    const json_t *graph = json_object_get(result, "graph");
    const char *options = json_string_value(json_object_get(graph, "options"));
    assert_string_equal(options, "--drop-loops --weights 1..9,seed=1 --symmetrize "
                                 "--largest-component --relabel random,seed=1");
    assert_string_equal(json_string_value(json_object_get(graph, "weights")), "int32");
    assert_int_equal(integer(graph, "vertices"), 3);
    assert_int_equal(integer(graph, "edges"), 6); // 0-1 twice and 1-2, both ways
    assert_int_equal(integer(graph, "self_loops"), 0);
    assert_int_equal(integer(graph, "duplicates"), 2);
    const json_t *dropped = json_object_get(graph, "dropped");
    assert_int_equal(integer(dropped, "self_loops"), 2);
    assert_int_equal(integer(dropped, "duplicates"), 0);
    assert_int_equal(integer(dropped, "vertices"), 2);
    snprintf(line, sizeof line, "bfs --graph $T/loops.txt --source 2 %s", options);
    run_to(line, "again.json");
    json_t *again = checked_result("again.json");
    assert_string_equal(json_string_value(json_object_get(result, "hash")),
                        json_string_value(json_object_get(again, "hash")));
    json_decref(again);
    json_decref(result);

    const Command *c = heddle("run bfs --graph $T/loops.txt --drop-duplicates");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "\ngraph      --drop-duplicates: has 2 self loops, 0 duplicate "
                                   "edges; dropped: 0, 1, and 0 vertices\n"));
}

// A list of edges leaves open how it is read: notes say what was assumed.
static void test_notes_of_graphs(void **state)
{
    (void)state;
    write_text("sizes.txt", "3 3\n1 2\n2 3\n3 1\n");
    const Command *c = heddle("run bfs --graph $T/sizes.txt --source 2 --quiet");
    assert_int_equal(c->status, 0);
    char notes[4096], path[1024];
    snprintf(path, sizeof path, "%s/sizes.txt", command_folder());
    snprintf(notes, sizeof notes,
             "heddle: note: %s:1: read as the numbers of vertices (3) and edges (3), because they "
             "fit the lines that follow (--format txt,first=edge reads an edge)\n"
             "heddle: note: --source 2 is vertex 2 of the graph; its id in the file is 3 (the "
             "formats el and wel keep ids)\n", path);
    assert_string_equal(c->err, notes);
    // Vertex 1, of id 9, has two edges.
    write_text("gaps.txt", "5 9\n9 5\n9 7000000000\n");
    c = heddle("run bfs --graph $T/gaps.txt --source largest --quiet");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "heddle: note: --source largest is vertex 1 of the graph; its id "
                                "in the file is 9 (the formats el and wel keep ids)\n");
    c = heddle("graph info $T/gaps.txt --source 2");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "heddle: note: --source 2 is vertex 2 of the graph; its id in the "
                                "file is 7000000000 (the formats el and wel keep ids)\n");
    c = heddle("run bfs --graph $T/gaps.txt --quiet");
    assert_string_equal(c->err, "");
    c = heddle("run bfs --graph $T/sizes.txt --format el,first=edge --source 2 --quiet");
    assert_int_equal(c->status, 0);
    assert_string_equal(c->err, "");
}

static void test_registers(void **state)
{
    (void)state;
    run_to("bfs --graph rmat:7,4 --registers bfs_expand=24,bfs_update=10", "run.json");
    json_t *result = checked_result("run.json");
    const json_t *kernels = json_object_get(result, "kernels");
    const json_t *given = json_object_get(result, "registers");
    assert_string_equal(json_string_value(json_array_get(given, 1)), "bfs_update=10");
    assert_int_equal(integer(json_array_get(kernels, 0), "registers"), 24);
    assert_int_equal(integer(json_array_get(kernels, 1), "registers"), 10);
    json_decref(result);
}

// A mutant that treats vertices of level 0 as not yet reached: the source gets a level again.
static void test_mutant(void **state)
{
    (void)state;
    char line[512];
    FILE *file = fopen(getenv("HEDDLE_BFS_PTX"), "r");
    assert_non_null(file);
    static char text[1 << 17];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    write_text("right.ptx", text);
    char *compare = strstr(text, "setp.gt.s32");
    char *constant = compare ? strstr(compare, "-1;") : NULL;
    if (!constant) fail_msg("the PTX has no '-1;' behind 'setp.gt.s32': adapt this test");
    memcpy(constant, " 0;", 3);
    write_text("mutant.ptx", text);
    run_to("bfs --impl warp --graph grid:20x20 --ptx $T/right.ptx", "right.json");
    snprintf(line, sizeof line,
             "run bfs --impl warp --graph grid:20x20 --ptx $T/mutant.ptx --out $T/wrong.json");
    const Command *c = heddle(line);
    assert_int_equal(c->status, 1);
    assert_non_null(strstr(c->out, "answer     WRONG: vertex 0"));
    assert_non_null(strstr(c->err, "heddle: the answer is wrong: vertex 0"));
    json_t *result = checked_result("wrong.json");
    assert_true(json_is_false(json_object_get(result, "verified")));
    json_decref(result);
}

// The disk fills up while the result is written: the old file stays, and no temporary file remains.
static void test_full_disk(void **state)
{
    (void)state;
    write_text("kept.json", "old");
    const Command *c = heddle_limited("run bfs --graph rmat:6,4 --quiet --out $T/kept.json", 1000);
    assert_int_equal(c->status, 2);
    char *text = read_text("kept.json"), line[256];
    snprintf(line, sizeof line, "heddle: %s/kept.json: cannot be written: File too large\n",
             command_folder());
    assert_string_equal(c->err, line);
    assert_string_equal(text, "old");
    free(text);
    snprintf(line, sizeof line, "test -z \"$(ls -A %s | grep heddle-writing)\"", command_folder());
    assert_int_equal(system(line), 0);
}

// Each launch comes after 1 us of 700 MHz: 700 core cycles, in no other number of the result.
static void test_launch_overhead(void **state)
{
    (void)state;
    static const char line[] =
        "spmv --graph rmat:6,4 --machine fermi-gtx480-gpgpusim4 --set launch.overhead=%s";
    json_t *with, *without;
    char command[256];
    snprintf(command, sizeof command, line, "0");
    run_to(command, "none.json");
    snprintf(command, sizeof command, line, "1us");
    run_to(command, "late.json");
    without = checked_result("none.json");
    with = checked_result("late.json");
    const json_t *launch = json_object_get(with, "launch");
    json_int_t launches = (json_int_t)json_array_size(json_object_get(with, "kernels"));
    assert_int_equal(integer(launch, "launches"), launches);
    assert_int_equal(integer(launch, "overhead_cycles"), 700 * launches);
    assert_int_equal(integer(launch, "hidden_cycles"), 0);
    assert_int_equal(integer(json_object_get(without, "launch"), "overhead_cycles"), 0);
    assert_int_equal(json_integer_value(json_object_get(
                         json_object_get(json_object_get(with, "parameters"), "launch"),
                         "overhead")), 1000);
    const char *key;
    json_t *value;
    json_object_foreach(with, key, value)
        if (strcmp(key, "launch") && strcmp(key, "parameters") && !strstr(key, "hash") &&
            !json_equal(value, json_object_get(without, key)))
            fail_msg("%s differs", key);
    json_decref(with);
    json_decref(without);
    snprintf(command, sizeof command, "run ");
    snprintf(command + 4, sizeof command - 4, line, "1us");
    const Command *c = heddle(command);
    assert_non_null(strstr(c->out, " x 1.000 us of overhead = 0.00"));
    assert_non_null(strstr(c->out, " ms, not in these cycles; "));
    snprintf(command + 4, sizeof command - 4, line, "0");
    assert_null(strstr(heddle(command)->out, "of overhead"));
    assert_refused("run spmv --set launch.overhead=1",
                   "launch.overhead = 1: expected a unit, ns, us or ms, as in 1.5us");
}

static void test_demo(void **state)
{
    (void)state;
    const Command *c = heddle("demo --graph rmat:8,8");
    assert_int_equal(c->status, 0);
    assert_non_null(strstr(c->out, "bfs topology on rmat:8,8"));
    assert_non_null(strstr(c->out, "bfs warp on rmat:8,8"));
    assert_non_null(strstr(c->out, "the same search, two ways"));
    assert_string_equal(c->err, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report), cmocka_unit_test(test_schema_and_sums),
        cmocka_unit_test(test_stream), cmocka_unit_test(test_sameness),
        cmocka_unit_test(test_functional), cmocka_unit_test(test_functional_implementations),
        cmocka_unit_test(test_functional_sameness),
        cmocka_unit_test(test_l15),
        cmocka_unit_test(test_hashes),  cmocka_unit_test(test_graph_options),
        cmocka_unit_test(test_notes_of_graphs), cmocka_unit_test(test_registers),
        cmocka_unit_test(test_mutant), cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_launch_overhead),
        cmocka_unit_test(test_demo),   cmocka_unit_test(test_slices_beside_channels),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
