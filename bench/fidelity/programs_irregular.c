// Host programs whose accesses or branches depend on data: atomics, sparse matrices, chains of
// indices, switches; and many small launches.
#include "base/bits.h"
#include "programs.h"

#include <string.h>

static const int32_t FAR = INT32_MAX;

// ---- atomics ----

// Bytes of which half are below 16: some bins are in demand.
static void run_histogram(Program *program, const char *kernel)
{
    enum { BYTES = 1 << 16, BINS = 256, BLOCKS = 64 };
    uint8_t *data = program_scratch(program, BYTES, 1);
    uint32_t *bins = program_scratch(program, BINS, 4);
    uint32_t *expected = program_scratch(program, BINS, 4);
    uint32_t seed = 1;
    for (int i = 0; program->ok && i < BYTES; i++) {
        uint32_t r = fidelity_random(&seed);
        data[i] = (uint8_t)(r & 0x100 ? r & 15 : r & 255);
        expected[data[i]]++;
    }
    HdAddress from = program_array(program, "data", data, BYTES);
    HdAddress to = program_array(program, "bins", bins, 4 * BINS);
    FIDELITY_LAUNCH(program, kernel, fidelity_blocks(BLOCKS, 256), hd_buffer(from), hd_buffer(to),
                    hd_i32(BYTES));
    program_read(program, bins, to, 4 * BINS);
    for (int i = 0; program->ok && i < BINS; i++) fidelity_expect(program, i, bins[i], expected[i]);
}

void fidelity_histogram(Program *program) { run_histogram(program, "histogram"); }
void fidelity_histogram_shared(Program *program) { run_histogram(program, "histogram_shared"); }

typedef struct Sparse {
    int32_t *row, *column, *weight;
    int32_t rows, entries;
} Sparse;

// `rows` rows of 1 to 2 * mean - 1 entries; some columns are in demand.
static Sparse sparse_new(Program *program, int32_t rows, int32_t mean, uint32_t seed)
{
    Sparse s = {.rows = rows};
    int64_t room = (int64_t)rows * 2 * mean;
    s.row = program_scratch(program, rows + 1, 4);
    s.column = program_scratch(program, room, 4);
    s.weight = program_scratch(program, room, 4);
    for (int32_t r = 0; program->ok && r < rows; r++) {
        int32_t length = 1 + (int32_t)(fidelity_random(&seed) % (2 * mean - 1));
        for (int32_t e = 0; e < length; e++) {
            uint32_t any = fidelity_random(&seed);
            s.column[s.entries] = (int32_t)(any & 1 ? any / 2 % (uint32_t)rows
                                                    : any / 2 % (uint32_t)rows / 16);
            s.weight[s.entries++] = 1 + (int32_t)(fidelity_random(&seed) % 7);
        }
        s.row[r + 1] = s.entries;
    }
    return s;
}

static void relax_all(const Sparse *s, int32_t *distance)
{
    for (bool again = true; again;) {
        again = false;
        for (int32_t v = 0; v < s->rows; v++)
            for (int32_t e = s->row[v]; distance[v] < FAR && e < s->row[v + 1]; e++) {
                int32_t to = distance[v] + s->weight[e];
                if (to >= distance[s->column[e]]) continue;
                distance[s->column[e]] = to;
                again = true;
            }
    }
}

void fidelity_sssp(Program *program)
{
    enum { VERTICES = 4096, ROUNDS = 16 }; // one more than it takes: time may change how many
    Sparse s = sparse_new(program, VERTICES, 6, 2);
    int32_t *distance = program_scratch(program, VERTICES, 4);
    int32_t *expected = program_scratch(program, VERTICES, 4);
    if (!program->ok) return;
    for (int i = 1; i < VERTICES; i++) distance[i] = expected[i] = FAR;
    relax_all(&s, expected);
    HdAddress row = program_array(program, "row", s.row, 4 * (VERTICES + 1));
    HdAddress column = program_array(program, "column", s.column, 4 * (uint64_t)s.entries);
    HdAddress weight = program_array(program, "weight", s.weight, 4 * (uint64_t)s.entries);
    HdAddress to = program_array(program, "distance", distance, 4 * VERTICES);
    HdAddress again = program_words(program, "again", 1, 0);
    for (int round = 0; round < ROUNDS; round++)
        FIDELITY_LAUNCH(program, "sssp_relax", fidelity_blocks(VERTICES / 256, 256), hd_buffer(row),
                        hd_buffer(column), hd_buffer(weight), hd_buffer(to), hd_buffer(again),
                        hd_i32(VERTICES));
    program_read(program, distance, to, 4 * VERTICES);
    for (int i = 0; program->ok && i < VERTICES; i++)
        fidelity_expect(program, i, (uint32_t)distance[i], (uint32_t)expected[i]);
}

