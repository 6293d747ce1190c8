// Speckle-reducing anisotropic diffusion: the host program. As in Rodinia, the host computes the
// image's variation before each iteration, and the device does an iteration in two launches.
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { ROWS, COLUMNS, ITERATIONS, SEED };

static const HdParameter parameters[] = {
    [ROWS] = {.name = "rows", .description = "rows of the image", .value = 1024, .min = 1,
              .max = 1 << 24, .kind = HD_WHOLE},
    [COLUMNS] = {.name = "columns",
                 .description = "pixels of 4 bytes per row; 1024 are 32 lines of 128 bytes",
                 .value = 1024, .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [ITERATIONS] = {.name = "iterations", .description = "two launches each", .value = 2,
                    .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

enum { TILE_SIDE = 16, TILE = TILE_SIDE * TILE_SIDE }; // as in kernels/srad.cu
#define RATE 0.125f   // a quarter of Rodinia's lambda
#define BRIGHTNESS 2  // added to the numbers drawn, so that pixels are from 1 to 3

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct Srad {
    Program program;
    uint32_t rows, columns;
    uint64_t pixels;
    float *image, *before; // now, and before this iteration
    Bounded *coefficient;
    float speckle; // variation of the image before this iteration
    HdAddress to_image, to_coefficient, to_side[SIDES];
} Srad;

static Srad begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                  HdError *err)
{
    static const char *const names[SIDES] = {"north", "south", "west", "east"};
    Srad s = {.program = program_begin(device, input, result, err),
              .rows = (uint32_t)input->parameters[ROWS],
              .columns = (uint32_t)input->parameters[COLUMNS]};
    Program *program = &s.program;
    if (input->block != TILE)
        program_fail(program, "blocks of %u threads are not tiles of %d by %d pixels: expected "
                              "--block %d for this workload",
                     input->block, TILE_SIDE, TILE_SIDE, TILE);
    s.pixels = floats_cells(program, "the image", s.rows, s.columns);
    s.image = floats_draw(program, (uint64_t)input->parameters[SEED], 0, s.pixels);
    floats_scale(s.image, s.pixels, 1, BRIGHTNESS);
    s.before = program_scratch(program, s.pixels, sizeof *s.before);
    s.coefficient = program_scratch(program, s.pixels, sizeof *s.coefficient);
    s.to_image = program_array(program, "image", s.image, s.pixels * sizeof *s.image);
    s.to_coefficient = program_words(program, "coefficient", s.pixels, 0);
    for (unsigned side = 0; side < SIDES; side++)
        s.to_side[side] = program_words(program, names[side], s.pixels, 0);
    return s;
}

// ---- checking ----

// The index of the neighbour; of the pixel itself at the border of the image.
static uint64_t neighbour(const Srad *s, uint64_t at, unsigned side)
{
    uint64_t columns = s->columns, row = at / columns, column = at % columns;
    switch (side) {
    case NORTH: return row ? at - columns : at;
    case SOUTH: return row + 1 < s->rows ? at + columns : at;
    case WEST: return column ? at - 1 : at;
    default: return column + 1 < columns ? at + 1 : at;
    }
}

static Bounded difference(const Srad *s, uint64_t at, unsigned side)
{
    return bounded_subtract(bounded_exact(s->before[neighbour(s, at, side)]),
                            bounded_exact(s->before[at]));
}

// The diffusion coefficient of Yu and Acton (IEEE TIP 2002), equations 31 and 33.
static Bounded coefficient(const Srad *s, uint64_t at)
{
    Bounded one = bounded_exact(1), own = bounded_exact(s->before[at]);
    Bounded speckle = bounded_exact(s->speckle), squares = {0}, sum = {0};
    for (unsigned side = 0; side < SIDES; side++) {
        Bounded apart = difference(s, at, side);
        squares = bounded_add(squares, bounded_multiply(apart, apart));
        sum = bounded_add(sum, apart);
    }
    Bounded gradient = bounded_divide(squares, bounded_multiply(own, own));
    Bounded laplacian = bounded_divide(sum, own);
    Bounded scale = bounded_add(one, bounded_multiply(bounded_exact(0.25), laplacian));
    Bounded dividend = bounded_subtract(
        bounded_multiply(bounded_exact(0.5), gradient),
        bounded_multiply(bounded_exact(0.0625), bounded_multiply(laplacian, laplacian)));
    Bounded variation = bounded_divide(dividend, bounded_multiply(scale, scale));
    Bounded above = bounded_divide(bounded_subtract(variation, speckle),
                                   bounded_multiply(speckle, bounded_add(one, speckle)));
    return bounded_limit(bounded_divide(one, bounded_add(one, above)), 0, 1);
}

// Checks the image against the one before the iteration, which was checked, too.
static void check(Srad *s)
{
    for (uint64_t at = 0; at < s->pixels; at++) s->coefficient[at] = coefficient(s, at);
    for (uint64_t at = 0; at < s->pixels; at++) {
        Bounded change = {0};
        for (unsigned side = 0; side < SIDES; side++) {
            uint64_t from = side == SOUTH || side == EAST ? neighbour(s, at, side) : at;
            change = bounded_add(change, bounded_multiply(s->coefficient[from],
                                                          difference(s, at, side)));
        }
        Bounded expected = bounded_add(bounded_exact(s->before[at]),
                                       bounded_multiply(bounded_exact(RATE), change));
        bounded_check(&s->program, "image", at, s->image[at], expected);
    }
}

// ---- iterations ----

// The variance of the image over the square of its mean.
static float image_variation(const Srad *s)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < s->pixels; i++) sum += s->image[i];
    double mean = sum / (double)s->pixels;
    for (uint64_t i = 0; i < s->pixels; i++)
        squares += (s->image[i] - mean) * (s->image[i] - mean);
    return (float)(squares / (double)s->pixels / (mean * mean));
}

