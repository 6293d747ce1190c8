// Parses branches, tables of branch targets, and calls.
#include "ptx/internal.h"

// ---- labels ----

// Parses a label that is resolved at the end of its scope.
static bool add_fixup(Parser *p, Fixup fixup)
{
    FunctionBuilder *b = p->builder;
    if (p->token.kind != TOKEN_NAME)
        return ptx_fail(p, &p->token, "'%.*s': expected a label", TEXT(&p->token));
    fixup.label = p->token;
    fixup.hash = name_hash(p->token.text, p->token.length);
    lex_next(p);
    return PUSH(p, b->fixups, b->fixup_count, b->fixup_capacity, fixup);
}

bool parse_branch_target(Parser *p, Instruction *in)
{
    (void)in;
    return add_fixup(p, (Fixup){.instruction = (uint32_t)p->builder->count});
}

bool resolve_labels(Parser *p, const Scope *scope)
{
    FunctionBuilder *b = p->builder;
    bool outermost = scope->parent == p->globals;
    size_t kept = scope->fixups;
    for (size_t i = scope->fixups; i < b->fixup_count; i++) {
        Fixup *f = &b->fixups[i];
        const Symbol *symbol = scope_find_hashed(scope, f->label.text, f->label.length, f->hash);
        if (symbol && symbol->kind != SYMBOL_LABEL)
            return ptx_fail(p, &f->label, "'%s': expected a label", symbol->name);
        if (!symbol && outermost) {
            const char *near = scope_nearest(p, &f->label);
            return ptx_fail(p, &f->label, "the function has no label '%.*s'%s%s%s",
                            TEXT(&f->label), HD_DID_YOU_MEAN(near));
        }
        if (!symbol) b->fixups[kept++] = *f;
        else if (f->instruction != NO_NUMBER) b->code[f->instruction].op.target = symbol->number;
        else b->tables[f->table].targets[f->entry] = symbol->number;
    }
    b->fixup_count = kept;
    return true;
}

// branchtargets = NAME ":" ".branchtargets" LABEL ("," LABEL)* ";"
bool parse_branchtargets(Parser *p, const Token *name)
{
    FunctionBuilder *b = p->builder;
    Symbol *symbol = scope_add(p, p->scope, name, SYMBOL_TABLE);
    if (!symbol) return false;
    symbol->number = (uint32_t)b->table_count;
    LabelTable table = {.at = *name};
    do {
        if (!add_fixup(p, (Fixup){.instruction = NO_NUMBER, .table = symbol->number,
                                  .entry = table.count}))
            return false;
        table.count++;
    } while (accept_char(p, ','));
    table.targets = module_new(p, table.count * sizeof *table.targets);
    return table.targets && PUSH(p, b->tables, b->table_count, b->table_capacity, table) &&
           expect_char(p, ';');
}

bool parse_branch_table(Parser *p, Instruction *in)
{
    const Symbol *symbol = scope_find(p->scope, p->token.text, p->token.length);
    if (!symbol || symbol->kind != SYMBOL_TABLE)
        return ptx_fail(p, &p->token,
                        "'%.*s': expected the name of a .branchtargets list in front of "
                        "this instruction",
                        TEXT(&p->token));
    in->op.imm = symbol->number;
    lex_next(p);
    return true;
}

// ---- calls ----

enum { MAX_ARGUMENTS = 256 };

// The .param variables that a call passes as arguments, or receives results in.
typedef struct CallNames {
    const Symbol *names[MAX_ARGUMENTS];
    unsigned count;
} CallNames;

