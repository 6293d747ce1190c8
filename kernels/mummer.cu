// Longest matches of short reads with a reference, by its suffix tree, after MUMmerGPU 1.0 (Schatz
// et al., BMC Bioinformatics 2007), which is MUM among the programs of Bakhoda et al., ISPASS 2009.
// Each thread goes its own way through the tree. yilmazer2020gw uses it as an irregular workload.
#include "heddle.cuh"

typedef unsigned Quad __attribute__((ext_vector_type(4)));

enum { ROOT = 1 }; // number 0 is no node

// Where a match ends, and how much of it is known when the next one begins.
struct Walk {
    unsigned node, above; // the last node that was entered, and the one from which its edge comes
    int matched;          // bases of the read
    int skip;             // bases below `node` that need no comparison
};

// A match's last node, and its number of bases on the edge to that node; 0 if it ends at the node.
struct Match {
    unsigned node;
    short on_edge;
};

HEDDLE_INLINE unsigned child_of(Quad children, char base)
{
    switch (base) {
    case 'A': return children.x;
    case 'C': return children.y;
    case 'G': return children.z;
    case 'T': return children.w;
    default: return 0;
    }
}

// Goes down from `node` as long as the read's bases match. Returns the bases on the last edge that
// do, 0 if no edge has the next base. A zero ends the read.
HEDDLE_INLINE int descend(const Quad *__restrict__ node, const Quad *__restrict__ children,
                          const char *__restrict__ reference, const char *read, Walk *walk)
{
    int start = 0, place = 0;
    for (char base = read[walk->matched]; base;) {
        walk->above = walk->node;
        unsigned child = child_of(children[walk->above], base);
        if (!child) return 0;
        walk->node = child;
        Quad edge = node[child];
        start = edge.x;
        int end = edge.y;
        if (walk->skip) {
            int length = end - start;
            if (walk->skip >= length) {
                place = end;
                walk->matched += length;
                walk->skip -= length;
            } else {
                place = start + walk->skip;
                walk->matched += walk->skip;
                walk->skip = 0;
            }
        } else { // the first base chose the edge
            place = start + 1;
            walk->matched++;
        }
        base = read[walk->matched];
        while (place < end && base) {
            if (reference[place] != base) return place - start;
            place++;
            walk->matched++;
            base = read[walk->matched];
        }
    }
    return place - start;
}

// The suffix tree: of each node the edge from its parent, as the place of the edge's first base in
// the reference and that behind the last, then the child of $, then the suffix link; and the
// children of A, C, G and T. The reference ends with $.
//
// One thread per read, which begins at `first` and has `length` bases. At each base from which
// `least` bases are left, the thread finds the longest match that begins there, and stores it if it
// is as long as `least`. From one base to the next it takes the suffix link of the last inner node.
//
// The published program has textures for the tree and the reference, and plain loads for the rest.
// So only the former are __restrict__, which makes them loads of read-only data (ld.global.nc).
__global__ void mummer_match(const Quad *__restrict__ node, const Quad *__restrict__ children,
                             const char *__restrict__ reference, const char *reads,
                             const int *first, const int *length, Match *matches, int count,
                             int least)
{
    int number = thread_index();
    if (number >= count) return;
    int last = length[number] - least, from = first[number];
    const char *read = &reads[from];
    Match *match = &matches[from - number * least];
    Walk walk = {0, 0, 0, 0};
    for (int start = 0; start <= last; start++, read++, match++) {
        if (!walk.node || walk.matched < 0) walk = (Walk){ROOT, ROOT, 0, 0};
        int on_edge = descend(node, children, reference, read, &walk);
        if (walk.matched >= least) {
            match->node = walk.node;
            match->on_edge = on_edge;
        }
        walk.skip = on_edge;
        walk.matched -= on_edge + 1;
        walk.node = node[walk.above].w;
    }
}
