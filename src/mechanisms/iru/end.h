// The end of the data, and of a launch.
//
// A token goes round the ring. It waits at each slice until this has read all its lines, and no
// element is in its FIFOs and ring buffers; then it adds the elements that were inserted or merged
// there. An element on its way is not in the sum. The counts of slices only grow, so a lap's sum
// that is the count of the array is right, whenever each slice was counted: all elements are in the
// tables. Another sum means another lap. The next lap tells all slices of the end. Behind the end
// the tables only shrink: one more lap waits at each slice for an empty table, and the last one
// tells all slices that no element is left anywhere.
#ifndef HEDDLE_MECHANISMS_IRU_END_H
#define HEDDLE_MECHANISMS_IRU_END_H

#include "iru.h"

void iru_token_cycle(HdPlace *place, IruCycle *c);

// The invariants at the end of a launch: at a slice, and of all slices.
void iru_check_slice(HdPlace *place);
void iru_check_all(HdPlace *gpu, const HdKernel *kernel);

#endif
