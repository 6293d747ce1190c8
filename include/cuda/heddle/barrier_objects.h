// cuda::barrier, cuda::latch and cuda::counting_semaphore, of atomics. A waiting thread looks at
// the object's phase or count again and again, so threads of one warp wait for each other only with
// independent threads (sm_70, core.divergence=its).
#ifndef HEDDLE_CUDA_BARRIER_OBJECTS_H
#define HEDDLE_CUDA_BARRIER_OBJECTS_H

#include "heddle/atomic_objects.h"
#include "heddle/std_names.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "<cuda/barrier>, <cuda/latch> and <cuda/semaphore>: expected -arch=sm_70 or newer"
#endif

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#define HEDDLE_METHOD __host__ __device__ __inline__ __attribute__((always_inline))

namespace heddle
{
struct Nothing {
    HEDDLE_METHOD void operator()() const {}
};
} // namespace heddle

namespace cuda
{

// The thread whose arrival completes a phase calls `completion`, prepares the next phase, and
// counts the phase, which releases the waiting threads.
template <thread_scope Scope = thread_scope_system, typename Completion = heddle::Nothing>
class barrier
{
    atomic<unsigned, Scope> pending, phase, expected;
    Completion completion;

    HEDDLE_METHOD void finish()
    {
        completion();
        pending.store(expected.load(memory_order_relaxed), memory_order_relaxed);
        phase.fetch_add(1, memory_order_release);
    }

  public:
    using arrival_token = unsigned; // the phase in which the thread arrived
    static constexpr ptrdiff_t(max)() { return 0x7fffffff; }

    barrier() = default;
    __host__ __device__ barrier(ptrdiff_t threads, Completion call = Completion())
        : pending((unsigned)threads), phase(0), expected((unsigned)threads), completion(call)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    // For barriers in shared memory, which have no constructor.
    friend HEDDLE_METHOD void init(barrier *at, ptrdiff_t threads, Completion call = Completion())
    {
        new (at) barrier(threads, call);
    }

    HEDDLE_METHOD arrival_token arrive(ptrdiff_t threads = 1)
    {
        // The phase cannot end before this thread has arrived.
        unsigned now = phase.load(memory_order_relaxed);
        unsigned count = (unsigned)threads;
        if (pending.fetch_sub(count, memory_order_acq_rel) == count) finish();
        return now;
    }
    HEDDLE_METHOD bool heddle_over(arrival_token token) const
    {
        return phase.load(memory_order_acquire) != token;
    }
    HEDDLE_METHOD void wait(arrival_token &&token) const
    {
        while (!heddle_over(token)) continue;
    }
    // A phase has the parity of its number.
    HEDDLE_METHOD void wait_parity(bool parity) const
    {
        while ((phase.load(memory_order_acquire) & 1) == (unsigned)parity) continue;
    }
    HEDDLE_METHOD bool try_wait_parity(bool parity) const
    {
        return (phase.load(memory_order_acquire) & 1) != (unsigned)parity;
    }
    HEDDLE_METHOD void arrive_and_wait()
    {
        wait(arrive());
    }
    HEDDLE_METHOD void arrive_and_drop()
    {
        expected.fetch_sub(1, memory_order_relaxed);
        arrive();
    }
};

// Opens once, after `count` arrivals.
template <thread_scope Scope> class heddle_latch
{
    atomic<ptrdiff_t, Scope> left;

  public:
    heddle_latch() = default;
    __host__ __device__ constexpr explicit heddle_latch(ptrdiff_t count) : left(count) {}
    heddle_latch(const heddle_latch &) = delete;
    heddle_latch &operator=(const heddle_latch &) = delete;
    friend HEDDLE_METHOD void init(heddle_latch *at, ptrdiff_t count)
    {
        new (at) heddle_latch(count);
    }

    HEDDLE_METHOD void count_down(ptrdiff_t by = 1) { left.fetch_sub(by, memory_order_release); }
    HEDDLE_METHOD bool try_wait() const { return left.load(memory_order_acquire) == 0; }
    HEDDLE_METHOD void wait() const
    {
        while (!try_wait()) continue;
    }
    HEDDLE_METHOD void arrive_and_wait(ptrdiff_t by = 1)
    {
        count_down(by);
        wait();
    }
};
template <thread_scope Scope = thread_scope_system> using latch = heddle_latch<Scope>;

template <thread_scope Scope = thread_scope_system, ptrdiff_t Most = 0x7fffffff>
class counting_semaphore
{
    atomic<ptrdiff_t, Scope> free;

  public:
    static constexpr ptrdiff_t(max)() { return Most; }
    counting_semaphore() = default;
    __host__ __device__ constexpr explicit counting_semaphore(ptrdiff_t count) : free(count) {}
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;
    friend HEDDLE_METHOD void init(counting_semaphore *at, ptrdiff_t count)
    {
        new (at) counting_semaphore(count);
    }

    HEDDLE_METHOD void release(ptrdiff_t by = 1) { free.fetch_add(by, memory_order_release); }
    HEDDLE_METHOD bool try_acquire()
    {
        ptrdiff_t seen = free.load(memory_order_relaxed);
        while (seen > 0)
            if (free.compare_exchange_weak(seen, seen - 1, memory_order_acquire)) return true;
        return false;
    }
    HEDDLE_METHOD void acquire()
    {
        while (!try_acquire()) continue;
    }
};
template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std
{
template <typename Completion = heddle::Nothing>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
using latch = ::cuda::latch<>;
template <ptrdiff_t Most = 0x7fffffff>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::binary_semaphore<>;
} // namespace std

} // namespace cuda

#undef HEDDLE_METHOD
#pragma clang attribute pop

#endif
