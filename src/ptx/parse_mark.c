// Parses pragmas. One of them marks the mov behind it: `.pragma "heddle scalar"` says that the
// source is equal in all lanes that execute the mov together. Drivers ignore pragmas that they do
// not know. It is from heddle_scalar(x) (include/heddle/scalar.h).
//
// A marked mov becomes UOP_SCALAR, or stays a mov if the analysis proves what the mark says.
#include "ptx/internal.h"

#include <stdio.h>

static const char SCALAR_MARK[] = "heddle scalar";

static bool fail_mark(Parser *p, const char *what)
{
    p->marked = false;
    return ptx_fail(p, &p->mark, "\"%s\" in front of %s: expected a mov of 32 or 64 bits from a "
                                 "register or number, without a guard", SCALAR_MARK, what);
}

bool mark_expect_none(Parser *p, const char *what) { return !p->marked || fail_mark(p, what); }

// pragma = ".pragma" STRING ("," STRING)* ";"
bool parse_pragma(Parser *p)
{
    const char *text;
    do {
        lex_next(p);
        Token at = p->token;
        if (!expect_string(p, &text)) return false;
        if (strcmp(text, SCALAR_MARK) != 0) {
            if (strncmp(text, "heddle", 6) != 0) continue; // another tool's
            return ptx_fail(p, &at, "unknown pragma \"%s\": expected \"%s\"", text, SCALAR_MARK);
        }
        if (!mark_expect_none(p, "another mark")) return false;
        p->mark = at;
        p->marked = true;
        if (!p->builder) return fail_mark(p, "no instruction");
    } while (at_char(p, ','));
    return expect_char(p, ';');
}

bool mark_apply(Parser *p, Instruction *in)
{
    PtxType type = (PtxType)in->op.type;
    bool fits = in->op.code == UOP_MOV && ptx_type_bytes(type) >= 4;
    if (!fits || in->guard != VALUE_NONE) {
        char what[64];
        snprintf(what, sizeof what, "'%s'", in->source);
        return fail_mark(p, what);
    }
    p->marked = false;
    in->op.code = UOP_SCALAR;
    return true;
}
