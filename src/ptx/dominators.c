// Dominators of basic blocks, and strong components of graphs.
//
// Both take near-linear time on every graph: PTX from elsewhere may have any control flow. No
// function here is recursive.
#include "ptx/internal.h"

// ---- dominators: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph"
// (1979), with path compression: O(edges x log blocks) ----

// Nodes are blocks and, for post-dominators, the virtual exit: node block_count. Everything behind
// `nodes` is by position in the walk.
typedef struct Walk {
    const FunctionBuilder *b;
    bool post; // walks backward from the virtual exit; else forward from block 0
    bool *ends; // blocks with an edge to the virtual exit
    uint32_t *position; // by node: place in the walk, or NO_NUMBER
    uint32_t *nodes, count;
    uint32_t *parent; // in the walk's tree
    uint32_t *edge;   // the next edge to follow
    uint32_t *semi, *label, *ancestor, *dominator;
    uint32_t *bucket, *next; // lists of the nodes with one semi-dominator
    uint32_t *stack;
} Walk;

static uint32_t visit(Walk *w, uint32_t node, uint32_t parent)
{
    uint32_t at = w->position[node] = w->count++;
    w->nodes[at] = node;
    w->parent[at] = parent;
    w->semi[at] = w->label[at] = at;
    w->ancestor[at] = w->bucket[at] = NO_NUMBER;
    return at;
}

// Depth-first walk from a block.
static void walk_from(Walk *w, uint32_t block, uint32_t parent)
{
    uint32_t depth = 0;
    if (w->position[block] != NO_NUMBER) return;
    w->stack[depth++] = visit(w, block, parent);
    while (depth) {
        uint32_t at = w->stack[depth - 1];
        const Block *from = &w->b->blocks[w->nodes[at]];
        if (w->edge[at] == (w->post ? from->previous_count : from->next_count)) {
            depth--;
            continue;
        }
        uint32_t to = (w->post ? from->previous : from->next)[w->edge[at]++];
        if (w->position[to] == NO_NUMBER) w->stack[depth++] = visit(w, to, at);
    }
}

// Walks backward from all blocks. For infinite loops, from which no path leads to the end, adds
// edges to the virtual exit one at a time, from the last block of the text backward.
static void walk_backward(Walk *w)
{
    uint32_t n = w->b->block_count, exit = visit(w, n, NO_NUMBER);
    for (uint32_t i = 0; i < n; i++) {
        w->ends[i] = w->b->blocks[i].exits;
        if (w->ends[i]) walk_from(w, i, exit);
    }
    for (uint32_t i = n; i-- > 0;) {
        if (w->position[i] != NO_NUMBER) continue;
        w->ends[i] = true;
        walk_from(w, i, exit);
    }
}

// The node with the smallest semi-dominator on the way up the linked tree.
static uint32_t evaluate(Walk *w, uint32_t at)
{
    uint32_t depth = 0, up = at;
    if (w->ancestor[at] == NO_NUMBER) return at;
    while (w->ancestor[w->ancestor[up]] != NO_NUMBER) {
        w->stack[depth++] = up;
        up = w->ancestor[up];
    }
    while (depth) {
        up = w->stack[--depth];
        uint32_t above = w->ancestor[up];
        if (w->semi[w->label[above]] < w->semi[w->label[up]]) w->label[up] = w->label[above];
        w->ancestor[up] = w->ancestor[above];
    }
    return w->label[at];
}

static void find_semi(Walk *w, uint32_t at)
{
    const Block *block = &w->b->blocks[w->nodes[at]];
    uint32_t count = w->post ? block->next_count : block->previous_count;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t from = w->position[(w->post ? block->next : block->previous)[k]];
        if (from == NO_NUMBER) continue;
        uint32_t semi = w->semi[evaluate(w, from)];
        if (semi < w->semi[at]) w->semi[at] = semi;
    }
    if (w->post && w->ends[w->nodes[at]]) w->semi[at] = 0;
    w->next[at] = w->bucket[w->semi[at]];
    w->bucket[w->semi[at]] = at;
}

