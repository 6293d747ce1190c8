// Tells data-structure aware prefetching which arrays a search uses one after the other: the host's
// calls of guo2018dsap, section III.D, to the mechanism `dsap`. Without it they have no effect.
#ifndef HEDDLE_WORKLOADS_MARKS_H
#define HEDDLE_WORKLOADS_MARKS_H

#include "workloads/program.h"

// Marks the graph's offsets and edges, with elements of 4 or 8 bytes, and an array of a word for
// each vertex that a search looks at for the head of each edge.
void program_mark_graph(Program *program, HdAddress row, HdAddress column, unsigned element,
                        HdAddress visited);
// Marks the work list of the next launch: it has room for `room` elements, of which the first
// `count` are vertices to be searched. To be called before each launch, because searches swap two
// lists.
void program_mark_list(Program *program, HdAddress list, unsigned element, uint64_t room,
                       uint32_t count);

#endif
