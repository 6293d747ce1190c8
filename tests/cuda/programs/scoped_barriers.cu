// cuda::barrier in shared and in global memory, with a completion function, with threads that
// leave, and by parity; cuda::latch, and cuda::counting_semaphore as a lock.
#include "check.h"

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/utility>

enum { THREADS = 96, PHASES = 6, BLOCKS = 4 };
typedef cuda::barrier<cuda::thread_scope_block> Barrier;
typedef cuda::barrier<cuda::thread_scope_device> WideBarrier;

// A ring: in each phase each thread takes its neighbour's value.
__global__ void ring(int *out)
{
    __shared__ int values[THREADS];
    __shared__ Barrier barrier;
    int i = (int)threadIdx.x, value = i;
    if (i == 0) init(&barrier, THREADS);
    __syncthreads();
    for (int phase = 0; phase < PHASES; phase++) {
        values[i] = value;
        Barrier::arrival_token token = barrier.arrive();
        barrier.wait(cuda::std::move(token));
        value = values[(i + 1) % THREADS];
        barrier.arrive_and_wait();
    }
    out[i] = value;
}

// In phase p, threads below THREADS - 32 * p take part; the others have left.
__global__ void leave(int *out)
{
    __shared__ Barrier barrier;
    __shared__ int count;
    if (threadIdx.x == 0) {
        init(&barrier, THREADS);
        count = 0;
    }
    __syncthreads();
    for (int phase = 0; phase < 3; phase++) {
        atomicAdd(&count, 1);
        if ((int)threadIdx.x >= THREADS - 32 * (phase + 1)) {
            barrier.arrive_and_drop();
            return;
        }
        (void)barrier.arrive();
        barrier.wait_parity(phase % 2 != 0);
        if (threadIdx.x == 0) out[phase] = count;
    }
}

// All blocks meet.
__global__ void meet(WideBarrier *barrier, int *counts, unsigned *bad)
{
    for (int phase = 0; phase < PHASES; phase++) {
        if (threadIdx.x == 0) {
            atomicAdd(&counts[phase], 1);
            barrier->arrive_and_wait();
            if (*(volatile int *)&counts[phase] != BLOCKS) atomicAdd(bad, 1u);
        }
        __syncthreads();
    }
}
__global__ void make(WideBarrier *barrier) { init(barrier, BLOCKS); }

struct Count {
    int *phases;
    __host__ __device__ void operator()() { ++*phases; }
};
__global__ void complete(int *out)
{
    typedef cuda::barrier<cuda::thread_scope_block, Count> Counting;
    __shared__ __align__(8) char room[sizeof(Counting)];
    Counting *barrier = (Counting *)room;
    if (threadIdx.x == 0) init(barrier, THREADS, Count{out});
    __syncthreads();
    for (int phase = 0; phase < PHASES; phase++) barrier->arrive_and_wait();
}

__device__ cuda::counting_semaphore<cuda::thread_scope_device, 1> semaphore(1);
__global__ void latched(volatile int *count, int *seen)
{
    __shared__ __align__(8) char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
    cuda::latch<cuda::thread_scope_block> *latch = (cuda::latch<cuda::thread_scope_block> *)room;
    __shared__ int arrived;
    if (threadIdx.x == 0) {
        new (latch) cuda::latch<cuda::thread_scope_block>(THREADS);
        arrived = 0;
    }
    __syncthreads();
    atomicAdd(&arrived, 1);
    latch->arrive_and_wait();
    if (*(volatile int *)&arrived == THREADS) atomicAdd(seen, 1);
    semaphore.acquire();
    *count = *count + 1;
    semaphore.release();
}

int main()
{
    Buffer<int> a(THREADS), b(3), counts(PHASES), phases(1), locked(1), seen(1);
    Buffer<WideBarrier> barrier(1);
    Buffer<unsigned> bad(1);
    ring<<<1, THREADS>>>(a);
    leave<<<1, THREADS>>>(b);
    make<<<1, 1>>>(barrier);
    meet<<<BLOCKS, 64>>>(barrier, counts, bad);
    complete<<<1, THREADS>>>(phases);
    latched<<<BLOCKS, THREADS>>>(locked, seen);
    LAUNCHED();
    std::vector<int> ring_values = a.get(), left = b.get();
    int wrong = 0;
    for (int i = 0; i < THREADS; i++) wrong += ring_values[i] != (i + PHASES) % THREADS;
    // Threads of the next phase may have counted when thread 0 looks.
    wrong += left[0] < 96 || left[0] > 160 || left[1] < 160 || left[1] > 192;
    wrong += bad.get()[0] != 0 || phases.get()[0] != PHASES;
    wrong += locked.get()[0] != BLOCKS * THREADS || seen.get()[0] != BLOCKS * THREADS;
    return verdict(!wrong, "%d wrong", wrong);
}
