// Verifies what concerns the whole module: sizes of functions, variables, relocations, tables.
#include "ptx/verify_internal.h"

#include "ptx/internal.h"

enum { CONST_BANK = 1 << 16 }; // bytes

static bool fail_variable(const Verifier *v, const PtxVariable *x, const char *what,
                          uint64_t value, const char *expected)
{
    return hd_fail_at(v->err, v->module->path, x->line, 0, "the variable '%s' has %s %llu: "
                      "expected %s", x->name, what, (unsigned long long)value, expected);
}

// ---- functions ----

static bool check_arrays(const Verifier *v)
{
    const PtxFunction *f = v->f;
    bool whole = f->op_count && f->ops && f->timing && f->source && f->operands &&
                 (f->params || !f->param_count) && (f->names || !f->virtual_registers) &&
                 (f->constants || !f->constant_slots);
    if (!whole) return verify_fail_function(v, "lacks instructions, or what belongs to them");
    for (uint32_t i = 0; i < f->virtual_registers; i++)
        if (!f->names[i].name || f->names[i].type >= PTX_TYPES)
            return verify_fail_function(v, "has a register %u without a name or a type", i);
    return true;
}

// The counts that operands are compared with, and those that callers add up.
static bool check_counts(const Verifier *v)
{
    const PtxFunction *f = v->f;
    const struct {
        const char *what;
        uint64_t value, least, most;
    } counts[] = {
        {"register slots", f->frame_slots, 0, OPERAND_CONST - 1},
        {"predicates", f->frame_predicates, 0, OPERAND_CONST - 1},
        {"constant slots", f->constant_slots, 0, OPERAND_NONE - OPERAND_CONST},
        {"virtual registers", f->virtual_registers, 0, PTX_MAX_REGISTERS},
        {"registers", f->registers, 1, UINT32_MAX},
        {"register slots with its callees", f->max_call_slots, f->frame_slots, UINT32_MAX},
        {"predicates with its callees", f->max_call_predicates, f->frame_predicates, UINT32_MAX},
        {"bytes of parameters with its callees", f->max_call_param_bytes, f->frame_param_bytes,
         UINT32_MAX},
        {"bytes of local memory with its callees", f->max_call_local, f->local_bytes, UINT32_MAX},
        // Only functions whose address is taken have one, and a kernel's is not.
        {"the signature", f->signature, 0, f->entry ? 0 : v->module->function_count},
    };
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].value < counts[i].least || counts[i].value > counts[i].most)
            return verify_fail_function(v, "has %s %llu: expected %llu to %llu", counts[i].what,
                                        (unsigned long long)counts[i].value,
                                        (unsigned long long)counts[i].least,
                                        (unsigned long long)counts[i].most);
    return true;
}

static bool check_params(const Verifier *v)
{
    const PtxFunction *f = v->f;
    uint32_t bytes = f->entry ? f->param_bytes : f->frame_param_bytes;
    for (size_t i = 0; i < f->param_count; i++) {
        const PtxParam *p = &f->params[i];
        if (!p->name || p->type >= PTX_TYPES)
            return verify_fail_function(v, "has a parameter %zu without a name or a type", i);
        if (!range_fits(p->offset, p->bytes, bytes))
            return verify_fail_function(v, "has a parameter '%s' of %u bytes at byte %u: expected "
                                           "within %u bytes", p->name, p->bytes, p->offset, bytes);
    }
    return true;
}

static bool check_functions(Verifier *v)
{
    const PtxModule *m = v->module;
    for (size_t i = 0; i < m->function_count; i++) {
        v->f = &m->functions[i];
        if (!v->f->name || !v->f->path)
            return hd_fail_at(v->err, m->path, 0, 0, "the function %zu has no name or no file", i);
        if (!check_arrays(v) || !check_counts(v) || !check_params(v)) return false;
        if (v->f->signature) callees_add(&v->by_signature[v->f->signature], v->f);
    }
    return true;
}

// ---- variables ----

