// Device properties: from the machine file, and for the rest from the compute capability.
#include "cudart/device/properties.h"

#include "base/hash.h"
#include "gpu/machine.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_THREADS = 1024, BLOCK_SHARED = 48 << 10, BLOCK_REGISTERS = 1 << 16 };

// Size limits of textures and surfaces, for each range of compute capabilities, highest first (CUDA
// C++ Programming Guide, table of technical specifications).
typedef struct ImageLimits {
    unsigned capability; // the lowest one that has these limits
    int row;             // width in 1D and 2D
    int rows;            // height in 2D
    int layer;           // width of layered, gathered and mipmapped textures
    int cube;            // side of a cubemap
    int volume[3], volume_other[3];
    int linear, linear_rows, linear_pitch, linear_2d;
    int surface_row, surface[2], surface_volume[3], surface_layer[2], surface_cube;
} ImageLimits;

static const ImageLimits image_limits[] = {
    {60, 131072, 65536, 32768, 32768, {16384, 16384, 16384}, {8192, 8192, 32768}, 1 << 28, 65000,
     2097120, 131072, 32768, {131072, 65536}, {16384, 16384, 16384}, {32768, 32768}, 32768},
    {50, 65536, 65536, 16384, 16384, {4096, 4096, 4096}, {2048, 2048, 16384}, 1 << 27, 65000,
     1048544, 65000, 16384, {65536, 65536}, {4096, 4096, 4096}, {16384, 16384}, 16384},
    {30, 65536, 65536, 16384, 16384, {4096, 4096, 4096}, {2048, 2048, 16384}, 1 << 27, 65000,
     1048544, 65000, 65536, {65536, 32768}, {65536, 32768, 2048}, {65536, 32768}, 32768},
    {0, 65536, 65535, 16384, 16384, {2048, 2048, 2048}, {2048, 2048, 2048}, 1 << 27, 65000,
     1048544, 65000, 65536, {65536, 32768}, {65536, 32768, 2048}, {65536, 32768}, 32768},
};

#define SET2(to, a, b) ((to)[0] = (a), (to)[1] = (b))
#define SET3(to, a, b, c) ((to)[0] = (a), (to)[1] = (b), (to)[2] = (c))

static void fill_images(Properties *p, unsigned capability)
{
    enum { LAYERS = 2048, CUBE_LAYERS = 2046 };
    const ImageLimits *l = image_limits;
    while (capability < l->capability) l++;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->surfaceAlignment = 512;
    p->maxTexture1D = l->row;
    p->maxTexture1DMipmap = l->layer;
    p->maxTexture1DLinear = l->linear;
    SET2(p->maxTexture2D, l->row, l->rows);
    SET2(p->maxTexture2DMipmap, l->layer, l->layer);
    SET3(p->maxTexture2DLinear, l->linear_2d, l->linear_rows, l->linear_pitch);
    SET2(p->maxTexture2DGather, l->layer, l->layer);
    memcpy(p->maxTexture3D, l->volume, sizeof l->volume);
    memcpy(p->maxTexture3DAlt, l->volume_other, sizeof l->volume_other);
    p->maxTextureCubemap = l->cube;
    SET2(p->maxTexture1DLayered, l->layer, LAYERS);
    SET3(p->maxTexture2DLayered, l->layer, l->layer, LAYERS);
    SET2(p->maxTextureCubemapLayered, l->cube, CUBE_LAYERS);
    p->maxSurface1D = l->surface_row;
    memcpy(p->maxSurface2D, l->surface, sizeof l->surface);
    memcpy(p->maxSurface3D, l->surface_volume, sizeof l->surface_volume);
    SET2(p->maxSurface1DLayered, l->surface_layer[0], LAYERS);
    SET3(p->maxSurface2DLayered, l->surface_layer[0], l->surface_layer[1], LAYERS);
    p->maxSurfaceCubemap = l->surface_cube;
    SET2(p->maxSurfaceCubemapLayered, l->surface_cube, CUBE_LAYERS);
}

// The ratio of single- to double-precision throughput.
static int double_ratio(unsigned capability)
{
    switch (capability) {
    case 20: case 60: case 70: case 72: case 80: case 90: case 100: return 2;
    case 35: case 37: return 3;
    case 21: return 12;
    case 30: case 32: return 24;
    case 86: case 87: case 89: case 103: case 120: case 121: return 64;
    default: return 32;
    }
}

