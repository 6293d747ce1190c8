// Reordering of frontiers by the mechanism `iru`: the host's side of segura2022iru, section 4.
// Without the mechanism in the run, host programs launch their plain kernels with the usual
// allocations. Also the calls of the instrument `warp-phases`, which compares the two.
#ifndef HEDDLE_WORKLOADS_REORDER_H
#define HEDDLE_WORKLOADS_REORDER_H

#include "workloads/program.h"

// Elements of the arrays of one launch: a position has 24 bits. So has an index.
#define REORDER_ELEMENTS (1u << 24)

// What the engine may do with elements that have the same index; numbered as in a call.
typedef enum ReorderFilter {
    REORDER_NONE, // keep them all
    REORDER_MIN,  // keep one with the least secondary, an unsigned integer
    REORDER_ADD   // keep one, with the sum of the secondaries, which are floats
} ReorderFilter;

// Returns whether `iru` is in the run, and loads the instrumented kernels. They take the place of
// those that have the same names. Fails the program if its vertices are too many to be indices.
bool program_reorders(Program *program);

// Allocates `count` words, set to 0, as an array parallel to `other`. If the program reorders, the
// elements of both at the same position are in the same L2 slice, whose engine reads both.
HdAddress program_words_beside(Program *program, const char *name, uint64_t count,
                               HdAddress other, bool reorders);

// Configures the next launch of an instrumented kernel. The kernel reads `count` elements of the
// words `indices` and `secondary` (0: none), and accesses words of `target` by the indices.
void program_reorder(Program *program, HdAddress target, HdAddress indices, HdAddress secondary,
                     uint64_t count, ReorderFilter filter);

// Names the array of `count` words whose load `iru` takes the place of, to the instrument
// `warp-phases`: before the launch of the kernel, instrumented or not. After the launch the array
// is to be taken back, so that its loads by other kernels do not count. Without the instrument the
// calls have no effect.
void program_watch_target(Program *program, HdAddress array, uint64_t count);
void program_unwatch_target(Program *program);

#endif
