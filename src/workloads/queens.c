// The n queens problem: the host program, which places the queens of the first rows.
#include "base/bits.h"
#include "workloads/kernels.h"
#include "workloads/program.h"

#include <string.h>

enum { SIZE, PLACED, THREADS };
// DEPTH is as in kernels/queens.cu. A thread's stack, four words a row, and its sum are in shared
// memory, so that 48 KiB hold 299 threads.
enum { DEPTH = 10, THREAD_BYTES = (4 * DEPTH + 1) * sizeof(uint32_t), MOST_BLOCK = 299 };
enum { LEAST_SIZE = 2, MOST_SIZE = 18 };

static const HdParameter parameters[] = {
    [SIZE] = {.name = "size", .description = "queens, and rows and columns of the board",
              .value = 10, .min = LEAST_SIZE, .max = MOST_SIZE, .kind = HD_WHOLE},
    [PLACED] = {.name = "placed",
                .description = "rows whose queens the host places; 1 to 10 rows must be left; 0: "
                               "size - 10, at least 2 (1 if size is 2)", .value = 0, .min = 0,
                .max = MOST_SIZE - 1, .kind = HD_WHOLE},
    [THREADS] = {.name = "threads",
                 .description = "threads of a launch, each with one board or none", .value = 24576,
                 .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    {0},
};

// The number of solutions for each size (OEIS A000170).
static const uint32_t known[MOST_SIZE + 1] = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104,
    666090624,
};

typedef uint8_t Board[MOST_SIZE]; // the column of each row's queen

typedef struct Queens {
    Program program;
    uint32_t size, placed, threads;
    uint32_t boards, blocks;               // boards of the next launch; blocks of any
    Board *board;                          // those of the next launch
    uint32_t *taken, *left, *right;        // the columns that they attack in the row `placed`
    uint32_t *solutions;                   // of each block
    HdAddress to_taken, to_left, to_right, to_solutions;
    uint64_t all_boards, found;            // of the launches so far; `found` with mirror images
    uint32_t images;                       // solutions for which one of the next launch counts
} Queens;

static bool is_free(const uint8_t *board, uint32_t row, uint32_t column)
{
    for (uint32_t above = 0; above < row; above++) {
        uint32_t other = board[above], down = row - above;
        if (other == column || other + down == column || other == column + down) return false;
    }
    return true;
}

// The number of solutions whose first `row` queens are those of the board: the check.
static uint32_t count_solutions(uint8_t *board, uint32_t row, uint32_t size)
{
    if (row == size) return 1;
    uint32_t count = 0;
    for (uint32_t column = 0; column < size; column++) {
        if (!is_free(board, row, column)) continue;
        board[row] = (uint8_t)column;
        count += count_solutions(board, row + 1, size);
    }
    return count;
}

static void check(Queens *q)
{
    uint32_t block = q->program.block;
    for (uint32_t b = 0; b < q->blocks; b++) {
        uint32_t expected = 0;
        for (uint32_t t = b * block; t < (b + 1) * block && t < q->boards; t++)
            expected += count_solutions(q->board[t], q->placed, q->size);
        if (q->solutions[b] != expected)
            program_mismatch(&q->program, "solutions[%u] is %u: expected %u", b, q->solutions[b],
                             expected);
        q->found += (uint64_t)q->solutions[b] * q->images;
    }
}

// Solves the boards that have been collected, with all threads even if there are few boards.
static void launch(Queens *q)
{
    Program *program = &q->program;
    uint64_t bytes = q->boards * sizeof *q->taken;
    program_write(program, q->to_taken, q->taken, bytes);
    program_write(program, q->to_left, q->left, bytes);
    program_write(program, q->to_right, q->right, bytes);
    PROGRAM_LAUNCH(program, "queens_solve", q->threads,
                   (WorkCounters){.active_vertices = q->boards}, hd_buffer(q->to_taken),
                   hd_buffer(q->to_left), hd_buffer(q->to_right), hd_buffer(q->to_solutions),
                   hd_i32((int32_t)q->size), hd_i32((int32_t)(q->size - q->placed)),
                   hd_i32((int32_t)q->boards));
    if (program_read(program, q->solutions, q->to_solutions, q->blocks * sizeof *q->solutions))
        check(q);
    q->all_boards += q->boards;
    q->boards = 0;
}

