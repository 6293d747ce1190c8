// Writes micro-ops as text, by what uops.def says of them.
#include "ptx/internal.h"
#include "ptx/verify.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct Text {
    char *to;
    size_t size, used;
} Text;

__attribute__((format(printf, 2, 3)))
static void put(Text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = number_format_list(t->to + t->used, t->size - t->used, format, args);
    va_end(args);
    t->used += length < 0 ? 0 : (size_t)length;
    if (t->used >= t->size) t->used = t->size - 1;
}

// ---- modifiers ----

static const char *const modifiers[UOP_MODIFIERS][CMP_NAN + 2] = {
    [MODIFIER_COMPARE] = {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                          "ltu", "leu", "gtu", "geu", "num", "nan"},
    [MODIFIER_ATOM] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"},
    [MODIFIER_SHFL] = {"up", "down", "bfly", "idx"},
    [MODIFIER_VOTE] = {"all", "any", "uni", "ballot"},
    [MODIFIER_MATCH] = {"any", "all"},
    [MODIFIER_PRMT] = {"index", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"},
    [MODIFIER_TEST] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"},
    [MODIFIER_BAR] = {"sync", "arrive", "red.popc", "red.and", "red.or"},
    [MODIFIER_FENCE] = {"cta", "gpu", "sys"},
    [MODIFIER_SHAPE] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"},
    [MODIFIER_VIDEO] = {"add", "sub", "avrg", "absdiff", "min", "max", "set", "shl", "shr", "mad"},
    [MODIFIER_SYSTEM] = {"printf", "assert", "malloc", "free"},
};

static void put_name(Text *t, const UOp *op)
{
    static const char *const spaces[] = {
        [SPACE_GLOBAL] = ".global", [SPACE_SHARED] = ".shared", [SPACE_LOCAL] = ".local",
        [SPACE_CONST] = ".const", [SPACE_PARAM] = ".param", [SPACE_FRAME_PARAM] = ".frame"};
    const UopInfo *info = &uop_infos[op->code];
    unsigned count = uop_modifier_count(info->modifier);
    put(t, "%s", info->name);
    if (info->control == CONTROL_MEMORY && op->space <= SPACE_FRAME_PARAM && spaces[op->space])
        put(t, "%s", spaces[op->space]);
    bool named = count <= CMP_NAN + 1 && op->modifier < count;
    if (named && modifiers[info->modifier][op->modifier])
        put(t, ".%s", modifiers[info->modifier][op->modifier]);
    else if (info->modifier != MODIFIER_NONE)
        put(t, ".%u", op->modifier);
    if (op->vec != 1) put(t, ".v%u", op->vec);
    if (op->type) put(t, ".%s", ptx_type_name((PtxType)op->type));
    if (op->type2) put(t, ".%s", ptx_type_name((PtxType)op->type2));
}

// ---- operands ----

static void put_operand(Text *t, Operand o, OperandShape shape)
{
    bool constant = o & OPERAND_CONST;
    unsigned at = o & ~OPERAND_CONST;
    if (o == OPERAND_NONE) put(t, "_");
    else if (shape.kind == OPERAND_PREDICATE && constant && at < 2) put(t, at ? "true" : "false");
    else if (shape.kind == OPERAND_PREDICATE) put(t, "p%u", at);
    else if (shape.slots == 2) put(t, "%c%u:%u", constant ? 'c' : 's', at, at + 1);
    else put(t, "%c%u", constant ? 'c' : 's', at);
}

// The address register plus the offset, in brackets.
static void put_address(Text *t, const UOp *op, OperandShape shape)
{
    put(t, "[");
    if (op->src[0] != OPERAND_NONE) put_operand(t, op->src[0], shape);
    if (op->src[0] == OPERAND_NONE || op->imm) put(t, "%+lld", (long long)op->imm);
    put(t, "]");
}

// Operands that the operation has, or that are set although it has none.
static unsigned put_operands(Text *t, const UOp *op, bool writes)
{
    unsigned shown = 0;
    for (unsigned i = 0; i < (writes ? 4 : 5); i++) {
        OperandShape shape = writes ? uop_write(op, i) : uop_read(op, i);
        Operand o = writes ? op->dst[i] : op->src[i];
        bool address = !writes && !i && uop_infos[op->code].reads[0] == '[';
        if (o == OPERAND_NONE && !address && (shape.kind == OPERAND_UNUSED || !writes)) continue;
        put(t, shown++ ? ", " : " ");
        if (address) put_address(t, op, shape);
        else put_operand(t, o, shape);
    }
    return shown;
}

static void put_number(Text *t, const UOp *op)
{
    static const OperandShape word = {OPERAND_SLOTS, 1, false};
    switch (uop_infos[op->code].imm) {
    case IMM_SPECIAL: put(t, ", special %lld", (long long)op->imm); break;
    case IMM_TABLE: put(t, ", table %lld", (long long)op->imm); break;
    case IMM_CALL: put(t, ", site %lld", (long long)op->imm); break;
    case IMM_ENGINE: put(t, ", instruction %lld", (long long)op->imm); break;
    case IMM_SURFACE:
        for (unsigned i = 0; i < texture_coordinates(surface_shape(op)) && i < SURFACE_COORDINATES;
             i++) {
            put(t, ", ");
            put_operand(t, surface_coordinate(op, i), word);
        }
        break;
    case IMM_NONE: case IMM_OFFSET: break;
    case IMM_NUMBER: case IMM_ALIGNMENT: case IMM_VIDEO:
        if (op->imm) put(t, ", 0x%llx", (unsigned long long)op->imm);
    }
    if (op->code == UOP_BRA) put(t, " -> %u", op->target);
    if (op->code == UOP_CALL) put(t, ", function %u", op->target);
}

void ptx_disassemble(const PtxFunction *function, uint32_t index, char *text, size_t size)
{
    UOp shown = function->ops[index], *op = &shown;
    Text t = {text, size, 0};
    text[0] = 0;
    if (op->type >= PTX_TYPES) op->type = PTX_NONE;
    if (op->type2 >= PTX_TYPES) op->type2 = PTX_NONE;
    if (op->guard != OPERAND_NONE) {
        put(&t, op->guard_negated ? "@!" : "@");
        put_operand(&t, op->guard, (OperandShape){OPERAND_PREDICATE, 0, true});
        put(&t, " ");
    }
    if (op->code >= UOP_CODES) {
        put(&t, "code %u", op->code);
        return;
    }
    put_name(&t, op);
    if (put_operands(&t, op, true) && uop_infos[op->code].reads[0]) put(&t, " =");
    put_operands(&t, op, false);
    put_number(&t, op);
}
