// Symbol tables: nested scopes, and ranges of registers (%r<46>).
#include "ptx/internal.h"

#include "base/hash.h"
#include "base/text.h"

#include <string.h>

enum { SCOPE_START = 32, RANGE_NAME = 256 };

Scope *scope_open(Parser *p, Scope *parent)
{
    Scope *scope = scratch_new(p, 1, sizeof *scope);
    if (!scope) return NULL;
    scope->parent = parent;
    scope->size = SCOPE_START;
    scope->table = scratch_new(p, scope->size, sizeof *scope->table);
    return scope->table ? scope : NULL;
}

// The table entry of the name, or the empty entry where it belongs.
static Symbol **scope_place(const Scope *scope, const char *text, size_t length)
{
    size_t mask = scope->size - 1, i = hash_bytes(HASH_START, text, length) & mask;
    while (scope->table[i]) {
        const char *name = scope->table[i]->name;
        if (!strncmp(name, text, length) && !name[length]) break;
        i = (i + 1) & mask;
    }
    return &scope->table[i];
}

Symbol *scope_find_here(const Scope *scope, const char *text, size_t length)
{
    return *scope_place(scope, text, length);
}

Symbol *scope_find(const Scope *scope, const char *text, size_t length)
{
    Symbol *symbol = NULL;
    for (; scope && !symbol; scope = scope->parent) symbol = scope_find_here(scope, text, length);
    return symbol;
}

static Symbol *scope_insert(Parser *p, Scope *scope, const Token *at, const char *text,
                            size_t length, SymbolKind kind)
{
    Symbol *old = scope_find_here(scope, text, length);
    if (old) {
        ptx_fail(p, at, "'%.*s' is already declared in line %d", TEXT(at), old->at.line);
        return NULL;
    }
    if (scope->count * 2 >= scope->size) { // rehash into a table of twice the size
        Scope larger = *scope;
        larger.size *= 2;
        larger.table = scratch_new(p, larger.size, sizeof *larger.table);
        if (!larger.table) return NULL;
        for (size_t i = 0; i < scope->size; i++) {
            Symbol *moved = scope->table[i];
            if (moved) *scope_place(&larger, moved->name, strlen(moved->name)) = moved;
        }
        *scope = larger;
    }
    Symbol *symbol = scratch_new(p, 1, sizeof *symbol);
    char *name = module_new(p, length + 1);
    if (!symbol || !name) return NULL;
    memcpy(name, text, length);
    *symbol = (Symbol){.name = name, .kind = kind, .at = *at, .number = NO_NUMBER};
    *scope_place(scope, name, length) = symbol;
    scope->count++;
    return symbol;
}

Symbol *scope_add(Parser *p, Scope *scope, const Token *name, SymbolKind kind)
{
    return scope_insert(p, scope, name, name->text, name->length, kind);
}

Symbol *scope_add_range(Parser *p, Scope *scope, const Token *name, uint32_t count)
{
    char key[RANGE_NAME];
    if (name->length + 2 > sizeof key) {
        ptx_fail(p, name, "a name of %u characters: expected at most %d", name->length,
                 RANGE_NAME - 2);
        return NULL;
    }
    memcpy(key, name->text, name->length);
    key[name->length] = '<';
    Symbol *symbol = scope_insert(p, scope, name, key, name->length + 1, SYMBOL_REGISTERS);
    if (!symbol) return NULL;
    symbol->count = count;
    symbol->numbers = scratch_new(p, count, sizeof *symbol->numbers);
    if (!symbol->numbers) return NULL;
    for (uint32_t i = 0; i < count; i++) symbol->numbers[i] = NO_NUMBER;
    return symbol;
}

// Finds the range of a register: "%r17" is number 17 of the range with the key "%r<". Numbers have
// no leading zeros.
static Symbol *find_range(const Scope *scope, const Token *name, uint32_t *index)
{
    char key[RANGE_NAME];
    uint32_t stem = name->length;
    while (stem && text_is_digit(name->text[stem - 1])) stem--;
    uint32_t digits = name->length - stem;
    if (!digits || digits > 9 || !stem || stem + 2 > RANGE_NAME) return NULL;
    if (digits > 1 && name->text[stem] == '0') return NULL;
    memcpy(key, name->text, stem);
    key[stem] = '<';
    *index = 0;
    for (uint32_t i = stem; i < name->length; i++)
        *index = *index * 10 + (uint32_t)(name->text[i] - '0');
    return scope_find_here(scope, key, stem + 1);
}

Symbol *scope_find_register(const Scope *scope, const Token *name, uint32_t *index)
{
    for (; scope; scope = scope->parent) {
        Symbol *symbol = scope_find_here(scope, name->text, name->length);
        if (symbol) return symbol->kind == SYMBOL_REGISTER ? symbol : NULL;
        symbol = find_range(scope, name, index);
        if (symbol && *index < symbol->count) return symbol;
    }
    return NULL;
}

const Symbol *current_register(const Parser *p)
{
    uint32_t index;
    return p->token.kind == TOKEN_NAME ? scope_find_register(p->scope, &p->token, &index) : NULL;
}

const Symbol *scope_find_range(const Scope *scope, const Token *name)
{
    uint32_t index;
    const Symbol *symbol = NULL;
    for (; scope && !symbol; scope = scope->parent) symbol = find_range(scope, name, &index);
    return symbol;
}

const char *scope_nearest(Parser *p, const Token *name)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    for (const Scope *scope = p->scope; scope; scope = scope->parent)
        for (size_t i = 0; i < scope->size; i++) {
            const Symbol *symbol = scope->table[i];
            if (!symbol || symbol->kind == SYMBOL_REGISTERS) continue;
            if (!PUSH(p, names, count, capacity, symbol->name)) return NULL;
        }
    char *word = scratch_new(p, name->length + 1, 1);
    if (!word) return NULL;
    memcpy(word, name->text, name->length);
    return hd_nearest(word, names, (int)count);
}
