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

// What the options of hd_graph_open left out.
typedef struct HdGraphDropped {
    uint64_t self_loops, duplicates; // edges
    uint32_t vertices;               // outside the largest component
} HdGraphDropped;

// A graph. Row v holds the heads of v's out-edges: column[row[v]] .. column[row[v + 1] - 1], in
// the order in which the input gave them; duplicates and self loops are kept. Each direction of an
// undirected edge is an edge of its own. Read-only once made.
typedef struct HdGraph {
    char name[HD_GRAPH_NAME]; // the file's name without folder and extension, or the spec
    uint32_t vertices;        // at least 1
    uint64_t edges;           // entries of `column`
    bool directed;            // false: every edge is known to have its reverse
    uint64_t *row;            // vertices + 1 offsets
    uint32_t *row32;          // the same for a device; NULL where edges >= 2^31
    uint32_t *column;         // edges
    HdWeightKind weight_kind; // which of the two arrays below is there
    int32_t *int_weights;     // edges, or NULL
    float *real_weights;      // edges, or NULL
    HdGraphDropped dropped;
    uint64_t hash;            // of the sizes and the arrays: not of the name, nor of `directed`
} HdGraph;

typedef struct HdEdge {
    uint32_t from, to;
} HdEdge;

// How far long work has come: `done` of `total` (edges or bytes); `what` is a few words.
typedef void HdGraphProgress(void *user, const char *what, uint64_t done, uint64_t total);

typedef enum HdRelabel {
    HD_RELABEL_NONE,
    HD_RELABEL_DEGREE, // by descending out-degree; equals keep their order
    HD_RELABEL_RANDOM, // a permutation drawn from `relabel_seed`
    HD_RELABEL_BFS,    // as a breadth-first search along out-edges meets them: from vertex 0, then
                       // from the lowest vertex that was not reached, and so on
} HdRelabel;

// How to open a graph; zero-initialise for the defaults. What is asked for is done in this order,
// whatever the order in which it was asked for; ids are then those of the graph that results.
typedef struct HdGraphOptions {
    bool drop_loops;        // edges from a vertex to itself
    bool drop_duplicates;   // edges beyond the first from the same u to the same v
    bool draw_weights;      // in place of those that the file has; integers, uniformly from
    int32_t weight_low;     // weight_low ..
    int32_t weight_high;    // .. weight_high. u->v and v->u get the same weight; it depends only
    uint64_t weight_seed;   // on the seed, the two ids, and how many u->v stand before it
    bool symmetrize;        // as hd_graph_symmetrize
    bool largest_component; // keep the largest weakly connected component (of equals, that of the
                            // lowest vertex); its vertices keep their order
    HdRelabel relabel;      // give the vertices other numbers; a row keeps the order of its edges
    uint64_t relabel_seed;
    HdGraphProgress *progress; // called every few thousand edges; may be NULL
    void *user;                // handed to progress
} HdGraphOptions;

// Sets one of the options above from text: by the name that it has on the command line, without the
// dashes. false and err where there is no such option, or its value makes no sense.
//   drop-loops drop-duplicates symmetrize largest-component    no value: NULL
//   weights    LOW..HIGH[,seed=N]                              seeds are 1 where not given
//   relabel    degree, bfs or random[,seed=N]
bool hd_graph_option(HdGraphOptions *options, const char *name, const char *value, HdError *err);

enum { HD_GRAPH_OPTIONS_TEXT = 192 };
// Writes the options as a command line has them, in the order in which they are applied, every
// value whole: "--drop-loops --weights 1..64,seed=1". "" where there are none.
void hd_graph_options_text(const HdGraphOptions *options, char text[HD_GRAPH_OPTIONS_TEXT]);

