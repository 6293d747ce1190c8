// The cheapest path from the first row of a grid to the last, each step to one of the three nearest
// cells of the next row: the host program. A launch goes through several rows.
#include "base/bits.h"
#include "base/random.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

// Stream number of the costs (base/random.h).
enum { RANDOM_USER_COSTS = 0x50415448 };

enum { COLUMNS, ROWS, STEPS_PER_LAUNCH, SEED };
enum { COSTS = 10 }; // from 0 to 9

static const HdParameter parameters[] = {
    [COLUMNS] = {.name = "columns", .description = "columns of the grid", .value = 100000,
                 .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [ROWS] = {.name = "rows", .description = "rows of the grid", .value = 100, .min = 2,
              .max = 1 << 24, .kind = HD_WHOLE},
    [STEPS_PER_LAUNCH] = {.name = "steps_per_launch", .unit = "rows",
                          .description = "rows that a launch goes through at most; blocks overlap "
                                         "by twice as many columns", .value = 20, .min = 1,
                          .max = 511, .kind = HD_WHOLE},
    [SEED] = WORKLOAD_SEED("of the costs, 0 to 9; 0: the costs are 0 to 9, and again, row by row, "
                           "for results known by hand"),
    {0},
};

typedef struct Grid {
    uint32_t columns, rows;
    int32_t *cost; // row by row
} Grid;

static int32_t least_of(int32_t a, int32_t b) { return a < b ? a : b; }

// Goes through the rows on the CPU, and compares the sums at the last one.
static void check(Program *program, const Grid *grid, const int32_t *sum)
{
    int32_t *expected = program_scratch(program, grid->columns, sizeof *expected);
    for (uint32_t x = 0; expected && x < grid->columns; x++) expected[x] = grid->cost[x];
    for (uint32_t y = 1; expected && y < grid->rows; y++) {
        const int32_t *cost = &grid->cost[(uint64_t)y * grid->columns];
        int32_t left = expected[0]; // of the row before
        for (uint32_t x = 0; x < grid->columns; x++) {
            int32_t here = expected[x], least = least_of(left, here);
            if (x + 1 < grid->columns) least = least_of(least, expected[x + 1]);
            expected[x] = least + cost[x];
            left = here;
        }
    }
    if (expected) program_check_words(program, "sum", sum, expected, grid->columns);
}

static void answer(Program *program, const int32_t *sum, uint32_t columns)
{
    uint64_t total = 0;
    uint32_t least = 0;
    if (!program->ok) return;
    for (uint32_t x = 0; x < columns; x++) {
        total += (uint64_t)sum[x];
        if (sum[x] < sum[least]) least = x;
    }
    program_answer(program, "least", (uint64_t)sum[least]);
    program_answer(program, "least_at", least);
    program_answer(program, "sum", total);
}

// Launches until the last row. Returns the array with its sums.
static HdAddress launch_all(Program *program, const Grid *grid, HdAddress cost, HdAddress from,
                            HdAddress to)
{
    uint32_t most = (uint32_t)program->input->parameters[STEPS_PER_LAUNCH], block = program->block;
    if (block <= 2 * most) {
        program_fail(program, "blocks of %u threads have no column that is right after %u rows: "
                              "expected --block to be at least %u", block, most, 2 * most + 1);
        return 0;
    }
    uint64_t threads = divide_up(grid->columns, block - 2 * most) * block;
    for (uint32_t row = 0; program->ok && row < grid->rows - 1; row += most) {
        uint32_t left = grid->rows - 1 - row, steps = left < most ? left : most;
        PROGRAM_LAUNCH(program, "pathfinder_rows", threads,
                       (WorkCounters){.active_vertices = (uint64_t)steps * grid->columns},
                       hd_buffer(cost), hd_buffer(from), hd_buffer(to),
                       hd_i32((int32_t)grid->columns), hd_i32((int32_t)row), hd_i32((int32_t)steps),
                       hd_i32((int32_t)most));
        HdAddress other = from;
        from = to;
        to = other;
    }
    return from;
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    Grid grid = {.columns = (uint32_t)input->parameters[COLUMNS],
                 .rows = (uint32_t)input->parameters[ROWS]};
    uint64_t seed = (uint64_t)input->parameters[SEED];
    uint64_t cells = floats_cells(&program, "the grid", grid.rows, grid.columns);
    uint64_t bytes = grid.columns * sizeof *grid.cost;
    grid.cost = program_scratch(&program, cells, sizeof *grid.cost);
    for (uint64_t i = 0; grid.cost && i < cells; i++)
        grid.cost[i] =
            (int32_t)((seed ? random_draw(seed, RANDOM_USER_COSTS, 0, i) : i) % COSTS);
    // The first row is where the sums begin, the other rows are the kernel's `cost`.
    HdAddress to_sum = program_array(&program, "sum", grid.cost, bytes);
    HdAddress to_next = program_array(&program, "next_sum", NULL, bytes);
    const int32_t *second = grid.cost ? grid.cost + grid.columns : NULL;
    HdAddress to_cost = program_array(&program, "cost", second, cells * sizeof *second - bytes);
    program.dynamic_shared = 2 * sizeof(int32_t) * (uint64_t)input->block;
    HdAddress last = launch_all(&program, &grid, to_cost, to_sum, to_next);
    int32_t *sum = program_scratch(&program, grid.columns, sizeof *sum);
    if (program_read(&program, sum, last, bytes)) check(&program, &grid, sum);
    answer(&program, sum, grid.columns);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("pyramid", pathfinder, run,
        "Rodinia (Che et al., IISWC 2009), pathfinder (PF of yilmazer2020gw)",
        "blocks of columns that overlap, and lose a column at either side with each row"),
    {0},
};

const Workload workload_pathfinder = {
    .name = "pathfinder",
    .doc = "the cheapest path from the first row of a grid to the last, row by row",
    .answer = "least: sum of the cheapest path; least_at: its column; sum: of all sums",
    .check = "each sum, exactly",
    .small = "columns=1000 rows=30",
    .implementations = implementations,
    .parameters = parameters,
};
