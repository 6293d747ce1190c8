// Graphs in compressed sparse rows: opened from files, generated from a line of text, measured,
// written, and searched on the CPU for reference.
#ifndef HEDDLE_GRAPH_H
#define HEDDLE_GRAPH_H

#include "heddle/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { HD_GRAPH_NAME = 64 }; // bytes of a graph's name, the terminating zero included

typedef enum HdWeightKind {
    HD_WEIGHTS_NONE,
    HD_WEIGHTS_INT,  // 32-bit signed integers
    HD_WEIGHTS_REAL, // 32-bit floats
} HdWeightKind;

// The ids of a list of edges whose second column has ids of its own.
typedef struct HdSecondIds {
    uint64_t from; // HdGraph.ids from here on belong to the second column; 0: none do
    uint64_t plus; // by which they are greater than in the file
    uint64_t last; // the greatest of them that an edge has; vertices beyond it have no edge
} HdSecondIds;

// The names that a list of edges gives its vertices.
typedef struct HdNames {
    char *text;      // one behind the other, each ended by a zero byte; NULL: the ids are numbers
    uint64_t *start; // of each name
} HdNames;

// Edges and vertices that the options of hd_graph_open removed.
typedef struct HdGraphDropped {
    uint64_t self_loops, duplicates; // removed edges
    uint32_t vertices;               // removed: outside the largest component
} HdGraphDropped;

// A graph. Row v holds the heads of v's out-edges, column[row[v]] .. column[row[v + 1] - 1], in
// input order. Duplicates and self loops are kept. An undirected edge is stored as two edges, one
// in each direction. Read-only after construction.
typedef struct HdGraph {
    char name[HD_GRAPH_NAME]; // the file's name without folder and extension, or the spec
    uint32_t vertices;        // at least 1
    uint64_t edges;           // entries of `column`
    bool directed;            // false: every edge is known to have its reverse
    uint64_t *row;            // vertices + 1 offsets
    uint32_t *row32;          // `row` in 32 bits, for a device; NULL if edges >= 2^31
    uint32_t *column;         // head of each edge
    HdWeightKind weight_kind; // selects int_weights or real_weights
    int32_t *int_weights;     // one per edge, or NULL
    float *real_weights;      // one per edge, or NULL
    uint64_t *ids;            // the id of each vertex in the file; NULL: the file has no ids of its
                              // own, or they are the numbers of the vertices
    HdSecondIds second;       // which of the ids belong to the second column
    HdNames names;            // of the vertices; `ids` are indices of them
    HdGraphDropped dropped;
    uint64_t hash;            // over sizes and arrays; excludes the name and `directed`
} HdGraph;

typedef struct HdEdge {
    uint32_t from, to;
} HdEdge;

// Progress callback: `done` of `total` edges or bytes. `what` names the step in a few words.
typedef void HdGraphProgress(void *user, const char *what, uint64_t done, uint64_t total);

// Note callback: how a file was read where its text leaves it open, "file:line: TEXT".
typedef void HdGraphNote(void *user, const char *text);

typedef enum HdFirstLine {
    HD_FIRST_ANY,   // sizes if they are the numbers of vertices and edges that follow
    HD_FIRST_EDGE,
    HD_FIRST_SIZES, // "VERTICES EDGES", or "VERTICES VERTICES EDGES"
} HdFirstLine;

// How a list of edges is read where its text leaves it open.
typedef struct HdListReading {
    uint32_t from, to, weight; // numbers of columns, from 1; 0: by their names, else 1, 2 and 3
    bool unweighted;           // no column is the weight
    HdFirstLine first;         // what the first line of numbers is
    bool names;                // all ids are names, also those of digits
    bool bipartite;            // the second vertex's column has ids of its own
} HdListReading;

typedef enum HdRelabel {
    HD_RELABEL_NONE,
    HD_RELABEL_DEGREE, // by descending out-degree; ties keep their order
    HD_RELABEL_RANDOM, // a permutation drawn from `relabel_seed`
    HD_RELABEL_BFS,    // in breadth-first order along out-edges: from vertex 0, then from the
                       // lowest vertex not yet reached, until all are numbered
} HdRelabel;

