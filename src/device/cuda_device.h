// A real GPU, for reports: what include/heddle/device.h does not offer.
#ifndef HEDDLE_DEVICE_CUDA_DEVICE_H
#define HEDDLE_DEVICE_CUDA_DEVICE_H

#include "heddle/device.h"

typedef struct CudaInfo {
    char name[128];
    char bus[32];                  // PCI address for NVML: "0000:17:00.0"
    int major, minor;              // compute capability
    int sms, warp_width, max_threads; // max_threads: of a block
    int clock_khz;                 // maximum of the SMs
    int driver;                    // the newest CUDA version of the driver: 12040 is 12.4
} CudaInfo;

// A measured launch.
typedef struct CudaLaunch {
    char kernel[128]; // base name
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    int registers, shared_bytes, local_bytes; // from the driver's compiler: per thread, per block,
                                              // per thread
    double milliseconds; // between two events of the GPU, before and after the launch
    double repeated;     // the same, summed over the repetitions
} CudaLaunch;

// NULL if the device is of another kind.
const CudaInfo *device_cuda_info(const HdDevice *device);
// The launches that have been waited for, in order; valid until the next launch.
const CudaLaunch *device_cuda_launches(const HdDevice *device, size_t *count);
// The `.target` line given to the driver in place of a target that it does not support; NULL: the
// driver supports the targets of all modules.
const char *device_cuda_target(const HdDevice *device);

// For a device opened with `repeatable`: repeats all operations of the host so far, without its own
// work between them and without reads of more than some words. false and err on failure.
bool device_cuda_repeat(HdDevice *device, HdError *err);
// The number of repetitions; in `strayed` of them a word was read that differed from the first run.
size_t device_cuda_repetitions(const HdDevice *device, size_t *strayed);
// Resets the number of repetitions and their times.
void device_cuda_forget(HdDevice *device);

#endif
