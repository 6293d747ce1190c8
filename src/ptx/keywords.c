// A hash table of the keywords of instructions: opcodes, modifiers, types. A file has hundreds of
// thousands of them.
#include "ptx/internal.h"

#include <string.h>

enum { SLOTS = 1024 }; // a power of two, at least twice the number of keywords

struct Keywords {
    Keyword items[SLOTS / 2];
    unsigned count;
    uint16_t slots[SLOTS];  // index into items + 1; 0: free
    int16_t *next_form;     // by form: the next form of the same opcode, or NO_ENTRY
    int16_t *next_modifier; // by modifier: the next one with the same name, or NO_ENTRY
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

const OpcodeForm *form_next(const Parser *p, const OpcodeForm *form)
{
    int16_t next = p->words->next_form[form - ptx_forms];
    return next == NO_ENTRY ? NULL : &ptx_forms[next];
}

const Modifier *modifier_find(const Parser *p, const Keyword *word, uint64_t groups)
{
    int16_t i = word ? word->modifier : NO_ENTRY;
    for (; i != NO_ENTRY; i = p->words->next_modifier[i])
        if (ptx_modifiers[i].group & groups) return &ptx_modifiers[i];
    return NULL;
}

// Finds or adds a keyword. Fails if the table is full.
static Keyword *keyword_of(Parser *p, const char *text)
{
    Keywords *words = p->words;
    uint32_t length = (uint32_t)strlen(text);
    uint16_t *slot = slot_of(words, text, length);
    if (*slot) return &words->items[*slot - 1];
    if (words->count == SLOTS / 2) {
        ptx_fail(p, &p->token,
                 "the instruction table has too many keywords: expected at most %d", SLOTS / 2);
        return NULL;
    }
    Keyword *w = &words->items[words->count++];
    *w = (Keyword){text, length, PTX_NONE, NO_ENTRY, NO_ENTRY};
    *slot = (uint16_t)words->count;
    return w;
}

bool keywords_build(Parser *p)
{
    Keywords *words = p->words = scratch_new(p, 1, sizeof *words);
    if (!words) return false;
    words->next_form = scratch_new(p, ptx_form_count, sizeof *words->next_form);
    words->next_modifier = scratch_new(p, ptx_modifier_count, sizeof *words->next_modifier);
    if (!words->next_form || !words->next_modifier) return false;
    // Build the chains from the end, so that they have the order of the tables.
    for (unsigned i = ptx_form_count; i-- > 0;) {
        Keyword *w = keyword_of(p, ptx_forms[i].opcode);
        if (!w) return false;
        words->next_form[i] = w->form;
        w->form = (int16_t)i;
    }
    for (unsigned i = ptx_modifier_count; i-- > 0;) {
        Keyword *w = keyword_of(p, ptx_modifiers[i].word);
        if (!w) return false;
        words->next_modifier[i] = w->modifier;
        w->modifier = (int16_t)i;
    }
    for (int t = PTX_NONE + 1; t < PTX_TYPES; t++) {
        Keyword *w = keyword_of(p, ptx_type_name((PtxType)t));
        if (!w) return false;
        w->type = (PtxType)t;
    }
    return true;
}
