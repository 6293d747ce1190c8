// The forms of each opcode, the modifiers, and the hash table of their names. Only the PTX front
// end includes this file.
#ifndef HEDDLE_PTX_INSTRUCTION_FORMS_H
#define HEDDLE_PTX_INSTRUCTION_FORMS_H

#include "ptx/uop.h"

typedef struct Parser Parser;
typedef struct Token Token;

// ---- instruction_table.c ----
// Groups of modifiers. A form of an opcode (OpcodeForm) lists the groups that it accepts.
enum {
    G_ROUND = 1 << 0,    // .rn .rz .rm .rp
    G_INTEGRAL = 1 << 1, // .rni .rzi .rmi .rpi
    G_SAT = 1 << 2,
    G_FTZ = 1 << 3,
    G_APPROX = 1 << 4, // .approx .full
    G_WRAP = 1 << 5,   // .wrap .clamp
    G_CARRY = 1 << 6,  // .cc
    G_TO = 1 << 7,
    G_SHIFTAMT = 1 << 8,
    G_HALF = 1 << 9, // .lo .hi of dp2a
    G_COMPARE = 1 << 10,
    G_BOOL = 1 << 11, // .and .or .xor of setp
    G_SPACE = 1 << 12,
    G_CACHE = 1 << 13,
    G_ORDER = 1 << 14, // .volatile .relaxed .acquire ...
    G_SCOPE = 1 << 15, // .cta .gpu .sys of an access
    G_VECTOR = 1 << 16,
    G_NC = 1 << 17,
    G_ATOM = 1 << 18,
    G_SHFL = 1 << 19,
    G_VOTE = 1 << 20,
    G_MATCH = 1 << 21,
    G_PRMT = 1 << 22,
    G_TESTP = 1 << 23,
    G_BARRIER = 1 << 24, // .sync .arrive
    G_REDUCE = 1 << 25,  // .popc .and .or of bar.red
    G_FENCE = 1 << 26,   // .cta .gl .gpu .sys of a fence
    G_SYNC = 1 << 27,
    G_UNIFORM = 1 << 28, // .uni
    G_HINT = 1 << 29,    // hints without effect here: .aligned, .L1::evict_last, ...
    G_TEXTURE = 1 << 30, // .1d .a2d ... of a fetch or a surface access
    G_EXTRA = 1u << 31   // .NaN .xorsign .abs .relu
};
#define G_OUTSIDE (UINT64_C(1) << 32) // .trap .clamp .zero of a surface

typedef struct OpcodeForm {
    const char *opcode;
    const char *select; // a required modifier that selects this form, or NULL
    UopCode code;
    uint32_t types, types2; // bit sets of PtxType for the first and second type; 0: no type
    uint64_t groups;
    uint32_t flags; // UF_... to set
    const char *shape; // the operands, see instruction_table.c
} OpcodeForm;

typedef struct Modifier {
    const char *word; // without the dot
    uint64_t group;
    uint8_t value;  // by group: Rounding, Compare, PtxSpace, ...
    uint32_t flags; // to set
} Modifier;

extern const OpcodeForm ptx_forms[];
extern const Modifier ptx_modifiers[];
extern const unsigned ptx_form_count, ptx_modifier_count;
// What to do about an unsupported instruction; NULL: the opcode is unknown.
const char *unsupported_advice(const Token *opcode);

// ---- keywords.c ----
enum { NO_ENTRY = -1 };
typedef struct Keyword {
    const char *text;
    uint32_t length;
    PtxType type;          // the type with this name, or PTX_NONE
    int16_t form, modifier; // first index of the opcode in ptx_forms, of the modifier in
                            // ptx_modifiers, or NO_ENTRY
} Keyword;
bool keywords_build(Parser *p);
// Finds a keyword, without a dot. NULL: no instruction uses it.
const Keyword *keyword_find(const Parser *p, const char *text, uint32_t length);
// The next form with the same opcode, or NULL.
const OpcodeForm *form_next(const Parser *p, const OpcodeForm *form);
// The keyword's entry as a modifier of one of the groups, or NULL.
const Modifier *modifier_find(const Parser *p, const Keyword *word, uint64_t groups);

#endif
