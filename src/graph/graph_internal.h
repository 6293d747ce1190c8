// Inside the graph layer: how readers and generators hand their edges to the CSR builder.
#ifndef HEDDLE_GRAPH_GRAPH_INTERNAL_H
#define HEDDLE_GRAPH_GRAPH_INTERNAL_H

#include "heddle/graph.h"

#include <stddef.h>

// One edge on its way into a graph; `weight` is the 32 bits of an int32_t or a float.
typedef struct Arc {
    uint32_t from, to, weight;
} Arc;

enum { ARC_BATCH = 1024 };

// Where a batch of at most `steps` steps of a stream from the cursor ends.
static inline uint64_t batch_end(uint64_t cursor, uint64_t last, uint64_t steps)
{
    return last - cursor < steps ? last : cursor + steps;
}

// A sequence of arcs that can be run through twice (once to count, once to place), so that a
// generated graph never exists as a list of edges.
typedef struct ArcStream {
    // Writes up to ARC_BATCH arcs and moves *cursor (0 at first; its meaning is the stream's);
    // returns how many. 0 only at the end, where *cursor == last.
    size_t (*next)(const void *source, uint64_t *cursor, Arc *arcs);
    const void *source;
    uint64_t last;    // the cursor's final value
    uint64_t edges;   // how many arcs come, 0 where only counting tells. Known, a graph too large
                      // for the memory is refused before the work
    const char *what; // "generating", for progress
} ArcStream;

// What a text reader found. Zero-initialise; freed with edge_list_free.
typedef struct EdgeList {
    uint32_t vertices;
    bool mirrored; // each off-diagonal edge stands for both directions
    HdWeightKind weight_kind;
    HdEdge *edges;
    uint32_t *weights; // bits of the values, or NULL
    size_t count;
    size_t edges_capacity, weights_capacity;
} EdgeList;

void edge_list_free(EdgeList *list);
// Appends; `weight` counts only where the list is weighted. false where memory is out.
bool edge_list_add(EdgeList *list, uint32_t from, uint32_t to, uint32_t weight);

// A graph of so many vertices, with zeroed offsets and as yet no edges; NULL and err where memory
// is out.
HdGraph *graph_new(uint32_t vertices, HdError *err);
// Gives it the arrays for its edges, zeroed. On failure the graph is only good for freeing.
bool graph_allocate_edges(HdGraph *graph, uint64_t edges, HdWeightKind weights, HdError *err);
// The array of weights, whichever it is, or NULL.
void *graph_weights(const HdGraph *graph);
// Computes row32 and the hash once the arrays are filled.
void graph_finish(HdGraph *graph);
// Shortened where too long; what is not printable ASCII becomes '_', so that a name can stand in
// any file and message.
void graph_set_name(HdGraph *graph, const char *name);

// The two halves of a counting sort. counts[v + 1] holds v's count: makes it counts[v], where v
// starts. And after placing has moved each start on to its end: moves them back.
void counts_to_offsets(uint64_t *counts, uint32_t vertices);
void offsets_rewind(uint64_t *offsets, uint32_t vertices);

// Puts what `made` holds in the place of what `graph` holds, whose name, direction and history it
// keeps; frees `made` with the old arrays.
void graph_replace(HdGraph *graph, HdGraph *made);
// The graph of the vertices old_of_new[0..vertices - 1], numbered in that order, whose edges must
// lead to each other: new_of_old gives the new number of every such vertex.
bool graph_renumber(HdGraph *graph, uint32_t vertices, const uint32_t *old_of_new,
                    const uint32_t *new_of_old, HdError *err);

// What the options of hd_graph_open do, one by one. On failure the graph is unchanged.
bool graph_drop_repeats(HdGraph *graph, bool loops, bool duplicates, HdError *err);
bool graph_draw_weights(HdGraph *graph, int32_t low, int32_t high, uint64_t seed, HdError *err);
bool graph_keep_largest(HdGraph *graph, HdError *err);
bool graph_relabel(HdGraph *graph, HdRelabel how, uint64_t seed, HdError *err);
// All that are asked for, in their order.
bool graph_apply_options(HdGraph *graph, const HdGraphOptions *options, HdError *err);

// Builds the rows by a stable counting sort of the stream, whose ends must be below `vertices`.
// Needs no memory beside the graph.
HdGraph *graph_from_stream(uint32_t vertices, HdWeightKind weights, const ArcStream *stream,
                           const HdGraphOptions *options, HdError *err);
HdGraph *graph_from_list(const EdgeList *list, const HdGraphOptions *options, HdError *err);

// Builds an undirected graph row by row: `row` returns v's degree and, where `heads` is not NULL,
// writes its neighbours there, in any order; they end up ascending. Needs no memory beside the
// graph.
HdGraph *graph_from_rows(uint32_t vertices,
                         uint64_t (*row)(const void *source, uint32_t v, uint32_t *heads),
                         const void *source, const HdGraphOptions *options, HdError *err);

// The (unweighted) graph with every row ascending; frees it and returns NULL where memory is out.
// Needs 4 bytes per edge meanwhile.
HdGraph *graph_sorted(HdGraph *graph, HdError *err);
// From a stream that gives both directions of every edge: undirected, rows ascending.
HdGraph *graph_from_mirrored(uint32_t vertices, const ArcStream *stream,
                             const HdGraphOptions *options, HdError *err);

// The tails of the edges into each vertex, ascending. `edge`, where asked for, says which edge
// each one is.
typedef struct Transpose {
    uint64_t *row;  // vertices + 1
    uint32_t *tail; // edges
    uint64_t *edge; // edges, or NULL
} Transpose;

bool transpose_make(const HdGraph *graph, bool with_edges, Transpose *transpose, HdError *err);
void transpose_free(Transpose *transpose);

// Looks for an edge without its reverse, or with `weights`, which is for graphs without duplicates,
// one whose reverse has another weight. *mirrored where there is none, else *unmirrored is one.
// false and err only where memory is out.
bool graph_find_unmirrored(const HdGraph *graph, bool weights, bool *mirrored, HdEdge *unmirrored,
                       HdError *err);

// Calls options->progress where there is one.
void graph_progress(const HdGraphOptions *options, const char *what, uint64_t done,
                    uint64_t total);

// The readers and generators behind hd_graph_open. `path` is for messages, too. Where a text is
// read, it ends with a zero byte behind its `size` bytes.
typedef bool TextReader(const char *path, const char *text, size_t size,
                        const HdGraphOptions *options, EdgeList *list, HdError *err);
TextReader read_mtx, read_edge_list, read_csv, read_dimacs;
typedef HdGraph *GraphReader(const char *path, const HdGraphOptions *options, HdError *err);
GraphReader read_metis, read_gap, read_gap_weighted, read_galois, cache_read;
// The bytes of a file of the graph, *size of them, to be freed; NULL where memory is out.
typedef char *GraphBytes(const HdGraph *graph, size_t *size);
GraphBytes gap_bytes, gap_weighted_bytes, cache_bytes;
// Whether the spec starts with a generator's name and a colon.
bool is_generator_spec(const char *spec);
HdGraph *generate(const char *spec, const HdGraphOptions *options, HdError *err);
// The generator whose name is nearest to what stands before the colon of `spec`, or NULL.
const char *nearest_generator(const char *spec);
// The names of all generators, as a sentence has them.
void generator_names(char *text, size_t size);

// Whether `text` ends in `ending`.
bool ends_in(const char *text, const char *ending);

#endif
