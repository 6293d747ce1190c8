// The PTX of kernels/, compiled and embedded at build time.
#ifndef HEDDLE_WORKLOADS_KERNELS_H
#define HEDDLE_WORKLOADS_KERNELS_H

extern const char ptx_aes[];
extern const char ptx_backprop[];
extern const char ptx_bc[];
extern const char ptx_bfs[];
extern const char ptx_bfs_edge[];
extern const char ptx_bfs_published[];
extern const char ptx_bfs_unrolled[];
extern const char ptx_bfs_variants[];
extern const char ptx_bfs_worklist[];
extern const char ptx_blackscholes[];
extern const char ptx_btree[];
extern const char ptx_cc[];
extern const char ptx_colouring[];
extern const char ptx_convolution[];
extern const char ptx_coulomb[];
extern const char ptx_dense[];
extern const char ptx_edge_frontier_iru[];
extern const char ptx_fft[];
extern const char ptx_haar[];
extern const char ptx_hotspot[];
extern const char ptx_invindex[];
extern const char ptx_kcore[];
extern const char ptx_kmeans[];
extern const char ptx_laplace3d[];
extern const char ptx_libor[];
extern const char ptx_mis[];
extern const char ptx_mm2[];
extern const char ptx_mst[];
extern const char ptx_mst_lonestar[];
extern const char ptx_mummer[];
extern const char ptx_needle[];
extern const char ptx_neuralnet[];
extern const char ptx_pagerank[];
extern const char ptx_pathfinder[];
extern const char ptx_pi[];
extern const char ptx_queens[];
extern const char ptx_reference_stream[];
extern const char ptx_reference_topo[];
extern const char ptx_reference_warp[];
extern const char ptx_relax_lonestar[];
extern const char ptx_spmv[];
extern const char ptx_srad[];
extern const char ptx_sssp[];
extern const char ptx_sssp_frontier[];
extern const char ptx_sssp_published[];
extern const char ptx_stcon[];
extern const char ptx_stencil3d[];
extern const char ptx_streamcluster[];
extern const char ptx_tc[];
extern const char ptx_vectors[];
extern const char ptx_walsh[];

// An entry of a list of implementations: NAME runs the kernels of kernels/FILE.cu.
#define IMPLEMENTATION(NAME, FILE, RUN, PAPER, DOC)                                                \
    {                                                                                              \
        IMPLEMENTATION_FIELDS(NAME, FILE, RUN, PAPER, DOC)                                         \
    }
// The same for kernels that call get_warp_id(), which no real GPU has.
#define SIMULATED_IMPLEMENTATION(NAME, FILE, RUN, PAPER, DOC)                                      \
    {                                                                                              \
        IMPLEMENTATION_FIELDS(NAME, FILE, RUN, PAPER, DOC), .simulated_only = true                 \
    }
#define IMPLEMENTATION_FIELDS(NAME, FILE, RUN, PAPER, DOC)                                         \
    .name = NAME, .doc = DOC, .paper = PAPER, .ptx = ptx_##FILE,                                   \
    .ptx_name = "kernels/" #FILE ".cu", .run = RUN

#endif
