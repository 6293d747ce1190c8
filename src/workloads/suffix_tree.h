// Suffix trees of a sequence of bases.
#ifndef HEDDLE_WORKLOADS_SUFFIX_TREE_H
#define HEDDLE_WORKLOADS_SUFFIX_TREE_H

#include "workloads/program.h"

enum { SUFFIX_ROOT = 1, BASES = 4 }; // number 0 is no node

// A node, as in kernels/mummer.cu: the edge from its parent has the text from `start` to before
// `end`. A leaf has no suffix link.
typedef struct SuffixNode {
    uint32_t start, end, stop_child, link;
} SuffixNode;

typedef struct SuffixTree {
    uint32_t count;               // of nodes, without number 0
    SuffixNode *node;             // by number: breadth-first from the root
    uint32_t (*children)[BASES];  // of A, C, G and T
    uint32_t *depth;              // characters from the root
} SuffixTree;

// Builds the tree of a text of A, C, G and T with $ at the end, `length` characters in all, less
// than 2^30. On failure the program has failed. The memory is the program's scratch.
SuffixTree suffix_tree(Program *program, const char *text, uint32_t length);

#endif
