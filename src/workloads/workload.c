// The table of workloads, and look-up by name.
#include "base/memory.h"
#include "config/parameter.h"
#include "device/cuda_device.h"
#include "workloads/aes.h"
#include "workloads/backprop.h"
#include "workloads/bc.h"
#include "workloads/bfs.h"
#include "workloads/blackscholes.h"
#include "workloads/btree.h"
#include "workloads/cc.h"
#include "workloads/colouring.h"
#include "workloads/convolution.h"
#include "workloads/coulomb.h"
#include "workloads/dense.h"
#include "workloads/fft.h"
#include "workloads/haar.h"
#include "workloads/hotspot.h"
#include "workloads/invindex.h"
#include "workloads/kcore.h"
#include "workloads/kmeans.h"
#include "workloads/laplace3d.h"
#include "workloads/libor.h"
#include "workloads/mis.h"
#include "workloads/mm2.h"
#include "workloads/mst.h"
#include "workloads/mummer.h"
#include "workloads/needle.h"
#include "workloads/neuralnet.h"
#include "workloads/pagerank.h"
#include "workloads/pathfinder.h"
#include "workloads/pi.h"
#include "workloads/queens.h"
#include "workloads/spmv.h"
#include "workloads/srad.h"
#include "workloads/sssp.h"
#include "workloads/stcon.h"
#include "workloads/stencil3d.h"
#include "workloads/stream.h"
#include "workloads/streamcluster.h"
#include "workloads/tc.h"
#include "workloads/vectors.h"
#include "workloads/walsh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

STAT_TABLE(work_table, WorkCounters, WORK_COUNTERS);

