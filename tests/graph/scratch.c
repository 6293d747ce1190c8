// The temporary folder and the shared checks.
#include "scratch.h"

#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static char folder[64];

int scratch_setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/heddle-graph-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

int scratch_teardown(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    if (!dir) return -1;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.') unlink(scratch_path(entry->d_name));
    closedir(dir);
    return rmdir(folder);
}

const char *scratch_path(const char *name)
{
    static char paths[8][400];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *scratch_file(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch_path(name);
    HdError err = {0};
    if (!file_write(path, bytes, size, &err)) fail_msg("%s", err.text);
    return path;
}

const char *scratch_text(const char *name, const char *text)
{
    return scratch_file(name, text, strlen(text));
}

const char *scratch_gzip(const char *name, const char *text)
{
    const char *path = scratch_path(name);
    gzFile out = gzopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(gzwrite(out, text, (unsigned)strlen(text)), (int)strlen(text));
    assert_int_equal(gzclose(out), Z_OK);
    return path;
}

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
    char text[4096];
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
