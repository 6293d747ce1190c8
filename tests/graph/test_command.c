// `heddle graph`: its output, and one message and status 2 for each misuse.
#include "graph_checks.h"

#include "base/file.h"
#include "cli/common/commands.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Output {
    int status;
    char *out, *err;
} Output;

static int redirect(FILE *stream, const char *path)
{
    fflush(stream);
    int kept = dup(fileno(stream)), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && to >= 0);
    assert_true(dup2(to, fileno(stream)) >= 0);
    close(to);
    return kept;
}

static void restore(FILE *stream, int kept)
{
    fflush(stream);
    dup2(kept, fileno(stream));
    close(kept);
}

// Runs `heddle graph` with up to six arguments, the list ended by NULL.
static Output run(const char *const *arguments)
{
    char *argv[8], words[8][400];
    int argc = 0;
    strcpy(words[0], "graph");
    argv[argc++] = words[0];
    for (; *arguments; arguments++, argc++) {
        snprintf(words[argc], sizeof words[0], "%s", *arguments);
        argv[argc] = words[argc];
    }
    argv[argc] = NULL;
    const char *out_path = scratch_path("stdout"), *err_path = scratch_path("stderr");
    int out = redirect(stdout, out_path), err = redirect(stderr, err_path);
    Output result = {.status = command_graph.run(argc, argv)};
    restore(stdout, out);
    restore(stderr, err);
    size_t size;
    result.out = file_read(out_path, &size, NULL);
    result.err = file_read(err_path, &size, NULL);
    assert_non_null(result.out);
    assert_non_null(result.err);
    return result;
}
#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static void output_free(Output *output)
{
    free(output->out);
    free(output->err);
}

// 0->1 twice, 1->0, 1->1, 2->1, 4->5; 3 is isolated.
static const char *example(void)
{
    return scratch_text("example.mtx", "%%MatrixMarket matrix coordinate pattern general\n6 6 6\n"
                                       "1 2\n1 2\n2 1\n2 2\n3 2\n5 6\n");
}

static void test_info(void **state)
{
    (void)state;
    Output o = RUN("info", example());
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err, "");
    HdGraph *g = open_ok(example());
    char expected[2048];
    snprintf(expected, sizeof expected,
             "graph            example\n"
             "vertices         6\n"
             "edges            6 (directed)\n"
             "weights          none\n"
             "out-degree       min 0, mean 1.00, max 2 (vertex 0)\n"
             "                0            2 ########################################\n"
             "                1            2 ########################################\n"
             "             2..3            2 ########################################\n"
             "self loops       1\n"
             "duplicate edges  1\n"
             "with reverse     4\n"
             "isolated         1\n"
             "components       3 weakly connected, largest 3 vertices (50.0 %%)\n"
             "breadth-first    from vertex 0: reaches 2 (33.3 %%), depth 1\n"
             "diameter         at least 1 (double sweep: from 1 to 0)\n"
             "host memory      0.1 KiB\n"
             "device memory    0.1 KiB\n"
             "hash             %016llx\n", (unsigned long long)g->hash);
    assert_string_equal(o.out, expected);
    hd_graph_free(g);
    output_free(&o);
}

static void test_info_changes(void **state)
{
    (void)state;
    Output o = RUN("info", example(), "--largest-component", "--drop-loops", "--drop-duplicates");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "self loops       0\n"
                                  "duplicate edges  0\n"
                                  "changes          --drop-loops --drop-duplicates "
                                  "--largest-component\n"
                                  "dropped          1 self loops, 1 duplicate edges, 3 vertices\n"
                                  "with reverse     2\n"));
    output_free(&o);
    o = RUN("info", "--json", "--relabel", "random", example());
    json_t *json = json_loads(o.out, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "options")),
                        "--relabel random,seed=1");
    assert_true(json_is_object(json_object_get(json, "dropped")));
    json_decref(json);
    output_free(&o);
}

