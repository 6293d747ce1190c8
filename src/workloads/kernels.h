// The PTX of kernels/, compiled and embedded at build time.
#ifndef HEDDLE_WORKLOADS_KERNELS_H
#define HEDDLE_WORKLOADS_KERNELS_H

extern const char ptx_bfs[], ptx_bfs_edge[], ptx_bfs_relax[], ptx_bfs_variants[],
    ptx_bfs_worklist[], ptx_reference_topo[], ptx_reference_warp[], ptx_reference_stream[],
    ptx_sssp[], ptx_sssp_frontier[],
    ptx_stcon[];

#endif
