// The end of the data, and of a launch.
//
// A token goes round the ring. It waits at each slice until the slice has read all its lines, and
// no element is in its FIFOs and ring buffers; then it adds the elements that were inserted or
// merged there. The sum does not include elements that are between two slices. The counts of slices
// only grow, so if a lap's sum is the count of the array, all elements are in the tables, whenever
// each slice was counted. If the sum differs from the count, the token makes another lap. The next
// lap tells all slices of the end, after which the tables only shrink. Another lap waits at each
// slice for an empty table, so that elements are only with guests and with requests between slices;
// a last lap reports this to all slices. The token so replaces one lap of each request without
// elements.
#ifndef HEDDLE_MECHANISMS_IRU_END_H
#define HEDDLE_MECHANISMS_IRU_END_H

#include "iru.h"

void iru_token_cycle(HdPlace *place, IruCycle *c);

// The invariants at the end of a launch: at a slice, and of all slices.
void iru_check_slice(HdPlace *place);
void iru_check_all(HdPlace *gpu, const HdKernel *kernel);

#endif
