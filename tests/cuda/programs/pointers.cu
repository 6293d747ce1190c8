// Function pointers, virtual functions, and recursion.
#include "check.h"

typedef float (*Function)(float);

__device__ float twice(float x)
{
    return 2 * x;
}
__device__ float square(float x)
{
    return x * x;
}
__device__ Function functions[2] = {twice, square};

__global__ void apply(float *values)
{
    Function f = functions[threadIdx.x & 1];
    values[threadIdx.x] = f(values[threadIdx.x]);
}

struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float r) : radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

__global__ void areas(float *out)
{
    Square square((float)threadIdx.x);
    Disc disc((float)threadIdx.x);
    const Shape *shape = threadIdx.x % 3 ? (const Shape *)&square : (const Shape *)&disc;
    out[threadIdx.x] = shape->area();
}

__device__ __noinline__ unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void numbers(unsigned *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 10);
}

int main()
{
    std::vector<float> values(32), wanted(32), area(32);
    std::vector<unsigned> fib(32, 1);
    for (int i = 0; i < 32; i++) {
        values[i] = (float)i;
        wanted[i] = i & 1 ? values[i] * values[i] : 2 * values[i];
        area[i] = (float)(i % 3 ? i * i : 3 * i * i);
        unsigned a = 0, b = 1;
        for (int k = 0; k < i % 10; k++) {
            unsigned c = a + b;
            a = b, b = c;
        }
        fib[i] = a;
    }
    Buffer<float> data(values), out(32);
    Buffer<unsigned> f(32);
    apply<<<1, 32>>>(data);
    areas<<<1, 32>>>(out);
    numbers<<<1, 32>>>(f);
    LAUNCHED();
    bool called = data.get() == wanted, virtually = out.get() == area, again = f.get() == fib;
    return verdict(called && virtually && again, "pointers %d, virtual %d, recursion %d", called,
                   virtually, again);
}