static json_int_t json_int(const json_t *json, const char *group, const char *key)
{
    const json_t *value = json_object_get(group ? json_object_get(json, group) : json, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void test_info_json(void **state)
{
    (void)state;
    Output o = RUN("info", "--json", example(), "--source", "2");
    assert_int_equal(o.status, 0);
    json_t *json = json_loads(o.out, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "name")), "example");
    assert_int_equal(strlen(json_string_value(json_object_get(json, "hash"))), 16);
    assert_true(json_is_true(json_object_get(json, "directed")));
    assert_int_equal(json_int(json, NULL, "vertices"), 6);
    assert_int_equal(json_int(json, NULL, "edges"), 6);
    assert_int_equal(json_int(json, "out_degree", "max"), 2);
    assert_int_equal(json_int(json, NULL, "duplicates"), 1);
    assert_int_equal(json_int(json, "components", "weak"), 3);
    assert_int_equal(json_int(json, "bfs", "source"), 2);
    assert_int_equal(json_int(json, "bfs", "reached"), 3);
    assert_int_equal(json_int(json, "bfs", "depth"), 2);
    assert_int_equal(json_int(json, "diameter", "at_least"), 2); // 2->1->0; the way back is none
    assert_int_equal(json_int(json, "diameter", "from"), 2);
    assert_int_equal(json_int(json, "diameter", "to"), 0);
    assert_int_equal(json_int(json, "bytes", "device"), 52);
    const json_t *rows = json_object_get(json_object_get(json, "out_degree"), "histogram");
    assert_int_equal(json_array_size(rows), 3);
    assert_int_equal(json_int(json_array_get(rows, 2), NULL, "from"), 2);
    assert_int_equal(json_int(json_array_get(rows, 2), NULL, "to"), 3);
    json_decref(json);
    output_free(&o);
}

// Vertex 0 has no edges: the search starts at the vertex with the most.
static void test_default_source(void **state)
{
    (void)state;
    Output o = RUN("info", scratch_text("late.txt", "1 0\n1 2\n2 3\n"));
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "from vertex 1: reaches 4 (100.0 %), depth 2\n"));
    output_free(&o);
}

// Runs `graph info`, with --format if it is not NULL. Compares the notes; in them "@" is the path.
static Output check_notes(const char *path, const char *format, const char *source,
                          const char *notes)
{
    char kept[400];
    snprintf(kept, sizeof kept, "%s", path);
    Output o = format ? RUN("info", kept, "--source", source, "--format", format)
                      : RUN("info", kept, "--source", source);
    assert_int_equal(o.status, 0);
    check_with_path(o.err, notes, kept);
    return o;
}

// How a file was read, and the id of a vertex, are notes.
static void test_notes(void **state)
{
    (void)state;
#define SIDES                                                                                      \
    "heddle: note: @:1: bipartite: the vertices of column 1 are 0 to 1, those of column 2 are 2 "  \
    "to 3\n"
    Output o = check_notes(scratch_text("ids.csv", "id,source,target\n0,30,500\n1,500,70\n"), NULL,
                           "2", "heddle: note: @:1: columns that are not read: 'id'\n"
                           "heddle: note: --source 2 is vertex 2 of the graph; its id in the file "
                           "is 500 (the formats el and wel keep ids)\n");
    assert_non_null(strstr(o.out, "from vertex 2: reaches 2 (66.7 %), depth 1\n"));
    output_free(&o);
    // Vertices 0 and 1 are 30 and 40; 2 and 3 are 30 and 70 of the second column.
    const char *path = scratch_text("sides.txt", "30 30\n40 70\n");
    o = check_notes(path, "txt,bipartite", "3", SIDES "heddle: note: --source 3 is vertex 3 of the "
                    "graph; its id on the second side of the file is 70\n");
    output_free(&o);
    o = check_notes(path, "txt,bipartite", "1", SIDES "heddle: note: --source 1 is vertex 1 of the "
                    "graph; its id on the first side of the file is 40\n");
    output_free(&o);
    // Vertex 4 is beyond the ids of both columns.
    o = check_notes(scratch_text("sizes.txt", "5 2\n0 0\n1 1\n"), "txt,bipartite,first=sizes", "4",
                    "heddle: note: @:2: bipartite: the vertices of column 1 are 0 to 1, those of "
                    "column 2 are 2 to 3; from 4 on, no edge says the column\n"
                    "heddle: note: --source 4 is vertex 4 of the graph; no edge says which side of "
                    "the file it is on\n");
    output_free(&o);
    path = scratch_text("names.txt", "ann bob\nbob cy\n");
    o = check_notes(path, NULL, "bob", "heddle: note: @:1: read as an edge; " NAMES("ann")
                    "heddle: note: --source bob is vertex 1 of the graph; its name in the file is "
                    "'bob'\n");
    assert_non_null(strstr(o.out, "from vertex 1: reaches 2 (66.7 %), depth 1\n"));
    output_free(&o);
    o = check_notes(path, NULL, "2", "heddle: note: @:1: read as an edge; " NAMES("ann")
                    "heddle: note: --source 2 is vertex 2 of the graph; its name in the file is "
                    "'cy'\n");
    output_free(&o);
    o = check_notes(scratch_text("kept.el", "30 500\n500 70\n"), NULL, "500", "");
    assert_non_null(strstr(o.out, "from vertex 500: reaches 2 (0.4 %), depth 1\n"));
    output_free(&o);
}

