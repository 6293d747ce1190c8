// What programs register before main: fat binaries, and the kernels and variables in them. A
// module's PTX is parsed and loaded when one of these is first used.
#ifndef HEDDLE_CUDART_CUDA_MODULES_H
#define HEDDLE_CUDART_CUDA_MODULES_H

#include "cudart/runtime/cuda_types.h"
#include "cudart/runtime/pointer_map.h"
#include "device/sim.h"

typedef struct RtModule RtModule;

// A __global__ function. CUDA's cudaFunction_t and cudaKernel_t are pointers to one.
typedef struct RtKernel {
    RtModule *module;
    const void *host; // the function of the host program that stands for it
    const char *name; // in PTX; as long as the module
    // Of the loaded module; NULL: not looked up yet.
    PtxModule *ptx;
    PtxFunction *function;
    void *block;           // its parameter block, filled in at each launch
    uint64_t max_dynamic_shared; // bytes of dynamic shared memory that cudaFuncSetAttribute allows;
                                 // 0: what goes without asking
    unsigned checked;      // threads of a block up to which it is known whether they have to do
                           // with fewer registers than were counted
    struct RtKernel *next; // of the module
} RtKernel;

// A __device__, __constant__ or __managed__ variable.
typedef struct RtVariable {
    RtModule *module;
    const void *host; // its shadow in the host program
    const char *name;
    void **managed;   // where the host program keeps the pointer to it, which stands for it as
                      // well; NULL: not managed
    // Of the loaded module; NULL: not placed yet.
    PtxModule *ptx;
    PtxSpace space;          // SPACE_GLOBAL or SPACE_CONST
    uint64_t address, bytes; // as gpu_variable gives them
    struct RtVariable *next; // of the module
} RtVariable;

// A texture<> or surface<> at file scope, which CUDA 11 still has.
typedef struct RtTexture {
    RtModule *module;
    const void *host; // struct textureReference
    const char *name;
    int dimensions;
    bool normalised; // reads give -1..1 or 0..1
    struct RtTexture *next;
} RtTexture;

// What was registered: a part of the process's context.
typedef struct Registry {
    RtModule *modules;
    unsigned count; // ever registered
    PointerMap kernels, variables, textures; // by host address; kernels also by their handle
    bool newer_target_warned; // that there is PTX for a newer major capability than the machine's
} Registry;

// ---- registration: under the lock; no device is needed ----
// NULL: memory is out (told).
RtModule *module_register(const void *wrapper);
void module_unregister(RtModule *module);
void module_add_kernel(RtModule *module, const void *host, const char *name);
void module_add_variable(RtModule *module, const void *host, const char *name, void **managed);
void module_add_texture(RtModule *module, const void *host, const char *name, int dimensions,
                        bool normalised);

// ---- use: under the lock, with the device open ----
// Loads the module unless it is. On failure a line on stderr (once per module), and the code.
CudaError module_use(RtModule *module);
// Has it managed variables, to which the host program reads pointers?
bool module_has_managed(const RtModule *module);
// Loads the module, and gives the program these pointers.
CudaError module_use_managed(RtModule *module);

// The kernel of a host function, or of a kernel's own handle, loaded and found in its module.
CudaError kernel_use(const void *host, RtKernel **kernel);
// The same without loading, and without a device; NULL where there is none.
RtKernel *kernel_find(const void *host);
// A variable, loaded and placed.
CudaError variable_use(const void *host, RtVariable **variable);
// NULL where there is none.
RtTexture *texture_find(const void *host);
// A texture reference, and its module, loaded.
CudaError texture_use(const void *host, RtTexture **texture, const PtxModule **ptx);

// After a reset: modules are loaded anew where the device is (`gone`), else their variables have
// their first values again.
void modules_reset(bool gone);

#endif
