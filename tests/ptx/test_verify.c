// The verifier: real modules pass; a module in which any one number is out of bounds does not.
#include "parse_text.h"

#include "base/file.h"
#include "hooks/engine_instructions.h"
#include "ptx/verify.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static PtxModule *module_of_file(const char *path, PtxOptions options)
{
    HdError err = {0};
    char *text = file_read(path, &(size_t){0}, &err);
    PtxModule *m = text ? ptx_parse_with(text, path, options, &err) : NULL;
    if (!m) fail_msg("%s", err.text);
    free(text);
    return m;
}

// ---- modules that pass ----

// The instructions of kernels/iru.cuh.
static const HdEngineInstruction loads[] = {{.name = "load_iru", .registers = "pr"},
                                            {.name = "load_iru.secondary", .registers = "prr"},
                                            {.name = "load_iru.position", .registers = "prr"},
                                            {.name = "load_iru.secondary.position",
                                             .registers = "prrr"},
                                            {0}};
static const HdMechanism iru = {.name = "iru", .instructions = loads};
static EngineInstruction items[] = {{&iru, 0, 0}, {&iru, 0, 1}, {&iru, 0, 2}, {&iru, 0, 3}};
static const EngineInstructions units = {items, COUNT(items)};

static void test_files_pass(void **state)
{
    (void)state;
    static const char *const patterns[] = {KERNELS "/*.ptx", TEST_DATA "/*.ptx",
                                           TEST_DATA "/../gpu/*.ptx",
                                           TEST_DATA "/../../bench/fidelity/kernels/*.ptx"};
    for (unsigned i = 0; i < COUNT(patterns); i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found)) fail_msg("%s: no files", patterns[i]);
        for (size_t k = 0; k < found.gl_pathc; k++)
            for (unsigned variant = 0; variant < 4; variant++) {
                HdError err = {0};
                PtxOptions options = {.contract = variant & 1, .banks_by_name = variant & 2,
                                      .engines = &units};
                PtxModule *m = module_of_file(found.gl_pathv[k], options);
                if (!ptx_verify(m, &err)) fail_msg("%s", err.text);
                ptx_free(m);
            }
        globfree(&found);
    }
}

// ---- numbers out of bounds ----

static void expect(PtxModule *m, bool passes, const char *field, const char *what, uint64_t value)
{
    HdError err = {0};
    bool passed = ptx_verify(m, &err);
    if (passed == passes) return;
    if (passed) fail_msg("%s: %s = %llu passes", what, field, (unsigned long long)value);
    fail_msg("%s: %s = %llu: %s", what, field, (unsigned long long)value, err.text);
}

