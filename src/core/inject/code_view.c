// Describes the instructions and loops of a launch to mechanisms.
#include "core/inject/code_view.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- instructions ----

static bool is_integer(unsigned type)
{
    return type == PTX_U32 || type == PTX_S32 || type == PTX_B32 || type == PTX_U64 ||
           type == PTX_S64 || type == PTX_B64;
}

// What narrow loads load, of which addresses may be computed.
static bool is_narrow_integer(unsigned type)
{
    return type == PTX_U8 || type == PTX_S8 || type == PTX_U16 || type == PTX_S16;
}

static HdOpcode opcode_of(const UOp *op)
{
    if (op->flags & (UF_CC_IN | UF_CC_OUT | UF_SAT)) return HD_OP_OTHER;
    bool integer = is_integer(op->type);
    switch (op->code) {
    case UOP_ADD: return integer ? HD_OP_ADD : HD_OP_OTHER;
    case UOP_SUB: return integer ? HD_OP_SUB : HD_OP_OTHER;
    case UOP_MUL_LO: return integer ? HD_OP_MUL : HD_OP_OTHER;
    case UOP_MUL_WIDE: return integer || is_narrow_integer(op->type) ? HD_OP_MUL : HD_OP_OTHER;
    case UOP_MAD_LO: return integer ? HD_OP_MAD : HD_OP_OTHER;
    case UOP_MAD_WIDE: return integer || is_narrow_integer(op->type) ? HD_OP_MAD : HD_OP_OTHER;
    case UOP_SHL: return integer ? HD_OP_SHIFT_LEFT : HD_OP_OTHER;
    case UOP_MOV:
    case UOP_CVTA: return integer && op->vec <= 1 ? HD_OP_COPY : HD_OP_OTHER;
    case UOP_CVT: {
        bool from_integer = is_integer(op->type2) || is_narrow_integer(op->type2);
        return integer && from_integer ? HD_OP_COPY : HD_OP_OTHER;
    }
    case UOP_LD: {
        bool plain = op->space == SPACE_GLOBAL && op->vec <= 1 && !(op->flags & UF_VOLATILE);
        return plain ? HD_OP_LOAD : HD_OP_OTHER;
    }
    case UOP_SETP: {
        bool plain = integer && op->modifier <= CMP_HS && !(op->flags & UF_BOOL_MASK);
        return plain ? HD_OP_COMPARE : HD_OP_OTHER;
    }
    case UOP_BRA: return HD_OP_BRANCH;
    default: return HD_OP_OTHER;
    }
}

static void set_compare(HdInstruction *in, const UOp *op)
{
    static const uint8_t compares[] = {
        [CMP_EQ] = HD_EQ, [CMP_NE] = HD_NE, [CMP_LT] = HD_LT, [CMP_LE] = HD_LE, [CMP_GT] = HD_GT,
        [CMP_GE] = HD_GE, [CMP_LO] = HD_LT, [CMP_LS] = HD_LE, [CMP_HI] = HD_GT, [CMP_HS] = HD_GE};
    in->compare = compares[op->modifier];
    in->is_signed = op->modifier < CMP_LO && (op->type == PTX_S32 || op->type == PTX_S64);
}

static HdOperand predicate(Operand number)
{
    if (number == OPERAND_NONE || number & OPERAND_CONST) return (HdOperand){0};
    return (HdOperand){.kind = HD_PREDICATE, .number = number};
}

static HdOperand operand(const PtxFunction *f, Operand o, OperandShape shape)
{
    if (shape.kind == OPERAND_PREDICATE) return predicate(o);
    if (shape.kind != OPERAND_SLOTS || o == OPERAND_NONE) return (HdOperand){0};
    HdOperand seen = {.kind = HD_REGISTER, .bytes = (uint8_t)(4 * shape.slots), .number = o};
    if (!(o & OPERAND_CONST)) return seen;
    const uint32_t *words = f->constants + (size_t)(o & ~OPERAND_CONST) * HD_MAX_LANES;
    seen.kind = HD_CONSTANT;
    seen.number = 0;
    if (seen.bytes == 8) memcpy(&seen.value, words, sizeof seen.value);
    else seen.value = (int32_t)words[0];
    return seen;
}

