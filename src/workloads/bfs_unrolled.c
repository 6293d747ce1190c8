// Breadth-first search without a frontier: launches over all vertices until nothing changes.
#include "workloads/bfs.h"

// Each launch but the last lowers a level and brings at least one more vertex to its final level,
// so there are at most as many launches as vertices.
BFS_RUN(bfs_unrolled)
{
    Bfs bfs = bfs_begin(device, input, result, INT32_MAX, err);
    Program *program = &bfs.program;
    uint32_t n = input->graph->vertices;
    int32_t limit = (int32_t)input->parameters[BFS_LIMIT];
    bool again = true;
    for (int32_t round = 0; again && !bfs_too_deep(&bfs, round); round++) {
        PROGRAM_LAUNCH(program, "bfs_unrolled", n, bfs_work_of_reached(&bfs), hd_buffer(bfs.row),
                       hd_buffer(bfs.column), hd_buffer(bfs.level), hd_buffer(bfs.again),
                       hd_i32(limit), hd_i32((int32_t)n));
        again = program_test_and_clear(program, bfs.again);
    }
    return bfs_end(&bfs);
}
