// alloca: a function frees its thread's stack memory when it returns, but the text has no
// instruction for this. So an instruction at its start saves the stack pointer, and one in front of
// each return restores it.
#include "ptx/internal.h"

#include <string.h>

// The end of the comment or quoted text that starts here, which may contain braces and the word.
// NULL: neither starts here.
static const char *skip_text(const char *at)
{
    const char *end;
    if (at[0] == '"') end = strchr(at + 1, '"');
    else if (at[0] == '/' && at[1] == '/') return at + strcspn(at, "\n");
    else if (at[0] == '/' && at[1] == '*') end = strstr(at + 2, "*/");
    else return NULL;
    return end ? end + (at[0] == '"' ? 1 : 2) : at + strlen(at);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_$%.", c);
}

// Whether the body that begins with this "{" contains alloca, which is a word of its own:
// .L1::no_allocate is none.
static bool allocates(const Token *body)
{
    static const char opcode[] = "alloca";
    enum { LENGTH = sizeof opcode - 1 };
    unsigned depth = 0;
    for (const char *at = body->text, *end; *at; at++) {
        while ((end = skip_text(at))) at = end;
        bool named = *at == 'a' && !strncmp(at, opcode, LENGTH) && !is_word(at[-1]);
        if (named && (at[LENGTH] == '.' || !is_word(at[LENGTH]))) return true;
        depth += *at == '{';
        depth -= *at == '}';
        if (!depth) return false;
    }
    return false;
}

static bool add(Parser *p, FunctionBuilder *b, Instruction in)
{
    in.op.vec = 1;
    in.op.type = PTX_U64;
    in.op.class = CLASS_MOVE;
    return PUSH(p, b->code, b->count, b->capacity, in);
}

static Instruction instruction(UopCode code, const Token *at, const char *source)
{
    Instruction in = {.at = *at, .guard = VALUE_NONE, .source = source, .op.code = code};
    for (int i = 0; i < 4; i++) in.dst[i] = VALUE_NONE;
    for (int i = 0; i < 5; i++) in.src[i] = VALUE_NONE;
    return in;
}

bool stack_save(Parser *p, FunctionBuilder *b, const Token *body)
{
    b->f.allocates = p->may_allocate && allocates(body);
    if (!b->f.allocates || b->f.entry) return true; // a thread's stack ends with its kernel
    Instruction in = instruction(UOP_STACKSAVE, body, "stacksave.u64 ?; // implied by alloca");
    if (!register_new(p, PTX_U64, body, &b->stack)) return false;
    in.dst[0] = b->stack;
    return add(p, b, in);
}

bool stack_restore(Parser *p, FunctionBuilder *b, const Instruction *ret)
{
    if (b->stack == VALUE_NONE) return true;
    Instruction in =
        instruction(UOP_STACKRESTORE, &ret->at, "stackrestore.u64 ?; // implied by ret");
    in.guard = ret->guard;
    in.op.guard_negated = ret->op.guard_negated;
    in.src[0] = b->stack;
    return add(p, b, in);
}
