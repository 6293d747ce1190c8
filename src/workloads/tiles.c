// Grids whose blocks are tiles of a matrix.
#include "workloads/tiles.h"

#include "base/bits.h"

enum { TILE_COLUMNS = 32 };

uint64_t tile_threads(Program *program, uint32_t rows, uint32_t columns)
{
    uint32_t block = program->input->block;
    if (block % TILE_COLUMNS) {
        program_fail(program, "blocks of %u threads are not whole rows of tiles: expected "
                              "--block to be a multiple of %d for this workload",
                     block, TILE_COLUMNS);
        return 0;
    }
    uint64_t down = divide_up(rows, block / TILE_COLUMNS);
    return down * divide_up(columns, TILE_COLUMNS) * block;
}