static void test_convert_and_gen(void **state)
{
    (void)state;
    const char *out = scratch_path("out.hdg");
    Output o = RUN("convert", example(), out);
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out, "");
    assert_non_null(strstr(o.err, "out.hdg: 6 vertices, 6 edges, hash "));
    output_free(&o);
    check_same(open_ok(example()), open_ok(out));

    o = RUN("gen", "--symmetrize", "rmat:6,4", out);
    assert_int_equal(o.status, 0);
    output_free(&o);
    HdError err = {0};
    HdGraphOptions options = {.symmetrize = true};
    check_same(hd_graph_open("rmat:6,4", &options, &err), open_ok(out));
}

static void test_like(void **state)
{
    (void)state;
    Output o = RUN("like");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "\nGraph1M             lakshminarayana2014   1000000   5999970  "
                                  "   12  er:1000000,2999985\n"));
    output_free(&o);
    o = RUN("like", "--json");
    assert_int_equal(o.status, 0);
    json_t *json = json_loads(o.out, 0, NULL);
    assert_true(json_array_size(json) >= 27);
    assert_int_equal(json_int(json_array_get(json, 0), NULL, "depth"), 12);
    assert_string_equal(json_string_value(json_object_get(json_array_get(json, 0), "spec")),
                        "er:1000000,2999985");
    json_decref(json);
    output_free(&o);
}

// The stand-in of a name, and where the original is.
static void test_like_name(void **state)
{
    (void)state;
    Output o = RUN("like", "human_gene1");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out,
        "like:               paper                vertices     edges  depth  generated as\n"
        "human               segura2022iru           22283  24647360      -  "
        "groups:22283,12323680,size=2..4000,far=.5,ring=1\n"
        "original: https://sparse.tamu.edu/Belcastro/human_gene1\n"
        "Is so dense that it cannot shrink below a tenth.\n"
        "Vertices and edges (each direction counts) are the original's; depth is the published\n"
        "number of levels of a breadth-first search. like:NAME,scale=S shrinks both.\n");
    output_free(&o);
    o = RUN("like", "cond", "--json");
    json_t *json = json_loads(o.out, 0, NULL);
    assert_int_equal(json_array_size(json), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(json, 0), "original")),
                        "https://sparse.tamu.edu/Newman/cond-mat-2005");
    json_decref(json);
    output_free(&o);
}

