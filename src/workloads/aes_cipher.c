// AES on the CPU. Sections are those of FIPS 197.
#include "workloads/aes_cipher.h"

#include <string.h>

enum { WORD = 4, KEY_WORDS = AES_BYTES / WORD };

// ---- arithmetic in GF(2^8), section 4 ----

static uint8_t multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b; b >>= 1) {
        if (b & 1) product ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
    }
    return product;
}

// a^254, which is 0 for 0. The exponent is 2 + 4 + ... + 128.
static uint8_t inverse(uint8_t a)
{
    uint8_t power = a, product = 1;
    for (int i = 0; i < 7; i++) {
        power = multiply(power, power);
        product = multiply(product, power);
    }
    return product;
}

// Section 5.1.1: bit i of the result is the parity of bits i, i + 4, ..., i + 7 modulo 8, and of
// the constant's bit.
static uint8_t substitute(uint8_t a)
{
    uint8_t x = inverse(a), result = 0;
    for (int i = 0; i < 8; i++) {
        int bit = 0x63 >> i & 1;
        bit ^= x >> i & 1;
        for (int apart = 4; apart < 8; apart++) bit ^= x >> (i + apart) % 8 & 1;
        result |= (uint8_t)(bit << i);
    }
    return result;
}

void aes_cipher_begin(AesCipher *cipher, const uint8_t key[AES_BYTES])
{
    for (int i = 0; i < 256; i++) cipher->substitute[i] = substitute((uint8_t)i);
    memcpy(cipher->round_key, key, AES_BYTES);
    uint8_t round_constant = 1;
    for (int i = AES_BYTES; i < AES_KEY_BYTES; i += WORD) { // section 5.2
        uint8_t *to = &cipher->round_key[i], word[WORD];
        memcpy(word, to - WORD, WORD);
        if (i / WORD % KEY_WORDS == 0) {
            for (int b = 0; b < WORD; b++)
                word[b] = cipher->substitute[to[(b + 1) % WORD - WORD]];
            word[0] ^= round_constant;
            round_constant = multiply(round_constant, 2);
        }
        for (int b = 0; b < WORD; b++) to[b] = to[b - AES_BYTES] ^ word[b];
    }
}

// ---- encryption, section 5.1; byte (row, column) of a state is number row + 4 * column ----

static void add_round_key(const AesCipher *cipher, uint8_t *state, int round)
{
    for (int i = 0; i < AES_BYTES; i++) state[i] ^= cipher->round_key[AES_BYTES * round + i];
}

// SubBytes and ShiftRows: row r moves left by r columns.
static void substitute_and_shift(const AesCipher *cipher, uint8_t *state)
{
    uint8_t before[AES_BYTES];
    memcpy(before, state, AES_BYTES);
    for (int row = 0; row < WORD; row++)
        for (int column = 0; column < WORD; column++)
            state[row + WORD * column] =
                cipher->substitute[before[row + WORD * ((column + row) % WORD)]];
}

static void mix_columns(uint8_t *state)
{
    for (uint8_t *column = state; column < state + AES_BYTES; column += WORD) {
        uint8_t before[WORD];
        memcpy(before, column, WORD);
        for (int row = 0; row < WORD; row++)
            column[row] = multiply(before[row], 2) ^ multiply(before[(row + 1) % WORD], 3) ^
                          before[(row + 2) % WORD] ^ before[(row + 3) % WORD];
    }
}

void aes_cipher_encrypt(const AesCipher *cipher, uint8_t to[AES_BYTES],
                        const uint8_t from[AES_BYTES])
{
    memmove(to, from, AES_BYTES);
    add_round_key(cipher, to, 0);
    for (int round = 1; round <= AES_ROUNDS; round++) {
        substitute_and_shift(cipher, to);
        if (round < AES_ROUNDS) mix_columns(to);
        add_round_key(cipher, to, round);
    }
}