// How to open a graph; zero-initialise for the defaults. The steps are applied in the order of
// these fields, not in the order of the command line. Vertex ids refer to the resulting graph.
typedef struct HdGraphOptions {
    const char *format;     // of a file, set by hd_graph_option; NULL: by the ending of its name
    HdListReading list;     // of a file that lists edges; set with the format
    bool drop_loops;        // edges from a vertex to itself
    bool drop_duplicates;   // edges beyond the first from the same u to the same v
    bool draw_weights;      // replace the file's weights by integers drawn uniformly; u->v and v->u
                            // get the same weight, which depends only on the seed, the two ids and
                            // the edge's index among the duplicates of u->v
    int32_t weight_low;     // least weight drawn
    int32_t weight_high;    // greatest weight drawn, inclusive
    uint64_t weight_seed;
    bool symmetrize;        // as hd_graph_symmetrize
    bool largest_component; // keep the largest weakly connected component (on a tie, the one with
                            // the lowest vertex); its vertices keep their order
    HdRelabel relabel;      // renumber the vertices; a row keeps the order of its edges
    uint64_t relabel_seed;
    uint64_t max_memory; // bytes that opening may take in all, the graph included; 0: what this
                         // host has left
    HdGraphProgress *progress; // called every few thousand edges; may be NULL
    HdGraphNote *note;         // called where a file leaves open how it is read; may be NULL
    void *user;                // passed to progress and note
} HdGraphOptions;

// Sets one of the options above from text. `name` is the command-line name without dashes. Returns
// false and sets err if the option is unknown or its value is invalid.
//   format     FORMAT[,KEY=VALUE]...: an ending of hd_graph_open's files without the dot, such as
//              mtx; with lists of edges also the keys first=edge, first=sizes, from=N, to=N,
//              weight=N and weight=none, names and bipartite (HdListReading)
//   drop-loops drop-duplicates symmetrize largest-component    no value: NULL
//   weights    LOW..HIGH[,seed=N]                              seeds are 1 where not given
//   relabel    degree, bfs or random[,seed=N]
bool hd_graph_option(HdGraphOptions *options, const char *name, const char *value, HdError *err);

enum { HD_GRAPH_OPTIONS_TEXT = 320 };
// Writes the options in command-line form, in the order in which they are applied, with all default
// values spelled out: "--drop-loops --weights 1..64,seed=1". Writes "" if no option is set.
void hd_graph_options_text(const HdGraphOptions *options, char text[HD_GRAPH_OPTIONS_TEXT]);

// Opens a graph from a file or from a generator's spec. `options` may be NULL. The caller frees the
// graph with hd_graph_free. On failure returns NULL; err gives file:line:column in text files and
// the byte offset in binary files.
//
// Files have one of the formats of hd_graph_format, also compressed by gzip, zstd, bzip2 or xz
// (.mtx.gz, .txt.xz); see docs/graphs.md. If the ending is unknown or names a list of edges, the
// first bytes of a file, behind blank lines and comments, may tell another format. With an unknown
// ending they may be a list of edges between numbers.
//
// Specs are those of hd_graph_generator. A count may be written 65536, 2^16 or 64Ki (Mi, Gi). A
// spec gives the same graph on every host. Points are numbered along a Hilbert curve, streets line
// by line. From `er` on, graphs are undirected with ascending rows, unless directed=1.
HdGraph *hd_graph_open(const char *spec, const HdGraphOptions *options, HdError *err);

enum { HD_GRAPH_KIND_NAME = 320 };
// A format or a generator, in words.
typedef struct HdGraphKind {
    char name[HD_GRAPH_KIND_NAME]; // a format's endings with blanks between; a generator's spec
    const char *text;              // what it is, in sentences
} HdGraphKind;

// The format or generator of this index, from 0 on. Returns false if there are no more.
bool hd_graph_format(int index, HdGraphKind *kind);
bool hd_graph_generator(int index, HdGraphKind *kind);

// A graph used in a paper, and the generated graph that stands in for it.
typedef struct HdGraphLike {
    const char *name, *paper;
    uint64_t vertices, edges; // as published, or as in the original file; both directions count
    uint32_t depth;           // published levels of a breadth-first search; 0: not published
    const char *form;         // a spec with holes, for hd_graph_like_spec
    const char *original;     // where the original is or was
    const char *note;         // what is known of the published figures and the stand-in; or NULL
} HdGraphLike;

// Returns all stand-ins; sets *count to their number.
const HdGraphLike *hd_graph_likes(int *count);
// The stand-in of this name, or of another name of the original; upper and lower case are equal.
// On failure returns NULL; err names the most similar one.
const HdGraphLike *hd_graph_like_find(const char *name, HdError *err);

