// Host programs whose accesses do not depend on data: matrices, stencils, sums, arithmetic.
#include "base/bits.h"
#include "programs.h"

#include <math.h>

// A float array of `count` elements drawn from [low, low + range).
static float *floats(Program *program, uint64_t count, float low, float range, uint32_t seed)
{
    float *values = program_scratch(program, count, sizeof *values);
    for (uint64_t i = 0; program->ok && i < count; i++)
        values[i] = low + range * (float)(fidelity_random(&seed) & 0xffff) / 65536;
    return values;
}

// ---- stencils ----

void fidelity_hotspot(Program *program)
{
    enum { WIDTH = 256, CELLS = WIDTH * WIDTH, STEPS = 2 };
    float *heat = floats(program, CELLS, 60, 40, 7), *power = floats(program, CELLS, 0, 1, 8);
    float *out = program_scratch(program, CELLS, 4), *model = program_scratch(program, CELLS, 4);
    HdAddress a = program_array(program, "heat", heat, 4 * CELLS);
    HdAddress p = program_array(program, "power", power, 4 * CELLS);
    HdAddress b = program_array(program, "next", NULL, 4 * CELLS);
    FidelityShape shape = {{WIDTH / 16, WIDTH / 16, 1}, {16, 16, 1}};
    for (int step = 0; step < STEPS; step++) {
        FIDELITY_LAUNCH(program, "hotspot", shape, hd_buffer(step & 1 ? b : a), hd_buffer(p),
                        hd_buffer(step & 1 ? a : b), hd_i32(WIDTH), hd_f32(.1f), hd_f32(3),
                        hd_f32(5), hd_f32(7));
    }
    program_read(program, out, STEPS & 1 ? b : a, 4 * CELLS);
    for (int step = 0; program->ok && step < STEPS; step++) {
        for (int i = 0; i < CELLS; i++) {
            int x = i % WIDTH, y = i / WIDTH;
            float centre = heat[i];
            float north = heat[y ? i - WIDTH : i], south = heat[y < WIDTH - 1 ? i + WIDTH : i];
            float west = heat[x ? i - 1 : i], east = heat[x < WIDTH - 1 ? i + 1 : i];
            float change = power[i] + (north + south - 2 * centre) / 5 +
                           (west + east - 2 * centre) / 3 + (80 - centre) / 7;
            model[i] = centre + .1f * change;
        }
        float *kept = heat;
        heat = model;
        model = kept;
    }
    for (int i = 0; program->ok && i < CELLS; i++)
        fidelity_expect_real(program, i, out[i], heat[i], 1e-4);
}

void fidelity_stencil(Program *program)
{
    enum { NX = 64, NY = 32, NZ = 32, PLANE = NX * NY, CELLS = PLANE * NZ };
    float *in = floats(program, CELLS, 0, 1, 9), *out = program_scratch(program, CELLS, 4);
    HdAddress from = program_array(program, "in", in, 4 * CELLS);
    HdAddress to = program_array(program, "out", NULL, 4 * CELLS);
    FidelityShape shape = {{NX / 32, NY / 4, 1}, {32, 4, 1}};
    FIDELITY_LAUNCH(program, "stencil", shape, hd_buffer(from), hd_buffer(to), hd_i32(NX),
                    hd_i32(NY), hd_i32(NZ), hd_f32(.4f), hd_f32(.1f));
    program_read(program, out, to, 4 * CELLS);
    for (int i = 0; program->ok && i < CELLS; i++) {
        int x = i % NX, y = i / NX % NY, z = i / PLANE;
        bool inner = x && x < NX - 1 && y && y < NY - 1 && z && z < NZ - 1;
        double sum = 0;
        if (inner)
            sum = .4 * in[i] + .1 * ((double)in[i - 1] + in[i + 1] + in[i - NX] + in[i + NX] +
                                     in[i - PLANE] + in[i + PLANE]);
        fidelity_expect_real(program, i, out[i], sum, 1e-5);
    }
}

// ---- matrices ----

