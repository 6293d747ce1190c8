// The step of streamcluster that weighs a new centre, after Rodinia (Che et al., IISWC 2009), where
// the kernel is PARSEC's pgain. khairy2015 uses it for L1 conflicts: coordinates are stored
// by dimension, so that all dimensions of a point map to one set of a linear index.
#include "heddle.cuh"

// As in Rodinia, a point has 32 bytes. The second word is there the host's pointer to coordinates.
struct Point {
    float weight;
    unsigned long long unused;
    long long centre; // the point that is its centre
    float cost;       // weighted, of its centre
};

// One thread per point. If `candidate` is nearer than the point's centre, `switched` is set, and
// the change of its cost goes to the last word of the thread's row of `change`. Otherwise the loss
// that closing the centre would cause goes, negative, to the word of that centre, whose number is
// in `number`.
__global__ void streamcluster_weigh(const Point *__restrict__ point,
                                    const float *__restrict__ coordinate,
                                    const int *__restrict__ number, float *__restrict__ change,
                                    char *__restrict__ switched, int candidate, int points,
                                    int dimensions, int centres)
{
    int i = thread_index();
    if (i >= points) return;
    float distance = 0;
    for (int d = 0; d < dimensions; d++) {
        float apart = coordinate[d * points + i] - coordinate[d * points + candidate];
        distance += apart * apart;
    }
    float cost = distance * point[i].weight, now = point[i].cost;
    float *row = &change[i * (centres + 1)];
    if (cost < now) {
        switched[i] = 1;
        row[centres] += cost - now;
    } else {
        row[number[point[i].centre]] += now - cost;
    }
}
