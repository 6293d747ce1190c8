// Parses functions: header, parameters, and the statements of the body.
#include "ptx/internal.h"

#include <string.h>

enum { FRAME_ALIGN = 16 }; // bytes: of each activation's frame parameters and local memory
enum { MAX_PARAMETER_BYTES = 1 << 15 }; // of one parameter, and of all of a kernel

// ---- header ----

// parameter = ".param" declared-type (".ptr" space? (".align" n)?)? NAME dimensions
static bool parse_parameter(Parser *p, Param *param)
{
    DeclaredType type;
    if (at_dot(p, "reg"))
        return ptx_fail(p, &p->token, "a parameter in a register: expected .param parameters, as "
                                      "compilers generate by default");
    if (!accept_dot(p, "param"))
        return ptx_fail(p, &p->token, "'%.*s': expected .param", TEXT(&p->token));
    if (!parse_declared_type(p, &type)) return false;
    if (type.texture)
        return ptx_fail(p, &type.at, "a texture or surface reference as a parameter: expected its "
                                     "object, of type .u64, or a '.global .texref' variable");
    if (accept_dot(p, "ptr")) {
        param->p.pointer = true;
        if (at_dot(p, "global") || at_dot(p, "shared") || at_dot(p, "local") || at_dot(p, "const"))
            lex_next(p);
        int64_t align;
        if (accept_dot(p, "align") &&
            !expect_integer(p, "an alignment", 1, UINT32_MAX, &align))
            return false;
    }
    param->at = p->token;
    if (p->token.kind != TOKEN_NAME)
        return ptx_fail(p, &p->token, "'%.*s': expected the parameter's name", TEXT(&p->token));
    param->p.name = hd_arena_text(&p->module->arena, p->token.text, p->token.length);
    lex_next(p);
    uint64_t count;
    bool open;
    if (!parse_dimensions(p, &count, &open)) return false;
    uint64_t bytes = count * type.elements * ptx_type_bytes(type.type);
    if (open) bytes = 0; // variadic arguments have no place among the parameters
    param->variadic = open;
    if (bytes > MAX_PARAMETER_BYTES)
        return ptx_fail(p, &param->at, "a parameter of %llu bytes: expected at most %d",
                        (unsigned long long)bytes, MAX_PARAMETER_BYTES);
    param->p.type = type.type;
    param->p.bytes = (uint32_t)bytes;
    param->p.align = type.align;
    return param->p.name || ptx_fail(p, &param->at, "out of memory while reading a parameter");
}

bool place_parameters(Parser *p, const Signature *s, uint32_t max)
{
    uint64_t used = 0;
    for (size_t i = 0; i < s->param_count + s->result_count; i++) {
        Param *param = i < s->param_count ? &s->params[i] : &s->results[i - s->param_count];
        uint64_t start = round_up(used, param->p.align);
        used = start + param->p.bytes;
        if (used > max)
            return ptx_fail(p, &param->at, "%llu bytes of parameters and results up to '%s': "
                                           "expected at most %u",
                            (unsigned long long)used, param->p.name, max);
        param->p.offset = (uint32_t)start;
    }
    return true;
}

bool parse_parameters(Parser *p, Param **params, size_t *count, bool variadic)
{
    size_t capacity = 0;
    *params = NULL;
    *count = 0;
    if (!expect_char(p, '(')) return false;
    while (!at_char(p, ')')) {
        Param param = {0};
        if (*count && !expect_char(p, ',')) return false;
        if (!parse_parameter(p, &param) || !PUSH(p, *params, *count, capacity, param)) return false;
        if (param.variadic && !(variadic && at_char(p, ')')))
            return ptx_fail(p, &param.at, "'%s' has no size: expected one, except for the last "
                                          "parameter of a .func", param.p.name);
    }
    return expect_char(p, ')');
}

// ---- declarations and definitions of one name ----

static bool same_layout(const Param *a, const Param *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].p.offset != b[i].p.offset || a[i].p.bytes != b[i].p.bytes ||
            a[i].variadic != b[i].variadic)
            return false;
    return true;
}

