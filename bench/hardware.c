// The measurements of lakshminarayana2014, chapter 5, on this host's GPU: BFS, SSSP and colouring,
// by implementation and graph: time, power, energy. Writes one JSON file per GPU after every cell
// of the matrix, and resumes from it when started again.
//
//     build/bench/hardware [options] build/heddle [-- OPTION OF HEDDLE RUN...]
#include "base/file.h"
#include "base/text.h"
#include "child.h"
#include "stats/stats.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: build/bench/hardware [options] build/heddle [-- OPTION OF HEDDLE RUN...]\n"
    "\n"
    "Measures BFS, SSSP and colouring in the implementations and on the graphs of\n"
    "lakshminarayana2014, chapter 5, on this host's GPU. Leaves out cells that the output file\n"
    "contains.\n"
    "\n"
    "  --seconds S   repeat each cell for S seconds (default 10; the paper has 20)\n"
    "  --scale X     scale of the generated graphs (default 1)\n"
    "  --data DIR    folder of the original graphs: NAME.graph or NAME.mtx, plain or .gz\n"
    "  --only TEXT   measure only cells whose name contains TEXT, such as 'bfs warp' or in-2004\n"
    "  --date TEXT   date to write into a new file\n"
    "  --out FILE    output file (default reference/hardware/GPU.json)\n"
    "\n"
    "Options after -- are passed to every run, such as -- --counts --machine kepler-k40c.\n";

static const struct Cell {
    const char *workload, *implementation, *weights;
} cells[] = {
    {"bfs", "topology", ""},          {"bfs", "warp", ""},
    {"bfs", "data", ""},              {"bfs", "unrolled", ""},
    {"sssp", "topology", "1..100"},   {"sssp", "warp", "1..100"},
    {"sssp", "data", "1..100"},       {"colouring", "topology", ""},
    {"colouring", "warp", ""},        {"colouring", "data", ""},
};
static const char *const graphs[] = {"in-2004", "coPapersDBLP", "great-britain",
                                     "er-fact1.5-scale22", "rgg_n_2_22_s0"};
enum { CELLS = sizeof cells / sizeof *cells, GRAPHS = sizeof graphs / sizeof *graphs };

typedef struct Context {
    const char *heddle, *seconds, *scale, *data, *only, *date;
    char out[512];
    char *const *extra; // options of heddle run
    int extras;
    char folder[32], result[64], errors[64];
} Context;

// ---- one run ----

// Runs `heddle run` with the child's arguments and reads its measurements. On failure returns NULL;
// err is heddle's message.
static json_t *measure(const Context *context, Child *child, HdError *err)
{
    for (int i = 0; i < context->extras; i++) child_add(child, "%s", context->extra[i]);
    child_add(child, "--backend");
    child_add(child, "cuda");
    child_add(child, "--quiet");
    child_add(child, "--out");
    child_add(child, "%s", context->result);
    unlink(context->result);
    if (!child_run(child, "/dev/null", context->errors, err)) return NULL;
    json_t *root = child->status ? NULL : json_load_file(context->result, 0, NULL);
    json_t *measured = json_incref(json_object_get(root, "measured"));
    json_decref(root);
    if (measured) return measured;
    size_t size;
    char *text = file_read(context->errors, &size, err);
    if (!text) return NULL;
    const char *start = strncmp(text, "heddle: ", 8) == 0 ? text + 8 : text;
    hd_fail(err, "%.*s", (int)strcspn(start, "\n"), *start ? start : "no message");
    free(text);
    return NULL;
}

static void add_run(const Context *context, Child *child, const struct Cell *cell)
{
    child_add(child, "%s", context->heddle);
    child_add(child, "run");
    child_add(child, "%s", cell->workload);
    child_add(child, "--impl");
    child_add(child, "%s", cell->implementation);
}

// Returns the description of the GPU, from a run on a graph of two vertices.
static json_t *ask_device(const Context *context, HdError *err)
{
    Child child = {0};
    Context plain = *context;
    plain.extras = 0;
    add_run(context, &child, &cells[0]);
    child_add(&child, "--graph");
    child_add(&child, "grid:2x1");
    json_t *measured = measure(&plain, &child, err);
    json_t *device = json_incref(json_object_get(measured, "device"));
    json_decref(measured);
    return device;
}

// The original graph if the folder of originals has it, otherwise the stand-in.
static void graph_spec(const Context *context, const char *name, char *text, size_t size)
{
    static const char *const endings[] = {".graph", ".graph.gz", ".mtx", ".mtx.gz"};
    for (size_t i = 0; context->data && i < sizeof endings / sizeof *endings; i++) {
        snprintf(text, size, "%s/%s%s", context->data, name, endings[i]);
        if (access(text, R_OK) == 0) return;
    }
    snprintf(text, size, "like:%s,scale=%s", name, context->scale);
}

// ---- the file ----