static HdInstruction describe(const PtxFunction *f, uint32_t index, uint32_t pc)
{
    const UOp *op = &f->ops[index];
    HdInstruction in = {.pc = pc, .opcode = (uint8_t)opcode_of(op), .negated = op->guard_negated,
                        .guard = predicate(op->guard),
                        .destination = operand(f, op->dst[0], uop_write(op, 0))};
    if (in.opcode == HD_OP_BRANCH) in.target = pc - index + op->target;
    if (in.opcode == HD_OP_OTHER || in.opcode == HD_OP_BRANCH) return in;
    for (unsigned i = 0; i < HD_SOURCES; i++)
        in.source[i] = operand(f, op->src[i], uop_read(op, i));
    if (in.opcode == HD_OP_COMPARE) set_compare(&in, op);
    if (in.opcode != HD_OP_LOAD) return in;
    in.read_only = op->flags & UF_NC;
    in.offset = op->imm;
    return in;
}

// ---- a launch ----

void code_view_free(CodeView *view)
{
    free(view->instructions);
    free(view->loop_of);
    free(view->verified);
    free(view->loops);
    free(view->loop_pcs);
    *view = (CodeView){0};
}

static void show_loop(CodeView *view, const PtxLoop *loop, uint32_t base, uint32_t *pcs)
{
    bool tested = loop->test != PTX_NO_TEST;
    for (uint32_t i = 0; i < loop->count; i++) pcs[i] = base + loop->instructions[i];
    view->loops[view->loop_count++] = (HdLoop){
        .header = base + loop->header, .closing = base + loop->closing, .instructions = pcs,
        .always = loop->always, .count = loop->count, .test = tested ? base + loop->test : HD_NO_PC,
        .update = tested ? base + loop->update : HD_NO_PC, .index = loop->index,
        .step = loop->step, .continues = loop->continues};
}

// Calls show_loop for the loops of all functions, or counts them and their instructions.
static void visit_loops(CodeView *view, const SmLaunch *launch, bool show, size_t *loops,
                        size_t *instructions)
{
    *loops = *instructions = 0;
    for (size_t i = 0; i < launch->module->function_count; i++) {
        const PtxFunction *f = &launch->module->functions[i];
        uint32_t base = launch->pc_base[i];
        if (base < view->first_pc || base >= view->end_pc) continue;
        for (uint32_t at = 0; show && f->loop_of && at < f->op_count; at++)
            if (f->loop_of[at])
                view->loop_of[base - view->first_pc + at] = f->loop_of[at] + (uint32_t)*loops;
        for (uint32_t k = 0; k < f->loop_count; k++) {
            if (show) show_loop(view, &f->loops[k], base, view->loop_pcs + *instructions);
            *instructions += f->loops[k].count;
        }
        *loops += f->loop_count;
    }
}

bool code_view_set(CodeView *view, const SmLaunch *launch)
{
    if (view->module == launch->module && view->first_pc == launch->first_pc &&
        view->end_pc == launch->end_pc)
        return true;
    code_view_free(view);
    size_t count = launch->end_pc - launch->first_pc, loops, instructions;
    view->first_pc = launch->first_pc;
    view->end_pc = launch->end_pc;
    visit_loops(view, launch, false, &loops, &instructions);
    view->instructions = hd_new(count, sizeof *view->instructions);
    view->loop_of = hd_new(count, sizeof *view->loop_of);
    view->verified = hd_new(count, sizeof *view->verified);
    view->loops = hd_new(loops + 1, sizeof *view->loops);
    view->loop_pcs = hd_new(instructions + 1, sizeof *view->loop_pcs);
    if (!view->instructions || !view->loop_of || !view->verified || !view->loops ||
        !view->loop_pcs)
        return false;
    visit_loops(view, launch, true, &loops, &instructions);
    for (size_t i = 0; i < launch->module->function_count; i++) {
        const PtxFunction *f = &launch->module->functions[i];
        uint32_t base = launch->pc_base[i];
        if (base < view->first_pc || base >= view->end_pc) continue;
        for (uint32_t at = 0; at < f->op_count; at++)
            view->instructions[base - view->first_pc + at] = describe(f, at, base + at);
    }
    view->module = launch->module;
    return true;
}

const HdInstruction *code_view_instruction(const CodeView *view, uint32_t pc)
{
    bool shown = view->module && pc >= view->first_pc && pc < view->end_pc;
    return shown ? &view->instructions[pc - view->first_pc] : NULL;
}

bool code_view_loop(const CodeView *view, uint32_t pc, HdLoop *loop)
{
    if (!code_view_instruction(view, pc)) return false;
    uint32_t number = view->loop_of[pc - view->first_pc];
    if (number) *loop = view->loops[number - 1];
    return number;
}
