// Counts the 32-bit registers that a thread needs: the largest number of live words at any
// instruction, and one for the stack pointer, which machine code always reserves.
//
// ptxas saves some registers (kernel parameters are operands) and spends others (it hoists loads to
// hide latency). docs/validation.md compares the counts with those of ptxas.
#include "ptx/internal.h"

enum { RESERVED = 1 };

// The registers that are live at the current instruction.
typedef struct Live {
    const FunctionBuilder *b;
    const Liveness *live;
    uint32_t block;
    uint32_t *known; // by register: the last block that the walk found it in, + 1
    bool *is_live;   // by register, if it is known in the current block
    uint32_t words;  // their 32-bit words
} Live;

static uint32_t words_of(const FunctionBuilder *b, uint32_t number)
{
    return (ptx_type_bytes(b->registers[number]) + 3) / 4;
}

static bool *live_of(Live *l, uint32_t number)
{
    if (l->known[number] != l->block + 1) {
        l->known[number] = l->block + 1;
        l->is_live[number] = liveness_has(l->live, l->live->kept, l->block, number);
    }
    return &l->is_live[number];
}

static void add(Live *l, uint32_t number)
{
    bool *is_live = live_of(l, number);
    if (*is_live) return;
    *is_live = true;
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
            bool *is_live = live_of(l, t->writes[k]);
            if (!*is_live) continue;
            *is_live = false;
            l->words -= words_of(l->b, t->writes[k]);
        }
        for (unsigned k = 0; k < t->read_count; k++) add(l, t->reads[k]);
        if (l->words > max) max = l->words;
    }
    return max;
}

// Adds the words of the registers that live beyond the ends of blocks.
static void count_ends(const FunctionBuilder *b, const Liveness *live, uint32_t *words)
{
    for (uint32_t w = 0; w < live->words; w++) {
        uint64_t one = 0, two = 0; // the column's registers of one and two words
        for (uint32_t i = w * 64; i < live->count && i < (w + 1) * 64; i++) {
            uint32_t size = words_of(b, live->numbers[i]);
            if (size == 1) bit_set(&one, i % 64);
            if (size == 2) bit_set(&two, i % 64);
        }
        const uint64_t *kept = &live->kept[liveness_word(live, w, 0)];
        for (uint32_t i = 0; i < b->block_count; i++)
            words[i] += (uint32_t)(__builtin_popcountll(kept[i] & one) +
                                   2 * __builtin_popcountll(kept[i] & two));
    }
}

uint32_t registers_count(Parser *p, const FunctionBuilder *b, const Liveness *live)
{
    Live l = {.b = b, .live = live,
              .known = scratch_new(p, b->register_count, sizeof *l.known),
              .is_live = scratch_new(p, b->register_count, sizeof *l.is_live)};
    uint32_t *ends = scratch_new(p, b->block_count, sizeof *ends), max = 0;
    if (!l.known || !l.is_live || !ends) return 0;
    count_ends(b, live, ends);
    for (l.block = 0; l.block < b->block_count; l.block++) {
        l.words = ends[l.block];
        uint32_t words = block_words(&l, &b->blocks[l.block]);
        if (words > max) max = words;
    }
    return max + RESERVED;
}
