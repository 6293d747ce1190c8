// cuda::std: the names of the host's C++ library. clang compiles its constexpr functions for the
// device as well; functions of the library that are not constexpr are for the host only.
#ifndef HEDDLE_CUDA_STD_NAMES_H
#define HEDDLE_CUDA_STD_NAMES_H

#include <cstddef>
#include <utility>

namespace cuda
{
namespace std
{
using namespace ::std;

template <typename T> __host__ __device__ constexpr void swap(T &a, T &b)
{
    T first = ::std::move(a);
    a = ::std::move(b);
    b = ::std::move(first);
}
} // namespace std
} // namespace cuda

#endif
