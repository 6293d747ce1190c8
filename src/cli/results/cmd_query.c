// `heddle query`: SQL over a store of results.
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "store/query.h"

#include <stdlib.h>

typedef struct QueryOptions {
    unsigned format;
    uint64_t result; // number of a run; 0: none
} QueryOptions;

#define TARGET(field) .target = offsetof(QueryOptions, field)

static const Option query_options[] = {
    {.name = "format", .type = OPTION_CHOICE, TARGET(format), .value = "table|csv|json|markdown",
     .choices = rows_formats, .help = "how rows are printed (default table)"},
    {.name = "result", .type = OPTION_U64, TARGET(result), .value = "RUN", .min = 1,
     .max = INT64_MAX,
     .help = "print the result file of this run, as heddle run --out writes it, instead of rows"},
    {0},
};

static const char all_runs[] =
    "SELECT run, program, implementation, graph, machine, mechanisms, cycles,"
    " round(1.0 * warp_instructions / cycles, 3) AS ipc, verified, date FROM runs ORDER BY run";

static bool print_result(Store *store, uint64_t run, HdError *err)
{
    size_t size;
    char *text = store_result(store, (int64_t)run, &size, err);
    if (!text) return false;
    fwrite(text, 1, size, stdout);
    putchar('\n');
    free(text);
    return true;
}

static bool print_rows(Store *store, const char *sql, RowsFormat format, HdError *err)
{
    Rows rows;
    bool ok = store_query(store, sql, &(QueryPlace){.name = "SQL", .line = 1, .column = 1}, &rows,
                          err) &&
              (rows_print(&rows, format, stdout) || hd_fail_memory(err, "printing rows"));
    rows_free(&rows);
    return ok;
}

static int query(const CommandLine *line, void *values)
{
    const QueryOptions *o = values;
    HdError err = {0};
    if (line->argument_count < 1 || line->argument_count > 2)
        return cli_fail_with("query: expected a store and SQL in quotes (see heddle query --help)");
    if (o->result && (line->argument_count == 2 || command_line_has(line, "format")))
        return cli_fail_with("--result prints a result file: expected neither SQL nor --format");
    const char *sql = line->argument_count == 2 ? line->arguments[1] : all_runs;
    Store *store = store_open(line->arguments[0], STORE_READ, &err);
    bool ok = store && (o->result ? print_result(store, o->result, &err)
                                  : print_rows(store, sql, o->format, &err));
    store_close(store);
    return ok ? cli_flush() : cli_fail(&err);
}

static int cmd_query(int argc, char **argv)
{
    QueryOptions options = {0};
    return command_line_run(&command_query, query, &options, (void *[]){&options}, argc, argv);
}

const Command command_query = {
    .name = "query",
    .summary = "ask a store of results in SQL",
    .synopsis = "query STORE [\"SQL\"] [--format FORMAT]\n"
                "query STORE --result RUN",
    .description =
        "Prints the rows of a SELECT over a store, which heddle run --store and heddle cuda "
        "--store add to; without SQL, the runs. A store is an SQLite file, and is not changed.\n"
        "\n"
        "The table runs has a row for each run: run, program, implementation, graph, machine, "
        "mechanisms, verified, cut, cycles, warp_instructions, thread_instructions, seconds, "
        "date, version, sources, inputs, counters. The table launches has a row for each timed "
        "launch: run, launch (its number in the run), kernel, cycles, warp_instructions, "
        "counters. Inputs and counters are JSON with the names of heddle run --out; seconds is "
        "the host's time for the whole run.\n"
        "\n"
        "Beside SQLite's own functions there are counter(counters, NAME), where members are "
        "joined by dots, as in l1d.load_misses or lanes.32, and an error if there is no such "
        "counter; counter(counters, NAME, X), which is then X; result_text(result), the JSON of "
        "the whole result file, with the pcs of each launch; fixed(X, N), X as text with N decimal "
        "places; and the aggregates geomean(X), hmean(X), median(X) and percentile(X, P). "
        "geomean_all(X), hmean_all(X) and avg_all(X) are NULL if one X is.",
    .tables = {query_options},
    .notes = "exit status: 0 success; 2 bad input, such as a mistake in the SQL\n"
             "\n"
             "example:\n"
             "  heddle run bfs --graph rmat:14,8 --store mine.db\n"
             "  heddle run bfs --graph rmat:14,8 --mechanism next-line --store mine.db\n"
             "  heddle query mine.db \"SELECT mechanisms, cycles,\n"
             "      counter(counters, 'l1d.load_misses') AS misses FROM runs\"",
    .run = cmd_query,
};
