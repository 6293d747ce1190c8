// AES with keys of 128 bits on the CPU, as FIPS 197 defines it, byte by byte and without tables of
// products: the reference for the workload aes.
#ifndef HEDDLE_WORKLOADS_AES_CIPHER_H
#define HEDDLE_WORKLOADS_AES_CIPHER_H

#include <stdint.h>

enum { AES_BYTES = 16, AES_ROUNDS = 10, AES_KEY_BYTES = AES_BYTES * (AES_ROUNDS + 1) };

typedef struct AesCipher {
    uint8_t substitute[256];         // the S-box
    uint8_t round_key[AES_KEY_BYTES];
} AesCipher;

// Makes the S-box, and expands the key.
void aes_cipher_begin(AesCipher *cipher, const uint8_t key[AES_BYTES]);
// Encrypts one state. `from` and `to` may be the same.
void aes_cipher_encrypt(const AesCipher *cipher, uint8_t to[AES_BYTES],
                        const uint8_t from[AES_BYTES]);

#endif
