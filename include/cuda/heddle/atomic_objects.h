// cuda::atomic and cuda::atomic_ref: C++'s atomics with a thread scope, for host and device. Types
// are trivially copyable, of 1, 2, 4 or 8 bytes.
#ifndef HEDDLE_CUDA_ATOMIC_OBJECTS_H
#define HEDDLE_CUDA_ATOMIC_OBJECTS_H

#include "heddle/atomic_words.h"

#include <cstddef>
#include <type_traits>

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace heddle
{

#define HEDDLE_METHOD __host__ __device__ __inline__ __attribute__((always_inline))

// The unsigned type with the size of a value, and the type on which 4 and 8 bytes are ordered.
template <size_t Size, bool Signed = false> struct WordOf;
template <> struct WordOf<1> { using type = unsigned char; };
template <> struct WordOf<2> { using type = unsigned short; };
template <> struct WordOf<4> { using type = unsigned; };
template <> struct WordOf<8> { using type = unsigned long long; };
template <> struct WordOf<4, true> { using type = int; };
template <> struct WordOf<8, true> { using type = long long; };

// What differs between host and device: one object of type T.
template <typename T, ::cuda::thread_scope Scope> struct AtomicAccess {
    static_assert(::std::is_trivially_copyable<T>::value, "an atomic type is trivially copyable");
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "an atomic type has 1, 2, 4 or 8 bytes");
    using Order = ::cuda::memory_order;
    using Word = typename WordOf<sizeof(T)>::type;
    // Whether PTX has updates of this type.
    static constexpr bool whole = sizeof(T) >= 4 && ::std::is_integral<T>::value;

    static HEDDLE_METHOD Word word(T value) { return __builtin_bit_cast(Word, value); }
    static HEDDLE_METHOD T load(const volatile T *at, Order order)
    {
#if defined(__CUDA_ARCH__)
        return __builtin_bit_cast(T, heddle::load<Scope>((const volatile Word *)at, order));
#else
        return __builtin_bit_cast(T, __atomic_load_n((const volatile Word *)at, (int)order));
#endif
    }
    static HEDDLE_METHOD void store(volatile T *at, T value, Order order)
    {
#if defined(__CUDA_ARCH__)
        heddle::store<Scope>((volatile Word *)at, word(value), order);
#else
        __atomic_store_n((volatile Word *)at, word(value), (int)order);
#endif
    }
    // Stores `value` if *at has the bits of `expected`, which becomes what *at was.
    static HEDDLE_METHOD bool swap_if(volatile T *at, T &expected, T value, Order order)
    {
        Word before = word(expected);
#if defined(__CUDA_ARCH__)
        Word old = compare_swap<Scope>((volatile Word *)at, before, word(value), order);
#else
        Word old = before;
        __atomic_compare_exchange_n((volatile Word *)at, &old, word(value), false, (int)order,
                                    acquires(order) ? (int)::cuda::memory_order_acquire
                                                    : (int)::cuda::memory_order_relaxed);
#endif
        if (old == before) return true;
        expected = __builtin_bit_cast(T, old);
        return false;
    }
    // Replaces *at by change(*at), and returns what it was.
    template <typename Change>
    static HEDDLE_METHOD T update(volatile T *at, Order order, Change change)
    {
        T old = load(at, ::cuda::memory_order_relaxed);
        while (!swap_if(at, old, change(old), order)) continue;
        return old;
    }
    static HEDDLE_METHOD T exchange(volatile T *at, T value, Order order)
    {
#if defined(__CUDA_ARCH__)
        if constexpr (sizeof(T) >= 4)
            return __builtin_bit_cast(
                T, heddle::exchange<Scope>((volatile Word *)at, word(value), order));
#endif
        return update(at, order, [value](T) { return value; });
    }
    static HEDDLE_METHOD T fetch_add(volatile T *at, T value, Order order)
    {
#if defined(__CUDA_ARCH__)
        if constexpr (whole) return (T)add<Scope>((volatile Word *)at, word(value), order);
        if constexpr (::std::is_same<T, float>::value || ::std::is_same<T, double>::value)
            return add<Scope>(at, value, order);
#endif
        return update(at, order, [value](T old) { return (T)(old + value); });
    }

// An operation that PTX has on words; `also` is its meaning.
#define HEDDLE_OPERATION(name, operation, type, also)                                              \
    static HEDDLE_METHOD T name(volatile T *at, T value, Order order)                              \
    {                                                                                              \
        HEDDLE_NATIVE(operation, type)                                                             \
        return update(at, order, [value](T old) { return (T)(also); });                            \
    }
#if defined(__CUDA_ARCH__)
#define HEDDLE_NATIVE(operation, type)                                                             \
    if constexpr (whole) return (T)operation<Scope>((volatile type *)at, (type)value, order);
#else
#define HEDDLE_NATIVE(operation, type)
#endif
    using Ordered = typename ::std::conditional<
        whole, WordOf<sizeof(T) < 4 ? 4 : sizeof(T), ::std::is_signed<T>::value>,
        WordOf<4>>::type::type;
    HEDDLE_OPERATION(fetch_and, bit_and, Word, old &value)
    HEDDLE_OPERATION(fetch_or, bit_or, Word, old | value)
    HEDDLE_OPERATION(fetch_xor, bit_xor, Word, old ^ value)
    HEDDLE_OPERATION(fetch_min, least, Ordered, value < old ? value : old)
    HEDDLE_OPERATION(fetch_max, greatest, Ordered, old < value ? value : old)
#undef HEDDLE_OPERATION
#undef HEDDLE_NATIVE
};

