// Internal to the graph layer: random numbers for the generators, the same on every host.
#ifndef HEDDLE_GRAPH_GRAPH_RANDOM_H
#define HEDDLE_GRAPH_GRAPH_RANDOM_H

#include "base/random.h"

// Probabilities are integers in units of 10^-18: decimal fractions are exact, without rounding.
#define GENERATE_ONE 1000000000000000000u

// Stream numbers for random_draw, one per purpose.
enum {
    DRAWS_RMAT = 0x524d4154,
    DRAWS_RMAT_IDS = 0x524d4944,
    DRAWS_UNIFORM = 0x554e4946,
    DRAWS_GRID = 0x47524944,
    DRAWS_ER = 0x45524e4d,
    DRAWS_GNP = 0x45524e50,
    DRAWS_KOUT = 0x4b4f5554,
    DRAWS_POINTS = 0x504f494e,
    DRAWS_DELAUNAY = 0x44454c41,
    DRAWS_BA = 0x42415241,
    DRAWS_WS = 0x57535452,
    DRAWS_ROAD = 0x524f4144,
    DRAWS_ROAD_CHAIN = 0x524f4348,
    DRAWS_GROUPS = 0x47525053,
};

// Converts a probability in 10^-18 to a bound: a draw below it is a hit. Probability 1 becomes
// 1 - 2^-64.
static inline uint64_t probability_bound(uint64_t probability)
{
    unsigned __int128 bound = ((unsigned __int128)probability << 64) / GENERATE_ONE;
    return bound > UINT64_MAX ? UINT64_MAX : (uint64_t)bound;
}

// Scales 64 random bits to 0 .. count - 1; the bias is below count / 2^64.
static inline uint64_t draw_scale(uint64_t bits, uint64_t count)
{
    return (uint64_t)((unsigned __int128)bits * count >> 64);
}

// A pseudo-random permutation of 0 .. count - 1 without a table. A number is a cell of a matrix;
// each round shifts the row by an amount that depends on the column, then the column by an amount
// that depends on the row (an unbalanced Feistel network over two moduli).
enum { SHUFFLE_ROUNDS = 4 };
typedef struct Shuffle {
    uint64_t count, rows, columns; // rows * columns >= count > (rows - 1) * columns
    uint64_t of_rows[SHUFFLE_ROUNDS], of_columns[SHUFFLE_ROUNDS]; // random_series
} Shuffle;

static inline Shuffle shuffle_of(uint64_t count, uint64_t columns, uint64_t seed, uint32_t user)
{
    Shuffle s = {count, (count + columns - 1) / columns, columns, {0}, {0}};
    for (uint32_t round = 0; round < SHUFFLE_ROUNDS; round++) {
        s.of_rows[round] = random_series(seed, user, 2 * round);
        s.of_columns[round] = random_series(seed, user, 2 * round + 1);
    }
    return s;
}

// The image of n (< count) under the permutation.
static inline uint64_t shuffle_number(const Shuffle *s, uint64_t n)
{
    do { // a result >= count is permuted again until it is in range (cycle walking)
        uint64_t row = n / s->columns, column = n % s->columns;
        for (uint32_t round = 0; round < SHUFFLE_ROUNDS; round++) {
            row += draw_scale(random_draw_of(s->of_rows[round], column), s->rows);
            if (row >= s->rows) row -= s->rows;
            column += draw_scale(random_draw_of(s->of_columns[round], row), s->columns);
            if (column >= s->columns) column -= s->columns;
        }
        n = row * s->columns + column;
    } while (n >= s->count);
    return n;
}

#endif
