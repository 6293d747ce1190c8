// Loads, stores and updates of one word in a memory order and a thread scope: what <cuda/atomic> is
// made of on the device. Sequential consistency is a fence in front of an acquiring access
// (Lustig, Sahasrabuddhe and Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency
// Model", ASPLOS 2019). PTX has orders since sm_70; before, accesses are volatile, with fences.
#ifndef HEDDLE_CUDA_ATOMIC_WORDS_H
#define HEDDLE_CUDA_ATOMIC_WORDS_H

#include "cuda_runtime.h"

#include "heddle/intrinsics.h"

#if __cplusplus < 201703L
#error "<cuda/atomic>, <cuda/barrier> and <cuda/std/...>: expected -std=c++17 or newer"
#endif

#include <atomic>

namespace cuda
{
enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10,
};
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
} // namespace cuda

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace heddle
{

#define HEDDLE_BOTH   static __inline__ __host__ __device__ __attribute__((always_inline))

HEDDLE_BOTH constexpr bool acquires(::cuda::memory_order order)
{
    return order != ::cuda::memory_order_relaxed && order != ::cuda::memory_order_release;
}
HEDDLE_BOTH constexpr bool releases(::cuda::memory_order order)
{
    return order == ::cuda::memory_order_release || order == ::cuda::memory_order_acq_rel ||
           order == ::cuda::memory_order_seq_cst;
}

// A statement with the PTX name of Scope.
#define HEDDLE_BY_SCOPE(statement, ...)                                                            \
    if (Scope == ::cuda::thread_scope_system) {                                                    \
        statement("sys", __VA_ARGS__);                                                             \
    } else if (Scope == ::cuda::thread_scope_device) {                                             \
        statement("gpu", __VA_ARGS__);                                                             \
    } else {                                                                                       \
        statement("cta", __VA_ARGS__);                                                             \
    }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define HEDDLE_FENCE(scope, kind) asm volatile("fence." kind "." scope ";" ::: "memory")
#define HEDDLE_LOAD(scope, order) "ld." order "." scope
#define HEDDLE_STORE(scope, order) "st." order "." scope
#define HEDDLE_ATOM(scope, order) "atom." order "." scope
#else
#define HEDDLE_FENCE(scope, kind)                                                                  \
    Scope == ::cuda::thread_scope_system   ? __threadfence_system()                                \
    : Scope == ::cuda::thread_scope_device ? __threadfence()                                       \
                                           : __threadfence_block()
#define HEDDLE_LOAD(scope, order) "ld.volatile"
#define HEDDLE_STORE(scope, order) "st.volatile"
#define HEDDLE_ATOM(scope, order) "atom." scope
#endif

template <::cuda::thread_scope Scope> HEDDLE_DEVICE void fence(::cuda::memory_order order)
{
    if (order == ::cuda::memory_order_seq_cst) {
        HEDDLE_BY_SCOPE(HEDDLE_FENCE, "sc")
    } else if (order != ::cuda::memory_order_relaxed) {
        HEDDLE_BY_SCOPE(HEDDLE_FENCE, "acq_rel")
    }
}
// In front of an access of an order, and after it.
template <::cuda::thread_scope Scope> HEDDLE_DEVICE void before(::cuda::memory_order order)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    if (releases(order)) fence<Scope>(order);
#else
    if (order == ::cuda::memory_order_seq_cst) fence<Scope>(order);
#endif
}
template <::cuda::thread_scope Scope> HEDDLE_DEVICE void after(::cuda::memory_order order)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    if (acquires(order)) fence<Scope>(order);
#else
    (void)order;
#endif
}

// ---- loads and stores ----

#define HEDDLE_LOAD_AS(scope, order, type, letter)                                                 \
    asm volatile(HEDDLE_LOAD(scope, order) "." type " %0, [%1];"                                   \
                 : "=" letter(value)                                                               \
                 : "l"(at)                                                                         \
                 : "memory")
#define HEDDLE_STORE_AS(scope, order, type, letter)                                                \
    asm volatile(HEDDLE_STORE(scope, order) "." type " [%0], %1;" ::"l"(at), letter(value)         \
                 : "memory")
// `holder`: the type of a register that holds the word.
#define HEDDLE_ACCESSES(word, holder, type, letter)                                                \
    template <::cuda::thread_scope Scope>                                                          \
    HEDDLE_DEVICE word load(const volatile word *at, ::cuda::memory_order order)                   \
    {                                                                                              \
        holder value;                                                                              \
        before<Scope>(order);                                                                      \
        if (acquires(order)) {                                                                     \
            HEDDLE_BY_SCOPE(HEDDLE_LOAD_AS, "acquire", type, letter)                               \
        } else {                                                                                   \
            HEDDLE_BY_SCOPE(HEDDLE_LOAD_AS, "relaxed", type, letter)                               \
        }                                                                                          \
        after<Scope>(order);                                                                       \
        return (word)value;                                                                        \
    }                                                                                              \
    template <::cuda::thread_scope Scope>                                                          \
    HEDDLE_DEVICE void store(volatile word *at, word of, ::cuda::memory_order order)               \
    {                                                                                              \
        holder value = of;                                                                         \
        before<Scope>(order);                                                                      \
        if (order == ::cuda::memory_order_release) {                                               \
            HEDDLE_BY_SCOPE(HEDDLE_STORE_AS, "release", type, letter)                              \
        } else {                                                                                   \
            HEDDLE_BY_SCOPE(HEDDLE_STORE_AS, "relaxed", type, letter)                              \
        }                                                                                          \
    }
