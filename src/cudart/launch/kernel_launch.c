// Kernel launches: checks the configuration, copies the arguments to the kernel's parameter block,
// and turns failures into CUDA's error codes.
#include "cudart/launch/kernel_launch.h"

#include "cudart/graphs/cuda_graph.h"
#include "cudart/launch/kernel_attributes.h"
#include "cudart/memory/host_memory.h"
#include "cudart/process/ending_signals.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/streams/streams.h"
#include "gpu/machine.h"

#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Reports why a kernel cannot be launched.
static CudaError reject(const RtKernel *kernel, CudaError code, const char *why)
{
    char name[256];
    ptx_base_name(kernel->name, name, sizeof name);
    cudart_warn("cannot launch %s: %s", name, why);
    return code;
}

// ---- checks ----

// Limits of all CUDA GPUs.
enum { MAX_BLOCK_X = 1024, MAX_BLOCK_Z = 64, MAX_GRID_YZ = 65535 };

static CudaError check_shape(const RtKernel *kernel, const LaunchShape *shape)
{
    const CudaDim3 *grid = &shape->grid, *block = &shape->block;
    bool empty = !grid->x || !grid->y || !grid->z || !block->x || !block->y || !block->z;
    if (!empty && grid->x <= INT32_MAX && grid->y <= MAX_GRID_YZ && grid->z <= MAX_GRID_YZ &&
        block->x <= MAX_BLOCK_X && block->y <= MAX_BLOCK_X && block->z <= MAX_BLOCK_Z &&
        block->x * block->y * block->z <= MAX_BLOCK_X)
        return cudaSuccess;
    char why[256];
    snprintf(why, sizeof why,
             "a grid of (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ") blocks of (%" PRIu32 ",%" PRIu32
             ",%" PRIu32 ") threads: expected a grid of 1 to (2^31-1,65535,65535), and blocks of 1 "
             "to (1024,1024,64) and at most 1024 threads in all",
             grid->x, grid->y, grid->z, block->x, block->y, block->z);
    return reject(kernel, cudaErrorInvalidConfiguration, why);
}

// Checks dynamic shared memory against the limit that cudaFuncSetAttribute set, or the default.
static CudaError check_shared(const RtKernel *kernel, const LaunchShape *shape)
{
    uint64_t fixed = kernel->function->shared_bytes, max = kernel_max_dynamic_shared(kernel);
    if (shape->dynamic_shared <= max) return cudaSuccess;
    char why[256];
    snprintf(why, sizeof why,
             "%zu bytes of dynamic shared memory: expected at most %" PRIu64 " beside %" PRIu64
             " static bytes; cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) "
             "raises the limit",
             shape->dynamic_shared, max, fixed);
    return reject(kernel, cudaErrorInvalidValue, why);
}

static unsigned threads_of(const LaunchShape *shape)
{
    return shape->block.x * shape->block.y * shape->block.z;
}

// Checks the block size against .maxntid, which __launch_bounds__ sets.
static CudaError check_bounds(const RtKernel *kernel, const LaunchShape *shape)
{
    uint64_t max = ptx_bound_threads(kernel->function->max_threads);
    unsigned threads = threads_of(shape);
    if (!max || threads <= max) return cudaSuccess;
    char why[128];
    snprintf(why, sizeof why,
             "%u threads per block: expected at most %" PRIu64 ", by its __launch_bounds__",
             threads, max);
    return reject(kernel, cudaErrorInvalidValue, why);
}

static CudaError check_cooperative(const RtKernel *kernel, const LaunchShape *shape)
{
    unsigned fit = 0, sms = gpu_machine(cudart_gpu())->gpu.sms;
    CudaError code = kernel_blocks_per_sm(kernel, threads_of(shape), shape->dynamic_shared, &fit);
    uint64_t blocks = (uint64_t)shape->grid.x * shape->grid.y * shape->grid.z;
    if (code || !fit || blocks <= (uint64_t)fit * sms) return code;
    char why[128];
    snprintf(why, sizeof why,
             "a cooperative grid of %" PRIu64 " blocks: expected at most %u, which the machine "
             "holds at once", blocks, fit * sms);
    return reject(kernel, cudaErrorCooperativeLaunchTooLarge, why);
}

