// Makes statements without control flow: operations, memory, exchanges.
#include "generate.h"

#include <string.h>

// ---- operands ----

Source choose_register(Context *x, Type type)
{
    Bank bank = bank_of(type);
    Source s = {.number = (uint8_t)choose(x->c, bank_registers[bank])};
    if (type == T_PRED) s.negated = choose_chance(x->c, 30);
    return s;
}

static uint64_t choose_float(Choices *c, Type type)
{
    static const uint64_t f32[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                   0x7fffffff, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                                   0x4b000001, 0x4f000000, 0x33800000, 0x3f000000};
    static const uint64_t f64[] = {0, UINT64_C(1) << 63, UINT64_C(0x3ff0000000000000),
                                   UINT64_C(0xbff8000000000000), UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0x7ff8000000000000), 1, UINT64_C(0x000fffffffffffff),
                                   UINT64_C(0x7fefffffffffffff), UINT64_C(0x4330000000000001),
                                   UINT64_C(0x43e0000000000000), UINT64_C(0x3690000000000000),
                                   UINT64_C(0x380fffffffffffff), UINT64_C(0x3f0fffffffffffff),
                                   UINT64_C(0x40effc0000000000), UINT64_C(0x3fe0000000000000)};
    uint64_t bits = choose_bits(c);
    if (choose_chance(c, 30)) return (type == T_F32 ? f32 : f64)[choose(c, 16)];
    // A moderate exponent, so that sums and products round.
    if (type == T_F32) return (bits & 0x807fffff) | (uint64_t)(120 + choose(c, 16)) << 23;
    return (bits & UINT64_C(0x800fffffffffffff)) | (uint64_t)(1016 + choose(c, 16)) << 52;
}

uint64_t choose_number(Choices *c, Type type)
{
    unsigned bits = types[type].bits;
    if (type == T_F32 || type == T_F64) return choose_float(c, type);
    switch (choose(c, 5)) {
    case 0: return choose(c, 16);
    case 1: return low_bits(0 - (uint64_t)choose(c, 5), bits);
    case 2: return low_bits((UINT64_C(1) << choose(c, bits)) - choose(c, 2), bits);
    case 3: return low_bits((UINT64_MAX >> choose(c, 64)) + choose(c, 2), bits);
    default: return low_bits(choose_bits(c), bits);
    }
}

Source choose_source(Context *x, Type type)
{
    // PTX has no numbers of 16-bit floats or predicates.
    bool number = type != T_PRED && (types[type].kind != KIND_FLOAT || types[type].bits > 16) &&
                  types[type].elements == 1 && types[type].bits > 8;
    if (!number || choose_chance(x->c, 75)) return choose_register(x, type);
    return (Source){.is_number = true, .bits = choose_number(x->c, type)};
}

uint8_t choose_target(Context *x, Type type)
{
    return (uint8_t)choose(x->c, bank_registers[bank_of(type)]);
}

void choose_guard(Context *x, Statement *s)
{
    if (!choose_chance(x->c, 25)) return;
    s->guard = (int)choose(x->c, bank_registers[BANK_PRED]);
    s->guard_negated = choose_chance(x->c, 50);
}

// ---- operations ----

static Type choose_type(Choices *c, uint32_t set)
{
    unsigned count = 0;
    for (unsigned t = 0; t < TYPE_COUNT; t++) count += set >> t & 1;
    unsigned which = choose(c, count), t = 0;
    for (;; t++)
        if (set >> t & 1 && !which--) return (Type)t;
}

static unsigned count_words(const char *text)
{
    unsigned words = 1;
    for (; *text; text++) words += *text == ' ';
    return words;
}

static bool is_half(Type type)
{
    return type == T_F16 || type == T_BF16 || type == T_F16X2 || type == T_BF16X2;
}

static void choose_modifiers(Context *x, Statement *s)
{
    const char *text = s->op->text;
    Choices *c = x->c;
    const TypeInfo *compared = &types[strchr(s->op->operands, 'u') ? s->type2 : s->type];
    if (s->op->modes) s->mode = choose(c, s->op->modes[0] == '+' ? 2 : count_words(s->op->modes));
    bool narrow = is_half(s->type) && s->op->types2 == 0;
    if (strstr(text, "%r") && !narrow)
        s->rounding =
            (RoundingMode)choose(c, s->type == T_BF16 || types[s->type].elements == 2 ? 2 : 4);
    if (strstr(text, "%i") && (s->mode || !s->op->modes)) s->rounding = (RoundingMode)choose(c, 4);
    if (strstr(text, "%f") && (s->type == T_F32 || (s->op->types2 && s->type2 == T_F32)))
        s->flush = choose_chance(c, 30);
    if (strstr(text, "%s") && s->type != T_F64) s->saturate = choose_chance(c, 30);
    if (strstr(text, "%c"))
        s->comparison = (Comparison)choose(c, compared->kind == KIND_BITS      ? LT
                                              : compared->kind == KIND_SIGNED   ? LO
                                              : compared->kind == KIND_UNSIGNED ? EQU
                                                                                : COMPARISONS);
    if (compared->kind == KIND_FLOAT && s->comparison >= LO && s->comparison <= HS)
        s->comparison = EQU;
    if (strstr(text, "%b")) s->combination = (Combination)choose(c, 4);
    if (strchr(s->op->operands, '|')) s->has_second = choose_chance(c, 40);
}