HEDDLE_ACCESSES(unsigned char, unsigned, "u8", "r")
HEDDLE_ACCESSES(unsigned short, unsigned short, "u16", "h")
HEDDLE_ACCESSES(unsigned, unsigned, "u32", "r")
HEDDLE_ACCESSES(unsigned long long, unsigned long long, "u64", "l")

// ---- updates: each returns the old value ----

// A statement with the PTX names of Scope and of an order.
#define HEDDLE_BY_ORDER(statement, ...)                                                            \
    if (order == ::cuda::memory_order_relaxed) {                                                   \
        HEDDLE_BY_SCOPE(statement, "relaxed", __VA_ARGS__)                                         \
    } else if (order == ::cuda::memory_order_release) {                                            \
        HEDDLE_BY_SCOPE(statement, "release", __VA_ARGS__)                                         \
    } else if (order == ::cuda::memory_order_acq_rel) {                                            \
        HEDDLE_BY_SCOPE(statement, "acq_rel", __VA_ARGS__)                                         \
    } else {                                                                                       \
        HEDDLE_BY_SCOPE(statement, "acquire", __VA_ARGS__)                                         \
    }
#define HEDDLE_UPDATE_AS(scope, order, operation, letter)                                          \
    asm volatile(HEDDLE_ATOM(scope, order) "." operation " %0, [%1], %2;"                          \
                 : "=" letter(old)                                                                 \
                 : "l"(at), letter(value)                                                          \
                 : "memory")
#define HEDDLE_UPDATE(name, word, operation, letter)                                               \
    template <::cuda::thread_scope Scope>                                                          \
    HEDDLE_DEVICE word name(volatile word *at, word value, ::cuda::memory_order order)             \
    {                                                                                              \
        word old;                                                                                  \
        before<Scope>(order);                                                                      \
        HEDDLE_BY_ORDER(HEDDLE_UPDATE_AS, operation, letter)                                       \
        after<Scope>(order);                                                                       \
        return old;                                                                                \
    }
#define HEDDLE_SWAP_AS(scope, order, type, letter)                                                 \
    asm volatile(HEDDLE_ATOM(scope, order) ".cas." type " %0, [%1], %2, %3;"                       \
                 : "=" letter(old)                                                                 \
                 : "l"(at), letter(expected), letter(value)                                        \
                 : "memory")
// Operations on unsigned words, and those on signed ones that differ.
#define HEDDLE_UPDATES(word, signed_word, bits, letter)                                            \
    HEDDLE_UPDATE(exchange, word, "exch.b" bits, letter)                                           \
    HEDDLE_UPDATE(add, word, "add.u" bits, letter)                                                 \
    HEDDLE_UPDATE(bit_and, word, "and.b" bits, letter)                                             \
    HEDDLE_UPDATE(bit_or, word, "or.b" bits, letter)                                               \
    HEDDLE_UPDATE(bit_xor, word, "xor.b" bits, letter)                                             \
    HEDDLE_UPDATE(least, word, "min.u" bits, letter)                                               \
    HEDDLE_UPDATE(greatest, word, "max.u" bits, letter)                                            \
    HEDDLE_UPDATE(least, signed_word, "min.s" bits, letter)                                        \
    HEDDLE_UPDATE(greatest, signed_word, "max.s" bits, letter)                                     \
    template <::cuda::thread_scope Scope>                                                          \
    HEDDLE_DEVICE word compare_swap(volatile word *at, word expected, word value,                  \
                                    ::cuda::memory_order order)                                    \
    {                                                                                              \
        word old;                                                                                  \
        before<Scope>(order);                                                                      \
        HEDDLE_BY_ORDER(HEDDLE_SWAP_AS, "b" bits, letter)                                          \
        after<Scope>(order);                                                                       \
        return old;                                                                                \
    }
HEDDLE_UPDATES(unsigned, int, "32", "r")
HEDDLE_UPDATES(unsigned long long, long long, "64", "l")
HEDDLE_UPDATE(add, float, "add.f32", "f")
HEDDLE_UPDATE(add, double, "add.f64", "d")

// A word of 1 or 2 bytes is compared and swapped in the word of 4 bytes around it.
template <::cuda::thread_scope Scope, typename Part>
HEDDLE_DEVICE Part compare_swap(volatile Part *at, Part expected, Part value,
                                ::cuda::memory_order order)
{
    size_t address = (size_t)at;
    volatile unsigned *around = (volatile unsigned *)(address & ~(size_t)3);
    unsigned shift = 8 * (unsigned)(address & 3), mask = (unsigned)(Part)~(Part)0 << shift;
    unsigned seen = load<Scope>(around, ::cuda::memory_order_relaxed);
    for (;;) {
        Part old = (Part)((seen & mask) >> shift);
        unsigned wanted = old == expected ? (seen & ~mask) | (unsigned)value << shift : seen;
        unsigned before_swap = compare_swap<Scope>(around, seen, wanted, order);
        if (before_swap == seen) return old;
        seen = before_swap;
    }
}

#undef HEDDLE_BOTH
#undef HEDDLE_BY_SCOPE
#undef HEDDLE_BY_ORDER
#undef HEDDLE_FENCE
#undef HEDDLE_LOAD
#undef HEDDLE_STORE
#undef HEDDLE_ATOM
#undef HEDDLE_LOAD_AS
#undef HEDDLE_STORE_AS
#undef HEDDLE_ACCESSES
#undef HEDDLE_UPDATE
#undef HEDDLE_UPDATE_AS
#undef HEDDLE_UPDATES
#undef HEDDLE_SWAP_AS

} // namespace heddle

#pragma clang attribute pop

#endif
