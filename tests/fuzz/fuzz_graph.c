// Fuzz targets of the graph formats: each reader returns a sound graph, or a message.
#include "fuzz.h"

#include "graph/graph_internal.h"

#include <string.h>

// A target, and a name with the ending by which its format is known.
typedef struct Format {
    const char *target, *name;
} Format;

static const Format formats[] = {
    {"mtx", "input.mtx"},           {"edge-list", "input.txt"}, {"csv", "input.csv"},
    {"dimacs", "input.gr"},         {"metis", "input.graph"},   {"gap", "input.sg"},
    {"gap-weighted", "input.wsg"},  {"galois", "input.gr"},     {"graph-cache", "input.hdg"},
    {"colouring", "input.col"},     {"ecl", "input.egr"},       {"ligra", "input.adj"},
    {"graphml", "input.graphml"},   {"gml", "input.gml"},       {"pajek", "input.net"},
};

static void check_graph(const HdGraph *graph)
{
    fuzz_check(graph->vertices > 0 && graph->row[0] == 0, "the graph's first row");
    fuzz_check(graph->row[graph->vertices] == graph->edges, "the graph's last row");
    for (uint32_t v = 0; v < graph->vertices; v++)
        fuzz_check(graph->row[v] <= graph->row[v + 1], "the order of the graph's rows");
    for (uint64_t i = 0; i < graph->edges; i++)
        fuzz_check(graph->column[i] < graph->vertices, "the head of an edge");
}

// Little: what takes memory takes time.
enum { MEMORY = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const HdGraphOptions options = {.max_memory = MEMORY};
    const Format *format = formats;
    while (strcmp(format->target, fuzz_target) != 0) format++;
    HdError err = {0};
    HdGraph *graph = graph_open_bytes(format->name, bytes, size, &options, &err);
    fuzz_check(!graph == err.set, "a graph, or a message");
    if (graph) check_graph(graph);
    hd_graph_free(graph);
    return 0;
}