// Each ending that opens a file is described, endings of one format together.
static void test_formats(void **state)
{
    (void)state;
    Output list = RUN("formats"), unknown = RUN("info", "/dev/null");
    assert_int_equal(list.status, 0);
    assert_string_equal(list.err, "");
    assert_non_null(strstr(list.out, "\n.sg .wsg\n"
        "    GAP benchmark suite, serialised, binary: 32-bit ids. Weights: .wsg has\n"
        "    32-bit integers with the neighbours, .sg none.\n.egr\n"));
    assert_non_null(strstr(list.out, "\n.txt .edges .edgelist .ncol .csv .tsv\n    List of edges"));
    int endings = 0;
    char *names = strstr(unknown.err, "expected a file named "), *end = strstr(names, ", each");
    *end = 0;
    for (char *name = strtok(names + 22, " ,"); name; name = strtok(NULL, " ,")) {
        if (*name != '.') continue; // "or"
        char *at = strstr(list.out, name);
        while (at && !strchr(" \n", at[strlen(name)])) at = strstr(at + 1, name);
        if (!at) fail_msg("%s is not described", name);
        endings++;
    }
    assert_int_equal(endings, 22);
    output_free(&list);
    output_free(&unknown);
}

static void test_generators(void **state)
{
    (void)state;
    Output o = RUN("generators");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "\nuniform:VERTICES,DEGREE[,seed=N]\n"
        "    VERTICES x DEGREE directed edges, both ends drawn uniformly.\n"
        "grid:WIDTHxHEIGHT[,delete=0][,seed=N]\n"));
    HdGraphKind kind;
    for (int i = 0; hd_graph_generator(i, &kind); i++) assert_non_null(strstr(o.out, kind.name));
    output_free(&o);
}

static void misuse(Output o, const char *message)
{
    assert_int_equal(o.status, 2);
    assert_string_equal(o.out, "");
    assert_string_equal(o.err, message);
    output_free(&o);
}

// The path of the real gnuplot's folders is set aside, and a folder put in its place.
static void with_path(const char *folder, void (*check)(void))
{
    char *kept = strdup(getenv("PATH"));
    assert_non_null(kept);
    setenv("PATH", folder, 1);
    check();
    setenv("PATH", kept, 1);
    free(kept);
}

static void check_no_gnuplot(void)
{
    misuse(RUN("info", example(), "--svg", scratch_path("none.svg")),
           "heddle: gnuplot draws the figures, and is not installed; install the "
           "Debian package gnuplot-nox\n");
    assert_int_not_equal(access(scratch_path("none.svg"), F_OK), 0);
}

// A gnuplot that gives its script back as the figure.
static void check_script(void)
{
    Output o = RUN("info", example(), "--svg", scratch_path("script.svg"));
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "vertices         6\n")); // what is printed stays the same
    output_free(&o);
    size_t size;
    char *script = file_read(scratch_path("script.svg"), &size, NULL);
    assert_non_null(script);
    assert_non_null(strstr(script, "<title>degrees of example</title>\n<desc>Drawn by heddle "));
    assert_non_null(strstr(script, "\nset terminal svg size 454,"));
    assert_non_null(strstr(script, "\nset label 'degrees of example' at "));
    assert_non_null(strstr(script, "\nset label 'out-degree' at "));
    // Degree 0 has no place on a logarithmic axis.
    assert_non_null(strstr(script, "\nset logscale xy\n"));
    assert_non_null(strstr(script, "\n$d0 << END\n1 2\n2 2\nEND\n"));
    assert_non_null(strstr(script, "\nset label '2 of 6 vertices have out-degree 0, and are not "
                                   "shown' at "));
    free(script);
}

static void check_no_svg(void)
{
    misuse(RUN("info", example(), "--svg", scratch_path("none.svg")),
           "heddle: gnuplot drew no SVG with a <title> and a <desc>\n");
    assert_int_not_equal(access(scratch_path("none.svg"), F_OK), 0);
}

static void check_failure(void)
{
    const char *kept = scratch_text("kept.svg", "as it was");
    misuse(RUN("info", example(), "--svg", kept),
           "heddle: gnuplot drew nothing (status 3)\n");
    size_t size;
    char *text = file_read(kept, &size, NULL);
    assert_string_equal(text, "as it was");
    free(text);
}

