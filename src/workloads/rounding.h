// How far 32-bit floats may be from what they stand for, where nothing is subtracted.
#ifndef HEDDLE_WORKLOADS_ROUNDING_H
#define HEDDLE_WORKLOADS_ROUNDING_H

#include <math.h>

// Rounding to the nearest float multiplies a number by 1 + d with |d| at most this.
#define FLOAT_UNIT 0x1p-24

// A sum of products, all positive, each of which has been rounded up to `count` times on its way
// into the sum, operands of divisions included, differs from the true one by at most this part of
// it: the product of `count` factors 1 + d, or 1 / (1 + d), differs from 1 by at most
// (1 - unit)^-count - 1.
static inline double rounding_part(double count) { return expm1(-count * log1p(-FLOAT_UNIT)); }

#endif
