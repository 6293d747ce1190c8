// atomicAdd and the like, in device scope, block scope (..._block) and system scope (..._system).
#ifndef HEDDLE_CUDA_ATOMICS_H
#define HEDDLE_CUDA_ATOMICS_H

#include "heddle/intrinsics.h"

// `scope` is empty, cta_ or sys_, as in the compiler's builtins; the suffix is CUDA's.
#define HEDDLE_ATOMIC(suffix, scope, name, builtin, type, as)                                      \
    HEDDLE_DEVICE type name##suffix(type *at, type value)                                          \
    {                                                                                              \
        return (type)__nvvm_atom_##scope##builtin((as *)at, (as)value);                            \
    }
#define HEDDLE_ATOMIC_INT(suffix, scope, name, builtin)                                            \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_i, int, int)                                  \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_i, unsigned, int)                             \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_ll, unsigned long long, long long)
#define HEDDLE_ATOMIC_BITS(suffix, scope, name, builtin)                                           \
    HEDDLE_ATOMIC_INT(suffix, scope, name, builtin)                                                \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_ll, long long, long long)
#define HEDDLE_ATOMIC_ORDER(suffix, scope, name, builtin)                                          \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_i, int, int)                                  \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_ui, unsigned, unsigned)                       \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_ll, long long, long long)                     \
    HEDDLE_ATOMIC(suffix, scope, name, builtin##_gen_ull, unsigned long long, unsigned long long)
#define HEDDLE_ATOMIC_CAS(suffix, scope, type, letter, as)                                         \
    HEDDLE_DEVICE type atomicCAS##suffix(type *at, type expected, type value)                      \
    {                                                                                              \
        return (type)__nvvm_atom_##scope##cas_gen_##letter((as *)at, (as)expected, (as)value);     \
    }

#define HEDDLE_ATOMICS(suffix, scope)                                                              \
    HEDDLE_ATOMIC_INT(suffix, scope, atomicAdd, add)                                               \
    HEDDLE_ATOMIC(suffix, scope, atomicAdd, add_gen_f, float, float)                               \
    HEDDLE_ATOMIC(suffix, scope, atomicAdd, add_gen_d, double, double)                             \
    HEDDLE_ATOMIC_INT(suffix, scope, atomicExch, xchg)                                             \
    HEDDLE_ATOMIC_BITS(suffix, scope, atomicAnd, and)                                              \
    HEDDLE_ATOMIC_BITS(suffix, scope, atomicOr, or)                                                \
    HEDDLE_ATOMIC_BITS(suffix, scope, atomicXor, xor)                                              \
    HEDDLE_ATOMIC_ORDER(suffix, scope, atomicMin, min)                                             \
    HEDDLE_ATOMIC_ORDER(suffix, scope, atomicMax, max)                                             \
    HEDDLE_ATOMIC(suffix, scope, atomicInc, inc_gen_ui, unsigned, unsigned)                        \
    HEDDLE_ATOMIC(suffix, scope, atomicDec, dec_gen_ui, unsigned, unsigned)                        \
    HEDDLE_ATOMIC_CAS(suffix, scope, int, i, int)                                                  \
    HEDDLE_ATOMIC_CAS(suffix, scope, unsigned, i, int)                                             \
    HEDDLE_ATOMIC_CAS(suffix, scope, long long, ll, long long)                                     \
    HEDDLE_ATOMIC_CAS(suffix, scope, unsigned long long, ll, long long)                            \
    HEDDLE_DEVICE int atomicSub##suffix(int *at, int value)                                        \
    {                                                                                              \
        return atomicAdd##suffix(at, -value);                                                      \
    }                                                                                              \
    HEDDLE_DEVICE unsigned atomicSub##suffix(unsigned *at, unsigned value)                         \
    {                                                                                              \
        return atomicAdd##suffix(at, 0u - value);                                                  \
    }                                                                                              \
    HEDDLE_DEVICE float atomicExch##suffix(float *at, float value)                                 \
    {                                                                                              \
        return __nv_int_as_float(atomicExch##suffix((int *)at, __nv_float_as_int(value)));         \
    }

HEDDLE_ATOMICS(, )
HEDDLE_ATOMICS(_block, cta_)
HEDDLE_ATOMICS(_system, sys_)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
HEDDLE_DEVICE unsigned short atomicCAS(unsigned short *at, unsigned short expected,
                                       unsigned short value)
{
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(old)
                 : "l"(at), "h"(expected), "h"(value)
                 : "memory");
    return old;
}
#endif

#undef HEDDLE_ATOMIC
#undef HEDDLE_ATOMIC_INT
#undef HEDDLE_ATOMIC_BITS
#undef HEDDLE_ATOMIC_ORDER
#undef HEDDLE_ATOMIC_CAS
#undef HEDDLE_ATOMICS

#endif
