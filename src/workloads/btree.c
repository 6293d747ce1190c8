// Look-ups in a B+tree: the host program, which builds the tree.
#include "base/bits.h"
#include "base/random.h"
#include "workloads/kernels.h"
#include "workloads/program.h"

#include <limits.h>

// Stream number of the draws of queries (base/random.h).
enum { RANDOM_USER_QUERIES = 0x51554552 };

enum { KEYS, QUERIES, ORDER, SEED };

static const HdParameter parameters[] = {
    [KEYS] = {.name = "keys", .description = "keys in the tree, one record each",
              .value = 1 << 20, .min = 1, .max = 1 << 24, .kind = HD_WHOLE},
    [QUERIES] = {.name = "queries", .description = "keys that are looked up, a block each",
                 .value = 10000, .min = 1, .max = 1 << 20, .kind = HD_WHOLE},
    [ORDER] = {.name = "order", .description = "most children of a node; nodes are half full",
               .value = 256, .min = 4, .max = 1024, .kind = HD_WHOLE},
    [SEED] = WORKLOAD_SEED("of the queries drawn; 0: 0, 1, 2, ..., for results known by hand"),
    {0},
};

// The greatest number of levels: 2^24 keys, two to a node.
enum { MOST_LEVELS = 26, MISSING = -1 };

typedef struct BTree {
    Program program;
    uint32_t keys, queries, order, fill; // fill: children of an inner node, keys of a leaf
    uint32_t levels;
    uint64_t count[MOST_LEVELS]; // nodes of each level; level 0 is the root
    uint64_t nodes, words;       // nodes of all levels; words of a node
    int32_t *node;
} BTree;

// Keys are the whole numbers from 0, but each sixteenth is left out, so that some queries find
// nothing.
enum { RUN = 16 };
static int32_t key_at(uint64_t index) { return (int32_t)(index + index / (RUN - 1)); }
static int32_t record_at(uint64_t index) { return (int32_t)(3 * index); }

// ---- the tree ----

// Counts the nodes of each level, from the leaves up, then turns the order.
static void count_nodes(BTree *t)
{
    uint64_t up[MOST_LEVELS];
    up[t->levels++] = divide_up(t->keys, t->fill);
    while (up[t->levels - 1] > 1) {
        up[t->levels] = divide_up(up[t->levels - 1], t->fill);
        t->levels++;
    }
    for (uint32_t level = 0; level < t->levels; level++) {
        t->count[level] = up[t->levels - 1 - level];
        t->nodes += t->count[level];
    }
}

// Fills in a node of `used` children (in a leaf: keys), which begin at number `first` of their
// level and have `span` keys each. Node numbers of that level begin at `target`. The layout is
// Rodinia's: the first key is below all others, free ones are above, and a leaf's own begin behind
// the first.
static void fill_node(BTree *t, uint64_t number, uint64_t first, uint32_t used, uint64_t span,
                      uint64_t target, bool leaf)
{
    int32_t *node = &t->node[number * t->words], *child = node + 1, *key = child + t->order + 1;
    node[0] = (int32_t)number;
    key[0] = INT_MIN;
    for (uint32_t i = 1; i <= t->order; i++) key[i] = INT_MAX;
    for (uint32_t i = 0; i < used; i++) {
        child[i + leaf] = (int32_t)(target + first + i);
        if (i + leaf) key[i + leaf] = key_at((first + i) * span);
    }
    key[t->order + 1] = leaf;
    key[t->order + 2] = (int32_t)used + 1 + leaf;
}

static void build(BTree *t)
{
    uint64_t level_start = 0, span = 1; // the level's first node; keys of a subtree of a node
    for (uint32_t level = 1; level < t->levels; level++) span *= t->fill;
    for (uint32_t level = 0; level < t->levels; level++, span /= t->fill) {
        bool leaf = level + 1 == t->levels;
        uint64_t below = leaf ? t->keys : t->count[level + 1];
        uint64_t target = leaf ? 0 : level_start + t->count[level]; // number of the first child
        for (uint64_t at = 0; at < t->count[level]; at++) {
            uint64_t first = at * t->fill, left = below - first;
            fill_node(t, level_start + at, first, (uint32_t)(left < t->fill ? left : t->fill), span,
                      target, leaf);
        }
        level_start += t->count[level];
    }
}

