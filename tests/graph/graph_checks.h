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
// Checks the weights of all edges.
void check_ints(const HdGraph *graph, const int32_t *weights);
#define CHECK_INTS(graph, ...) check_ints(graph, (const int32_t[]){__VA_ARGS__})
// Checks that two graphs are the same but for the name, and frees both.
void check_same(HdGraph *a, HdGraph *b);

// A text, the value of --format (NULL: none), and what must come of it.
typedef struct Reading {
    const char *name, *text, *format;
    const char *rows;  // of the graph, or NULL
    const char *notes; // all notes, or the message where there is no graph; "@": the path
} Reading;

// Opens the file as the reading says, and collects the notes, each ended by a newline.
HdGraph *open_reading(const Reading *reading, const char *path, char notes[HD_ERROR_TEXT],
                      HdError *err);
// Compares a text with the expected one, in which "@" is the path.
void check_with_path(const char *text, const char *expected, const char *path);
// Puts the text into the temporary folder, opens it and checks what came of it. Returns the graph.
HdGraph *check_reading(const Reading *reading);
void check_readings(const Reading *readings, size_t count);
// check_reading, and the weights of all edges.
void check_reading_ints(const Reading *reading, const int32_t *weights);
#define CHECK_READ(reading, ...)                                                                   \
    check_reading_ints(&(Reading)reading, (const int32_t[]){__VA_ARGS__})
#define READING(...) {__VA_ARGS__}
#define CHECK(readings) check_readings(readings, sizeof readings / sizeof *readings)

// The note about ids that are names.
#define NAMES(first)                                                                               \
    "the ids are names: vertices are numbered in the order of their first mention, from 0 for '"   \
    first "'\n"

// A generator's spec, which is its graph's name too, and the hash of that graph. A hash changes
// only if the graph changes, which would break every published run.
typedef struct PinnedGraph {
    const char *spec;
    uint64_t hash;
} PinnedGraph;
void check_pinned(const PinnedGraph *graphs, size_t count);

#endif