// Opens a graph from a file or from a generator's spec. `options` may be NULL. The caller frees it
// with hd_graph_free. NULL and err (file:line:column in text files, the byte in others) where it
// cannot be had.
//
// Files, each also packed by gzip or zstd (.mtx.gz, .txt.zst); docs/graphs.md has the details:
//   .mtx            Matrix Market coordinate: pattern, integer or real (values become weights);
//                   general, or symmetric: each off-diagonal entry (r, c) gives r->c, then c->r
//   .txt .el .edges a line per edge, "from to" or "from to weight", as SNAP writes them; # and %
//                   start comments. Ids are any 64-bit numbers; vertices are numbered from 0 in
//                   ascending order of id
//   .csv            the same with commas; perhaps a first line of names
//   .gr             9th DIMACS challenge (text), or Galois versions 1 and 2 (binary)
//   .graph          METIS, 10th DIMACS challenge
//   .sg .wsg        GAP benchmark suite, serialised; without and with weights
//   .hdg            Heddle's cache (hd_graph_write)
//
// Specs; counts may be written 65536, 2^16 or 64Ki (Mi, Gi); the same spec is the same graph on
// every host:
//   rmat:SCALE,EDGEFACTOR[,seed=N][,a=.57][,b=.19][,c=.19][,d=.05][,simple=0][,undirected=0]
//       [,shuffle=0]
//                   2^SCALE vertices, EDGEFACTOR * 2^SCALE directed edges, each placed by R-MAT
//                   (Chakrabarti, Zhan, Faloutsos: R-MAT, SDM 2004), by default with Graph500's
//                   probabilities. simple=1 drops self loops and repeated edges; undirected=1
//                   gives the reverse of each edge as well, and is simple. Low ids are the hubs,
//                   but with shuffle=1, which renumbers at random. `kron:` is the same
//   uniform:VERTICES,DEGREE[,seed=N]
//                   VERTICES * DEGREE directed edges, both ends drawn uniformly: G(n, m) (Erdos,
//                   Renyi 1959) with repetition
//   grid:WIDTHxHEIGHT[,delete=0][,seed=N]
//                   vertex y * WIDTH + x, joined with its left, right, upper and lower neighbours,
//                   both ways; each such pair is left out with probability `delete`. Like a road
//                   network: degree at most 4, long paths
// The others are undirected and have ascending rows, unless it says otherwise:
//   er:VERTICES,EDGES[,seed=N] or er:VERTICES,p=PROBABILITY[,seed=N]
//                   Erdos, Renyi: so many different edges, all sets of them alike, or each pair
//                   joined with a probability
//   kout:VERTICES,LOW..HIGH[,directed=0][,seed=N]
//                   every vertex chooses LOW..HIGH of the others, repeats possible, and is joined
//                   with them; directed=1: in that direction only
//   rgg:VERTICES,radius=R[,seed=N] or rgg:VERTICES,degree=D[,seed=N]
//                   random points in the unit square, joined where they are at most R apart; or so
//                   that a vertex far from the border has D neighbours on average. Ids follow a
//                   Hilbert curve
//   delaunay:VERTICES[,delete=0][,seed=N]
//                   the Delaunay triangulation of such points; each edge is left out with
//                   probability `delete`
//   ba:VERTICES,EACH[,uniform=.5][,directed=0][,seed=N] or ba:VERTICES,edges=EDGES[,...]
//                   Barabasi, Albert (1999): each new vertex joins EACH older ones (EDGES shared
//                   out evenly). An older one is drawn uniformly with probability `uniform`, else
//                   in proportion to the edges from newer ones. .5 is Barabasi and Albert's rule;
//                   less gives larger hubs (the degrees' exponent is 2 + u / (1 - u)). directed=1:
//                   only from newer to older, as papers cite; the newest is vertex 0
//   ws:VERTICES,DEGREE[,p=0][,seed=N]
//                   Watts, Strogatz (1998): a ring, each joined with the DEGREE nearest; each
//                   edge's far end is moved to anywhere with probability p
//   mesh:XxYxZ[,stencil=6|26][,unknowns=1]
//                   points of a box, joined with their neighbours along the axes (6) or all around
//                   (26); `unknowns` vertices at each point, all of them joined with each other and
//                   with those of the neighbours
//   road:VERTICES[,degree=2.5][,express=0][,seed=N] or road:VERTICES,edges=EDGES[,...]
//                   a street network: connected, crossings on a map, and streets between them that
//                   are chains of vertices of degree 2. Ids follow the map. express=S: every S-th
//                   street is an express way, with ways from one express crossing to the next
//   groups:VERTICES,EDGES[,size=2..50][,tail=2|3][,reach=1][,far=0][,ring=0]
//       [,seed=N]   cliques that overlap, until there are EDGES different edges. Sizes k fall with
//                   k^-tail. Members lie around a place in a ring of all ids, at distances d from
//                   about `reach` * k on that fall with d^-2, or with probability `far` anywhere.
//                   ring=1 first joins each vertex with the next, so that the graph is connected
//   like:NAME[,scale=S][,seed=N]
//                   a stand-in for a graph that the papers name (hd_graph_likes): its vertices and
//                   edges, both times S, from one of the generators above
HdGraph *hd_graph_open(const char *spec, const HdGraphOptions *options, HdError *err);

