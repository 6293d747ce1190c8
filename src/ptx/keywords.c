// The words that instructions are made of (opcodes, modifiers, types), found by hash: a file has
// hundreds of thousands of them.
#include "ptx/internal.h"

#include <string.h>

enum { SLOTS = 1024 }; // a power of two, and at least twice the words

struct Keywords {
    Keyword items[SLOTS / 2];
    unsigned count;
    uint16_t slots[SLOTS];  // item number + 1, 0: free
    int16_t *next_row;      // by row: the next one of the same opcode, or NO_ENTRY
    int16_t *next_modifier; // by modifier
};

static uint16_t *slot_of(Keywords *words, const char *text, uint32_t length)
{
    uint32_t hash = length;
    for (uint32_t i = 0; i < length; i++) hash = hash * 31 + (unsigned char)text[i];
    uint32_t i = hash & (SLOTS - 1);
    for (; words->slots[i]; i = (i + 1) & (SLOTS - 1)) {
        const Keyword *w = &words->items[words->slots[i] - 1];
        if (w->length == length && !memcmp(w->text, text, length)) break;
    }
    return &words->slots[i];
}

const Keyword *keyword_find(const Parser *p, const char *text, uint32_t length)
{
    uint16_t number = *slot_of(p->words, text, length);
    return number ? &p->words->items[number - 1] : NULL;
}

const OpcodeForm *form_next(const Parser *p, const OpcodeForm *row)
{
    int16_t next = p->words->next_row[row - ptx_forms];
    return next == NO_ENTRY ? NULL : &ptx_forms[next];
}

const Modifier *modifier_find(const Parser *p, const Keyword *word, uint64_t groups)
{
    int16_t i = word ? word->modifier : NO_ENTRY;
    for (; i != NO_ENTRY; i = p->words->next_modifier[i])
        if (ptx_modifiers[i].group & groups) return &ptx_modifiers[i];
    return NULL;
}

// The word, which may be new. NULL: there are more than the table is made for.
static Keyword *word_of(Keywords *words, const char *text)
{
    uint32_t length = (uint32_t)strlen(text);
    uint16_t *slot = slot_of(words, text, length);
    if (*slot) return &words->items[*slot - 1];
    if (words->count == SLOTS / 2) return NULL;
    Keyword *w = &words->items[words->count++];
    *w = (Keyword){text, length, PTX_NONE, NO_ENTRY, NO_ENTRY};
    *slot = (uint16_t)words->count;
    return w;
}

// Chains are built from the end, so that they keep the tables' order.
static bool add_words(Keywords *words)
{
    for (unsigned i = ptx_form_count; i-- > 0;) {
        Keyword *w = word_of(words, ptx_forms[i].opcode);
        if (!w) return false;
        words->next_row[i] = w->row;
        w->row = (int16_t)i;
    }
    for (unsigned i = ptx_modifier_count; i-- > 0;) {
        Keyword *w = word_of(words, ptx_modifiers[i].word);
        if (!w) return false;
        words->next_modifier[i] = w->modifier;
        w->modifier = (int16_t)i;
    }
    for (int t = PTX_NONE + 1; t < PTX_TYPES; t++) {
        Keyword *w = word_of(words, ptx_type_name((PtxType)t));
        if (!w) return false;
        w->type = (PtxType)t;
    }
    return true;
}

bool keywords_build(Parser *p)
{
    Keywords *words = p->words = scratch_new(p, 1, sizeof *words);
    if (!words) return false;
    words->next_row = scratch_new(p, ptx_form_count, sizeof *words->next_row);
    words->next_modifier = scratch_new(p, ptx_modifier_count, sizeof *words->next_modifier);
    if (!words->next_row || !words->next_modifier) return false;
    return add_words(words) || ptx_fail(p, &p->token, "the instruction table has too many words");
}
