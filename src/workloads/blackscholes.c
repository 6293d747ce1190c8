// Prices of options: the host program. The check computes the prices in doubles, with the error
// function of the C library, and for each price a bound of the kernel's error.
#include "workloads/blackscholes.h"

#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { OPTIONS, SEED };

const WorkloadParameter blackscholes_parameters[] = {
    [OPTIONS] = {.name = "options", .unit = "",
                 .doc = "options, each priced as a call and as a put",
                 .value = 1 << 18, .min = 1, .max = 1 << 30, .integer = true},
    [SEED] = FLOATS_SEED,
    {0},
};

// As in the CUDA SDK sample: a grid of 480 blocks of 128 threads for any number of options, the
// rate and the volatility of all options, and the ranges of the other numbers.
enum { MOST_GRID_THREADS = 480 * 128 };
#define RATE 0.02f
#define VOLATILITY 0.30f

static const struct Range {
    const char *name;
    float low, high;
} ranges[] = {{"stock", 5, 30}, {"strike", 1, 100}, {"years", 0.25f, 10}};
enum { STOCK, STRIKE, YEARS, INPUTS };

// ---- checking ----

// A number in doubles, and the greatest difference to the kernel's.
typedef struct Near {
    double value, error;
} Near;

// Largest relative error of ex2.approx, and largest error of lg2.approx relative to the greater of
// its result and 1, both as the PTX manual states them. Heddle's own are smaller (exec/approx.h).
#define APPROXIMATE_UNIT 0x1p-22
// The error of the polynomial for the normal distribution, and the greatest slope of the latter.
#define POLYNOMIAL_ERROR 7.5e-8
#define NORMAL_SLOPE 0.39894229

static Near exact(double value) { return (Near){value, 0}; }

static Near rounded(double value, double error)
{
    return (Near){value, error + FLOAT_UNIT * (fabs(value) + error) + FLOAT_LOST};
}

static Near constant(double value) { return rounded(value, 0); }
static Near minus(Near a) { return (Near){-a.value, a.error}; }
static Near sum(Near a, Near b) { return rounded(a.value + b.value, a.error + b.error); }

static Near product(Near a, Near b)
{
    return rounded(a.value * b.value, fabs(a.value) * b.error + fabs(b.value) * a.error +
                                          a.error * b.error);
}

static Near quotient(Near a, Near b)
{
    double value = a.value / b.value;
    return rounded(value, (a.error + fabs(value) * b.error) / (fabs(b.value) - b.error));
}

static Near exponential(Near x)
{
    Near power = product(x, constant(M_LOG2E));
    double value = exp(x.value), part = expm1(M_LN2 * power.error);
    return (Near){value, value * (part + APPROXIMATE_UNIT * (1 + part)) + FLOAT_LOST};
}

static Near logarithm(Near x)
{
    double value = log2(x.value), error = x.error / (x.value - x.error) / M_LN2;
    Near power = {value, error + APPROXIMATE_UNIT * (fmax(1, fabs(value)) + error)};
    return product(power, constant(M_LN2));
}

// The kernel's polynomial at the kernel's d differs from the distribution at the exact d by its
// roundings, the polynomial's own error, and the slope times the error of d.
static Near normal(Near d)
{
    static const double factors[] = {1.330274429, -1.821255978, 1.781477937, -0.356563782,
                                     0.31938153};
    Near at = exact(d.value);
    Near k = quotient(exact(1), sum(exact(1), product(constant(0.2316419), exact(fabs(d.value)))));
    Near polynomial = exact(0);
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++)
        polynomial = product(k, sum(constant(factors[i]), polynomial));
    Near density = product(constant(0.3989422804), exponential(product(product(exact(-0.5), at),
                                                                       at)));
    double value = 0.5 * erfc(-d.value * M_SQRT1_2);
    return rounded(value, product(density, polynomial).error + POLYNOMIAL_ERROR +
                              NORMAL_SLOPE * d.error);
}

static void check_price(Program *program, const char *name, uint32_t index, float got, Near right)
{
    if (!(fabs(got - right.value) <= right.error))
        program_mismatch(program, "%s[%u] is %.9g: expected %.9g, within %.1g", name, index, got,
                         right.value, right.error);
}

static void check(Program *program, float *const *in, const float *call, const float *put,
                  uint32_t options)
{
    Near rate = exact(RATE), volatility = exact(VOLATILITY);
    Near drift = sum(rate, product(product(exact(0.5), volatility), volatility));
    for (uint32_t i = 0; i < options; i++) {
        Near stock = exact(in[STOCK][i]), years = exact(in[YEARS][i]);
        Near spread = product(volatility, rounded(sqrt(years.value), 0));
        Near from = logarithm(quotient(stock, exact(in[STRIKE][i])));
        Near d1 = quotient(sum(from, product(drift, years)), spread);
        Near below1 = normal(d1), below2 = normal(sum(d1, minus(spread)));
        Near strike = product(exact(in[STRIKE][i]), exponential(product(minus(rate), years)));
        check_price(program, "call", i, call[i],
                    sum(product(stock, below1), minus(product(strike, below2))));
        check_price(program, "put", i, put[i],
                    sum(product(strike, sum(exact(1), minus(below2))),
                        minus(product(stock, sum(exact(1), minus(below1))))));
    }
}

// ---- the run ----

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t options = (uint32_t)input->parameters[OPTIONS];
    uint64_t bytes = (uint64_t)options * sizeof(float);
    float *in[INPUTS];
    HdAddress to_in[INPUTS];
    for (unsigned k = 0; k < INPUTS; k++) {
        const struct Range *range = &ranges[k];
        in[k] = floats_draw(&program, (uint64_t)input->parameters[SEED], k, options);
        for (uint32_t i = 0; in[k] && i < options; i++) // from -1 to 1, to the range
            in[k][i] = range->low + (range->high - range->low) / 2 * (in[k][i] + 1);
        to_in[k] = program_array(&program, range->name, in[k], bytes);
    }
    float *call = program_scratch(&program, options, sizeof *call);
    float *put = program_scratch(&program, options, sizeof *put);
    HdAddress to_call = program_array(&program, "call", NULL, bytes);
    HdAddress to_put = program_array(&program, "put", NULL, bytes);
    PROGRAM_LAUNCH(&program, "blackscholes_price",
                   options < MOST_GRID_THREADS ? options : MOST_GRID_THREADS,
                   (WorkCounters){.active_vertices = options}, hd_buffer(to_in[STOCK]),
                   hd_buffer(to_in[STRIKE]), hd_buffer(to_in[YEARS]), hd_buffer(to_call),
                   hd_buffer(to_put), hd_f32(RATE), hd_f32(VOLATILITY), hd_i32((int32_t)options));
    if (program_read(&program, call, to_call, bytes) && program_read(&program, put, to_put, bytes))
        check(&program, in, call, put, options);
    floats_answer(&program, call, options);
    double puts = 0;
    for (uint32_t i = 0; program.ok && i < options; i++) puts += put[i];
    program_answer_real(&program, "puts", "", puts);
    return program_end(&program);
}

const Implementation blackscholes_implementations[] = {
    IMPLEMENTATION("thread", blackscholes, run, "CUDA SDK, BlackScholes (BLK of khairy2015)",
        "one thread for every 61,440th option, with two prices"),
    {0},
};
