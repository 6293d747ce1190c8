// alloca: a function frees its thread's stack memory when it returns, but the text has no
// instruction for this. So an instruction at its start saves the stack pointer, and one in front of
// each return restores it.
#include "ptx/internal.h"

// Looks ahead, behind the "{" of a body: whether the body contains alloca.
static bool allocates(Parser *p)
{
    LexPlace start = lex_place(p);
    bool found = false;
    for (unsigned depth = 1; depth && !found && p->token.kind > TOKEN_ERROR; lex_next(p)) {
        found = at_name(p, "alloca");
        depth += at_char(p, '{');
        depth -= at_char(p, '}');
    }
    lex_return(p, &start);
    return found;
}

static Instruction instruction(UopCode code, const Token *at, const char *source)
{
    Instruction in = instruction_start(code, at);
    in.source = source;
    in.op.type = PTX_U64;
    in.op.class = CLASS_MOVE;
    return in;
}

bool stack_save(Parser *p, FunctionBuilder *b, const Token *body)
{
    b->f.allocates = p->may_allocate && allocates(p);
    if (!b->f.allocates || b->f.entry) return true; // a thread's stack ends with its kernel
    Instruction in = instruction(UOP_STACKSAVE, body, "stacksave.u64 ?; // implied by alloca");
    if (!register_new(p, PTX_U64, body, &b->stack)) return false;
    in.dst[0] = b->stack;
    return instruction_add(p, b, &in);
}

bool stack_restore(Parser *p, FunctionBuilder *b, const Instruction *ret)
{
    if (b->stack == VALUE_NONE) return true;
    Instruction in =
        instruction(UOP_STACKRESTORE, &ret->at, "stackrestore.u64 ?; // implied by ret");
    in.guard = ret->guard;
    in.op.guard_negated = ret->op.guard_negated;
    in.src[0] = b->stack;
    return instruction_add(p, b, &in);
}