static void add_board(Queens *q, const uint8_t *board)
{
    uint32_t at = q->boards++;
    memcpy(q->board[at], board, q->placed);
    q->taken[at] = q->left[at] = q->right[at] = 0;
    for (uint32_t row = 0; row < q->placed; row++) {
        q->taken[at] |= 1u << board[row];
        uint32_t column = board[row] + q->placed - row; // on the diagonal, in the first free row
        if (column < q->size) q->left[at] |= 1u << column;
        q->right[at] |= 1u << board[row] >> (q->placed - row);
    }
    if (q->boards == q->threads) launch(q);
}

// Adds all boards with the given queens in the first `row` rows.
static void place(Queens *q, uint8_t *board, uint32_t row)
{
    if (row == q->placed) {
        add_board(q, board);
        return;
    }
    for (uint32_t column = 0; q->program.ok && column < q->size; column++) {
        if (!is_free(board, row, column)) continue;
        board[row] = (uint8_t)column;
        place(q, board, row + 1);
    }
}

// Solves the boards whose first queen is in a column from `first` to before `end`.
static void solve(Queens *q, uint32_t first, uint32_t end, uint32_t images)
{
    Board board;
    q->images = images;
    for (uint32_t column = first; column < end; column++) {
        board[0] = (uint8_t)column;
        place(q, board, 1);
    }
    launch(q);
}

static void begin(Queens *q)
{
    Program *program = &q->program;
    if (!q->placed) q->placed = q->size > DEPTH + 2 ? q->size - DEPTH : q->size > 2 ? 2 : 1;
    if (q->placed >= q->size || q->size - q->placed > DEPTH)
        program_fail(program, "--param placed=%u of %u rows: expected to leave 1 to %d rows",
                     q->placed, q->size, DEPTH);
    if (program->block > MOST_BLOCK)
        program_fail(program, "stacks of %u threads do not fit 48 KiB of shared memory: expected "
                              "--block to be at most %d for this workload",
                     program->block, MOST_BLOCK);
    q->blocks = (uint32_t)divide_up(q->threads, program->block);
    q->board = program_scratch(program, q->threads, sizeof *q->board);
    q->taken = program_scratch(program, q->threads, sizeof *q->taken);
    q->left = program_scratch(program, q->threads, sizeof *q->left);
    q->right = program_scratch(program, q->threads, sizeof *q->right);
    q->solutions = program_scratch(program, q->blocks, sizeof *q->solutions);
    q->to_taken = program_words(program, "taken", q->threads, 0);
    q->to_left = program_words(program, "left", q->threads, 0);
    q->to_right = program_words(program, "right", q->threads, 0);
    q->to_solutions = program_words(program, "solutions", q->blocks, 0);
    program->dynamic_shared = (uint64_t)program->block * THREAD_BYTES;
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    Queens q = {.program = program_begin(device, input, result, err),
                .size = (uint32_t)input->parameters[SIZE],
                .placed = (uint32_t)input->parameters[PLACED],
                .threads = (uint32_t)input->parameters[THREADS]};
    Program *program = &q.program;
    begin(&q);
    // Boards whose first queen is in the right half are mirror images.
    if (program->ok) solve(&q, 0, q.size / 2, 2);
    if (program->ok && q.size % 2) solve(&q, q.size / 2, q.size / 2 + 1, 1);
    if (q.found != known[q.size])
        program_mismatch(program, "%llu solutions: expected %u", (unsigned long long)q.found,
                         known[q.size]);
    program_answer(program, "solutions", q.found);
    program_answer(program, "boards", q.all_boards);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("stack", queens, run,
        "N-Queens Solver (Chen), NQU of Bakhoda et al., ISPASS 2009 (NUQ of yilmazer2020gw)",
        "one thread per board with queens in the first rows, and a stack in shared memory"),
    {0},
};

const Workload workload_queens = {
    .name = "queens",
    .doc = "places n queens on a board of n by n so that none attacks another, in all ways",
    .answer = "solutions; boards",
    .check = "each block's count, exactly, and the sum with the known number for the size",
    .block = 96,
    .small = "threads=960 size=7",
    .implementations = implementations,
    .parameters = parameters,
};
