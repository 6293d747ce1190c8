// Addresses of variables: offsets in shared memory and in the constant bank, and relocations for
// addresses in global memory.
//
// Different kernels may use the same bytes of shared memory (shared_layout.c).
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

// ---- the constant bank ----

static bool layout_const(Parser *p)
{
    uint64_t used = 0;
    for (size_t i = 0; i < p->variable_count; i++) {
        Variable *v = &p->variables[i];
        if (v->v.space != SPACE_CONST || !v->defined) continue;
        v->v.address = round_up(used, v->v.align);
        used = v->v.address + v->v.bytes;
        if (used > 1 << 16)
            return ptx_fail(p, &v->at, "%llu bytes of .const variables: expected at most 64 KiB",
                            (unsigned long long)used);
    }
    p->module->const_bytes = (uint32_t)used;
    return true;
}

// ---- uses ----

static uint64_t address_in(const FunctionBuilder *b, const Variable *v)
{
    return v->dynamic ? b->f.shared_bytes : v->v.address;
}

static uint64_t address_of_function(const FunctionBuilder *b)
{
    return b->defined ? ptx_function_address(b->index) : PTX_CODE_BASE;
}

static bool fail_extern(Parser *p, const Variable *v)
{
    return ptx_fail(p, &v->at, "'%s' is declared extern, but not defined in %s", v->v.name,
                    FILES_SEARCHED(p));
}

// Fails if a function uses a variable that nothing defines; lenient: the function is unusable.
static bool check_defined(Parser *p, FunctionBuilder *b)
{
    const Variable *missing = NULL;
    for (size_t i = 0; i < b->use_count && !missing; i++)
        if (!p->variables[b->uses[i].variable].defined)
            missing = &p->variables[b->uses[i].variable];
    for (size_t i = 0; i < b->constant_count && !missing; i++)
        if (constant_is_variable(&b->constants[i]) &&
            !p->variables[b->constants[i].variable].defined)
            missing = &p->variables[b->constants[i].variable];
    return !missing || fail_extern(p, missing) || tolerate_failure(p, &b->f);
}

static bool resolve_uses(Parser *p, FunctionBuilder *b, PtxRelocation *relocations, size_t *count)
{
    if (!check_defined(p, b)) return false;
    for (size_t i = 0; i < b->use_count; i++)
        b->code[b->uses[i].instruction].op.imm +=
            (int64_t)address_in(b, &p->variables[b->uses[i].variable]);
    for (size_t i = 0; i < b->constant_count; i++) {
        Constant *c = &b->constants[i];
        if (!constant_is_variable(c)) {
            if (c->variable != NO_NUMBER)
                c->bits += address_of_function(p->builders[c->variable & ~CONSTANT_FUNCTION]);
            continue;
        }
        const Variable *v = &p->variables[c->variable];
        if (v->v.space != SPACE_GLOBAL) {
            c->bits += address_in(b, v);
            continue;
        }
        if (!v->defined) continue; // the function is unusable
        relocations[(*count)++] = (PtxRelocation){.variable = c->variable,
                                                  .function = (int32_t)b->index,
                                                  .slot = c->slot,
                                                  .addend = (int64_t)c->bits};
        c->bits = 0;
    }
    return true;
}

static void put_address(Parser *p, const AddressInitializer *use, uint64_t address)
{
    address >>= use->shift;
    memcpy(p->variables[use->in].initial + use->at, &address, use->bytes);
}

// Resolves an address in an initialiser, or adds a relocation.
static bool resolve_address_initializer(Parser *p, const AddressInitializer *use,
                                        PtxRelocation *relocations, size_t *count)
{
    uint64_t address = (uint64_t)use->addend;
    if (use->target == NO_NUMBER)
        return ptx_fail(p, &use->name, "'%.*s': expected a variable or a function",
                        TEXT(&use->name));
    if (use->target & CONSTANT_FUNCTION) {
        address += address_of_function(p->builders[use->target & ~CONSTANT_FUNCTION]);
        put_address(p, use, address);
        return true;
    }
    const Variable *v = &p->variables[use->target];
    if (!v->defined) return fail_extern(p, v);
    if (v->v.space == SPACE_GLOBAL) {
        relocations[(*count)++] = (PtxRelocation){.variable = use->target, .function = -1,
                                                  .in = use->in, .slot = use->at,
                                                  .shift = use->shift, .bytes = use->bytes,
                                                  .addend = use->addend, .generic = use->generic};
        return true;
    }
    if (v->v.space != SPACE_CONST)
        return ptx_fail(p, &use->name,
                        "the address of '%s' in an initialiser: expected a .global or "
                        ".const variable, or a function",
                        v->v.name);
    put_address(p, use, address + v->v.address + (use->generic ? PTX_CONST_WINDOW : 0));
    return true;
}

bool layout_variables(Parser *p)
{
    if (!layout_shared(p) || !layout_const(p)) return false;
    size_t max = p->initial_count, count = 0;
    for (size_t i = 0; i < p->builder_count; i++) max += p->builders[i]->constant_count;
    PtxRelocation *relocations = module_new(p, max * sizeof *relocations);
    if (!relocations) return false;
    for (size_t i = 0; i < p->builder_count; i++)
        if (!resolve_uses(p, p->builders[i], relocations, &count)) return false;
    for (size_t i = 0; i < p->initial_count; i++)
        if (!resolve_address_initializer(p, &p->address_initializers[i], relocations, &count))
            return false;
    p->module->relocations = relocations;
    p->module->relocation_count = count;
    return true;
}
