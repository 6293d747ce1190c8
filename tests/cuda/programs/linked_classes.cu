// Relocatable device code in three files: classes whose methods are in different files, virtual
// functions, tables of functions, variables that point to another file's variables and text, and
// variables of templates.
#include "check.h"
#include "linked_classes.h"

namespace scales {
__device__ double factor = 1.5;
}

static __device__ int hidden = 100; // each file has one, as it has a function helper
static __device__ __noinline__ int helper(int x) { return x + hidden; }
extern __device__ int helped_more(), helped_last();

static __global__ void read_all(int *values)
{
    values[0] = helper(1) + helped_more() * 1000;
    values[1] = helped_last();
    values[2] = *pointer;
    values[3] = words[1];
    values[4] = unsized[9];
    values[5] = (int)scales::scaled(8);
}

static __global__ void call_tables(int *values)
{
    int i = threadIdx.x;
    values[i] = table[i % 3](i) + constant_table[i % 2](i) * 1000 + pick(i)(i) * 1000000;
}

static __global__ void call_nodes(int *values)
{
    int i = threadIdx.x;
    Node *node = make_node(i);
    values[i] = node->first(i) * 100 + node->second(i);
    delete node;
}

static __global__ void add_up(int *values, Sum sum)
{
    int i = threadIdx.x;
    sum.add(i);
    sum.add(10 * i);
    extern __shared__ float buffer[];
    buffer[i] = (float)i;
    __syncthreads();
    values[i] = sum.sum * sum.count + (int)scratch()[LANES - 1 - i] * 1000;
    if (i == 1) print_words(i);
}

static __global__ void fill_shelf(int *values)
{
    int i = threadIdx.x;
    shelf<int, LANES>[i] = 3 * i;
    shelf<float, LANES>[i] = 0.5f;
    values[i] = i ? 0 : counted();
}

static int *device, wrong;

static void expect(const char *what, int a, int b, int c, int d, int e, int f)
{
    const int wanted[LANES] = {a, b, c, d, e, f};
    int values[LANES];
    LAUNCHED();
    CUDA(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
    for (int i = 0; i < LANES; i++) {
        if (values[i] != wanted[i]) printf("%s %d: %d, not %d\n", what, i, values[i], wanted[i]);
        wrong += values[i] != wanted[i];
    }
}

int main()
{
    CUDA(cudaMalloc(&device, LANES * sizeof(int)));
    read_all<<<1, 1>>>(device);
    expect("read", 101 + 401 * 1000, 901, 4242, 'y', 9, 12);
    call_tables<<<1, LANES>>>(device);
    expect("tables", 2001100, 2003003, 4002998, 4005103, 6005006, 6006995);
    call_nodes<<<1, LANES>>>(device);
    expect("nodes", 50, 101, 452, 903, 1654, 2505);
    add_up<<<1, LANES, LANES * sizeof(float)>>>(device, Sum{1, 0});
    expect("sums", 5002, 4024, 3046, 2068, 1090, 112);
    fill_shelf<<<1, LANES>>>(device);
    host_last(device); // one call more, and the shelves
    expect("shelves", 41, 3, 6, 9, 12, 15);
    number_lanes<<<1, LANES>>>(device, 42); // a kernel of another file
    expect("numbers", 42, 43, 44, 45, 46, 47);
    return verdict(!wrong, "%d wrong", wrong);
}
