// Where a random program's choices come from: a seed, or the bytes of a fuzzer's input.
#ifndef TESTS_RANDOM_CHOICES_H
#define TESTS_RANDOM_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Choices {
    uint64_t seed, draws; // of a seed
    const uint8_t *bytes; // NULL: choices of a seed
    size_t left;          // bytes that are not used yet
} Choices;

Choices choices_of_seed(uint64_t seed);
// The bytes must outlive the choices. After the last byte, each choice is 0, which makes the
// generator end soon.
Choices choices_of_bytes(const uint8_t *bytes, size_t count);

// A number below `count`, which is at least 1.
uint32_t choose(Choices *c, uint32_t count);
// True in `percent` of 100 cases.
bool choose_chance(Choices *c, uint32_t percent);
uint64_t choose_bits(Choices *c);

#endif
