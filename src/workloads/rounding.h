// Error bounds of 32-bit float arithmetic without subtraction.
#ifndef HEDDLE_WORKLOADS_ROUNDING_H
#define HEDDLE_WORKLOADS_ROUNDING_H

#include <math.h>

// Rounding to the nearest float multiplies a number by 1 + d with |d| at most this.
#define FLOAT_UNIT 0x1p-24
// Far above the error that a subnormal number can cause in one operation.
#define FLOAT_LOST 0x1p-125

// The relative error bound of a sum of positive products whose terms are each rounded at most
// `count` times, including the operands of divisions. A product of `count` factors 1 + d or 1 / (1
// + d) differs from 1 by at most (1 - unit)^-count - 1.
static inline double rounding_part(double count) { return expm1(-count * log1p(-FLOAT_UNIT)); }

#endif