bool same_signature(const Signature *a, const Signature *b)
{
    return a->param_count == b->param_count && a->result_count == b->result_count &&
           same_layout(a->params, b->params, a->param_count) &&
           same_layout(a->results, b->results, a->result_count);
}

static FunctionBuilder *builder_of_name(Parser *p, const Token *name, bool entry)
{
    Symbol *symbol = scope_find_here(p->globals, name->text, name->length);
    if (symbol && symbol->kind == SYMBOL_FUNCTION) return p->builders[symbol->number];
    symbol = scope_add(p, p->globals, name, SYMBOL_FUNCTION);
    FunctionBuilder *b = symbol ? scratch_new(p, 1, sizeof *b) : NULL;
    if (!b) return NULL;
    symbol->number = (uint32_t)p->builder_count;
    b->f.name = symbol->name;
    b->f.entry = entry;
    b->f.path = p->path;
    b->f.line = name->line;
    b->at = *name;
    b->carry = NO_NUMBER;
    return PUSH(p, p->builders, p->builder_count, p->builder_capacity, b) ? b : NULL;
}

// Checks a declaration or definition against an earlier one. Calls are laid out by the first.
static bool check_again(Parser *p, const FunctionBuilder *b, const Token *name, bool entry,
                        const Signature *s)
{
    Signature earlier = signature_of(b);
    if (b->f.entry != entry)
        return ptx_fail(p, name, "'%s' is declared as a .%s in line %d: expected the same here",
                        b->f.name, b->f.entry ? "entry" : "func", b->at.line);
    if (!same_signature(&earlier, s))
        return ptx_fail(p, name, "'%s' is declared with other parameters or results in line %d: "
                                 "expected the same sizes and alignments", b->f.name, b->at.line);
    return true;
}

// Gives the placed parameters and results their names in the body, if this is one.
static bool declare_parameters(Parser *p, FunctionBuilder *b)
{
    uint32_t used = 0;
    for (size_t i = 0; i < b->param_count + b->result_count; i++) {
        const Param *param = i < b->param_count ? &b->params[i] : &b->results[i - b->param_count];
        used = param->p.offset + param->p.bytes;
        if (b->f.entry) b->f.param_bytes = used;
        else b->param_used = used;
        if (!p->builder) continue;
        Symbol *symbol = scope_add(p, p->scope, &param->at,
                                   b->f.entry ? SYMBOL_PARAM
                                   : param->variadic ? SYMBOL_LOCAL
                                                     : SYMBOL_FRAME_PARAM);
        if (!symbol) return false;
        symbol->type = param->p.type;
        symbol->offset = param->p.offset;
        symbol->bytes = param->p.bytes;
        if (param->variadic) { // at the start of the function's .local memory
            symbol->offset = 0;
            symbol->bytes = b->local_used = b->f.local_bytes = PTX_VARIADIC_BYTES;
            symbol->variadic = true;
        }
    }
    if (!b->f.entry) {
        const Param *last = b->param_count ? &b->params[b->param_count - 1] : NULL;
        b->f.param_bytes = last ? last->p.offset + last->p.bytes : 0;
        b->f.frame_param_bytes = (uint32_t)round_up(used, FRAME_ALIGN);
    }
    return true;
}

// ---- statements ----

enum { MAX_REGISTERS = 1 << 20 }; // of one range

