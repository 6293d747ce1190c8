// Fuzz targets of the graph formats: each reader returns a sound graph, or a message.
#include "fuzz.h"

#include "graph/graph_internal.h"

#include <string.h>

// A target, and a name with the ending by which its format is known; another one for inputs of odd
// size, or NULL.
typedef struct Format {
    const char *target, *name, *odd_name;
} Format;

static const Format formats[] = {
    {"mtx", "input.mtx", NULL},
    {"edge-list", "input.txt", "input.el"},
    {"csv", "input.csv", "input.other"},
    {"dimacs", "input.gr", NULL},
    {"metis", "input.graph", NULL},
    {"gap", "input.sg", NULL},
    {"gap-weighted", "input.wsg", NULL},
    {"galois", "input.gr", NULL},
    {"graph-cache", "input.hdg", NULL},
    {"colouring", "input.col", NULL},
    {"ecl", "input.egr", NULL},
    {"ligra", "input.adj", NULL},
    {"graphml", "input.graphml", NULL},
    {"gml", "input.gml", NULL},
    {"pajek", "input.net", NULL},
    {"rodinia", "input.rodinia", NULL},
};

// Each name is found at its vertex, or at the vertex of this name on the other side.
static void check_names(const HdGraph *graph)
{
    uint32_t found;
    for (uint32_t v = 0; graph->names.text && v < graph->vertices; v++) {
        const char *name = hd_graph_vertex_name(graph, v);
        fuzz_check(hd_graph_find_vertex(graph, name, &found) &&
                       strcmp(hd_graph_vertex_name(graph, found), name) == 0,
                   "the vertex of a name");
    }
}

static void check_graph(const HdGraph *graph)
{
    fuzz_check(graph->vertices > 0 && graph->row[0] == 0, "the graph's first row");
    fuzz_check(graph->row[graph->vertices] == graph->edges, "the graph's last row");
    for (uint32_t v = 0; v < graph->vertices; v++)
        fuzz_check(graph->row[v] <= graph->row[v + 1], "the order of the graph's rows");
    check_names(graph);
    for (uint64_t i = 0; i < graph->edges; i++)
        fuzz_check(graph->column[i] < graph->vertices, "the head of an edge");
}

static void check_note(void *user, const char *text)
{
    (void)user;
    fuzz_check(strncmp(text, "input.", 6) == 0, "the place of a note");
}

// Little: what takes memory takes time.
enum { MEMORY = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const HdGraphOptions options = {
        .max_memory = MEMORY, .note = check_note,
        .list = {.bipartite = size % 3 == 0, .names = size % 5 == 0},
    };
    const Format *format = formats;
    while (strcmp(format->target, fuzz_target) != 0) format++;
    HdError err = {0};
    const char *name = size % 2 && format->odd_name ? format->odd_name : format->name;
    HdGraph *graph = graph_open_bytes(name, bytes, size, &options, &err);
    fuzz_check(!graph == err.set, "a graph, or a message");
    if (graph) check_graph(graph);
    hd_graph_free(graph);
    return 0;
}