// names = "(" (NAME ("," NAME)*)? ")"
static bool parse_names(Parser *p, CallNames *names)
{
    names->count = 0;
    if (!expect_char(p, '(')) return false;
    while (!at_char(p, ')')) {
        if (names->count && !expect_char(p, ',')) return false;
        const Symbol *symbol = p->token.kind == TOKEN_NAME
                                   ? scope_find(p->scope, p->token.text, p->token.length)
                                   : NULL;
        if (!symbol || symbol->kind != SYMBOL_FRAME_PARAM)
            return ptx_fail(p, &p->token,
                            "'%.*s': expected a .param variable as argument or result",
                            TEXT(&p->token));
        if (names->count == MAX_ARGUMENTS)
            return ptx_fail(p, &p->token, "expected at most %d arguments", MAX_ARGUMENTS);
        names->names[names->count++] = symbol;
        lex_next(p);
    }
    return expect_char(p, ')');
}

// Makes the copies between the caller's variables and the callee's parameters or results. NULL: the
// variables do not match.
static const PtxCopy *pair_copies(Parser *p, const Token *callee, const CallNames *names,
                                  const Param *params, size_t param_count, bool result)
{
    if (names->count != param_count) {
        ptx_fail(p, callee, "a call of '%.*s' with %u %s: expected %zu", TEXT(callee), names->count,
                 result ? "results" : "arguments", param_count);
        return NULL;
    }
    PtxCopy *copies = module_new(p, param_count * sizeof *copies);
    for (size_t i = 0; copies && i < param_count; i++) {
        const PtxParam *param = &params[i].p;
        const Symbol *own = names->names[i];
        uint32_t offset = (uint32_t)own->offset;
        if (own->bytes != param->bytes) {
            ptx_fail(p, callee, "'%s' has %u bytes: expected %u, as '%s' of '%.*s' has", own->name,
                     (unsigned)own->bytes, param->bytes, param->name, TEXT(callee));
            return NULL;
        }
        copies[i] = (PtxCopy){.from = result ? param->offset : offset,
                              .to = result ? offset : param->offset,
                              .bytes = param->bytes};
    }
    return copies;
}

// Adds a prototype with a label, for calls through pointers.
static bool add_prototype(Parser *p, const Token *name, Signature signature)
{
    FunctionBuilder *b = p->builder;
    Symbol *symbol = scope_add(p, p->scope, name, SYMBOL_PROTOTYPE);
    if (!symbol) return false;
    symbol->number = (uint32_t)b->prototype_count;
    return PUSH(p, b->prototypes, b->prototype_count, b->prototype_capacity, signature) &&
           expect_char(p, ';');
}

// callprototype = NAME ":" ".callprototype" parameters? "_" parameters? directives ";"
bool parse_callprototype(Parser *p, const Token *name)
{
    Signature s = {0};
    if (at_char(p, '(') && !parse_parameters(p, &s.results, &s.result_count, false))
        return false;
    if (!at_name(p, "_"))
        return ptx_fail(p, &p->token, "'%.*s': expected '_' in place of a function's name",
                        TEXT(&p->token));
    lex_next(p);
    if (at_char(p, '(') && !parse_parameters(p, &s.params, &s.param_count, true))
        return false;
    for (bool ok; parse_abi_directive(p, &ok);)
        if (!ok) return false;
    return place_parameters(p, &s, MAX_FRAME_BYTES) && add_prototype(p, name, s);
}

static bool parse_callee(Parser *p, uint32_t *callee)
{
    const Token *t = &p->token;
    const Symbol *symbol =
        t->kind == TOKEN_NAME ? scope_find(p->globals, t->text, t->length) : NULL;
    if (!symbol || symbol->kind != SYMBOL_FUNCTION)
        return ptx_fail(p, t, "'%.*s': expected a function declared in front of this call",
                        TEXT(t));
    if (p->builders[symbol->number]->f.entry)
        return ptx_fail(p, t, "a call of the kernel '%s': expected a function", symbol->name);
    if (p->builders[symbol->number]->left_out)
        return ptx_fail_again(p, p->builders[symbol->number]->f.unusable);
    *callee = symbol->number;
    lex_next(p);
    return true;
}