// The conditions that all cells of a file have in common.
static json_t *conditions(const Context *context)
{
    json_t *extra = json_array();
    for (int i = 0; i < context->extras; i++)
        json_array_append_new(extra, json_string(context->extra[i]));
    return json_pack("{ss ss so}", "seconds", context->seconds, "scale", context->scale, "options",
                     extra);
}

static json_t *new_file(const Context *context, json_t *device)
{
    return json_pack("{sO so ss? so s[]}", "device", device, "conditions", conditions(context),
                     "date", context->date, "paper",
                     json_string("lakshminarayana2014, chapter 5"), "cells");
}

// "NVIDIA H200" becomes reference/hardware/nvidia-h200.json.
static bool default_path(Context *context, const json_t *device, HdError *err)
{
    static const char *const folders[] = {"reference", "reference/hardware"};
    size_t used = (size_t)snprintf(context->out, sizeof context->out, "%s/", folders[1]);
    const char *name = json_string_value(json_object_get(device, "name"));
    for (; name && *name && used + 8 < sizeof context->out; name++)
        context->out[used++] = text_is_alphanumeric(*name)
                                   ? text_lower(*name) : '-';
    strcpy(context->out + used, ".json");
    for (size_t i = 0; i < 2; i++)
        if (mkdir(folders[i], 0777) && errno != EEXIST)
            return hd_fail(err, "%s: %s", folders[i], strerror(errno));
    return true;
}

// Opens the existing file, or creates a new one. Fails if its cells were measured under other
// conditions.
static json_t *open_file(const Context *context, json_t *device, HdError *err)
{
    json_error_t why;
    if (access(context->out, F_OK)) return new_file(context, device);
    json_t *file = json_load_file(context->out, 0, &why), *own = conditions(context);
    const char *differs = NULL;
    if (!file) {
        hd_fail_at(err, context->out, why.line, why.column, "is no JSON: %s", why.text);
    } else if (!json_is_array(json_object_get(file, "cells"))) {
        differs = "is no file of these measurements";
    } else if (!json_equal(json_object_get(file, "device"), device)) {
        differs = "was measured on another GPU or with another driver";
    } else if (!json_equal(json_object_get(file, "conditions"), own)) {
        differs = "was measured with other options";
    }
    json_decref(own);
    if (!differs) return file;
    hd_fail(err, "%s: %s; give another --out, or move it away", context->out, differs);
    json_decref(file);
    return NULL;
}

static bool has_text(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, text) == 0;
}

// The index of a cell in the file, or the number of cells if it is missing.
static size_t find_cell(const json_t *all, const struct Cell *cell, const char *graph)
{
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)all, i, one)
        if (has_text(one, "workload", cell->workload) && has_text(one, "graph", graph) &&
            has_text(one, "implementation", cell->implementation))
            return i;
    return i;
}

static bool put_cell(const Context *context, json_t *file, size_t place, json_t *cell, HdError *err)
{
    json_t *all = json_object_get(file, "cells");
    bool ok = place < json_array_size(all) ? json_array_set_new(all, place, cell) == 0
                                           : json_array_append_new(all, cell) == 0;
    return ok ? stats_write_json(context->out, file, err) : hd_fail_memory(err, "keeping a cell");
}

// ---- the matrix ----

static void copy_keys(json_t *to, const json_t *from, const char *const *keys)
{
    for (; *keys; keys++) json_object_set(to, *keys, json_object_get(from, *keys));
}