// A graph that a paper is measured on, and the generated one that stands in for it.
typedef struct HdGraphLike {
    const char *name, *paper;
    uint64_t vertices, edges; // as published or as in the original file; each direction counts
    uint32_t depth;           // published levels of a breadth-first search; 0: not published
    const char *form;         // a spec with holes, for hd_graph_like_spec
} HdGraphLike;

// All of them; *count gets how many.
const HdGraphLike *hd_graph_likes(int *count);

enum { HD_GRAPH_SPEC = 128 };
// Writes the generator's spec that `like:NAME,scale=S` stands for. false where it does not fit.
bool hd_graph_like_spec(const HdGraphLike *like, double scale, char spec[HD_GRAPH_SPEC]);

// A graph of `vertices` vertices and the given edges (stable: a row keeps their order), unweighted
// and directed. Fails where an end is out of range.
HdGraph *hd_graph_build(const char *name, uint32_t vertices, const HdEdge *edges, uint64_t count,
                        HdError *err);

// NULL is allowed.
void hd_graph_free(HdGraph *graph);

// Gives every edge u->v (u != v) that has no v->u its reverse, with the same weight; the new edges
// stand at the end of v's row, ascending in u. A symmetric graph stays as it is. On failure the
// graph is unchanged.
bool hd_graph_symmetrize(HdGraph *graph, HdError *err);

// The graph with every edge the other way around, and its weight; a row's heads ascend. NULL and
// err where memory is out.
HdGraph *hd_graph_reverse(const HdGraph *graph, HdError *err);

// Counts the edges from a vertex to itself, and those beyond the first from the same u to the same
// v. Takes 4 bytes per vertex while it works; fails only where memory is out.
bool hd_graph_count_repeats(const HdGraph *graph, uint64_t *self_loops, uint64_t *duplicates,
                            HdError *err);

// Writes the graph in the format that `path` ends in, packed where it ends in .zst. The file is
// replaced only when the new one is complete. What a format cannot hold, err says:
//   .mtx            general, in row order
//   .txt .csv       ids from 0; vertices without edges are lost
//   .gr             DIMACS; integer weights only
//   .graph          undirected graphs without self loops and duplicates; no real weights
//   .sg             weights are not written
//   .wsg            integer weights only
//   .hdg            everything
bool hd_graph_write(const HdGraph *graph, const char *path, HdError *err);

// Whether hd_graph_write knows the format that `path` ends in; err says which it knows. Asked
// before long work, so that it is not lost.
bool hd_graph_can_write(const char *path, HdError *err);

enum { HD_DEGREE_BUCKETS = 65 };

// What can be said about a graph by looking at it. Degrees are out-degrees.
typedef struct HdGraphStats {
    uint64_t degree_min, degree_max;
    double degree_mean;
    uint32_t degree_max_vertex; // the first vertex of the greatest degree
    // Vertices by degree: [0] degree 0, [k] degrees 2^(k-1) .. 2^k - 1.
    uint64_t degree_histogram[HD_DEGREE_BUCKETS];
    uint64_t self_loops;
    uint64_t duplicates;   // edges beyond the first from the same u to the same v
    uint64_t reciprocal;   // edges u->v, loops included, for which v->u is there too
    uint32_t isolated;       // vertices at which no edge starts or ends
    uint32_t components;   // weakly connected; an isolated vertex is one
    uint32_t largest;         // vertices in the largest of them
    uint64_t host_bytes;   // memory of the arrays here
    uint64_t device_bytes; // 32-bit offsets, columns and weights
} HdGraphStats;

// Takes about 16 bytes per vertex and 4 per edge while it works. Fails only where memory is out.
bool hd_graph_measure(const HdGraph *graph, HdGraphStats *stats, HdError *err);

typedef struct HdBfs {
    uint32_t reached; // vertices with a path from the source, itself included
    uint32_t depth;   // the greatest level: the source's out-eccentricity
} HdBfs;