// registers = ".reg" type NAME ("<" n ">")? ("," ...)* ";"
static bool parse_registers(Parser *p)
{
    Token type_word = p->token;
    PtxType type = type_of_word(&type_word);
    if (!type)
        return ptx_fail(p, &type_word,
                        "registers of type '%.*s': expected .pred, or .b .u .s .f of 8 "
                        "to 64 bits",
                        TEXT(&type_word));
    lex_next(p);
    do {
        Token name = p->token;
        if (name.kind != TOKEN_NAME)
            return ptx_fail(p, &name, "'%.*s': expected a register's name", TEXT(&name));
        lex_next(p);
        int64_t count = 0;
        Symbol *symbol;
        if (accept_char(p, '<')) {
            if (!expect_integer(p, "a number of registers", 0, MAX_REGISTERS, &count))
                return false;
            if (!expect_char(p, '>')) return false;
            symbol = scope_add_range(p, p->scope, &name, (uint32_t)count);
        } else {
            symbol = scope_add(p, p->scope, &name, SYMBOL_REGISTER);
        }
        if (!symbol) return false;
        symbol->type = type;
    } while (accept_char(p, ','));
    return expect_char(p, ';');
}

// label = NAME ":" (branchtargets | callprototype | calltargets)?
static bool parse_label(Parser *p, const Token *name)
{
    lex_next(p);
    if (accept_dot(p, "branchtargets")) return parse_branchtargets(p, name);
    if (accept_dot(p, "callprototype")) return parse_callprototype(p, name);
    if (accept_dot(p, "calltargets")) return parse_calltargets(p, name);
    if (!mark_expect_none(p, "a label")) return false;
    Symbol *symbol = scope_add(p, p->scope, name, SYMBOL_LABEL);
    if (!symbol) return false;
    symbol->number = (uint32_t)p->builder->count;
    return true;
}

