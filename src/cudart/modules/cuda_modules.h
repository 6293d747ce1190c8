// What a program registers before main: fat binaries with their kernels, variables and textures. A
// module's PTX is parsed and loaded at the first use of one of these.
#ifndef HEDDLE_CUDART_CUDA_MODULES_H
#define HEDDLE_CUDART_CUDA_MODULES_H

#include "cudart/runtime/cuda_types.h"
#include "cudart/runtime/pointer_map.h"
#include "device/sim.h"

typedef struct RtModule RtModule;

// A __global__ function. CUDA's cudaFunction_t and cudaKernel_t are pointers to this.
typedef struct RtKernel {
    RtModule *module;
    const void *host; // its stub function in the host program
    const char *name; // in PTX; valid as long as the module
    // In the loaded module; NULL: not looked up yet.
    PtxModule *ptx;
    PtxFunction *function;
    void *param_block;           // filled in at each launch
    uint64_t max_dynamic_shared; // bytes, set by cudaFuncSetAttribute; 0: the default limit
    unsigned checked_threads;    // warn_register_limit has checked blocks of up to this size
    struct RtKernel *next;       // in the module
} RtKernel;

// A __device__, __constant__ or __managed__ variable.
typedef struct RtVariable {
    RtModule *module;
    const void *host; // its shadow in the host program
    const char *name;
    void **managed;   // the host program's pointer to it, which identifies it as well; NULL: not
                      // managed
    // In the loaded module; NULL: not placed yet.
    PtxModule *ptx;
    PtxSpace space;          // SPACE_GLOBAL or SPACE_CONST
    uint64_t address, bytes; // as gpu_variable gives them
    struct RtVariable *next; // in the module
} RtVariable;

// A texture<> or surface<> at file scope (CUDA 11).
typedef struct RtTexture {
    RtModule *module;
    const void *host; // struct textureReference
    const char *name;
    int dimensions;
    bool normalised; // reads return -1..1 or 0..1
    struct RtTexture *next;
} RtTexture;

// All that was registered: a member of the process's context.
typedef struct Registry {
    RtModule *modules;
    unsigned count; // how many modules were ever registered
    PointerMap kernels, variables, textures; // by host address; kernels also by their handle
    bool newer_target_warned; // warned of PTX for a newer compute capability than the machine's
    bool lanes_warned;        // warned of lanes that exchange values in warps not of 32
} Registry;

// ---- registration: requires the lock, but no device ----
// NULL: out of memory (reported).
RtModule *module_register(const void *wrapper);
void module_unregister(RtModule *module);
void module_add_kernel(RtModule *module, const void *host, const char *name);
void module_add_variable(RtModule *module, const void *host, const char *name, void **managed);
void module_add_texture(RtModule *module, const void *host, const char *name, int dimensions,
                        bool normalised);

// ---- use: requires the lock and an open device ----
// Loads the module if necessary. On failure returns the code; reports why, once per module.
CudaError module_use(RtModule *module);
// Whether the module has managed variables.
bool module_has_managed(const RtModule *module);
// Loads the module, and stores the addresses of its managed variables in the program's pointers.
CudaError module_use_managed(RtModule *module);

// Finds the kernel of a stub function or of a kernel handle, and loads its module.
CudaError kernel_use(const void *host, RtKernel **kernel);
// The same without loading, which needs no device. NULL: no such kernel.
RtKernel *kernel_find(const void *host);
// Finds a variable, loads its module and looks up its address.
CudaError variable_use(const void *host, RtVariable **variable);
// NULL: no such texture reference.
RtTexture *texture_find(const void *host);
// Finds a texture reference, and loads its module.
CudaError texture_use(const void *host, RtTexture **texture, const PtxModule **ptx);

// Whether a module has a managed variable.
bool modules_have_managed(void);

// cudaDeviceReset: at their next use, modules get their variables' initial values again. `closing`:
// the device is closed next, so modules are loaded again.
void modules_reset(bool closing);

#endif
