// heddle/scalar.h: a warp for each row of a matrix, marked values of each type, a false mark.
#include "../../../include/heddle/scalar.h"
#include "check.h"

__global__ void sum_rows(const int *start, const int *value, int *sum, unsigned rows)
{
    unsigned row = get_warp_id();
    if (row >= rows) return;
    for (int i = start[row] + get_warp_local_id(); i < start[row + 1]; i += get_simd_width())
        atomicAdd(&sum[row], value[i]);
}

// The lanes of a warp have the same index / warpSize.
__global__ void mark(double *out)
{
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x, warp = index / warpSize;
    int i = heddle_scalar(-(int)warp);
    unsigned u = heddle_scalar(warp + 1);
    long l = heddle_scalar((long)warp << 33);
    unsigned long ul = heddle_scalar((unsigned long)warp + 2);
    long long ll = heddle_scalar(-(long long)warp);
    unsigned long long ull = heddle_scalar((unsigned long long)warp + 3);
    float f = heddle_scalar(warp * .5f);
    double d = heddle_scalar(warp * .25);
    out[index] = i + 10. * u + l + 100. * ul + ll + 1000. * ull + f + d;
}

// On each side of the branch the lanes have one value.
__global__ void mark_sides(const int *value, int *out)
{
    int x = value[threadIdx.x], y;
    if (x < 2) y = heddle_scalar(x) * 3;
    else y = heddle_scalar(x) * 5;
    out[threadIdx.x] = y;
}

__global__ void mark_lanes(unsigned *out) { out[threadIdx.x] = heddle_scalar(threadIdx.x / 16); }

static bool rows_are_right()
{
    Random random(23);
    const unsigned rows = 77;
    std::vector<int> start(1), value, wanted(rows);
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned n = random.below(90); n; n--) {
            value.push_back((int)random.below(1000));
            wanted[row] += value.back();
        }
        start.push_back((int)value.size());
    }
    Buffer<int> starts(start), values(value), sums(std::vector<int>(rows, 0));
    sum_rows<<<(rows + 2) / 3, 96>>>(starts, values, sums, rows);
    LAUNCHED();
    return sums.get() == wanted;
}

int main()
{
    bool right = rows_are_right();
    Buffer<double> out(128);
    mark<<<2, 64>>>(out);
    LAUNCHED();
    std::vector<double> got = out.get();
    unsigned wrong = 0;
    for (unsigned t = 0; t < 128; t++) {
        double w = t / 32;
        wrong += got[t] != -2 * w + 10 * (w + 1) + w * 8589934592. + 100 * (w + 2) +
                               1000 * (w + 3) + w * .75;
    }
    std::vector<int> value(64);
    for (int t = 0; t < 64; t++) value[t] = 1 + t % 2;
    Buffer<int> values(value), sides(value);
    mark_sides<<<1, 64>>>(values, sides);
    LAUNCHED();
    std::vector<int> side = sides.get();
    for (int t = 0; t < 64; t++) wrong += side[t] != (t % 2 ? 10 : 3);
    Buffer<unsigned> lanes(32);
    mark_lanes<<<1, 32>>>(lanes);
    cudaError_t error = cudaDeviceSynchronize();
    return verdict(right && !wrong && error == cudaErrorLaunchFailure, "%u of 192 values wrong, %s",
                   wrong, cudaGetErrorName(error));
}
