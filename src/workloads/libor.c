// Swaptions in the LIBOR market model: the host program. All paths are alike, as in the published
// program. The check computes one in doubles, with a bound of the kernels' error for each number,
// and compares it with all.
#include "workloads/bounded.h"
#include "workloads/kernels.h"

enum { PATHS, RATE, NORMAL };

static const HdParameter parameters[] = {
    [PATHS] = {.name = "paths", .description = "paths of the rates, all alike", .value = 4096,
               .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [RATE] = {.name = "rate", .description = "of each period at the start, per year",
              .value = 0.05, .min = 1e-4, .max = 1},
    [NORMAL] = {.name = "normal", .description = "in place of normally distributed random numbers",
                .value = 0.3, .min = -4, .max = 4},
    {0},
};

// As in the published program: a grid of 64 blocks for any number of paths, and the portfolio
// (kernels/libor.cu has it in constant memory).
enum { MOST_BLOCKS = 64 };
enum { RATES = 80, MATURITIES = 40, SWAPTIONS = 15, LAST = RATES - 1 };
#define DELTA 0.25
#define VOLATILITY 0.2f

static const int swap_length[SWAPTIONS] = {4,  4,  4,  8,  8,  8,  20, 20,
                                           20, 28, 28, 28, 40, 40, 40};
static const float swap_rate[3] = {0.045f, 0.05f, 0.055f}; // in turn

// ---- checking ----

// The rates at the start, and after each maturity.
typedef Bounded Rates[RATES];

// div.approx is off by at most 2 units in the last place, as the PTX manual says.
static Bounded quotient(Bounded a, Bounded b)
{
    Bounded result = bounded_divide(a, b);
    result.error += 4 * FLOAT_UNIT * bounded_most(result);
    return result;
}

static Bounded times_delta(Bounded a) { return bounded_multiply(bounded_exact(DELTA), a); }

static Bounded growth(Bounded rate) { return bounded_add(bounded_exact(1), times_delta(rate)); }

static void simulate(Rates *rates, float rate, float normal)
{
    Bounded volatility = bounded_exact(VOLATILITY), step = times_delta(volatility);
    Bounded shock = bounded_multiply(bounded_exact(sqrt(DELTA)), bounded_exact(normal));
    Bounded half = bounded_multiply(bounded_exact(0.5), step);
    Bounded move = bounded_multiply(volatility, bounded_subtract(shock, half));
    for (int i = 0; i < RATES; i++) rates[0][i] = bounded_exact(rate);
    for (int n = 0; n < MATURITIES; n++) {
        Bounded drift = {0};
        for (int i = 0; i < RATES; i++) {
            Bounded before = rates[n][i];
            rates[n + 1][i] = before;
            if (i <= n) continue; // the rate's period has begun
            drift = bounded_add(drift, quotient(bounded_multiply(step, before), growth(before)));
            Bounded power = bounded_add(bounded_multiply(step, drift), move);
            rates[n + 1][i] = bounded_multiply(before, bounded_exponential(power));
        }
    }
}

// 1 where a swaption is exercised, 0 where it is not; both are possible if the sign is unknown.
static Bounded exercised(Bounded swap)
{
    if (fabs(swap.value) < swap.error) return (Bounded){0.5, 0.5};
    return bounded_exact(swap.value < 0);
}

// The portfolio's value for rates at the end, and its sensitivity to the last rate, on which only
// the bond and the annuity of the longest swaps depend.
static Bounded portfolio(const Bounded *rate, Bounded *sensitivity)
{
    Bounded one = bounded_exact(1), bond = one, annuity = {0}, discount = one, value = {0};
    Bounded bonds[RATES - MATURITIES], annuities[RATES - MATURITIES];
    for (int n = 0; n < MATURITIES; n++) discount = bounded_divide(discount, growth(rate[n]));
    for (int m = 0; m < RATES - MATURITIES; m++) {
        bonds[m] = bond = quotient(bond, growth(rate[m + MATURITIES]));
        annuities[m] = annuity = bounded_add(annuity, times_delta(bond));
    }
    Bounded to_bond = {0}, to_annuity = {0};
    for (int k = 0; k < SWAPTIONS; k++) {
        int m = swap_length[k] - 1;
        Bounded fixed = bounded_exact(swap_rate[k % 3]), face = bounded_exact(-100);
        Bounded coupons = bounded_multiply(fixed, annuities[m]);
        Bounded swap = bounded_subtract(bounded_add(bonds[m], coupons), one);
        Bounded loss = bounded_limit(swap, -INFINITY, 0);
        value = bounded_add(value, bounded_multiply(face, loss));
        if (m != LAST - MATURITIES) continue;
        Bounded due = bounded_multiply(face, exercised(swap));
        to_bond = bounded_add(to_bond, due);
        to_annuity = bounded_add(to_annuity, bounded_multiply(due, fixed));
    }
    to_bond = bounded_multiply(bounded_add(to_bond, times_delta(to_annuity)), bond);
    Bounded slope = quotient(bounded_exact(DELTA), growth(rate[LAST]));
    *sensitivity =
        bounded_multiply(discount, bounded_negate(bounded_multiply(to_bond, slope)));
    return bounded_multiply(discount, value);
}

// The sensitivity to the last rate at the start, from that at the end.
static Bounded back(Rates *rates, Bounded sensitivity)
{
    Bounded volatility = bounded_exact(VOLATILITY);
    for (int n = MATURITIES - 1; n >= 0; n--) {
        Bounded before = rates[n][LAST], after = rates[n + 1][LAST];
        Bounded drift = bounded_multiply(bounded_multiply(volatility, after), sensitivity);
        Bounded part = quotient(bounded_exact(DELTA), growth(before));
        drift = bounded_multiply(bounded_multiply(drift, volatility),
                                 bounded_multiply(part, part));
        sensitivity = bounded_add(bounded_multiply(sensitivity, quotient(after, before)), drift);
    }
    return sensitivity;
}

static void expect(Program *program, Bounded *value, Bounded *sensitivity)
{
    const double *values = program->input->parameters;
    Rates *rates = program_scratch(program, MATURITIES + 1, sizeof *rates);
    if (!rates) return;
    simulate(rates, (float)values[RATE], (float)values[NORMAL]);
    *value = portfolio(rates[MATURITIES], sensitivity);
    *sensitivity = back(rates, *sensitivity);
}

// ---- the run ----

// Reads an array, compares all its elements with one number, and returns their mean.
static double check(Program *program, const char *name, HdAddress array, uint32_t paths,
                    float *host, Bounded expected)
{
    double sum = 0;
    if (!program_read(program, host, array, paths * sizeof *host)) return 0;
    for (uint32_t i = 0; i < paths; i++) {
        bounded_check(program, name, i, host[i], expected);
        sum += host[i];
    }
    return sum / paths;
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Program program = program_begin(device, input, result, err);
    uint32_t paths = (uint32_t)input->parameters[PATHS];
    uint64_t bytes = (uint64_t)paths * sizeof(float), most = MOST_BLOCKS * input->block;
    uint64_t threads = paths < most ? paths : most;
    HdArg rate = hd_f32((float)input->parameters[RATE]);
    HdArg normal = hd_f32((float)input->parameters[NORMAL]);
    WorkCounters work = {.active_vertices = paths};
    Bounded value = {0}, sensitivity = {0};
    expect(&program, &value, &sensitivity);
    float *host = program_scratch(&program, paths, sizeof *host);
    HdAddress to_value = program_array(&program, "value", NULL, bytes);
    HdAddress to_sensitivity = program_array(&program, "sensitivity", NULL, bytes);
    PROGRAM_LAUNCH(&program, "libor_value", threads, work, hd_buffer(to_value), rate, normal,
                   hd_i32((int32_t)paths));
    check(&program, "value", to_value, paths, host, value);
    // Clears the values, so that the second kernel must compute them again.
    for (uint32_t i = 0; program.ok && i < paths; i++) host[i] = 0;
    program_write(&program, to_value, host, bytes);
    PROGRAM_LAUNCH(&program, "libor_sensitivity", threads, work, hd_buffer(to_value),
                   hd_buffer(to_sensitivity), rate, normal, hd_i32((int32_t)paths));
    double mean = check(&program, "value", to_value, paths, host, value);
    program_answer_real(&program, "value", mean);
    mean = check(&program, "sensitivity", to_sensitivity, paths, host, sensitivity);
    program_answer_real(&program, "sensitivity", mean);
    return program_end(&program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("path", libor, run,
        "GPGPU-Sim (Bakhoda et al., ISPASS 2009), LIB (LIB of yilmazer2020gw)",
        "one thread per path, with its rates in local memory; then again with a sensitivity"),
    {0},
};

const Workload workload_libor = {
    .name = "libor",
    .doc = "value of a portfolio of swaptions on paths of the LIBOR market model",
    .answer = "value, sensitivity: means over the paths",
    .check = "each value, within an error bound; a swaption that the bound leaves open may be "
             "exercised or not",
    .block = 64,
    .small = "paths=32",
    .implementations = implementations,
    .parameters = parameters,
};
