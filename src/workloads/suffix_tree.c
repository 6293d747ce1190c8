// Suffix trees by Ukkonen's algorithm (Algorithmica 14, 1995).
#include "workloads/suffix_tree.h"

// The children of A, C, G, T and $.
enum { BRANCHES = BASES + 1 };

// A node while the tree is built.
typedef struct Node {
    uint32_t start, end, link;
    uint32_t child[BRANCHES];
} Node;

typedef struct Builder {
    const char *text;
    uint32_t length;
    Node *node;
    uint32_t count;         // of nodes
    // The longest suffix that is in the tree without an end of its own: it ends `active_length`
    // characters behind the node `active`, on the edge whose first character is that at `edge`.
    uint32_t active, edge, active_length;
    uint32_t waiting;       // suffixes without an end of their own
    uint32_t unlinked;      // the inner node that was made last; its link is set next
} Builder;

static unsigned branch_of(char base)
{
    switch (base) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
    default: return 4;
    }
}

static uint32_t add_node(Builder *b, uint32_t start, uint32_t end)
{
    uint32_t number = ++b->count;
    b->node[number] = (Node){.start = start, .end = end, .link = SUFFIX_ROOT};
    return number;
}

static void set_link(Builder *b, uint32_t to)
{
    if (b->unlinked) b->node[b->unlinked].link = to;
    b->unlinked = 0;
}

// Gives the edge to `child` an inner node at the active place, and that a leaf for the text from
// `at`.
static void split(Builder *b, uint32_t *child, uint32_t at)
{
    uint32_t lower = *child, start = b->node[lower].start, middle = start + b->active_length;
    uint32_t inner = add_node(b, start, middle);
    b->node[lower].start = middle;
    b->node[inner].child[branch_of(b->text[middle])] = lower;
    b->node[inner].child[branch_of(b->text[at])] = add_node(b, at, b->length);
    *child = inner;
    set_link(b, inner);
    b->unlinked = inner;
}

// Ends the longest waiting suffix with the character at `at`. Returns false if it is in the tree
// already, with all shorter ones. Leaves end at the text's end from the start.
static bool end_suffix(Builder *b, uint32_t at)
{
    for (;;) {
        if (!b->active_length) b->edge = at;
        uint32_t *child = &b->node[b->active].child[branch_of(b->text[b->edge])];
        if (!*child) {
            *child = add_node(b, at, b->length);
            set_link(b, b->active);
            return true;
        }
        uint32_t start = b->node[*child].start, length = b->node[*child].end - start;
        if (b->active_length >= length) {
            b->edge += length;
            b->active_length -= length;
            b->active = *child;
        } else if (b->text[start + b->active_length] == b->text[at]) {
            b->active_length++;
            set_link(b, b->active);
            return false;
        } else {
            split(b, child, at);
            return true;
        }
    }
}

static void build(Builder *b)
{
    b->active = add_node(b, 0, 0);
    for (uint32_t at = 0; at < b->length; at++) {
        b->unlinked = 0;
        for (b->waiting++; b->waiting && end_suffix(b, at); b->waiting--) {
            if (b->active == SUFFIX_ROOT && b->active_length) {
                b->active_length--;
                b->edge = at - b->waiting + 2;
            } else {
                b->active = b->node[b->active].link;
            }
        }
    }
}

// Numbers the nodes breadth-first.
static void number_nodes(const Builder *b, uint32_t *order, uint32_t *number, SuffixTree *tree)
{
    uint32_t known = 1;
    order[known] = SUFFIX_ROOT;
    number[SUFFIX_ROOT] = known;
    for (uint32_t at = 1; at <= known; at++) {
        const Node *from = &b->node[order[at]];
        uint32_t child[BRANCHES];
        for (int i = 0; i < BRANCHES; i++) {
            child[i] = from->child[i] ? ++known : 0;
            if (!child[i]) continue;
            const Node *below = &b->node[from->child[i]];
            order[known] = from->child[i];
            number[from->child[i]] = known;
            tree->depth[known] = tree->depth[at] + below->end - below->start;
            if (i < BASES) tree->children[at][i] = known;
        }
        tree->node[at] = (SuffixNode){from->start, from->end, child[BASES], 0};
    }
    for (uint32_t at = 1; at <= known; at++) {
        const Node *from = &b->node[order[at]];
        bool inner = at == SUFFIX_ROOT || from->end < b->length;
        tree->node[at].link = inner ? number[from->link] : 0;
    }
}

SuffixTree suffix_tree(Program *program, const char *text, uint32_t length)
{
    uint64_t room = 2 * (uint64_t)length + 1; // a leaf for each suffix, and fewer inner nodes
    Builder b = {.text = text, .length = length,
                 .node = program_scratch(program, room, sizeof *b.node)};
    SuffixTree tree = {0};
    if (!program->ok) return tree;
    build(&b);
    uint64_t used = (uint64_t)b.count + 1;
    tree.count = b.count;
    tree.node = program_scratch(program, used, sizeof *tree.node);
    tree.children = program_scratch(program, used, sizeof *tree.children);
    tree.depth = program_scratch(program, used, sizeof *tree.depth);
    uint32_t *order = program_scratch(program, used, sizeof *order);
    uint32_t *number = program_scratch(program, used, sizeof *number);
    if (program->ok) number_nodes(&b, order, number, &tree);
    return tree;
}
