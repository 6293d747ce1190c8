// Alignment of two sequences by Needleman and Wunsch's algorithm: the host program. A launch
// computes an anti-diagonal of tiles.
#include "base/random.h"
#include "workloads/kernels.h"
#include "workloads/program.h"

// Stream number of the letters drawn (base/random.h).
enum { RANDOM_USER_LETTERS = 0x4c455454 };

enum { LENGTH, GAP, SEED };
// The longest: its matrix has fewer than 2^31 elements.
enum { MOST_LENGTH = 46336, MOST_TILE = 77, LETTERS = 10 };
enum { EQUAL = 5, UNEQUAL = -3 }; // similarities of two letters

static const HdParameter parameters[] = {
    [LENGTH] = {.name = "length", .unit = "letters",
                .description = "of both sequences; a multiple of the tile's side, which is --block",
                .value = 1024, .min = 1, .max = MOST_LENGTH, .kind = HD_WHOLE},
    [GAP] = {.name = "gap", .description = "what each letter without a partner costs",
             .value = 10, .min = 0, .max = 1000, .kind = HD_WHOLE},
    [SEED] = WORKLOAD_SEED("of the letters drawn; 0: both sequences are the letters 0 to 9, and "
                           "again, for results known by hand"),
    {0},
};

typedef struct Needle {
    Program program;
    uint32_t length, columns;
    int32_t gap;
    uint64_t cells;       // of a matrix
    int32_t *similarity;  // row 0 and column 0 are not used
    int32_t *score, *expected;
    HdAddress to_similarity, to_score;
} Needle;

static uint8_t *draw_letters(Needle *n, uint32_t which)
{
    uint64_t seed = (uint64_t)n->program.input->parameters[SEED];
    uint8_t *letters = program_scratch(&n->program, n->length, sizeof *letters);
    for (uint32_t i = 0; letters && i < n->length; i++) {
        uint64_t number = seed ? random_draw(seed, RANDOM_USER_LETTERS, which, i) : i;
        letters[i] = (uint8_t)(number % LETTERS);
    }
    return letters;
}

static void begin(Needle *n)
{
    Program *program = &n->program;
    uint32_t side = program->input->block;
    if (side > MOST_TILE)
        program_fail(program, "tiles of %u by %u do not fit 48 KiB of shared memory: expected "
                              "--block to be at most %d for this workload", side, side, MOST_TILE);
    if (n->length % side)
        program_fail(program, "--param length=%u: expected a multiple of the %u threads of a block",
                     n->length, side);
    const uint8_t *down = draw_letters(n, 0), *across = draw_letters(n, 1);
    n->similarity = program_scratch(program, n->cells, sizeof *n->similarity);
    n->score = program_scratch(program, n->cells, sizeof *n->score);
    n->expected = program_scratch(program, n->cells, sizeof *n->expected);
    for (uint32_t y = 1; program->ok && y < n->columns; y++)
        for (uint32_t x = 1; x < n->columns; x++)
            n->similarity[(uint64_t)y * n->columns + x] =
                down[y - 1] == across[x - 1] ? EQUAL : UNEQUAL;
    for (uint32_t i = 0; program->ok && i < n->columns; i++)
        n->expected[i] = n->expected[(uint64_t)i * n->columns] = -(int32_t)i * n->gap;
    n->to_similarity = program_array(program, "similarity", n->similarity,
                                     n->cells * sizeof *n->similarity);
    n->to_score = program_array(program, "score", n->expected, n->cells * sizeof *n->expected);
}

// Computes every score, row by row.
static void check(Needle *n)
{
    uint64_t columns = n->columns;
    int32_t *score = n->expected;
    for (uint64_t y = 1; y < columns; y++)
        for (uint64_t x = 1; x < columns; x++) {
            uint64_t at = y * columns + x;
            int32_t best = score[at - columns - 1] + n->similarity[at];
            int32_t left = score[at - 1] - n->gap, above = score[at - columns] - n->gap;
            best = left > best ? left : best;
            score[at] = above > best ? above : best;
        }
    program_check_words(&n->program, "score", n->score, n->expected, n->cells);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Needle n = {.program = program_begin(device, input, result, err),
                .length = (uint32_t)input->parameters[LENGTH],
                .gap = (int32_t)input->parameters[GAP]};
    Program *program = &n.program;
    n.columns = n.length + 1;
    n.cells = (uint64_t)n.columns * n.columns;
    begin(&n);
    uint32_t side = input->block, tiles = n.length / side;
    program->dynamic_shared =
        ((uint64_t)(side + 1) * (side + 1) + (uint64_t)side * side) * sizeof(int32_t);
    for (uint32_t diagonal = 0; program->ok && diagonal < 2 * tiles - 1; diagonal++) {
        uint32_t first = diagonal < tiles ? 0 : diagonal - tiles + 1;
        uint64_t count = diagonal - 2 * first + 1; // of tiles
        PROGRAM_LAUNCH(program, "needle_diagonal", count * side,
                       (WorkCounters){.active_vertices = count * side * side},
                       hd_buffer(n.to_score), hd_buffer(n.to_similarity),
                       hd_i32((int32_t)n.columns), hd_i32((int32_t)first),
                       hd_i32((int32_t)diagonal), hd_i32(n.gap));
    }
    if (program_read(program, n.score, n.to_score, n.cells * sizeof *n.score)) check(&n);
    // A score may be negative, and answers are reals or whole numbers from 0.
    program_answer_real(program, "score", program->ok ? n.score[n.cells - 1] : 0);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("tile", needle, run, "Rodinia (Che et al., IISWC 2009), nw (NW of khairy2015)",
        "one block per tile, which it computes in shared memory; a launch per anti-diagonal"),
    {0},
};

const Workload workload_needle = {
    .name = "needle",
    .doc = "Needleman-Wunsch: the scores of the best alignments of two sequences",
    .answer = "score: of the whole alignment",
    .check = "each score, exactly",
    .block = 16,
    .small = "length=64",
    .implementations = implementations,
    .parameters = parameters,
};