// Sets a field, expects that the module passes or not, and restores the field.
#define TRY(passes, field, value)                                                                  \
    do {                                                                                           \
        __typeof__(field) before = (field);                                                        \
        (field) = (__typeof__(field))(value);                                                      \
        expect(m, passes, #field, what, (uint64_t)(value));                                        \
        (field) = before;                                                                          \
    } while (0)
#define REFUSED(field, value) TRY(false, field, value)
#define PASSES(field, value) TRY(true, field, value)

// An operand in the last place that its shape allows, and in the next.
static void try_operand(PtxModule *m, PtxFunction *f, Operand *o, OperandShape shape, bool write,
                        const char *what)
{
    bool slots = shape.kind == OPERAND_SLOTS;
    if (shape.kind == OPERAND_UNUSED) {
        REFUSED(*o, 0);
        REFUSED(*o, OPERAND_CONST);
        return;
    }
    uint32_t end = slots ? f->frame_slots - shape.slots + 1u : f->frame_predicates;
    uint32_t const_end = slots ? f->constant_slots - shape.slots + 1u : 2;
    REFUSED(*o, end);
    if (end) PASSES(*o, end - 1);
    REFUSED(*o, OPERAND_CONST - 1);
    if (const_end) TRY(!write, *o, OPERAND_CONST | (const_end - 1));
    REFUSED(*o, OPERAND_CONST | const_end);
    if (!shape.optional) REFUSED(*o, OPERAND_NONE);
}

// The names are for traces; without them every place is free.
static PtxOperands no_names(void)
{
    PtxOperands none;
    memset(&none, 0xff, sizeof none);
    return none;
}

static void try_operands(PtxModule *m, PtxFunction *f, uint32_t i, const char *what)
{
    UOp *op = &f->ops[i];
    PtxOperands *names = (PtxOperands *)&f->operands[i], kept = *names;
    for (unsigned k = 0; k < 10; k++) {
        uint16_t *number = &names->guard + k;
        REFUSED(*number, f->virtual_registers);
        if (*number == PTX_NO_REGISTER) continue;
        Operand *o = k == 0 ? &op->guard : k < 5 ? &op->dst[k - 1] : &op->src[k - 5];
        REFUSED(*o, OPERAND_NONE); // the name of no operand
    }
    *names = no_names();
    if (i + 1 < f->op_count)
        try_operand(m, f, &op->guard, (OperandShape){OPERAND_PREDICATE, 0, true}, false, what);
    for (unsigned k = 0; k < 4; k++) try_operand(m, f, &op->dst[k], uop_write(op, k), true, what);
    // Some addresses may be missing only because they are in bounds.
    for (unsigned k = 0; k < 5; k++) try_operand(m, f, &op->src[k], uop_read(op, k), false, what);
    *names = kept;
}

static void try_coordinates(PtxModule *m, PtxFunction *f, UOp *op, const char *what)
{
    uint64_t shape = UINT64_C(15) << SURFACE_SHAPE_SHIFT;
    unsigned used = texture_coordinates(surface_shape(op));
    for (unsigned k = 0; k < SURFACE_COORDINATES; k++) {
        unsigned at = SURFACE_COORDINATE_BITS * k;
        uint64_t others = (uint64_t)op->imm & ~(UINT64_C(0xffff) << at);
        if (k >= used) {
            REFUSED(op->imm, others);
            continue;
        }
        REFUSED(op->imm, others | (uint64_t)f->frame_slots << at);
        PASSES(op->imm, others | (uint64_t)(f->frame_slots - 1) << at);
        REFUSED(op->imm, others | (uint64_t)(OPERAND_CONST | f->constant_slots) << at);
        REFUSED(op->imm, others | (uint64_t)OPERAND_NONE << at);
    }
    REFUSED(op->imm, ((uint64_t)op->imm & ~shape) | (uint64_t)TEX_CUBE << SURFACE_SHAPE_SHIFT);
    REFUSED(op->imm, (uint64_t)op->imm | UINT64_C(3) << SURFACE_OUTSIDE_SHIFT);
    REFUSED(op->imm, (uint64_t)op->imm | UINT64_C(1) << 63);
}

static uint64_t bytes_of_space(const PtxModule *m, const PtxFunction *f, const UOp *op)
{
    bool relative = op->flags & UF_FRAME_RELATIVE;
    return op->space == SPACE_FRAME_PARAM           ? f->frame_param_bytes
           : op->space == SPACE_PARAM && f->entry   ? f->param_bytes
           : op->space == SPACE_LOCAL && relative   ? f->local_bytes
           : op->space == SPACE_CONST               ? m->const_bytes
                                                    : 0;
}

static void try_imm(PtxModule *m, PtxFunction *f, uint32_t i, const char *what)
{
    UOp *op = &f->ops[i];
    switch (uop_infos[op->code].imm) {
    case IMM_NONE: REFUSED(op->imm, 1); break;
    case IMM_SPECIAL: REFUSED(op->imm, SPECIAL_REGS); REFUSED(op->imm, -1); break;
    case IMM_ALIGNMENT: REFUSED(op->imm, 24); REFUSED(op->imm, -1); break;
    case IMM_TABLE: REFUSED(op->imm, m->table_count); REFUSED(op->imm, -1); break;
    case IMM_CALL:
        REFUSED(op->imm, m->call_count);
        REFUSED(op->imm, -1);
        REFUSED(op->imm, op->imm ? op->imm - 1 : op->imm + 1); // another instruction's
        break;
    case IMM_VIDEO:
        REFUSED(op->imm, op->imm | 7 << VIDEO_A_SHIFT);
        REFUSED(op->imm, op->imm | 7 << VIDEO_B_SHIFT);
        REFUSED(op->imm, op->imm | INT64_C(7) << VIDEO_TO_SHIFT);
        break;
    case IMM_SURFACE: try_coordinates(m, f, op, what); break;
    case IMM_OFFSET: {
        uint64_t bytes = ptx_type_bytes((PtxType)op->type) * op->vec,
                 end = bytes_of_space(m, f, op);
        if (op->src[0] != OPERAND_NONE || !end) break;
        PASSES(op->imm, end - bytes);
        REFUSED(op->imm, end - bytes + 1);
        REFUSED(op->imm, -1);
        REFUSED(op->imm, INT64_MAX);
        REFUSED(op->imm, INT64_MIN);
        break;
    }
    case IMM_ENGINE: break; // test_engines.c
    case IMM_NUMBER: PASSES(op->imm, -1); break;
    }
}

static void try_kind(PtxModule *m, PtxFunction *f, uint32_t i, const char *what)
{
    UOp *op = &f->ops[i];
    const UopInfo *info = &uop_infos[op->code];
    REFUSED(op->code, UOP_CODES);
    REFUSED(op->type, PTX_TYPES);
    REFUSED(op->type2, PTX_TYPES);
    REFUSED(op->class, ALL_CLASSES);
    REFUSED(op->class, op->class == CLASS_ATOMIC ? CLASS_TEXTURE : CLASS_ATOMIC);
    REFUSED(op->rounding, ROUND_RNA + 1);
    REFUSED(op->cache, CACHE_WT + 1);
    REFUSED(op->modifier,
            info->modifier == MODIFIER_FIELD ? 3 : uop_modifier_count(info->modifier));
    REFUSED(op->vec, 0);
    REFUSED(op->vec, 3);
    REFUSED(op->vec, 8);
    if (strpbrk(info->writes, "aA") || strpbrk(info->reads, "aA")) REFUSED(op->type, PTX_NONE);
    if (info->control == CONTROL_MEMORY) {
        REFUSED(op->space, SPACE_NONE);
        REFUSED(op->space, SPACE_FRAME_PARAM + 1);
        if (op->class == CLASS_TEXTURE || op->class == CLASS_ATOMIC)
            REFUSED(op->space, SPACE_FRAME_PARAM);
    }
    if (op->code == UOP_TEX || op->code == UOP_TXQ) REFUSED(op->flags, op->flags | UF_SELECT_MASK);
    if (!strchr(info->reads, 'm')) REFUSED(op->flags, op->flags | UF_SYNC);
    bool stack = !strncmp(info->name, "stack", 5) || op->code == UOP_ALLOCA;
    if (stack) REFUSED(f->allocates, false);
}

// Modifiers, flags and numbers that need an operand which the instruction lacks.
static void try_needs(PtxModule *m, PtxFunction *f, uint32_t i, const char *what)
{
    UOp *op = &f->ops[i];
    bool third = op->src[2] != OPERAND_NONE;
    switch ((UopCode)op->code) {
    case UOP_ATOM: case UOP_RED: case UOP_SURED:
        if (!third) REFUSED(op->modifier, ATOM_CAS);
        break;
    case UOP_BAR:
        if (!third) REFUSED(op->modifier, BAR_RED_OR);
        break;
    case UOP_SETP: case UOP_SET:
        if (!third) REFUSED(op->flags, op->flags | 1 << UF_BOOL_SHIFT);
        break;
    case UOP_VIDEO:
        if (!third) REFUSED(op->modifier, VIDEO_MAD);
        break;
    case UOP_PACK_SAT:
        if (!third) REFUSED(op->modifier, 8);
        break;
    case UOP_TEX:
        if (op->modifier != TEX_CUBES) REFUSED(op->modifier, TEX_CUBES);
        break;
    case UOP_SREG:
        if (op->imm != SREG_LOCAL_BASE) REFUSED(op->imm, SREG_LOCAL_BASE);
        break;
    case UOP_SHFL: case UOP_VOTE:
        if (!(op->flags & UF_SYNC)) REFUSED(op->flags, op->flags | UF_SYNC);
        break;
    default: break;
    }
}

static void try_timing(PtxModule *m, PtxFunction *f, uint32_t i, const char *what)
{
    UOpTiming *t = &f->timing[i];
    REFUSED(t->read_count, UOP_MAX_READS + 1);
    REFUSED(t->write_count, UOP_MAX_WRITES + 1);
    REFUSED(t->bank_read_count, UOP_MAX_READS + 1);
    REFUSED(t->bank_write_count, UOP_MAX_WRITES + 1);
    for (unsigned k = 0; k < t->read_count; k++) REFUSED(t->reads[k], f->virtual_registers);
    for (unsigned k = 0; k < t->write_count; k++) REFUSED(t->writes[k], f->virtual_registers);
    REFUSED(f->source[i], 0);
    uint32_t kept = t->source_line;
    t->source_line = 1;
    REFUSED(t->source_file, m->file_count);
    t->source_line = kept;
}

static void try_control(PtxModule *m, PtxFunction *f, uint32_t i, const char *what)
{
    UOp *op = &f->ops[i];
    if (uop_infos[op->code].control == CONTROL_BRANCH)
        REFUSED(f->timing[i].reconverge, f->op_count);
    if (op->code == UOP_BRA) {
        REFUSED(op->target, f->op_count);
        PASSES(op->target, f->op_count - 1);
    }
    if (op->code == UOP_CALL) {
        REFUSED(op->target, op->target + 1);
        REFUSED(m->calls[op->imm].callee, m->function_count);
    }
    if (i + 1 < f->op_count) return;
    if (f->frame_predicates) REFUSED(op->guard, 0);
    REFUSED(op->code, UOP_NOP); // control would leave the instructions
}

static void test_instructions(void **state)
{
    (void)state;
    PtxModule *m = module_of_file(TEST_DATA "/every_uop.ptx", (PtxOptions){0});
    bool seen[UOP_CODES] = {false};
    for (size_t k = 0; k < m->function_count; k++) {
        PtxFunction *f = &m->functions[k];
        for (uint32_t i = 0; i < f->op_count; i++) {
            char what[256];
            ptx_disassemble(f, i, what, sizeof what);
            seen[f->ops[i].code] = true;
            try_kind(m, f, i, what);
            try_needs(m, f, i, what);
            try_operands(m, f, i, what);
            try_imm(m, f, i, what);
            try_timing(m, f, i, what);
            try_control(m, f, i, what);
        }
    }
    seen[UOP_ENGINE] = true; // no text has one by itself: test_engines.c
    for (unsigned code = 0; code < UOP_CODES; code++)
        if (!seen[code]) fail_msg("every_uop.ptx has no '%s'", uop_name((UopCode)code));
    ptx_free(m);
}

// ---- functions, calls, variables ----

static void try_function(PtxModule *m, PtxFunction *f)
{
    const char *what = f->name;
    REFUSED(f->name, 0);
    REFUSED(f->path, 0);
    REFUSED(f->ops, 0);
    REFUSED(f->op_count, 0);
    REFUSED(f->timing, 0);
    REFUSED(f->source, 0);
    REFUSED(f->operands, 0);
    REFUSED(f->frame_slots, OPERAND_CONST);
    REFUSED(f->frame_predicates, OPERAND_CONST);
    REFUSED(f->constant_slots, OPERAND_CONST);
    REFUSED(f->virtual_registers, PTX_NO_REGISTER + 1);
    REFUSED(f->registers, 0);
    REFUSED(f->signature, m->function_count + 1);
    if (f->frame_slots) REFUSED(f->max_call_slots, f->frame_slots - 1);
    if (f->frame_predicates) REFUSED(f->max_call_predicates, f->frame_predicates - 1);
    if (f->frame_param_bytes) REFUSED(f->max_call_param_bytes, f->frame_param_bytes - 1);
    if (f->local_bytes) REFUSED(f->max_call_local, f->local_bytes - 1);
    if (f->constant_slots) REFUSED(f->constants, 0);
    if (f->entry) REFUSED(f->signature, 1);
    for (size_t k = 0; k < f->param_count; k++) {
        PtxParam *p = (PtxParam *)&f->params[k];
        uint32_t end = f->entry ? f->param_bytes : f->frame_param_bytes;
        REFUSED(p->name, 0);
        REFUSED(p->type, PTX_TYPES);
        REFUSED(p->offset, end - p->bytes + 1);
        REFUSED(p->offset, UINT32_MAX);
        REFUSED(p->bytes, UINT32_MAX);
    }
    for (uint32_t k = 0; k < f->virtual_registers; k++) {
        PtxRegister *name = (PtxRegister *)&f->names[k];
        REFUSED(name->name, 0);
        REFUSED(name->type, PTX_TYPES);
    }
}

static void try_copies(PtxModule *m, const PtxCopy *copies, uint32_t count, uint32_t from,
                       uint32_t to, const char *what)
{
    for (uint32_t k = 0; k < count; k++) {
        PtxCopy *c = (PtxCopy *)&copies[k];
        REFUSED(c->bytes, UINT32_MAX);
        if (from) {
            REFUSED(c->from, from - c->bytes + 1);
            PASSES(c->from, from - c->bytes);
            REFUSED(c->from, UINT32_MAX);
        }
        if (to) {
            REFUSED(c->to, to - c->bytes + 1);
            PASSES(c->to, to - c->bytes);
            REFUSED(c->to, UINT32_MAX);
        }
    }
}

// The maxima of a caller must have room for its own frame and the callee's maxima.
static void try_room(PtxModule *m, PtxFunction *f, PtxFunction *callee, const char *what)
{
    REFUSED(f->max_call_depth, callee->max_call_depth);
    REFUSED(callee->max_call_depth, f->max_call_depth);
    REFUSED(callee->max_call_depth, 0); // recursive
    REFUSED(f->max_call_slots, f->frame_slots + callee->max_call_slots - 1);
    REFUSED(callee->max_call_slots, UINT32_MAX);
    REFUSED(callee->max_call_predicates, UINT32_MAX);
    REFUSED(callee->max_call_param_bytes, UINT32_MAX);
    REFUSED(callee->max_call_local, UINT32_MAX);
    REFUSED(callee->entry, true);
    if (callee->allocates) REFUSED(f->allocates, false);
}

static void try_call(PtxModule *m, PtxFunction *f, const UOp *op)
{
    PtxCall *call = &m->calls[op->imm];
    uint32_t own = f->frame_param_bytes, callee_bytes = 0;
    const char *what = uop_name(op->code);
    if (op->code == UOP_SYSTEM) {
        REFUSED(call->argument_count, call->argument_count + 1);
        REFUSED(call->result_count, call->result_count + 1);
        for (uint32_t k = 0; k < call->argument_count; k++)
            REFUSED(((PtxCopy *)call->arguments)[k].bytes, 16);
        if (op->modifier == SYSTEM_MALLOC) REFUSED(m->heap, false);
    } else if (op->code == UOP_CALL) {
        PtxFunction *callee = &m->functions[call->callee];
        try_room(m, f, callee, what);
        callee_bytes = callee->frame_param_bytes;
        if (call->variable.bytes) {
            REFUSED(call->variable.from, own - call->variable.bytes + 1);
            REFUSED(call->variable.bytes, callee->local_bytes + 1);
        }
    } else {
        REFUSED(call->callee, 0);
        REFUSED(call->signature, m->function_count + 1);
        PASSES(call->signature, 0); // no pointer has this signature
        for (size_t k = 0; k < m->function_count; k++) {
            PtxFunction *callee = &m->functions[k];
            if (callee->signature != call->signature) continue;
            try_room(m, f, callee, what);
            callee_bytes = callee->frame_param_bytes;
        }
    }
    try_copies(m, call->arguments, call->argument_count, own, callee_bytes, what);
    try_copies(m, call->results, call->result_count, callee_bytes, own, what);
    if (call->argument_count) REFUSED(call->arguments, 0);
}

static void test_calls(void **state)
{
    (void)state;
    PtxModule *m = module_of_file(TEST_DATA "/every_uop.ptx", (PtxOptions){0});
    unsigned calls = 0;
    for (size_t k = 0; k < m->function_count; k++) {
        PtxFunction *f = &m->functions[k];
        try_function(m, f);
        for (uint32_t i = 0; i < f->op_count; i++) {
            if (uop_infos[f->ops[i].code].imm != IMM_CALL) continue;
            try_call(m, f, &f->ops[i]);
            calls++;
        }
    }
    assert_int_equal(calls, m->call_count);
    ptx_free(m);
}

static void test_module(void **state)
{
    (void)state;
    PtxModule *m = module_of_file(TEST_DATA "/every_uop.ptx", (PtxOptions){0});
    const char *what = "module";
    PtxFunction *kernel = ptx_find_kernel(m, "every", NULL);
    for (size_t i = 0; i < m->table_count; i++)
        for (uint32_t k = 0; k < m->tables[i].count; k++) {
            REFUSED(m->tables[i].targets[k], kernel->op_count);
            REFUSED(m->tables[i].targets[k], UINT32_MAX);
        }
    REFUSED(m->tables[0].targets, 0);
    REFUSED(m->files[0], 0);
    REFUSED(m->const_bytes, (1 << 16) + 1);
    bool slots = false, bytes = false;
    for (size_t i = 0; i < m->relocation_count; i++) {
        PtxRelocation *r = &m->relocations[i];
        REFUSED(r->variable, m->variable_count);
        if (r->function >= 0) {
            slots = true;
            REFUSED(r->slot, m->functions[r->function].constant_slots - 1);
            PASSES(r->slot, m->functions[r->function].constant_slots - 2);
            REFUSED(r->slot, UINT32_MAX);
            REFUSED(r->function, m->function_count);
            REFUSED(r->function, -2);
            continue;
        }
        bytes = true;
        REFUSED(r->in, m->variable_count);
        REFUSED(r->slot, m->variables[r->in].bytes - r->bytes + 1);
        PASSES(r->slot, m->variables[r->in].bytes - r->bytes);
        REFUSED(r->slot, UINT32_MAX);
        REFUSED(r->bytes, 9);
        REFUSED(r->shift, 64);
        REFUSED(m->variables[r->in].initial, 0);
    }
    assert_true(slots && bytes);
    for (size_t i = 0; i < m->variable_count; i++) {
        PtxVariable *v = &m->variables[i];
        REFUSED(v->name, 0);
        REFUSED(v->space, SPACE_LOCAL);
        if (v->initial) REFUSED(v->initial_bytes, v->bytes + 1);
        if (v->texture) REFUSED(v->bytes, 8);
        if (v->space == SPACE_SHARED) REFUSED(v->address, UINT32_MAX);
        if (v->space == SPACE_SHARED) REFUSED(v->initial, (uintptr_t)v->name);
        if (v->space != SPACE_CONST) continue;
        REFUSED(v->address, m->const_bytes - v->bytes + 1);
        REFUSED(v->address, UINT64_MAX);
    }
    ptx_free(m);
}

// ---- a module of which not all functions are used ----

static void test_lenient(void **state)
{
    (void)state;
    HdError err = {0};
    PtxModule *m = module_of_file(TEST_DATA "/every_uop.ptx", (PtxOptions){.lenient = true});
    PtxFunction *leaf = &m->functions[0], *callee = &m->functions[1];
    callee->ops[0].dst[0] = (Operand)callee->frame_slots;
    assert_true(ptx_verify(m, &err));
    assert_false(err.set);
    assert_non_null(strstr(callee->unusable, "whose dst[0] takes register slots "));
    assert_int_equal(callee->op_count, 1);
    assert_int_equal(callee->ops[0].code, UOP_TRAP);
    assert_null(leaf->unusable);
    ptx_propagate_unusable(m);
    assert_ptr_equal(ptx_find_kernel(m, "every", NULL)->unusable, callee->unusable);
    assert_true(ptx_verify(m, NULL)); // what is left verifies
    leaf->frame_slots = OPERAND_CONST; // concerns all callers
    assert_false(ptx_verify(m, &err));
    ptx_free(m);
}

// ---- micro-ops that are made at run time ----

// Fails with `expected` in its message; NULL: passes.
static void try_made(const PtxModule *m, const PtxMadeOp *made, const char *expected)
{
    HdError err = {0};
    bool passed = ptx_verify_made(m, &m->functions[0], made, &err);
    if (passed != !expected || (expected && !strstr(err.text, expected)))
        fail_msg("%s: expected %s", passed ? "passes" : err.text, expected ? expected : "passes");
}

static void test_made(void **state)
{
    (void)state;
    PtxModule *m = module_of(".entry k(.param .u64 in)\n"
                             "{\n"
                             "    .reg .b32 %r<4>;\n"
                             "    .reg .b64 %d<3>;\n"
                             "    ld.param.u64 %d1, [in];\n"
                             "    ld.global.u32 %r1, [%d1];\n"
                             "    add.u32 %r2, %r1, 7;\n"
                             "    st.global.u32 [%d1], %r2;\n"
                             "    ret;\n"
                             "}\n");
    enum { LOAD = 1, ADD, STORE, RET };
    const PtxFunction *f = &m->functions[0];
    UOp op = f->ops[ADD];
    UOpTiming timing = {.line = 42, .write_count = 1, .writes = {70}};
    PtxMadeOp made = {.op = &op, .timing = &timing, .index = ADD, .frame_slots = 10,
                      .registers = 71};
    op.dst[0] = 9;
    op.src[0] = 8; // the other one is a constant of the function
    try_made(m, &made, NULL);
    op.dst[0] = 10;
    try_made(m, &made, "test.ptx:42: 'add.u32 %r2, %r1, 7' in 'k' is the micro-op 'add.u32 s10 = "
                       "s8, c0', whose dst[0] is register slot 10: expected less than 10");
    op.dst[0] = 9;
    op.src[0] = OPERAND_CONST | 99;
    try_made(m, &made, "whose src[0] is constant slot 99: expected less than 1");
    op.src[0] = 8;
    op.guard = 0;
    try_made(m, &made, "whose guard is predicate 0: expected less than 0");
    op.guard = OPERAND_NONE;
    timing.writes[0] = 71;
    try_made(m, &made, "whose register written is 71: expected less than 71");
    timing.writes[0] = 70;
    op = f->ops[LOAD];
    op.dst[0] = 0;
    op.src[0] = 8;
    made.index = LOAD;
    try_made(m, &made, NULL);
    op.src[0] = 9; // 64 bits
    try_made(m, &made, "whose src[0] takes register slots 9 and 10: expected less than 10");
    op = f->ops[STORE];
    op.src[0] = op.src[1] = 0;
    made.index = STORE;
    try_made(m, &made, "which is made at run time: expected one that computes values, or a load of "
                       "global memory");
    op = f->ops[RET];
    made.index = RET;
    try_made(m, &made, "which is made at run time: expected one that computes values, or a load of "
                       "global memory");
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_pass), cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_calls),      cmocka_unit_test(test_module),
        cmocka_unit_test(test_lenient),    cmocka_unit_test(test_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
