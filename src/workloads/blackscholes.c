// Prices of options: the host program. The check computes the prices in doubles, with the error
// function of the C library, and for each price a bound of the kernel's error.
#include "workloads/floats.h"
#include "workloads/kernels.h"

enum { OPTIONS, SEED };

static const HdParameter parameters[] = {
    [OPTIONS] = {.name = "options", .description = "options, each priced as a call and as a put",
                 .value = 1 << 18, .min = 1, .max = 1 << 30, .kind = HD_WHOLE},
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

// The error of the polynomial for the normal distribution, and the greatest slope of the latter.
#define POLYNOMIAL_ERROR 7.5e-8
#define NORMAL_SLOPE 0.39894229

// A constant of the kernel, which is rounded to a float.
static Bounded constant(double value) { return bounded_round(value, 0); }

static Bounded logarithm(Bounded x)
{
    double value = log2(x.value), error = x.error / (x.value - x.error) / M_LN2;
    Bounded power = {value, error + BOUNDED_APPROXIMATE * (fmax(1, fabs(value)) + error)};
    return bounded_multiply(power, constant(M_LN2));
}

// The kernel's polynomial at the kernel's d differs from the distribution at the exact d by its
// roundings, the polynomial's own error, and the slope times the error of d.
static Bounded normal(Bounded d)
{
    static const double factors[] = {1.330274429, -1.821255978, 1.781477937, -0.356563782,
                                     0.31938153};
    Bounded one = bounded_exact(1), polynomial = {0};
    Bounded scaled = bounded_multiply(constant(0.2316419), bounded_exact(fabs(d.value)));
    Bounded k = bounded_divide(one, bounded_add(one, scaled));
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++)
        polynomial = bounded_multiply(k, bounded_add(constant(factors[i]), polynomial));
    Bounded half = bounded_multiply(bounded_exact(-0.5), bounded_exact(d.value));
    Bounded power = bounded_multiply(half, bounded_exact(d.value));
    Bounded density = bounded_multiply(constant(0.3989422804), bounded_exponential(power));
    double value = 0.5 * erfc(-d.value * M_SQRT1_2);
    return bounded_round(value, bounded_multiply(density, polynomial).error + POLYNOMIAL_ERROR +
                                    NORMAL_SLOPE * d.error);
}

static void check(Program *program, float *const *in, const float *call, const float *put,
                  uint32_t options)
{
    Bounded one = bounded_exact(1), rate = bounded_exact(RATE);
    Bounded volatility = bounded_exact(VOLATILITY);
    Bounded half = bounded_multiply(bounded_exact(0.5), volatility);
    Bounded drift = bounded_add(rate, bounded_multiply(half, volatility));
    for (uint32_t i = 0; i < options; i++) {
        Bounded stock = bounded_exact(in[STOCK][i]), strike = bounded_exact(in[STRIKE][i]);
        Bounded years = bounded_exact(in[YEARS][i]);
        Bounded spread = bounded_multiply(volatility, bounded_round(sqrt(years.value), 0));
        Bounded rise = bounded_add(logarithm(bounded_divide(stock, strike)),
                                   bounded_multiply(drift, years));
        Bounded d1 = bounded_divide(rise, spread), d2 = bounded_subtract(d1, spread);
        Bounded below1 = normal(d1), below2 = normal(d2);
        Bounded discount = bounded_exponential(bounded_multiply(bounded_negate(rate), years));
        Bounded due = bounded_multiply(strike, discount);
        bounded_check(program, "call", i, call[i],
                      bounded_subtract(bounded_multiply(stock, below1),
                                       bounded_multiply(due, below2)));
        bounded_check(program, "put", i, put[i],
                      bounded_subtract(bounded_multiply(due, bounded_subtract(one, below2)),
                                       bounded_multiply(stock, bounded_subtract(one, below1))));
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
        floats_scale(in[k], options, 1, 1); // from 0 to 2, and then the range
        floats_scale(in[k], options, (range->high - range->low) / 2, range->low);
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
    program_answer_real(&program, "puts", puts);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("thread", blackscholes, run, "CUDA SDK, BlackScholes (BLK of khairy2015)",
        "one thread for every 61,440th option, with two prices"),
    {0},
};

const Workload workload_blackscholes = {
    .name = "blackscholes",
    .doc = "prices of European options by the formula of Black and Scholes",
    .answer = "sum, greatest, greatest_at: of the calls; puts: their sum",
    .check = "each price, within an error bound, with the error function in doubles",
    .block = 128,
    .small = "options=2000",
    .implementations = implementations,
    .parameters = parameters,
};
