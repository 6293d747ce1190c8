// A convolutional network that reads digits: the host program.
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { DIGITS, SEED, EDGE = 29, WINDOW_EDGE = 5, LAYERS = 4 };

static const HdParameter parameters[] = {
    [DIGITS] = {.name = "digits", .description = "images of 29 by 29 numbers", .value = 28,
                .min = 1, .max = 1 << 16, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

// A layer: its kernel and arrays; maps of `edge` by `edge` neurons. A neuron reads `taps` neurons
// of the layer before: a window in each of its maps or, if `edge_before` is 0, all. A map has
// `pitch` weights, of which the first is the bias and the last may be unused.
typedef struct Layer {
    const char *kernel, *weight_name, *neuron_name;
    uint32_t maps, edge, maps_before, edge_before, taps, pitch;
    float scale; // of weights: a power of two, which keeps neurons from saturating
} Layer;

static const Layer layers[LAYERS] = {
    {"neuralnet_first", "weight1", "neuron1", 6, 13, 1, EDGE, 25, 26, 0x1p-2f},
    {"neuralnet_second", "weight2", "neuron2", 50, 5, 6, 13, 150, 156, 0x1p-3f},
    {"neuralnet_full", "weight3", "neuron3", 100, 1, 1250, 0, 1250, 1251, 0x1p-5f},
    {"neuralnet_full", "weight4", "output", 10, 1, 100, 0, 100, 101, 0x1p-3f},
};

static uint32_t neurons_of(const Layer *layer) { return layer->maps * layer->edge * layer->edge; }

// ---- checking ----

// The function of a neuron: LIMIT tanh(SLOPE x). Its slope is at most LIMIT * SLOPE.
#define LIMIT 1.7159f
#define SLOPE (2. / 3)

// Roundings of a product in the sum: the product, and one for the check. Additions, one per tap,
// are counted separately.
//
// The kernel computes the function as LIMIT (1 - 2 / (1 + e)) with e = 2^(factor x). In units of
// 2^-24 of LIMIT its error is at most: 0.9 for the factor and its product, which move e by 2^-23
// of |ln e|; 2 for ex2.approx, which is right to 2^-22; 2 each for the addition and the division,
// whose quotient is at most 2; 1 each for the subtraction and the last product. That is less than
// 9. One more is for products of such errors.
enum { SUM_ROUNDINGS = 1 + 1, FUNCTION_UNITS = 10 };

// The place in a map, or in the layer before, of what a neuron's tap reads.
static uint32_t tap_place(const Layer *layer, uint32_t at, uint32_t tap)
{
    if (!layer->edge_before) return tap;
    uint32_t row = at / layer->edge * 2, column = at % layer->edge * 2; // the window's corner
    uint32_t map = tap % layer->maps_before, place = tap / layer->maps_before;
    return (map * layer->edge_before + row + place / WINDOW_EDGE) * layer->edge_before + column +
           place % WINDOW_EDGE;
}

// Checks a layer's neurons of one digit against what the device had in the layer before.
static void check_digit(Program *program, const Layer *layer, const float *before,
                        const float *weight, const float *neuron, uint64_t first)
{
    uint32_t in_map = layer->edge * layer->edge;
    double count = (double)layer->taps + SUM_ROUNDINGS;
    for (uint32_t i = 0; i < neurons_of(layer); i++) {
        const float *mine = &weight[(uint64_t)(i / in_map) * layer->pitch];
        FloatSum sum = {0};
        float_sum_add(&sum, mine[0]);
        for (uint32_t tap = 0; tap < layer->taps; tap++)
            float_sum_add(&sum, (double)before[tap_place(layer, i % in_map, tap)] * mine[1 + tap]);
        Bounded x = float_sum_bounded(sum, count);
        bounded_check(program, layer->neuron_name, first + i, neuron[i],
                      (Bounded){LIMIT * tanh(SLOPE * x.value),
                                LIMIT * (SLOPE * x.error + FUNCTION_UNITS * FLOAT_UNIT)});
    }
}

// ---- the network ----

// Runs one layer on the neurons `before` of the layer before; returns its own, and sets *to to
// their device array.
static float *run_layer(Program *program, uint32_t number, const float *before,
                        uint32_t neurons_before, HdAddress *to)
{
    const Layer *layer = &layers[number];
    uint32_t digits = (uint32_t)program->input->parameters[DIGITS], neurons = neurons_of(layer);
    uint64_t seed = (uint64_t)program->input->parameters[SEED], from = *to;
    uint64_t weights = (uint64_t)layer->maps * layer->pitch;
    float *weight = floats_draw(program, seed, number + 1, weights);
    floats_scale(weight, weights, layer->scale, 0);
    HdAddress to_weight = program_array(program, layer->weight_name, weight,
                                        weights * sizeof *weight);
    uint64_t count = (uint64_t)digits * neurons, blocks = (uint64_t)digits * layer->maps;
    float *neuron = program_scratch(program, count, sizeof *neuron);
    *to = program_array(program, layer->neuron_name, NULL, count * sizeof *neuron);
    uint32_t most = layer->edge * layer->edge, block = program->input->block;
    program->block = block < most ? block : most;
    // The last two layers share a kernel, which takes their sizes.
    const HdArg args[] = {hd_buffer(from), hd_buffer(to_weight), hd_buffer(*to),
                          hd_i32((int32_t)neurons_before), hd_i32((int32_t)neurons)};
    program_launch(program, layer->kernel, blocks * program->block,
                   (WorkCounters){.active_vertices = count}, args, layer->edge_before ? 3 : 5);
    program_read(program, neuron, *to, count * sizeof *neuron);
    for (uint32_t d = 0; program->ok && d < digits; d++)
        check_digit(program, layer, &before[(uint64_t)d * neurons_before], weight,
                    &neuron[(uint64_t)d * neurons], (uint64_t)d * neurons);
    return neuron;
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t digits = (uint32_t)input->parameters[DIGITS], neurons = EDGE * EDGE;
    uint64_t pixels = floats_cells(&program, "the digits", digits, neurons);
    HdAddress to = 0;
    float *neuron = floats_array(&program, (uint64_t)input->parameters[SEED], 0, "digit", pixels,
                                 &to);
    for (uint32_t layer = 0; layer < LAYERS; layer++) {
        neuron = run_layer(&program, layer, neuron, neurons, &to);
        neurons = neurons_of(&layers[layer]);
    }
    floats_answer(&program, neuron, (uint64_t)digits * neurons);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("map", neuralnet, run,
        "GPGPU-Sim (Bakhoda et al., ISPASS 2009), NN (NN of khairy2015)",
        "one block per map and digit, one thread per neuron: 169, 25, 1 and 1 to a block"),
    {0},
};

const Workload workload_neuralnet = {
    .name = "neuralnet",
    .doc = "a neural network that reads digits: four layers, two of them convolutions",
    .answer = SUM_AND_GREATEST,
    .check = "each neuron, within an error bound, from what the device had in the layer before",
    .small = "digits=1",
    .implementations = implementations,
    .parameters = parameters,
};
