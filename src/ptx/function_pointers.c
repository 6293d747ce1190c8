// The call graph's nodes and edges. A node is a function, or a signature.
//
// A call through a pointer has a prototype, which gives the layout of its arguments and results. It
// can only reach functions with the same layout. All of these whose address is taken anywhere in
// the file count as callees: for recursion, registers, shared memory, and the frames of a chain of
// calls. The signature stands between them: it is a callee of each function with such a call, and
// its callees are the functions. So the graph is as large as the text, however many pointers there
// are.
#include "ptx/index_table.h"

#include "base/hash.h"

// The different signatures of functions whose address is taken, numbered from 1.
typedef struct Signatures {
    Signature *items;
    size_t count;
    IndexTable index;
} Signatures;

static uint64_t hash_layout(uint64_t hash, const Param *params, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t key[] = {params[i].p.offset, params[i].p.bytes, params[i].variadic};
        hash = hash_bytes(hash, key, sizeof key);
    }
    return hash_bytes(hash, &count, sizeof count);
}

static bool same_layouts(const void *items, uint32_t item, const void *key)
{
    return same_signature((const Signature *)items + item, key);
}

static IndexKey key_of_signature(const Signatures *all, const Signature *s, const Token *at)
{
    uint64_t hash = hash_layout(HASH_START, s->params, s->param_count);
    hash = hash_layout(hash, s->results, s->result_count);
    return (IndexKey){hash, s, all->items, same_layouts, at, "signatures"};
}

static bool is_target(const FunctionBuilder *b)
{
    return b->address_taken && b->defined && !b->f.entry;
}

static bool find_signatures(Parser *p, Signatures *all)
{
    size_t targets = 0;
    for (size_t i = 0; i < p->builder_count; i++) targets += is_target(p->builders[i]);
    *all = (Signatures){.items = scratch_new(p, targets, sizeof *all->items)};
    if (!all->items) return false;
    for (size_t i = 0; i < p->builder_count; i++) {
        FunctionBuilder *b = p->builders[i];
        if (!is_target(b)) continue;
        Signature own = signature_of(b);
        IndexKey key = key_of_signature(all, &own, &b->at);
        uint32_t *entry = index_entry(p, &all->index, &key);
        if (!entry) return false;
        if (!*entry) {
            all->items[all->count++] = own;
            *entry = (uint32_t)all->count;
        }
        b->f.signature = *entry;
    }
    return true;
}

static bool add_callee(Parser *p, FunctionBuilder *b, uint32_t node)
{
    return PUSH(p, b->callees, b->callee_count, b->callee_capacity, node);
}

// marks[i] == mark: node i is a callee already.
static bool add_callees(Parser *p, FunctionBuilder *b, const Signatures *all, uint32_t *marks,
                        uint32_t mark)
{
    for (size_t i = 0; i < b->call_count; i++) {
        CallSite *site = &b->calls[i];
        uint32_t node = site->callee;
        if (node == NO_NUMBER) {
            IndexKey key = key_of_signature(all, site->signature, NULL);
            site->copies.signature = index_find(&all->index, &key);
            if (!site->copies.signature) continue;
            node = (uint32_t)p->builder_count + site->copies.signature - 1;
        }
        if (marks[node] == mark) continue;
        marks[node] = mark;
        if (!add_callee(p, b, node)) return false;
    }
    return true;
}

bool pointers_resolve(Parser *p)
{
    Signatures all;
    if (!find_signatures(p, &all)) return false;
    size_t functions = p->builder_count;
    p->node_count = functions + all.count;
    p->nodes = scratch_new(p, p->node_count, sizeof *p->nodes);
    uint32_t *marks = scratch_new(p, p->node_count, sizeof *marks);
    FunctionBuilder *signatures = scratch_new(p, all.count, sizeof *signatures);
    if (!p->nodes || !marks || !signatures) return false;
    for (size_t i = 0; i < all.count; i++) p->nodes[functions + i] = &signatures[i];
    for (uint32_t i = 0; i < functions; i++) {
        p->nodes[i] = p->builders[i];
        if (!add_callees(p, p->nodes[i], &all, marks, i + 1)) return false;
    }
    for (uint32_t i = 0; i < functions; i++) {
        uint32_t signature = p->nodes[i]->f.signature;
        bool called = signature && marks[functions + signature - 1];
        if (called && !add_callee(p, p->nodes[functions + signature - 1], i)) return false;
    }
    return true;
}