// Graph algorithms, spmv and stream; then the applications of khairy2015 by the classes of its
// Table 2: streaming, conflict, thrashing (syrk and gesummv are both), cache-friendly; then those
// of yilmazer2020gw that take no graph.
const Workload workloads[] = {
    {.name = "bfs",
     .doc = "breadth-first search: each vertex gets its distance from the source",
     .needs_graph = true,
     .has_source = true,
     .implementations = bfs_implementations,
     .parameters = bfs_parameters},
    {.name = "sssp",
     .doc = "shortest paths: each vertex gets its distance over weighted edges from the source",
     .needs_graph = true,
     .has_source = true,
     .implementations = sssp_implementations,
     .parameters = sssp_parameters},
    {.name = "stcon",
     .doc = "s-t connectivity: searches from the source and a target until they meet",
     .needs_graph = true,
     .needs_undirected = true,
     .has_source = true,
     .implementations = stcon_implementations,
     .parameters = stcon_parameters},
    {.name = "mst",
     .doc = "minimum spanning forest: connects each component by edges of the least total weight",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = mst_implementations,
     .parameters = mst_parameters},
    {.name = "colouring",
     .doc = "graph colouring: each vertex gets a colour that none of its neighbours has",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = colouring_implementations,
     .parameters = colouring_parameters},
    {.name = "mis",
     .doc = "maximal independent set: no two vertices are neighbours, and none can be added",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = mis_implementations,
     .parameters = mis_parameters},
    {.name = "pagerank",
     .doc = "PageRank: the rank of each vertex, by power iteration along the edges",
     .needs_graph = true,
     .implementations = pagerank_implementations,
     .parameters = pagerank_parameters},
    {.name = "bc",
     .doc = "betweenness centrality of each vertex over some sources, by Brandes' algorithm",
     .needs_graph = true,
     .has_source = true,
     .implementations = bc_implementations,
     .parameters = bc_parameters},
    {.name = "cc",
     .doc = "weakly connected components: each vertex gets the smallest one of its component",
     .needs_graph = true,
     .implementations = cc_implementations},
    {.name = "tc",
     .doc = "triangle counting; duplicate edges count once, self loops do not count",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = tc_implementations},
    {.name = "kcore",
     .doc = "k-core decomposition: the core number of each vertex, by peeling the lowest degrees",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = kcore_implementations},
    {.name = "spmv",
     .doc = "sparse matrix-vector product: the matrix is the graph",
     .needs_graph = true,
     .implementations = spmv_implementations,
     .parameters = spmv_parameters},
    {.name = "stream",
     .doc = "copies an array: measures the DRAM bandwidth that a kernel can use",
     .implementations = stream_implementations,
     .parameters = stream_parameters},
    {.name = "vecadd",
     .doc = "adds two vectors",
     .implementations = vecadd_implementations,
     .parameters = vecadd_parameters},
    {.name = "scalarprod",
     .doc = "scalar products of pairs of vectors",
     .implementations = scalarprod_implementations,
     .parameters = scalarprod_parameters},
    {.name = "blackscholes",
     .doc = "prices of European options by the formula of Black and Scholes",
     .block = 128,
     .implementations = blackscholes_implementations,
     .parameters = blackscholes_parameters},
    {.name = "walsh",
     .doc = "fast Walsh transform of a vector",
     .implementations = walsh_implementations,
     .parameters = walsh_parameters},
    {.name = "needle",
     .doc = "Needleman-Wunsch: the scores of the best alignments of two sequences",
     .block = 16,
     .implementations = needle_implementations,
     .parameters = needle_parameters},
    {.name = "hotspot",
     .doc = "temperatures of a chip: a simulation in steps, by differences to the neighbours",
     .implementations = hotspot_implementations,
     .parameters = hotspot_parameters},
    {.name = "convolution",
     .doc = "convolution of an image with weights for 17 by 17 neighbours, rows then columns",
     .block = 128,
     .implementations = convolution_implementations,
     .parameters = convolution_parameters},
    {.name = "conv2d",
     .doc = "convolution of a matrix with weights for 3 by 3 neighbours",
     .implementations = conv2d_implementations,
     .parameters = conv2d_parameters},
    {.name = "mm2",
     .doc = "two matrix products, the first of which is the left matrix of the second",
     .implementations = mm2_implementations,
     .parameters = mm2_parameters},
    {.name = "stencil3d",
     .doc = "each cell of a grid in three dimensions becomes a mean of itself and its neighbours",
     .implementations = stencil3d_implementations,
     .parameters = stencil3d_parameters},
    {.name = "srad",
     .doc = "diffusion that reduces an image's speckle, and keeps its edges",
     .implementations = srad_implementations,
     .parameters = srad_parameters},
    {.name = "streamcluster",
     .doc = "clustering by local search: opens and closes centres while that lowers the cost",
     .implementations = streamcluster_implementations,
     .parameters = streamcluster_parameters},
    {.name = "syrk",
     .doc = "symmetric rank-k update: a matrix times its own transpose, added to another",
     .implementations = syrk_implementations,
     .parameters = syrk_parameters},
    {.name = "gesummv",
     .doc = "sum of two matrix-vector products",
     .implementations = gesummv_implementations,
     .parameters = gesummv_parameters},
    {.name = "kmeans",
     .doc = "k-means clustering: each point belongs to the cluster with the nearest mean",
     .implementations = kmeans_implementations,
     .parameters = kmeans_parameters},
    {.name = "invindex",
     .doc = "inverted index: the links in the records of a text, each with its record",
     .implementations = invindex_implementations,
     .parameters = invindex_parameters},
    {.name = "btree",
     .doc = "look-ups in a B+tree: the record of each key that is queried",
     .implementations = btree_implementations,
     .parameters = btree_parameters},
    {.name = "backprop",
     .doc = "trains one layer of a neural network: sums at the hidden units, then adjusts weights",
     .implementations = backprop_implementations,
     .parameters = backprop_parameters},
    {.name = "neuralnet",
     .doc = "a neural network that reads digits: four layers, two of them convolutions",
     .implementations = neuralnet_implementations,
     .parameters = neuralnet_parameters},
    {.name = "pi",
     .doc = "estimates pi by random points in the unit square",
     .block = 128,
     .implementations = pi_implementations,
     .parameters = pi_parameters},
    {.name = "aes",
     .doc = "encrypts a text by AES with a key of 128 bits",
     .implementations = aes_implementations,
     .parameters = aes_parameters},
    {.name = "coulomb",
     .doc = "the potential of point charges on a slice of a grid",
     .block = 128,
     .implementations = coulomb_implementations,
     .parameters = coulomb_parameters},
    {.name = "pathfinder",
     .doc = "the cheapest path from the first row of a grid to the last, row by row",
     .implementations = pathfinder_implementations,
     .parameters = pathfinder_parameters},
    {.name = "haar",
     .doc = "discrete Haar wavelet decomposition of a signal",
     .block = 512,
     .implementations = haar_implementations,
     .parameters = haar_parameters},
    {.name = "fft",
     .doc = "fast Fourier transforms of many short signals",
     .block = 128,
     .implementations = fft_implementations,
     .parameters = fft_parameters},
    {.name = "libor",
     .doc = "value of a portfolio of swaptions on paths of the LIBOR market model",
     .block = 64,
     .implementations = libor_implementations,
     .parameters = libor_parameters},
    {.name = "laplace3d",
     .doc = "Laplace's equation in three dimensions, by Jacobi steps",
     .block = 128,
     .implementations = laplace3d_implementations,
     .parameters = laplace3d_parameters},
    {.name = "mummer",
     .doc = "longest matches of short reads with a reference, by its suffix tree",
     .implementations = mummer_implementations,
     .parameters = mummer_parameters},
    {.name = "queens",
     .doc = "places n queens on a board of n by n so that none attacks another, in all ways",
     .block = 96,
     .implementations = queens_implementations,
     .parameters = queens_parameters},
    {0},
};

// "there is no WHAT 'bsf': expected one of bfs, stream; did you mean 'bfs'?"
static bool fail_unknown(HdError *err, const char *what, const char *name, const char *const *names,
                         int count)
{
    char all[512];
    hd_list_names(all, sizeof all, names, count);
    const char *near = hd_nearest(name, names, count);
    return hd_fail(err, "there is no %s '%s': expected one of %s%s%s%s", what, name, all,
                   HD_DID_YOU_MEAN(near));
}

