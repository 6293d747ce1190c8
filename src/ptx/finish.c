// The end of a function and of the file: runs the analyses, and turns the parser's vectors into the
// arrays of PtxFunction and PtxModule.
#include "ptx/internal.h"

#include <string.h>

// Steps that the analyses of a function may take for each instruction and each target in a branch
// table. Compiled functions take less than 100.
enum { MAX_EFFORT = 4096 };

bool effort_spend(Parser *p, const FunctionBuilder *b, uint64_t steps)
{
    p->steps += steps;
    if (p->steps <= p->max_steps) return true;
    return ptx_fail(p, &b->at,
                    "'%s' takes more than %llu steps to analyse: expected at most %d for each "
                    "instruction and branch target",
                    b->f.name, (unsigned long long)p->max_steps, MAX_EFFORT);
}

// Gives the analyses of a function their steps.
static void start_effort(Parser *p, const FunctionBuilder *b)
{
    p->max_steps = b->count;
    for (size_t i = 0; i < b->table_count; i++) p->max_steps += b->tables[i].count;
    p->max_steps *= MAX_EFFORT;
    p->steps = 0;
}

bool function_finish(Parser *p, FunctionBuilder *b)
{
    Liveness live;
    Uniform uniform;
    const uint64_t *vector;
    if (!timing_compute(p, b)) return false;
    start_effort(p, b);
    // The analyses get a scratch arena of their own, which is reset after them.
    HdArena kept = p->scratch;
    p->scratch = p->analyses;
    bool changed = false;
    bool ok = cfg_compute(p, b) && liveness_compute(p, b, &live);
    ok = ok && (!p->contract || contract(p, b, &live, &changed));
    if (ok && changed)
        ok = timing_compute(p, b) && cfg_compute(p, b) && liveness_compute(p, b, &live);
    ok = ok && uniform_compute(p, b, &live, &uniform) && scalar_compute(p, b, &uniform, &vector);
    if (ok) banks_compute(p, b, vector);
    ok = ok && polling_loops_find(p, b, &live) && loops_find(p, b) && slots_assign(p, b, &live);
    if (ok) b->f.registers = registers_count(p, b, &live);
    hd_arena_reset(&p->scratch);
    p->analyses = p->scratch;
    p->scratch = kept;
    b->blocks = NULL;
    b->block_of = NULL;
    b->f.block_count = b->block_count;
    b->f.virtual_registers = (uint32_t)b->register_count;
    return ok && b->f.registers != 0;
}

// Writes the constant pool, each constant in all lanes.
static bool make_constants(Parser *p, FunctionBuilder *b)
{
    uint32_t *words = module_new(p, (size_t)b->constant_slots * SLOT_BYTES);
    if (!words) return false;
    for (size_t i = 0; i < b->constant_count; i++) {
        const Constant *c = &b->constants[i];
        uint32_t *slot = words + (size_t)c->slot * HD_MAX_LANES;
        for (int lane = 0; lane < HD_MAX_LANES; lane++) {
            if (c->slots == 2) memcpy(slot + 2 * lane, &c->bits, sizeof c->bits);
            else slot[lane] = (uint32_t)c->bits;
        }
    }
    b->f.constants = words;
    b->f.constant_slots = b->constant_slots;
    return true;
}

static uint16_t register_of(Value value)
{
    return value_is_register(value) ? (uint16_t)value : PTX_NO_REGISTER;
}

// Writes the micro-ops, and for traces their texts and operands. first_call, first_table: where the
// function's calls and branch tables begin in the module's arrays.
static bool make_code(Parser *p, FunctionBuilder *b, size_t first_call, size_t first_table)
{
    PtxFunction *f = &b->f;
    f->ops = module_new(p, b->count * sizeof *f->ops);
    f->source = module_new(p, b->count * sizeof *f->source);
    PtxOperands *operands = module_new(p, b->count * sizeof *operands);
    PtxRegister *names = module_new(p, b->register_count * sizeof *names);
    if (!f->ops || !f->source || !operands || !names) return false;
    for (size_t i = 0; i < b->count; i++) {
        const Instruction *in = &b->code[i];
        UOp *op = &f->ops[i];
        *op = in->op;
        f->source[i] = in->source;
        operands[i].guard = register_of(in->guard);
        for (int k = 0; k < 4; k++) operands[i].dst[k] = register_of(in->dst[k]);
        for (int k = 0; k < 5; k++) operands[i].src[k] = register_of(in->src[k]);
        location_set(p, in->location, &b->timing[i]);
        if (op->code == UOP_BRX) op->imm += (int64_t)first_table;
        if (op->code == UOP_CALL_POINTER) op->imm += (int64_t)first_call;
        if (op->code != UOP_CALL) continue;
        const FunctionBuilder *callee = p->builders[b->calls[op->imm].callee];
        SystemCall system;
        op->target = callee->index;
        op->imm += (int64_t)first_call;
        if (system_call_of(callee, &system)) {
            op->code = UOP_SYSTEM;
            op->modifier = (uint8_t)system;
            p->module->heap |= system == SYSTEM_MALLOC || system == SYSTEM_FREE;
        } else if (!callee->defined) {
            op->code = UOP_TRAP; // an undefined callee: the caller is unusable
        }
    }
    for (size_t i = 0; i < b->register_count; i++)
        names[i] = (PtxRegister){b->names[i], b->registers[i]};
    f->op_count = (uint32_t)b->count;
    f->timing = b->timing;
    f->operands = operands;
    f->names = names;
    return true;
}