static bool check_variable(const Verifier *v, const PtxVariable *x)
{
    if (x->space != SPACE_GLOBAL && x->space != SPACE_CONST && x->space != SPACE_SHARED)
        return fail_variable(v, x, "the space", x->space, ".global, .const or .shared");
    if (x->initial_bytes > x->bytes || (x->initial_bytes && !x->initial))
        return fail_variable(v, x, "initial bytes", x->initial_bytes,
                             "at most as many as it has bytes");
    if (x->space == SPACE_SHARED && x->initial)
        return fail_variable(v, x, "initial bytes", x->initial_bytes,
                             "no initialiser in .shared memory");
    if (x->texture && (x->space != SPACE_GLOBAL || x->bytes || x->initial))
        return fail_variable(v, x, "bytes", x->bytes, "a texture reference, which has none");
    if (x->space == SPACE_CONST && !range_fits(x->address, x->bytes, v->module->const_bytes))
        return fail_variable(v, x, "its last byte in the constant bank at",
                             x->address + x->bytes, "it inside the bank");
    if (x->space == SPACE_SHARED && !range_fits(x->address, x->bytes, UINT32_MAX))
        return fail_variable(v, x, "its last byte in shared memory at", x->address + x->bytes,
                             "it below 4 GiB");
    return true;
}

static bool check_variables(const Verifier *v)
{
    const PtxModule *m = v->module;
    if (m->const_bytes > CONST_BANK)
        return hd_fail_at(v->err, m->path, 0, 0, "a constant bank of %u bytes: expected at most "
                                                 "%d", m->const_bytes, CONST_BANK);
    for (size_t i = 0; i < m->variable_count; i++) {
        if (!m->variables[i].name)
            return hd_fail_at(v->err, m->path, m->variables[i].line, 0,
                              "a variable without a name");
        if (!check_variable(v, &m->variables[i])) return false;
    }
    return true;
}

// ---- relocations ----

static bool check_relocation(const Verifier *v, size_t index)
{
    const PtxModule *m = v->module;
    const PtxRelocation *r = &m->relocations[index];
    if (r->variable >= m->variable_count || m->variables[r->variable].space != SPACE_GLOBAL)
        return hd_fail_at(v->err, m->path, 0, 0, "the relocation %zu is to the variable %u: "
                          "expected a .global one below %zu", index, r->variable,
                          m->variable_count);
    if (r->function >= 0) {
        uint32_t count = (uint32_t)r->function < m->function_count
                             ? m->functions[r->function].constant_slots : 0;
        return range_fits(r->slot, 2, count) ||
               hd_fail_at(v->err, m->path, 0, 0, "the relocation %zu of '%s' is in the constant "
                          "slots %u and %u of the function %d: expected below %u", index,
                          m->variables[r->variable].name, r->slot, r->slot + 1, r->function, count);
    }
    const PtxVariable *in = r->in < m->variable_count ? &m->variables[r->in] : NULL;
    bool fits = in && in->initial && range_fits(r->slot, r->bytes, in->initial_bytes);
    return (fits && r->function == -1 && r->bytes <= sizeof(uint64_t) && r->shift < 64) ||
           hd_fail_at(v->err, m->path, 0, 0, "the relocation %zu of '%s' puts %u bytes of the "
                      "address, from bit %u on, at byte %u of '%s': expected within its "
                      "initialiser", index, m->variables[r->variable].name, r->bytes, r->shift,
                      r->slot, in ? in->name : "no variable");
}

// ---- the module ----

// Sets table_ends.
static bool check_tables(const Verifier *v)
{
    const PtxModule *m = v->module;
    for (size_t i = 0; i < m->table_count; i++) {
        const PtxBranchTable *table = &m->tables[i];
        if (table->count && !table->targets)
            return hd_fail_at(v->err, m->path, 0, 0, "the branch table %zu has no targets", i);
        for (uint32_t k = 0; k < table->count; k++)
            if (table->targets[k] >= v->table_ends[i])
                v->table_ends[i] = table->targets[k] < UINT32_MAX ? table->targets[k] + 1
                                                                  : UINT32_MAX;
    }
    return true;
}

bool verify_module(Verifier *v)
{
    const PtxModule *m = v->module;
    if (!check_functions(v) || !check_variables(v) || !check_tables(v)) return false;
    for (size_t i = 0; i < m->relocation_count; i++)
        if (!check_relocation(v, i)) return false;
    for (size_t i = 0; i < m->file_count; i++)
        if (!m->files[i])
            return hd_fail_at(v->err, m->path, 0, 0, "the source file %zu has no name", i);
    return true;
}
