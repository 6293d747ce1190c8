// k-means: the host program. As in Rodinia, the device assigns points to clusters, and the host
// computes the clusters' means as the next centres.
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { POINTS, FEATURES, CLUSTERS, ITERATIONS, SEED };

static const HdParameter parameters[] = {
    [POINTS] = {.name = "points", .description = "number of points", .value = 4096, .min = 1,
                .max = 1 << 24, .kind = HD_WHOLE},
    [FEATURES] = {.name = "features", .unit = "numbers", .description = "features per point",
                  .value = 34, .min = 1, .max = 1 << 16, .kind = HD_WHOLE},
    [CLUSTERS] = {.name = "clusters",
                  .description = "at most `points`; the first points are the first centres",
                  .value = 5, .min = 1, .max = 1 << 16, .kind = HD_WHOLE},
    [ITERATIONS] = {.name = "iterations",
                    .description = "at most; stops if no point changes its cluster", .value = 4,
                    .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

typedef struct KMeans {
    Program program;
    uint32_t points, features, clusters;
    float *feature, *centre;
    double *sums;              // per cluster: sums of its points' features
    int32_t *cluster, *before; // per point, now and before this iteration
    uint32_t *sizes;           // per cluster: number of points
    HdAddress to_feature, to_centre, to_cluster, to_moved;
    uint32_t done, moved; // iterations, and points that changed cluster in the last one
    double spread;        // sum of squared distances to the centres of the last iteration
} KMeans;

static KMeans begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                    HdError *err)
{
    KMeans k = {.program = program_begin(device, input, result, err),
                .points = (uint32_t)input->parameters[POINTS],
                .features = (uint32_t)input->parameters[FEATURES],
                .clusters = (uint32_t)input->parameters[CLUSTERS]};
    Program *program = &k.program;
    if (k.clusters > k.points)
        program_fail(program, "%u clusters of %u points: expected at most one cluster per point",
                     k.clusters, k.points);
    uint64_t all = floats_cells(program, "features", k.points, k.features);
    uint64_t of_centres = (uint64_t)k.clusters * k.features; // fits 32 bits
    k.feature = floats_array(program, (uint64_t)input->parameters[SEED], 0, "feature", all,
                             &k.to_feature);
    k.centre = program_scratch(program, of_centres, sizeof *k.centre);
    k.sums = program_scratch(program, of_centres, sizeof *k.sums);
    k.cluster = program_scratch(program, k.points, sizeof *k.cluster);
    k.before = program_scratch(program, k.points, sizeof *k.before);
    k.sizes = program_scratch(program, k.clusters, sizeof *k.sizes);
    for (uint64_t i = 0; program->ok && i < of_centres; i++) k.centre[i] = k.feature[i];
    for (uint32_t p = 0; program->ok && p < k.points; p++) k.cluster[p] = -1; // in no cluster
    k.to_centre = program_array(program, "centre", k.centre, of_centres * sizeof *k.centre);
    k.to_cluster = program_array(program, "cluster", k.cluster, k.points * sizeof *k.cluster);
    k.to_moved = program_words(program, "moved", 1, 0);
    return k;
}

// ---- checking ----

// Roundings of a squared distance: the difference of two features rounds once, which counts twice
// in the square; the square rounds; then one addition per feature (counted separately), and one for
// the check's doubles. All terms are positive. Features are multiples of 2^-23 and centres are
// means of fewer than 2^24 of them, so no nonzero square is subnormal.
enum { ROUNDINGS = 2 + 1 + 1 };

static double distance(const KMeans *k, uint32_t point, uint32_t cluster)
{
    const float *a = &k->feature[(uint64_t)point * k->features];
    const float *b = &k->centre[(uint64_t)cluster * k->features];
    double sum = 0;
    for (uint32_t f = 0; f < k->features; f++) sum += ((double)a[f] - b[f]) * ((double)a[f] - b[f]);
    return sum;
}

// Checks that each point is in a cluster whose centre is nearest within rounding, and that the
// count of moved points is right.
static void check(KMeans *k)
{
    Program *program = &k->program;
    double part = rounding_part((double)k->features + ROUNDINGS);
    uint32_t moved = 0;
    k->spread = 0;
    for (uint32_t p = 0; p < k->points; p++) {
        uint32_t taken = (uint32_t)k->cluster[p];
        moved += k->cluster[p] != k->before[p];
        if (taken >= k->clusters) {
            program_mismatch(program, "point %u is in cluster %d: expected fewer than %u", p,
                             k->cluster[p],
                             k->clusters);
            return;
        }
        double mine = distance(k, p, taken);
        k->spread += mine;
        for (uint32_t c = 0; c < k->clusters; c++) {
            double other = distance(k, p, c);
            // Equal distances compare equal on the device, which then takes the first.
            if (mine * (1 - part) > other * (1 + part) || (c < taken && mine == 0 && other == 0))
                program_mismatch(program,
                                 "point %u is in cluster %u: expected cluster %u, which is nearer "
                                 "(squared distance %.9g, not %.9g)", p, taken, c, other, mine);
        }
    }
    if (moved != k->moved)
        program_mismatch(program, "the device counted %u points that moved to another cluster: "
                         "expected %u",
                         k->moved, moved);
}

// ---- iterations ----

// Moves each centre to the mean of its cluster; an empty cluster keeps its centre.
static void move_centres(KMeans *k)
{
    uint64_t of_centres = (uint64_t)k->clusters * k->features;
    for (uint64_t i = 0; i < of_centres; i++) k->sums[i] = 0;
    for (uint32_t c = 0; c < k->clusters; c++) k->sizes[c] = 0;
    for (uint32_t p = 0; p < k->points; p++) {
        uint64_t c = (uint32_t)k->cluster[p];
        k->sizes[c]++;
        for (uint32_t f = 0; f < k->features; f++)
            k->sums[c * k->features + f] += k->feature[(uint64_t)p * k->features + f];
    }
    for (uint64_t i = 0; i < of_centres; i++)
        if (k->sizes[i / k->features])
            k->centre[i] = (float)(k->sums[i] / k->sizes[i / k->features]);
    program_write(&k->program, k->to_centre, k->centre, of_centres * sizeof *k->centre);
}

static void assign(KMeans *k)
{
    Program *program = &k->program;
    int32_t *before = k->before;
    k->before = k->cluster;
    k->cluster = before;
    PROGRAM_LAUNCH(program, "kmeans_assign", k->points,
                   (WorkCounters){.active_vertices = k->points}, hd_buffer(k->to_feature),
                   hd_buffer(k->to_centre), hd_buffer(k->to_cluster), hd_buffer(k->to_moved),
                   hd_i32((int32_t)k->points), hd_i32((int32_t)k->features),
                   hd_i32((int32_t)k->clusters));
    k->moved = program_get(program, k->to_moved, 0);
    program_set(program, k->to_moved, 0, 0);
    k->done++;
    if (program_read(program, k->cluster, k->to_cluster, k->points * sizeof *k->cluster)) check(k);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    KMeans k = begin(device, input, result, err);
    Program *program = &k.program;
    do {
        if (k.done) move_centres(&k);
        assign(&k);
    } while (program->ok && result->verified && k.moved &&
             k.done < input->parameters[ITERATIONS]);
    program_answer(program, "iterations", k.done);
    program_answer(program, "moved", k.moved);
    program_answer_real(program, "spread", k.spread);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", kmeans, run,
        "Rodinia (Che et al., IISWC 2009), as in Rogers et al., MICRO 2012 (KM of khairy2015)",
        "one thread per point, which searches for the nearest centre"),
    {0},
};

const Workload workload_kmeans = {
    .name = "kmeans",
    .doc = "k-means clustering: each point belongs to the cluster with the nearest mean",
    .answer = "iterations; moved: points, in the last; spread: sum of squared distances to the "
              "centres",
    .check = "in each iteration that no other centre is nearer, within an error bound; points "
             "that moved",
    .small = "points=256",
    .implementations = implementations,
    .parameters = parameters,
};
