// The checks of graphs that several tests share, and packed files in the temporary folder.
#ifndef TESTS_GRAPH_GRAPH_CHECKS_H
#define TESTS_GRAPH_GRAPH_CHECKS_H

#include "support/scratch.h"

#include "heddle/graph.h"

// Puts a file packed by zstd into the temporary folder; returns its path.
const char *scratch_zstd(const char *name, const void *bytes, size_t size);
// The bytes of a file as they are stored; the caller frees them.
char *scratch_bytes(const char *path, size_t *size);

// Opens a graph, which must work.
HdGraph *open_ok(const char *spec);
// Opens a graph, which must fail with exactly this message; "@" at its start stands for the spec.
void open_fails(const char *spec, const char *message);
// Checks a graph against its rows: "1 2 | | 0" is 0->1, 0->2, nothing from 1, 2->0.
void check_rows(const HdGraph *graph, const char *rows);
// Checks that two graphs are the same but for the name, and frees both.
void check_same(HdGraph *a, HdGraph *b);

// A generator's spec, which is its graph's name too, and the hash of that graph. A hash changes
// only if the graph changes, which would break every published run.
typedef struct PinnedGraph {
    const char *spec;
    uint64_t hash;
} PinnedGraph;
void check_pinned(const PinnedGraph *graphs, size_t count);

#endif
