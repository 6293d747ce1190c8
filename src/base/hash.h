// A 64-bit hash for contents and results (FNV-1a over 8-byte words, finished by a mix).
#ifndef HEDDLE_BASE_HASH_H
#define HEDDLE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_TEXT = 17 }; // 16 hexadecimal digits and a zero

#define HASH_START 0xcbf29ce484222325u

// Continues hash `h` (start with HASH_START) over `size` bytes. The hash distinguishes inputs and
// results; it is not cryptographic.
uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size);

// Writes h as 16 lower-case hexadecimal digits.
void hash_text(uint64_t h, char text[HASH_TEXT]);

#endif