// calltargets = NAME ":" ".calltargets" FUNCTION ("," FUNCTION)* ";"
// All functions have the same prototype.
bool parse_calltargets(Parser *p, const Token *name)
{
    uint32_t callee = NO_NUMBER;
    do {
        if (!parse_callee(p, &callee)) return false;
    } while (accept_char(p, ','));
    const FunctionBuilder *b = p->builders[callee];
    return add_prototype(p, name, signature_of(b));
}

// arguments = ("," names)? ("," prototype)?
// prototype = NAME (of a .callprototype or .calltargets)
// `given`: where to store the prototype's signature; NULL: the call has no prototype.
static bool parse_arguments(Parser *p, CallNames *arguments, const Signature **given)
{
    arguments->count = 0;
    bool comma = accept_char(p, ',');
    if (comma && at_char(p, '(')) {
        if (!parse_names(p, arguments)) return false;
        if (!given) return true;
        comma = expect_char(p, ',');
    }
    if (!given) return !comma || expect_char(p, '(');
    if (!comma && !expect_char(p, ',')) return false;
    const Token *t = &p->token;
    const Symbol *symbol =
        t->kind == TOKEN_NAME ? scope_find(p->scope, t->text, t->length) : NULL;
    if (!symbol || symbol->kind != SYMBOL_PROTOTYPE)
        return ptx_fail(p, t, "'%.*s': expected the name of a .callprototype in front of this call "
                              "through a pointer", TEXT(t));
    *given = &p->builder->prototypes[symbol->number];
    lex_next(p);
    return true;
}

static bool add_call(Parser *p, CallSite site, CallNames *arguments, const CallNames *results,
                     const Signature *s)
{
    FunctionBuilder *b = p->builder;
    size_t fixed = s->param_count;
    bool variadic = fixed && s->params[fixed - 1].variadic;
    // A call may leave out the variadic arguments. They are copied apart from the others.
    if (variadic && arguments->count == fixed) {
        const Symbol *given = arguments->names[--arguments->count];
        if (given->bytes > PTX_VARIADIC_BYTES)
            return ptx_fail(p, &site.at, "variadic arguments of %u bytes: expected at most %d",
                            (unsigned)given->bytes, PTX_VARIADIC_BYTES);
        site.copies.variable = (PtxCopy){.from = (uint32_t)given->offset,
                                         .bytes = (uint32_t)given->bytes};
    }
    fixed -= variadic;
    site.copies.argument_count = arguments->count;
    site.copies.result_count = results->count;
    site.copies.arguments = pair_copies(p, &site.at, arguments, s->params, fixed, false);
    if (!site.copies.arguments) return false;
    site.copies.results = pair_copies(p, &site.at, results, s->results, s->result_count, true);
    return site.copies.results && PUSH(p, b->calls, b->call_count, b->call_capacity, site);
}

// call = (names ",")? (FUNCTION ("," names)? | REGISTER ("," names)? "," prototype)
bool parse_call(Parser *p, Instruction *in)
{
    CallNames results, arguments;
    FunctionBuilder *b = p->builder;
    CallSite site = {.callee = NO_NUMBER};
    results.count = 0;
    if (at_char(p, '(') && (!parse_names(p, &results) || !expect_char(p, ','))) return false;
    site.at = p->token;
    // finish.c adds the function's offset in the module's table.
    in->op.imm = (int64_t)b->call_count;
    if (current_register(p)) {
        in->op.code = UOP_CALL_POINTER;
        return parse_register(p, PTX_U64, false, &in->src[0], NULL) &&
               parse_arguments(p, &arguments, &site.signature) &&
               add_call(p, site, &arguments, &results, site.signature);
    }
    if (!parse_callee(p, &site.callee) || !parse_arguments(p, &arguments, NULL)) return false;
    const FunctionBuilder *callee = p->builders[site.callee];
    Signature own = signature_of(callee);
    return add_call(p, site, &arguments, &results, &own);
}
