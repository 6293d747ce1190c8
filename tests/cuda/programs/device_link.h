// Shared by the files of device_link.cu: device code that each file uses from the others.
#ifndef HEDDLE_TESTS_CUDA_DEVICE_LINK_H
#define HEDDLE_TESTS_CUDA_DEVICE_LINK_H

enum { POINTS = 64, OPERATIONS = 3 };

// Defined in device_link.cu.
extern __device__ int calls[OPERATIONS];
__device__ void count_call(int operation);

// Defined in device_link_more.cu.
extern __constant__ int weights[4];
__device__ int weighted(const int *values, int count);
__device__ unsigned even_steps(unsigned n);
__global__ void scale(int *values, int by);

// Defined in device_link_last.cu.
typedef int (*Operation)(int, int);
extern __device__ Operation operations[OPERATIONS];
__device__ unsigned odd_steps(unsigned n);
__device__ int *block_sums();
struct Shape {
    int side;
    __device__ explicit Shape(int n) : side(n) {}
    __device__ virtual int area() const { return 0; }
};
struct Square : Shape {
    __device__ explicit Square(int n) : Shape(n) {}
    __device__ int area() const override;
};
__device__ int area_of(const Shape &shape);
void scale_there(int *values, int by);
int total_calls();

// Each file has its own copy of these, of which the link keeps one.
template <typename T> __device__ T twice(T value) { return value + value; }
template <typename T> __global__ void fill(T *values, T value)
{
    __shared__ T tile[POINTS];
    tile[threadIdx.x] = value;
    __syncthreads();
    values[threadIdx.x] = tile[POINTS - 1 - threadIdx.x];
}

#endif