static void iterate(Srad *s)
{
    Program *program = &s->program;
    s->speckle = image_variation(s);
    if (!(s->speckle >= FLOAT_LOST))
        program_fail(program, "all pixels are alike: expected an image of several brightnesses");
    float *before = s->before;
    s->before = s->image;
    s->image = before;
    uint64_t tiles = (uint64_t)divide_up(s->rows, TILE_SIDE) * divide_up(s->columns, TILE_SIDE);
    WorkCounters work = {.active_vertices = s->pixels};
    HdArg rows = hd_i32((int32_t)s->rows), columns = hd_i32((int32_t)s->columns);
    PROGRAM_LAUNCH(program, "srad_coefficients", tiles * TILE, work, hd_buffer(s->to_image),
                   hd_buffer(s->to_coefficient), hd_buffer(s->to_side[NORTH]),
                   hd_buffer(s->to_side[SOUTH]), hd_buffer(s->to_side[WEST]),
                   hd_buffer(s->to_side[EAST]), hd_f32(s->speckle), rows, columns);
    PROGRAM_LAUNCH(program, "srad_update", tiles * TILE, work, hd_buffer(s->to_image),
                   hd_buffer(s->to_coefficient), hd_buffer(s->to_side[NORTH]),
                   hd_buffer(s->to_side[SOUTH]), hd_buffer(s->to_side[WEST]),
                   hd_buffer(s->to_side[EAST]), hd_f32(RATE), rows, columns);
    if (program_read(program, s->image, s->to_image, s->pixels * sizeof *s->image)) check(s);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Srad s = begin(device, input, result, err);
    for (uint32_t i = 0; s.program.ok && i < input->parameters[ITERATIONS]; i++) iterate(&s);
    floats_answer(&s.program, s.image, s.pixels);
    return program_end(&s.program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("tile", srad, run,
        "Rodinia (Che et al., IISWC 2009), srad_v2 (SRAD of khairy2015)",
        "one thread per pixel, in tiles of 16 by 16 in shared memory"),
    {0},
};

const Workload workload_srad = {
    .name = "srad",
    .doc = "diffusion that reduces an image's speckle, and keeps its edges",
    .answer = SUM_AND_GREATEST,
    .check = "each pixel in each iteration, within an error bound, from the device's previous "
             "image",
    .small = "rows=64 columns=64",
    .implementations = implementations,
    .parameters = parameters,
};
