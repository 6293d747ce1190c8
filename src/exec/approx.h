// The approximate functions of PTX, as our own polynomials: the same bits on every host.
//
// Each is computed in double precision and rounded to f32 once. Largest errors, against the exact
// value, of finite results (tests/exec/test_approx.c checks them; an ulp is that of the f32
// result):
//
//     ex2    0.51 ulp        sin, cos  0.51 ulp, for every f32 argument
//     lg2    0.51 ulp        tanh      0.51 ulp
//     rsqrt  0.51 ulp
//
// That is more exact than the hardware, whose errors reach 2 ulp (ex2, rsqrt) and 2^-20.5 absolute
// (sin, cos); a program that is right with the hardware's is right with these. rcp, sqrt and div
// with .approx or .full are rounded correctly and need no function here.
#ifndef HEDDLE_EXEC_APPROX_H
#define HEDDLE_EXEC_APPROX_H

float approx_ex2(float x);   // 2^x
float approx_lg2(float x);   // log2 x; -infinity for zeros, NaN below
float approx_sin(float x);   // NaN for infinities
float approx_cos(float x);
float approx_tanh(float x);
float approx_rsqrt(float x); // x^-1/2; infinity of its sign for a zero, NaN below
double approx_rsqrt_f64(double x); // within 1 ulp

#endif