static bool make_functions(Parser *p)
{
    PtxModule *m = p->module;
    m->functions = module_new(p, m->function_count * sizeof *m->functions);
    m->calls = module_new(p, m->call_count * sizeof *m->calls);
    m->tables = module_new(p, m->table_count * sizeof *m->tables);
    if (!m->functions || !m->calls || !m->tables) return false;
    size_t calls = 0, tables = 0;
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        if (!b->defined) continue;
        PtxParam *params = module_new(p, b->param_count * sizeof *params);
        if (!params || !make_constants(p, b) || !make_code(p, b, calls, tables)) return false;
        for (size_t k = 0; k < b->param_count; k++) params[k] = b->params[k].p;
        b->f.params = params;
        b->f.param_count = b->param_count;
        for (size_t k = 0; k < b->call_count; k++) {
            m->calls[calls] = b->calls[k].copies;
            uint32_t callee = b->calls[k].callee;
            m->calls[calls++].callee =
                callee == NO_NUMBER ? PTX_NO_FUNCTION : p->builders[callee]->index;
        }
        for (size_t k = 0; k < b->table_count; k++)
            m->tables[tables++] = (PtxBranchTable){b->tables[k].targets, b->tables[k].count};
        m->functions[b->index] = b->f;
    }
    return true;
}

// Makes each alias one of the function at the end of its chain. Texts whose definitions replace
// each other (link.c) can close a circle.
static bool shorten_aliases(Parser *p)
{
    for (uint32_t i = 0; i < p->builder_count; i++) {
        uint32_t end = i;
        for (size_t steps = 0; p->builders[end]->alias; steps++) {
            if (steps == p->builder_count)
                return ptx_fail(p, &p->builders[i]->at,
                                "'%s' is an alias of itself, with the definitions that all "
                                "files give: expected a function with a body",
                                p->builders[i]->f.name);
            end = p->builders[end]->alias - 1;
        }
        for (uint32_t at = i, next; at != end; at = next) {
            next = p->builders[at]->alias - 1;
            p->builders[at]->alias = end + 1;
        }
    }
    return true;
}

static uint32_t aliased(const Parser *p, uint32_t number)
{
    uint32_t alias = p->builders[number]->alias;
    return alias ? alias - 1 : number;
}

// An alias has the address of the aliased function.
static void resolve_address(Parser *p, uint32_t *target)
{
    if (*target == NO_NUMBER || !(*target & CONSTANT_FUNCTION)) return;
    uint32_t number = aliased(p, *target & ~CONSTANT_FUNCTION);
    p->builders[number]->address_taken = true;
    *target = CONSTANT_FUNCTION | number;
}

// Replaces aliases by the aliased functions in calls, constants and initialisers.
static bool resolve_aliases(Parser *p)
{
    if (!shorten_aliases(p)) return false;
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        for (size_t k = 0; k < b->call_count; k++) {
            uint32_t *callee = &b->calls[k].callee;
            if (*callee != NO_NUMBER) *callee = aliased(p, *callee);
        }
        for (size_t k = 0; k < b->constant_count; k++)
            resolve_address(p, &b->constants[k].variable);
    }
    for (size_t i = 0; i < p->initial_count; i++)
        resolve_address(p, &p->address_initializers[i].target);
    return true;
}

bool module_finish(Parser *p)
{
    PtxModule *m = p->module;
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        b->index = b->defined ? (uint32_t)m->function_count++ : NO_NUMBER;
        if (!b->defined) continue;
        m->call_count += b->call_count;
        m->table_count += b->table_count;
    }
    if (!resolve_aliases(p) || !pointers_resolve(p) || !calls_resolve(p) || !layout_variables(p) ||
        !make_functions(p))
        return false;
    m->variables = module_new(p, p->variable_count * sizeof *m->variables);
    m->files = module_new(p, p->file_count * sizeof *m->files);
    if (!m->variables || !m->files) return false;
    for (size_t i = 0; i < p->variable_count; i++) {
        m->variables[i] = p->variables[i].v;
        // One that nothing defines has no place in the constant bank.
        if (m->variables[i].space == SPACE_CONST && !p->variables[i].defined)
            m->variables[i].bytes = 0;
    }
    for (size_t i = 0; i < p->file_count; i++) m->files[i] = p->files[i].name;
    m->variable_count = p->variable_count;
    m->file_count = p->file_count;
    return true;
}