// The methods of both classes. Self::heddle_at() is the object's address.
template <typename Self, typename T, ::cuda::thread_scope Scope> class AtomicMethods
{
    using Access = AtomicAccess<T, Scope>;
    using Order = ::cuda::memory_order;
    static constexpr Order strict = ::cuda::memory_order_seq_cst;
    // Pointers are moved by elements.
    using Step = typename ::std::conditional<::std::is_pointer<T>::value, ptrdiff_t, T>::type;

    HEDDLE_METHOD volatile T *at() const volatile
    {
        return static_cast<const volatile Self *>(this)->heddle_at();
    }

  public:
    using value_type = T;
    using difference_type = Step;
    static constexpr bool is_always_lock_free = true;
    HEDDLE_METHOD bool is_lock_free() const volatile { return true; }

    HEDDLE_METHOD T load(Order order = strict) const volatile { return Access::load(at(), order); }
    HEDDLE_METHOD operator T() const volatile { return load(); }
    HEDDLE_METHOD void store(T value, Order order = strict) const volatile
    {
        Access::store(at(), value, order);
    }
    HEDDLE_METHOD T exchange(T value, Order order = strict) const volatile
    {
        return Access::exchange(at(), value, order);
    }
    HEDDLE_METHOD bool compare_exchange_strong(T &expected, T value,
                                               Order order = strict) const volatile
    {
        return Access::swap_if(at(), expected, value, order);
    }
    HEDDLE_METHOD bool compare_exchange_strong(T &expected, T value, Order order,
                                               Order) const volatile
    {
        return Access::swap_if(at(), expected, value, order);
    }
    HEDDLE_METHOD bool compare_exchange_weak(T &expected, T value,
                                             Order order = strict) const volatile
    {
        return Access::swap_if(at(), expected, value, order);
    }
    HEDDLE_METHOD bool compare_exchange_weak(T &expected, T value, Order order,
                                             Order) const volatile
    {
        return Access::swap_if(at(), expected, value, order);
    }
    HEDDLE_METHOD T fetch_add(Step by, Order order = strict) const volatile
    {
        if constexpr (::std::is_pointer<T>::value)
            return Access::update(at(), order, [by](T old) { return old + by; });
        else
            return Access::fetch_add(at(), by, order);
    }
    HEDDLE_METHOD T fetch_sub(Step by, Order order = strict) const volatile
    {
        return fetch_add((Step)(0 - by), order);
    }
    HEDDLE_METHOD T fetch_and(T bits, Order order = strict) const volatile
    {
        return Access::fetch_and(at(), bits, order);
    }
    HEDDLE_METHOD T fetch_or(T bits, Order order = strict) const volatile
    {
        return Access::fetch_or(at(), bits, order);
    }
    HEDDLE_METHOD T fetch_xor(T bits, Order order = strict) const volatile
    {
        return Access::fetch_xor(at(), bits, order);
    }
    HEDDLE_METHOD T fetch_min(T value, Order order = strict) const volatile
    {
        return Access::fetch_min(at(), value, order);
    }
    HEDDLE_METHOD T fetch_max(T value, Order order = strict) const volatile
    {
        return Access::fetch_max(at(), value, order);
    }
    HEDDLE_METHOD T operator++() const volatile { return fetch_add(1) + 1; }
    HEDDLE_METHOD T operator++(int) const volatile { return fetch_add(1); }
    HEDDLE_METHOD T operator--() const volatile { return fetch_sub(1) - 1; }
    HEDDLE_METHOD T operator--(int) const volatile { return fetch_sub(1); }
    HEDDLE_METHOD T operator+=(Step by) const volatile { return fetch_add(by) + by; }
    HEDDLE_METHOD T operator-=(Step by) const volatile { return fetch_sub(by) - by; }
    HEDDLE_METHOD T operator&=(T bits) const volatile { return fetch_and(bits) & bits; }
    HEDDLE_METHOD T operator|=(T bits) const volatile { return fetch_or(bits) | bits; }
    HEDDLE_METHOD T operator^=(T bits) const volatile { return fetch_xor(bits) ^ bits; }

    // Waits until the value is another one than `old`; waiting threads look again and again.
    HEDDLE_METHOD void wait(T old, Order order = strict) const volatile
    {
        while (Access::word(load(order)) == Access::word(old)) continue;
    }
    HEDDLE_METHOD void notify_one() const volatile {}
    HEDDLE_METHOD void notify_all() const volatile {}
};

} // namespace heddle

