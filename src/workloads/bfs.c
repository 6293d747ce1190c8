// Breadth-first search: the host programs. Arrays are allocated and written in the order row, col,
// level, again, then frontier, visited, next: that of the reference runs, so that addresses and
// what a warm L2 holds are the same.
#include "workloads/bfs.h"

#include "base/bits.h"
#include "base/memory.h"
#include "workloads/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bfs {
    HdDevice *device;
    const WorkloadInput *input;
    const HdGraph *graph;
    WorkloadResult *result;
    HdAddress row, column, level, again;
    HdAddress frontier, visited, next; // topology only
    int32_t *host;                     // one number per vertex: levels as last read
} Bfs;

// A new array that holds `bytes` bytes from the host.
static bool bfs_array(Bfs *bfs, HdAddress *array, const char *name, const void *from,
                      uint64_t bytes, HdError *err)
{
    static const uint32_t nothing;
    *array = hd_allocate(bfs->device, bytes ? bytes : sizeof nothing, name, err);
    if (!*array) return false;
    return bytes == 0 || hd_write(bfs->device, *array, from, bytes, err);
}

// A new array with one number per vertex: `at_source` at the source, `elsewhere` at the others.
static bool bfs_vertex_array(Bfs *bfs, HdAddress *array, const char *name, int32_t at_source,
                             int32_t elsewhere, HdError *err)
{
    uint32_t n = bfs->graph->vertices;
    for (uint32_t v = 0; v < n; v++) bfs->host[v] = elsewhere;
    bfs->host[bfs->input->source] = at_source;
    return bfs_array(bfs, array, name, bfs->host, (uint64_t)n * sizeof *bfs->host, err);
}

static bool bfs_begin(Bfs *bfs, HdDevice *device, const WorkloadInput *input,
                      WorkloadResult *result, HdError *err)
{
    const HdGraph *graph = input->graph;
    *bfs = (Bfs){.device = device, .input = input, .graph = graph, .result = result};
    bfs->host = hd_new(graph->vertices, sizeof *bfs->host);
    if (!bfs->host) return hd_fail_memory(err, "running bfs");
    static const int32_t no;
    return bfs_array(bfs, &bfs->row, "row", graph->row32,
                     ((uint64_t)graph->vertices + 1) * sizeof *graph->row32, err) &&
           bfs_array(bfs, &bfs->column, "col", graph->column, graph->edges * sizeof *graph->column,
                     err) &&
           bfs_vertex_array(bfs, &bfs->level, "level", 0, -1, err) &&
           bfs_array(bfs, &bfs->again, "again", &no, sizeof no, err);
}

static bool bfs_read_levels(Bfs *bfs, HdError *err)
{
    return hd_read(bfs->device, bfs->host, bfs->level,
                   (uint64_t)bfs->graph->vertices * sizeof *bfs->host, err);
}

// The vertices of one level with their edges, from the device's levels as they are now.
static bool bfs_work_of(Bfs *bfs, int32_t level, WorkCounters *work, HdError *err)
{
    if (!bfs_read_levels(bfs, err)) return false;
    *work = (WorkCounters){0};
    const uint64_t *row = bfs->graph->row;
    for (uint32_t v = 0; v < bfs->graph->vertices; v++) {
        if (bfs->host[v] != level) continue;
        work->active_vertices++;
        work->edges += row[v + 1] - row[v];
    }
    return true;
}

static bool bfs_launch(Bfs *bfs, const char *kernel, uint64_t threads, const HdArg *args,
                       size_t count, WorkCounters work, HdError *err)
{
    uint32_t block = bfs->input->block;
    uint64_t blocks = divide_up(threads, block);
    if (threads > INT32_MAX)
        return hd_fail(err, "kernel %s: %llu threads are needed, its indices have 31 bits", kernel,
                       (unsigned long long)threads);
    HdLaunch launch = {
        .kernel = kernel,
        .grid = {(uint32_t)blocks, 1, 1},
        .block = {block, 1, 1},
        .args = args,
        .arg_count = count,
    };
    return workload_note(bfs->result, work, err) && hd_launch(bfs->device, &launch, err);
}

// Reads and clears the flag by which kernels tell that something changed.
static bool bfs_take_again(Bfs *bfs, bool *again, HdError *err)
{
    int32_t flag;
    static const int32_t no;
    if (!hd_read(bfs->device, &flag, bfs->again, sizeof flag, err)) return false;
    *again = flag != 0;
    return flag == 0 || hd_write(bfs->device, bfs->again, &no, sizeof no, err);
}

// A search has fewer levels than vertices: a kernel that always wants another one is wrong.
static bool bfs_too_deep(const Bfs *bfs, int32_t level)
{
    return (uint32_t)level >= bfs->graph->vertices;
}

static bool bfs_end(Bfs *bfs, HdError *err)
{
    uint32_t n = bfs->graph->vertices;
    int32_t *expected = hd_new(n, sizeof *expected);
    HdBfs reference;
    bool ok = expected ? hd_bfs_levels(bfs->graph, bfs->input->source, expected, &reference, err) &&
                             bfs_read_levels(bfs, err)
                       : hd_fail_memory(err, "verifying bfs");
    WorkloadResult *result = bfs->result;
    result->verified = ok;
    for (uint32_t v = 0; ok && v < n; v++) {
        int32_t level = bfs->host[v];
        if (level >= 0) {
            result->reached++;
            if ((uint32_t)level > result->depth) result->depth = (uint32_t)level;
        }
        if (level == expected[v] || !result->verified) continue;
        result->verified = false;
        snprintf(result->mismatch, sizeof result->mismatch,
                 "vertex %u has level %d, it should have %d", v, level, expected[v]);
    }
    free(expected);
    return ok;
}