enum { HD_GRAPH_SPEC = 128 };
// Writes the generator's spec that `like:NAME,scale=S` expands to. Returns false if it is too long.
bool hd_graph_like_spec(const HdGraphLike *like, double scale, char spec[HD_GRAPH_SPEC]);

// Builds an unweighted, directed graph. A row keeps the order of `edges`. Fails if an edge has an
// end out of range.
HdGraph *hd_graph_build(const char *name, uint32_t vertices, const HdEdge *edges, uint64_t count,
                        HdError *err);

// The name of a vertex in the file, or NULL if the graph has no names. A list of edges with names
// gives them; no format that is written keeps them.
const char *hd_graph_vertex_name(const HdGraph *graph, uint32_t vertex);
// Finds the vertex of a name; of two on the sides of a bipartite list, the first side's.
// Returns false if no vertex has it.
bool hd_graph_find_vertex(const HdGraph *graph, const char *name, uint32_t *vertex);

// Frees a graph; NULL is allowed.
void hd_graph_free(HdGraph *graph);

// Adds the missing reverse of each edge u->v (u != v), with the same weight. New edges follow the
// existing ones in v's row, ascending in u. A symmetric graph does not change. On failure the graph
// is unchanged.
bool hd_graph_symmetrize(HdGraph *graph, HdError *err);

// Returns the transposed graph: each edge reversed, with its weight, heads ascending in each row.
// Fails only if out of memory. The caller frees it.
HdGraph *hd_graph_reverse(const HdGraph *graph, HdError *err);

// Counts self loops, and duplicates: edges beyond the first from the same u to the same v. Uses
// 4 bytes per vertex of temporary memory. Fails only if out of memory.
bool hd_graph_count_repeats(const HdGraph *graph, uint64_t *self_loops, uint64_t *duplicates,
                            HdError *err);

// Writes the graph in the format given by the ending of `path`, compressed if it ends in .zst. An
// existing file is replaced only after the new one is complete. Fails if the format cannot hold the
// graph:
//   .mtx            general, in row order
//   .txt .csv       ids from 0; vertices without edges are lost
//   .gr             DIMACS; integer weights only
//   .graph          undirected graphs without self loops and duplicates; no real weights
//   .sg             weights are not written
//   .wsg            integer weights only
//   .hdg            everything
bool hd_graph_write(const HdGraph *graph, const char *path, HdError *err);

// Returns whether hd_graph_write supports the ending of `path`; if not, err lists the formats. Call
// it before long work whose result is to be written.
bool hd_graph_can_write(const char *path, HdError *err);

enum { HD_DEGREE_BUCKETS = 65 };

// Statistics of a graph. Degrees are out-degrees.
typedef struct HdGraphStats {
    uint64_t degree_min, degree_max;
    double degree_mean;
    uint32_t degree_max_vertex; // the first vertex of the greatest degree
    // Vertices by degree: [0] degree 0, [k] degrees 2^(k-1) .. 2^k - 1.
    uint64_t degree_histogram[HD_DEGREE_BUCKETS];
    uint64_t self_loops;
    uint64_t duplicates;   // edges beyond the first from the same u to the same v
    uint64_t reciprocal;   // edges u->v that have a reverse v->u; includes self loops
    uint32_t isolated;     // vertices without in- or out-edges
    uint32_t components;   // weakly connected; an isolated vertex is one
    uint32_t largest;      // vertices of the largest component
    uint64_t host_bytes;   // arrays of HdGraph on the host
    uint64_t device_bytes; // 32-bit offsets, columns and weights
} HdGraphStats;

// Uses about 16 bytes per vertex and 4 per edge of temporary memory. Fails only if out of memory.
bool hd_graph_measure(const HdGraph *graph, HdGraphStats *stats, HdError *err);

// Counts the vertices of each out-degree: (*vertices)[degree] for the degrees 0 to *most, the
// greatest that a vertex has. The caller frees *vertices. Fails only if out of memory.
bool hd_graph_degrees(const HdGraph *graph, uint64_t **vertices, uint64_t *most, HdError *err);

typedef struct HdBfs {
    uint32_t reached; // vertices with a path from the source, itself included
    uint32_t depth;   // the greatest level: the source's out-eccentricity
} HdBfs;

