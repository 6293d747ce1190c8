// One layer of a neural network in training: the host program. As in Rodinia, the device sums at
// the hidden units and adjusts the weights, and the host computes what is between.
#include "base/bits.h"
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { INPUTS, SEED, HIDDEN = 16, ROW = HIDDEN + 1 };

// As in kernels/backprop.cu.
#define RATE 0.3f
#define MOMENTUM 0.3f
// Weights are drawn from -1/256 to 1/256: hidden units of 65,536 inputs do not saturate.
#define WEIGHT_SCALE 0x1p-8f

static const HdParameter parameters[] = {
    [INPUTS] = {.name = "inputs", .description = "input units; there are 16 hidden ones",
                .value = 65536, .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [SEED] = FLOATS_SEED,
    {0},
};

typedef struct Layer {
    Program program;
    uint32_t inputs, rows, blocks; // rows: inputs of a block
    uint64_t weights;              // with those of the biases, and an unused one per input
    float *input, *weight, *change, *partial;
    float *got; // read back: as many as weights
    float delta[ROW];
    HdAddress to_input, to_weight, to_change, to_partial, to_delta;
} Layer;

static Layer begin(HdDevice *device, const WorkloadInput *input, WorkloadResult *result,
                   HdError *err)
{
    Layer l = {.program = program_begin(device, input, result, err),
               .inputs = (uint32_t)input->parameters[INPUTS], .rows = input->block / HIDDEN};
    Program *program = &l.program;
    uint64_t seed = (uint64_t)input->parameters[SEED];
    if (input->block % HIDDEN) {
        program_fail(program, "blocks of %u threads are not whole rows of %d hidden units: "
                              "expected --block to be a multiple of %d for this workload",
                     input->block, HIDDEN, HIDDEN);
        return l;
    }
    l.blocks = (uint32_t)divide_up(l.inputs, l.rows);
    l.weights = floats_cells(program, "a layer", l.inputs + 1, ROW);
    l.input = floats_draw(program, seed, 0, l.inputs + 1);
    if (l.input) l.input[0] = 1; // the bias
    l.weight = floats_draw(program, seed, 1, l.weights);
    l.change = floats_draw(program, seed, 2, l.weights); // of the step before
    floats_scale(l.weight, l.weights, WEIGHT_SCALE, 0);
    floats_scale(l.change, l.weights, WEIGHT_SCALE, 0);
    l.partial = program_scratch(program, (uint64_t)l.blocks * HIDDEN, sizeof *l.partial);
    l.got = program_scratch(program, l.weights, sizeof *l.got);
    l.to_input = program_array(program, "input", l.input, (l.inputs + 1) * sizeof *l.input);
    l.to_weight = program_array(program, "weight", l.weight, l.weights * sizeof *l.weight);
    l.to_partial = program_words(program, "partial", (uint64_t)l.blocks * HIDDEN, 0);
    l.to_delta = program_array(program, "delta", NULL, sizeof l.delta);
    l.to_change = program_array(program, "change", l.change, l.weights * sizeof *l.change);
    program->dynamic_shared = (input->block + l.rows) * sizeof(float);
    return l;
}

// ---- forward ----

// The products of hidden unit `h` with `count` inputs from `first` on.
static FloatSum products(const Layer *l, uint32_t h, uint32_t first, uint32_t count)
{
    FloatSum sum = {0};
    for (uint32_t i = first; i < first + count && i <= l->inputs; i++)
        float_sum_add(&sum, (double)l->input[i] * l->weight[(uint64_t)i * ROW + h + 1]);
    return sum;
}

// Roundings of a product in a sum: the product, up to 6 pairwise additions of the 64 rows of a
// block of 1,024, and one for the check.
enum { FORWARD_ROUNDINGS = 1 + 6 + 1 };

// Checks the blocks' sums, and the intermediate ones that have replaced the weights: row r has
// added up as many rows as the greatest power of two that divides r; row 0 all.
static void check_forward(Layer *l)
{
    Program *program = &l->program;
    for (uint32_t i = 1; i <= l->inputs; i++) {
        uint32_t row = (i - 1) % l->rows, left = l->rows - row, count = row & -row;
        if (!row || count > left) count = left;
        for (uint32_t h = 0; h < HIDDEN; h++) {
            uint64_t at = (uint64_t)i * ROW + h + 1;
            uint64_t part = (uint64_t)((i - 1) / l->rows) * HIDDEN + h;
            FloatSum sum = products(l, h, i, count);
            floats_check(program, "weight", at, l->got[at], sum, FORWARD_ROUNDINGS);
            if (!row)
                floats_check(program, "partial", part, l->partial[part], sum, FORWARD_ROUNDINGS);
        }
    }
}

static void forward(Layer *l)
{
    Program *program = &l->program;
    PROGRAM_LAUNCH(program, "backprop_forward", (uint64_t)l->blocks * program->input->block,
                   (WorkCounters){.active_vertices = (uint64_t)l->inputs * HIDDEN},
                   hd_buffer(l->to_input), hd_buffer(l->to_weight), hd_buffer(l->to_partial),
                   hd_i32((int32_t)l->inputs));
    program_read(program, l->partial, l->to_partial,
                 (uint64_t)l->blocks * HIDDEN * sizeof *l->partial);
    if (program_read(program, l->got, l->to_weight, l->weights * sizeof *l->got)) check_forward(l);
}

// Sets delta: how far each hidden unit is from what the next layer wants, times the slope there.
// That error is drawn. The function of a hidden unit is 0.5 + 0.5 x / (1 + |x|), and not Rodinia's
// with exp, which differs between hosts.
static void find_deltas(Layer *l)
{
    Program *program = &l->program;
    float *error = floats_draw(program, (uint64_t)program->input->parameters[SEED], 3, ROW);
    for (uint32_t h = 0; program->ok && h < HIDDEN; h++) {
        double sum = (double)l->weight[h + 1]; // of the bias, which is 1
        for (uint32_t b = 0; b < l->blocks; b++) sum += l->partial[(uint64_t)b * HIDDEN + h];
        l->delta[h + 1] = (float)(0.5 * error[h + 1] / ((1 + fabs(sum)) * (1 + fabs(sum))));
    }
    program_write(program, l->to_delta, l->delta, sizeof l->delta);
}

// ---- adjust ----

// Roundings of a term of a weight's change: two multiplications and an addition, and one for the
// check. A weight adds one more.
enum { CHANGE_ROUNDINGS = 2 + 1 + 1, WEIGHT_ROUNDINGS = CHANGE_ROUNDINGS + 1 };

// Checks the weights, or their changes, in `got`. Column 0 belongs to no hidden unit.
static void check_adjusted(Layer *l, bool weights)
{
    for (uint64_t at = 0; at < l->weights; at++) {
        uint64_t i = at / ROW, h = at % ROW;
        FloatSum sum = {0};
        if (weights || !h) float_sum_add(&sum, weights ? l->weight[at] : l->change[at]);
        if (h) {
            float_sum_add(&sum, (double)RATE * ((double)l->delta[h] * l->input[i]));
            float_sum_add(&sum, (double)MOMENTUM * l->change[at]);
        }
        floats_check(&l->program, weights ? "weight" : "change", at, l->got[at], sum,
                     !h ? 0 : weights ? WEIGHT_ROUNDINGS : CHANGE_ROUNDINGS);
    }
}

static void adjust(Layer *l)
{
    Program *program = &l->program;
    uint64_t bytes = l->weights * sizeof *l->weight;
    program_write(program, l->to_weight, l->weight, bytes);
    PROGRAM_LAUNCH(program, "backprop_adjust", (uint64_t)l->blocks * program->input->block,
                   (WorkCounters){.active_vertices = (uint64_t)(l->inputs + 1) * HIDDEN},
                   hd_buffer(l->to_delta), hd_buffer(l->to_input), hd_buffer(l->to_weight),
                   hd_buffer(l->to_change), hd_i32((int32_t)l->inputs));
    if (program_read(program, l->got, l->to_change, bytes)) check_adjusted(l, false);
    if (program_read(program, l->got, l->to_weight, bytes)) check_adjusted(l, true);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Layer l = begin(device, input, result, err);
    forward(&l);
    find_deltas(&l);
    adjust(&l);
    floats_answer(&l.program, l.got, l.weights);
    return program_end(&l.program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("tile", backprop, run,
        "Rodinia (Che et al., IISWC 2009), backprop (BP of khairy2015)",
        "one thread per weight; blocks add up their products in shared memory"),
    {0},
};

const Workload workload_backprop = {
    .name = "backprop",
    .doc = "trains one layer of a neural network: sums at the hidden units, then adjusts weights",
    .answer = SUM_AND_GREATEST,
    .check = "each block's sum, each weight and each change, within error bounds",
    .small = "inputs=1000",
    .implementations = implementations,
    .parameters = parameters,
};
