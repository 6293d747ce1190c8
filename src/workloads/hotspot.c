// Temperatures of a chip: the host program. A launch does several steps, each block in its tile.
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { ROWS, COLUMNS, STEPS, STEPS_PER_LAUNCH, SEED, TILE_WIDTH = 16 };

static const HdParameter parameters[] = {
    [ROWS] = {.name = "rows", .description = "rows of the chip", .value = 512, .min = 1,
              .max = 1 << 24, .kind = HD_WHOLE},
    [COLUMNS] = {.name = "columns", .description = "columns of the chip", .value = 512,
                 .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [STEPS] = {.name = "steps", .description = "steps of the simulation", .value = 4, .min = 1,
               .max = 1 << 16, .kind = HD_WHOLE},
    [STEPS_PER_LAUNCH] = {.name = "steps_per_launch",
                          .description = "at most; the tile of a block loses a ring with each",
                          .value = 2, .min = 1, .max = TILE_WIDTH / 2 - 1, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

// Exact as floats. A temperature changes by less than it differs from its surroundings. The
// published program has the inverses of the factors, resistances.
#define CAPACITY 0.75f
#define BY_COLUMN 0.1875f
#define BY_ROW 0.3125f
#define UP 0.125f
#define AMBIENT 80.f

typedef struct Hotspot {
    Program program;
    bool published; // the arithmetic is the published program's
    int32_t rows, columns;
    uint64_t cells;
    float *power;
    Bounded *expected, *next; // temperatures before and after a step
    HdAddress to_power, to_from, to_to;
} Hotspot;

// ---- checking ----

// Roundings of a term in a step: the two additions of three neighbours, the product with their
// factor, three additions, the product with the capacity, the last addition, and one for the
// check's doubles. As published there are fewer: the factor is the inverse of a float, which are
// two, and of the others only additions of two floats, the product with `up` and what is stored are
// rounded to floats.
enum { ROUNDINGS = 2 + 1 + 3 + 1 + 1 + 1 };

// An element after a step. The bound of its error is the sum of the read elements' bounds, times
// their factors, and the roundings of the step itself. Operation by operation, the element's
// own error would count once for each use, and the bound would grow with each step.
static Bounded step_element(const Hotspot *h, int32_t row, int32_t column)
{
    const Bounded *before = h->expected;
    int64_t at = (int64_t)row * h->columns + column;
    Bounded own = before[at], north = before[row ? at - h->columns : at];
    Bounded south = before[row + 1 < h->rows ? at + h->columns : at];
    Bounded west = before[column ? at - 1 : at];
    Bounded east = before[column + 1 < h->columns ? at + 1 : at];
    double rise = h->power[at] + (south.value + north.value - 2 * own.value) * BY_ROW +
                  (east.value + west.value - 2 * own.value) * BY_COLUMN +
                  (AMBIENT - own.value) * UP;
    double own_factor = 1 - CAPACITY * (2 * BY_ROW + 2 * BY_COLUMN + UP);
    double inherited = fabs(own_factor) * own.error +
                       CAPACITY * BY_ROW * (south.error + north.error) +
                       CAPACITY * BY_COLUMN * (east.error + west.error);
    double here = bounded_most(own);
    double parts = fabs((double)h->power[at]) +
                   (bounded_most(south) + bounded_most(north) + 2 * here) * BY_ROW +
                   (bounded_most(east) + bounded_most(west) + 2 * here) * BY_COLUMN +
                   (AMBIENT + here) * UP;
    double size = here + CAPACITY * parts;
    return (Bounded){own.value + CAPACITY * rise,
                     inherited + rounding_part(ROUNDINGS) * size + ROUNDINGS * FLOAT_LOST};
}

static void check(Hotspot *h, const float *temperature)
{
    uint32_t steps = (uint32_t)h->program.input->parameters[STEPS];
    for (uint32_t step = 0; step < steps; step++) {
        Bounded *before = h->expected;
        for (int32_t row = 0; row < h->rows; row++)
            for (int32_t column = 0; column < h->columns; column++)
                h->next[(int64_t)row * h->columns + column] = step_element(h, row, column);
        h->expected = h->next;
        h->next = before;
    }
    for (uint64_t i = 0; i < h->cells; i++)
        bounded_check(&h->program, "temperature", i, temperature[i], h->expected[i]);
}

// ---- the run ----

static Hotspot begin(HdDevice *device, const WorkloadInput *input, bool published,
                     WorkloadResult *result, HdError *err)
{
    Hotspot h = {.program = program_begin(device, input, result, err),
                 .published = published,
                 .rows = (int32_t)input->parameters[ROWS],
                 .columns = (int32_t)input->parameters[COLUMNS]};
    Program *program = &h.program;
    uint64_t seed = (uint64_t)input->parameters[SEED];
    h.cells = floats_cells(program, "the chip", (uint32_t)h.rows, (uint32_t)h.columns);
    h.power = floats_array(program, seed, 0, "power", h.cells, &h.to_power);
    float *start = floats_draw(program, seed, 1, h.cells);
    floats_scale(start, h.cells, 1, AMBIENT);
    h.expected = program_scratch(program, h.cells, sizeof *h.expected);
    h.next = program_scratch(program, h.cells, sizeof *h.next);
    for (uint64_t i = 0; program->ok && i < h.cells; i++) h.expected[i] = bounded_exact(start[i]);
    h.to_from = program_array(program, "temperature0", start, h.cells * sizeof *start);
    h.to_to = program_array(program, "temperature1", NULL, h.cells * sizeof *start);
    return h;
}

// Launches enough tiles for `steps` steps, and exchanges the arrays.
static void launch(Hotspot *h, uint32_t steps)
{
    Program *program = &h->program;
    uint32_t block = program->input->block, height = block / TILE_WIDTH;
    if (block % TILE_WIDTH || height <= 2 * steps) {
        program_fail(program, "blocks of %u threads are no tiles of %d columns with an inside "
                              "after %u steps: expected --block to be a multiple of %d, at "
                              "least %u",
                     block, TILE_WIDTH, steps, TILE_WIDTH, TILE_WIDTH * (2 * steps + 1));
        return;
    }
    uint64_t down = divide_up((uint64_t)h->rows, height - 2 * steps);
    uint64_t across = divide_up((uint64_t)h->columns, TILE_WIDTH - 2 * steps);
    program->dynamic_shared = 3 * (uint64_t)block * sizeof(float);
    WorkCounters work = {.active_vertices = h->cells};
    if (h->published)
        PROGRAM_LAUNCH(program, "hotspot_published", down * across * block, work,
                       hd_buffer(h->to_power), hd_buffer(h->to_from), hd_buffer(h->to_to),
                       hd_i32(h->rows), hd_i32(h->columns), hd_i32((int32_t)steps),
                       hd_f32(CAPACITY), hd_f32(1), hd_f32(1 / BY_COLUMN), hd_f32(1 / BY_ROW),
                       hd_f32(1 / UP), hd_f32(AMBIENT));
    else
        PROGRAM_LAUNCH(program, "hotspot_steps", down * across * block, work,
                       hd_buffer(h->to_power), hd_buffer(h->to_from), hd_buffer(h->to_to),
                       hd_i32(h->rows), hd_i32(h->columns), hd_i32((int32_t)steps),
                       hd_f32(CAPACITY), hd_f32(BY_COLUMN), hd_f32(BY_ROW), hd_f32(UP),
                       hd_f32(AMBIENT));
    HdAddress from = h->to_from;
    h->to_from = h->to_to;
    h->to_to = from;
}

static bool simulate(HdDevice *device, const WorkloadInput *input, bool published,
                     WorkloadResult *result, HdError *err)
{
    Hotspot h = begin(device, input, published, result, err);
    Program *program = &h.program;
    uint32_t left = (uint32_t)input->parameters[STEPS];
    uint32_t most = (uint32_t)input->parameters[STEPS_PER_LAUNCH];
    for (; program->ok && left; left -= left < most ? left : most)
        launch(&h, left < most ? left : most);
    float *temperature = program_scratch(program, h.cells, sizeof *temperature);
    if (program_read(program, temperature, h.to_from, h.cells * sizeof *temperature))
        check(&h, temperature);
    floats_answer(program, temperature, h.cells);
    return program_end(program);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    return simulate(device, input, false, result, err);
}

static bool run_published(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                          HdError *err)
{
    return simulate(device, input, true, result, err);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("tile", hotspot, run,
        "Rodinia (Che et al., IISWC 2009), hotspot (HS of khairy2015)",
        "one block per tile with its surroundings; a launch does several steps in shared memory"),
    IMPLEMENTATION("published", hotspot_published, run_published,
        "Rodinia (Che et al., IISWC 2009), hotspot (HS of khairy2015, HOTS of yilmazer2020gw)",
        "tile with doubles, and with divisions in each thread, as published"),
    {0},
};

const Workload workload_hotspot = {
    .name = "hotspot",
    .doc = "temperatures of a chip: a simulation in steps, by differences to the neighbours",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .small = "rows=64 columns=64",
    .implementations = implementations,
    .parameters = parameters,
};