// Breadth-first search from `source` along out-edges: levels[v] is the number of edges of a
// shortest path, or -1 if v is not reached. The caller provides `levels` with one entry per vertex.
// Fails if source is out of range, vertices >= 2^31, or out of memory.
bool hd_bfs_levels(const HdGraph *graph, uint32_t source, int32_t *levels, HdBfs *result,
                   HdError *err);

// A lower bound of the diameter, and the two vertices between which it was found.
typedef struct HdDiameter {
    uint32_t bound, from, to;
} HdDiameter;

// Double sweep: searches from `source`, then from the farthest vertex reached. In a tree the bound
// equals the diameter; in most graphs it is close. Fails as hd_bfs_levels does.
bool hd_diameter_bound(const HdGraph *graph, uint32_t source, HdDiameter *diameter, HdError *err);

// Returns the weights that the option `draw_weights` would give the graph's edges, and leaves the
// graph unchanged. The caller frees them with free(). Fails only if out of memory.
int32_t *hd_graph_drawn_weights(const HdGraph *graph, int32_t low, int32_t high, uint64_t seed,
                                HdError *err);

// Dijkstra's algorithm from `source` along out-edges: distances[v] is the length of a shortest
// path, or -1 if v is not reached. `weights` has one entry per edge, for example int_weights. The
// caller provides `distances` with one entry per vertex. Fails if source is out of range, a reached
// edge has a negative weight, or out of memory.
bool hd_sssp_distances(const HdGraph *graph, const int32_t *weights, uint32_t source,
                       int64_t *distances, HdError *err);

// Union-find: root[v] is the lowest vertex of v's weakly connected component. The caller provides
// `root` with one entry per vertex.
void hd_graph_components(const HdGraph *graph, uint32_t *root);

// Core numbers: cores[v] is the greatest k such that v belongs to a subgraph in which each vertex
// has at least k neighbours. The graph must be undirected. Each duplicate edge counts; self loops
// do not. The caller provides `cores` with one entry per vertex. Fails only if out of memory.
bool hd_core_numbers(const HdGraph *graph, uint32_t *cores, HdError *err);

// Counts triangles: sets of three mutually joined vertices. The graph must be undirected. Duplicate
// edges and self loops do not count. Fails only if out of memory.
bool hd_count_triangles(const HdGraph *graph, uint64_t *triangles, HdError *err);

// One step of PageRank by power iteration: next[v] becomes
//
//     base / vertices + damping * (sum over the edges u->v of rank[u] / edges of u
//                                  + sum over the u without edges of rank[u] / vertices),
//
// With base = 1 - damping the sum of all ranks stays 1. Each duplicate edge counts. Both arrays
// have one entry per vertex.
void hd_pagerank_step(const HdGraph *graph, double damping, double base, const double *rank,
                      double *next);

// Result of Brandes' algorithm for one source. The caller provides the arrays, with one entry per
// vertex.
typedef struct HdBrandes {
    int32_t *level;     // as in hd_bfs_levels
    double *paths;      // number of shortest paths from the source; each duplicate edge counts
    double *dependency; // sum over all targets of the fraction of shortest paths through this
                        // vertex; for the source: the number of vertices reached
    uint32_t *order;    // the vertices reached, level by level
    uint32_t reached;   // entries of `order`
} HdBrandes;

// Brandes' algorithm from one source, which must be in range. The betweenness centrality of v is
// the sum of dependency[v] over all sources other than v; both orders of a pair count.
void hd_brandes(const HdGraph *graph, uint32_t source, HdBrandes *brandes);

typedef struct HdForest {
    int64_t weight;  // sum over the forest's edges
    uint32_t edges;
    uint32_t trees;  // one per component; an isolated vertex is a tree
} HdForest;

// A minimum spanning forest by Kruskal's algorithm. Edges are taken as undirected: of all edges
// between two vertices the lightest counts. `weights` has one entry per edge and may be negative.
// Fails only if out of memory.
bool hd_spanning_forest(const HdGraph *graph, const int32_t *weights, HdForest *forest,
                        HdError *err);

// least[e] is the least weight of all edges between the two ends of e, in either direction: the
// weight of e when edges are taken as undirected. The caller provides `least` with one entry per
// edge. Fails only if out of memory.
bool hd_graph_pair_weights(const HdGraph *graph, const int32_t *weights, int32_t *least,
                           HdError *err);

#endif
