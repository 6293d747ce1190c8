// Internal to the graph layer: the generators and their parameters, as read from a spec.
#ifndef HEDDLE_GRAPH_GENERATE_H
#define HEDDLE_GRAPH_GENERATE_H

#include "graph/graph_internal.h"

typedef struct RmatSpec {
    unsigned scale; // 1..31
    uint64_t edge_factor; // edge_factor << scale fits 58 bits, so that each edge's draws have
                          // numbers
    uint64_t seed;
    uint64_t a, b, c; // probabilities in 10^-18; their sum is at most 1
    bool simple;      // self loops and repeated edges are dropped
    bool undirected;  // each edge in both directions; implies `simple`
    bool shuffled;    // vertices are renumbered at random
} RmatSpec;

typedef struct UniformSpec {
    uint32_t vertices;
    uint64_t degree; // degree * vertices fits 63 bits
    uint64_t seed;
} UniformSpec;

typedef struct GridSpec {
    uint32_t width, height; // width * height fits 32 bits
    uint64_t seed;
    uint64_t deleted; // the probability, in 10^-18, that a pair of neighbours is not joined
} GridSpec;

typedef struct ErSpec {
    uint32_t vertices;
    uint64_t edges; // at most one for each pair of vertices
    uint64_t seed;
} ErSpec;

typedef struct GnpSpec {
    uint32_t vertices;
    uint64_t probability; // in 10^-18
    uint64_t seed;
} GnpSpec;

typedef struct KoutSpec {
    uint32_t vertices; // at least 2
    uint64_t low, high; // vertices * high fits 63 bits
    bool directed;
    uint64_t seed;
} KoutSpec;

typedef struct RggSpec {
    uint32_t vertices;
    double radius; // in a square of side 1; 0: `degree` is given
    double degree; // mean degree, if radius is 0
    uint64_t seed;
} RggSpec;

typedef struct DelaunaySpec {
    uint32_t vertices; // fits 31 bits
    uint64_t deleted;  // the probability, in 10^-18, that an edge is left out
    uint64_t seed;
} DelaunaySpec;

typedef struct BaSpec {
    uint32_t vertices;
    uint32_t each;    // edges per new vertex (the first vertices join all older ones); 0: `edges`
    uint64_t edges;   // total if each is 0; vertices - 1 .. 1024 * (vertices - 1)
    uint64_t uniform; // the probability, in 10^-18, that an end is drawn uniformly
    bool directed;    // edges only from newer to older; the newest vertex is vertex 0
    uint64_t seed;
} BaSpec;

typedef struct WsSpec {
    uint32_t vertices;
    uint32_t degree;  // even, below vertices
    uint64_t rewired; // probability in 10^-18
    uint64_t seed;
} WsSpec;

typedef struct MeshSpec {
    uint32_t x, y, z; // x * y * z * unknowns fits 32 bits
    uint32_t stencil; // 6 or 26 neighbours of a point
    uint32_t unknowns; // vertices per point
} MeshSpec;

typedef struct RoadSpec {
    uint32_t vertices;
    uint64_t edges;   // vertices - 1 .. 1.45 * vertices
    uint32_t express; // crossings between express crossings, in each direction; 0: none
    uint64_t seed;
} RoadSpec;

typedef struct GroupsSpec {
    uint32_t vertices;
    uint64_t edges;
    uint32_t low, high; // bounds of a group's size
    unsigned tail;      // 2 or 3: the exponent of the groups' sizes
    uint32_t reach;     // scale of the members' distance on the ring of ids, per member
    bool ring;          // each vertex is joined with the next; requires edges >= vertices
    uint64_t far;       // the probability, in 10^-18, that a member is drawn uniformly
    uint64_t seed;
} GroupsSpec;

// The greatest number whose square is at most n.
uint64_t isqrt(uint64_t n);

HdGraph *generate_er(const ErSpec *spec, GraphBuild *build);
HdGraph *generate_gnp(const GnpSpec *spec, GraphBuild *build);
HdGraph *generate_kout(const KoutSpec *spec, GraphBuild *build);
HdGraph *generate_rgg(const RggSpec *spec, GraphBuild *build);
HdGraph *generate_delaunay(const DelaunaySpec *spec, GraphBuild *build);
HdGraph *generate_ba(const BaSpec *spec, GraphBuild *build);
HdGraph *generate_ws(const WsSpec *spec, GraphBuild *build);
HdGraph *generate_mesh(const MeshSpec *spec, GraphBuild *build);
HdGraph *generate_road(const RoadSpec *spec, GraphBuild *build);
HdGraph *generate_groups(const GroupsSpec *spec, GraphBuild *build);
HdGraph *generate_rmat(const RmatSpec *spec, GraphBuild *build);
HdGraph *generate_uniform(const UniformSpec *spec, GraphBuild *build);
HdGraph *generate_grid(const GridSpec *spec, GraphBuild *build);

#endif
