// Branches, tables of branch targets, and calls.
#include "ptx/internal.h"

// ---- labels ----

static bool wait_for_label(Parser *p, Fixup fixup)
{
    Build *b = p->build;
    if (p->token.kind != TOKEN_WORD)
        return ptx_fail(p, &p->token, "a label is needed here, not '%.*s'", TEXT(&p->token));
    fixup.label = p->token;
    lex_next(p);
    return PUSH(p, b->fixups, b->fixup_count, b->fixup_capacity, fixup);
}

bool parse_branch_target(Parser *p, Instruction *in)
{
    (void)in;
    return wait_for_label(p, (Fixup){.instruction = (uint32_t)p->build->count});
}

bool resolve_labels(Parser *p, Scope *scope)
{
    Build *b = p->build;
    bool outermost = scope->parent == p->globals;
    size_t kept = scope->fixups;
    for (size_t i = scope->fixups; i < b->fixup_count; i++) {
        Fixup *f = &b->fixups[i];
        const Symbol *symbol = scope_find_here(scope, f->label.text, f->label.length);
        if (symbol && symbol->kind != SYMBOL_LABEL)
            return ptx_fail(p, &f->label, "'%s' is not a label", symbol->name);
        if (!symbol && outermost) {
            const char *near = scope_nearest(p, &f->label);
            return ptx_fail(p, &f->label, "there is no label '%.*s' in this function%s%s%s",
                            TEXT(&f->label), near ? "; did you mean '" : "", near ? near : "",
                            near ? "'?" : "");
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
    Build *b = p->build;
    Symbol *symbol = scope_add(p, p->scope, name, SYMBOL_TABLE);
    if (!symbol) return false;
    symbol->number = (uint32_t)b->table_count;
    Table table = {.at = *name};
    do {
        if (!wait_for_label(p, (Fixup){.instruction = NO_NUMBER, .table = symbol->number,
                                       .entry = table.count}))
            return false;
        table.count++;
    } while (accept_char(p, ','));
    table.targets = make(p, table.count * sizeof *table.targets);
    return table.targets && PUSH(p, b->tables, b->table_count, b->table_capacity, table) &&
           expect_char(p, ';');
}

bool parse_branch_table(Parser *p, Instruction *in)
{
    const Symbol *symbol = scope_find(p->scope, p->token.text, p->token.length);
    if (!symbol || symbol->kind != SYMBOL_TABLE)
        return ptx_fail(p, &p->token, "the name of a .branchtargets list in front of this "
                                      "instruction is needed here, not '%.*s'", TEXT(&p->token));
    in->op.imm = symbol->number;
    lex_next(p);
    return true;
}

// ---- calls ----

enum { MAX_ARGUMENTS = 256 };

// The .param variables that a call names.
//
// names = "(" (NAME ("," NAME)*)? ")"
static bool parse_names(Parser *p, const Symbol **names, unsigned *count)
{
    *count = 0;
    if (!expect_char(p, '(')) return false;
    while (!at_char(p, ')')) {
        if (*count && !expect_char(p, ',')) return false;
        const Symbol *symbol = p->token.kind == TOKEN_WORD
                                   ? scope_find(p->scope, p->token.text, p->token.length)
                                   : NULL;
        if (!symbol || symbol->kind != SYMBOL_FRAME_PARAM)
            return ptx_fail(p, &p->token, "arguments and results are passed in .param variables; "
                                          "'%.*s' is none", TEXT(&p->token));
        if (*count == MAX_ARGUMENTS)
            return ptx_fail(p, &p->token, "more than %d arguments", MAX_ARGUMENTS);
        names[(*count)++] = symbol;
        lex_next(p);
    }
    return expect_char(p, ')');
}

// Pairs the caller's variables with the callee's parameters (or results).
static bool pair_copies(Parser *p, const Token *callee, const Symbol **names, unsigned count,
                        const Param *params, size_t param_count, bool result,
                        const PtxCopy **copies)
{
    const char *what = result ? "results" : "arguments";
    if (count != param_count)
        return ptx_fail(p, callee, "'%.*s' has %zu %s, the call gives %u", TEXT(callee),
                        param_count, what, count);
    PtxCopy *made = make(p, count * sizeof *made);
    if (!made) return false;
    for (unsigned i = 0; i < count; i++) {
        const PtxParam *param = &params[i].p;
        uint32_t own = (uint32_t)names[i]->offset;
        if (names[i]->bytes != param->bytes)
            return ptx_fail(p, callee, "'%s' has %u bytes, but '%s' of '%.*s' has %u",
                            names[i]->name, (unsigned)names[i]->bytes, param->name, TEXT(callee),
                            param->bytes);
        made[i] = (PtxCopy){.from = result ? param->offset : own,
                            .to = result ? own : param->offset,
                            .bytes = param->bytes};
    }
    *copies = made;
    return true;
}

static bool parse_callee(Parser *p, uint32_t *callee)
{
    const Token *t = &p->token;
    uint32_t index;
    if (t->kind == TOKEN_WORD && scope_find_register(p->scope, t, &index))
        return ptx_fail(p, t, "calls through pointers are not supported: call the function by "
                              "name, or compile with optimisation so that the call is made direct");
    const Symbol *symbol =
        t->kind == TOKEN_WORD ? scope_find(p->globals, t->text, t->length) : NULL;
    if (!symbol || symbol->kind != SYMBOL_FUNCTION)
        return ptx_fail(p, t, "'%.*s' is not a function declared in front of this call", TEXT(t));
    if (p->builds[symbol->number]->f.entry)
        return ptx_fail(p, t, "'%s' is a kernel: kernels cannot be called", symbol->name);
    *callee = symbol->number;
    lex_next(p);
    return true;
}

// call = (names ",")? FUNCTION ("," names)?
bool parse_call(Parser *p, Instruction *in)
{
    const Symbol *results[MAX_ARGUMENTS], *arguments[MAX_ARGUMENTS];
    unsigned result_count = 0, argument_count = 0;
    Build *b = p->build;
    CallSite site = {.instruction = (uint32_t)b->count};
    if (at_char(p, '(') &&
        (!parse_names(p, results, &result_count) || !expect_char(p, ',')))
        return false;
    site.at = p->token;
    if (!parse_callee(p, &site.callee)) return false;
    if (accept_char(p, ',') && !parse_names(p, arguments, &argument_count)) return false;
    const Build *callee = p->builds[site.callee];
    if (!pair_copies(p, &site.at, arguments, argument_count, callee->params, callee->param_count,
                     false, &site.copies.arguments) ||
        !pair_copies(p, &site.at, results, result_count, callee->results, callee->result_count,
                     true, &site.copies.results))
        return false;
    site.copies.argument_count = argument_count;
    site.copies.result_count = result_count;
    in->op.imm = (int64_t)b->call_count; // in the module's table: finish.c
    return PUSH(p, b->calls, b->call_count, b->call_capacity, site);
}