// A divisor for which the quotient is defined.
static Source choose_divisor(Context *x, Type type)
{
    Source s = {.is_number = true, .bits = choose_number(x->c, type)};
    unsigned bits = types[type].bits;
    if (types[type].kind == KIND_SIGNED && s.bits == low_bits(UINT64_MAX, bits)) s.bits = 3;
    if (!s.bits) s.bits = 7;
    return s;
}

static void choose_operands(Context *x, Statement *s)
{
    const char *sources = strchr(s->op->operands, '=') + 1;
    s->to[0] = choose_target(x, operand_type(s, s->op->operands[0]));
    s->to[1] = choose_target(x, T_PRED);
    // Two predicates of one instruction are different ones.
    if (s->has_second && s->to[1] == s->to[0])
        s->to[1] = (uint8_t)((s->to[0] + 1) % bank_registers[BANK_PRED]);
    for (unsigned i = 0; sources[i]; i++) {
        Source *from = &s->from[i];
        *from = choose_source(x, operand_type(s, sources[i]));
        if (sources[i] == 'z') *from = choose_divisor(x, s->type);
        if (sources[i] == 'k') *from = (Source){.is_number = true, .bits = choose(x->c, 32)};
        if (sources[i] == 'n') *from = (Source){.is_number = true, .bits = choose(x->c, 256)};
        if (sources[i] == 's' && choose_chance(x->c, 60))
            *from = (Source){.is_number = true, .bits = choose(x->c, 70)};
    }
}

static Statement *fill_operation(Context *x, const Operation *op)
{
    Statement *s = new_statement(x, OPERATE);
    if (!s) return NULL;
    s->op = op;
    s->type = choose_type(x->c, op->types);
    if (op->types2) s->type2 = choose_type(x->c, op->types2);
    choose_modifiers(x, s);
    choose_operands(x, s);
    return s;
}

Statement *make_operation(Context *x)
{
    Statement *s = fill_operation(x, &operations[choose(x->c, operation_count)]);
    if (s) choose_guard(x, s);
    return s;
}

// Additions, or subtractions, that pass a carry on.
Statement *make_chain(Context *x)
{
    Statement *s = new_statement(x, CHAIN), **at = s ? &s->body : NULL;
    unsigned length = 2 + choose(x->c, 3);
    Type type = choose_type(x->c, SET(U32) | SET(S32) | SET(U64) | SET(S64));
    bool subtract = choose_chance(x->c, 30);
    for (unsigned i = 0; s && i < length; i++) {
        const Operation *op;
        do op = &operations[choose(x->c, operation_count)];
        while (x->c->bytes && !x->c->left ? false
               : !strstr(op->text, "%C") || (strncmp(op->text, "sub", 3) == 0) != subtract);
        if (!strstr(op->text, "%C")) break;
        Statement *o = fill_operation(x, op);
        if (!o) break;
        o->type = type;
        o->carry_in = i > 0;
        o->carry_out = true;
        choose_operands(x, o);
        *at = o;
        at = &o->next;
    }
    if (s && s->body && choose_chance(x->c, 50))
        for (Statement *o = s->body; o; o = o->next) o->carry_out = o->next != NULL;
    return s;
}

Statement *make_parts(Context *x)
{
    static const struct { Type type; unsigned count; } shapes[] = {
        {T_B32, 2}, {T_B64, 2}, {T_B64, 4}};
    Statement *s = new_statement(x, choose_chance(x->c, 50) ? PACK : UNPACK);
    unsigned shape = choose(x->c, 3);
    if (!s) return NULL;
    s->type = shapes[shape].type;
    s->vector = shapes[shape].count;
    Type part = types[s->type].bits / s->vector == 16 ? T_B16 : T_B32;
    choose_guard(x, s);
    unsigned first = choose(x->c, bank_registers[bank_of(part)]);
    for (unsigned i = 0; i < s->vector; i++) {
        s->from[i] = choose_register(x, s->kind == PACK ? part : s->type);
        s->to[i] = (uint8_t)(s->kind == PACK ? choose_target(x, s->type)
                                             : (first + i) % bank_registers[bank_of(part)]);
    }
    return s;
}

// ---- memory ----

