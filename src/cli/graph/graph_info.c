// Gathers and prints the properties of a graph.
#include "cli/graph/graph_info.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "report/format_numbers.h"
#include "view/figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool graph_info_gather(const HdGraph *graph, const HdGraphOptions *changes,
                       const GraphSource *source, GraphInfo *info, HdError *err)
{
    *info = (GraphInfo){.graph = graph};
    bool largest = !source->given && graph->row[1] == 0;
    if (!graph_source_find(largest ? &(GraphSource){.largest = true} : source, graph,
                           &info->source, err))
        return false;
    if (!hd_graph_measure(graph, &info->stats, err)) return false;
    hd_graph_options_text(changes, info->options);
    int32_t *levels = hd_new(graph->vertices, sizeof *levels);
    if (!levels) return hd_fail_memory(err, "searching a graph");
    bool ok = hd_bfs_levels(graph, info->source, levels, &info->bfs, err);
    free(levels);
    return ok && hd_diameter_bound(graph, info->source, &info->diameter, err);
}

static const char *const weight_names[] = {"none", "int32", "float32"};

// Degree 0, then powers of two: the least and the greatest degree of bucket k.
static uint64_t bucket_low(int k) { return k ? (uint64_t)1 << (k - 1) : 0; }
static uint64_t bucket_high(int k) { return k ? bucket_low(k) * 2 - 1 : 0; }

static int last_bucket(const HdGraphStats *stats)
{
    int last = HD_DEGREE_BUCKETS - 1;
    while (last > 0 && !stats->degree_histogram[last]) last--;
    return last;
}

enum { RANGE_TEXT = 48 };
static const char *range_text(int k, char text[RANGE_TEXT])
{
    if (k < 2)
        snprintf(text, RANGE_TEXT, "%llu", (unsigned long long)bucket_low(k));
    else
        snprintf(text, RANGE_TEXT, "%llu..%llu", (unsigned long long)bucket_low(k),
                 (unsigned long long)bucket_high(k));
    return text;
}

static void print_histogram(const GraphInfo *info)
{
    enum { BAR = 40 };
    static const char bar[BAR + 1] = "########################################";
    uint64_t most = 1;
    for (int k = 0; k < HD_DEGREE_BUCKETS; k++)
        if (info->stats.degree_histogram[k] > most) most = info->stats.degree_histogram[k];
    for (int k = 0; k <= last_bucket(&info->stats); k++) {
        uint64_t n = info->stats.degree_histogram[k];
        char range[RANGE_TEXT];
        int length = n ? (int)((n * BAR + most - 1) / most) : 0;
        printf("  %15s %12llu%s%.*s\n", range_text(k, range), (unsigned long long)n,
               length ? " " : "", length, bar);
    }
}

static void print_bytes(const char *label, uint64_t bytes)
{
    if (bytes < 1 << 20)
        printf("%-16s %.1f KiB\n", label, (double)bytes / 1024);
    else
        printf("%-16s %.1f MiB\n", label, (double)bytes / (1 << 20));
}

void graph_info_print(const GraphInfo *info)
{
    const HdGraph *graph = info->graph;
    const HdGraphStats *s = &info->stats;
    printf("%-16s %s\n", "graph", graph->name);
    printf("%-16s %u\n", "vertices", graph->vertices);
    printf("%-16s %llu (%s)\n", "edges", (unsigned long long)graph->edges,
           graph->directed ? "directed" : "undirected: each direction counts");
    printf("%-16s %s\n", "weights", weight_names[graph->weight_kind]);
    printf("%-16s min %llu, mean %.2f, max %llu (vertex %u)\n", "out-degree",
           (unsigned long long)s->degree_min, s->degree_mean, (unsigned long long)s->degree_max,
           s->degree_max_vertex);
    print_histogram(info);
    printf("%-16s %llu\n", "self loops", (unsigned long long)s->self_loops);
    printf("%-16s %llu\n", "duplicate edges", (unsigned long long)s->duplicates);
    if (*info->options)
        printf("%-16s %s\n%-16s %llu self loops, %llu duplicate edges, %u vertices\n", "changes",
               info->options, "dropped", (unsigned long long)graph->dropped.self_loops,
               (unsigned long long)graph->dropped.duplicates, graph->dropped.vertices);
    printf("%-16s %llu\n", "with reverse", (unsigned long long)s->reciprocal);
    printf("%-16s %u\n", "isolated", s->isolated);
    printf("%-16s %u weakly connected, largest %u vertices (%.1f %%)\n", "components",
           s->components, s->largest, 100.0 * s->largest / graph->vertices);
    printf("%-16s from vertex %u: reaches %u (%.1f %%), depth %u\n", "breadth-first",
           info->source, info->bfs.reached, 100.0 * info->bfs.reached / graph->vertices,
           info->bfs.depth);
    printf("%-16s at least %u (double sweep: from %u to %u)\n", "diameter", info->diameter.bound,
           info->diameter.from, info->diameter.to);
    print_bytes("host memory", s->host_bytes);
    print_bytes("device memory", s->device_bytes);
    printf("%-16s %016llx\n", "hash", (unsigned long long)graph->hash);
}

