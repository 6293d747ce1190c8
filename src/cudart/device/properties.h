// Device properties: one list, and the three layouts in which CUDA 11, 12 and 13 return them.
#ifndef HEDDLE_CUDART_PROPERTIES_H
#define HEDDLE_CUDART_PROPERTIES_H

#include "gpu/gpu.h"

#include <stddef.h>
#include <stdint.h>

// All properties in the order of the layouts, as X(type, name, dimension) where X is ALL for
// versions 11 to 13, OLD for 11 and 12, NEW for 12 and 13, and LAST for 13. The names are CUDA's.
#define DEVICE_PROPERTIES(ALL, OLD, NEW, LAST)                                                     \
    ALL(char, name, [256])                                                                         \
    ALL(char, uuid, [16])                                                                          \
    ALL(char, luid, [8])                                                                           \
    ALL(unsigned, luidDeviceNodeMask, )                                                            \
    ALL(size_t, totalGlobalMem, )                                                                  \
    ALL(size_t, sharedMemPerBlock, )                                                               \
    ALL(int, regsPerBlock, )                                                                       \
    ALL(int, warpSize, )                                                                           \
    ALL(size_t, memPitch, )                                                                        \
    ALL(int, maxThreadsPerBlock, )                                                                 \
    ALL(int, maxThreadsDim, [3])                                                                   \
    ALL(int, maxGridSize, [3])                                                                     \
    OLD(int, clockRate, )                                                                          \
    ALL(size_t, totalConstMem, )                                                                   \
    ALL(int, major, )                                                                              \
    ALL(int, minor, )                                                                              \
    ALL(size_t, textureAlignment, )                                                                \
    ALL(size_t, texturePitchAlignment, )                                                           \
    OLD(int, deviceOverlap, )                                                                      \
    ALL(int, multiProcessorCount, )                                                                \
    OLD(int, kernelExecTimeoutEnabled, )                                                           \
    ALL(int, integrated, )                                                                         \
    ALL(int, canMapHostMemory, )                                                                   \
    OLD(int, computeMode, )                                                                        \
    ALL(int, maxTexture1D, )                                                                       \
    ALL(int, maxTexture1DMipmap, )                                                                 \
    OLD(int, maxTexture1DLinear, )                                                                 \
    ALL(int, maxTexture2D, [2])                                                                    \
    ALL(int, maxTexture2DMipmap, [2])                                                              \
    ALL(int, maxTexture2DLinear, [3])                                                              \
    ALL(int, maxTexture2DGather, [2])                                                              \
    ALL(int, maxTexture3D, [3])                                                                    \
    ALL(int, maxTexture3DAlt, [3])                                                                 \
    ALL(int, maxTextureCubemap, )                                                                  \
    ALL(int, maxTexture1DLayered, [2])                                                             \
    ALL(int, maxTexture2DLayered, [3])                                                             \
    ALL(int, maxTextureCubemapLayered, [2])                                                        \
    ALL(int, maxSurface1D, )                                                                       \
    ALL(int, maxSurface2D, [2])                                                                    \
    ALL(int, maxSurface3D, [3])                                                                    \
    ALL(int, maxSurface1DLayered, [2])                                                             \
    ALL(int, maxSurface2DLayered, [3])                                                             \
    ALL(int, maxSurfaceCubemap, )                                                                  \
    ALL(int, maxSurfaceCubemapLayered, [2])                                                        \
    ALL(size_t, surfaceAlignment, )                                                                \
    ALL(int, concurrentKernels, )                                                                  \
    ALL(int, ECCEnabled, )                                                                         \
    ALL(int, pciBusID, )                                                                           \
    ALL(int, pciDeviceID, )                                                                        \
    ALL(int, pciDomainID, )                                                                        \
    ALL(int, tccDriver, )                                                                          \
    ALL(int, asyncEngineCount, )                                                                   \
    ALL(int, unifiedAddressing, )                                                                  \
    OLD(int, memoryClockRate, )                                                                    \
    ALL(int, memoryBusWidth, )                                                                     \
    ALL(int, l2CacheSize, )                                                                        \
    ALL(int, persistingL2CacheMaxSize, )                                                           \
    ALL(int, maxThreadsPerMultiProcessor, )                                                        \
    ALL(int, streamPrioritiesSupported, )                                                          \
    ALL(int, globalL1CacheSupported, )                                                             \
    ALL(int, localL1CacheSupported, )                                                              \
    ALL(size_t, sharedMemPerMultiprocessor, )                                                      \
    ALL(int, regsPerMultiprocessor, )                                                              \
    ALL(int, managedMemory, )                                                                      \
    ALL(int, isMultiGpuBoard, )                                                                    \
    ALL(int, multiGpuBoardGroupID, )                                                               \
    ALL(int, hostNativeAtomicSupported, )                                                          \
    OLD(int, singleToDoublePrecisionPerfRatio, )                                                   \
    ALL(int, pageableMemoryAccess, )                                                               \
    ALL(int, concurrentManagedAccess, )                                                            \
    ALL(int, computePreemptionSupported, )                                                         \
    ALL(int, canUseHostPointerForRegisteredMem, )                                                  \
    ALL(int, cooperativeLaunch, )                                                                  \
    OLD(int, cooperativeMultiDeviceLaunch, )                                                       \
    ALL(size_t, sharedMemPerBlockOptin, )                                                          \
    ALL(int, pageableMemoryAccessUsesHostPageTables, )                                             \
    ALL(int, directManagedMemAccessFromHost, )                                                     \
    ALL(int, maxBlocksPerMultiProcessor, )                                                         \
    ALL(int, accessPolicyMaxWindowSize, )                                                          \
    ALL(size_t, reservedSharedMemPerBlock, )                                                       \
    NEW(int, hostRegisterSupported, )                                                              \
    NEW(int, sparseCudaArraySupported, )                                                           \
    NEW(int, hostRegisterReadOnlySupported, )                                                      \
    NEW(int, timelineSemaphoreInteropSupported, )                                                  \
    NEW(int, memoryPoolsSupported, )                                                               \
    NEW(int, gpuDirectRDMASupported, )                                                             \
    NEW(unsigned, gpuDirectRDMAFlushWritesOptions, )                                               \
    NEW(int, gpuDirectRDMAWritesOrdering, )                                                        \
    NEW(unsigned, memoryPoolSupportedHandleTypes, )                                                \
    NEW(int, deferredMappingCudaArraySupported, )                                                  \
    NEW(int, ipcEventSupported, )                                                                  \
    NEW(int, clusterLaunch, )                                                                      \
    NEW(int, unifiedFunctionPointers, )                                                            \
    LAST(int, deviceNumaConfig, )                                                                  \
    LAST(int, deviceNumaId, )                                                                      \
    LAST(int, mpsEnabled, )                                                                        \
    LAST(int, hostNumaId, )                                                                        \
    LAST(unsigned, gpuPciDeviceID, )                                                               \
    LAST(unsigned, gpuPciSubsystemID, )                                                            \
    LAST(int, hostNumaMultinodeIpcSupported, )

