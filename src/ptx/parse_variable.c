// Parses variables: types, dimensions, initialisers.
#include "ptx/internal.h"

#include <string.h>

#define MAX_ELEMENTS INT64_C(0xffffffff) // of a variable

// declared-type = (".align" n | ".attribute" "(" ... ")" | ".v2" | ".v4")* TYPE
bool parse_declared_type(Parser *p, DeclaredType *type)
{
    *type = (DeclaredType){.elements = 1};
    for (;;) {
        if (accept_dot(p, "align")) {
            Token at = p->token;
            if (at.kind != TOKEN_INTEGER || !is_power_of_two(at.value) || at.value > MAX_ALIGN)
                return ptx_fail(p, &at,
                                "an alignment of '%.*s': expected a power of two up to %d",
                                TEXT(&at), MAX_ALIGN);
            type->align = (uint32_t)at.value;
            lex_next(p);
        } else if (at_dot(p, "attribute")) { // .managed: all guest memory is shared with the host
            if (!skip_attribute(p)) return false;
        } else if (at_dot(p, "v2") || at_dot(p, "v4")) {
            type->elements = (uint32_t)(p->token.text[2] - '0');
            lex_next(p);
        } else {
            break;
        }
    }
    type->at = p->token;
    type->type = p->token.kind == TOKEN_DOT ? type_of_word(&p->token) : PTX_NONE;
    if (at_dot(p, "samplerref"))
        return ptx_fail(p, &p->token,
                        "samplers are not supported: use a texture object or a texture "
                        "reference");
    type->texture = accept_dot(p, "texref") || accept_dot(p, "surfref");
    if (type->texture) type->type = PTX_B64;
    if (!type->type || type->type == PTX_PRED)
        return ptx_fail(p, &p->token, "'%.*s': expected a type of 8 to 64 bits, .b .u .s or .f",
                        TEXT(&p->token));
    if (!type->texture) lex_next(p);
    uint32_t natural = ptx_type_bytes(type->type) * type->elements;
    if (!type->align) type->align = natural;
    return true;
}

bool parse_dimensions(Parser *p, uint64_t *count, bool *open)
{
    *count = 1;
    *open = false;
    for (bool first = true; accept_char(p, '['); first = false) {
        Token at = p->token;
        int64_t n = 1;
        if (first && at_char(p, ']')) *open = true;
        else if (!expect_integer(p, "a number of elements", 0, MAX_ELEMENTS, &n)) return false;
        *count *= (uint64_t)n;
        if (*count > MAX_ELEMENTS)
            return ptx_fail(p, &at, "%llu elements in all: expected at most %lld",
                            (unsigned long long)*count, (long long)MAX_ELEMENTS);
        if (!expect_char(p, ']')) return false;
    }
    return true;
}

// ---- initialisers ----

typedef struct Initializer {
    uint32_t variable;
    uint8_t *bytes;
    size_t count, capacity; // bytes
    PtxType type;
} Initializer;

static bool initial_put(Parser *p, Initializer *i, uint64_t bits)
{
    unsigned size = ptx_type_bytes(i->type);
    for (unsigned k = 0; k < size; k++)
        if (!PUSH(p, i->bytes, i->count, i->capacity, (uint8_t)(bits >> 8 * k))) return false;
    return true;
}

// address = NAME ("+" n)? | "generic" "(" NAME ("+" n)? ")" ("+" n)?
static bool parse_initial_address(Parser *p, Initializer *i, unsigned shift)
{
    AddressInitializer use = {.in = i->variable, .at = (uint32_t)i->count, .shift = (uint8_t)shift,
                              .bytes = (uint8_t)ptx_type_bytes(i->type)};
    use.generic = at_name(p, "generic");
    if (use.generic) {
        lex_next(p);
        if (!expect_char(p, '(')) return false;
    }
    use.name = p->token;
    if (use.name.kind != TOKEN_NAME)
        return ptx_fail(p, &p->token, "'%.*s': expected a number or a variable's name",
                        TEXT(&p->token));
    lex_next(p);
    for (int addends = 0; addends < 2; addends++) {
        int64_t addend;
        if (!accept_offset(p, &addend)) return false;
        use.addend += addend;
        if (addends == 0 && use.generic && !expect_char(p, ')')) return false;
    }
    return PUSH(p, p->address_initializers, p->initial_count, p->initial_capacity, use) &&
           initial_put(p, i, 0);
}

// masked = MASK "(" address ")"
// The bytes of an address that the mask selects, as in 0xFF00(x).
static bool parse_masked_address(Parser *p, Initializer *i, const Token *mask)
{
    unsigned bits = 8 * ptx_type_bytes(i->type);
    unsigned shift = mask->value ? (unsigned)__builtin_ctzll(mask->value) : 0;
    if (bits >= 64 || shift % bits || mask->value >> shift != (UINT64_C(1) << bits) - 1)
        return ptx_fail(p, mask, "'%.*s': expected a mask that selects one .%s of an address",
                        TEXT(mask), ptx_type_name(i->type));
    return expect_char(p, '(') && parse_initial_address(p, i, shift) && expect_char(p, ')');
}