// ---- queries ----

// Checks each answer against the rule by which keys and records were made, without the tree.
static void check(BTree *t, const int32_t *query, const int32_t *answer)
{
    Program *program = &t->program;
    uint64_t found = 0, sum = 0;
    for (uint32_t q = 0; q < t->queries; q++) {
        uint32_t key = (uint32_t)query[q], index = key / RUN * (RUN - 1) + key % RUN;
        bool there = key % RUN != RUN - 1 && index < t->keys;
        int32_t expected = there ? record_at(index) : MISSING;
        if (answer[q] != expected)
            program_mismatch(program, "answer[%u] is %d: expected %d, the record of key %u", q,
                             answer[q], expected, key);
        found += there;
        sum += there ? (uint32_t)expected : 0;
    }
    program_answer(program, "found", found);
    program_answer(program, "sum", sum);
    program_answer(program, "levels", t->levels);
}

static bool run(HdDevice *device, const WorkloadInput *input, WorkloadResult *result, HdError *err)
{
    BTree t = {.program = program_begin(device, input, result, err),
               .keys = (uint32_t)input->parameters[KEYS],
               .queries = (uint32_t)input->parameters[QUERIES],
               .order = (uint32_t)input->parameters[ORDER]};
    Program *program = &t.program;
    uint64_t seed = (uint64_t)input->parameters[SEED];
    t.fill = t.order / 2;
    t.words = 2 * (uint64_t)t.order + 5;
    count_nodes(&t);
    t.node = program_scratch(program, t.nodes * t.words, sizeof *t.node);
    int32_t *record = program_scratch(program, t.keys, sizeof *record);
    int32_t *query = program_scratch(program, t.queries, sizeof *query);
    int32_t *answer = program_scratch(program, t.queries, sizeof *answer);
    uint64_t range = (uint64_t)key_at(t.keys - 1) + 1;
    if (program->ok) build(&t);
    for (uint32_t i = 0; program->ok && i < t.keys; i++) record[i] = record_at(i);
    for (uint32_t q = 0; program->ok && q < t.queries; q++) {
        uint64_t draw = seed ? random_draw(seed, RANDOM_USER_QUERIES, 0, q) >> 32 : q;
        query[q] = (int32_t)(seed ? draw * range >> 32 : draw % range);
        answer[q] = MISSING;
    }
    HdAddress to_node = program_array(program, "node", t.node, t.nodes * t.words * sizeof *t.node);
    HdAddress to_record = program_array(program, "record", record, t.keys * sizeof *record);
    HdAddress to_query = program_array(program, "query", query, t.queries * sizeof *query);
    HdAddress to_current = program_array(program, "current", NULL, t.queries * sizeof(int64_t));
    HdAddress to_next = program_array(program, "next", NULL, t.queries * sizeof(int64_t));
    HdAddress to_answer = program_array(program, "answer", answer, t.queries * sizeof *answer);
    PROGRAM_LAUNCH(program, "btree_find", (uint64_t)t.queries * input->block,
                   (WorkCounters){.active_vertices = t.queries}, hd_buffer(to_node),
                   hd_buffer(to_record), hd_buffer(to_query), hd_buffer(to_current),
                   hd_buffer(to_next), hd_buffer(to_answer), hd_i32((int32_t)t.levels),
                   hd_i32((int32_t)t.order));
    if (program_read(program, answer, to_answer, t.queries * sizeof *answer))
        check(&t, query, answer);
    return program_end(program);
}

static const Implementation implementations[] = {
    IMPLEMENTATION("block", btree, run,
        "Rodinia (Che et al., IISWC 2009), findK of b+tree (B+tree of khairy2015)",
        "one block per query, whose threads compare all keys of a node"),
    {0},
};

const Workload workload_btree = {
    .name = "btree",
    .doc = "look-ups in a B+tree: the record of each key that is queried",
    .answer = "found: queries with a record; sum: of these records; levels: of the tree",
    .check = "each record, exactly, by the rule that made keys and records, without the tree",
    .small = "queries=40 keys=2000 order=32",
    .implementations = implementations,
    .parameters = parameters,
};
