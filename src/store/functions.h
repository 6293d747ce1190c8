// What a store adds to SQL:
//
//     counter(JSON, NAME)     the counter of this name; an error if there is none
//     counter(JSON, NAME, X)  X if there is none
//     result_text(RESULT)     the JSON of a run's result file, from the column `result`: with the
//                             instructions (pcs) of each launch, which `counters` does not have
//     fixed(X, N)             X as text with N decimal places; NULL of NULL
//     geomean(X), hmean(X)    geometric and harmonic mean of positive numbers; NULL of none
//     geomean_all(X), hmean_all(X), avg_all(X)    the same, and the arithmetic mean; NULL if one X
//                             is NULL
//     median(X)               of an even number of values the mean of the two in the middle
//     percentile(X, P)        P from 0 to 100; interpolated between the two nearest values
//
// NULL is left out by all means, as by avg. A value that is not above zero has no geometric and no
// harmonic mean, and is an error.
#ifndef HEDDLE_STORE_FUNCTIONS_H
#define HEDDLE_STORE_FUNCTIONS_H

#include "store/store.h"

bool functions_add(Store *store, HdError *err);

#endif
