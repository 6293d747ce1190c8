// Parses the top level of a PTX file: directives, variables, functions.
#include "ptx/internal.h"

#include "base/text.h"

#include <string.h>

// Reads a number of at most three digits, which ends at `end`. false: there is none.
static bool read_digits(const char *s, const char *end, int *number)
{
    *number = 0;
    if (s == end || end - s > 3) return false;
    for (; s < end && text_is_digit(*s); s++) *number = *number * 10 + *s - '0';
    return s == end;
}

// version = ".version" MAJOR.MINOR, which the lexer reads as one number
static bool parse_version(Parser *p)
{
    const Token *t = &p->token;
    const char *dot = memchr(t->text, '.', t->length);
    int major, minor;
    if (t->kind != TOKEN_DOUBLE || !dot || !read_digits(t->text, dot, &major) ||
        !read_digits(dot + 1, t->text + t->length, &minor))
        return ptx_fail(p, t, "'%.*s': expected a version like 7.5", TEXT(t));
    p->versioned = true;
    lex_next(p);
    PtxModule *m = p->module; // of several texts, the newest version counts
    if (major < m->version_major || (major == m->version_major && minor < m->version_minor))
        return true;
    m->version_major = major;
    m->version_minor = minor;
    return true;
}

// The number of an architecture: 75 of "sm_75" and of "sm_75a"; 0: it has none, or more than four
// digits.
static unsigned architecture_of(const char *target, size_t length)
{
    unsigned number = 0;
    for (size_t i = 0; i < length && number < 10000; i++)
        if (text_is_digit(target[i])) number = number * 10 + (unsigned)(target[i] - '0');
    return number < 10000 ? number : 0;
}

// target = ".target" NAME ("," NAME)*
// The first name is the architecture. Of several texts, the newest counts.
static bool parse_target(Parser *p)
{
    const char **target = &p->module->target;
    for (bool first = true; first || accept_char(p, ','); first = false) {
        const Token *t = &p->token;
        unsigned number = architecture_of(t->text, t->length);
        if (t->kind != TOKEN_NAME || (first && !number))
            return ptx_fail(p, t, "'%.*s': expected a target like sm_75", TEXT(t));
        if (first && (!*target || number > architecture_of(*target, strlen(*target)))) {
            *target = hd_arena_text(&p->module->arena, t->text, t->length);
            if (!*target) return ptx_fail(p, t, "out of memory while reading a target");
        }
        lex_next(p);
    }
    return true;
}

static bool parse_address_size(Parser *p)
{
    Token at = p->token;
    int64_t bits;
    if (!expect_integer(p, "32 or 64", INT64_MIN, INT64_MAX, &bits)) return false;
    if (bits != 64)
        return ptx_fail(p, &at, "%lld-bit addresses: expected 64; compile with -m64",
                        (long long)bits);
    return true;
}

// section = ".section" NAME "{" ... "}"
// Skips debug information.
static bool parse_section(Parser *p)
{
    lex_next(p);
    if (p->token.kind == TOKEN_DOT || p->token.kind == TOKEN_NAME) lex_next(p);
    return skip_braces(p);
}

// Skips a line of old debug information, which begins with "@@DWARF".
static bool skip_dwarf_line(Parser *p)
{
    int line = p->token.line;
    while (p->token.line == line && p->token.kind > TOKEN_ERROR) lex_next(p);
    return !p->failed;
}

static FunctionBuilder *parse_function_name(Parser *p, uint32_t *number)
{
    const Token *t = &p->token;
    const Symbol *symbol =
        t->kind == TOKEN_NAME ? scope_find(p->globals, t->text, t->length) : NULL;
    if (!symbol || symbol->kind != SYMBOL_FUNCTION || p->builders[symbol->number]->f.entry) {
        ptx_fail(p, t, "'%.*s': expected a function declared in front of this alias", TEXT(t));
        return NULL;
    }
    *number = symbol->number;
    lex_next(p);
    return p->builders[symbol->number];
}