// number = "-"? (INTEGER | FLOAT | DOUBLE) | masked
static bool parse_initial_number(Parser *p, Initializer *i)
{
    bool negative = accept_char(p, '-');
    Token t = p->token;
    uint64_t bits = t.value;
    unsigned bytes = ptx_type_bytes(i->type);
    if (t.kind == TOKEN_INTEGER && !type_is_float(i->type)) {
        if (negative) bits = 0 - bits;
    } else if (t.kind == TOKEN_FLOAT && bytes == 4) {
        if (negative) bits ^= UINT64_C(1) << 31;
    } else if (t.kind == TOKEN_DOUBLE && bytes >= 4) {
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        if (negative) wide = -wide;
        float narrow = (float)wide;
        uint32_t word;
        memcpy(&word, &narrow, sizeof word);
        memcpy(&bits, &wide, sizeof wide);
        if (bytes == 4) bits = word;
    } else {
        return ptx_fail(p, &t, "'%.*s': expected a number of type .%s", TEXT(&t),
                        ptx_type_name(i->type));
    }
    lex_next(p);
    if (t.kind == TOKEN_INTEGER && at_char(p, '(')) return parse_masked_address(p, i, &t);
    return initial_put(p, i, bits);
}

// value = number | address
static bool parse_initial_value(Parser *p, Initializer *i)
{
    if (p->token.kind != TOKEN_NAME) return parse_initial_number(p, i);
    if (ptx_type_bytes(i->type) != 8)
        return ptx_fail(p, &p->token, "an address in an initialiser of type .%s: expected 64 bits",
                        ptx_type_name(i->type));
    return parse_initial_address(p, i, 0);
}

// initialiser = "{" (initialiser ("," initialiser)*)? "}" | value
// Counts the open braces, so that nesting needs no stack.
static bool parse_initialiser(Parser *p, Initializer *i)
{
    unsigned depth = 0;
    for (;;) {
        if (accept_char(p, '{')) {
            if (++depth > MAX_DEPTH)
                return ptx_fail(p, &p->last, "expected at most %d nested braces", MAX_DEPTH);
            continue;
        }
        if (!(depth && at_char(p, '}')) && !parse_initial_value(p, i)) return false;
        while (depth && !accept_char(p, ',')) {
            if (!expect_char(p, '}')) return false;
            depth--;
        }
        if (!depth) return true;
    }
}

// ---- declarations ----

// Finds the variable that was declared extern and is defined here, or adds a new one, without type.
static Variable *variable_of_name(Parser *p, const Token *name, PtxSpace space, bool texture,
                                  uint32_t *index)
{
    Scope *scope = p->builder ? p->scope : p->globals;
    Symbol *symbol = scope_find_here(scope, name->text, name->length);
    if (symbol && symbol->kind == SYMBOL_VARIABLE) {
        Variable *old = &p->variables[symbol->number];
        *index = symbol->number;
        if (old->v.space == space && old->v.texture == texture && !old->defined) return old;
    }
    symbol = scope_add(p, scope, name, SYMBOL_VARIABLE);
    if (!symbol) return NULL;
    *index = symbol->number = (uint32_t)p->variable_count;
    Variable v = {.v = {.name = symbol->name, .space = space, .texture = texture,
                        .path = p->path, .line = name->line},
                  .at = *name};
    if (!PUSH(p, p->variables, p->variable_count, p->variable_capacity, v)) return NULL;
    return &p->variables[*index];
}

// Parses "=" and an initialiser. *bytes: the variable's size; if it is open, the values give it.
static bool parse_initial_values(Parser *p, Variable *v, const Token *name, bool open,
                                 uint64_t *bytes)
{
    if (v->v.space == SPACE_SHARED)
        return ptx_fail(p, &p->token, "an initialiser of .shared memory: expected none");
    if (v->linkage.external)
        return ptx_fail(p, &p->token, "an initialiser of '%s', which is .extern: expected it at "
                                   "the definition", v->v.name);
    Initializer initial = {.variable = (uint32_t)(v - p->variables), .type = v->type};
    lex_next(p);
    if (!parse_initialiser(p, &initial)) return false;
    if (open) *bytes = initial.count;
    if (initial.count > *bytes)
        return ptx_fail(p, name, "the initialiser of '%s' has %zu bytes: expected at most %llu",
                        v->v.name, initial.count, (unsigned long long)*bytes);
    v->initial = module_new(p, initial.count);
    if (!v->initial) return false;
    if (initial.count) memcpy(v->initial, initial.bytes, initial.count);
    v->v.initial = v->initial;
    v->v.initial_bytes = initial.count;
    return true;
}

