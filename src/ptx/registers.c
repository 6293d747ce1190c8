// How many 32-bit registers a thread needs: the largest number of live words at any instruction.
#include "ptx/internal.h"

#include <string.h>

static unsigned words_of(PtxType type) { return (ptx_type_bytes(type) + 3) / 4; }

static uint32_t pressure(const Build *b, const uint64_t *live, uint32_t words)
{
    uint32_t sum = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t set = live[w]; set; set &= set - 1)
            sum += words_of(b->registers[w * 64 + (uint32_t)__builtin_ctzll(set)]);
    return sum;
}

uint32_t registers_count(Parser *p, const Build *b, const Liveness *l)
{
    uint64_t *live = make_scratch(p, l->words, sizeof *live);
    uint32_t most = 1;
    if (!live) return 0;
    for (uint32_t i = 0; i < b->block_count; i++) {
        const Block *block = &b->blocks[i];
        memcpy(live, l->out + (size_t)i * l->words, l->words * sizeof *live);
        for (uint32_t at = block->end; at-- > block->start;) {
            const UOpTiming *t = &b->timing[at];
            for (unsigned k = 0; k < t->write_count; k++) bit_set(live, t->writes[k]);
            uint32_t after = pressure(b, live, l->words);
            if (b->code[at].guard == VALUE_NONE)
                for (unsigned k = 0; k < t->write_count; k++) bit_clear(live, t->writes[k]);
            for (unsigned k = 0; k < t->read_count; k++) bit_set(live, t->reads[k]);
            uint32_t before = pressure(b, live, l->words);
            if (after > most) most = after;
            if (before > most) most = before;
        }
    }
    return most;
}
