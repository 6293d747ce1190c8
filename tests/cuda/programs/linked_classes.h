// Shared by the files of linked_classes.cu.
#ifndef HEDDLE_TESTS_CUDA_LINKED_CLASSES_H
#define HEDDLE_TESTS_CUDA_LINKED_CLASSES_H

enum { LANES = 6 };

// Defined in linked_classes.cu.
namespace scales {
extern __device__ double factor;
}

// Defined in linked_classes_more.cu.
typedef int (*Function)(int);
extern __constant__ Function constant_table[2];
extern __device__ int *pointer;      // to a static variable of that file
extern __device__ const char *words; // to text of that file
extern __device__ int unsized[];     // its definition has a size
__device__ Function pick(int i);
__device__ float *scratch();
__global__ void number_lanes(int *values, int first);

// Defined in linked_classes_last.cu.
extern __device__ Function table[3];
struct Sum {
    int sum, count;
    __device__ void add(int value);
};
struct Node {
    __device__ virtual ~Node() {}
    __device__ virtual int first(int) const = 0;
    __device__ virtual int second(int x) const { return x; }
};
struct Leaf : Node {
    int k;
    __device__ explicit Leaf(int number) : k(number) {}
    __device__ int first(int x) const override; // in linked_classes_more.cu
};
struct Inner : Leaf {
    __device__ explicit Inner(int number) : Leaf(number) {}
    __device__ int second(int x) const override;
};
__device__ Node *make_node(int i);
__device__ void print_words(int lane);
namespace scales {
__device__ double scaled(double x);
}
void host_last(int *device);

// In each file that uses them; the link keeps one.
inline __device__ int counted()
{
    static __device__ int calls = 40;
    return atomicAdd(&calls, 1);
}
template <typename T, int N> __device__ T shelf[N];

#endif