// statement = directive | label | ("@" "!"? PREDICATE)? instruction | ";"
static bool parse_statement(Parser *p)
{
    if (accept_char(p, ';')) return true;
    if (accept_dot(p, "reg")) return parse_registers(p);
    if (accept_dot(p, "loc")) return parse_location(p);
    if (at_dot(p, "pragma")) return parse_pragma(p);
    if (at_dot(p, "file")) return parse_file(p);
    static const struct {
        const char *word;
        PtxSpace space;
    } spaces[] = {{"local", SPACE_LOCAL}, {"shared", SPACE_SHARED}, {"param", SPACE_FRAME_PARAM},
                  {"global", SPACE_GLOBAL}, {"const", SPACE_CONST}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (accept_dot(p, spaces[i].word))
            return parse_variables(p, spaces[i].space, (Linkage){0});
    Token guard = p->token;
    Value value = VALUE_NONE;
    bool negated = false, guarded = accept_char(p, '@');
    if (guarded && !parse_predicate_source(p, &value, &negated)) return false;
    Token name = p->token;
    if (name.kind != TOKEN_NAME)
        return ptx_fail(p, &name, guarded ? "'%.*s': expected an instruction after the guard"
                                  : name.kind == TOKEN_END
                                      ? "the file ends inside a function: expected '}'"
                                      : "'%.*s': expected a statement", TEXT(&name));
    lex_next(p);
    if (!guarded && at_char(p, ':')) return parse_label(p, &name);
    return parse_instruction(p, &name, guarded ? &guard : NULL, negated, value);
}

// Opens the scope of a block in braces.
static bool open_block(Parser *p)
{
    if (++p->depth > MAX_DEPTH)
        return ptx_fail(p, &p->token, "expected at most %d nested blocks", MAX_DEPTH);
    Scope *scope = scope_open(p, p->scope);
    if (!scope) return false;
    scope->fixups = p->builder->fixup_count;
    scope->param_mark = p->builder->param_used;
    p->scope = scope;
    return expect_char(p, '{');
}

static bool close_scope(Parser *p)
{
    const Scope *scope = p->scope;
    if (!resolve_labels(p, scope)) return false;
    // The argument areas of consecutive calls overlap.
    p->builder->param_used = scope->param_mark;
    p->scope = scope->parent;
    return true;
}

// body = (statement | "{" body "}")*
// Parses up to the "}" of the function. p->scope lists the open blocks, so nesting needs no stack.
static bool parse_body(Parser *p)
{
    const Scope *outermost = p->scope;
    for (;;) {
        bool ok;
        if (at_char(p, '{')) {
            ok = open_block(p);
        } else if (at_char(p, '}')) {
            bool last = p->scope == outermost;
            ok = close_scope(p);
            if (last) return ok;
            p->depth--;
            ok = ok && expect_char(p, '}');
        } else {
            ok = parse_statement(p);
        }
        if (!ok) return false;
    }
}

// Appends a control instruction that is not in the text.
static bool add_ending(Parser *p, FunctionBuilder *b, const Token *at, UopCode code,
                       const char *source)
{
    Instruction in = instruction_start(code, at);
    in.source = source;
    in.op.class = CLASS_CONTROL;
    if (code == UOP_RET && !stack_restore(p, b, &in)) return false;
    return instruction_add(p, b, &in);
}

// Appends a ret if control can reach the function's end.
static bool add_final_return(Parser *p, const Token *at)
{
    FunctionBuilder *b = p->builder;
    const Instruction *last = b->count ? &b->code[b->count - 1] : NULL;
    bool leaves = last && last->guard == VALUE_NONE &&
                  (last->op.code == UOP_RET || last->op.code == UOP_EXIT ||
                   last->op.code == UOP_TRAP || last->op.code == UOP_BRA ||
                   last->op.code == UOP_BRX);
    bool targeted = false;
    for (size_t i = 0; i < b->count && !targeted; i++)
        targeted = b->code[i].op.code == UOP_BRA && b->code[i].op.target == b->count;
    for (size_t i = 0; i < b->table_count; i++)
        for (uint32_t j = 0; j < b->tables[i].count; j++)
            targeted |= b->tables[i].targets[j] == b->count;
    if (leaves && !targeted) return true;
    return add_ending(p, b, at, UOP_RET, "ret; // implied by the end");
}

static bool parse_code(Parser *p, FunctionBuilder *b)
{
    Token body = p->token;
    b->defined = true;
    b->stack = VALUE_NONE;
    b->f.line = b->at.line;
    p->builder = b;
    p->location = 0;
    p->marked = false;
    p->scope = scope_open(p, p->globals);
    if (!p->scope || !declare_parameters(p, b) || !expect_char(p, '{')) return false;
    p->scope->param_mark = b->param_used;
    if (!stack_save(p, b, &body) || !parse_body(p) ||
        !mark_expect_none(p, "the end of the function"))
        return false;
    Token end = p->token;
    bool ok = add_final_return(p, &end) && expect_char(p, '}') && function_finish(p, b);
    p->builder = NULL;
    return ok;
}

// Makes the body of a function a trap, and skips its text. The builder has only what other
// functions need to know.
static bool replace_by_trap(Parser *p, FunctionBuilder *b, const LexPlace *body)
{
    *b = (FunctionBuilder){.f = {.name = b->f.name, .entry = b->f.entry, .line = b->f.line,
                                 .path = b->f.path, .unusable = b->f.unusable},
                           .at = b->at, .linkage = b->linkage, .defined = true,
                           .left_out = b->left_out,
                           .address_taken = b->address_taken, .carry = NO_NUMBER,
                           .stack = VALUE_NONE, .params = b->params, .param_count = b->param_count,
                           .results = b->results, .result_count = b->result_count};
    p->builder = NULL;
    p->scope = p->globals;
    p->depth = 0;
    lex_return(p, body);
    return declare_parameters(p, b) &&
           add_ending(p, b, &body->token, UOP_TRAP, "trap; // left out") && skip_braces(p) &&
           function_finish(p, b);
}

// What stands in front of a function's body.
typedef struct Header {
    Signature signature;
    Token name;
    PtxFunction given; // by directives
} Header;

// header = attribute? parameters? NAME parameters? directives
// A kernel has no results in front of its name.
static bool parse_header(Parser *p, bool entry, Header *h)
{
    Signature *s = &h->signature;
    if (!skip_attribute(p)) return false;
    if (!entry && at_char(p, '(') && !parse_parameters(p, &s->results, &s->result_count, false))
        return false;
    h->name = p->token;
    if (h->name.kind != TOKEN_NAME)
        return ptx_fail(p, &h->name, "'%.*s': expected the function's name", TEXT(&h->name));
    lex_next(p);
    return (!at_char(p, '(') || parse_parameters(p, &s->params, &s->param_count, !entry)) &&
           place_parameters(p, s, entry ? MAX_PARAMETER_BYTES : MAX_FRAME_BYTES) &&
           parse_directives(p, &h->given);
}

// After an error in a function's header, in lenient parsing: makes the function unusable, if its
// name and its end are found. `start`: behind .entry or .func.
static bool leave_out(Parser *p, bool entry, Linkage linkage, const LexPlace *start)
{
    if (!p->lenient || p->out_of_memory) return false;
    const HdError why = *p->err;
    lex_return(p, start);
    skip_attribute(p);
    if (!entry) skip_parentheses(p);
    Token name = p->token;
    while (!at_char(p, '{') && !at_char(p, ';') && p->token.kind > TOKEN_ERROR) lex_next(p);
    LexPlace end = lex_place(p);
    if (name.kind != TOKEN_NAME || end.token.kind <= TOKEN_ERROR) return false;
    p->failed = p->err->set = false;
    FunctionBuilder *b = builder_of_name(p, &name, entry);
    if (!b) return false;
    bool body = at_char(p, '{'), fresh = b->at.text == name.text;
    if (b->defined || b->alias || b->f.entry != entry)
        return body && b->defined && linkage.weak ? skip_braces(p) : ptx_fail_again(p, why.text);
    if (!ptx_mark_unusable(p->module, &b->f, why.text)) return false;
    b->left_out |= fresh;
    b->linkage.visible |= linkage.visible;
    b->linkage.external |= linkage.external;
    b->linkage.weak = linkage.weak;
    return body ? replace_by_trap(p, b, &end) : expect_char(p, ';');
}

bool adopt_signature(Parser *p, FunctionBuilder *b, const FunctionBuilder *declared)
{
    b->left_out = false;
    b->params = declared->params;
    b->param_count = declared->param_count;
    b->results = declared->results;
    b->result_count = declared->result_count;
    return declare_parameters(p, b);
}

// function = (".entry" | ".func") header (";" | body)
bool parse_function(Parser *p, bool entry, Linkage linkage)
{
    Header h = {0};
    LexPlace start = lex_place(p);
    if (!parse_header(p, entry, &h)) return leave_out(p, entry, linkage, &start);
    FunctionBuilder *b = builder_of_name(p, &h.name, entry);
    if (!b) return false;
    bool fresh = b->at.text == h.name.text || (b->left_out && !b->defined);
    if (!fresh && !b->left_out && !check_again(p, b, &h.name, entry, &h.signature)) return false;
    bool body = at_char(p, '{');
    if (body && b->alias)
        return ptx_fail(p, &h.name, "'%s' has a body, but is an alias since line %d: expected one "
                                    "of them", b->f.name, b->alias_at.line);
    if (body && b->defined && !linkage.weak)
        return ptx_fail(p, &h.name, "'%s' is already defined in line %d", b->f.name, b->at.line);
    if (body && b->defined) return skip_braces(p);
    b->linkage.visible |= linkage.visible;
    b->linkage.external |= linkage.external;
    if (body || fresh) {
        b->left_out = false;
        b->f.unusable = NULL;
        b->linkage.weak = linkage.weak;
        b->at = h.name;
        b->params = h.signature.params;
        b->param_count = h.signature.param_count;
        b->results = h.signature.results;
        b->result_count = h.signature.result_count;
        memcpy(b->f.max_threads, h.given.max_threads, sizeof h.given.max_threads);
        memcpy(b->f.required_threads, h.given.required_threads, sizeof h.given.required_threads);
        b->f.min_blocks = h.given.min_blocks;
        b->f.max_registers = h.given.max_registers;
    }
    if (!body) return declare_parameters(p, b) && expect_char(p, ';');
    LexPlace at_body = lex_place(p);
    return parse_code(p, b) || (tolerate_failure(p, &b->f) && replace_by_trap(p, b, &at_body));
}