// alias = ".alias" FUNCTION "," FUNCTION ";"
// The first, which has no body, becomes another name of the second, which has one in this text.
static bool parse_alias(Parser *p)
{
    Token at = p->token;
    uint32_t number;
    FunctionBuilder *b = parse_function_name(p, &number);
    const FunctionBuilder *is = b && expect_char(p, ',') ? parse_function_name(p, &number) : NULL;
    if (!is) return false;
    if (b->defined)
        return ptx_fail(p, &at, "an alias '%s' with a body: expected a declaration only",
                        b->f.name);
    if (b->alias)
        return ptx_fail(p, &at, "'%s' is an alias since line %d: expected one .alias for a name",
                        b->f.name, b->alias_at.line);
    if (b == is)
        return ptx_fail(p, &at, "'%s' is an alias of itself: expected another function", b->f.name);
    Signature own = signature_of(b), aliased = signature_of(is);
    if (!same_signature(&own, &aliased))
        return ptx_fail(p, &at, "'%s' is an alias of '%s', which has other parameters or results "
                                "in line %d: expected the same",
                        b->f.name, is->f.name, is->at.line);
    b->alias = number + 1;
    b->alias_at = at;
    return expect_char(p, ';');
}

// Checks that each function of this text of which there is an alias has a body.
static bool check_aliases(Parser *p, size_t first)
{
    for (size_t i = first; i < p->builder_count; i++) {
        const FunctionBuilder *b = p->builders[i];
        if (!b->alias || p->builders[b->alias - 1]->defined) continue;
        return ptx_fail(p, &b->alias_at, "'%s' is an alias of '%s', which has no body: expected a "
                                         "function with a body in this file",
                        b->f.name, p->builders[b->alias - 1]->f.name);
    }
    return true;
}

// declaration = linkage* (".global" | ".const" | ".shared" variables | ".entry" | ".func" function)
static bool parse_declaration(Parser *p)
{
    Linkage linkage = {0};
    for (;;) {
        if (accept_dot(p, "extern")) linkage.external = true;
        else if (accept_dot(p, "visible")) linkage.visible = true;
        else if (accept_dot(p, "weak")) linkage.weak = true;
        else if (accept_dot(p, "common")) linkage.common = true;
        else break;
    }
    if (accept_dot(p, "global")) return parse_variables(p, SPACE_GLOBAL, linkage);
    if (accept_dot(p, "const")) return parse_variables(p, SPACE_CONST, linkage);
    if (accept_dot(p, "shared")) return parse_variables(p, SPACE_SHARED, linkage);
    if (accept_dot(p, "entry")) return parse_function(p, true, linkage);
    if (accept_dot(p, "func")) return parse_function(p, false, linkage);
    if (at_dot(p, "tex"))
        return ptx_fail(p, &p->token, "'%.*s' is not supported: expected '.global .texref'",
                        TEXT(&p->token));
    return ptx_fail(p, &p->token, "'%.*s': expected a variable or a function", TEXT(&p->token));
}

// Finds the variables and functions whose addresses are in initialisers of this text.
static void find_targets(Parser *p, size_t first)
{
    for (size_t i = first; i < p->initial_count; i++) {
        AddressInitializer *use = &p->address_initializers[i];
        const Symbol *symbol = scope_find(p->globals, use->name.text, use->name.length);
        use->target = !symbol                            ? NO_NUMBER
                      : symbol->kind == SYMBOL_VARIABLE ? symbol->number
                      : symbol->kind == SYMBOL_FUNCTION ? CONSTANT_FUNCTION | symbol->number
                                                        : NO_NUMBER;
    }
}

// module = (directive | declaration)*
bool parse_module(Parser *p)
{
    size_t initials = p->initial_count, builders = p->builder_count;
    p->versioned = false;
    while (p->token.kind != TOKEN_END) {
        bool ok;
        if (accept_dot(p, "version")) ok = parse_version(p);
        else if (accept_dot(p, "target")) ok = parse_target(p);
        else if (accept_dot(p, "address_size")) ok = parse_address_size(p);
        else if (at_dot(p, "file")) ok = parse_file(p);
        else if (at_dot(p, "pragma")) ok = parse_pragma(p);
        else if (accept_dot(p, "alias")) ok = parse_alias(p);
        else if (at_dot(p, "section")) ok = parse_section(p);
        else if (at_char(p, '@')) ok = skip_dwarf_line(p);
        else if (at_char(p, ';')) ok = expect_char(p, ';');
        else ok = parse_declaration(p);
        if (!ok) return false;
    }
    if (!p->versioned)
        return ptx_fail(p, &p->token,
                        "no .version in the file: expected PTX, which begins with it");
    find_targets(p, initials);
    return check_aliases(p, builders);
}
