// Counts the 32-bit registers that a thread needs: the largest number of live words at any
// instruction, and one for the stack pointer, which machine code always reserves.
//
// ptxas saves some registers (kernel parameters are operands) and spends others (it hoists loads to
// hide latency). docs/validation.md compares the counts with those of ptxas.
#include "ptx/internal.h"

#include <string.h>

enum { RESERVED = 1 };

// The registers that are live at the current instruction.
typedef struct Live {
    const FunctionBuilder *b;
    uint64_t *set;
    uint32_t words; // their 32-bit words
} Live;

static uint32_t words_of(const FunctionBuilder *b, uint32_t number)
{
    return (ptx_type_bytes(b->registers[number]) + 3) / 4;
}

static void add(Live *l, uint32_t number)
{
    if (bit_get(l->set, number)) return;
    bit_set(l->set, number);
    l->words += words_of(l->b, number);
}

// Walks a block backward from the registers that are live at its end. Returns the largest number of
// live words.
static uint32_t block_words(Live *l, const Block *block)
{
    uint32_t max = l->words;
    for (uint32_t at = block->end; at-- > block->start;) {
        const UOpTiming *t = &l->b->timing[at];
        for (unsigned k = 0; k < t->write_count; k++) add(l, t->writes[k]);
        if (l->words > max) max = l->words;
        for (unsigned k = 0; k < t->write_count && l->b->code[at].guard == VALUE_NONE; k++) {
            if (!bit_get(l->set, t->writes[k])) continue;
            bit_clear(l->set, t->writes[k]);
            l->words -= words_of(l->b, t->writes[k]);
        }
        for (unsigned k = 0; k < t->read_count; k++) add(l, t->reads[k]);
        if (l->words > max) max = l->words;
    }
    return max;
}

uint32_t registers_count(Parser *p, const FunctionBuilder *b, const Liveness *live)
{
    Live l = {.b = b, .set = scratch_new(p, b->register_count / 64 + 1, sizeof *l.set)};
    uint32_t max = 0;
    if (!l.set) return 0;
    for (uint32_t i = 0; i < b->block_count; i++) {
        size_t row = (size_t)i * live->words;
        memset(l.set, 0, (b->register_count / 64 + 1) * sizeof *l.set);
        l.words = 0;
        for (uint32_t w = 0; w < live->words; w++) {
            uint64_t set = live->out[row + w] & live->defined_out[row + w];
            for (; set; set &= set - 1)
                add(&l, live->numbers[w * 64 + (uint32_t)__builtin_ctzll(set)]);
        }
        uint32_t words = block_words(&l, &b->blocks[i]);
        if (words > max) max = words;
    }
    return max + RESERVED;
}