namespace cuda
{

template <typename T, thread_scope Scope = thread_scope_system>
class atomic : public heddle::AtomicMethods<atomic<T, Scope>, T, Scope>
{
    alignas(sizeof(T)) T value;

  public:
    atomic() = default;
    __host__ __device__ constexpr atomic(T first) : value(first) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    HEDDLE_METHOD T operator=(T next)
    {
        this->store(next);
        return next;
    }
    HEDDLE_METHOD T operator=(T next) volatile
    {
        this->store(next);
        return next;
    }
    HEDDLE_METHOD volatile T *heddle_at() const volatile
    {
        return const_cast<volatile T *>(&value);
    }
};

// Accesses an object that is elsewhere, and aligned to its size.
template <typename T, thread_scope Scope = thread_scope_system>
class atomic_ref : public heddle::AtomicMethods<atomic_ref<T, Scope>, T, Scope>
{
    T *object;

  public:
    static constexpr size_t required_alignment = sizeof(T);
    __host__ __device__ explicit atomic_ref(T &of) : object(&of) {}
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    HEDDLE_METHOD T operator=(T next) const
    {
        this->store(next);
        return next;
    }
    HEDDLE_METHOD volatile T *heddle_at() const volatile { return object; }
};

static HEDDLE_METHOD void atomic_thread_fence(memory_order order,
                                              thread_scope scope = thread_scope_system)
{
#if defined(__CUDA_ARCH__)
    if (scope == thread_scope_system)
        heddle::fence<thread_scope_system>(order);
    else if (scope == thread_scope_device)
        heddle::fence<thread_scope_device>(order);
    else if (scope == thread_scope_block)
        heddle::fence<thread_scope_block>(order);
#else
    (void)scope;
    ::std::atomic_thread_fence(order);
#endif
}
static HEDDLE_METHOD void atomic_signal_fence(memory_order)
{
    asm volatile("" ::: "memory");
}

// A flag that is clear at first.
template <thread_scope Scope> class heddle_flag
{
    atomic<unsigned, Scope> set;

  public:
    heddle_flag() = default;
    __host__ __device__ constexpr heddle_flag(bool first) : set(first) {}
    HEDDLE_METHOD bool test_and_set(memory_order order = memory_order_seq_cst) volatile
    {
        return set.exchange(1, order) != 0;
    }
    HEDDLE_METHOD bool test(memory_order order = memory_order_seq_cst) const volatile
    {
        return set.load(order) != 0;
    }
    HEDDLE_METHOD void clear(memory_order order = memory_order_seq_cst) volatile
    {
        set.store(0, order);
    }
};
using atomic_flag = heddle_flag<thread_scope_system>;

} // namespace cuda

#undef HEDDLE_METHOD
#pragma clang attribute pop

#endif