void fidelity_compact(Program *program)
{
    enum { ELEMENTS = 1 << 14 };
    uint32_t *data = program_scratch(program, ELEMENTS, 4);
    uint32_t *list = program_scratch(program, ELEMENTS, 4);
    uint8_t *seen = program_scratch(program, ELEMENTS, 1);
    uint32_t seed = 3, expected = 0;
    for (int i = 0; program->ok && i < ELEMENTS; i++) {
        data[i] = fidelity_random(&seed);
        expected += data[i] & 1;
    }
    HdAddress from = program_array(program, "data", data, 4 * ELEMENTS);
    HdAddress to = program_array(program, "list", NULL, 4 * ELEMENTS);
    HdAddress length = program_words(program, "length", 1, 0);
    FIDELITY_LAUNCH(program, "compact", fidelity_blocks(ELEMENTS / 256, 256), hd_buffer(from),
                    hd_buffer(to), hd_buffer(length), hd_i32(ELEMENTS));
    uint32_t count = program_get(program, length, 0);
    fidelity_expect(program, 0, count, expected);
    program_read(program, list, to, 4 * ELEMENTS);
    for (uint32_t i = 0; program->ok && i < count && count <= ELEMENTS; i++) {
        bool right = list[i] < ELEMENTS && data[list[i]] & 1 && !seen[list[i]];
        fidelity_expect(program, i, right, true);
        if (right) seen[list[i]] = 1;
    }
}

// ---- irregular loads ----

void fidelity_spmv(Program *program)
{
    enum { ROWS = 8192 };
    Sparse s = sparse_new(program, ROWS, 8, 4);
    float *value = program_scratch(program, s.entries, 4), *x = program_scratch(program, ROWS, 4);
    float *y = program_scratch(program, ROWS, 4);
    if (!program->ok) return;
    for (int i = 0; i < s.entries; i++) value[i] = (float)s.weight[i] / 8;
    for (int i = 0; i < ROWS; i++) x[i] = (float)(i % 31) / 4;
    HdAddress row = program_array(program, "row", s.row, 4 * (ROWS + 1));
    HdAddress column = program_array(program, "column", s.column, 4 * (uint64_t)s.entries);
    HdAddress values = program_array(program, "value", value, 4 * (uint64_t)s.entries);
    HdAddress from = program_array(program, "x", x, 4 * ROWS);
    HdAddress to = program_array(program, "y", NULL, 4 * ROWS);
    FIDELITY_LAUNCH(program, "spmv", fidelity_blocks(ROWS / 128, 128), hd_buffer(row),
                    hd_buffer(column), hd_buffer(values), hd_buffer(from), hd_buffer(to),
                    hd_i32(ROWS));
    program_read(program, y, to, 4 * ROWS);
    for (int r = 0; program->ok && r < ROWS; r++) {
        double sum = 0;
        for (int e = s.row[r]; e < s.row[r + 1]; e++) sum += (double)value[e] * x[s.column[e]];
        fidelity_expect_real(program, r, y[r], sum, 1e-5);
    }
}

