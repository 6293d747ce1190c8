// The content hash.
#include "base/hash.h"
#include "base/random.h"

#include <stdio.h>
#include <string.h>

uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    uint64_t total = size;
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ random_mix(word)) * 0x100000001b3u;
        h ^= h >> 29;
    }
    uint64_t word = 0;
    memcpy(&word, p, size);
    h = (h ^ random_mix(word + total)) * 0x100000001b3u;
    return random_mix(h);
}

void hash_text(uint64_t h, char text[HASH_TEXT])
{
    snprintf(text, HASH_TEXT, "%016llx", (unsigned long long)h);
}
