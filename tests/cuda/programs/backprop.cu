// One layer of a neural network: the forward pass with partial sums per tile, then the update of
// the weights.
#include "check.h"

enum { IN = 256, OUT = 16, TILE = 16 };

__global__ void forward(const float *input, const float *weights, float *partial)
{
    __shared__ float in[TILE], sums[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * TILE + y;
    if (x == 0) in[y] = input[row];
    __syncthreads();
    sums[y][x] = weights[row * OUT + x] * in[y];
    for (int half = TILE / 2; half; half /= 2) {
        __syncthreads();
        if (y < half) sums[y][x] += sums[y + half][x];
    }
    if (y == 0) partial[blockIdx.x * OUT + x] = sums[0][x];
}

__global__ void adjust(const float *delta, const float *input, float *weights, float *momentum)
{
    int at = (blockIdx.x * TILE + threadIdx.y) * OUT + threadIdx.x;
    float change =
        0.3f * delta[threadIdx.x] * input[blockIdx.x * TILE + threadIdx.y] + 0.3f * momentum[at];
    weights[at] += change;
    momentum[at] = change;
}

int main()
{
    std::vector<float> input = random_values<float>(IN, 20), target = random_values<float>(OUT, 22);
    std::vector<float> weights = random_values<float>(IN * OUT, 21), momentum(IN * OUT, 0.01f);
    for (float &w : weights) w = (w - 0.5f) * 0.1f;
    Buffer<float> in(input), w(weights), m(momentum), part(IN / TILE * OUT);
    dim3 threads(OUT, TILE);
    forward<<<IN / TILE, threads>>>(in, w, part);
    LAUNCHED();
    std::vector<float> partial = part.get(), delta(OUT);
    double apart = 0;
    for (int o = 0; o < OUT; o++) {
        double wanted = 0, got = 0;
        for (int i = 0; i < IN; i++) wanted += input[i] * weights[i * OUT + o];
        for (int b = 0; b < IN / TILE; b++) got += partial[b * OUT + o];
        apart = std::max(apart, std::fabs(wanted - got));
        float output = (float)(1 / (1 + std::exp(-got)));
        delta[o] = output * (1 - output) * (target[o] - output);
    }
    Buffer<float> d(delta);
    adjust<<<IN / TILE, threads>>>(d, in, w, m);
    LAUNCHED();
    for (int i = 0; i < IN * OUT; i++)
        weights[i] += 0.3f * delta[i % OUT] * input[i / OUT] + 0.3f * momentum[i];
    double after = difference(w.get(), weights);
    return verdict(apart < 1e-5 && after < 1e-6, "forward %.1e, weights %.1e", apart, after);
}
