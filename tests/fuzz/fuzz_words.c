// Fuzz targets of small grammars: `arguments`, lines of --arg; `options`, the name of an option
// and in the next line its value; `generator`, the spec of a graph; `changes`, options that change
// a graph; `advise`, a table of measurements.
#include "fuzz.h"

#include "cli/run/raw_kernel.h"
#include "graph/graph_internal.h"
#include "workloads/advise.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 16, SMALL_GRAPH = 1 << 17 };

static void read_arguments(char *text)
{
    const char *lines[MAX_LINES + 1] = {NULL};
    HdError err = {0};
    RawKernel kernel;
    for (int i = 0; text && i < MAX_LINES; i++) lines[i] = strsep(&text, "\n");
    const char *dumps[] = {"0=file", NULL};
    RunOptions options = {.args = lines, .dumps = lines[0] && lines[0][0] == 'b' ? dumps : NULL};
    bool ok = raw_kernel_parse(&kernel, &options, &err);
    fuzz_check(ok != err.set, "arguments, or a message");
    raw_kernel_free(&kernel);
}

static void read_option(char *text)
{
    HdError err = {0};
    Settings settings = {0};
    const Option *option = option_find(simulation_options, strsep(&text, "\n"));
    if (!option || !text) return;
    OptionInput input = {.where = "--option", .text = option->type == OPTION_FLAG ? NULL : text,
                         .arena = &settings.arena, .err = &err};
    for (int again = 0; again < 2 && !err.set; again++) {
        input.again = again;
        bool ok = option_assign(option, &settings, &input);
        fuzz_check(ok != err.set, "a value, or a message");
    }
    settings_free(&settings);
}

static void run_generator(const char *spec)
{
    HdError err = {0};
    if (!is_generator_spec(spec)) return; // a file
    const HdGraphOptions small = {.max_memory = SMALL_GRAPH};
    HdGraph *graph = hd_graph_open(spec, &small, &err);
    fuzz_check(!graph == err.set, "a graph, or a message");
    hd_graph_free(graph);
}

// Lines "name value".
static void read_changes(char *text)
{
    HdError err = {0};
    HdGraphOptions options = {0};
    char all[HD_GRAPH_OPTIONS_TEXT];
    for (int i = 0; text && i < MAX_LINES && !err.set; i++) {
        char *value = strsep(&text, "\n"), *name = strsep(&value, " ");
        bool ok = hd_graph_option(&options, name, value, &err);
        fuzz_check(ok != err.set, "an option, or a message");
    }
    hd_graph_options_text(&options, all);
    if (err.set) return;
    options.max_memory = SMALL_GRAPH;
    HdGraph *graph = hd_graph_open("rmat:3,4", &options, &err);
    fuzz_check(!graph == err.set, "a graph, or a message");
    hd_graph_free(graph);
}

static void read_table(const uint8_t *bytes, size_t size)
{
    HdError err = {0};
    AdviseTable *table = advise_read(fuzz_file(bytes, size), &err);
    fuzz_check(!table == err.set, "a table, or a message");
    advise_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = fuzz_text(bytes, size);
    if (strcmp(fuzz_target, "arguments") == 0) read_arguments(text);
    if (strcmp(fuzz_target, "options") == 0) read_option(text);
    if (strcmp(fuzz_target, "generator") == 0) run_generator(text);
    if (strcmp(fuzz_target, "changes") == 0) read_changes(text);
    if (strcmp(fuzz_target, "advise") == 0) read_table(bytes, size);
    free(text);
    return 0;
}