enum { MOST_NAMES = 64 };

const Workload *workload_find(const char *name, HdError *err)
{
    const char *names[MOST_NAMES];
    int count = 0;
    for (const Workload *w = workloads; w->name; w++) {
        if (strcmp(w->name, name) == 0) return w;
        if (count < MOST_NAMES) names[count++] = w->name;
    }
    fail_unknown(err, "workload", name, names, count);
    return NULL;
}

const Implementation *workload_implementation(const Workload *workload, const char *name,
                                              HdError *err)
{
    if (!name) return workload->implementations;
    const char *names[MOST_NAMES];
    int count = 0;
    for (const Implementation *i = workload->implementations; i->name; i++) {
        if (strcmp(i->name, name) == 0) return i;
        if (count < MOST_NAMES) names[count++] = i->name;
    }
    char what[96];
    snprintf(what, sizeof what, "implementation of %s", workload->name);
    fail_unknown(err, what, name, names, count);
    return NULL;
}

uint32_t workload_block(const Workload *workload)
{
    return workload->block ? workload->block : WORKLOAD_BLOCK;
}

static bool set_parameter(const Workload *workload, const char *text, WorkloadInput *input,
                          HdError *err)
{
    const char *names[MAX_PARAMETERS];
    int count = 0;
    size_t length = strcspn(text, "=");
    for (const HdParameter *p = workload->parameters; p && p->name; p++) {
        double *value = &input->parameters[count];
        HdError why;
        names[count++] = p->name;
        if (strlen(p->name) != length || strncmp(p->name, text, length) != 0) continue;
        if (!text[length]) return hd_fail(err, "--param: '%s': expected key=value", text);
        return parameter_read(p, text + length + 1, value, &why) ||
               hd_fail(err, "--param: %s = %.256s: %.1024s (%s)", p->name, text + length + 1,
                       why.text, p->description);
    }
    if (!count) return hd_fail(err, "--param %s: %s has no parameters", text, workload->name);
    char what[96], name[64];
    snprintf(what, sizeof what, "parameter of %s", workload->name);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return fail_unknown(err, what, name, names, count);
}

bool workload_parameters(const Workload *workload, const char *const *texts, size_t count,
                         WorkloadInput *input, HdError *err)
{
    size_t at = 0;
    for (const HdParameter *p = workload->parameters; p && p->name; p++)
        input->parameters[at++] = p->value;
    for (size_t i = 0; i < count; i++)
        if (!set_parameter(workload, texts[i], input, err)) return false;
    return true;
}

const char *answer_unit(const char *name)
{
    static const struct {
        const char *name, *unit;
    } units[] = {
        {"copied", "elements"},   {"dangling", "vertices"}, {"depth", "levels"},
        {"farthest", "away"},     {"found", "queries"},     {"innermost", "vertices"},
        {"inside", "points"},     {"largest", "vertices"},  {"link_bytes", "B"},
        {"longest", "bases"},     {"matched", "bases"},     {"members", "vertices"},
        {"moved", "points"},      {"path", "edges"},        {"reached", "vertices"},
        {"sources", "vertices"},  {"text", "B"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0) return units[i].unit;
    return "";
}

uint64_t workload_count(const WorkloadResult *result, const char *name)
{
    for (unsigned i = 0; i < result->answer_count; i++)
        if (strcmp(result->answers[i].name, name) == 0) return result->answers[i].count;
    return 0;
}

bool workload_run(const Workload *workload, const Implementation *implementation, HdDevice *device,
                  const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    *result = (WorkloadResult){0};
    if (input->block == 0 || input->block > 1024)
        return hd_fail(err, "block of %u threads: expected 1 to 1024", input->block);
    if (implementation->simulated_only && device_cuda_info(device))
        return hd_fail(err, "%s %s on a real GPU: expected a simulated GPU, because its kernels "
                            "take the index of a warp from %%warpid, which on a real GPU is a "
                            "warp slot", workload->name, implementation->name);
    if (workload->needs_graph) {
        const HdGraph *graph = input->graph;
        if (workload->needs_undirected && graph->directed)
            return hd_fail(err,
                           "%s needs an undirected graph, but graph %s is marked as directed: "
                           "--symmetrize adds the missing reverse edges",
                           workload->name, graph->name);
        if (input->source >= graph->vertices)
            return hd_fail(err, "source %u is not a vertex of graph %s: expected 0 to %u",
                           input->source, graph->name, graph->vertices - 1);
        if (!graph->row32)
            return hd_fail(err,
                           "graph %s has %llu edges: expected fewer than 2^31, because kernels "
                           "have 32-bit offsets",
                           graph->name, (unsigned long long)graph->edges);
    }
    return implementation->run(device, input, result, err);
}

void workload_result_free(WorkloadResult *result)
{
    free(result->launches);
    *result = (WorkloadResult){0};
}

bool workload_add_work(WorkloadResult *result, WorkCounters numbers, HdError *err)
{
    return HD_PUSH(result->launches, result->launch_count, result->launch_capacity, numbers) ||
           hd_fail_memory(err, "running a workload");
}