void fidelity_matmul(Program *program)
{
    enum { N = 128, CELLS = N * N };
    float *a = floats(program, CELLS, -1, 2, 10), *b = floats(program, CELLS, -1, 2, 11);
    float *c = program_scratch(program, CELLS, 4);
    HdAddress da = program_array(program, "a", a, 4 * CELLS);
    HdAddress db = program_array(program, "b", b, 4 * CELLS);
    HdAddress dc = program_array(program, "c", NULL, 4 * CELLS);
    FidelityShape shape = {{N / 16, N / 16, 1}, {16, 16, 1}};
    FIDELITY_LAUNCH(program, "matmul", shape, hd_buffer(da), hd_buffer(db), hd_buffer(dc),
                    hd_i32(N));
    program_read(program, c, dc, 4 * CELLS);
    for (int i = 0; program->ok && i < CELLS; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++) sum += (double)a[i / N * N + k] * b[k * N + i % N];
        fidelity_expect_real(program, i, c[i], sum, 1e-4);
    }
}

static void run_transpose(Program *program, const char *kernel)
{
    enum { N = 256, CELLS = N * N };
    float *in = floats(program, CELLS, 0, 1, 12), *out = program_scratch(program, CELLS, 4);
    HdAddress from = program_array(program, "in", in, 4 * CELLS);
    HdAddress to = program_array(program, "out", NULL, 4 * CELLS);
    FidelityShape shape = {{N / 32, N / 32, 1}, {32, 8, 1}};
    FIDELITY_LAUNCH(program, kernel, shape, hd_buffer(from), hd_buffer(to), hd_i32(N));
    program_read(program, out, to, 4 * CELLS);
    for (int i = 0; program->ok && i < CELLS; i++)
        fidelity_expect_real(program, i, out[i], in[i % N * N + i / N], 0);
}

void fidelity_transpose_naive(Program *program) { run_transpose(program, "transpose_naive"); }
void fidelity_transpose_tiled(Program *program) { run_transpose(program, "transpose_tiled"); }
void fidelity_transpose_conflicts(Program *program)
{
    run_transpose(program, "transpose_conflicts");
}

// ---- sums ----

static uint32_t *words(Program *program, uint64_t count, uint32_t seed)
{
    uint32_t *values = program_scratch(program, count, sizeof *values);
    for (uint64_t i = 0; program->ok && i < count; i++) values[i] = fidelity_random(&seed);
    return values;
}

void fidelity_reduce(Program *program)
{
    enum { ELEMENTS = 1 << 17, BLOCKS = 64 };
    uint32_t *in = words(program, ELEMENTS, 13), expected = 0;
    HdAddress from = program_array(program, "in", in, 4 * ELEMENTS);
    HdAddress sums = program_array(program, "sums", NULL, 4 * BLOCKS);
    HdAddress sum = program_array(program, "sum", NULL, 4);
    FIDELITY_LAUNCH(program, "reduce", fidelity_blocks(BLOCKS, 256), hd_buffer(from),
                    hd_buffer(sums), hd_i32(ELEMENTS));
    FIDELITY_LAUNCH(program, "reduce", fidelity_blocks(1, 256), hd_buffer(sums), hd_buffer(sum),
                    hd_i32(BLOCKS));
    for (int i = 0; program->ok && i < ELEMENTS; i++) expected += in[i];
    fidelity_expect(program, 0, program_get(program, sum, 0), expected);
}

void fidelity_scan(Program *program)
{
    enum { ELEMENTS = 1 << 16, BLOCKS = ELEMENTS / 256 };
    uint32_t *in = words(program, ELEMENTS, 14), *out = program_scratch(program, ELEMENTS, 4);
    HdAddress from = program_array(program, "in", in, 4 * ELEMENTS);
    HdAddress to = program_array(program, "out", NULL, 4 * ELEMENTS);
    HdAddress sums = program_array(program, "sums", NULL, 4 * BLOCKS);
    HdAddress scanned = program_array(program, "scanned", NULL, 4 * BLOCKS);
    HdAddress total = program_array(program, "total", NULL, 4);
    FIDELITY_LAUNCH(program, "scan_blocks", fidelity_blocks(BLOCKS, 256), hd_buffer(from),
                    hd_buffer(to), hd_buffer(sums));
    FIDELITY_LAUNCH(program, "scan_blocks", fidelity_blocks(1, 256), hd_buffer(sums),
                    hd_buffer(scanned), hd_buffer(total));
    FIDELITY_LAUNCH(program, "scan_add", fidelity_blocks(BLOCKS, 256), hd_buffer(to),
                    hd_buffer(scanned));
    program_read(program, out, to, 4 * ELEMENTS);
    uint32_t sum = 0;
    for (int i = 0; program->ok && i < ELEMENTS; i++)
        fidelity_expect(program, i, out[i], sum += in[i]);
}

