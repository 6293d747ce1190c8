// The second file of linked.cu. NUMBER differs between the program and the library.
__device__ int number = NUMBER;

__device__ int times_number(int value) { return value * number; }
