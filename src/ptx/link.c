// Links files of relocatable PTX: each name that several files share gets one definition.
//
// Every declaration and every body is parsed already, with global names of its own for each file.
// Here a declaration becomes an alias of the definition, as does a definition that is left out. The
// rules follow the PTX ISA (5.7, linking directives) and nvlink: a .visible definition
// takes precedence over .weak ones, and the first .weak one over later ones; of .common variables,
// the largest stays. Definitions that are left out must have the same size or parameters, too.
#include "ptx/internal.h"

#include <stdio.h>

enum { PLACE_TEXT = 384 };

// "a.ptx:12", and for a function with line information also its source line.
static void describe_place(const Parser *p, const Token *at, const FunctionBuilder *b,
                           char text[PLACE_TEXT])
{
    int used = snprintf(text, PLACE_TEXT, "%.160s:%d", text_of(p, at)->path, at->line);
    UOpTiming timing = {0};
    for (size_t i = 0; b && i < b->count && !timing.source_line; i++)
        location_set(p, b->code[i].location, &timing);
    if (timing.source_line)
        snprintf(text + used, PLACE_TEXT - (size_t)used, " (%.160s:%u)",
                 p->files[timing.source_file].name, timing.source_line);
}

// A name that is defined twice. A source line, if known, says more than the line in PTX.
static bool fail_duplicate(Parser *p, const Token *at, const FunctionBuilder *b,
                           const Token *first_at, const FunctionBuilder *first)
{
    char here[PLACE_TEXT], there[PLACE_TEXT];
    describe_place(p, at, b, here);
    describe_place(p, first_at, first, there);
    return ptx_fail(p, at, "'%.*s' is defined twice: in %s, and first in %s: expected one "
                           "definition, or .weak ones", TEXT(at), here, there);
}

static bool fail_mismatch(Parser *p, const Token *at, const char *what, const Token *first)
{
    char there[PLACE_TEXT];
    describe_place(p, first, NULL, there);
    return ptx_fail(p, at, "'%.*s' has another %s in %s: expected the same in all files", TEXT(at),
                    what, there);
}

// ---- functions ----

// Parameters are equal if their layout is, and both are floating point or neither is: nvlink
// compares the same.
static bool same_parameters(const Param *a, const Param *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].p.offset != b[i].p.offset || a[i].p.bytes != b[i].p.bytes ||
            ptx_type_bytes(a[i].p.type) != ptx_type_bytes(b[i].p.type) ||
            type_is_float(a[i].p.type) != type_is_float(b[i].p.type) ||
            a[i].variadic != b[i].variadic)
            return false;
    return true;
}

static bool is_definition(const FunctionBuilder *b) { return b->defined || b->alias; }

// A kernel of another file, whose address is taken, is declared as a function by clang since 15.
static bool may_be_kernel(const FunctionBuilder *b) { return b->f.entry || !is_definition(b); }

static bool same_prototype(const FunctionBuilder *a, const FunctionBuilder *b)
{
    bool same_kind = a->f.entry == b->f.entry || (may_be_kernel(a) && may_be_kernel(b));
    return same_kind && a->param_count == b->param_count &&
           a->result_count == b->result_count &&
           same_parameters(a->params, b->params, a->param_count) &&
           same_parameters(a->results, b->results, a->result_count);
}

// Adds a function to what is known of its name, whose function is *chosen.
static bool unify_function(Parser *p, uint32_t *chosen, uint32_t number)
{
    FunctionBuilder *old = p->builders[*chosen], *b = p->builders[number];
    if (old->left_out && !adopt_signature(p, old, b)) return false;
    if (b->left_out && !adopt_signature(p, b, old)) return false;
    bool first = is_definition(old), again = is_definition(b);
    if (first && again && !old->linkage.weak && !b->linkage.weak)
        return fail_duplicate(p, &b->at, b, &old->at, old);
    if (!same_prototype(old, b))
        return fail_mismatch(p, &b->at, "kind or other parameters", &old->at);
    if (again && (!first || (old->linkage.weak && !b->linkage.weak))) *chosen = number;
    return true;
}

// Makes a function an alias of another one, and forgets its body.
static void leave_out_function(FunctionBuilder *b, uint32_t chosen)
{
    b->alias = chosen + 1;
    b->defined = false;
    b->count = b->use_count = b->constant_count = b->call_count = b->table_count = 0;
    b->f.unusable = NULL;
}

// ---- variables ----

// A declaration without a definition. An extern .shared variable with a size is marked as defined,
// because without other files it would be.
static bool is_reference(const Variable *v) { return v->linkage.external && !v->initial; }