// Each block's 512 elements come out in order, and with the same sum.
void fidelity_sort(Program *program)
{
    enum { ELEMENTS = 1 << 14, RUN = 512 };
    uint32_t *in = words(program, ELEMENTS, 15), *out = program_scratch(program, ELEMENTS, 4);
    HdAddress data = program_array(program, "data", in, 4 * ELEMENTS);
    FIDELITY_LAUNCH(program, "sort", fidelity_blocks(ELEMENTS / RUN, 256), hd_buffer(data));
    program_read(program, out, data, 4 * ELEMENTS);
    for (int run = 0; program->ok && run < ELEMENTS; run += RUN) {
        uint32_t before = in[run], after = out[run];
        for (int i = run + 1; i < run + RUN; i++) {
            before += in[i];
            after += out[i];
            fidelity_expect(program, i, out[i] >= out[i - 1], true);
        }
        fidelity_expect(program, run, after, before);
    }
}

// ---- arithmetic ----

void fidelity_nbody(Program *program)
{
    enum { BODIES = 256 };
    double *x[5]; // x, y, mass, and both accelerations
    HdAddress d[5];
    static const char *const names[] = {"x", "y", "mass", "ax", "ay"};
    uint32_t seed = 16;
    for (int k = 0; k < 5; k++) {
        x[k] = program_scratch(program, BODIES, sizeof *x[k]);
        for (int i = 0; program->ok && k < 3 && i < BODIES; i++)
            x[k][i] = (fidelity_random(&seed) & 0xffff) / 4096.0;
        d[k] = program_array(program, names[k], k < 3 ? x[k] : NULL, 8 * BODIES);
    }
    FIDELITY_LAUNCH(program, "nbody", fidelity_blocks(BODIES / 64, 64), hd_buffer(d[0]),
                    hd_buffer(d[1]), hd_buffer(d[2]), hd_buffer(d[3]), hd_buffer(d[4]),
                    hd_i32(BODIES));
    program_read(program, x[3], d[3], 8 * BODIES);
    program_read(program, x[4], d[4], 8 * BODIES);
    for (int i = 0; program->ok && i < BODIES; i++) {
        double sx = 0, sy = 0;
        for (int j = 0; j < BODIES; j++) {
            double dx = x[0][j] - x[0][i], dy = x[1][j] - x[1][i], r2 = dx * dx + dy * dy + 1e-2;
            double force = x[2][j] / (r2 * sqrt(r2));
            sx += dx * force;
            sy += dy * force;
        }
        fidelity_expect_real(program, i, x[3][i], sx, 1e-9);
        fidelity_expect_real(program, i, x[4][i], sy, 1e-9);
    }
}

