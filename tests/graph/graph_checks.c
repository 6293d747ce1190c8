// The checks of graphs, and packed files.
#include "graph_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

const char *scratch_zstd(const char *name, const void *bytes, size_t size)
{
    size_t room = ZSTD_compressBound(size);
    char *packed = malloc(room);
    assert_non_null(packed);
    size_t packed_size = ZSTD_compress(packed, room, bytes, size, 3);
    assert_false(ZSTD_isError(packed_size));
    const char *path = scratch_file(name, packed, packed_size);
    free(packed);
    return path;
}

char *scratch_bytes(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    *size = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

HdGraph *open_ok(const char *spec)
{
    HdError err = {0};
    HdGraph *graph = hd_graph_open(spec, NULL, &err);
    if (!graph) fail_msg("%s", err.text);
    return graph;
}

void open_fails(const char *spec, const char *message)
{
    HdError err = {0};
    char expected[HD_ERROR_TEXT];
    bool with_spec = message[0] == '@';
    snprintf(expected, sizeof expected, "%s%s", with_spec ? spec : "", message + with_spec);
    assert_null(hd_graph_open(spec, NULL, &err));
    assert_string_equal(err.text, expected);
}

void check_rows(const HdGraph *graph, const char *rows)
{
    char text[4096] = "";
    size_t n = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        if (v) n += (size_t)snprintf(text + n, sizeof text - n, "%s|", n ? " " : "");
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%u", n ? " " : "",
                                  graph->column[i]);
        assert_int_equal(graph->row32[v], graph->row[v]);
    }
    assert_string_equal(text, rows);
    assert_int_equal(graph->row[graph->vertices], graph->edges);
    assert_int_equal(graph->row32[graph->vertices], graph->edges);
}

void check_same(HdGraph *a, HdGraph *b)
{
    assert_int_equal(a->vertices, b->vertices);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(a->weight_kind, b->weight_kind);
    assert_memory_equal(a->row, b->row, 8 * ((size_t)a->vertices + 1));
    if (a->edges) assert_memory_equal(a->column, b->column, 4 * a->edges);
    if (a->edges && a->int_weights)
        assert_memory_equal(a->int_weights, b->int_weights, 4 * a->edges);
    if (a->edges && a->real_weights)
        assert_memory_equal(a->real_weights, b->real_weights, 4 * a->edges);
    assert_int_equal(a->hash, b->hash);
    hd_graph_free(a);
    hd_graph_free(b);
}

void check_pinned(const PinnedGraph *graphs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        HdGraph *graph = open_ok(graphs[i].spec);
        assert_string_equal(graph->name, graphs[i].spec);
        if (graph->hash != graphs[i].hash)
            fail_msg("%s has hash 0x%016llx", graphs[i].spec, (unsigned long long)graph->hash);
        hd_graph_free(graph);
    }
}

static void add_note(void *user, const char *text)
{
    char *notes = user;
    snprintf(notes + strlen(notes), HD_ERROR_TEXT - strlen(notes), "%s\n", text);
}

HdGraph *open_reading(const Reading *reading, const char *path, char notes[HD_ERROR_TEXT],
                      HdError *err)
{
    HdGraphOptions options = {.note = add_note, .user = notes};
    *notes = 0;
    if (reading->format && !hd_graph_option(&options, "format", reading->format, err))
        fail_msg("%s", err->text);
    return hd_graph_open(path, &options, err);
}

void check_with_path(const char *text, const char *expected, const char *path)
{
    char whole[HD_ERROR_TEXT] = "";
    for (const char *p = expected; *p; p++) {
        size_t used = strlen(whole);
        if (*p == '@') snprintf(whole + used, sizeof whole - used, "%s", path);
        else snprintf(whole + used, sizeof whole - used, "%c", *p);
    }
    assert_string_equal(text, whole);
}

HdGraph *check_reading(const Reading *reading)
{
    char notes[HD_ERROR_TEXT], path[4096];
    HdError err = {0};
    snprintf(path, sizeof path, "%s", scratch_text(reading->name, reading->text));
    HdGraph *graph = open_reading(reading, path, notes, &err);
    if (reading->rows) {
        if (!graph) fail_msg("%s", err.text);
        check_rows(graph, reading->rows);
        check_with_path(notes, reading->notes, path);
    } else {
        assert_null(graph);
        check_with_path(err.text, reading->notes, path);
    }
    return graph;
}

void check_ints(const HdGraph *graph, const int32_t *weights)
{
    assert_int_equal(graph->weight_kind, HD_WEIGHTS_INT);
    assert_memory_equal(graph->int_weights, weights, 4 * graph->edges);
}

void check_reading_ints(const Reading *reading, const int32_t *weights)
{
    HdGraph *graph = check_reading(reading);
    check_ints(graph, weights);
    hd_graph_free(graph);
}

void check_readings(const Reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++) hd_graph_free(check_reading(&readings[i]));
}