// The cell of the file: the kept results of a run, or why it failed.
static json_t *cell_json(const struct Cell *cell, const char *graph, const json_t *measured,
                         const HdError *why)
{
    static const char *const keys[] = {"verified", "answer", "workload_parameters", "milliseconds",
                                       "repeated_milliseconds", "power", "counts", NULL};
    static const char *const of_graph[] = {"spec", "options", "vertices", "edges", "hash", NULL};
    json_t *json = json_pack("{ss ss ss ss?}", "workload", cell->workload, "implementation",
                             cell->implementation, "graph", graph, "error",
                             measured ? NULL : why->text);
    if (!measured || !json) return json;
    json_t *input = json_object();
    copy_keys(input, json_object_get(measured, "graph"), of_graph);
    json_object_set_new(json, "input", input);
    json_object_set_new(json, "launches",
                        json_integer((json_int_t)json_array_size(
                            json_object_get(measured, "kernels"))));
    copy_keys(json, measured, keys);
    return json;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

// Returns whether --only selects the cell; writes the cell's name.
static bool is_wanted(const Context *context, const struct Cell *cell, const char *graph,
                      char *name, size_t size)
{
    snprintf(name, size, "%s %s %s", cell->workload, cell->implementation, graph);
    return !context->only || strstr(name, context->only);
}

static bool check_only(const Context *context, HdError *err)
{
    char name[128];
    for (int g = 0; g < GRAPHS; g++)
        for (int c = 0; c < CELLS; c++)
            if (is_wanted(context, &cells[c], graphs[g], name, sizeof name)) return true;
    return hd_fail(err, "--only '%s': no cell has that in its name; the last is '%s'",
                   context->only, name);
}

// Measures a cell unless the file has it. `failed` counts cells that could not be measured.
static bool do_cell(const Context *context, json_t *file, const struct Cell *cell,
                    const char *graph, int *failed, HdError *err)
{
    const json_t *all = json_object_get(file, "cells");
    size_t place = find_cell(all, cell, graph);
    const json_t *there = json_array_get(all, place);
    char name[128], spec[512];
    if (!is_wanted(context, cell, graph, name, sizeof name)) return true;
    if (there && json_is_null(json_object_get(there, "error"))) {
        printf("%-40s is there\n", name);
        return true;
    }
    Child child = {0};
    HdError why = {0};
    graph_spec(context, graph, spec, sizeof spec);
    add_run(context, &child, cell);
    child_add(&child, "--graph");
    child_add(&child, "%s", spec);
    child_add(&child, "--symmetrize");
    child_add(&child, "--seconds");
    child_add(&child, "%s", context->seconds);
    if (*cell->weights) child_add(&child, "--weights");
    if (*cell->weights) child_add(&child, "%s", cell->weights);
    json_t *measured = measure(context, &child, &why);
    const json_t *power = json_object_get(measured, "power");
    if (measured)
        printf("%-40s %12.3f ms %8.1f W %12.4g J\n", name,
               number(measured, "repeated_milliseconds"), number(power, "watts"),
               number(power, "joules_each"));
    else
        printf("%-40s %s\n", name, why.text);
    fflush(stdout);
    *failed += !measured;
    bool ok = put_cell(context, file, place, cell_json(cell, graph, measured, &why), err);
    json_decref(measured);
    return ok;
}

static bool do_matrix(Context *context, int *failed, HdError *err)
{
    json_t *device = check_only(context, err) ? ask_device(context, err) : NULL;
    bool ok = device && (*context->out || default_path(context, device, err));
    json_t *file = ok ? open_file(context, device, err) : NULL;
    if (file)
        printf("%s: %s\n", json_string_value(json_object_get(device, "name")), context->out);
    for (int g = 0; file && ok && g < GRAPHS; g++)
        for (int c = 0; ok && c < CELLS; c++)
            ok = do_cell(context, file, &cells[c], graphs[g], failed, err);
    ok = ok && file;
    json_decref(file);
    json_decref(device);
    return ok;
}

// ---- the command line ----

static bool parse(Context *context, int argc, char **argv, HdError *err)
{
    static const struct option options[] = {
        {"seconds", required_argument, NULL, 's'}, {"scale", required_argument, NULL, 'x'},
        {"data", required_argument, NULL, 'd'},    {"only", required_argument, NULL, 'o'},
        {"date", required_argument, NULL, 'D'},    {"out", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},          {0},
    };
    *context = (Context){.seconds = "10", .scale = "1", .folder = "/tmp/heddle-hardware-XXXXXX"};
    for (int c; (c = getopt_long(argc, argv, "+h", options, NULL)) != -1;) {
        switch (c) {
        case 's': context->seconds = optarg; break;
        case 'x': context->scale = optarg; break;
        case 'd': context->data = optarg; break;
        case 'o': context->only = optarg; break;
        case 'D': context->date = optarg; break;
        case 'f': snprintf(context->out, sizeof context->out, "%s", optarg); break;
        case 'h': fputs(usage, stdout); exit(0);
        default: return hd_fail(err, "--help shows the options"); // getopt has reported the option
        }
    }
    if (optind == argc) return hd_fail(err, "no heddle given: expected its path");
    context->heddle = argv[optind++];
    if (optind == argc) return true;
    if (strcmp(argv[optind], "--") != 0)
        return hd_fail(err, "'%s': options of heddle run come behind --", argv[optind]);
    context->extra = argv + optind + 1;
    context->extras = argc - optind - 1;
    return true;
}

int main(int argc, char **argv)
{
    Context context;
    HdError err = {0};
    int failed = 0;
    bool ok = parse(&context, argc, argv, &err);
    if (ok && !mkdtemp(context.folder))
        ok = hd_fail(&err, "%s: %s", context.folder, strerror(errno));
    if (ok) {
        snprintf(context.result, sizeof context.result, "%s/run.json", context.folder);
        snprintf(context.errors, sizeof context.errors, "%s/errors", context.folder);
        ok = do_matrix(&context, &failed, &err);
        unlink(context.result);
        unlink(context.errors);
        rmdir(context.folder);
    }
    if (failed) printf("%d could not be measured\n", failed);
    if (ok) return failed ? 1 : 0;
    fprintf(stderr, "hardware: %s\n", err.text);
    return 2;
}
