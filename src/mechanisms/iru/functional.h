// Functional launches, and the rest of a launch that was cut.
#ifndef HEDDLE_MECHANISMS_IRU_FUNCTIONAL_H
#define HEDDLE_MECHANISMS_IRU_FUNCTIONAL_H

#include "iru.h"

// HdEngineHooks.execute. In a functional launch slice 0 gives the elements in the order of the
// array, and the other slices give none. In a launch that was cut each slice gives the elements
// that it has: those in its table, its FIFOs, its ring buffers and its lines, then those of lines
// that it owns and has not read. Nothing is merged in either.
uint32_t iru_execute(HdPlace *place, const HdEngineRequest *request, uint32_t lanes,
                     HdEngineReply *reply);

#endif
