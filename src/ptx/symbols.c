// Symbol tables: nested scopes, and ranges of registers (%r<46>). They take memory for what the
// text uses, not for what it announces.
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
    return scope;
}

uint64_t name_hash(const char *text, size_t length)
{
    return hash_bytes(HASH_START, text, length);
}

// The table entry of the name, or the empty entry where it belongs. NULL: there is none within
// MAX_PROBES. The scope has a table.
static Symbol **scope_place(const Scope *scope, const char *text, size_t length, uint64_t hash)
{
    for (size_t probe = 0; probe < MAX_PROBES; probe++) {
        Symbol **place = &scope->table[(hash + probe) & (scope->size - 1)];
        if (!*place) return place;
        const char *name = (*place)->name;
        if (!strncmp(name, text, length) && !name[length]) return place;
    }
    return NULL;
}

Symbol *scope_find_hashed(const Scope *scope, const char *text, size_t length, uint64_t hash)
{
    Symbol **place = scope->count ? scope_place(scope, text, length, hash) : NULL;
    return place ? *place : NULL;
}

Symbol *scope_find_here(const Scope *scope, const char *text, size_t length)
{
    return scope_find_hashed(scope, text, length, name_hash(text, length));
}

Symbol *scope_find(const Scope *scope, const char *text, size_t length)
{
    Symbol *symbol = NULL;
    uint64_t hash = name_hash(text, length);
    for (; scope && !symbol; scope = scope->parent)
        symbol = scope_find_hashed(scope, text, length, hash);
    return symbol;
}

bool fail_collision(Parser *p, const Token *at, const char *keys)
{
    return ptx_fail(p, at, "'%.*s' has the hash of too many other %s: expected at most %d",
                    TEXT(at), keys, MAX_PROBES);
}

// Moves the symbols into a table of twice the size.
static bool scope_grow(Parser *p, Scope *scope)
{
    Scope larger = *scope;
    larger.size = scope->size ? scope->size * 2 : SCOPE_START;
    larger.table = scratch_new(p, larger.size, sizeof *larger.table);
    if (!larger.table) return false;
    for (size_t i = 0; i < scope->size; i++) {
        Symbol *moved = scope->table[i];
        if (!moved) continue;
        size_t length = strlen(moved->name);
        Symbol **place = scope_place(&larger, moved->name, length,
                                     name_hash(moved->name, length));
        if (!place) return fail_collision(p, &moved->at, "names");
        *place = moved;
    }
    *scope = larger;
    return true;
}

static Symbol *scope_insert(Parser *p, Scope *scope, const Token *at, const char *text,
                            size_t length, SymbolKind kind)
{
    uint64_t hash = name_hash(text, length);
    Symbol *old = scope_find_hashed(scope, text, length, hash);
    if (old) {
        ptx_fail(p, at, "'%.*s' is already declared in line %d", TEXT(at), old->at.line);
        return NULL;
    }
    if (scope->count * 2 >= scope->size && !scope_grow(p, scope)) return NULL;
    Symbol *symbol = scratch_new(p, 1, sizeof *symbol);
    char *name = module_new(p, length + 1);
    if (!symbol || !name) return NULL;
    memcpy(name, text, length);
    *symbol = (Symbol){.name = name, .kind = kind, .at = *at, .number = NO_NUMBER};
    Symbol **place = scope_place(scope, name, length, hash);
    if (!place) {
        fail_collision(p, at, "names");
        return NULL;
    }
    *place = symbol;
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
    if (symbol) symbol->count = count;
    return symbol;
}

// A register's name as one of a range: "%r17" is number 17 of the range with the key "%r<". Numbers
// have no leading zeros.
typedef struct RangeName {
    char key[RANGE_NAME];
    size_t length; // of the key; 0: no register of a range has this name
    uint64_t hash;
    uint32_t index;
} RangeName;

static void split_name(const Token *name, RangeName *r)
{
    uint32_t stem = name->length;
    while (stem && text_is_digit(name->text[stem - 1])) stem--;
    uint32_t digits = name->length - stem;
    r->length = 0;
    if (!digits || digits > 9 || !stem || stem + 2 > RANGE_NAME) return;
    if (digits > 1 && name->text[stem] == '0') return;
    memcpy(r->key, name->text, stem);
    r->key[stem] = '<';
    r->length = stem + 1;
    r->hash = name_hash(r->key, r->length);
    r->index = 0;
    for (uint32_t i = stem; i < name->length; i++)
        r->index = r->index * 10 + (uint32_t)(name->text[i] - '0');
}

