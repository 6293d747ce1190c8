// Clustering by local search, as streamcluster of PARSEC and Rodinia: the host program. The device
// weighs a candidate for each point; the host adds up gains and losses, opens the candidate as a
// centre if that pays, and closes centres that it makes needless.
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { POINTS, DIMENSIONS, CENTRES, CANDIDATES, FACILITY, SEED };

static const HdParameter parameters[] = {
    [POINTS] = {.name = "points", .description = "number of points", .value = 16384, .min = 1,
                .max = 1 << 24, .kind = HD_WHOLE},
    [DIMENSIONS] = {.name = "dimensions", .description = "coordinates of a point", .value = 64,
                    .min = 1, .max = 1 << 16, .kind = HD_WHOLE},
    [CENTRES] = {.name = "centres", .description = "at the start: the first points",
                 .value = 16, .min = 1, .max = 1 << 16, .kind = HD_WHOLE},
    [CANDIDATES] = {.name = "candidates",
                    .description = "points weighed as a centre, each in a launch: those after the "
                                   "first centres", .value = 8, .min = 1, .max = 1 << 16,
                    .kind = HD_WHOLE},
    [FACILITY] = {.name = "facility",
                  .description = "cost of a centre, relative to the mean cost of a cluster at the "
                                 "start", .value = 0.0625, .min = 0, .max = 1e6},
    [SEED] = FLOATS_SEED,
    {0},
};

// As in kernels/streamcluster.cu.
typedef struct Point {
    float weight;
    uint64_t unused;
    int64_t centre;
    float cost;
} Point;

typedef struct Clusters {
    Program program;
    uint32_t points, dimensions, centres, candidate;
    double facility; // cost of a centre
    Point *point;
    float *coordinate; // by dimension
    int32_t *number;   // of a centre, counted in the order of points; of other points -1
    double *loss;      // per centre: what its points lose if it is closed
    float *change;     // per point: a row of a word for each centre, and one for the candidate;
                       // no word is positive
    uint8_t *switched; // per point: the candidate is nearer
    HdAddress to_point, to_coordinate, to_number, to_change, to_switched;
    uint32_t opened, closed;
} Clusters;

static double distance(const Clusters *c, uint64_t a, uint64_t b)
{
    double sum = 0;
    for (uint64_t d = 0; d < c->dimensions; d++) {
        const float *of = &c->coordinate[d * c->points];
        sum += ((double)of[a] - of[b]) * ((double)of[a] - of[b]);
    }
    return sum;
}

static double total_cost(const Clusters *c)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->points; i++) sum += c->point[i].cost;
    return sum;
}

// ---- the start ----

static void assign_first(Clusters *c)
{
    for (uint32_t i = 0; i < c->points; i++) {
        Point *p = &c->point[i];
        *p = (Point){.weight = 1, .cost = (float)distance(c, i, 0)};
        for (uint32_t centre = 1; centre < c->centres; centre++) {
            float cost = (float)distance(c, i, centre);
            if (cost < p->cost) {
                p->cost = cost;
                p->centre = centre;
            }
        }
        c->number[i] = i < c->centres ? (int32_t)i : -1;
    }
}

static Clusters begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                      HdError *err)
{
    Clusters c = {.program = program_begin(device, input, result, err),
                  .points = (uint32_t)input->parameters[POINTS],
                  .dimensions = (uint32_t)input->parameters[DIMENSIONS],
                  .centres = (uint32_t)input->parameters[CENTRES]};
    Program *program = &c.program;
    uint32_t most = c.centres + (uint32_t)input->parameters[CANDIDATES];
    if (most > c.points)
        program_fail(program, "%u centres and candidates of %u points: expected at most one for "
                              "each point", most, c.points);
    uint64_t n = c.points, all = floats_cells(program, "coordinates", c.dimensions, c.points);
    uint64_t words = floats_cells(program, "changes", c.points, most + 1);
    c.coordinate = floats_array(program, (uint64_t)input->parameters[SEED], 0, "coordinate", all,
                                &c.to_coordinate);
    c.point = program_scratch(program, n, sizeof *c.point);
    c.number = program_scratch(program, n, sizeof *c.number);
    c.loss = program_scratch(program, most, sizeof *c.loss);
    c.change = program_scratch(program, words, sizeof *c.change);
    c.switched = program_scratch(program, n, sizeof *c.switched);
    c.to_point = program_array(program, "point", NULL, n * sizeof *c.point);
    c.to_number = program_array(program, "number", NULL, n * sizeof *c.number);
    c.to_change = program_array(program, "change", NULL, words * sizeof *c.change);
    c.to_switched = program_array(program, "switched", NULL, n);
    if (!program->ok) return c;
    assign_first(&c);
    c.candidate = c.centres;
    c.facility = input->parameters[FACILITY] * total_cost(&c) / c.centres;
    return c;
}

// ---- checking ----

// Roundings of a weighted distance: two for the difference, which counts twice in the square, one
// for the square, one for the weight, one addition per dimension (counted separately); one for the
// difference of two costs, and one for the doubles.
enum { ROUNDINGS = 2 + 1 + 1 + 1 + 1 };

