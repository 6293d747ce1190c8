// Device properties with the members that CUDA 13 removed and programs still print: those of a
// V100, the same as their attributes. nvcc takes them from a header of Heddle (properties.nvcc).
#include "check.h"

static int wrong;
#define EXPECT(member, value)                                                                      \
    do {                                                                                           \
        long long expected = (value), is = (long long)(member);                                    \
        if (is != expected) printf(#member " = %lld: expected %lld\n", is, expected);              \
        wrong += is != expected;                                                                   \
    } while (0)

static int attribute(enum cudaDeviceAttr which)
{
    int value;
    CUDA(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

static void check(const cudaDeviceProp &p)
{
    EXPECT(sizeof p, 1008); // what libcudart.so.13 fills in
    EXPECT(p.major, 7);
    EXPECT(p.warpSize, 32);
    EXPECT(p.clockRate, 1530000);      // kHz
    EXPECT(p.memoryClockRate, 877000); // kHz
    EXPECT(p.clockRate, attribute(cudaDevAttrClockRate));
    EXPECT(p.memoryClockRate, attribute(cudaDevAttrMemoryClockRate));
    EXPECT(p.memoryBusWidth, 4096);
    EXPECT(p.deviceOverlap, 1);
    EXPECT(p.kernelExecTimeoutEnabled, 0);
    EXPECT(p.computeMode, cudaComputeModeDefault);
    EXPECT(p.maxTexture1DLinear, 1 << 28);
    EXPECT(p.singleToDoublePrecisionPerfRatio, 2);
    EXPECT(p.cooperativeMultiDeviceLaunch, 0);
}

int main()
{
    cudaDeviceProp properties;
    int device = 7;
    CUDA(cudaGetDeviceProperties(&properties, 0));
    check(properties);
    CUDA(cudaChooseDevice(&device, &properties));
    EXPECT(device, 0);
    EXPECT(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError(), cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError(), cudaSuccess);
    struct cudaDeviceProp *several = new struct cudaDeviceProp[1];
    CUDA(cudaGetDeviceProperties(several, 0));
    check(several[0]);
    delete[] several;
    return verdict(!wrong, "%d wrong", wrong);
}
