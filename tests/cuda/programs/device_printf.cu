// printf in a kernel: conversions of every kind, in the order in which one thread prints them.
#include "check.h"

__global__ void speak(const char *name, double value)
{
    if (threadIdx.x != 3) return;
    printf("thread %d of %u: %s\n", threadIdx.x, blockDim.x, "text");
    printf("%5d|%-5d|%05d|%+d|%x|%X|%o|%c\n", 42, 42, 42, 42, 255u, 255u, 8u, 'q');
    printf("%f %.3f %e %g %10.2f|\n", value, value, value, value, value);
    printf("%lld %llu %ld %hhd %%\n", -1234567890123LL, 12345678901234567890ULL, -5L,
           (signed char)-3);
    printf("%s %p\n", name ? "given" : "null", (void *)0x10);
}

int main()
{
    speak<<<1, 32>>>(0, 3.14159265358979);
    LAUNCHED();
    return verdict(true, "printed by thread 3");
}