// A cluster of one block is a block.
static CudaError check_cluster(const RtKernel *kernel, const LaunchShape *shape)
{
    if (shape->cluster <= 1) return cudaSuccess;
    char why[128];
    snprintf(why, sizeof why,
             "clusters of %" PRIu64 " blocks: expected a launch without, because clusters are not "
             "modelled", shape->cluster);
    return reject(kernel, cudaErrorNotSupported, why);
}

static CudaError check(const RtKernel *kernel, const LaunchShape *shape)
{
    CudaError code = check_shape(kernel, shape);
    if (!code) code = check_cluster(kernel, shape);
    if (!code) code = check_bounds(kernel, shape);
    if (!code) code = check_shared(kernel, shape);
    return code || !shape->cooperative ? code : check_cooperative(kernel, shape);
}

// Warns if an SM lacks the registers for a block of this size. The kernel then runs as if compiled
// for fewer registers. Larger blocks never get more registers, so each size is checked once.
static void warn_register_limit(RtKernel *kernel, const LaunchShape *shape)
{
    uint32_t counted, available;
    unsigned threads = threads_of(shape);
    if (threads <= kernel->checked_threads) return;
    kernel->checked_threads = threads;
    if (kernel_registers(kernel, 0, &counted) || kernel_registers(kernel, threads, &available) ||
        counted <= available)
        return;
    char name[256];
    ptx_base_name(kernel->name, name, sizeof name);
    cudart_warn("%s needs %" PRIu32 " registers per thread, but a block of %u threads has %" PRIu32
                ": it runs as if compiled with -maxrregcount %" PRIu32 ", but without spills",
                name, counted, threads, available, available);
}

// ---- failures ----

// Whether the host program has memory at this address, outside the device's address range.
static bool is_host_memory(uint64_t address)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    bool of_device = address - GUEST_GLOBAL_BASE < gpu_memory(cudart_gpu())->reserved;
    return address >= page && !of_device &&
           mincore((void *)(address / page * page), 1, &resident) == 0;
}

// Of the kernel's arguments that satisfy `test`, finds the largest one that is not above the
// address. Returns its index and sets *nearest to its value; -1: there is none.
static int nearest_argument(const RtKernel *kernel, uint64_t address, bool (*test)(uint64_t),
                            uint64_t *nearest)
{
    const PtxFunction *function = kernel->function;
    int argument = -1;
    for (size_t i = 0; i < function->param_count; i++) {
        const PtxParam *param = &function->params[i];
        uint64_t value; // a structure may hold several
        for (uint64_t at = 0; at + sizeof value <= param->bytes; at += sizeof value) {
            memcpy(&value, (char *)kernel->param_block + param->offset + at, sizeof value);
            if (argument >= 0 && value <= *nearest) continue;
            if (value > address || !test(value)) continue;
            *nearest = value;
            argument = (int)i;
        }
    }
    return argument;
}

static bool is_null(uint64_t value) { return !value; }

// Explains a fault by an address outside of device memory: a host address, or one near 0, usually
// came from an argument.
static void explain_address(const RtKernel *kernel)
{
    enum { NEAR_NULL = 1 << 20 };
    uint64_t address, nearest = 0;
    if (!gpu_fault_address(cudart_gpu(), &address)) return;
    if (address < NEAR_NULL) {
        int argument = nearest_argument(kernel, 0, is_null, &nearest);
        if (argument >= 0)
            cudart_warn("argument %d of the kernel is a null pointer, or holds one: check that it "
                        "was allocated, and that the allocation succeeded", argument + 1);
    } else if (is_host_memory(address)) {
        int argument = nearest_argument(kernel, address, is_host_memory, &nearest);
        if (argument < 0)
            cudart_warn("0x%" PRIx64 " is a host address, which a kernel cannot access", address);
        else
            cudart_warn("argument %d of the kernel, 0x%" PRIx64 ", points to host memory: copy it "
                        "to the device (cudaMalloc, cudaMemcpy), or use cudaMallocManaged",
                        argument + 1, nearest);
    }
}