static bool unify_variable(Parser *p, uint32_t *chosen, uint32_t number)
{
    Variable *old = &p->variables[*chosen], *v = &p->variables[number];
    if (v->v.space != old->v.space || v->v.texture != old->v.texture)
        return fail_mismatch(p, &v->at, "space", &old->at);
    bool common = v->linkage.common || old->linkage.common, refers = is_reference(v);
    bool both = !refers && !is_reference(old);
    if (both && !common && !v->linkage.weak && !old->linkage.weak)
        return fail_duplicate(p, &v->at, NULL, &old->at, NULL);
    bool open = v->open || old->open;
    if (v->v.bytes != old->v.bytes && !open && !(common && both))
        return fail_mismatch(p, &v->at, "size", &old->at);
    if (common && both) {
        // A definition that is not common, or has a value, must have room for all.
        bool replaces = old->linkage.common && !old->initial &&
                        (v->initial || !v->linkage.common || v->v.bytes > old->v.bytes);
        const Variable *kept = replaces ? v : old, *other = replaces ? old : v;
        if (other->v.bytes > kept->v.bytes)
            return fail_mismatch(p, &v->at, "size", &old->at);
        if (v->initial && old->initial)
            return fail_duplicate(p, &v->at, NULL, &old->at, NULL);
        if (replaces) *chosen = number;
    } else if (!refers && (is_reference(old) || (old->linkage.weak && !v->linkage.weak))) {
        *chosen = number;
    } else if (refers && old->open && is_reference(old)) {
        *chosen = number; // later declarations are compared with a known size
    }
    uint32_t align = v->v.align > old->v.align ? v->v.align : old->v.align;
    v->v.align = old->v.align = align;
    return true;
}

// ---- names ----

// The names that files share. A name's symbol has the number of its chosen function or variable.
static bool unify(Parser *p, Scope *names, const Token *at, SymbolKind kind, uint32_t number)
{
    Symbol *symbol = scope_find_here(names, at->text, at->length);
    if (!symbol) {
        symbol = scope_add(p, names, at, kind);
        if (symbol) symbol->number = number;
        return symbol != NULL;
    }
    if (symbol->kind != kind)
        return fail_mismatch(p, at, "kind (a function or a variable)", &symbol->at);
    return kind == SYMBOL_FUNCTION ? unify_function(p, &symbol->number, number)
                                   : unify_variable(p, &symbol->number, number);
}

static bool is_shared_name(const Variable *v) { return is_linked(v->linkage) && !v->dynamic; }

static bool unify_all(Parser *p, Scope *names)
{
    for (uint32_t i = 0; i < p->builder_count; i++)
        if (is_linked(p->builders[i]->linkage) &&
            !unify(p, names, &p->builders[i]->at, SYMBOL_FUNCTION, i))
            return false;
    for (uint32_t i = 0; i < p->variable_count; i++)
        if (is_shared_name(&p->variables[i]) &&
            !unify(p, names, &p->variables[i].at, SYMBOL_VARIABLE, i))
            return false;
    return true;
}

static uint32_t chosen_of(const Scope *names, const Token *at)
{
    return scope_find_here(names, at->text, at->length)->number;
}

// ---- replacing what is left out ----

// Gives variables their numbers in the linked module: to[old number].
static void renumber(Parser *p, const uint32_t *to)
{
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        for (size_t k = 0; k < b->use_count; k++) b->uses[k].variable = to[b->uses[k].variable];
        for (size_t k = 0; k < b->constant_count; k++)
            if (constant_is_variable(&b->constants[k]))
                b->constants[k].variable = to[b->constants[k].variable];
    }
    for (size_t i = 0; i < p->initial_count; i++) {
        AddressInitializer *use = &p->address_initializers[i];
        use->in = to[use->in];
        if (!(use->target & CONSTANT_FUNCTION)) use->target = to[use->target];
    }
}

// Removes the variables that are left out, with the addresses in their initialisers.
static bool compact_variables(Parser *p, const Scope *names)
{
    uint32_t *chosen = scratch_new(p, p->variable_count, sizeof *chosen);
    uint32_t *to = scratch_new(p, p->variable_count, sizeof *to);
    if (!chosen || !to) return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        Variable *v = &p->variables[i];
        chosen[i] = is_shared_name(v) ? chosen_of(names, &v->at) : i;
        if (chosen[i] == i) to[i] = kept++;
    }
    size_t initials = 0;
    for (size_t i = 0; i < p->initial_count; i++) {
        AddressInitializer use = p->address_initializers[i];
        if (chosen[use.in] == use.in) p->address_initializers[initials++] = use;
    }
    p->initial_count = initials;
    for (uint32_t i = 0; i < p->variable_count; i++) to[i] = to[chosen[i]];
    renumber(p, to);
    for (uint32_t i = 0; i < p->variable_count; i++) {
        if (chosen[i] != i) continue;
        Variable *v = &p->variables[to[i]];
        *v = p->variables[i];
        if (is_shared_name(v) && is_reference(v)) v->defined = false;
    }
    p->variable_count = kept;
    return true;
}

bool texts_link(Parser *p)
{
    Scope *names = scope_open(p, NULL);
    if (!names || !unify_all(p, names)) return false;
    for (uint32_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        if (!is_linked(b->linkage)) continue;
        uint32_t chosen = chosen_of(names, &b->at);
        if (chosen != i && is_definition(p->builders[chosen])) leave_out_function(b, chosen);
    }
    return compact_variables(p, names);
}