// Checks that the candidate is nearer to those points that say so, and each word of the points'
// rows: one holds the difference of two costs, all others are zero.
static void check(Clusters *c)
{
    Program *program = &c->program;
    double roundings = (double)c->dimensions + ROUNDINGS, part = rounding_part(roundings);
    uint64_t words = c->centres + 1;
    for (uint64_t i = 0; i < c->points; i++) {
        const Point *p = &c->point[i];
        double cost = distance(c, i, c->candidate) * p->weight;
        bool nearer = c->switched[i];
        if (nearer ? cost * (1 - part) >= p->cost : cost * (1 + part) < p->cost)
            program_mismatch(program, "switched[%llu] is %d: expected %d, because the distance to "
                             "the candidate costs %.9g, and that to the centre %.9g",
                             (unsigned long long)i, nearer, !nearer, cost, p->cost);
        FloatSum change = {nearer ? cost - p->cost : p->cost - cost, cost + p->cost};
        uint64_t used = nearer ? c->centres : (uint64_t)c->number[p->centre];
        for (uint64_t w = 0; w < words; w++)
            floats_check(program, "change", i * words + w, c->change[i * words + w],
                         w == used ? change : (FloatSum){0}, w == used ? roundings : 0);
    }
}

// ---- the search ----

// Weighs the candidate on the device, and reads what it changes for each point.
static bool weigh(Clusters *c)
{
    Program *program = &c->program;
    uint64_t n = c->points, bytes = n * (c->centres + 1) * sizeof *c->change;
    program_write(program, c->to_point, c->point, n * sizeof *c->point);
    program_write(program, c->to_number, c->number, n * sizeof *c->number);
    program->ok = program->ok && hd_fill(program->device, c->to_change, 0, bytes, program->err) &&
                  hd_fill(program->device, c->to_switched, 0, n, program->err);
    PROGRAM_LAUNCH(program, "streamcluster_weigh", n, (WorkCounters){.active_vertices = n},
                   hd_buffer(c->to_point), hd_buffer(c->to_coordinate), hd_buffer(c->to_number),
                   hd_buffer(c->to_change), hd_buffer(c->to_switched),
                   hd_i32((int32_t)c->candidate), hd_i32((int32_t)c->points),
                   hd_i32((int32_t)c->dimensions), hd_i32((int32_t)c->centres));
    return program_read(program, c->change, c->to_change, bytes) &&
           program_read(program, c->switched, c->to_switched, n);
}

// Whether closing a centre saves more than its points lose.
static bool closes(const Clusters *c, int64_t centre)
{
    return c->facility > c->loss[c->number[centre]];
}

// The cost saved if the candidate is opened, and the centres closed that are then needless.
static double gain(Clusters *c)
{
    uint64_t words = c->centres + 1;
    double saved = -c->facility;
    for (uint32_t k = 0; k < c->centres; k++) c->loss[k] = 0;
    for (uint64_t i = 0; i < c->points; i++) {
        saved -= c->change[i * words + c->centres];
        for (uint32_t k = 0; k < c->centres; k++) c->loss[k] -= c->change[i * words + k];
    }
    for (uint32_t k = 0; k < c->centres; k++)
        if (c->facility > c->loss[k]) saved += c->facility - c->loss[k];
    return saved;
}

static void open_candidate(Clusters *c)
{
    for (uint32_t i = 0; i < c->points; i++) {
        Point *p = &c->point[i];
        if (!c->switched[i] && !closes(c, p->centre)) continue;
        p->cost = (float)(distance(c, i, c->candidate) * p->weight);
        p->centre = c->candidate;
    }
    uint32_t before = c->centres;
    c->centres = 0;
    for (uint32_t i = 0; i < c->points; i++) {
        bool centre = i == c->candidate || (c->number[i] >= 0 && !closes(c, i));
        c->number[i] = centre ? (int32_t)c->centres++ : -1;
    }
    c->opened++;
    c->closed += before + 1 - c->centres;
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Clusters c = begin(device, input, result, err);
    Program *program = &c.program;
    for (uint32_t i = 0; i < input->parameters[CANDIDATES] && weigh(&c); i++, c.candidate++) {
        check(&c);
        if (gain(&c) > 0 && result->verified) open_candidate(&c);
    }
    program_answer(program, "opened", c.opened);
    program_answer(program, "closed", c.closed);
    program_answer(program, "centres", c.centres);
    program_answer_real(program, "cost", program->ok ? total_cost(&c) : 0);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", streamcluster, run,
        "Rodinia (Che et al., IISWC 2009), streamcluster of PARSEC (SCLUSTER of khairy2015)",
        "one thread per point, which compares a new centre with its own"),
    {0},
};

const Workload workload_streamcluster = {
    .name = "streamcluster",
    .doc = "clustering by local search: opens and closes centres while that lowers the cost",
    .answer = "opened, closed, centres: centres opened, closed and left; cost: of all points",
    .check = "each choice of a centre, within an error bound; each word of a candidate's row",
    .small = "points=512 dimensions=8",
    .implementations = implementations,
    .parameters = parameters,
};
