// Verifies the micro-ops of each function, by what uops.def says of them.
#include "ptx/verify_internal.h"

#include "ptx/internal.h"

#include "base/memory.h"
#include "base/number.h"
#include "hooks/engine_instructions.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)OPERAND_NONE == (int)PTX_NO_REGISTER, "one test for both");

enum { WHAT_TEXT = 512, OP_TEXT = 192, MAX_ACCESS = 16 }; // MAX_ACCESS: bytes of a lane

// ---- messages ----

bool verify_fail_op(const Verifier *v, const char *format, ...)
{
    char what[WHAT_TEXT], text[OP_TEXT];
    const PtxFunction *f = v->f;
    const char *source = f->source[v->index] ? f->source[v->index] : "";
    va_list args;
    va_start(args, format);
    number_format_list(what, sizeof what, format, args);
    va_end(args);
    ptx_disassemble(f, v->index, text, sizeof text);
    return hd_fail_at(v->err, f->path, (int)f->timing[v->index].line, 0,
                      "'%.160s' in '%.160s' is the micro-op '%s', %s", source, f->name, text, what);
}

bool verify_fail_function(const Verifier *v, const char *format, ...)
{
    char what[WHAT_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(what, sizeof what, format, args);
    va_end(args);
    return hd_fail_at(v->err, v->f->path, v->f->line, 0, "the function '%.160s' %s", v->f->name,
                      what);
}

static bool fail_limit(const Verifier *v, const char *what, uint64_t value, uint64_t limit)
{
    return verify_fail_op(v, "whose %s is %llu: expected less than %llu", what,
                          (unsigned long long)value, (unsigned long long)limit);
}

// ---- operands ----

static const OperandShape no_operand = {OPERAND_UNUSED, 0, true};

// `name`: "dst[1]"
static bool fail_operand(const Verifier *v, const char *name, Operand o, OperandShape shape,
                         bool write)
{
    const PtxFunction *f = v->f;
    bool constant = o & OPERAND_CONST;
    unsigned at = o & ~OPERAND_CONST, end = constant ? f->constant_slots : f->frame_slots;
    const char *what = constant ? "constant" : "register";
    if (shape.kind == OPERAND_UNTYPED)
        return verify_fail_op(v, "whose type has no values: expected one for %s", name);
    if (shape.kind == OPERAND_UNUSED)
        return verify_fail_op(v, "whose %s is 0x%x: expected none", name, o);
    if (o == OPERAND_NONE)
        return verify_fail_op(v, "which lacks %s: expected %s", name,
                              shape.kind == OPERAND_PREDICATE ? "a predicate" : "a register");
    if (write && constant)
        return verify_fail_op(v, "whose %s is a constant: expected a register", name);
    if (shape.kind == OPERAND_PREDICATE)
        return verify_fail_op(v, "whose %s is predicate %u: expected less than %u", name, at,
                              constant ? 2 : f->frame_predicates);
    if (shape.slots == 1)
        return verify_fail_op(v, "whose %s is %s slot %u: expected less than %u", name, what, at,
                              end);
    return verify_fail_op(v, "whose %s takes %s slots %u and %u: expected less than %u", name, what,
                          at, at + 1, end);
}

static bool fail_element(const Verifier *v, const char *array, unsigned i, Operand o,
                         OperandShape shape, bool write)
{
    char name[32];
    snprintf(name, sizeof name, "%s[%u]", array, i);
    return fail_operand(v, name, o, shape, write);
}

// Whether the operand lies in the frame, or, if it is read, among the constants.
static inline bool operand_fits(const PtxFunction *f, Operand o, OperandShape shape, bool write)
{
    uint32_t slots = f->frame_slots, predicates = f->frame_predicates;
    if (o & OPERAND_CONST) {
        if (o == OPERAND_NONE) return shape.optional && shape.kind != OPERAND_UNTYPED;
        if (write) return false;
        o &= (Operand)~OPERAND_CONST;
        slots = f->constant_slots;
        predicates = 2;
    }
    return shape.kind == OPERAND_SLOTS       ? o + (uint32_t)shape.slots <= slots
           : shape.kind == OPERAND_PREDICATE ? o < predicates
                                             : false;
}

// Traces show a register by its number: the operand must hold a value of its type.
static bool check_name(const Verifier *v, uint16_t number, Operand o)
{
    const PtxFunction *f = v->f;
    if (number >= f->virtual_registers)
        return fail_limit(v, "register number", number, f->virtual_registers);
    PtxType type = f->names[number].type;
    OperandShape shape = {OPERAND_SLOTS, ptx_type_bytes(type) == 8 ? 2 : 1, false};
    if (type == PTX_PRED) shape = (OperandShape){OPERAND_PREDICATE, 0, false};
    return type == PTX_NONE || operand_fits(f, o, shape, true) ||
           verify_fail_op(v, "with the register '%s' in operand 0x%x: expected an operand of type "
                             ".%s in the frame", f->names[number].name, o, ptx_type_name(type));
}

// `letters`: what each operand is, by uops.def; `count`: how many operands there are room for.
static inline bool check_list(const Verifier *v, const UOp *op, const char *letters,
                              const Operand *operands, const uint16_t *names, unsigned count)
{
    bool write = operands == op->dst;
    unsigned i = 0;
    for (; letters[i]; i++) {
        OperandShape shape = uop_operand(op, letters[i], i, write);
        if (!operand_fits(v->f, operands[i], shape, write))
            return fail_element(v, write ? "dst" : "src", i, operands[i], shape, write);
        if (names[i] != PTX_NO_REGISTER && !check_name(v, names[i], operands[i])) return false;
    }
    for (; i < count; i++) {
        if ((operands[i] & names[i]) == OPERAND_NONE) continue; // neither
        if (operands[i] != OPERAND_NONE)
            return fail_element(v, write ? "dst" : "src", i, operands[i], no_operand, write);
        if (!check_name(v, names[i], OPERAND_NONE)) return false;
    }
    return true;
}

static bool check_operands(const Verifier *v, const UOp *op)
{
    static const OperandShape guard = {OPERAND_PREDICATE, 0, true};
    const UopInfo *info = &uop_infos[op->code];
    const PtxOperands *names = &v->f->operands[v->index];
    if (!operand_fits(v->f, op->guard, guard, false))
        return fail_operand(v, "guard", op->guard, guard, false);
    return (names->guard == PTX_NO_REGISTER || check_name(v, names->guard, op->guard)) &&
           check_list(v, op, info->writes, op->dst, names->dst, 4) &&
           check_list(v, op, info->reads, op->src, names->src, 5);
}

// ---- what is not an operand ----

static bool check_kind(const Verifier *v, const UOp *op)
{
    if (op->code >= UOP_CODES) return fail_limit(v, "code", op->code, UOP_CODES);
    const UopInfo *info = &uop_infos[op->code];
    unsigned modifiers = uop_modifier_count(info->modifier);
    if (op->type >= PTX_TYPES) return fail_limit(v, "type", op->type, PTX_TYPES);
    if (op->type2 >= PTX_TYPES) return fail_limit(v, "second type", op->type2, PTX_TYPES);
    if (op->rounding > ROUND_RNA) return fail_limit(v, "rounding", op->rounding, ROUND_RNA + 1);
    if (op->cache > CACHE_WT) return fail_limit(v, "cache operator", op->cache, CACHE_WT + 1);
    if (op->modifier >= modifiers) return fail_limit(v, "modifier", op->modifier, modifiers);
    if (info->modifier == MODIFIER_FIELD && op->modifier != 2 && op->modifier != 4 &&
        op->modifier != 8 && op->modifier != 16)
        return verify_fail_op(v, "whose fields have %u bits: expected 2, 4, 8 or 16", op->modifier);
    OpClass class = uop_class(op);
    return op->class == class || op->class == uop_counted_as(class) ||
           verify_fail_op(v, "whose latency class is %u: expected %u", op->class, class);
}

static bool check_vector(const Verifier *v, const UOp *op)
{
    const UopInfo *info = &uop_infos[op->code];
    bool vector = info->writes[0] == 'V' || (info->reads[0] && info->reads[1] == 'v');
    bool parts = info->writes[0] == 'E' || info->reads[0] == 'e';
    bool texture = info->modifier == MODIFIER_SHAPE, video = info->imm == IMM_VIDEO;
    unsigned bytes = ptx_type_bytes((PtxType)op->type);
    bool two_or_four = op->vec == 2 || op->vec == 4;
    if (texture ? op->vec != 4
        : parts ? !two_or_four
        : vector || video ? !two_or_four && op->vec != 1
                          : op->vec != 1)
        return verify_fail_op(v, "of %u elements: expected %s", op->vec,
                              texture           ? "4"
                              : parts           ? "2 or 4"
                              : vector || video ? "1, 2 or 4"
                                                : "1");
    if (parts && bytes < op->vec)
        return verify_fail_op(v, "of %u elements in %u bytes: expected a byte for each", op->vec,
                              bytes);
    return info->control != CONTROL_MEMORY || bytes * op->vec <= MAX_ACCESS ||
           verify_fail_op(v, "which accesses %u bytes: expected at most %d", bytes * op->vec,
                          MAX_ACCESS);
}

// The space of a memory access, and where the text alone resolves the address, its bounds.
static bool check_address(const Verifier *v, const UOp *op)
{
    const PtxFunction *f = v->f;
    bool atomic = op->class == CLASS_ATOMIC;
    bool global = op->class == CLASS_TEXTURE || op->code == UOP_ENGINE; // without an address
    bool known = op->space >= SPACE_GENERIC && op->space <= SPACE_FRAME_PARAM;
    if (global ? op->space != SPACE_GLOBAL : !known || (atomic && op->space > SPACE_SHARED))
        return verify_fail_op(v, "whose space is %u: expected %s", op->space,
                              global   ? "global memory"
                              : atomic ? "global, shared or generic memory"
                                       : "the space of an access");
    if (global || op->src[0] != OPERAND_NONE) return true;
    // Other addresses are checked as the instruction executes: a number in the text is an address
    // of memory that the launch sizes.
    const char *what;
    uint32_t bytes;
    if (op->space == SPACE_FRAME_PARAM) {
        what = "parameters in the frame";
        bytes = f->frame_param_bytes;
    } else if (op->space == SPACE_PARAM && f->entry) {
        what = "kernel parameters";
        bytes = f->param_bytes;
    } else if (op->space == SPACE_LOCAL && op->flags & UF_FRAME_RELATIVE) {
        what = ".local variables";
        bytes = f->local_bytes;
    } else if (op->space == SPACE_CONST) {
        what = ".const variables";
        bytes = v->module->const_bytes;
    } else {
        return true;
    }
    unsigned size = ptx_type_bytes((PtxType)op->type) * op->vec;
    return (op->imm >= 0 && range_fits((uint64_t)op->imm, size, bytes)) ||
           verify_fail_op(v, "which accesses %u bytes at byte %lld of the %s: expected within %u "
                             "bytes", size, (long long)op->imm, what, bytes);
}

static bool check_video(const Verifier *v, const UOp *op)
{
    enum { SELECTORS = 7 };
    static const uint8_t shifts[] = {VIDEO_A_SHIFT, VIDEO_B_SHIFT, VIDEO_TO_SHIFT};
    for (unsigned i = 0; i < sizeof shifts; i++) {
        unsigned selector = (unsigned)(op->imm >> shifts[i]) & VIDEO_SELECTOR;
        if (selector >= SELECTORS) return fail_limit(v, "selector", selector, SELECTORS);
    }
    return true;
}

static bool check_surface(const Verifier *v, const UOp *op)
{
    static const OperandShape word = {OPERAND_SLOTS, 1, false};
    unsigned shape = surface_shape(op);
    if (shape > TEX_LAYERS_2D) return fail_limit(v, "shape", shape, TEX_LAYERS_2D + 1);
    if (surface_outside(op) > OUTSIDE_ZERO || (uint64_t)op->imm >> (SURFACE_OUTSIDE_SHIFT + 4))
        return verify_fail_op(v, "whose upper bits are 0x%llx: expected .trap, .clamp or .zero",
                              (unsigned long long)op->imm >> SURFACE_OUTSIDE_SHIFT);
    for (unsigned i = 0; i < SURFACE_COORDINATES; i++) {
        OperandShape expected = i < texture_coordinates(shape) ? word : no_operand;
        Operand o = surface_coordinate(op, i);
        if (!operand_fits(v->f, o, expected, false))
            return fail_element(v, "coordinates", i, o, expected, false);
    }
    return true;
}

// The registers that the instruction writes: dst[0] is the predicate.
static bool check_engine(const Verifier *v, const UOp *op)
{
    const EngineInstructions *engines = v->module->engines;
    uint64_t count = engines ? engines->count : 0, imm = (uint64_t)op->imm;
    if (imm >= count) return fail_limit(v, "instruction of a mechanism", imm, count);
    const char *registers = engine_instruction(&engines->items[imm])->registers;
    bool predicate = registers[0] == 'p';
    size_t words = strlen(registers) - predicate;
    bool same = predicate == (op->dst[0] != OPERAND_NONE);
    for (unsigned i = 1; i < 4; i++) same &= (i <= words) == (op->dst[i] != OPERAND_NONE);
    return same || verify_fail_op(v, "which writes other registers than '%s': expected \"%s\"",
                                  engine_instruction(&engines->items[imm])->name, registers);
}

static bool check_imm(const Verifier *v, const UOp *op)
{
    uint64_t imm = (uint64_t)op->imm;
    switch (uop_infos[op->code].imm) {
    case IMM_NONE: return !imm || fail_limit(v, "number", imm, 1);
    case IMM_SPECIAL:
        return imm < SPECIAL_REGS || fail_limit(v, "special register", imm, SPECIAL_REGS);
    case IMM_ALIGNMENT:
        return !imm || is_power_of_two(imm) ||
               verify_fail_op(v, "whose alignment is %llu: expected a power of two",
                              (unsigned long long)imm);
    case IMM_VIDEO: return check_video(v, op);
    case IMM_SURFACE: return check_surface(v, op);
    case IMM_ENGINE: return check_engine(v, op);
    case IMM_NUMBER: case IMM_OFFSET: case IMM_TABLE: case IMM_CALL: break; // elsewhere
    }
    return true;
}

// Flags that select an element of an array.
static bool check_flags(const Verifier *v, const UOp *op)
{
    unsigned select = (op->flags & UF_SELECT_MASK) >> UF_SELECT_SHIFT;
    unsigned limit = op->code == UOP_TEX ? 4 : op->code == UOP_TXQ ? QUERIES : 8;
    if (select >= limit) return fail_limit(v, "selected value", select, limit);
    bool stack = op->code == UOP_ALLOCA || op->code == UOP_STACKSAVE ||
                 op->code == UOP_STACKRESTORE;
    if (stack && !v->f->allocates)
        return verify_fail_op(v, "which uses the stack of alloca: expected a function that has "
                                 "one");
    return !(op->flags & UF_SYNC) || uop_members((UopCode)op->code) >= 0 ||
           verify_fail_op(v, "which waits for lanes, but names none: expected no .sync");
}

// ---- control ----

static bool check_target(const Verifier *v, const UOp *op)
{
    uint32_t count = v->f->op_count, meets = v->f->timing[v->index].reconverge;
    if (meets != RECONVERGE_EXIT && meets >= count)
        return fail_limit(v, "reconvergence point", meets, count);
    if (op->code == UOP_BRA)
        return op->target < count || fail_limit(v, "target", op->target, count);
    if ((uint64_t)op->imm >= v->module->table_count)
        return fail_limit(v, "branch table", (uint64_t)op->imm, v->module->table_count);
    uint32_t end = v->table_ends[op->imm];
    return end <= count || fail_limit(v, "table's largest target", end - 1, count);
}

static bool check_control(Verifier *v, const UOp *op)
{
    const UopInfo *info = &uop_infos[op->code];
    if (v->index + 1 == v->f->op_count &&
        (!control_ends_block(info->control) || op->guard != OPERAND_NONE))
        return verify_fail_op(v, "the last of its function: expected an unconditional branch, ret, "
                                 "exit or trap");
    if (info->control == CONTROL_BRANCH) return check_target(v, op);
    return info->imm != IMM_CALL || verify_call(v, op);
}

// ---- scoreboard and lines ----

static bool check_timing(const Verifier *v)
{
    const PtxFunction *f = v->f;
    const UOpTiming *t = &f->timing[v->index];
    if (t->read_count > UOP_MAX_READS || t->bank_read_count > UOP_MAX_READS)
        return fail_limit(v, "number of reads",
                          t->read_count > UOP_MAX_READS ? t->read_count : t->bank_read_count,
                          UOP_MAX_READS + 1);
    if (t->write_count > UOP_MAX_WRITES || t->bank_write_count > UOP_MAX_WRITES)
        return fail_limit(v, "number of writes",
                          t->write_count > UOP_MAX_WRITES ? t->write_count : t->bank_write_count,
                          UOP_MAX_WRITES + 1);
    for (unsigned i = 0; i < t->read_count; i++)
        if (t->reads[i] >= f->virtual_registers)
            return fail_limit(v, "register read", t->reads[i], f->virtual_registers);
    for (unsigned i = 0; i < t->write_count; i++)
        if (t->writes[i] >= f->virtual_registers)
            return fail_limit(v, "register written", t->writes[i], f->virtual_registers);
    if (t->source_line && t->source_file >= v->module->file_count)
        return fail_limit(v, "source file", t->source_file, v->module->file_count);
    return f->source[v->index] || verify_fail_op(v, "which has no text in PTX");
}

// ---- functions ----

// What the micro-op alone says.
static inline bool check_op(const Verifier *v, const UOp *op)
{
    return check_kind(v, op) && check_vector(v, op) && check_operands(v, op) && check_imm(v, op) &&
           check_flags(v, op) &&
           (uop_infos[op->code].control != CONTROL_MEMORY || check_address(v, op));
}

static bool verify_function(Verifier *v)
{
    const PtxFunction *f = v->f;
    for (v->index = 0; v->index < f->op_count; v->index++) {
        const UOp *op = &f->ops[v->index];
        if (!check_op(v, op) || !check_timing(v) || !check_control(v, op)) return false;
    }
    return true;
}

bool ptx_verify_made(const PtxModule *module, const PtxFunction *function, const PtxMadeOp *made,
                     HdError *err)
{
    UOp op = *made->op;
    UOpTiming timing = *made->timing;
    PtxOperands names;
    memset(&names, 0xff, sizeof names); // PTX_NO_REGISTER
    PtxFunction f = *function;
    f.ops = &op;
    f.timing = &timing;
    f.source = &function->source[made->index];
    f.operands = &names;
    f.op_count = 1;
    f.frame_slots = made->frame_slots;
    f.frame_predicates = 0;
    f.virtual_registers = made->registers;
    Verifier v = {.module = module, .f = &f, .err = err};
    if (!check_op(&v, &op) || !check_timing(&v)) return false;
    bool loads = op.code == UOP_LD && op.space == SPACE_GLOBAL;
    return loads || uop_infos[op.code].control == CONTROL_LANES ||
           verify_fail_op(&v, "which is made at run time: expected one that computes values, or a "
                              "load of global memory");
}

// Makes the function a single trap, which reports why the function is unusable. Pointers may still
// call it.
static bool disable(PtxModule *module, PtxFunction *f, const char *why)
{
    PtxOperands *operands = hd_arena_new(&module->arena, sizeof *operands);
    if (!operands || !ptx_mark_unusable(module, f, why)) return false;
    memset(operands, 0xff, sizeof *operands); // PTX_NO_REGISTER
    UOp trap = {.code = UOP_TRAP, .vec = 1, .class = CLASS_CONTROL, .guard = OPERAND_NONE};
    memset(trap.dst, 0xff, sizeof trap.dst); // OPERAND_NONE
    memset(trap.src, 0xff, sizeof trap.src);
    f->op_count = 1;
    f->ops[0] = trap;
    f->timing[0] = (UOpTiming){.line = f->timing[0].line, .starts_block = true};
    f->source[0] = "trap; // does not verify";
    f->operands = operands;
    return true;
}

static bool verify_functions(Verifier *v, PtxModule *m)
{
    for (size_t i = 0; i < m->function_count; i++) {
        v->f = &m->functions[i];
        if (verify_function(v)) continue;
        if (!m->lenient) return false;
        if (!disable(m, &m->functions[i], v->err->text))
            return hd_fail_memory(v->err, "verifying a module");
        v->err->set = false;
    }
    return true;
}

bool ptx_verify(PtxModule *module, HdError *err)
{
    HdError kept = {0}; // a lenient module needs the text even if the caller does not
    Verifier v = {.module = module, .err = err ? err : &kept,
                  .table_ends = hd_new(module->table_count, sizeof *v.table_ends),
                  .called = hd_new(module->call_count / 64 + 1, sizeof *v.called),
                  .by_signature = hd_new(module->function_count + 1, sizeof *v.by_signature)};
    bool ok = v.table_ends && v.called && v.by_signature
                  ? verify_module(&v) && verify_functions(&v, module)
                  : hd_fail_memory(v.err, "verifying a module");
    free(v.table_ends);
    free(v.called);
    free(v.by_signature);
    return ok;
}
