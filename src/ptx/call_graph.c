// The call graph: recursion, and the resources that the deepest chain of calls needs.
#include "ptx/internal.h"
#include "ptx/system_signatures.h"

#include <string.h>

enum { MAX_CHAIN = 10000 }; // calls in a chain

const SystemSignature system_signatures[SYSTEM_CALLS] = {
    [SYSTEM_PRINTF] = {"vprintf", {8, 8}, 4},
    [SYSTEM_ASSERT] = {"__assertfail", {8, 8, 4, 8, 8}, 0},
    [SYSTEM_MALLOC] = {"malloc", {8}, 8},
    [SYSTEM_FREE] = {"free", {8}, 0},
};

bool system_call_of(const FunctionBuilder *callee, SystemCall *call)
{
    for (unsigned i = 0; i < SYSTEM_CALLS; i++) {
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
    for (unsigned i = 0; i < SYSTEM_CALLS; i++)
        ours |= !strcmp(name, system_signatures[i].name);
    if (!ours && !runtime)
        return ptx_fail(p, &site->at, "function '%s' is not defined in %s", name,
                        FILES_SEARCHED(p));
    return ptx_fail(p, &site->at, "function '%s' is not defined in this file: %s", name,
                    ours ? "expected CUDA's parameters for a function of this name"
                         : "kernels cannot launch kernels or wait for them; launch them from the "
                           "host");
}

// ---- groups of nodes that call each other ----

// Orders the nodes: callees in front of callers, and the members of a group next to each other.
static bool order_nodes(Parser *p)
{
    size_t n = p->node_count, edges = 0;
    uint32_t *group = scratch_new(p, n, sizeof *group);
    Graph g = {.count = (uint32_t)n, .first = scratch_new(p, n + 1, sizeof *g.first)};
    for (size_t i = 0; i < n; i++) edges += p->nodes[i]->callee_count;
    g.to = scratch_new(p, edges, sizeof *g.to);
    p->order = scratch_new(p, n, sizeof *p->order);
    if (!group || !g.first || !g.to || !p->order) return false;
    edges = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < p->nodes[i]->callee_count; k++)
            g.to[edges++] = p->nodes[i]->callees[k];
        g.first[i + 1] = (uint32_t)edges;
    }
    if (!components_find(p, &g, group, p->order)) return false;
    for (size_t i = 0; i < n; i++) p->nodes[i]->group = group[i];
    return true;
}

size_t group_end(const Parser *p, size_t first)
{
    size_t end = first;
    uint32_t group = p->nodes[p->order[first]]->group;
    while (end < p->node_count && p->nodes[p->order[end]]->group == group) end++;
    return end;
}

// ---- what chains of calls need ----

static bool calls_itself(const FunctionBuilder *b, uint32_t node)
{
    for (size_t i = 0; i < b->callee_count; i++)
        if (b->callees[i] == node) return true;
    return false;
}

static void raise_to(uint32_t *max, uint32_t value)
{
    if (value > *max) *max = value;
}

// Raises *max to own + callee. false: more than 32 bits.
static bool raise_to_sum(uint32_t *max, uint32_t own, uint32_t callee)
{
    uint32_t sum;
    if (__builtin_add_overflow(own, callee, &sum)) return false;
    raise_to(max, sum);
    return true;
}

// Adds the maxima of the callees, which are known, to a node that does not call itself. A function
// that reaches a recursive function has no maximum depth either.
static bool add_callees(Parser *p, FunctionBuilder *b)
{
    PtxFunction *f = &b->f;
    uint32_t own = f->max_call_depth, depth = own;
    bool bounded = true;
    for (size_t i = 0; i < b->callee_count; i++) {
        const PtxFunction *callee = &p->nodes[b->callees[i]]->f;
        if (!raise_to_sum(&f->max_call_local, f->local_bytes, callee->max_call_local) ||
            !raise_to_sum(&f->max_call_slots, f->frame_slots, callee->max_call_slots) ||
            !raise_to_sum(&f->max_call_predicates, f->frame_predicates,
                          callee->max_call_predicates) ||
            !raise_to_sum(&f->max_call_param_bytes, f->frame_param_bytes,
                          callee->max_call_param_bytes))
            return ptx_fail(p, &b->at, "'%s' and the functions that it calls need 4 GiB or more of "
                                       ".local or .param variables: expected less", f->name);
        bounded &= callee->max_call_depth != 0;
        raise_to(&depth, own + callee->max_call_depth);
    }
    f->max_call_depth = bounded ? depth : 0;
    return depth <= MAX_CHAIN ||
           ptx_fail(p, &b->at, "a deeper chain of calls in '%s': expected at most %d calls",
                    f->name, MAX_CHAIN);
}

// The members of a group have the registers and the stack of all of them, and of their callees.
static void share_maxima(Parser *p, size_t first, size_t end)
{
    uint32_t registers = 0;
    bool allocates = false;
    for (size_t i = first; i < end; i++) {
        const FunctionBuilder *b = p->nodes[p->order[i]];
        raise_to(&registers, b->f.registers);
        allocates |= b->f.allocates;
        for (size_t k = 0; k < b->callee_count; k++) {
            const PtxFunction *callee = &p->nodes[b->callees[k]]->f;
            raise_to(&registers, callee->registers);
            allocates |= callee->allocates;
        }
    }
    for (size_t i = first; i < end; i++) {
        p->nodes[p->order[i]]->f.registers = registers;
        p->nodes[p->order[i]]->f.allocates = allocates;
    }
}

// Fails if a function calls another one that nothing defines, or a kernel; lenient: the function is
// unusable.
static bool check_callees(Parser *p, FunctionBuilder *b)
{
    for (size_t i = 0; i < b->call_count; i++) {
        const CallSite *site = &b->calls[i];
        if (site->callee == NO_NUMBER) continue;
        const FunctionBuilder *callee = p->builders[site->callee];
        SystemCall system;
        if (callee->defined && callee->f.entry)
            ptx_fail(p, &site->at, "a call of the kernel '%s': expected a function",
                     callee->f.name);
        else if (callee->defined || system_call_of(callee, &system)) continue;
        else fail_undefined(p, site, callee->f.name);
        if (!tolerate_failure(p, &b->f)) return false;
    }
    return true;
}

bool calls_resolve(Parser *p)
{
    for (size_t i = 0; i < p->builder_count; i++)
        if (!check_callees(p, p->builders[i])) return false;
    if (!order_nodes(p)) return false;
    for (size_t first = 0, end; first < p->node_count; first = end) {
        end = group_end(p, first);
        FunctionBuilder *b = p->nodes[p->order[first]];
        bool recursive = end - first > 1 || calls_itself(b, p->order[first]);
        share_maxima(p, first, end);
        for (size_t i = first; i < end; i++) {
            PtxFunction *f = &p->nodes[p->order[i]]->f;
            f->max_call_local = f->local_bytes;
            f->max_call_slots = f->frame_slots;
            f->max_call_predicates = f->frame_predicates;
            f->max_call_param_bytes = f->frame_param_bytes;
            f->recursive = recursive;
            // A signature is no call of its own.
            f->max_call_depth = recursive ? 0 : p->order[i] < p->builder_count;
        }
        if (!recursive && !add_callees(p, b)) return false;
    }
    return true;
}
