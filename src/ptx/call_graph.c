// The call graph: recursion, and the resources that the deepest chain of calls needs.
#include "ptx/internal.h"

#include <string.h>

enum { VISIT_NEW, VISIT_OPEN, VISIT_DONE };
enum { MAX_CHAIN = 10000 }; // calls in a chain: the walk is recursive

const SystemSignature system_signatures[] = {
    [SYSTEM_PRINTF] = {"vprintf", {8, 8}, 4},
    [SYSTEM_ASSERT] = {"__assertfail", {8, 8, 4, 8, 8}, 0},
    [SYSTEM_MALLOC] = {"malloc", {8}, 8},
    [SYSTEM_FREE] = {"free", {8}, 0},
};

bool system_call_of(const FunctionBuilder *callee, SystemCall *call)
{
    for (unsigned i = 0; i < sizeof system_signatures / sizeof *system_signatures; i++) {
        if (callee->defined || strcmp(callee->f.name, system_signatures[i].name) != 0) continue;
        uint32_t result = system_signatures[i].result;
        bool same = callee->param_count <= SYSTEM_ARGUMENTS &&
                    callee->result_count == (result ? 1 : 0) &&
                    (!result || callee->results[0].p.bytes == result);
        for (size_t k = 0; k < SYSTEM_ARGUMENTS; k++)
            same &= (k < callee->param_count ? callee->params[k].p.bytes : 0) ==
                    system_signatures[i].arguments[k];
        *call = (SystemCall)i;
        return same;
    }
    return false;
}

static bool fail_undefined(Parser *p, const CallSite *site, const char *name)
{
    bool ours = false, runtime = !strncmp(name, "cuda", 4); // dynamic parallelism
    for (unsigned i = 0; i < sizeof system_signatures / sizeof *system_signatures; i++)
        ours |= !strcmp(name, system_signatures[i].name);
    if (!ours && !runtime)
        return ptx_fail(p, &site->at, "function '%s' is not defined in %s", name,
                        FILES_SEARCHED(p));
    return ptx_fail(p, &site->at, "function '%s' is not defined in this file: %s", name,
                    ours ? "expected CUDA's parameters for a function of this name"
                         : "kernels cannot launch kernels or wait for them; launch them from the "
                           "host");
}

static void raise_to(uint32_t *max, uint32_t value)
{
    if (value > *max) *max = value;
}

// A chain of functions in a depth-first walk. A callee that is still on the chain closes a cycle,
// which makes all functions from the callee on recursive.
typedef struct Chain {
    FunctionBuilder *b;
    struct Chain *up;
    unsigned depth;
} Chain;

static bool visit(Parser *p, FunctionBuilder *b, Chain *up)
{
    Chain chain = {b, up, up ? up->depth + 1 : 1};
    if (chain.depth > MAX_CHAIN)
        return ptx_fail(p, &b->at, "a deeper chain of calls in '%s': expected at most %d calls",
                        b->f.name, MAX_CHAIN);
    b->visit = VISIT_OPEN;
    for (size_t i = 0; i < b->call_count; i++) {
        uint32_t number = b->calls[i].callee;
        if (number == NO_NUMBER || p->builders[number]->defined) continue;
        SystemCall system;
        if (system_call_of(p->builders[number], &system)) continue;
        fail_undefined(p, &b->calls[i], p->builders[number]->f.name);
        if (!tolerate_failure(p, &b->f)) return false;
    }
    for (size_t i = 0; i < b->callee_count; i++) {
        FunctionBuilder *callee = p->builders[b->callees[i]];
        if (callee->visit == VISIT_OPEN) {
            for (Chain *c = &chain; c; c = c->up) {
                c->b->recursive = true;
                if (c->b == callee) break;
            }
        }
        if (callee->visit == VISIT_NEW && !visit(p, callee, &chain)) return false;
    }
    b->visit = VISIT_DONE;
    return true;
}

// Adds the callees' maxima; returns whether any value changed. A function that reaches a recursive
// function has no maximum depth either. Repeating this terminates, because only recursive
// functions, whose maxima stay, form cycles.
static bool add_callees(Parser *p, FunctionBuilder *b)
{
    PtxFunction *f = &b->f, old = *f;
    for (size_t i = 0; i < b->callee_count; i++) {
        const PtxFunction *callee = &p->builders[b->callees[i]]->f;
        raise_to(&f->registers, callee->registers);
        f->allocates |= callee->allocates;
        if (b->recursive) continue;
        raise_to(&f->max_call_local, f->local_bytes + callee->max_call_local);
        raise_to(&f->max_call_slots, f->frame_slots + callee->max_call_slots);
        raise_to(&f->max_call_predicates, f->frame_predicates + callee->max_call_predicates);
        raise_to(&f->max_call_param_bytes, f->frame_param_bytes + callee->max_call_param_bytes);
        if (!callee->max_call_depth) f->max_call_depth = 0;
        else if (f->max_call_depth) raise_to(&f->max_call_depth, 1 + callee->max_call_depth);
    }
    return memcmp(&old, f, sizeof old) != 0;
}

bool calls_resolve(Parser *p)
{
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        if (b->defined && b->visit == VISIT_NEW && !visit(p, b, NULL)) return false;
    }
    for (size_t i = 0; i < p->builder_count; i++) {
        PtxFunction *f = &p->builders[i]->f;
        f->max_call_local = f->local_bytes;
        f->max_call_slots = f->frame_slots;
        f->max_call_predicates = f->frame_predicates;
        f->max_call_param_bytes = f->frame_param_bytes;
        f->recursive = p->builders[i]->recursive;
        f->max_call_depth = f->recursive ? 0 : 1;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->builder_count; i++) changed |= add_callees(p, p->builders[i]);
    }
    return true;
}
