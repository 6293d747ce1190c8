// Compares tables of the papers with Heddle's results: registers and occupancy, depths of the
// inputs, iterations. Prints Markdown.
//
//     build/bench/paper_tables build/heddle [registers | depths | iterations]...
#include "child.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Context {
    const char *heddle;
    char folder[32], out[64];
} Context;

// Runs `heddle run WORDS` (separated by blanks). Returns its `result`, which the caller owns.
static json_t *run(const Context *context, const char *words, HdError *err)
{
    Child child = {0};
    char copy[512];
    snprintf(copy, sizeof copy, "%s", words);
    child_add(&child, "%s", context->heddle);
    child_add(&child, "run");
    for (char *rest = copy, *word; (word = strsep(&rest, " "));) child_add(&child, "%s", word);
    child_add(&child, "--quiet");
    child_add(&child, "--out");
    child_add(&child, "%s", context->out);
    unlink(context->out);
    if (!child_run(&child, "/dev/null", NULL, err)) return NULL;
    json_t *root = child.status ? NULL : json_load_file(context->out, 0, NULL);
    json_t *result = json_incref(json_object_get(root, "result"));
    json_decref(root);
    if (!result) hd_fail(err, "exit status %d from heddle run %s", child.status, words);
    return result;
}

static long integer(const json_t *object, const char *key)
{
    return (long)json_integer_value(json_object_get(object, key));
}

// ---- registers: lakshminarayana2014, Tables 4 and 18 ----

typedef struct RegisterRow {
    const char *label, *words, *kernel;
    int published, threads; // registers per thread; resulting resident threads per SM
} RegisterRow;

static const RegisterRow register_rows[] = {
    {"H-BFS", "bfs --impl hipc --block 512", "bfs_hipc", 15, 1536},
    {"H-SSSP", "sssp --impl hipc --block 512", "sssp_hipc", 17, 1536},
    {"H-MST", "mst --impl hipc --block 512", "mst_hipc", 21, 1024},
    {"LS-BFS", "bfs --impl lonestar --block 1024", "bfs_lonestar", 19, 1024},
    {"LS-SSSP", "sssp --impl lonestar --block 1024", "sssp_lonestar", 22, 1024},
    {"LS-MST", "mst --impl lonestar --block 512", "mst_lightest", 13, 1024},
    {"STCON", "stcon --impl topology --block 512", "stcon_expand", 23, 1024},
    {"Base", "bfs --impl topology --block 512", "bfs_expand", 13, 1536},
    {"SWP", "bfs --impl swp --block 512", "bfs_expand_swp", 15, 1536},
    {"SWPNC", "bfs --impl swpnc --block 512", "bfs_expand_swpnc", 16, 1536},
    {"UNR2", "bfs --impl unr2 --block 512", "bfs_expand_unr2", 19, 1536},
    {"UNR3", "bfs --impl unr3 --block 512", "bfs_expand_unr3", 24, 1024},
    {"UNR2_SWP", "bfs --impl unr2-swp --block 512", "bfs_expand_unr2_swp", 20, 1536},
    {"UNR2_SWPNC", "bfs --impl unr2-swpnc --block 512", "bfs_expand_unr2_swpnc", 20, 1536},
};

// The first launch of the kernel, or NULL.
static const json_t *find_launch(const json_t *result, const char *kernel)
{
    size_t i;
    const json_t *launch;
    json_array_foreach(json_object_get(result, "kernels"), i, launch) {
        const char *name = json_string_value(json_object_get(launch, "name"));
        if (name && strcmp(name, kernel) == 0) return launch;
    }
    return NULL;
}

static bool print_registers(const Context *context, HdError *err)
{
    enum { FILE_BYTES = 128 << 10 }; // register file of an SM
    printf("| kernel | | registers | | threads of an SM | | unused | |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
           "| | | paper | ours | paper | ours | paper | ours |\n");
    for (size_t i = 0; i < sizeof register_rows / sizeof *register_rows; i++) {
        const RegisterRow *row = &register_rows[i];
        char words[256];
        snprintf(words, sizeof words, "%s --graph rmat:8,8 --symmetrize --machine fermi-macsim",
                 row->words);
        json_t *result = run(context, words, err);
        if (!result) return false;
        const json_t *kernel = find_launch(result, row->kernel);
        if (!kernel) {
            json_decref(result);
            return hd_fail(err, "heddle run %s launches no %s", words, row->kernel);
        }
        long registers = integer(kernel, "registers");
        long block = json_integer_value(json_array_get(json_object_get(kernel, "block"), 0));
        long threads = integer(kernel, "blocks_per_sm") * block;
        printf("| %s | `%s` | %d | %ld | %d | %ld | %d KB | %ld KB |\n", row->label,
               row->kernel, row->published, registers,
               row->threads, threads, (FILE_BYTES - 4 * row->published * row->threads) >> 10,
               (FILE_BYTES - 4 * registers * threads) >> 10);
        json_decref(result);
    }
    return true;
}

// ---- depths: lakshminarayana2014, Table 5 ----