static void fill_shape(Properties *p, const Machine *m, unsigned capability)
{
    const CoreConfig *c = &m->core;
    uint64_t max_block_shared = c->block_shared ? c->block_shared : c->shared;
    p->sharedMemPerBlock = smaller(max_block_shared, BLOCK_SHARED);
    p->sharedMemPerBlockOptin = max_block_shared;
    p->sharedMemPerMultiprocessor = c->shared;
    p->reservedSharedMemPerBlock = c->shared_reserved;
    p->regsPerBlock = (int)smaller(c->registers, BLOCK_REGISTERS);
    p->regsPerMultiprocessor = (int)c->registers;
    p->warpSize = (int)c->width;
    p->maxThreadsPerBlock = (int)smaller(c->threads, BLOCK_THREADS);
    p->maxThreadsPerMultiProcessor = (int)c->threads;
    p->maxBlocksPerMultiProcessor = (int)c->blocks;
    SET3(p->maxThreadsDim, p->maxThreadsPerBlock, p->maxThreadsPerBlock,
         (int)smaller((uint64_t)p->maxThreadsPerBlock, 64));
    SET3(p->maxGridSize, capability < 30 ? UINT16_MAX : INT32_MAX, UINT16_MAX, UINT16_MAX);
    p->multiProcessorCount = (int)m->gpu.sms;
    p->clockRate = (int)c->frequency;
    p->totalConstMem = 64 << 10;
    p->singleToDoublePrecisionPerfRatio = double_ratio(capability);
}

static void fill_memory(Properties *p, const Machine *m, uint64_t memory)
{
    p->totalGlobalMem = memory;
    p->memPitch = INT32_MAX;
    // CUDA programs compute bandwidth with two transfers per cycle of this clock.
    p->memoryClockRate = (int)(m->dram.frequency * m->dram.data_rate / 2);
    p->memoryBusWidth = (int)(m->dram.channels * m->dram.bus * 8);
    p->l2CacheSize = m->l2.mode == CACHE_ON ? (int)(m->l2.size * m->slice.count) : 0;
    p->globalL1CacheSupported = m->path.global_in_l1 && m->l1d.mode != CACHE_OFF;
    p->localL1CacheSupported = m->l1d.mode != CACHE_OFF;
}

// Properties that follow from how this runtime works: docs/decisions/0011.
static void fill_runtime(Properties *p, unsigned capability)
{
    p->deviceOverlap = 1;
    p->asyncEngineCount = 2;
    p->concurrentKernels = 1;
    p->canMapHostMemory = 1;
    p->unifiedAddressing = 1;
    p->managedMemory = 1;
    p->concurrentManagedAccess = capability >= 60;
    p->computePreemptionSupported = capability >= 60;
    p->cooperativeLaunch = capability >= 60;
    p->streamPrioritiesSupported = capability >= 35;
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->pciBusID = 1;
    p->deviceNumaId = -1;
    p->hostNumaId = -1;
}

void properties_from_machine(const Machine *machine, const char *name, uint64_t memory,
                             Properties *all)
{
    unsigned capability = machine_capability(machine);
    memset(all, 0, sizeof *all);
    snprintf(all->name, sizeof all->name, "%s", name);
    uint64_t id[2] = {hash_bytes(HASH_START, name, strlen(name))};
    id[1] = hash_bytes(id[0], name, strlen(name));
    memcpy(all->uuid, id, sizeof all->uuid);
    all->major = (int)(capability / 10);
    all->minor = (int)(capability % 10);
    fill_shape(all, machine, capability);
    fill_memory(all, machine, memory);
    fill_images(all, capability);
    fill_runtime(all, capability);
}

// ---- layouts ----

#define COPY(type, name, dimension) memcpy(&to->name, &all->name, sizeof to->name);

void properties_11(const Properties *all, Properties11 *to)
{
    memset(to, 0, sizeof *to);
    DEVICE_PROPERTIES(COPY, COPY, PROPERTY_NONE, PROPERTY_NONE)
}

void properties_12(const Properties *all, Properties12 *to)
{
    memset(to, 0, sizeof *to);
    DEVICE_PROPERTIES(COPY, COPY, COPY, PROPERTY_NONE)
}

void properties_13(const Properties *all, Properties13 *to)
{
    memset(to, 0, sizeof *to);
    DEVICE_PROPERTIES(COPY, PROPERTY_NONE, COPY, COPY)
}

// ---- attributes ----

