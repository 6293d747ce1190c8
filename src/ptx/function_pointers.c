// Function pointers: finds the possible callees of calls through pointers, and from that the
// callees of all functions.
//
// A call through a pointer has a prototype, which gives the layout of its arguments and results. It
// can only reach functions with the same layout. All of these whose address is taken anywhere in
// the file count as callees: for recursion, registers, shared memory, and the frames of a chain of
// calls.
#include "ptx/internal.h"

// The different signatures of functions whose address is taken, numbered from 1.
typedef struct Signatures {
    Signature *items;
    size_t count, capacity;
} Signatures;

static uint32_t find_signature(const Signatures *all, const Signature *wanted)
{
    for (size_t i = 0; i < all->count; i++) {
        if (same_signature(&all->items[i], wanted)) return (uint32_t)i + 1;
    }
    return 0;
}

// Adds a callee to b. marks[i] == mark: function i is a callee of b already.
static bool add_callee(Parser *p, FunctionBuilder *b, uint32_t callee, uint32_t *marks,
                       uint32_t mark)
{
    if (marks[callee] == mark) return true;
    marks[callee] = mark;
    return PUSH(p, b->callees, b->callee_count, b->callee_capacity, callee);
}

static bool find_callees(Parser *p, FunctionBuilder *b, const Signatures *all, uint32_t *marks,
                         uint32_t mark)
{
    for (size_t i = 0; i < b->call_count; i++) {
        CallSite *site = &b->calls[i];
        if (site->callee != NO_NUMBER) {
            if (!add_callee(p, b, site->callee, marks, mark)) return false;
            continue;
        }
        site->copies.signature = find_signature(all, site->signature);
        for (uint32_t k = 0; k < p->builder_count && site->copies.signature; k++)
            if (p->builders[k]->f.signature == site->copies.signature &&
                !add_callee(p, b, k, marks, mark))
                return false;
    }
    return true;
}

bool pointers_resolve(Parser *p)
{
    Signatures all = {0};
    uint32_t *marks = scratch_new(p, p->builder_count, sizeof *marks);
    if (!marks) return false;
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        if (!b->address_taken || !b->defined || b->f.entry) continue;
        Signature own = signature_of(b);
        b->f.signature = find_signature(&all, &own);
        if (b->f.signature) continue;
        if (!PUSH(p, all.items, all.count, all.capacity, own)) return false;
        b->f.signature = (uint32_t)all.count;
    }
    for (uint32_t i = 0; i < p->builder_count; i++)
        if (!find_callees(p, p->builders[i], &all, marks, i + 1)) return false;
    return true;
}
