// Addresses of variables in shared memory.
//
// Different kernels may use the same bytes of shared memory: a variable gets the lowest offset at
// which it overlaps no variable that a common kernel reaches. A kernel's dynamic shared memory
// starts after its static variables. If a device function uses it, the offset is equal in all
// kernels that reach the function.
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

// Minimum alignment of dynamic shared memory: clang declares `extern __shared__ char raw[]` without
// alignment, and programs put any type there.
enum { DYNAMIC_ALIGN = 16 };

// Steps of all loops over kernels and the variables that they share. A module of a few thousand
// kernels takes a few thousand steps.
enum { MAX_STEPS = 1 << 24 };

typedef struct Bytes { uint64_t start, end; } Bytes;

// A kernel's occupied shared memory: in ascending order, and not next to each other.
typedef struct Occupied {
    Bytes *ranges;
    size_t count, capacity;
} Occupied;

// A kernel that reaches a variable.
typedef struct Reach { uint32_t variable, kernel; } Reach;

typedef struct SharedLayout {
    Parser *p;
    uint32_t *marks; // by node, then by variable: the kernel that reached it last, + 1
    uint32_t *path;  // nodes still to visit
    Reach *reached;
    size_t reached_count, reached_capacity;
    Occupied *occupied; // by builder
    uint64_t steps;
} SharedLayout;

static bool count_steps(SharedLayout *l, const Token *at, uint64_t steps)
{
    l->steps += steps;
    return l->steps <= MAX_STEPS ||
           ptx_fail(l->p, at, "placing the .shared variables takes too many steps: expected fewer "
                              "variables, or fewer kernels that share them");
}

// ---- which functions use shared memory ----

// Calls `use` for each .shared variable that the function itself uses.
static bool each_shared(SharedLayout *l, FunctionBuilder *b,
                        bool (*use)(SharedLayout *, FunctionBuilder *, uint32_t variable))
{
    const Parser *p = l->p;
    for (size_t i = 0; i < b->use_count; i++) {
        uint32_t variable = b->uses[i].variable;
        if (p->variables[variable].v.space == SPACE_SHARED && !use(l, b, variable)) return false;
    }
    for (size_t i = 0; i < b->constant_count; i++) {
        uint32_t variable = b->constants[i].variable;
        if (constant_is_variable(&b->constants[i]) &&
            p->variables[variable].v.space == SPACE_SHARED && !use(l, b, variable))
            return false;
    }
    return true;
}

static bool add_use(SharedLayout *l, FunctionBuilder *b, uint32_t variable)
{
    const Variable *v = &l->p->variables[variable];
    SharedUse *use = &b->shared;
    uint64_t end = v->v.address + v->v.bytes;
    if (v->dynamic) {
        use->dynamic = true;
        if (use->align < DYNAMIC_ALIGN) use->align = DYNAMIC_ALIGN;
        if (use->align < v->v.align) use->align = v->v.align;
        return true;
    }
    use->fixed = true;
    if (use->end < end) use->end = end;
    return true;
}

static void join_use(SharedUse *to, const SharedUse *from)
{
    to->fixed |= from->fixed;
    to->dynamic |= from->dynamic;
    if (to->align < from->align) to->align = from->align;
    if (to->end < from->end) to->end = from->end;
}

// Finds what each node and its callees use, with the addresses as far as they are known.
static void find_uses(SharedLayout *l)
{
    Parser *p = l->p;
    for (size_t first = 0, end; first < p->node_count; first = end) {
        SharedUse all = {0};
        end = group_end(p, first);
        for (size_t i = first; i < end; i++) {
            FunctionBuilder *b = p->nodes[p->order[i]];
            each_shared(l, b, add_use);
            join_use(&all, &b->shared);
            for (size_t k = 0; k < b->callee_count; k++)
                join_use(&all, &p->nodes[b->callees[k]]->shared);
        }
        for (size_t i = first; i < end; i++) p->nodes[p->order[i]]->shared = all;
    }
}

// ---- which kernels reach a variable ----

static bool add_reach(SharedLayout *l, FunctionBuilder *b, uint32_t variable)
{
    Parser *p = l->p;
    uint32_t kernel = l->path[0], *mark = &l->marks[p->node_count + variable];
    (void)b;
    if (p->variables[variable].dynamic || *mark == kernel + 1) return true;
    *mark = kernel + 1;
    return PUSH(p, l->reached, l->reached_count, l->reached_capacity, (Reach){variable, kernel});
}

// Visits the functions that a kernel reaches. path[0] stays the kernel.
static bool reach_from(SharedLayout *l, uint32_t kernel)
{
    Parser *p = l->p;
    size_t count = 0, before = l->reached_count;
    l->path[count++] = kernel;
    l->path[count++] = kernel;
    while (count > 1) {
        FunctionBuilder *b = p->nodes[l->path[--count]];
        if (!count_steps(l, &p->nodes[kernel]->at, 1 + b->callee_count + b->use_count) ||
            !each_shared(l, b, add_reach))
            return false;
        for (size_t k = 0; k < b->callee_count; k++) {
            uint32_t callee = b->callees[k];
            if (!p->nodes[callee]->shared.fixed || l->marks[callee] == kernel + 1) continue;
            l->marks[callee] = kernel + 1;
            l->path[count++] = callee;
        }
    }
    return count_steps(l, &p->nodes[kernel]->at, 4 * (l->reached_count - before));
}

static int by_variable(const void *x, const void *y)
{
    const Reach *a = x, *b = y;
    if (a->variable != b->variable) return a->variable < b->variable ? -1 : 1;
    return a->kernel < b->kernel ? -1 : 1;
}

