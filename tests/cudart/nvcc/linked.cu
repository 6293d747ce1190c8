// A program, and with LIBRARY its library. Both have a device function and a variable of the same
// name in linked_more.cu.
#include <cstdio>

extern __device__ int number;
__device__ int times_number(int value);

#ifdef LIBRARY
#define ASK ask_library
#define SOURCE number
#else
#define ASK ask_program
#define SOURCE 3
#endif

__global__ void ASK(int *answer) { *answer = times_number(SOURCE); }

int answer_of_library();

static int answer_here()
{
    int *data, answer = 0;
    cudaMalloc(&data, sizeof answer);
    ASK<<<1, 1>>>(data);
    cudaMemcpy(&answer, data, sizeof answer, cudaMemcpyDeviceToHost);
    return answer;
}

#ifdef LIBRARY
int answer_of_library() { return answer_here(); }
#else
int main()
{
    int own = answer_here();
    printf("%d %d\n", own, answer_of_library());
    return 0;
}
#endif
