// Addresses of variables: offsets in shared memory and in the constant bank, and relocations for
// addresses in global memory.
//
// Different kernels may use the same bytes of shared memory: a variable gets the lowest offset at
// which it overlaps no variable that a common kernel reaches. A kernel's dynamic shared memory
// starts after its static variables. If a device function uses it, the offset is equal in all
// kernels that reach the function.
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

// ---- which variables a function and its callees use ----

static bool find_reach(Parser *p, size_t words)
{
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        b->reach = scratch_new(p, words, sizeof *b->reach);
        if (!b->reach) return false;
        for (size_t k = 0; k < b->use_count; k++) bit_set(b->reach, b->uses[k].variable);
        for (size_t k = 0; k < b->constant_count; k++)
            if (constant_is_variable(&b->constants[k])) bit_set(b->reach, b->constants[k].variable);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->builder_count; i++) {
            FunctionBuilder *b = p->builders[i];
            for (size_t k = 0; k < b->callee_count; k++) {
                const uint64_t *callee = p->builders[b->callees[k]]->reach;
                for (size_t w = 0; w < words; w++) {
                    changed |= (callee[w] & ~b->reach[w]) != 0;
                    b->reach[w] |= callee[w];
                }
            }
        }
    }
    return true;
}

// ---- shared memory ----

static bool common_kernel(const Parser *p, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < p->builder_count; i++) {
        const FunctionBuilder *b = p->builders[i];
        if (b->f.entry && bit_get(b->reach, x) && bit_get(b->reach, y)) return true;
    }
    return false;
}

// The lowest free offset for a variable, among the variables that are placed already.
static uint64_t lowest_offset(const Parser *p, uint32_t index, const bool *placed)
{
    const PtxVariable *v = &p->variables[index].v;
    uint64_t offset = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t i = 0; i < p->variable_count; i++) {
            const PtxVariable *other = &p->variables[i].v;
            if (!placed[i] || offset >= other->address + other->bytes ||
                offset + v->bytes <= other->address || !common_kernel(p, i, index))
                continue;
            offset = round_up(other->address + other->bytes, v->align);
            moved = true;
        }
    }
    return offset;
}

// Minimum alignment of dynamic shared memory: clang declares `extern __shared__ char raw[]` without
// alignment, and programs put any type there.
enum { DYNAMIC_ALIGN = 16 };

// Static shared memory of a function with its callees, in bytes. If they use dynamic shared memory,
// this is rounded up to the alignment of that memory.
static uint64_t shared_end(const Parser *p, const FunctionBuilder *b)
{
    uint64_t end = 0;
    uint32_t align = 1;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const Variable *v = &p->variables[i];
        if (v->v.space != SPACE_SHARED || !bit_get(b->reach, i)) continue;
        if (v->dynamic && align < DYNAMIC_ALIGN) align = DYNAMIC_ALIGN;
        if (v->dynamic && v->v.align > align) align = v->v.align;
        if (!v->dynamic && v->v.address + v->v.bytes > end) end = v->v.address + v->v.bytes;
    }
    return round_up(end, align);
}

static bool uses_dynamic(const Parser *p, const FunctionBuilder *b)
{
    for (uint32_t i = 0; i < p->variable_count; i++)
        if (p->variables[i].dynamic && bit_get(b->reach, i)) return true;
    return false;
}

// Makes the start of dynamic shared memory equal in callers and callees.
static void align_dynamic(Parser *p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->builder_count; i++) {
            FunctionBuilder *b = p->builders[i];
            if (!uses_dynamic(p, b)) continue;
            for (size_t k = 0; k < b->callee_count; k++) {
                FunctionBuilder *callee = p->builders[b->callees[k]];
                uint32_t *own = &b->f.shared_bytes, *other = &callee->f.shared_bytes;
                if (!uses_dynamic(p, callee) || *own == *other) continue;
                *own = *other = *own > *other ? *own : *other;
                changed = true;
            }
        }
    }
}

static bool layout_shared(Parser *p)
{
    bool *placed = scratch_new(p, p->variable_count, sizeof *placed);
    if (!placed) return false;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        Variable *v = &p->variables[i];
        if (v->v.space != SPACE_SHARED || v->dynamic) continue;
        v->v.address = lowest_offset(p, i, placed);
        placed[i] = true;
    }
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        uint64_t end = shared_end(p, b);
        if (end > UINT32_MAX)
            return ptx_fail(p, &b->at, "%llu bytes of shared memory: expected less than 4 GiB",
                            (unsigned long long)end);
        b->f.shared_bytes = (uint32_t)end;
    }
    align_dynamic(p);
    return true;
}

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
    if (!find_reach(p, p->variable_count / 64 + 1) || !layout_shared(p) || !layout_const(p))
        return false;
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