static bool find_reached(SharedLayout *l)
{
    Parser *p = l->p;
    for (uint32_t i = 0; i < p->builder_count; i++) {
        const FunctionBuilder *b = p->builders[i];
        if (b->f.entry && b->shared.fixed && !reach_from(l, i)) return false;
    }
    if (l->reached_count)
        qsort(l->reached, l->reached_count, sizeof *l->reached, by_variable);
    return true;
}

// ---- offsets ----

// The first range that ends behind the offset; o->count if there is none.
static size_t range_behind(const Occupied *o, uint64_t offset)
{
    size_t low = 0, high = o->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->ranges[middle].end > offset) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The lowest offset that is free in all kernels which reach the variable: reached[first] and on.
static bool find_offset(SharedLayout *l, Variable *v, size_t first, size_t end)
{
    uint64_t offset = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = first; i < end; i++) {
            const Occupied *o = &l->occupied[l->reached[i].kernel];
            size_t at = range_behind(o, offset);
            if (at == o->count || o->ranges[at].start >= offset + v->v.bytes) continue;
            offset = round_up(o->ranges[at].end, v->v.align);
            moved = true;
        }
        if (!count_steps(l, &v->at, end - first)) return false;
    }
    v->v.address = offset;
    return true;
}

// Adds free bytes to those that the kernel occupies.
static bool occupy(SharedLayout *l, const Token *at, Occupied *o, Bytes bytes)
{
    size_t i = range_behind(o, bytes.start);
    bool below = i && o->ranges[i - 1].end == bytes.start;
    bool above = i < o->count && o->ranges[i].start == bytes.end;
    if (below) {
        o->ranges[i - 1].end = above ? o->ranges[i].end : bytes.end;
        if (!above) return true;
        o->count--;
        memmove(&o->ranges[i], &o->ranges[i + 1], (o->count - i) * sizeof *o->ranges);
    } else if (above) {
        o->ranges[i].start = bytes.start;
    } else {
        if (!PUSH(l->p, o->ranges, o->count, o->capacity, bytes)) return false;
        memmove(&o->ranges[i + 1], &o->ranges[i], (o->count - 1 - i) * sizeof *o->ranges);
        o->ranges[i] = bytes;
    }
    return count_steps(l, at, (o->count - i) / 64);
}

static bool place_variables(SharedLayout *l)
{
    for (size_t first = 0, end; first < l->reached_count; first = end) {
        Variable *v = &l->p->variables[l->reached[first].variable];
        for (end = first + 1; end < l->reached_count; end++)
            if (l->reached[end].variable != l->reached[first].variable) break;
        if (!find_offset(l, v, first, end)) return false;
        Bytes bytes = {v->v.address, v->v.address + v->v.bytes};
        for (size_t i = first; i < end && v->v.bytes; i++)
            if (!occupy(l, &v->at, &l->occupied[l->reached[i].kernel], bytes)) return false;
    }
    return true;
}

// ---- dynamic shared memory ----

static uint32_t root_of(uint32_t *parents, uint32_t node)
{
    while (parents[node] != node) node = parents[node] = parents[parents[node]];
    return node;
}

// Makes the start of dynamic shared memory equal in callers and callees.
static bool align_dynamic(Parser *p)
{
    uint32_t *parents = scratch_new(p, p->node_count, sizeof *parents);
    if (!parents) return false;
    for (uint32_t i = 0; i < p->node_count; i++) parents[i] = i;
    for (uint32_t i = 0; i < p->node_count; i++) {
        const FunctionBuilder *b = p->nodes[i];
        for (size_t k = 0; k < b->callee_count; k++) {
            uint32_t callee = b->callees[k];
            if (!b->shared.dynamic || !p->nodes[callee]->shared.dynamic) continue;
            uint32_t x = root_of(parents, i), y = root_of(parents, callee);
            uint32_t *own = &p->nodes[x]->f.shared_bytes, other = p->nodes[y]->f.shared_bytes;
            if (*own < other) *own = other;
            parents[y] = x;
        }
    }
    for (uint32_t i = 0; i < p->node_count; i++)
        p->nodes[i]->f.shared_bytes = p->nodes[root_of(parents, i)]->f.shared_bytes;
    return true;
}

// Static shared memory of each function with its callees, in bytes. If they use dynamic shared
// memory, this is rounded up to the alignment of that memory.
static bool set_sizes(Parser *p)
{
    for (size_t i = 0; i < p->node_count; i++) {
        FunctionBuilder *b = p->nodes[i];
        uint64_t end = round_up(b->shared.end, b->shared.align ? b->shared.align : 1);
        if (end > UINT32_MAX)
            return ptx_fail(p, &b->at, "%llu bytes of shared memory: expected less than 4 GiB",
                            (unsigned long long)end);
        b->f.shared_bytes = (uint32_t)end;
    }
    return align_dynamic(p);
}

bool layout_shared(Parser *p)
{
    SharedLayout l = {.p = p,
                      .marks = scratch_new(p, p->node_count + p->variable_count, sizeof *l.marks),
                      .path = scratch_new(p, p->node_count + 2, sizeof *l.path),
                      .occupied = scratch_new(p, p->builder_count, sizeof *l.occupied)};
    if (!l.marks || !l.path || !l.occupied) return false;
    find_uses(&l);
    if (!find_reached(&l) || !place_variables(&l)) return false;
    find_uses(&l); // now with addresses
    return set_sizes(p);
}
