// The report of a run as plain text.
#include "cli/run/run_report.h"

#include "report/format_numbers.h"
#include "report/counter_tables.h"

#include <string.h>

// ---- the answer and the time ----

// Changes, self loops and duplicates of the graph; nothing for an unchanged simple graph.
static void print_graph(const Run *run, FILE *out)
{
    const HdGraph *graph = run->graph;
    const HdGraphDropped *dropped = &graph->dropped;
    char options[HD_GRAPH_OPTIONS_TEXT], loops[NUMBER_TEXT], duplicates[NUMBER_TEXT];
    char vertices[NUMBER_TEXT];
    hd_graph_options_text(&run->options->graph_changes, options);
    if (!*options && !run->self_loops && !run->duplicates) return;
    fprintf(out, "graph      %s%shas %s self loops, %s duplicate edges", options,
            *options ? ": " : "", format_count(run->self_loops, loops),
            format_count(run->duplicates, duplicates));
    if (dropped->self_loops || dropped->duplicates || dropped->vertices)
        fprintf(out, "; dropped: %s, %s, and %s vertices",
                format_count(dropped->self_loops, loops),
                format_count(dropped->duplicates, duplicates),
                format_count(dropped->vertices, vertices));
    fprintf(out, "\n");
}

void run_report_title(const Run *run, const char *where, FILE *out)
{
    char vertices[NUMBER_TEXT], edges[NUMBER_TEXT];
    fprintf(out, "%s %s", run->workload, run->implementation);
    if (run->graph)
        fprintf(out, " on %s (%s vertices, %s edges)", run->graph->name,
                format_count(run->graph->vertices, vertices),
                format_count(run->graph->edges, edges));
    fprintf(out, ", %s\n", where);
    if (run->graph) print_graph(run, out);
    if (run->options->source.largest && run->graph)
        fprintf(out, "source     vertex %u, the largest: %s edges start there\n", run->source,
                format_count(run->graph->row[run->source + 1] - run->graph->row[run->source],
                             edges));
}

// "verified against the CPU: reached 65,536 vertices, depth 12 levels". A name such as
// drawn_weights is printed as words.
void run_report_numbers(const Answer *answers, unsigned count, FILE *out)
{
    char number[NUMBER_TEXT];
    fprintf(out, "answer     verified against the CPU");
    for (unsigned i = 0; i < count; i++) {
        const Answer *a = &answers[i];
        const char *unit = answer_unit(a->name);
        if (a->is_real)
            snprintf(number, sizeof number, "%.6g", a->real);
        else
            format_count(a->count, number);
        fprintf(out, "%s", i ? ", " : ": ");
        for (const char *c = a->name; *c; c++) fputc(*c == '_' ? ' ' : *c, out);
        fprintf(out, " %s%s%s", number, *unit ? " " : "", unit);
    }
}

void run_report_answer(const Run *run, FILE *out)
{
    size_t launches = hd_launch_count(run->device);
    if (run_partial(run))
        fprintf(out, "PARTIAL    ended early in %s; the rest is of the launches before it",
                gpu_stop(run->gpu)->kernel);
    else if (!run->checked)
        fprintf(out, "answer     not checked: a single kernel has no reference");
    else if (!run->result.verified)
        fprintf(out, "answer     WRONG: %s", run->result.mismatch);
    else
        run_report_numbers(run->result.answers, run->result.answer_count, out);
    fprintf(out, "; %zu launch%s\n", launches, launches == 1 ? "" : "es");
}

void run_report_print(const Run *run, FILE *out)
{
    char where[128];
    const char *machine = config_name(run->config);
    snprintf(where, sizeof where, "machine %s", *machine ? machine : "of all defaults");
    run_report_title(run, where, out);
    run_report_answer(run, out);
    print_counter_tables(run->gpu, run->seconds, ARRAY_WIDTH, out);
}
