// Inside the graph layer: the generators and their parameters, as read from a spec.
#ifndef HEDDLE_GRAPH_GENERATE_H
#define HEDDLE_GRAPH_GENERATE_H

#include "graph/build.h"

// Probabilities are integers in units of 10^-18: decimal fractions are exact, and no host rounds.
#define GENERATE_ONE 1000000000000000000u

typedef struct RmatSpec {
    unsigned scale; // 1..31
    uint64_t edge_factor; // edge_factor << scale fits 58 bits: an edge's draws are numbered
    uint64_t seed;
    uint64_t a, b, c; // their sum is at most GENERATE_ONE
} RmatSpec;

typedef struct UniformSpec {
    uint32_t vertices;
    uint64_t degree; // degree * vertices fits 63 bits
    uint64_t seed;
} UniformSpec;

typedef struct GridSpec {
    uint32_t width, height; // width * height fits 32 bits
    uint64_t seed;
    uint64_t deleted; // the probability that a pair of neighbours is not joined
} GridSpec;

HdGraph *generate_rmat(const RmatSpec *spec, const HdGraphOptions *options, HdError *err);
HdGraph *generate_uniform(const UniformSpec *spec, const HdGraphOptions *options, HdError *err);
HdGraph *generate_grid(const GridSpec *spec, const HdGraphOptions *options, HdError *err);

#endif
