// The table of workloads, and look-up by name.
#include "base/memory.h"
#include "base/number.h"
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

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

STAT_TABLE(work_table, WorkCounters, WORK_COUNTERS);

// Graph algorithms, spmv and stream; then the applications of khairy2015 by the classes of its
// Table 2: streaming, conflict, thrashing (syrk and gesummv are both), cache-friendly; then those
// of yilmazer2020gw that take no graph.
#define SUM_AND_GREATEST "sum; greatest; greatest_at: its place"
#define WITHIN_BOUND "each element, within an error bound, in doubles"
const Workload workloads[] = {
    {.name = "bfs",
     .doc = "breadth-first search: each vertex gets its distance from the source",
     .answer = "reached: vertices; depth: greatest level",
     .check = "each level, with a search on the CPU",
     .needs_graph = true,
     .has_source = true,
     .implementations = bfs_implementations,
     .parameters = bfs_parameters},
    {.name = "sssp",
     .doc = "shortest paths: each vertex gets its distance over weighted edges from the source",
     .answer = "drawn_weights: edges that got one; reached: vertices; farthest: "
               "greatest distance; rounds",
     .check = "each distance, with Dijkstra's algorithm",
     .needs_graph = true,
     .has_source = true,
     .implementations = sssp_implementations,
     .parameters = sssp_parameters},
    {.name = "stcon",
     .doc = "s-t connectivity: searches from the source and a target until they meet",
     .answer = "target; connected: 1 or 0; path: its edges; rounds",
     .check = "the path, edge by edge, and its length; that there is none, with a search on the "
              "CPU",
     .needs_graph = true,
     .needs_undirected = true,
     .has_source = true,
     .implementations = stcon_implementations,
     .parameters = stcon_parameters},
    {.name = "mst",
     .doc = "minimum spanning forest: connects each component by edges of the least total weight",
     .answer = "drawn_weights: edges that got one; weight: of the forest; edges; "
               "trees: an isolated vertex is one; rounds",
     .check = "that the edges exist and close no cycle; their number and weight, with Kruskal's "
              "algorithm",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = mst_implementations,
     .parameters = mst_parameters},
    {.name = "colouring",
     .doc = "graph colouring: each vertex gets a colour that none of its neighbours has",
     .answer = "colours; rounds",
     .check = "each vertex, with the same rule on the CPU; that no edge joins two of a colour",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = colouring_implementations,
     .parameters = colouring_parameters},
    {.name = "mis",
     .doc = "maximal independent set: no two vertices are neighbours, and none can be added",
     .answer = "members; rounds",
     .check = "each vertex, with the same rule on the CPU; that the set is independent and maximal",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = mis_implementations,
     .parameters = mis_parameters},
    {.name = "pagerank",
     .doc = "PageRank: the rank of each vertex, by power iteration along the edges",
     .answer = "iterations; dangling: vertices without edges; highest: rank; highest_vertex",
     .check = "each rank, within an error bound, with the same iterations in doubles",
     .needs_graph = true,
     .implementations = pagerank_implementations,
     .parameters = pagerank_parameters},
    {.name = "bc",
     .doc = "betweenness centrality of each vertex over some sources, by Brandes' algorithm",
     .answer = "sources; highest: centrality; highest_vertex; depth: of the deepest search",
     .check = "each centrality, within an error bound, with Brandes' algorithm in doubles",
     .needs_graph = true,
     .has_source = true,
     .implementations = bc_implementations,
     .parameters = bc_parameters},
    {.name = "cc",
     .doc = "weakly connected components: each vertex gets the smallest one of its component",
     .answer = "components; largest: its vertices",
     .check = "each vertex, by union-find",
     .needs_graph = true,
     .implementations = cc_implementations},
    {.name = "tc",
     .doc = "triangle counting; duplicate edges count once, self loops do not count",
     .answer = "triangles",
     .check = "the number, by marking neighbours",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = tc_implementations},
    {.name = "kcore",
     .doc = "k-core decomposition: the core number of each vertex, by peeling the lowest degrees",
     .answer = "degeneracy: greatest core number; innermost: vertices that have it",
     .check = "each core number, by peeling in order of degree",
     .needs_graph = true,
     .needs_undirected = true,
     .implementations = kcore_implementations},
    {.name = "spmv",
     .doc = "sparse matrix-vector product: the matrix is the graph",
     .answer = "drawn_values: elements that were drawn; sum; greatest; greatest_at: its place",
     .check = WITHIN_BOUND,
     .needs_graph = true,
     .implementations = spmv_implementations,
     .parameters = spmv_parameters},
    {.name = "stream",
     .doc = "copies an array: measures the DRAM bandwidth that a kernel can use",
     .answer = "copied: elements",
     .check = "each element",
     .implementations = stream_implementations,
     .parameters = stream_parameters},
    {.name = "vecadd",
     .doc = "adds two vectors",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = vecadd_implementations,
     .parameters = vecadd_parameters},
    {.name = "scalarprod",
     .doc = "scalar products of pairs of vectors",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = scalarprod_implementations,
     .parameters = scalarprod_parameters},
    {.name = "blackscholes",
     .doc = "prices of European options by the formula of Black and Scholes",
     .answer = "sum, greatest, greatest_at: of the calls; puts: their sum",
     .check = "each price, within an error bound, with the error function in doubles",
     .block = 128,
     .implementations = blackscholes_implementations,
     .parameters = blackscholes_parameters},
    {.name = "walsh",
     .doc = "fast Walsh transform of a vector",
     .answer = SUM_AND_GREATEST,
     .check = "each element, exactly: the numbers are rounded so that all sums are exact in floats",
     .implementations = walsh_implementations,
     .parameters = walsh_parameters},
    {.name = "needle",
     .doc = "Needleman-Wunsch: the scores of the best alignments of two sequences",
     .answer = "score: of the whole alignment",
     .check = "each score, exactly",
     .block = 16,
     .implementations = needle_implementations,
     .parameters = needle_parameters},
    {.name = "hotspot",
     .doc = "temperatures of a chip: a simulation in steps, by differences to the neighbours",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = hotspot_implementations,
     .parameters = hotspot_parameters},
    {.name = "convolution",
     .doc = "convolution of an image with weights for 17 by 17 neighbours, rows then columns",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .block = 128,
     .implementations = convolution_implementations,
     .parameters = convolution_parameters},
    {.name = "conv2d",
     .doc = "convolution of a matrix with weights for 3 by 3 neighbours",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = conv2d_implementations,
     .parameters = conv2d_parameters},
    {.name = "mm2",
     .doc = "two matrix products, the first of which is the left matrix of the second",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = mm2_implementations,
     .parameters = mm2_parameters},
    {.name = "stencil3d",
     .doc = "each cell of a grid in three dimensions becomes a mean of itself and its neighbours",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = stencil3d_implementations,
     .parameters = stencil3d_parameters},
    {.name = "srad",
     .doc = "diffusion that reduces an image's speckle, and keeps its edges",
     .answer = SUM_AND_GREATEST,
     .check = "each pixel in each iteration, within an error bound, from the device's previous "
              "image",
     .implementations = srad_implementations,
     .parameters = srad_parameters},
    {.name = "streamcluster",
     .doc = "clustering by local search: opens and closes centres while that lowers the cost",
     .answer = "opened, closed, centres: centres opened, closed and left; cost: of all points",
     .check = "each choice of a centre, within an error bound; each word of a candidate's row",
     .implementations = streamcluster_implementations,
     .parameters = streamcluster_parameters},
    {.name = "syrk",
     .doc = "symmetric rank-k update: a matrix times its own transpose, added to another",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = syrk_implementations,
     .parameters = syrk_parameters},
    {.name = "gesummv",
     .doc = "sum of two matrix-vector products",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .implementations = gesummv_implementations,
     .parameters = gesummv_parameters},
    {.name = "kmeans",
     .doc = "k-means clustering: each point belongs to the cluster with the nearest mean",
     .answer = "iterations; moved: points, in the last; spread: sum of squared distances to the "
               "centres",
     .check = "in each iteration that no other centre is nearer, within an error bound; points "
              "that moved",
     .implementations = kmeans_implementations,
     .parameters = kmeans_parameters},
    {.name = "invindex",
     .doc = "inverted index: the links in the records of a text, each with its record",
     .answer = "text: bytes; links; link_bytes: their bytes in the index",
     .check = "each entry, exactly, with a search on the CPU",
     .implementations = invindex_implementations,
     .parameters = invindex_parameters},
    {.name = "btree",
     .doc = "look-ups in a B+tree: the record of each key that is queried",
     .answer = "found: queries with a record; sum: of these records; levels: of the tree",
     .check = "each record, exactly, by the rule that made keys and records, without the tree",
     .implementations = btree_implementations,
     .parameters = btree_parameters},
    {.name = "backprop",
     .doc = "trains one layer of a neural network: sums at the hidden units, then adjusts weights",
     .answer = SUM_AND_GREATEST,
     .check = "each block's sum, each weight and each change, within error bounds",
     .implementations = backprop_implementations,
     .parameters = backprop_parameters},
    {.name = "neuralnet",
     .doc = "a neural network that reads digits: four layers, two of them convolutions",
     .answer = SUM_AND_GREATEST,
     .check = "each neuron, within an error bound, from what the device had in the layer before",
     .implementations = neuralnet_implementations,
     .parameters = neuralnet_parameters},
    {.name = "pi",
     .doc = "estimates pi by random points in the unit square",
     .answer = "inside: points in the circle; pi: the estimate",
     .check = "each block's count, exactly, with the CPU's count of the same points",
     .block = 128,
     .implementations = pi_implementations,
     .parameters = pi_parameters},
    {.name = "aes",
     .doc = "encrypts a text by AES with a key of 128 bits",
     .answer = "sum: of the words, the first byte of each as the highest",
     .check = "each byte, exactly, with AES after FIPS 197, which shares no table with the kernel",
     .implementations = aes_implementations,
     .parameters = aes_parameters},
    {.name = "coulomb",
     .doc = "the potential of point charges on a slice of a grid",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .block = 128,
     .implementations = coulomb_implementations,
     .parameters = coulomb_parameters},
    {.name = "pathfinder",
     .doc = "the cheapest path from the first row of a grid to the last, row by row",
     .answer = "least: sum of the cheapest path; least_at: its column; sum: of all sums",
     .check = "each sum, exactly",
     .implementations = pathfinder_implementations,
     .parameters = pathfinder_parameters},
    {.name = "haar",
     .doc = "discrete Haar wavelet decomposition of a signal",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .block = 512,
     .implementations = haar_implementations,
     .parameters = haar_parameters},
    {.name = "fft",
     .doc = "fast Fourier transforms of many short signals",
     .answer = SUM_AND_GREATEST,
     .check = "each signal, by a bound of its error's 2-norm (Higham, section 24.1)",
     .block = 128,
     .implementations = fft_implementations,
     .parameters = fft_parameters},
    {.name = "libor",
     .doc = "value of a portfolio of swaptions on paths of the LIBOR market model",
     .answer = "value, sensitivity: means over the paths",
     .check = "each value, within an error bound; a swaption that the bound leaves open may be "
              "exercised or not",
     .block = 64,
     .implementations = libor_implementations,
     .parameters = libor_parameters},
    {.name = "laplace3d",
     .doc = "Laplace's equation in three dimensions, by Jacobi steps",
     .answer = SUM_AND_GREATEST,
     .check = WITHIN_BOUND,
     .block = 128,
     .implementations = laplace3d_implementations,
     .parameters = laplace3d_parameters},
    {.name = "mummer",
     .doc = "longest matches of short reads with a reference, by its suffix tree",
     .answer = "matches; matched: sum of their lengths; longest; nodes: of the tree",
     .check = "each match, exactly, by the places of short pieces in the reference, without a tree",
     .implementations = mummer_implementations,
     .parameters = mummer_parameters},
    {.name = "queens",
     .doc = "places n queens on a board of n by n so that none attacks another, in all ways",
     .answer = "solutions; boards",
     .check = "each block's count, exactly, and the sum with the known number for the size",
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
    for (const WorkloadParameter *p = workload->parameters; p && p->name; p++) {
        int at = count;
        names[count++] = p->name;
        if (strlen(p->name) != length || strncmp(p->name, text, length) != 0) continue;
        char *end;
        errno = 0;
        double value = text[length] ? number_read(text + length + 1, &end) : 0;
        if (!text[length] || end == text + length + 1 || *end || errno || !(value >= p->min) ||
            !(value <= p->max) || (p->integer && value != floor(value)))
            return hd_fail(err, "--param %s: expected %s from %.15g to %.15g (%s: %s)", text,
                           p->integer ? "a whole number" : "a number", p->min, p->max, p->name,
                           p->doc);
        input->parameters[at] = value;
        return true;
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
    for (const WorkloadParameter *p = workload->parameters; p && p->name; p++)
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