#define PROPERTY_FIELD(type, name, dimension) type name dimension;
#define PROPERTY_NONE(type, name, dimension)

// The properties of all versions.
typedef struct Properties {
    DEVICE_PROPERTIES(PROPERTY_FIELD, PROPERTY_FIELD, PROPERTY_FIELD, PROPERTY_FIELD)
} Properties;

typedef struct Properties11 {
    DEVICE_PROPERTIES(PROPERTY_FIELD, PROPERTY_FIELD, PROPERTY_NONE, PROPERTY_NONE)
} Properties11;

typedef struct Properties12 {
    DEVICE_PROPERTIES(PROPERTY_FIELD, PROPERTY_FIELD, PROPERTY_FIELD, PROPERTY_NONE)
    int reserved[63];
} Properties12;

typedef struct Properties13 {
    DEVICE_PROPERTIES(PROPERTY_FIELD, PROPERTY_NONE, PROPERTY_FIELD, PROPERTY_FIELD)
    int reserved[56];
} Properties13;

// A program allocates the structure of its version and reads fields at that version's offsets.
#define PROPERTY_AT(version, name, offset)                                                         \
    _Static_assert(offsetof(Properties##version, name) == (offset), #name " of CUDA " #version)
_Static_assert(sizeof(Properties11) == 728, "the layout of CUDA 11");
_Static_assert(sizeof(Properties12) == 1032, "the layout of CUDA 12");
_Static_assert(sizeof(Properties13) == 1008, "the layout of CUDA 13");
PROPERTY_AT(11, totalGlobalMem, 288);
PROPERTY_AT(11, clockRate, 348);
PROPERTY_AT(11, major, 360);
PROPERTY_AT(11, multiProcessorCount, 388);
PROPERTY_AT(11, sharedMemPerBlockOptin, 696);
PROPERTY_AT(11, reservedSharedMemPerBlock, 720);
PROPERTY_AT(12, multiProcessorCount, 388);
PROPERTY_AT(12, sharedMemPerBlockOptin, 696);
PROPERTY_AT(12, reservedSharedMemPerBlock, 720);
PROPERTY_AT(12, hostRegisterSupported, 728);
PROPERTY_AT(13, totalGlobalMem, 288);
PROPERTY_AT(13, major, 360);
PROPERTY_AT(13, multiProcessorCount, 384);
PROPERTY_AT(13, maxTexture1D, 396);
PROPERTY_AT(13, surfaceAlignment, 552);
PROPERTY_AT(13, memoryBusWidth, 592);
PROPERTY_AT(13, sharedMemPerMultiprocessor, 624);
PROPERTY_AT(13, sharedMemPerBlockOptin, 672);
PROPERTY_AT(13, reservedSharedMemPerBlock, 696);
PROPERTY_AT(13, clusterLaunch, 748);
PROPERTY_AT(13, hostNumaMultinodeIpcSupported, 780);

// Fills the properties of a machine. `memory`: bytes of device memory; `name`: the device's name.
void properties_from_machine(const Machine *machine, const char *name, uint64_t memory,
                             Properties *all);

// Copy the properties to the layout of one version.
void properties_11(const Properties *all, Properties11 *to);
void properties_12(const Properties *all, Properties12 *to);
void properties_13(const Properties *all, Properties13 *to);

// Gets a device attribute by its number (cudaDeviceGetAttribute). false: there is no such number.
bool properties_attribute(const Properties *all, int attribute, int *value);

#endif
