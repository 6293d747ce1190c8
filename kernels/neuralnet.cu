// A convolutional network that reads digits, after NN of GPGPU-Sim's suite (Bakhoda et al., ISPASS
// 2009), which khairy2015 uses as a workload that caches serve well: threads that lie side by side
// read overlapping windows and the same weights.
//
// A map's weights begin with its bias. Threads are numbered row by row; if a block has fewer than
// its map has neurons, they take several.
#include "heddle.cuh"

enum {
    WINDOW = 25, STEP = 2,           // 5 by 5 neurons, every second one in either direction
    DIGIT = 29, EDGE1 = 13, EDGE2 = 5, // edges of a digit and of the maps of the first two layers
    MAPS1 = 6, MAPS2 = 50,
};

// The places of a window's neurons in a digit, and in a map of the first layer.
static __constant__ int in_digit[WINDOW] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
                                            61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
static __constant__ int in_map[WINDOW] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
                                          29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

// 1.7159 tanh(2/3 x), as 1 - 2 / (1 + e^(4/3 x)); the factor is 4/3 log2(e).
HEDDLE_INLINE float squash(float x)
{
    return 1.7159f * (1 - 2 / (1 + __nvvm_ex2_approx_f(x * 1.9235934f)));
}

// Blocks are the maps of the first digit, then of the next.
__global__ void neuralnet_first(const float *__restrict__ digit, const float *__restrict__ weight,
                                float *__restrict__ neuron)
{
    int map = blockIdx.x % MAPS1, number = blockIdx.x / MAPS1;
    weight += map * (WINDOW + 1);
    digit += number * DIGIT * DIGIT;
    neuron += blockIdx.x * EDGE1 * EDGE1;
    for (int at = threadIdx.x; at < EDGE1 * EDGE1; at += blockDim.x) {
        int corner = at / EDGE1 * STEP * DIGIT + at % EDGE1 * STEP;
        float sum = weight[0];
        for (int i = 0; i < WINDOW; i++) sum += digit[corner + in_digit[i]] * weight[1 + i];
        neuron[at] = squash(sum);
    }
}

__global__ void neuralnet_second(const float *__restrict__ before, const float *__restrict__ weight,
                                 float *__restrict__ neuron)
{
    int map = blockIdx.x % MAPS2, number = blockIdx.x / MAPS2;
    weight += map * (WINDOW + 1) * MAPS1;
    before += number * EDGE1 * EDGE1 * MAPS1;
    neuron += blockIdx.x * EDGE2 * EDGE2;
    for (int at = threadIdx.x; at < EDGE2 * EDGE2; at += blockDim.x) {
        int corner = at / EDGE2 * STEP * EDGE1 + at % EDGE2 * STEP;
        float sum = weight[0];
        for (int i = 0; i < WINDOW; i++)
            for (int from = 0; from < MAPS1; from++)
                sum += before[from * EDGE1 * EDGE1 + corner + in_map[i]] *
                       weight[1 + i * MAPS1 + from];
        neuron[at] = squash(sum);
    }
}

// The last two layers: each neuron reads all of the layer before. Blocks have one thread.
__global__ void neuralnet_full(const float *__restrict__ before, const float *__restrict__ weight,
                               float *__restrict__ neuron, int inputs, int neurons)
{
    int number = blockIdx.x / neurons;
    weight += (blockIdx.x - number * neurons) * (inputs + 1);
    before += number * inputs;
    float sum = weight[0];
    for (int i = 0; i < inputs; i++) sum += before[i] * weight[1 + i];
    neuron[blockIdx.x] = squash(sum);
}