static void find_dominators(Walk *w)
{
    for (uint32_t at = w->count; at-- > 1;) {
        uint32_t parent = w->parent[at];
        find_semi(w, at);
        w->ancestor[at] = parent;
        for (uint32_t k = w->bucket[parent]; k != NO_NUMBER; k = w->next[k]) {
            uint32_t least = evaluate(w, k);
            w->dominator[k] = w->semi[least] < w->semi[k] ? least : parent;
        }
        w->bucket[parent] = NO_NUMBER;
    }
    for (uint32_t at = 1; at < w->count; at++)
        if (w->dominator[at] != w->semi[at]) w->dominator[at] = w->dominator[w->dominator[at]];
}

// Numbers the blocks in an order of the tree of dominators. next: scratch memory, by block.
static void number_blocks(Dominators *d, uint32_t *next)
{
    for (uint32_t i = d->count; i-- > 0;) { // for now, `end` is how many the block dominates
        uint32_t block = d->order[i], above = d->of[block];
        d->end[block]++;
        if (above != NO_NUMBER) d->end[above] += d->end[block];
    }
    for (uint32_t i = 0; i < d->count; i++) { // and `next` the next number below the block
        uint32_t block = d->order[i], above = d->of[block];
        if (above != NO_NUMBER) {
            d->start[block] = next[above];
            next[above] += d->end[block];
        }
        next[block] = d->start[block] + 1;
        d->end[block] += d->start[block];
    }
}

bool dominators_find(Parser *p, const FunctionBuilder *b, bool post, Dominators *d)
{
    uint32_t n = b->block_count;
    size_t nodes = (size_t)n + 1;
    Walk w = {.b = b, .post = post, .ends = scratch_new(p, n, sizeof *w.ends)};
    uint32_t **arrays[] = {&w.position, &w.nodes,     &w.parent, &w.edge, &w.semi,     &w.label,
                           &w.ancestor, &w.dominator, &w.bucket, &w.next, &w.stack};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = scratch_new(p, nodes, sizeof(uint32_t)))) return false;
    d->of = scratch_new(p, n, sizeof *d->of);
    if (!w.ends || !d->of) return false;
    for (uint32_t i = 0; i <= n; i++) w.position[i] = NO_NUMBER;
    if (post) walk_backward(&w);
    else walk_from(&w, 0, NO_NUMBER);
    find_dominators(&w);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = w.position[i];
        uint32_t node = at == NO_NUMBER || !at ? n : w.nodes[w.dominator[at]];
        d->of[i] = node == n ? NO_NUMBER : node;
    }
    d->order = w.nodes;
    d->count = w.count;
    if (post) return true;
    d->start = scratch_new(p, n, sizeof *d->start);
    d->end = scratch_new(p, n, sizeof *d->end);
    if (!d->start || !d->end) return false;
    number_blocks(d, w.stack);
    return true;
}

// ---- strong components: Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972) ----

bool components_find(Parser *p, const Graph *g, uint32_t *component, uint32_t *order)
{
    uint32_t *visited = scratch_new(p, g->count, sizeof *visited); // order of the walk, from 1
    uint32_t *low = scratch_new(p, g->count, sizeof *low);
    uint32_t *edge = scratch_new(p, g->count, sizeof *edge);
    uint32_t *path = scratch_new(p, g->count, sizeof *path); // of the walk
    uint32_t *open = scratch_new(p, g->count, sizeof *open); // nodes without a component so far
    uint32_t walked = 0, opened = 0, components = 0;
    if (!visited || !low || !edge || !path || !open) return false;
    for (uint32_t root = 0; root < g->count; root++) {
        uint32_t depth = 0;
        if (!visited[root]) path[depth++] = root;
        while (depth) {
            uint32_t node = path[depth - 1];
            if (!visited[node]) {
                visited[node] = low[node] = ++walked;
                open[opened++] = node;
                component[node] = NO_NUMBER;
                edge[node] = g->first[node];
            }
            if (edge[node] < g->first[node + 1]) {
                uint32_t to = g->to[edge[node]++];
                if (!visited[to]) path[depth++] = to;
                else if (component[to] == NO_NUMBER && visited[to] < low[node])
                    low[node] = visited[to];
                continue;
            }
            depth--;
            if (depth && low[node] < low[path[depth - 1]]) low[path[depth - 1]] = low[node];
            if (low[node] != visited[node]) continue;
            do {
                component[open[--opened]] = components;
                *order++ = open[opened];
            } while (open[opened] != node);
            components++;
        }
    }
    return true;
}