// A(number of the first attribute, property, how many attributes the property has: consecutive).
#define ATTRIBUTES(A)                                                                              \
    A(1, maxThreadsPerBlock, 1) A(2, maxThreadsDim, 3) A(5, maxGridSize, 3)                        \
    A(8, sharedMemPerBlock, 1) A(9, totalConstMem, 1) A(10, warpSize, 1) A(11, memPitch, 1)        \
    A(12, regsPerBlock, 1) A(13, clockRate, 1) A(14, textureAlignment, 1) A(15, deviceOverlap, 1)  \
    A(16, multiProcessorCount, 1) A(17, kernelExecTimeoutEnabled, 1) A(18, integrated, 1)          \
    A(19, canMapHostMemory, 1) A(20, computeMode, 1) A(21, maxTexture1D, 1) A(22, maxTexture2D, 2) \
    A(24, maxTexture3D, 3) A(27, maxTexture2DLayered, 3) A(30, surfaceAlignment, 1)                \
    A(31, concurrentKernels, 1) A(32, ECCEnabled, 1) A(33, pciBusID, 1) A(34, pciDeviceID, 1)      \
    A(35, tccDriver, 1) A(36, memoryClockRate, 1) A(37, memoryBusWidth, 1) A(38, l2CacheSize, 1)   \
    A(39, maxThreadsPerMultiProcessor, 1) A(40, asyncEngineCount, 1) A(41, unifiedAddressing, 1)   \
    A(42, maxTexture1DLayered, 2) A(45, maxTexture2DGather, 2) A(47, maxTexture3DAlt, 3)           \
    A(50, pciDomainID, 1) A(51, texturePitchAlignment, 1) A(52, maxTextureCubemap, 1)              \
    A(53, maxTextureCubemapLayered, 2) A(55, maxSurface1D, 1) A(56, maxSurface2D, 2)               \
    A(58, maxSurface3D, 3) A(61, maxSurface1DLayered, 2) A(63, maxSurface2DLayered, 3)             \
    A(66, maxSurfaceCubemap, 1) A(67, maxSurfaceCubemapLayered, 2) A(69, maxTexture1DLinear, 1)    \
    A(70, maxTexture2DLinear, 3) A(73, maxTexture2DMipmap, 2) A(75, major, 1) A(76, minor, 1)      \
    A(77, maxTexture1DMipmap, 1) A(78, streamPrioritiesSupported, 1)                               \
    A(79, globalL1CacheSupported, 1) A(80, localL1CacheSupported, 1)                               \
    A(81, sharedMemPerMultiprocessor, 1) A(82, regsPerMultiprocessor, 1) A(83, managedMemory, 1)   \
    A(84, isMultiGpuBoard, 1) A(85, multiGpuBoardGroupID, 1) A(86, hostNativeAtomicSupported, 1)   \
    A(87, singleToDoublePrecisionPerfRatio, 1) A(88, pageableMemoryAccess, 1)                      \
    A(89, concurrentManagedAccess, 1) A(90, computePreemptionSupported, 1)                         \
    A(91, canUseHostPointerForRegisteredMem, 1) A(95, cooperativeLaunch, 1)                        \
    A(96, cooperativeMultiDeviceLaunch, 1) A(97, sharedMemPerBlockOptin, 1)                        \
    A(99, hostRegisterSupported, 1) A(100, pageableMemoryAccessUsesHostPageTables, 1)              \
    A(101, directManagedMemAccessFromHost, 1) A(106, maxBlocksPerMultiProcessor, 1)                \
    A(108, persistingL2CacheMaxSize, 1) A(109, accessPolicyMaxWindowSize, 1)                       \
    A(111, reservedSharedMemPerBlock, 1) A(112, sparseCudaArraySupported, 1)                       \
    A(113, hostRegisterReadOnlySupported, 1) A(114, timelineSemaphoreInteropSupported, 1)          \
    A(115, memoryPoolsSupported, 1) A(116, gpuDirectRDMASupported, 1)                              \
    A(117, gpuDirectRDMAFlushWritesOptions, 1) A(118, gpuDirectRDMAWritesOrdering, 1)              \
    A(119, memoryPoolSupportedHandleTypes, 1) A(120, clusterLaunch, 1)                             \
    A(121, deferredMappingCudaArraySupported, 1) A(125, ipcEventSupported, 1)                      \
    A(130, deviceNumaConfig, 1) A(131, deviceNumaId, 1) A(133, mpsEnabled, 1)                      \
    A(134, hostNumaId, 1) A(139, gpuPciDeviceID, 1) A(140, gpuPciSubsystemID, 1)                   \
    A(143, hostNumaMultinodeIpcSupported, 1)

enum { LAST_ATTRIBUTE = 147 }; // attributes that are not in the table are 0: not supported

static const struct {
    int first, count;
    size_t offset, size; // of the whole property
} attributes[] = {
#define ATTRIBUTE(number, name, count)                                                             \
    {number, count, offsetof(Properties, name), sizeof((Properties *)NULL)->name},
    ATTRIBUTES(ATTRIBUTE)
};

bool properties_attribute(const Properties *all, int attribute, int *value)
{
    if (attribute < 1 || attribute > LAST_ATTRIBUTE) return false;
    *value = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        int index = attribute - attributes[i].first;
        if (index < 0 || index >= attributes[i].count) continue;
        const char *at = (const char *)all + attributes[i].offset;
        size_t wide = 0;
        if (attributes[i].size == sizeof wide && attributes[i].count == 1) {
            memcpy(&wide, at, sizeof wide);
            *value = wide > INT32_MAX ? INT32_MAX : (int)wide;
        } else {
            memcpy(value, at + (size_t)index * sizeof *value, sizeof *value);
        }
    }
    return true;
}
