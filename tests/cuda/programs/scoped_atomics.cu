// cuda::atomic and cuda::atomic_ref: each operation on each size and kind of type, in several
// scopes and orders, on the device and on the host; a message that is passed by release and
// acquire; a lock; and the numbers of a graph's components as suites of graph codes find them.
#include "check.h"

#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/limits>

enum { BLOCKS = 8, THREADS = 64, ALL = BLOCKS * THREADS };

struct Pair {
    short first, second;
};
struct Values {
    unsigned char byte;
    short half;
    int sum, lowest, highest;
    unsigned bits;
    unsigned long long wide;
    long long low;
    float real;
    double precise;
    Pair pair;
    int *moved;
    bool taken;
};

// Each thread adds, so that the results do not depend on the order of the threads.
template <cuda::thread_scope Scope> __host__ __device__ void work(Values *v, int i)
{
    cuda::atomic_ref<unsigned char, Scope>(v->byte).fetch_add(1, cuda::memory_order_relaxed);
    cuda::atomic_ref<short, Scope>(v->half).fetch_sub(2, cuda::memory_order_release);
    cuda::atomic_ref<int, Scope> sum(v->sum), least(v->lowest), most(v->highest);
    sum += i;
    sum++;
    least.fetch_min(-i, cuda::memory_order_relaxed);
    most.fetch_max(i, cuda::memory_order_acq_rel);
    cuda::atomic_ref<unsigned, Scope> bits(v->bits);
    bits |= 1u << (i % 16);
    bits ^= 1u << 20;
    bits.fetch_and(~(1u << 30), cuda::memory_order_acquire);
    cuda::atomic_ref<unsigned long long, Scope>(v->wide).fetch_add(1ull << 33);
    cuda::atomic_ref<long long, Scope>(v->low).fetch_min(-((long long)i << 32));
    cuda::atomic_ref<float, Scope>(v->real).fetch_add(0.5f);
    cuda::atomic_ref<double, Scope>(v->precise).fetch_sub(0.25);
    cuda::atomic_ref<Pair, Scope> pair(v->pair);
    Pair old = pair.load(cuda::memory_order_relaxed), next;
    do {
        next.first = (short)(old.first + 1);
        next.second = (short)(old.second - 1);
    } while (!pair.compare_exchange_weak(old, next));
    cuda::atomic_ref<int *, Scope>(v->moved).fetch_add(3);
    cuda::atomic_ref<bool, Scope>(v->taken).exchange(true);
}

template <cuda::thread_scope Scope> __global__ void run(Values *v)
{
    work<Scope>(v, (int)(blockIdx.x * blockDim.x + threadIdx.x));
}

static int check(const Values &v, const char *where)
{
    bool right = v.byte == (unsigned char)ALL && v.half == -2 * ALL;
    right &= v.sum == ALL * (ALL - 1) / 2 + ALL && v.lowest == 1 - ALL && v.highest == ALL - 1;
    right &= v.bits == 0x8000ffffu && v.wide == (unsigned long long)ALL << 33;
    right &= v.low == -((long long)(ALL - 1) << 32) && v.real == 0.5f * ALL;
    right &= v.precise == -0.25 * ALL && v.pair.first == ALL && v.pair.second == -ALL;
    right &= (size_t)v.moved == 3 * sizeof(int) * ALL && v.taken;
    if (!right) printf("%s: wrong\n", where);
    return !right;
}

// One block writes data and then a flag; the others wait for the flag and read the data.
__device__ cuda::atomic<int, cuda::thread_scope_device> flag(0);
__global__ void pass(volatile int *data, unsigned *bad)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        for (int i = 0; i < 16; i++) data[32 * i] = i + 1;
        flag.store(1, cuda::memory_order_release);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0) continue;
        for (int i = 0; i < 16; i++)
            if (data[32 * i] != i + 1) atomicAdd(bad, 1u);
    }
}

__device__ cuda::atomic<unsigned> taken;
__global__ void lock(volatile int *count)
{
    for (unsigned expected = 0; !taken.compare_exchange_strong(expected, 1u); expected = 0)
        continue;
    *count = *count + 1;
    taken.store(0);
}

// Labels of components, by repeated minima over edges.
typedef cuda::atomic<int> Label;
__global__ void propagate(const int2 *edges, int count, Label *labels, Label *again)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    int from = labels[edges[i].x].load(cuda::memory_order_relaxed), to = labels[edges[i].y];
    if (from < to && labels[edges[i].y].fetch_min(from, cuda::memory_order_relaxed) > from)
        *again = 1;
    if (to < from && labels[edges[i].x].fetch_min(to) > to) *again = 1;
}

static int try_components()
{
    enum { VERTICES = 500, EDGES = 700 };
    Random random(9);
    std::vector<int2> edges;
    std::vector<int> wanted(VERTICES), labels(VERTICES);
    for (int i = 0; i < EDGES; i++) { // five components or more: ends agree modulo 5
        int a = (int)random.below(VERTICES);
        edges.push_back(make_int2(a, (a + 5 * (int)random.below(VERTICES / 5)) % VERTICES));
    }
    for (int i = 0; i < VERTICES; i++) wanted[i] = labels[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int2 e : edges) {
            int label = wanted[e.x] < wanted[e.y] ? wanted[e.x] : wanted[e.y];
            changed |= wanted[e.x] != label || wanted[e.y] != label;
            wanted[e.x] = wanted[e.y] = label;
        }
    }
    Buffer<int2> device_edges(edges);
    Buffer<int> device_labels(labels), again(1);
    do {
        again.put(std::vector<int>(1, 0));
        propagate<<<blocks_for(EDGES, 128), 128>>>(device_edges, EDGES,
                                                   (Label *)device_labels.device,
                                                   (Label *)again.device);
        LAUNCHED();
    } while (again.get()[0]);
    return device_labels.get() != wanted;
}

static int try_values()
{
    Values start = {};
    start.bits = 0x80000000u;
    int wrong = 0;
    Buffer<Values> values(std::vector<Values>(3, start));
    run<cuda::thread_scope_system><<<BLOCKS, THREADS>>>(values);
    run<cuda::thread_scope_device><<<BLOCKS, THREADS>>>(values.device + 1);
    run<cuda::thread_scope_block><<<1, ALL>>>(values.device + 2);
    LAUNCHED();
    wrong += check(values.get()[0], "system") + check(values.get()[1], "device");
    wrong += check(values.get()[2], "block");
    for (int i = 0; i < ALL; i++) work<cuda::thread_scope_system>(&start, i);
    return wrong + check(start, "host");
}

static int try_orders()
{
    Buffer<int> data(16 * 32), count(1);
    Buffer<unsigned> bad(1);
    pass<<<BLOCKS, 32>>>(data, bad);
    lock<<<BLOCKS, THREADS>>>(count);
    LAUNCHED();
    return (int)bad.get()[0] + (count.get()[0] != ALL);
}

int main()
{
    static_assert(sizeof(cuda::atomic<int>) == 4 && alignof(cuda::atomic<long long>) == 8, "");
    static_assert(cuda::std::numeric_limits<cuda::std::int32_t>::max() == 0x7fffffff, "");
    cuda::std::atomic<int> host(3);
    int expected = 4;
    bool swapped = host.compare_exchange_strong(expected, 5, cuda::std::memory_order_relaxed);
    int other = swapped || expected != 3 || ++host != 4 || host.exchange(9) != 4 || host != 9;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    int values = try_values(), orders = try_orders(), components = try_components();
    return verdict(!other && !values && !orders && !components, "%d %d %d %d wrong", other, values,
                   orders, components);
}