static const char *fake_gnuplot(const char *text)
{
    static char folder[400];
    const char *path = scratch_text("gnuplot", text);
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    return folder;
}

static void test_svg(void **state)
{
    (void)state;
    with_path("/nonexistent", check_no_gnuplot);
    with_path(fake_gnuplot("#!/bin/sh\necho '<svg><title></title><desc></desc>'; exec /bin/cat\n"),
              check_script);
    with_path(fake_gnuplot("#!/bin/sh\nexec /bin/cat\n"), check_no_svg);
    with_path(fake_gnuplot("#!/bin/sh\nexit 3\n"), check_failure);
    misuse(RUN("info", example(), "--svg", "/nonexistent/x.svg"),
           "heddle: --svg /nonexistent/x.svg: cannot be written: No such file or directory\n");
    misuse(RUN("info", example(), "--svg", "degrees.gif"),
           "heddle: degrees.gif: expected a name of a figure that ends in .svg, .png or .pdf\n");
    misuse(RUN("gen", "rmat:4,4", "x.hdg", "--svg", "x.svg"),
           "heddle: --svg: expected with info, not with gen\n");
}

// If the real gnuplot is installed, it draws.
static void test_svg_drawn(void **state)
{
    (void)state;
    Output o = RUN("info", "rmat:8,8", "--svg", scratch_path("real.svg"));
    if (o.status == 2 && strstr(o.err, "is not installed")) {
        output_free(&o);
        skip();
    }
    assert_int_equal(o.status, 0);
    output_free(&o);
    size_t size;
    char *figure = file_read(scratch_path("real.svg"), &size, NULL);
    assert_non_null(strstr(figure, "<svg"));
    assert_non_null(strstr(figure, "rmat:8,8"));
    assert_non_null(strstr(figure, "</svg>"));
    free(figure);
    o = RUN("info", "rmat:8,8", "--svg", scratch_path("real.png"));
    assert_int_equal(o.status, 0);
    output_free(&o);
    figure = file_read(scratch_path("real.png"), &size, NULL);
    assert_memory_equal(figure, "\x89PNG\r\n\x1a\n", 8);
    free(figure);
}

static void test_help(void **state)
{
    (void)state;
    Output o = RUN("--help");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err, "");
    assert_int_equal(strncmp(o.out, "usage: heddle graph info GRAPH", 30), 0);
    output_free(&o);
}

