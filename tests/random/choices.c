// Choices of a seed or of bytes.
#include "choices.h"

#include "base/random.h"

enum { RANDOM_USER = 18 };

Choices choices_of_seed(uint64_t seed) { return (Choices){.seed = seed}; }

Choices choices_of_bytes(const uint8_t *bytes, size_t count)
{
    return (Choices){.bytes = bytes, .left = count};
}

static uint64_t take(Choices *c, unsigned bytes)
{
    uint64_t value = 0;
    if (!c->bytes) return random_draw(c->seed, RANDOM_USER, 0, c->draws++);
    for (unsigned i = 0; i < bytes && c->left; i++, c->left--) value = value << 8 | *c->bytes++;
    return value;
}

uint32_t choose(Choices *c, uint32_t count)
{
    return count < 2 ? 0 : (uint32_t)(take(c, count <= 256 ? 1 : 4) % count);
}

bool choose_chance(Choices *c, uint32_t percent) { return choose(c, 100) + percent >= 100; }

uint64_t choose_bits(Choices *c) { return take(c, 8); }