Symbol *scope_find_register(const Scope *scope, const Token *name, uint32_t *index)
{
    uint64_t hash = name_hash(name->text, name->length);
    RangeName range;
    split_name(name, &range);
    *index = range.length ? range.index : 0;
    for (; scope; scope = scope->parent) {
        Symbol *symbol = scope_find_hashed(scope, name->text, name->length, hash);
        if (symbol) return symbol->kind == SYMBOL_REGISTER ? symbol : NULL;
        if (!range.length) continue;
        symbol = scope_find_hashed(scope, range.key, range.length, range.hash);
        if (symbol && range.index < symbol->count) return symbol;
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
    RangeName range;
    const Symbol *symbol = NULL;
    split_name(name, &range);
    for (; range.length && scope && !symbol; scope = scope->parent)
        symbol = scope_find_hashed(scope, range.key, range.length, range.hash);
    return symbol;
}

// ---- the registers of a range that the text uses ----

struct NumberedRegister {
    uint32_t index; // in the range, + 1; 0: the entry is free
    uint32_t number;
};

// The entry of the index, or the free entry where it belongs. Indices mostly follow each other, so
// that they are their own hash.
static struct NumberedRegister *place_of(const Symbol *symbol, uint32_t index)
{
    uint32_t mask = symbol->used_size - 1, i = index & mask;
    while (symbol->used[i].index && symbol->used[i].index != index + 1) i = (i + 1) & mask;
    return &symbol->used[i];
}

static bool grow_used(Parser *p, Symbol *symbol)
{
    Symbol larger = *symbol;
    larger.used_size = symbol->used_size ? symbol->used_size * 2 : 8;
    larger.used = scratch_new(p, larger.used_size, sizeof *larger.used);
    if (!larger.used) return false;
    for (uint32_t i = 0; i < symbol->used_size; i++)
        if (symbol->used[i].index)
            *place_of(&larger, symbol->used[i].index - 1) = symbol->used[i];
    *symbol = larger;
    return true;
}

uint32_t *register_number(Parser *p, Symbol *symbol, uint32_t index)
{
    if (symbol->kind == SYMBOL_REGISTER) return &symbol->number;
    struct NumberedRegister *r = symbol->used_size ? place_of(symbol, index) : NULL;
    if (r && r->index) return &r->number;
    if (symbol->used_count * 2 >= symbol->used_size && !grow_used(p, symbol)) return NULL;
    r = place_of(symbol, index);
    *r = (struct NumberedRegister){index + 1, NO_NUMBER};
    symbol->used_count++;
    return &r->number;
}

// ---- names for messages ----

// Lenient parsing may report an error in each function, so the names that all messages of a module
// are compared with have a maximum.
enum { MAX_COMPARED = 1 << 18, MAX_WORD = 64 };

const char *nearest_end(Parser *p, const Token *name, Nearest *n)
{
    char word[MAX_WORD + 1] = "";
    if (p->compared > MAX_COMPARED || name->length > MAX_WORD) return NULL;
    p->compared += n->count;
    memcpy(word, name->text, name->length);
    return hd_nearest(word, n->names, (int)n->count);
}

void nearest_add(Parser *p, const Token *name, Nearest *n, const char *other)
{
    if (n->count == NEAREST_BATCH) { // keep only the best one so far
        n->names[0] = nearest_end(p, name, n);
        n->count = n->names[0] ? 1 : 0;
    }
    n->names[n->count++] = other;
}

const char *scope_nearest(Parser *p, const Token *name)
{
    Nearest n = {.count = 0};
    for (const Scope *scope = p->scope; scope; scope = scope->parent)
        for (size_t i = 0; i < scope->size && p->compared <= MAX_COMPARED; i++) {
            const Symbol *symbol = scope->table[i];
            if (symbol && symbol->kind != SYMBOL_REGISTERS)
                nearest_add(p, name, &n, symbol->name);
        }
    return nearest_end(p, name, &n);
}