typedef struct DepthRow {
    const char *label, *graph;
    int published;
} DepthRow;

static const DepthRow depth_rows[] = {
    {"Graph1M", "like:Graph1M", 12},
    {"RMAT20", "like:rmat20", 13},
    {"R4_2e20", "like:r4-2e20", 16},
};

static bool print_depths(const Context *context, HdError *err)
{
    printf("| input | stand-in | depth, paper | depth, ours | vertices reached |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof depth_rows / sizeof *depth_rows; i++) {
        const DepthRow *row = &depth_rows[i];
        char words[256];
        snprintf(words, sizeof words, "bfs --functional --graph %s", row->graph);
        json_t *result = run(context, words, err);
        if (!result) return false;
        const json_t *answer = json_object_get(result, "answer");
        printf("| %s | `%s` | %d | %ld | %ld |\n", row->label, row->graph, row->published,
               integer(answer, "depth"), integer(answer, "reached"));
        json_decref(result);
    }
    return true;
}

// ---- iterations: lakshminarayana2014, Table 16; half an hour at full size ----

typedef struct IterationRow {
    const char *label, *graph;
    int bfs, sssp, colouring; // published
} IterationRow;

static const IterationRow iteration_rows[] = {
    {"in-2004", "like:in-2004", 26, 64, 708},
    {"coPapersDBLP", "like:coPapersDBLP", 15, 76, 423},
    {"great-britain", "like:great-britain", 6389, 6432, 12},
    {"er-fact1.5-scale22", "like:er-fact1.5-scale22", 7, 40, 68},
    {"rgg_n_2_22_s0", "like:rgg_n_2_22_s0", 1141, 2549, 38},
};

// The launches of the implementation for work lists, one for each iteration.
static long iterations(const Context *context, const char *words, const char *graph, HdError *err)
{
    char line[512];
    snprintf(line, sizeof line, "%s --impl data --functional --graph %s --symmetrize", words,
             graph);
    json_t *result = run(context, line, err);
    if (!result) return -1;
    long count = (long)json_array_size(json_object_get(result, "kernels"));
    json_decref(result);
    return count;
}

static bool print_iterations(const Context *context, HdError *err)
{
    printf("| input | stand-in | BFS, paper | ours | SSSP, paper | ours | CLR, paper | ours |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof iteration_rows / sizeof *iteration_rows; i++) {
        const IterationRow *row = &iteration_rows[i];
        long bfs = iterations(context, "bfs", row->graph, err);
        long sssp = bfs < 0 ? -1 : iterations(context, "sssp --weights 1..100", row->graph, err);
        long colouring = sssp < 0 ? -1 : iterations(context, "colouring", row->graph, err);
        if (colouring < 0) return false;
        printf("| %s | `%s` | %d | %ld | %d | %ld | %d | %ld |\n", row->label, row->graph,
               row->bfs, bfs, row->sssp, sssp, row->colouring, colouring);
    }
    return true;
}

// ---- all of them ----

static const struct Table {
    const char *name, *title;
    bool (*print)(const Context *context, HdError *err);
} tables[] = {
    {"registers", "Registers and occupancy (lakshminarayana2014, Tables 4 and 18), fermi-macsim",
     print_registers},
    {"depths", "BFS depth from vertex 0 (lakshminarayana2014, Table 5)", print_depths},
    {"iterations", "Iterations (lakshminarayana2014, Table 16)", print_iterations},
};
enum { TABLES = sizeof tables / sizeof *tables };

static const struct Table *find_table(const char *name)
{
    for (int i = 0; i < TABLES; i++)
        if (strcmp(tables[i].name, name) == 0) return &tables[i];
    return NULL;
}

static int fail(const HdError *err)
{
    fprintf(stderr, "paper_tables: %s\n", err->text);
    return 2;
}

int main(int argc, char **argv)
{
    HdError err;
    if (argc < 2) {
        hd_fail(&err, "no heddle given: expected its path, then any of registers, depths, "
                      "iterations");
        return fail(&err);
    }
    for (int i = 2; i < argc; i++)
        if (!find_table(argv[i])) {
            hd_fail(&err, "there is no table '%s': registers, depths, iterations", argv[i]);
            return fail(&err);
        }
    Context context = {.heddle = argv[1], .folder = "/tmp/heddle-tables-XXXXXX"};
    if (!mkdtemp(context.folder)) {
        hd_fail(&err, "%s: %s", context.folder, strerror(errno));
        return fail(&err);
    }
    snprintf(context.out, sizeof context.out, "%s/run.json", context.folder);
    setvbuf(stdout, NULL, _IOLBF, 0); // rows take minutes: show each when it is complete
    bool ok = true;
    for (int i = 0; ok && i < TABLES; i++) {
        bool wanted = argc == 2;
        for (int a = 2; a < argc; a++) wanted |= find_table(argv[a]) == &tables[i];
        if (!wanted) continue;
        printf("### %s\n\n", tables[i].title);
        ok = tables[i].print(&context, &err);
        printf("\n");
    }
    unlink(context.out);
    rmdir(context.folder);
    return ok ? 0 : fail(&err);
}