// An access of `bytes` bytes within a region of `size` bytes.
static void choose_place(Context *x, Statement *s, unsigned size, unsigned bytes)
{
    s->mask = (size / 2 - 1) & ~(bytes - 1);
    s->offset = choose(x->c, size / 2 / bytes + 1) * bytes;
    if (s->offset + s->mask + bytes > size) s->offset = 0;
    s->from[0] = choose_chance(x->c, 60)
                     ? choose_register(x, T_B32)
                     : (Source){.is_number = true, .bits = choose(x->c, 256)};
    s->address = (Address)choose(x->c, ADDRESSES);
}

static Statement *make_allocate(Context *x)
{
    static const Type fitting[] = {T_B16, T_B32, T_F32, T_B64, T_F64};
    Statement *s = new_statement(x, ALLOCATE);
    if (!s) return NULL;
    s->type = fitting[choose(x->c, 5)];
    s->mask = 8 + choose(x->c, 40); // bytes
    s->offset = choose(x->c, s->mask / 8) * 8;
    s->address = (Address)choose(x->c, ADDRESSES);
    s->from[0] = choose_register(x, s->type);
    s->to[0] = choose_target(x, s->type);
    choose_guard(x, s);
    return s;
}

static const unsigned space_bytes[SPACES] = {
    OWN_BYTES, IN_BYTES, CONSTANT_BYTES, CONSTANT_BYTES, PARAMETER_BYTES, SHARED_OWN_BYTES,
    LOCAL_BYTES};

Statement *make_access(Context *x)
{
    static const unsigned vectors[] = {1, 1, 2, 4};
    if (choose_chance(x->c, 10)) return make_allocate(x);
    Statement *s = new_statement(x, choose_chance(x->c, 55) ? LOAD : STORE);
    if (!s) return NULL;
    bool load = s->kind == LOAD;
    s->space = (Space)choose(x->c, SPACES);
    if (!load && s->space >= GLOBAL_IN && s->space <= PARAMETER) s->space = GLOBAL_OWN;
    if (s->space == PARAMETER && x->f->number) s->space = CONSTANT; // of the kernel only
    s->type = (Type)choose(x->c, T_B64 + 1);
    s->vector = vectors[choose(x->c, 4)];
    while (s->vector * types[s->type].bits > 128) s->vector /= 2;
    // The registers may be wider than the type.
    Bank bank = bank_of(s->type);
    if (choose_chance(x->c, 20)) bank = (Bank)(bank + choose(x->c, (unsigned)(BANK_PRED - bank)));
    s->type2 = bank == BANK_16 ? T_B16 : bank == BANK_32 ? T_B32 : T_B64;
    choose_place(x, s, space_bytes[s->space], s->vector * types[s->type].bits / 8);
    s->hint = choose_chance(x->c, 30);
    s->mode = choose_chance(x->c, 30) ? choose(x->c, 4) : 0;
    choose_guard(x, s);
    unsigned first = choose(x->c, bank_registers[bank]);
    for (unsigned i = 0; i < s->vector; i++) {
        s->to[i] = (uint8_t)((first + i) % bank_registers[bank]);
        s->from[1 + i] = s->type2 == s->type ? choose_source(x, s->type2)
                                             : choose_register(x, s->type2);
    }
    return s;
}

// A store, and a load of other width that overlaps it.
Statement *make_overlap(Context *x)
{
    static const Type stored[] = {T_B8, T_B16, T_B32, T_B64};
    static const Type loaded[] = {T_B64, T_U64, T_B32, T_S16, T_U8};
    Statement *s = new_statement(x, STORE), *after = s ? new_statement(x, LOAD) : NULL;
    if (!after) return NULL;
    s->space = choose_chance(x->c, 80) ? GLOBAL_OWN : SHARED_OWN;
    s->type = stored[choose(x->c, 4)];
    s->type2 = s->type == T_B8 ? T_B16 : s->type;
    choose_place(x, s, space_bytes[s->space], types[s->type].bits / 8);
    s->from[1] = choose_register(x, s->type2);
    choose_guard(x, s);
    *after = *s;
    after->kind = LOAD;
    after->guard = -1;
    after->type = loaded[choose(x->c, 5)];
    unsigned bytes = types[after->type].bits / 8;
    after->mask &= ~(bytes - 1);
    after->offset &= ~(bytes - 1);
    Bank bank = bank_of(after->type);
    after->type2 = bank == BANK_16 ? T_B16 : bank == BANK_32 ? T_B32 : T_B64;
    after->to[0] = choose_target(x, after->type2);
    s->next = after;
    return s;
}