typedef struct TopologyKernels {
    const char *expand, *update;
} TopologyKernels;

static bool bfs_topology_levels(Bfs *bfs, const TopologyKernels *kernels, HdError *err)
{
    uint32_t n = bfs->graph->vertices;
    const HdArg expand[] = {
        hd_buffer(bfs->row),  hd_buffer(bfs->column),  hd_buffer(bfs->frontier),
        hd_buffer(bfs->next), hd_buffer(bfs->visited), hd_buffer(bfs->level),
        hd_i32((int32_t)n),
    };
    const HdArg update[] = {
        hd_buffer(bfs->frontier), hd_buffer(bfs->next), hd_buffer(bfs->visited),
        hd_buffer(bfs->again),    hd_i32((int32_t)n),
    };
    bool again = true;
    for (int32_t level = 0; again && !bfs_too_deep(bfs, level); level++) {
        WorkCounters work, found;
        if (!bfs_work_of(bfs, level, &work, err) ||
            !bfs_launch(bfs, kernels->expand, n, expand, 7, work, err) ||
            !bfs_work_of(bfs, level + 1, &found, err))
            return false;
        found.edges = 0; // an update looks at flags only
        if (!bfs_launch(bfs, kernels->update, n, update, 5, found, err) ||
            !bfs_take_again(bfs, &again, err))
            return false;
    }
    return true;
}

static bool bfs_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         const TopologyKernels *kernels, HdError *err)
{
    Bfs bfs;
    bool ok = bfs_begin(&bfs, device, input, result, err) &&
              bfs_vertex_array(&bfs, &bfs.frontier, "frontier", 1, 0, err) &&
              bfs_vertex_array(&bfs, &bfs.visited, "visited", 1, 0, err) &&
              bfs_vertex_array(&bfs, &bfs.next, "next", 0, 0, err) &&
              bfs_topology_levels(&bfs, kernels, err) && bfs_end(&bfs, err);
    free(bfs.host);
    return ok;
}

static bool bfs_warp_levels(Bfs *bfs, const char *kernel, unsigned width, HdError *err)
{
    uint32_t n = bfs->graph->vertices;
    bool again = true;
    for (int32_t level = 0; again && !bfs_too_deep(bfs, level); level++) {
        const HdArg args[] = {
            hd_buffer(bfs->row),   hd_buffer(bfs->column), hd_buffer(bfs->level),
            hd_buffer(bfs->again), hd_i32(level),          hd_i32((int32_t)n),
        };
        WorkCounters work;
        if (!bfs_work_of(bfs, level, &work, err) ||
            !bfs_launch(bfs, kernel, (uint64_t)n * width, args, 6, work, err) ||
            !bfs_take_again(bfs, &again, err))
            return false;
    }
    return true;
}

// `width` lanes share a vertex.
static bool bfs_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                     const char *kernel, unsigned width, HdError *err)
{
    Bfs bfs;
    bool ok = bfs_begin(&bfs, device, input, result, err) &&
              bfs_warp_levels(&bfs, kernel, width, err) && bfs_end(&bfs, err);
    free(bfs.host);
    return ok;
}

static bool run_topology(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                         HdError *err)
{
    static const TopologyKernels kernels = {"bfs_expand", "bfs_update"};
    return bfs_topology(device, input, result, &kernels, err);
}

static bool run_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                     HdError *err)
{
    unsigned width = hd_device_warp_width(device);
    if (!is_power_of_two(width))
        return hd_fail(
            err, "bfs warp needs a warp width that is a power of two, the machine's is %u", width);
    return bfs_warp(device, input, result, "bfs_warp", width, err);
}

static bool run_reference_topology(HdDevice *device, const WorkloadInput *input,
                                   WorkloadResult *result, HdError *err)
{
    static const TopologyKernels kernels = {"topo_expand", "topo_update"};
    return bfs_topology(device, input, result, &kernels, err);
}

// The reference kernel has 32 lanes per vertex written into it.
static bool run_reference_warp(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                               HdError *err)
{
    return bfs_warp(device, input, result, "warp_expand", 32, err);
}

const Implementation bfs_implementations[] = {
    {"topology", "one thread per vertex, flags as frontier, expand and update kernel per level",
     ptx_bfs, "kernels/bfs.cu", run_topology},
    {"warp", "one warp per vertex, the levels as frontier, one kernel per level", ptx_bfs,
     "kernels/bfs.cu", run_warp},
    {"reference-topo", "the topology kernels that were run on GPGPU-Sim", ptx_reference_topo,
     "kernels/reference_topo.cu", run_reference_topology},
    {"reference-warp", "the warp kernel that was run on GPGPU-Sim", ptx_reference_warp,
     "kernels/reference_warp.cu", run_reference_warp},
    {0},
};