// A cycle through elements 128 bytes apart, which 512 threads enter at different places.
void fidelity_chase(Program *program)
{
    enum { NODES = 1 << 14, WORDS = 32 * NODES, THREADS = 512, STEPS = 48 };
    uint32_t *next = program_scratch(program, WORDS, 4);
    uint32_t *order = program_scratch(program, NODES, 4);
    uint32_t *end = program_scratch(program, THREADS, 4), seed = 5;
    if (!program->ok) return;
    for (uint32_t i = 0; i < NODES; i++) order[i] = i;
    for (uint32_t i = NODES - 1; i > 0; i--) {
        uint32_t other = fidelity_random(&seed) % (i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (uint32_t i = 0; i < NODES; i++) next[32 * order[i]] = 32 * order[(i + 1) % NODES];
    HdAddress from = program_array(program, "next", next, 4 * WORDS);
    HdAddress to = program_array(program, "end", NULL, 4 * THREADS);
    FIDELITY_LAUNCH(program, "chase", fidelity_blocks(THREADS / 32, 32), hd_buffer(from),
                    hd_buffer(to), hd_i32(STEPS));
    program_read(program, end, to, 4 * THREADS);
    for (uint32_t t = 0; program->ok && t < THREADS; t++) {
        uint32_t at = 32 * t;
        for (int i = 0; i < STEPS; i++) at = next[at];
        fidelity_expect(program, t, end[t], at);
    }
}

// ---- branches ----

static uint32_t diverged(const uint32_t *in, uint32_t n, uint32_t v)
{
    uint32_t sum = v;
    for (uint32_t k = 0; k < (v >> 8 & 15); k++) {
        switch (sum & 7) {
        case 0: sum = sum * 5 + 1; break;
        case 1: sum ^= sum >> 3; break;
        case 2: sum += in[sum % n]; break;
        case 3: sum = sum * sum + k; break;
        case 4: sum = sum > 0x80000000u ? sum - 77 : sum + 3; break;
        case 5: sum = sum << 7 | sum >> 24; break;
        case 6:
            for (uint32_t j = 0; j < (sum >> 4 & 3); j++) sum += j * v;
            break;
        default: sum = sum / 3 + 5; break;
        }
    }
    return sum;
}

void fidelity_diverge(Program *program)
{
    enum { ELEMENTS = 1 << 13 };
    uint32_t *in = program_scratch(program, ELEMENTS, 4);
    uint32_t *out = program_scratch(program, ELEMENTS, 4);
    uint32_t seed = 6;
    for (int i = 0; program->ok && i < ELEMENTS; i++) in[i] = fidelity_random(&seed);
    HdAddress from = program_array(program, "in", in, 4 * ELEMENTS);
    HdAddress to = program_array(program, "out", NULL, 4 * ELEMENTS);
    FIDELITY_LAUNCH(program, "diverge", fidelity_blocks(ELEMENTS / 128, 128), hd_buffer(from),
                    hd_buffer(to), hd_i32(ELEMENTS));
    program_read(program, out, to, 4 * ELEMENTS);
    for (int i = 0; program->ok && i < ELEMENTS; i++)
        fidelity_expect(program, i, out[i], diverged(in, ELEMENTS, in[i]));
}

// ---- launches ----

// Launches of 1 to 40 blocks: fewer and more than the machine's SMs.
void fidelity_small(Program *program)
{
    enum { LAUNCHES = 40, THREADS = 64, ELEMENTS = LAUNCHES * THREADS };
    int32_t *a = program_scratch(program, ELEMENTS, 4), *b = program_scratch(program, ELEMENTS, 4);
    for (int i = 0; program->ok && i < ELEMENTS; i++) a[i] = i;
    HdAddress from = program_array(program, "a", a, 4 * ELEMENTS);
    HdAddress to = program_array(program, "b", b, 4 * ELEMENTS);
    for (int k = 1; k <= LAUNCHES; k++)
        FIDELITY_LAUNCH(program, "small", fidelity_blocks(k, THREADS), hd_buffer(from),
                        hd_buffer(to), hd_i32(k * THREADS));
    program_read(program, b, to, 4 * ELEMENTS);
    for (int i = 0; program->ok && i < ELEMENTS; i++)
        fidelity_expect(program, i, (uint32_t)b[i], (uint32_t)(i * (LAUNCHES - i / THREADS)));
}