static Statement *make_own_atomic(Context *x)
{
    static const struct { uint8_t operation; uint32_t types; } atomics[] = {
        {SUM_ADD, SET(U32) | SET(S32) | SET(U64)},
        {SUM_ADD, SET(F32) | SET(F64) | SET(F16X2) | SET(BF16X2)},
        {SUM_MIN, SET(U32) | SET(S32) | SET(U64) | SET(S64)},
        {SUM_MAX, SET(U32) | SET(S32) | SET(U64) | SET(S64)},
        {SUM_AND, SET(B32) | SET(B64)}, {SUM_OR, SET(B32) | SET(B64)},
        {SUM_XOR, SET(B32) | SET(B64)}, {SUM_INC, SET(U32)}, {OWN_DEC, SET(U32)},
        {OWN_EXCHANGE, SET(B32) | SET(B64)}, {OWN_CAS, SET(B32) | SET(B64)},
        {OWN_CAS, SET(B32) | SET(B64)},
    };
    Statement *s = new_statement(x, OWN_ATOMIC);
    if (!s) return NULL;
    unsigned which = choose(x->c, sizeof atomics / sizeof *atomics);
    s->mode = atomics[which].operation;
    s->type = choose_type(x->c, atomics[which].types);
    s->space = choose_chance(x->c, 70) ? GLOBAL_OWN : SHARED_OWN;
    s->hint = s->mode == OWN_CAS && choose_chance(x->c, 60);
    choose_place(x, s, space_bytes[s->space], types[s->type].bits / 8);
    s->from[1] = choose_source(x, s->type);
    s->from[2] = choose_source(x, s->type);
    s->to[0] = choose_target(x, s->type);
    choose_guard(x, s);
    return s;
}

Statement *make_atomic(Context *x)
{
    if (choose_chance(x->c, 50)) return make_own_atomic(x);
    Statement *s = new_statement(x, SUM_ATOMIC);
    if (!s) return NULL;
    s->space = choose_chance(x->c, 50) ? GLOBAL_OWN : SHARED_OWN;
    s->mode = choose(x->c, s->space == SHARED_OWN ? BLOCK_SUMS : SUMS);
    s->hint = choose_chance(x->c, 40);
    s->from[1] = choose_source(x, sum_of_word(s->mode).type);
    choose_guard(x, s);
    return s;
}

// ---- between threads ----

Statement *make_exchange(Context *x)
{
    Statement *s = new_statement(x, choose_chance(x->c, 75) ? EXCHANGE : VOTE_BARRIER);
    if (!s) return NULL;
    if (s->kind == VOTE_BARRIER) {
        s->mode = choose(x->c, 3);
        s->from[0] = choose_register(x, T_PRED);
        s->to[0] = choose_target(x, s->mode ? T_PRED : T_B32);
        return s;
    }
    s->space = choose_chance(x->c, 50) ? GLOBAL_OWN : SHARED_OWN;
    s->offset = choose(x->c, MAX_THREADS);
    s->mask = 4 * choose(x->c, OWN_BYTES / 4);
    s->hint = choose_chance(x->c, 40);
    s->mode = choose_chance(x->c, 50) ? s->mask : 4 * choose(x->c, OWN_BYTES / 4);
    s->from[0] = choose_source(x, T_B32);
    s->to[0] = choose_target(x, T_B32);
    return s;
}

Statement *make_warp(Context *x)
{
    static const StatementKind kinds[] = {SHUFFLE, SHUFFLE, VOTE, MATCH, REDUCE, LEADER};
    Statement *s = new_statement(x, kinds[choose(x->c, 6)]);
    if (!s) return NULL;
    Choices *c = x->c;
    s->type = T_B32;
    s->to[0] = choose_target(x, T_B32);
    s->to[1] = choose_target(x, T_PRED);
    s->from[0] = choose_register(x, T_B32);
    switch (s->kind) {
    case SHUFFLE:
        s->mode = choose(c, 4);
        s->mask = 32u >> choose(c, 4); // lanes of a segment
        s->from[1] = choose_chance(c, 60)
                         ? (Source){.is_number = true, .bits = choose(c, 32)}
                         : choose_register(x, T_B32);
        s->has_second = choose_chance(c, 50);
        break;
    case VOTE:
        s->mode = choose(c, 4);
        s->from[0] = choose_register(x, T_PRED);
        s->to[0] = choose_target(x, s->mode < 3 ? T_PRED : T_B32);
        break;
    case MATCH:
        s->mode = choose(c, 2);
        s->type = choose_chance(c, 50) ? T_B32 : T_B64;
        s->from[0] = choose_register(x, s->type);
        s->has_second = s->mode && choose_chance(c, 50);
        break;
    case LEADER: break;
    default: // REDUCE
        s->mode = choose(c, SUM_INC);
        s->type = s->mode >= SUM_AND ? T_B32 : choose_chance(c, 50) ? T_U32 : T_S32;
        break;
    }
    return s;
}
