// Encryption by AES with a key of 128 bits (FIPS 197), after AES of GPGPU-Sim's suite (Bakhoda et
// al., ISPASS 2009), a program by Manavski. yilmazer2020gw uses it as a workload without a graph.
//
// A state is 4 columns of 4 bytes, the lowest byte of a word first. A round is four look-ups for
// each column, in tables that hold the products of MixColumns with the S-box.
#include "heddle.cuh"

enum { BYTES = 256, COLUMNS = 4, ROUNDS = 10 };

// ---- tables, computed by the compiler ----

constexpr unsigned char times_two(unsigned char x) { return x << 1 ^ (x & 0x80 ? 0x1b : 0); }

constexpr unsigned char rotated(unsigned char x, int bits) { return x << bits | x >> (8 - bits); }

// Table i has the products for a column's byte i: 2, 1, 1 and 3 times the S-box, turned by i bytes.
struct ByteTables {
    unsigned of[COLUMNS][BYTES];
};

constexpr unsigned product_word(unsigned char substitute, int byte)
{
    unsigned two = times_two(substitute), one = substitute, three = two ^ one;
    unsigned word = two | one << 8 | one << 16 | three << 24;
    return byte ? word << 8 * byte | word >> (32 - 8 * byte) : word;
}

// The S-box needs inverses. Every byte but 0 is a power of 3, from 0 to 254, and 3^255 is 1: so the
// inverse of 3^i is 3^(255 - i).
constexpr ByteTables make_tables()
{
    const int powers = BYTES - 1;
    ByteTables tables{};
    unsigned char power[powers] = {1};
    for (int i = 1; i < powers; i++) power[i] = power[i - 1] ^ times_two(power[i - 1]);
    for (int i = 0; i < BYTES; i++) {
        bool zero = i == powers; // the last byte, which is its own inverse here
        unsigned char x = zero ? 0 : power[i], y = zero ? 0 : power[(powers - i) % powers];
        unsigned char substitute = y ^ rotated(y, 1) ^ rotated(y, 2) ^ rotated(y, 3) ^
                                   rotated(y, 4) ^ 0x63;
        for (int byte = 0; byte < COLUMNS; byte++)
            tables.of[byte][x] = product_word(substitute, byte);
    }
    return tables;
}

static __constant__ ByteTables products = make_tables();

// The column from which ShiftRows takes byte i of a column: entry 4 * column + i.
static __constant__ unsigned char shifted[COLUMNS * COLUMNS] = {0, 1, 2, 3, 1, 2, 3, 0,
                                                               2, 3, 0, 1, 3, 0, 1, 2};

// ---- the kernel ----

static __shared__ unsigned product[COLUMNS][BYTES];
// Two columns for each thread: a round reads one half of the array and writes the other.
extern __shared__ unsigned columns[];

// Byte i of a column after ShiftRows; `state` is the first column of the thread's state.
HEDDLE_INLINE unsigned shifted_byte(const unsigned *state, unsigned column, int i)
{
    unsigned from = shifted[COLUMNS * column + i];
    return ((const unsigned char *)&state[from])[i];
}

// One thread per column. Blocks are whole states.
__global__ void aes_encrypt(const unsigned *__restrict__ plain, unsigned *__restrict__ cipher,
                            const unsigned *__restrict__ round_key, int words)
{
    unsigned thread = threadIdx.x, column = thread % COLUMNS, first = thread - column;
    int at = thread_index();
    unsigned *now = columns, *next = &columns[blockDim.x];
    if (at < words) now[thread] = plain[at];
    for (unsigned i = thread; i < BYTES; i += blockDim.x) {
        product[0][i] = products.of[0][i];
        product[1][i] = products.of[1][i];
        product[2][i] = products.of[2][i];
        product[3][i] = products.of[3][i];
    }
    __syncthreads();
    next[thread] = now[thread] ^ round_key[column];
    __syncthreads();
    // The published program has the rounds one after the other, without a loop.
#pragma unroll
    for (int round = 1; round < ROUNDS; round++) {
        unsigned *read = round & 1 ? next : now, *written = round & 1 ? now : next;
        unsigned mixed = product[0][shifted_byte(&read[first], column, 0)] ^
                         product[1][shifted_byte(&read[first], column, 1)] ^
                         product[2][shifted_byte(&read[first], column, 2)] ^
                         product[3][shifted_byte(&read[first], column, 3)];
        written[thread] = mixed ^ round_key[COLUMNS * round + column];
        __syncthreads();
    }
    // The last round has no MixColumns: the S-box alone is the highest byte of table 1.
    unsigned key = round_key[COLUMNS * ROUNDS + column];
    unsigned char *last = (unsigned char *)&next[thread];
    unsigned byte[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) byte[i] = shifted_byte(&now[first], column, i);
#pragma unroll
    for (int i = 0; i < COLUMNS; i++)
        last[i] = ((unsigned char *)&product[1][byte[i]])[3] ^ key >> 8 * i;
    __syncthreads();
    if (at < words) cipher[at] = next[thread];
}
