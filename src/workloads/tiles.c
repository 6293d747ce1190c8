// Grids whose blocks are tiles of a matrix.
#include "workloads/tiles.h"

#include "base/bits.h"

uint64_t tile_threads(Program *program, uint32_t width, uint32_t rows, uint32_t columns)
{
    uint32_t block = program->input->block;
    if (block % width) {
        program_fail(program, "blocks of %u threads are not whole rows of tiles: expected "
                              "--block to be a multiple of %u for this workload",
                     block, width);
        return 0;
    }
    uint64_t down = divide_up(rows, block / width);
    return down * divide_up(columns, width) * block;
}
