// The approximate functions of PTX, computed by our own polynomials: the result has the same bits
// on every host.
//
// Each function computes in double precision and rounds to f32 once. Largest errors of finite
// results, in ulps of the f32 result (tests/exec/test_approx.c checks them):
//
//     ex2    0.51 ulp        sin, cos  0.51 ulp, for every f32 argument
//     lg2    0.51 ulp        tanh      0.51 ulp
//     rsqrt  0.51 ulp
//
// The hardware is less accurate: its errors reach 2 ulp (ex2, rsqrt) and 2^-20.5 absolute (sin,
// cos). rcp, sqrt and div with .approx or .full are rounded correctly and need no function here.
#ifndef HEDDLE_EXEC_APPROX_H
#define HEDDLE_EXEC_APPROX_H

float approx_ex2(float x);   // 2^x
float approx_lg2(float x);   // log2 x; -infinity for a zero, NaN for negative x
float approx_sin(float x);   // NaN for infinities
float approx_cos(float x);
float approx_tanh(float x);
float approx_rsqrt(float x); // x^-1/2; infinity with the sign of a zero, NaN for negative x
double approx_rsqrt_f64(double x); // within 1 ulp

#endif
