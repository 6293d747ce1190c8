// Files that igraph writes: GraphML, GML and Pajek, directed and undirected, with and without
// weights.
#include "graph_checks.h"

#include <igraph.h>
#include <stdio.h>

typedef igraph_error_t Writer(const igraph_t *graph, FILE *out);

static igraph_error_t write_graphml(const igraph_t *graph, FILE *out)
{
    return igraph_write_graph_graphml(graph, out, true);
}

static igraph_error_t write_gml(const igraph_t *graph, FILE *out)
{
    return igraph_write_graph_gml(graph, out, IGRAPH_WRITE_GML_DEFAULT_SW, NULL, "a test");
}

static igraph_error_t write_pajek(const igraph_t *graph, FILE *out)
{
    return igraph_write_graph_pajek(graph, out);
}

static const struct {
    const char *name;
    Writer *write;
} writers[] = {
    {"g.graphml", write_graphml}, {"g.gml", write_gml}, {"g.net", write_pajek},
};

// A graph for igraph: of each pair of directions one, if it is undirected.
static void to_igraph(const HdGraph *graph, bool weights, igraph_t *out)
{
    igraph_vector_int_t ends;
    igraph_vector_t values;
    igraph_vector_int_init(&ends, 0);
    igraph_vector_init(&values, 0);
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            if (!graph->directed && v > graph->column[i]) continue;
            igraph_vector_int_push_back(&ends, v);
            igraph_vector_int_push_back(&ends, graph->column[i]);
            igraph_vector_push_back(&values, graph->int_weights[i]);
        }
    assert_int_equal(igraph_create(out, &ends, graph->vertices, graph->directed), 0);
    if (weights) assert_int_equal(SETEANV(out, "weight", &values), 0);
    igraph_vector_destroy(&values);
    igraph_vector_int_destroy(&ends);
}

// The edges of a row in any order, if wanted with their weights, as one number that another row is
// unlikely to have.
static uint64_t row_sum(const HdGraph *graph, uint32_t v, bool weights)
{
    uint64_t sum = 0;
    for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
        uint64_t weight = weights ? (uint64_t)graph->int_weights[i] : 0;
        uint64_t x = (graph->column[i] + (weight << 32) + 1) * 0x9e3779b97f4a7c15u;
        sum += (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    }
    return sum;
}

static void check_file(const char *spec, bool weights)
{
    HdError err = {0};
    const HdGraphOptions options = {.draw_weights = true, .weight_low = -9, .weight_high = 99};
    HdGraph *graph = hd_graph_open(spec, &options, &err);
    igraph_t theirs;
    assert_non_null(graph);
    to_igraph(graph, weights, &theirs);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        FILE *out = fopen(scratch_path(writers[i].name), "w");
        assert_non_null(out);
        assert_int_equal(writers[i].write(&theirs, out), 0);
        fclose(out);
        HdGraph *read = open_ok(scratch_path(writers[i].name));
        assert_int_equal(read->vertices, graph->vertices);
        assert_int_equal(read->edges, graph->edges);
        assert_int_equal(read->directed, graph->directed);
        assert_int_equal(read->weight_kind, weights ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE);
        for (uint32_t v = 0; v < graph->vertices; v++)
            assert_true(row_sum(read, v, weights) == row_sum(graph, v, weights));
        hd_graph_free(read);
    }
    igraph_destroy(&theirs);
    hd_graph_free(graph);
}

static void test_files(void **state)
{
    (void)state;
    static const char *const specs[] = {"uniform:300,4", "er:200,900", "grid:9x9", "rmat:8,4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        check_file(specs[i], false);
        check_file(specs[i], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
    igraph_set_attribute_table(&igraph_cattribute_table);
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