void fidelity_options(Program *program)
{
    enum { OPTIONS = 1 << 14 };
    const float rate = .02f, volatility = .3f;
    float *price = floats(program, OPTIONS, 5, 25, 17);
    float *strike = floats(program, OPTIONS, 1, 99, 18);
    float *years = floats(program, OPTIONS, .25f, 9.75f, 19);
    float *call = program_scratch(program, OPTIONS, 4), *put = program_scratch(program, OPTIONS, 4);
    HdAddress s = program_array(program, "price", price, 4 * OPTIONS);
    HdAddress k = program_array(program, "strike", strike, 4 * OPTIONS);
    HdAddress t = program_array(program, "years", years, 4 * OPTIONS);
    HdAddress c = program_array(program, "call", NULL, 4 * OPTIONS);
    HdAddress p = program_array(program, "put", NULL, 4 * OPTIONS);
    FIDELITY_LAUNCH(program, "options", fidelity_blocks(OPTIONS / 128, 128), hd_buffer(s),
                    hd_buffer(k), hd_buffer(t), hd_buffer(c), hd_buffer(p), hd_f32(rate),
                    hd_f32(volatility), hd_i32(OPTIONS));
    program_read(program, call, c, 4 * OPTIONS);
    program_read(program, put, p, 4 * OPTIONS);
    for (int i = 0; program->ok && i < OPTIONS; i++) {
        double root = volatility * sqrt(years[i]), later = strike[i] * exp(-rate * years[i]);
        double d1 = (log(price[i] / strike[i]) + (rate + volatility * volatility / 2) * years[i]) /
                    root;
        double n1 = erfc(-d1 / sqrt(2)) / 2, n2 = erfc((root - d1) / sqrt(2)) / 2;
        fidelity_expect_real(program, i, call[i], price[i] * n1 - later * n2, 1e-3);
        fidelity_expect_real(program, i, put[i], later * (1 - n2) - price[i] * (1 - n1), 1e-3);
    }
}

// Approximate functions (__sinf) have no exact answer: checks only that every element was written.
void fidelity_mixed(Program *program)
{
    enum { THREADS = 1 << 12, ROUNDS = 16 };
    uint32_t *in = words(program, THREADS, 20), *out = program_scratch(program, THREADS, 4);
    for (int i = 0; program->ok && i < THREADS; i++) in[i] &= 0xffff;
    HdAddress from = program_array(program, "in", in, 4 * THREADS);
    HdAddress to = program_array(program, "out", NULL, 4 * THREADS);
    FIDELITY_LAUNCH(program, "mixed", fidelity_blocks(THREADS / 256, 256), hd_buffer(from),
                    hd_buffer(to), hd_i32(ROUNDS));
    program_read(program, out, to, 4 * THREADS);
    uint32_t written = 0;
    for (int i = 0; program->ok && i < THREADS; i++) written += out[i] != 0;
    fidelity_expect(program, 0, written > THREADS * 99 / 100, true);
}

void fidelity_filter(Program *program)
{
    enum { ELEMENTS = 1 << 15, TAPS = 17 };
    static const float taps[TAPS] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -8, 7, -6, 5, -4, 3, -2, 1};
    float *in = floats(program, ELEMENTS + TAPS, -1, 2, 21);
    float *out = program_scratch(program, ELEMENTS, 4);
    HdAddress from = program_array(program, "in", in, 4 * (ELEMENTS + TAPS));
    HdAddress to = program_array(program, "out", NULL, 4 * ELEMENTS);
    FIDELITY_LAUNCH(program, "filter", fidelity_blocks(ELEMENTS / 256, 256), hd_buffer(from),
                    hd_buffer(to), hd_i32(ELEMENTS));
    program_read(program, out, to, 4 * ELEMENTS);
    for (int i = 0; program->ok && i < ELEMENTS; i++) {
        double sum = 0;
        for (int k = 0; k < TAPS; k++) sum += (double)taps[k] * in[i + k];
        fidelity_expect_real(program, i, out[i], sum, 1e-4);
    }
}

void fidelity_triad(Program *program)
{
    enum { VECTORS = 1 << 16, FLOATS = 4 * VECTORS, BLOCKS = 90 };
    float *b = floats(program, FLOATS, 0, 1, 22), *c = floats(program, FLOATS, 0, 1, 23);
    float *a = program_scratch(program, FLOATS, 4);
    HdAddress da = program_array(program, "a", NULL, 4 * FLOATS);
    HdAddress db = program_array(program, "b", b, 4 * FLOATS);
    HdAddress dc = program_array(program, "c", c, 4 * FLOATS);
    FIDELITY_LAUNCH(program, "triad", fidelity_blocks(BLOCKS, 256), hd_buffer(da), hd_buffer(db),
                    hd_buffer(dc), hd_f32(3), hd_i32(VECTORS));
    program_read(program, a, da, 4 * FLOATS);
    for (int i = 0; program->ok && i < FLOATS; i++)
        fidelity_expect_real(program, i, a[i], (double)b[i] + 3.0 * c[i], 1e-5);
}