// Gives an open declaration the size that an earlier one has. Other sizes must agree with it.
static bool check_size(Parser *p, const Variable *earlier, const Token *name, bool open,
                       uint64_t *bytes)
{
    if (!earlier->type || earlier->open) return true;
    if (open) *bytes = earlier->v.bytes;
    return *bytes == earlier->v.bytes ||
           ptx_fail(p, name, "'%s' has %llu bytes: expected %llu, as it is declared in line %d",
                    earlier->v.name, (unsigned long long)*bytes,
                    (unsigned long long)earlier->v.bytes, earlier->v.line);
}

static bool declare_variable(Parser *p, PtxSpace space, Linkage linkage, const DeclaredType *type,
                             const Token *name)
{
    uint64_t count;
    bool open;
    uint32_t index;
    if (!parse_dimensions(p, &count, &open)) return false;
    Variable *v = variable_of_name(p, name, space, false, &index);
    if (!v) return false;
    const Variable earlier = *v;
    uint64_t bytes = open ? 0 : count * type->elements * ptx_type_bytes(type->type);
    v->type = type->type;
    v->v.align = type->align > earlier.v.align ? type->align : earlier.v.align;
    v->dynamic = open && space == SPACE_SHARED;
    v->linkage = linkage;
    // ptxas ignores extern of a sized shared variable if it links no other file.
    v->defined = !linkage.external || space == SPACE_SHARED;
    v->v.external = v->dynamic;
    bool initialised = at_char(p, '=');
    if (!open || initialised) v->v.line = name->line;
    if (initialised && !parse_initial_values(p, v, name, open, &bytes)) return false;
    if (open && !initialised && !v->dynamic && !linkage.external)
        return ptx_fail(p, name, "'%s': expected a number of elements or an initialiser",
                        v->v.name);
    if (!check_size(p, &earlier, name, open && !initialised, &bytes)) return false;
    v->v.bytes = bytes;
    v->open = open && linkage.external && !bytes;
    return true;
}

// texture = NAME
// Declares a texture reference: a variable whose address is a handle.
static bool declare_texture(Parser *p, PtxSpace space, Linkage linkage, const Token *name)
{
    uint32_t index;
    if (space != SPACE_GLOBAL || at_char(p, '[') || at_char(p, '='))
        return ptx_fail(p, name,
                        "a bad texture reference: expected a single .global variable without "
                        "an initialiser");
    Variable *v = variable_of_name(p, name, space, true, &index);
    if (!v) return false;
    v->type = PTX_B64;
    v->v.align = ptx_type_bytes(PTX_B64);
    v->linkage = linkage;
    v->defined = !linkage.external;
    return true;
}

// Declares a .local or .param variable of a function, which is in the function's frame.
static bool declare_place(Parser *p, PtxSpace space, const DeclaredType *type, const Token *name)
{
    FunctionBuilder *b = p->builder;
    uint64_t count;
    bool open;
    if (!parse_dimensions(p, &count, &open)) return false;
    uint64_t bytes = count * type->elements * ptx_type_bytes(type->type);
    bool local = space == SPACE_LOCAL;
    uint32_t *used = local ? &b->local_used : &b->param_used;
    uint64_t start = round_up(*used, type->align), end = start + bytes;
    if (open || end > MAX_FRAME_BYTES)
        return ptx_fail(p, name, "%llu bytes of .%s variables: expected a size of at most 16 MiB",
                        (unsigned long long)end, local ? "local" : "param");
    Symbol *symbol = scope_add(p, p->scope, name, local ? SYMBOL_LOCAL : SYMBOL_FRAME_PARAM);
    if (!symbol) return false;
    symbol->type = type->type;
    symbol->offset = start;
    symbol->bytes = bytes;
    *used = (uint32_t)end;
    uint32_t *total = local ? &b->f.local_bytes : &b->f.frame_param_bytes;
    uint32_t rounded = (uint32_t)round_up(end, 16); // an activation's frame starts aligned
    if (rounded > *total) *total = rounded;
    return true;
}

// variables = declared-type NAME dimensions ("=" initialiser)? ("," NAME ...)* ";"
bool parse_variables(Parser *p, PtxSpace space, Linkage linkage)
{
    DeclaredType type;
    if (!parse_declared_type(p, &type)) return false;
    do {
        Token name = p->token;
        if (name.kind != TOKEN_NAME)
            return ptx_fail(p, &name, "'%.*s': expected a variable's name", TEXT(&name));
        lex_next(p);
        bool place = space == SPACE_LOCAL || space == SPACE_FRAME_PARAM;
        if (type.texture     ? !declare_texture(p, space, linkage, &name)
            : place          ? !declare_place(p, space, &type, &name)
                             : !declare_variable(p, space, linkage, &type, &name))
            return false;
    } while (accept_char(p, ','));
    return expect_char(p, ';');
}