static void test_misuse(void **state)
{
    (void)state;
#define SEE " (see heddle graph --help)\n"
    misuse(run((const char *const[]){NULL}),
           "heddle: nothing to do: expected info GRAPH, convert GRAPH OUT, gen SPEC OUT, "
           "formats, generators or like" SEE);
    misuse(RUN("inf"),
           "heddle: unknown action 'inf': expected info, convert, gen, formats, generators or "
           "like; did you mean 'info'?" SEE);
    misuse(RUN("info"), "heddle: info: expected one argument: a graph" SEE);
    misuse(RUN("info", "a.mtx", "b.mtx"), "heddle: info: expected one argument: a graph" SEE);
    misuse(RUN("formats", "mtx"), "heddle: formats: expected no argument" SEE);
    misuse(RUN("generators", "rmat"), "heddle: generators: expected no argument" SEE);
    misuse(RUN("like", "kron", "cond"),
           "heddle: like: expected no argument, or one stand-in's name" SEE);
    misuse(RUN("like", "Graph2M"),
           "heddle: there is no stand-in 'Graph2M': expected one that heddle graph like lists; did "
           "you mean 'Graph1M'?\n");
    misuse(RUN("like", "--source", "1"),
           "heddle: --source: expected with info, not with like\n");
    misuse(RUN("convert", "a.mtx"),
           "heddle: convert: expected two arguments: a graph, and the file to write" SEE);
    misuse(RUN("info", "a.mtx", "--jsn"),
           "heddle: unknown option --jsn; did you mean '--json'?" SEE);
    misuse(RUN("info", "-x", "a.mtx"), "heddle: unknown option -x" SEE);
    misuse(RUN("info", "a.mtx", "--json=3"),
           "heddle: --json takes no value" SEE);
    misuse(RUN("info", "a.mtx", "--symmetrize=3"), "heddle: --symmetrize takes no value" SEE);
    misuse(RUN("info", "a.mtx", "--relabel"), "heddle: --relabel needs a value" SEE);
    misuse(RUN("info", "a.mtx", "--relable", "bfs"),
           "heddle: unknown option --relable; did you mean '--relabel'?" SEE);
    misuse(RUN("info", "a.mtx", "--weights", "x"),
           "heddle: --weights x: expected LOW..HIGH or LOW..HIGH,seed=N with 32-bit integers, "
           "such as 1..64,seed=1\n");
    misuse(RUN("info", "a.mtx", "--source"), "heddle: --source needs a value" SEE);
    misuse(RUN("info", "rmat:4,4", "--source", "x"),
           "heddle: --source 'x': the graph rmat:4,4 has no names of vertices, which only a list "
           "of edges gives and no written file keeps: expected 0 to 15, or largest\n");
    misuse(RUN("info", "rmat:4,4", "--source", "16"),
           "heddle: source 16 is not a vertex of graph rmat:4,4: expected 0 to 15\n");
    misuse(RUN("gen", "rmat:4,4", "x.hdg", "--json"),
           "heddle: --json: expected with info or like, not with gen\n");
    misuse(RUN("gen", "a.mtx", "x.hdg"),
           "heddle: gen 'a.mtx': expected a spec such as rmat:16,8" SEE);
    misuse(RUN("gen", "rmat:4,4", "x.png"),
           "heddle: x.png: unknown graph format: expected a name that ends in .mtx, .txt, .csv, "
           ".gr, .graph, .sg, .wsg or .hdg, each also with .zst\n");
    misuse(RUN("info", "/nonexistent.mtx"),
           "heddle: /nonexistent.mtx: cannot be read: No such file or directory\n");
}

// The option takes precedence over the variable.
static void test_max_memory(void **state)
{
    (void)state;
#define NEEDS(limit, from)                                                                         \
    "heddle: rmat:10,8: 1024 vertices and 8192 edges need 44.1 KiB of memory: expected at most "   \
    limit " in all (" from ")\n"
    misuse(RUN("info", "rmat:10,8", "--max-memory", "32KiB"), NEEDS("32.0 KiB", "--max-memory"));
    misuse(RUN("info", "rmat:10,8", "--max-memory", "32KB"),
           "heddle: --max-memory '32KB': expected a size such as 4096, 64KiB, 1MiB or 2GiB\n");
    setenv("HEDDLE_MAX_MEMORY", "16KiB", 1);
    misuse(RUN("info", "rmat:10,8"), NEEDS("16.0 KiB", "--max-memory"));
    Output o = RUN("info", "rmat:10,8", "--max-memory", "1MiB");
    assert_int_equal(o.status, 0);
    output_free(&o);
    setenv("HEDDLE_MAX_MEMORY", "much", 1);
    misuse(RUN("info", "rmat:10,8"), "heddle: HEDDLE_MAX_MEMORY 'much': expected a size such as "
                                     "4096, 64KiB, 1MiB or 2GiB\n");
    unsetenv("HEDDLE_MAX_MEMORY");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),           cmocka_unit_test(test_info_json),
        cmocka_unit_test(test_info_changes),
        cmocka_unit_test(test_default_source), cmocka_unit_test(test_notes),
        cmocka_unit_test(test_convert_and_gen), cmocka_unit_test(test_help),
        cmocka_unit_test(test_like),
        cmocka_unit_test(test_like_name),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_generators),
        cmocka_unit_test(test_svg), cmocka_unit_test(test_svg_drawn),
        cmocka_unit_test(test_misuse), cmocka_unit_test(test_max_memory),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
