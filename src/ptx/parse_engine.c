// Parses an instruction that a mechanism adds for its engines (PtxOptions.engines). The opcode with
// all of its modifiers is its name; it has destinations only.
#include "ptx/internal.h"

#include "hooks/engine_instructions.h"

#include <stdio.h>

enum { NAMES_TEXT = 512, OPERANDS_TEXT = 64 };

static const char *name_of(const Parser *p, size_t index)
{
    return engine_instruction(&p->engines->items[index])->name;
}

static bool has_opcode(const char *name, const Token *opcode)
{
    return strcspn(name, ".") == opcode->length && !memcmp(name, opcode->text, opcode->length);
}

bool is_engine(const Parser *p, const Token *opcode)
{
    for (size_t i = 0; p->engines && i < p->engines->count; i++)
        if (has_opcode(name_of(p, i), opcode)) return true;
    return false;
}

void engines_add_nearest(Parser *p, const Token *opcode, Nearest *n)
{
    for (size_t i = 0; p->engines && i < p->engines->count; i++)
        nearest_add(p, opcode, n, name_of(p, i));
}

static bool is_named(const char *name, const Opcode *o)
{
    if (!has_opcode(name, &o->name)) return false;
    name += o->name.length;
    for (unsigned i = 0; i < o->count; i++) {
        if (strncmp(name, o->words[i].text, o->words[i].length) != 0) return false;
        name += o->words[i].length;
    }
    return !*name;
}

// Fails, because the opcode does not have these modifiers, and lists those that it has.
static bool fail_modifiers(Parser *p, const Opcode *o)
{
    char names[NAMES_TEXT] = "";
    for (size_t i = 0; i < p->engines->count; i++) {
        size_t used = strlen(names);
        if (has_opcode(name_of(p, i), &o->name))
            snprintf(names + used, sizeof names - used, "%s%s", used ? "; " : "", name_of(p, i));
    }
    return ptx_fail(p, &o->name, "'%.*s' does not have these modifiers: expected one of: %s",
                    TEXT(&o->name), names);
}

// `what`: "few" or "many".
static bool fail_count(Parser *p, const HdEngineInstruction *engine, const char *what)
{
    char expected[OPERANDS_TEXT];
    bool predicate = engine->registers[0] == 'p';
    size_t words = strlen(engine->registers) - predicate;
    int used = snprintf(expected, sizeof expected, "%s%s", predicate ? "a predicate" : "",
                        predicate && words ? " and " : "");
    if (words)
        snprintf(expected + used, sizeof expected - (size_t)used, "%zu register%s of 32 bits",
                 words, words == 1 ? "" : "s");
    return ptx_fail(p, &p->token, "too %s operands of '%s': expected %s", what, engine->name,
                    expected);
}

// engine = destination ("," destination)*
bool parse_engine(Parser *p, const Opcode *o, Instruction *in)
{
    size_t index = 0;
    while (index < p->engines->count && !is_named(name_of(p, index), o)) index++;
    if (index == p->engines->count) return fail_modifiers(p, o);
    const HdEngineInstruction *engine = engine_instruction(&p->engines->items[index]);
    Value *word = &in->dst[1];
    for (const char *kind = engine->registers; *kind; kind++) {
        if (at_char(p, ';')) return fail_count(p, engine, "few");
        if (kind > engine->registers && !expect_char(p, ',')) return false;
        bool predicate = *kind == 'p';
        if (!parse_register(p, predicate ? PTX_PRED : PTX_B32, false,
                            predicate ? &in->dst[0] : word++, NULL))
            return false;
    }
    if (at_char(p, ',')) return fail_count(p, engine, "many");
    in->op.type = in->op.type2 = PTX_NONE; // what looks like a type is a part of the name
    in->op.space = SPACE_GLOBAL;
    in->op.imm = (int64_t)index;
    return true;
}
