// Shared by the files of several_files.cu: a template kernel that both instantiate.
#ifndef HEDDLE_TESTS_CUDA_SEVERAL_FILES_H
#define HEDDLE_TESTS_CUDA_SEVERAL_FILES_H

template <typename T> __global__ void add_all(T *values, T value)
{
    values[threadIdx.x] += value;
}

// Multiplies 32 values by `by` and adds 5.
void scale_there(int *values, int by);

#endif
