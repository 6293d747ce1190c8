// k-means: the host program. Assigning points is the device's work, as in Rodinia; the host makes
// the clusters' means the next centres.
#include "workloads/kmeans.h"

#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { POINTS, FEATURES, CLUSTERS, ITERATIONS, SEED };

const WorkloadParameter kmeans_parameters[] = {
    [POINTS] = {.name = "points", .unit = "", .doc = "how many", .value = 4096, .min = 1,
                .max = 1 << 24, .integer = true},
    [FEATURES] = {.name = "features", .unit = "numbers", .doc = "of each point", .value = 34,
                  .min = 1, .max = 1 << 16, .integer = true},
    [CLUSTERS] = {.name = "clusters", .unit = "",
                  .doc = "no more than points; the first points are the first centres",
                  .value = 5, .min = 1, .max = 1 << 16, .integer = true},
    [ITERATIONS] = {.name = "iterations", .unit = "",
                    .doc = "at most; they end where no point changes its cluster", .value = 4,
                    .min = 1, .max = 1 << 20, .integer = true},
    [SEED] = FLOATS_SEED,
    {0},
};

typedef struct KMeans {
    Program program;
    uint32_t points, features, clusters;
    float *feature, *centre;
    double *sums;              // of the features of each cluster's points
    int32_t *cluster, *before; // of each point
    uint32_t *sizes;           // of each cluster
    HdAddress to_feature, to_centre, to_cluster, to_moved;
    uint32_t done, moved; // iterations, and points that changed their cluster in the last
    double spread;        // the squares of the distances to the centres then, all added up
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
        program_fail(program, "%u clusters of %u points: clusters start as a point each",
                     k.clusters, k.points);
    uint64_t all = floats_cells(program, "features", k.points, k.features);
    uint64_t of_centres = (uint64_t)k.clusters * k.features; // no more
    k.feature = floats_array(program, (uint64_t)input->parameters[SEED], 0, "feature", all,
                             &k.to_feature);
    k.centre = program_scratch(program, of_centres, sizeof *k.centre);
    k.sums = program_scratch(program, of_centres, sizeof *k.sums);
    k.cluster = program_scratch(program, k.points, sizeof *k.cluster);
    k.before = program_scratch(program, k.points, sizeof *k.before);
    k.sizes = program_scratch(program, k.clusters, sizeof *k.sizes);
    for (uint64_t i = 0; program->ok && i < of_centres; i++) k.centre[i] = k.feature[i];
    for (uint32_t p = 0; program->ok && p < k.points; p++) k.cluster[p] = -1; // in none
    k.to_centre = program_array(program, "centre", k.centre, of_centres * sizeof *k.centre);
    k.to_cluster = program_array(program, "cluster", k.cluster, k.points * sizeof *k.cluster);
    k.to_moved = program_words(program, "moved", 1, 0);
    return k;
}

// ---- checking ----

// A feature less a centre's is rounded once, which its square has twice, and is rounded; then come
// an addition for each feature, and the check's own doubles. All squares are positive. Features are
// multiples of 2^-23 and centres means of fewer than 2^24 such, so that no square other than 0 is
// below the least normal float.
enum { ROUNDINGS = 2 + 1 + 1 };

static double distance(const KMeans *k, uint32_t point, uint32_t cluster)
{
    const float *a = &k->feature[(uint64_t)point * k->features];
    const float *b = &k->centre[(uint64_t)cluster * k->features];
    double sum = 0;
    for (uint32_t f = 0; f < k->features; f++) sum += ((double)a[f] - b[f]) * ((double)a[f] - b[f]);
    return sum;
}

// Whether each point is in a cluster whose centre may have looked the nearest, and the points that
// moved were counted.
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
            program_mismatch(program, "point %u is in cluster %d, there are %u", p, k->cluster[p],
                             k->clusters);
            return;
        }
        double mine = distance(k, p, taken);
        k->spread += mine;
        for (uint32_t c = 0; c < k->clusters; c++) {
            double other = distance(k, p, c);
            // Equally near ones look so; of these the first is taken.
            if (mine * (1 - part) > other * (1 + part) || (c < taken && mine == 0 && other == 0))
                program_mismatch(program, "point %u is in cluster %u, cluster %u is nearer (%.9g, "
                                 "not %.9g, squared)", p, taken, c, other, mine);
        }
    }
    if (moved != k->moved)
        program_mismatch(program, "%u points were said to move to another cluster, %u did",
                         k->moved, moved);
}

// ---- iterations ----

// The means of clusters become their centres; an empty cluster keeps its own.
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
    program_answer(program, "iterations", "", k.done);
    program_answer(program, "moved", "points", k.moved);
    program_answer_real(program, "spread", "", k.spread);
    return program_end(program);
}

const Implementation kmeans_implementations[] = {
    IMPLEMENTATION("thread", kmeans, run,
        "Rodinia (Che et al., IISWC 2009), as in Rogers et al., MICRO 2012 (KM of khairy2015)",
        "one thread per point, which looks for the nearest centre"),
    {0},
};