static CudaError fail(const RtKernel *kernel, const HdError *err)
{
    switch (gpu_fault(cudart_gpu())) {
    case GPU_FAULT_CONFIGURATION:
        return reject(kernel, cudaErrorInvalidConfiguration, err->text);
    case GPU_FAULT_RESOURCES:
        return reject(kernel, cudaErrorLaunchOutOfResources, err->text);
    case GPU_FAULT_UNSUPPORTED: return reject(kernel, cudaErrorNotSupported, err->text);
    case GPU_FAULT_STOPPED:
        if (cudart_ending()) return cudaErrorCudartUnloading;
        break;
    default: break;
    }
    static const CudaError codes[] = {
        [GPU_FAULT_NONE] = cudaErrorUnknown,
        [GPU_FAULT_ADDRESS] = cudaErrorIllegalAddress,
        [GPU_FAULT_MISALIGNED] = cudaErrorMisalignedAddress,
        [GPU_FAULT_ASSERT] = cudaErrorAssert,
        [GPU_FAULT_TRAP] = cudaErrorLaunchFailure,
        [GPU_FAULT_MEMORY] = cudaErrorMemoryAllocation,
        [GPU_FAULT_STACK] = cudaErrorLaunchFailure,
        [GPU_FAULT_DEADLOCK] = cudaErrorLaunchTimeout,
        [GPU_FAULT_STOPPED] = cudaErrorLaunchTimeout,
        [GPU_FAULT_HOST] = cudaErrorUnknown,
    };
    cudart_warn("%s", err->text);
    explain_address(kernel);
    cudart_set_fault(codes[gpu_fault(cudart_gpu())]);
    return cudaSuccess; // the next synchronising call returns the fault
}

// ---- a launch ----

static CudaError fill_param_block(const RtKernel *kernel, void **arguments)
{
    const PtxFunction *function = kernel->function;
    if (function->param_count && !arguments) return cudaErrorInvalidValue;
    for (size_t i = 0; i < function->param_count; i++) {
        const PtxParam *param = &function->params[i];
        if (!arguments[i]) return cudaErrorInvalidValue;
        memcpy((char *)kernel->param_block + param->offset, arguments[i], param->bytes);
    }
    return cudaSuccess;
}

// Runs the launch in the default floating-point environment: the program may have set a rounding
// mode, trapping exceptions or flushing of denormals for the host. Restores the program's
// environment.
static bool run(const RtKernel *kernel, const Launch *launch, HdError *err)
{
    fenv_t of_program;
    fegetenv(&of_program);
    fesetenv(FE_DFL_ENV);
    cudart_launch_begin(kernel);
    bool ok = gpu_launch(cudart_gpu(), launch, err);
    progress_clear(&cudart_state()->progress);
    fesetenv(&of_program);
    return ok;
}

// Returns the address of the grid barrier's counters, which are zeroed before each cooperative
// launch.
static CudaError grid_barrier_reset(uint64_t *address)
{
    enum { BYTES = 8 };
    Allocations *all = cudart_allocations();
    HdError err = {0};
    if (!all->grid_barrier)
        all->grid_barrier = gpu_allocate(cudart_gpu(), BYTES, "grid barrier", &err);
    *address = all->grid_barrier;
    if (all->grid_barrier && gpu_fill(cudart_gpu(), all->grid_barrier, 0, BYTES, &err))
        return cudaSuccess;
    cudart_warn("%s", err.text);
    return cudaErrorMemoryAllocation;
}

CudaError launch_kernel(RtKernel *kernel, const LaunchShape *shape, void **arguments)
{
    uint64_t cooperation = 0;
    CudaError code = check(kernel, shape);
    if (!code && stream_current_capture()) {
        GraphWork work;
        code = graph_kernel_work(kernel, shape, arguments, &work);
        return code ? code : graph_append_captured(stream_current_capture(), work);
    }
    if (!code) code = fill_param_block(kernel, arguments);
    if (!code && shape->cooperative) code = grid_barrier_reset(&cooperation);
    if (code || cudart_faulted()) return code;
    Launch launch = {
        .kernel = kernel->function,
        .module = kernel->ptx,
        .grid = {shape->grid.x, shape->grid.y, shape->grid.z},
        .block = {shape->block.x, shape->block.y, shape->block.z},
        .dynamic_shared = shape->dynamic_shared,
        .params = kernel->param_block,
        .cooperation = cooperation,
        .stream = cudart_state()->current_stream,
        .in_graph = cudart_state()->in_graph,
    };
    HdError err = {0};
    warn_register_limit(kernel, shape);
    host_memory_before_launch();
    signals_defer();
    bool ok = run(kernel, &launch, &err);
    host_memory_after_launch();
    return ok ? code : fail(kernel, &err);
}
