// A machine: every parameter of a simulated GPU, as one struct that a machine file fills.
#ifndef HEDDLE_GPU_MACHINE_H
#define HEDDLE_GPU_MACHINE_H

#include "core/core.h"
#include "memory/memory_side.h"

typedef struct GpuConfig { // section `gpu`
    uint32_t sms;
    uint32_t capability; // see machine_capability
} GpuConfig;

typedef struct Machine {
    GpuConfig gpu;
    CoreConfig core;
    FrontendConfig frontend;
    OperandConfig operand;
    UnitConfig units;
    LatencyConfig latency, initiation;
    SharedConfig shared;
    CacheConfig l1d, l1i, l1c, l1r;
    PathConfig path; // section `memory`
    LaunchConfig launch;
    IcntConfig icnt;
    SliceConfig slice;
    CacheConfig l2;
    DramConfig dram;
} Machine;

extern const ConfigSchema machine_schema;

// Checks what no single knob can: geometries, ratios, buffers against bandwidth x round trip.
// false and err on what cannot be; `notes` (size bytes) gets advice, one line each, e.g. the
// quantum and buffers too small for their channel.
bool machine_check(const Machine *machine, char *notes, size_t size, HdError *err);

// Its compute capability (gpu.capability), 10 x major + minor: what a program is told, and what PTX
// for a newer one is measured by. It changes nothing of the machine.
unsigned machine_capability(const Machine *machine);

// Bytes of an SM's shared memory that a block of a kernel that asks for `shared` takes.
uint64_t machine_block_shared(const Machine *machine, uint64_t shared);

// Blocks that one SM holds of a kernel, and what limits it ("threads", "blocks", "registers",
// "shared memory"); 0 and err where not even one fits.
unsigned machine_occupancy(const Machine *machine, unsigned threads, unsigned registers,
                           uint64_t shared, const char **limit, HdError *err);

// The L1D of a launch whose blocks need `per_block` bytes of shared memory each, and all that are
// on an SM at once `shared` bytes (memory.l1_sizing). `ways` 0 becomes the smallest number of at
// least 4 that gives a power-of-two number of sets.
CacheConfig machine_l1d(const Machine *machine, uint64_t per_block, uint64_t shared);

#endif
