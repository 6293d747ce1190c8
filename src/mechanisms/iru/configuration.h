// What the host says of the arrays (configure_iru of segura2022iru, section 4), and how a launch
// begins and ends.
#ifndef HEDDLE_MECHANISMS_IRU_CONFIGURATION_H
#define HEDDLE_MECHANISMS_IRU_CONFIGURATION_H

#include "iru.h"

// Hooks of a slice.
const char *iru_on_call(HdPlace *place, const HdCall *call);
void iru_on_release(HdPlace *place, uint64_t address, uint64_t bytes);
void iru_on_kernel_begin(HdPlace *place, const HdKernel *kernel);
void iru_on_kernel_end(HdPlace *place, const HdKernel *kernel);

#endif
