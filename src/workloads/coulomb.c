// The potential of point charges on a slice of a grid: the host program. The charges do not fit
// constant memory in general, so that each launch adds the potential of a group of them. The check
// does the kernel's operations in doubles, with a bound of the error of each.
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { COLUMNS, ROWS, ATOMS, GROUP, SEED };

// As in kernels/coulomb.cu.
enum { MOST_ATOMS = 4000, THREAD_COLUMNS = 16, TILE_WIDTH = 32 };

#define SPACING 0.1f // between points, as in the published program

#define EXTENT(NAME, DOC)                                                                          \
    {.name = NAME, .unit = "points", .description = DOC, .kind = HD_WHOLE, .value = 256,           \
     .min = 1, .max = 1 << 20}

static const HdParameter parameters[] = {
    [COLUMNS] = EXTENT("columns", "points of a row of the slice"),
    [ROWS] = EXTENT("rows", "rows of the slice"),
    [ATOMS] = {.name = "atoms", .description = "point charges", .value = 200, .min = 1,
               .max = 1 << 24, .kind = HD_WHOLE},
    [GROUP] = {.name = "group", .unit = "atoms",
               .description = "atoms of a launch, which are in constant memory",
               .value = MOST_ATOMS, .min = 1, .max = MOST_ATOMS, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

typedef struct Atom { // as in kernels/coulomb.cu
    float x, y, z2, charge;
} Atom;

typedef struct Slice {
    Program program;
    uint32_t columns, rows, atoms, group;
    Atom *atom;
} Slice;

// Positions are from 0 to the slice's edges, and from one to two spacings off the slice, so that no
// point is at an atom. Charges are as drawn.
static void draw_atoms(Slice *s)
{
    enum { X, Y, Z, CHARGE, NUMBERS };
    const float half[] = {SPACING * (float)s->columns / 2, SPACING * (float)s->rows / 2,
                          SPACING / 2};
    float *drawn[NUMBERS];
    for (uint32_t k = 0; k < NUMBERS; k++)
        drawn[k] = floats_draw(&s->program, (uint64_t)s->program.input->parameters[SEED], k,
                               s->atoms);
    for (int k = X; k <= Z; k++)
        floats_scale(drawn[k], s->atoms, half[k], k == Z ? 3 * half[k] : half[k]);
    s->atom = program_scratch(&s->program, s->atoms, sizeof *s->atom);
    for (uint32_t i = 0; s->atom && i < s->atoms; i++)
        s->atom[i] = (Atom){drawn[X][i], drawn[Y][i], drawn[Z][i] * drawn[Z][i], drawn[CHARGE][i]};
}

// ---- checking ----

// The PTX manual states an absolute error of 2^-22.4 of rsqrt.approx for 1 to 4, where the result
// is at least a half. The published form has two roundings, of 2^-24 at most.
#define ROOT_UNIT 0x1p-21

// 1 / sqrt(x). The error is greatest at the lower end of x.
static Bounded inverse_root(Bounded x)
{
    double value = 1 / sqrt(x.value), most = 1 / sqrt(x.value - x.error);
    return (Bounded){value, most - value + most * ROOT_UNIT + FLOAT_LOST};
}

// The potential at points of a row. `off2` has an element for each atom: the square of its distance
// to the row.
static Bounded potential(const Slice *s, uint32_t column, const Bounded *off2)
{
    Bounded spacing = bounded_exact(SPACING), all = {0}, of_group = {0};
    bool second = column % TILE_WIDTH >= THREAD_COLUMNS; // the thread's second point
    Bounded step = bounded_multiply(spacing, bounded_exact(THREAD_COLUMNS));
    Bounded x = bounded_multiply(spacing, bounded_exact(second ? column - THREAD_COLUMNS : column));
    for (uint32_t i = 0; i < s->atoms; i++) {
        Bounded dx = bounded_subtract(x, bounded_exact(s->atom[i].x));
        if (second) dx = bounded_add(dx, step);
        Bounded root = inverse_root(bounded_add(bounded_multiply(dx, dx), off2[i]));
        of_group =
            bounded_add(of_group, bounded_multiply(bounded_exact(s->atom[i].charge), root));
        if ((i + 1) % s->group && i + 1 < s->atoms) continue;
        all = bounded_add(all, of_group);
        of_group = (Bounded){0};
    }
    return all;
}

static void check(Slice *s, const float *got)
{
    Bounded *off2 = program_scratch(&s->program, s->atoms, sizeof *off2);
    uint64_t at = 0;
    for (uint32_t row = 0; off2 && row < s->rows; row++) {
        Bounded y = bounded_multiply(bounded_exact(SPACING), bounded_exact(row));
        for (uint32_t i = 0; i < s->atoms; i++) {
            Bounded dy = bounded_subtract(y, bounded_exact(s->atom[i].y));
            off2[i] = bounded_add(bounded_multiply(dy, dy), bounded_exact(s->atom[i].z2));
        }
        for (uint32_t column = 0; column < s->columns; column++, at++)
            bounded_check(&s->program, "potential", at, got[at], potential(s, column, off2));
    }
}

// ---- the run ----

// The threads of blocks that cover the slice. A block has 16 threads side by side.
static uint64_t slice_threads(Slice *s)
{
    uint32_t block = s->program.block;
    if (block % THREAD_COLUMNS) {
        program_fail(&s->program, "blocks of %u threads are not whole rows of %d: expected --block "
                                  "to be a multiple of %d for this workload", block,
                     THREAD_COLUMNS, THREAD_COLUMNS);
        return 0;
    }
    uint64_t down = divide_up(s->rows, block / THREAD_COLUMNS);
    return down * divide_up(s->columns, TILE_WIDTH) * block;
}

static bool compute(HdDevice *device, const WorkloadInput *input, const char *kernel,
                    WorkloadResult *result, HdError *err)
{
    Slice s = {.program = program_begin(device, input, result, err),
               .columns = (uint32_t)input->parameters[COLUMNS],
               .rows = (uint32_t)input->parameters[ROWS],
               .atoms = (uint32_t)input->parameters[ATOMS],
               .group = (uint32_t)input->parameters[GROUP]};
    Program *program = &s.program;
    uint64_t points = floats_cells(program, "the slice", s.rows, s.columns);
    uint64_t threads = slice_threads(&s), bytes = points * sizeof(float);
    draw_atoms(&s);
    float *got = program_scratch(program, points, sizeof *got);
    HdAddress to_potential = program_array(program, "potential", NULL, bytes);
    HdAddress to_atoms = program_variable(program, "atoms");
    for (uint32_t first = 0; program->ok && first < s.atoms; first += s.group) {
        uint32_t left = s.atoms - first, count = left < s.group ? left : s.group;
        program_write(program, to_atoms, &s.atom[first], count * sizeof *s.atom);
        PROGRAM_LAUNCH(program, kernel, threads, (WorkCounters){.active_vertices = points},
                       hd_buffer(to_potential), hd_f32(SPACING), hd_i32((int32_t)s.columns),
                       hd_i32((int32_t)s.rows), hd_i32((int32_t)count));
    }
    if (program_read(program, got, to_potential, bytes)) check(&s, got);
    floats_answer(program, got, points);
    return program_end(program);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    return compute(device, input, "coulomb_slice", result, err);
}

static bool run_published(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                          HdError *err)
{
    return compute(device, input, "coulomb_published", result, err);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("tile", coulomb, run,
        "Parboil (Stone, 2007), CP of Bakhoda et al., ISPASS 2009 (CP of yilmazer2020gw)",
        "two points for each thread; the charges are in constant memory"),
    IMPLEMENTATION("published", coulomb, run_published,
        "Parboil (Stone, 2007), CP of Bakhoda et al., ISPASS 2009 (CP of yilmazer2020gw)",
        "tile with a rounded root and a rounded quotient, as nvcc makes them for sm_20"),
    {0},
};

const Workload workload_coulomb = {
    .name = "coulomb",
    .doc = "the potential of point charges on a slice of a grid",
    .answer = SUM_AND_GREATEST,
    .check = WITHIN_BOUND,
    .block = 128,
    .small = "rows=32 columns=64 atoms=20",
    .implementations = implementations,
    .parameters = parameters,
};