json_t *graph_info_json(const GraphInfo *info)
{
    const HdGraph *graph = info->graph;
    const HdGraphStats *s = &info->stats;
    char hash[HASH_TEXT];
    hash_text(graph->hash, hash);
    json_t *histogram = json_array();
    for (int k = 0; k <= last_bucket(s); k++)
        json_array_append_new(
            histogram, json_pack("{sI sI sI}", "from", (json_int_t)bucket_low(k), "to",
                                 (json_int_t)bucket_high(k), "vertices",
                                 (json_int_t)s->degree_histogram[k]));
    return json_pack(
        "{ss ss ss sI sI sb ss s{sI sf sI sI so} sI sI s{sI sI sI} sI sI s{sI sI} s{sI sI sI} "
        "s{sI sI sI} s{sI sI}}",
        "name", graph->name, "options", info->options, "hash", hash, "vertices",
        (json_int_t)graph->vertices, "edges", (json_int_t)graph->edges, "directed", graph->directed,
        "weights", weight_names[graph->weight_kind],
        "out_degree", "min", (json_int_t)s->degree_min, "mean", s->degree_mean, "max",
        (json_int_t)s->degree_max, "max_vertex", (json_int_t)s->degree_max_vertex, "histogram",
        histogram,
        "self_loops", (json_int_t)s->self_loops, "duplicates", (json_int_t)s->duplicates,
        "dropped", "self_loops", (json_int_t)graph->dropped.self_loops, "duplicates",
        (json_int_t)graph->dropped.duplicates, "vertices", (json_int_t)graph->dropped.vertices,
        "reciprocal", (json_int_t)s->reciprocal, "isolated", (json_int_t)s->isolated,
        "components", "weak", (json_int_t)s->components, "largest", (json_int_t)s->largest,
        "bfs", "source", (json_int_t)info->source, "reached", (json_int_t)info->bfs.reached,
        "depth", (json_int_t)info->bfs.depth,
        "diameter", "at_least", (json_int_t)info->diameter.bound, "from",
        (json_int_t)info->diameter.from, "to", (json_int_t)info->diameter.to,
        "bytes", "host", (json_int_t)s->host_bytes, "device", (json_int_t)s->device_bytes);
}

// The vertices of each out-degree, in rows of `x` and `value` without a row for a degree that no
// vertex has.
static bool count_degrees(const GraphInfo *info, Rows *rows, HdError *err)
{
    static const char *names[] = {"x", "value"};
    uint64_t *vertices, most;
    size_t cells = 0;
    *rows = (Rows){.names = names, .columns = 2};
    bool ok = hd_graph_degrees(info->graph, &vertices, &most, err);
    for (uint64_t degree = 0; ok && degree <= most; degree++) {
        if (!vertices[degree]) continue;
        Cell x = {.kind = CELL_INTEGER, .integer = (int64_t)degree};
        Cell value = {.kind = CELL_INTEGER, .integer = (int64_t)vertices[degree]};
        ok = (HD_PUSH(rows->cells, cells, rows->capacity, x) &&
              HD_PUSH(rows->cells, cells, rows->capacity, value)) ||
             hd_fail_memory(err, "drawing a figure");
        rows->count++;
    }
    free(vertices);
    return ok;
}

bool graph_info_draw(const GraphInfo *info, const char *path, HdError *err)
{
    char title[HD_GRAPH_NAME + 16], note[128] = "", first[NUMBER_TEXT], second[NUMBER_TEXT];
    const HdGraphStats *stats = &info->stats;
    snprintf(title, sizeof title, "degrees of %s", info->graph->name);
    if (stats->degree_histogram[0])
        snprintf(note, sizeof note, "%s of %s vertices have out-degree 0, and are not shown",
                 format_count(stats->degree_histogram[0], first),
                 format_count(info->graph->vertices, second));
    Rows rows;
    Figure figure = {.title = title, .kind = FIGURE_POINTS, .log_x = true, .log_y = true,
                     .x_label = "out-degree", .y_label = "vertices", .note = note,
                     .width = 120, .height = 60};
    bool ok = count_degrees(info, &rows, err);
    // A degree of 0 has no place on a logarithmic axis.
    Rows shown = rows;
    if (ok && stats->degree_histogram[0] && rows.count > 1) {
        shown.cells += rows.columns;
        shown.count--;
    }
    ok = ok && figure_draw(&figure, &shown, path, err);
    rows_free(&rows);
    return ok;
}