// Breadth-first levels from `source` along out-edges, by a plain queue: levels[v] is the least
// number of edges of a path, -1 where there is none. `levels` has room for every vertex and is the
// caller's. Fails where source is no vertex, vertices >= 2^31, or memory is out.
bool hd_bfs_levels(const HdGraph *graph, uint32_t source, int32_t *levels, HdBfs *result,
                   HdError *err);

// A lower bound of the longest of all shortest paths, and between which vertices it was met.
typedef struct HdDiameter {
    uint32_t bound, from, to;
} HdDiameter;

// Double sweep: searches from `source`, then from the farthest vertex that was reached. In a tree
// the bound is the diameter; in most graphs it is near. Fails as hd_bfs_levels does.
bool hd_diameter_bound(const HdGraph *graph, uint32_t source, HdDiameter *diameter, HdError *err);

// Weights for the graph's edges as the option `draw_weights` has them, for a graph that is not to
// be changed; freed with free(). NULL and err where memory is out.
int32_t *hd_graph_drawn_weights(const HdGraph *graph, int32_t low, int32_t high, uint64_t seed,
                                HdError *err);

// Lengths of the shortest paths from `source` along out-edges, by Dijkstra's algorithm: -1 where
// there is none. `weights` has a number for each edge: int_weights, or others. `distances` has room
// for every vertex. Fails where source is no vertex, an edge that it comes to has a negative
// weight, or memory is out.
bool hd_sssp_distances(const HdGraph *graph, const int32_t *weights, uint32_t source,
                       int64_t *distances, HdError *err);

// root[v]: the lowest vertex of v's weakly connected component, by union-find. `root` has room for
// every vertex.
void hd_graph_components(const HdGraph *graph, uint32_t *root);

// cores[v]: the greatest k for which v lies in a subgraph whose vertices all have k neighbours in
// it. The graph must be undirected; a repeated edge counts as often as it is there, a loop not at
// all. `cores` has room for every vertex. Fails where memory is out.
bool hd_core_numbers(const HdGraph *graph, uint32_t *cores, HdError *err);

// Sets of three vertices that are all joined; the graph must be undirected. Repeated edges and
// loops make no difference. Fails where memory is out.
bool hd_count_triangles(const HdGraph *graph, uint64_t *triangles, HdError *err);

// One step of PageRank by power iteration: next[v] becomes
//
//     base / vertices + damping * (sum over the edges u->v of rank[u] / edges of u
//                                  + sum over the u without edges of rank[u] / vertices),
//
// so that with base = 1 - damping ranks that add up to 1 do so afterwards. A repeated edge counts
// as often as it is there. Both arrays have a number for every vertex.
void hd_pagerank_step(const HdGraph *graph, double damping, double base, const double *rank,
                      double *next);

// What a source's shortest paths say about every vertex; the arrays have room for all vertices and
// are the caller's.
typedef struct HdBrandes {
    int32_t *level;     // as hd_bfs_levels has them
    double *paths;      // shortest paths to it, or 0; a repeated edge makes as many
    double *dependency; // sum over all other ends of the part of the shortest paths there that lead
                        // over it; of the source: vertices that it reaches
    uint32_t *order;    // the vertices that are reached, level by level
    uint32_t reached;   // how many
} HdBrandes;

// Brandes' algorithm from one source, which must be a vertex. The sum of the dependencies on v over
// all sources but v itself is v's betweenness centrality, each ordered pair counting.
void hd_brandes(const HdGraph *graph, uint32_t source, HdBrandes *brandes);

typedef struct HdForest {
    int64_t weight;  // of all its edges
    uint32_t edges;
    uint32_t trees;  // as many as there are components; an isolated vertex is one
} HdForest;

// A minimum spanning forest by Kruskal's algorithm. Edges count in both directions, so that of
// edges between the same two vertices the lightest counts. `weights` as above, of either sign.
// Fails where memory is out.
bool hd_spanning_forest(const HdGraph *graph, const int32_t *weights, HdForest *forest,
                        HdError *err);

// For each edge the least weight of all edges between its two vertices, in both directions: what
// counts where edges have none. `least` has room for every edge. Fails where memory is out.
bool hd_graph_pair_weights(const HdGraph *graph, const int32_t *weights, int32_t *least,
                           HdError *err);

#endif
