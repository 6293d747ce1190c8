// What reports want of a real GPU beyond include/heddle/device.h.
#ifndef HEDDLE_DEVICE_CUDA_H
#define HEDDLE_DEVICE_CUDA_H

#include "heddle/device.h"

typedef struct CudaInfo {
    char name[128];
    char bus[32];                  // "0000:17:00.0", by which NVML knows it
    int major, minor;              // compute capability
    int sms, warp_width, max_threads; // threads of a block
    int clock_khz;                 // most of the SMs
    int driver;                    // the newest CUDA that the driver knows: 12040 is 12.4
} CudaInfo;

// One launch, as it was measured.
typedef struct CudaLaunch {
    char kernel[128]; // base name
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    int registers, shared_bytes, local_bytes; // by the driver's compiler: of a thread, of a block,
                                              // of a thread
    double milliseconds; // between two events of the GPU, before and behind it
    double repeated;     // the same, summed over the repetitions; 0 where there were none
} CudaLaunch;

// NULL where the device is of another kind.
const CudaInfo *device_cuda_info(const HdDevice *device);
// The launches whose end has been waited for, in order; valid until the next launch.
const CudaLaunch *device_cuda_launches(const HdDevice *device, size_t *count);
// The `.target` line that the driver was given where it would not take a module's own; NULL: it
// took them all.
const char *device_cuda_target(const HdDevice *device);

// For a device opened with `repeatable`: everything that the host did so far is done again but for
// its own work and what it read of more than some words. false and err.
bool device_cuda_repeat(HdDevice *device, HdError *err);
// How often it was; in `strayed` of them a word was read that differed from the first time.
size_t device_cuda_repetitions(const HdDevice *device, size_t *strayed);
// Starts counting, and adding up times, anew.
void device_cuda_forget(HdDevice *device);

#endif
