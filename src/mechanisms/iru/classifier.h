// The classifier: splits the elements of the oldest line that has come into four FIFOs.
#ifndef HEDDLE_MECHANISMS_IRU_CLASSIFIER_H
#define HEDDLE_MECHANISMS_IRU_CLASSIFIER_H

#include "iru.h"

void iru_classifier_cycle(HdPlace *place, IruCycle *c);

#endif
