// Fast Fourier transforms of many short signals, after the CUDA version of fft in Parboil
// (Baghsorkhi; Stratton et al., IMPACT-12-01). yilmazer2020gw uses an FFT as a regular workload.
#include "heddle.cuh"

// A number's real and imaginary part, x and y, which are loaded and stored together.
typedef float Complex __attribute__((ext_vector_type(2)));

HEDDLE_INLINE Complex turned(Complex a, float angle)
{
    float x = __nvvm_cos_approx_f(angle), y = __nvvm_sin_approx_f(angle);
    return (Complex){a.x * x - a.y * y, a.x * y + a.y * x};
}

extern __shared__ float work[];

// A transform of Stockham's kind with radix 2, in place. One block per signal, of two elements per
// thread, a power of two. The elements are in registers. Between stages they change threads through
// shared memory, which holds all real parts and then all imaginary ones.
__global__ void fft_block(Complex *data)
{
    int half = blockDim.x, x = threadIdx.x;
    float *re = work, *im = &work[2 * half];
    data += blockIdx.x * 2 * half;
    Complex a = data[x], b = data[x + half];
    for (int done = 1; done < 2 * half; done *= 2) { // the length of the transforms that are ready
        int low = x % done;
        float angle = -6.2831853f * low / (2 * done);
        // The published program turns the first element, too, by no angle.
        a = turned(a, 0 * angle);
        b = turned(b, angle);
        Complex sum = a + b, difference = a - b;
        int to = x / done * done * 2 + low;
        __syncthreads();
        re[to] = sum.x;
        im[to] = sum.y;
        re[to + done] = difference.x;
        im[to + done] = difference.y;
        __syncthreads();
        a = (Complex){re[x], im[x]};
        b = (Complex){re[x + half], im[x + half]};
    }
    data[x] = a;
    data[x + half] = b;
}
