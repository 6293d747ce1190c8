// A machine: every parameter of a simulated GPU, as one struct that a machine file fills.
#ifndef HEDDLE_GPU_MACHINE_H
#define HEDDLE_GPU_MACHINE_H

#include "core/core_config.h"
#include "memory/memory_side.h"
#include "ptx/ptx.h"

typedef struct GpuConfig { // section `gpu`
    uint32_t sms;
    uint32_t capability; // see machine_capability
} GpuConfig;

typedef struct PtxConfig { bool contract; } PtxConfig; // section `ptx`

typedef struct Machine {
    GpuConfig gpu;
    PtxConfig ptx;
    CoreConfig core;
    ScalarConfig scalar;
    FrontendConfig frontend;
    OperandConfig operand;
    UnitConfig units;
    LatencyConfig latency, initiation;
    SharedConfig shared;
    CacheConfig l1d, l1i, l1c, l1r;
    L15Config l15;
    PathConfig path; // section `memory`
    LaunchConfig launch;
    IcntConfig icnt;
    SliceConfig slice;
    AtomicsConfig atomics;
    CacheConfig l2;
    DramConfig dram;
} Machine;

extern const ConfigSchema machine_schema;

// Checks across parameters: geometries, ratios, buffers against bandwidth x round trip. false and
// err if the machine is not possible. `notes` (size bytes) gets advice, one line each: the quantum,
// and buffers too small for their channel.
bool machine_check(const Machine *machine, char *notes, size_t size, HdError *err);

// The compute capability (gpu.capability) as 10 x major + minor. Programs read it; it changes no
// timing.
unsigned machine_capability(const Machine *machine);

// How PTX is parsed for the machine.
PtxOptions machine_ptx_options(const Machine *machine);

// Bytes of an SM's shared memory that a block takes if its kernel asks for `shared` bytes.
uint64_t machine_block_shared(const Machine *machine, uint64_t shared);

// Blocks of a kernel that one SM holds, and the limiting resource ("threads", "blocks",
// "registers", "shared memory"). 0 and err if not even one fits.
unsigned machine_occupancy(const Machine *machine, unsigned threads, unsigned registers,
                           uint64_t shared, const char **limit, HdError *err);

// The most warp instructions that an SM issues in a cycle.
uint32_t machine_issue_width(const Machine *machine);
// The most registers that a thread can have.
uint32_t machine_most_registers(const Machine *machine);
// How many registers more than `registers` each thread can have, without fewer blocks on an SM; at
// most `most`. lakshminarayana2014, 3.3.2.2: MaxReg_d - MaxReg_s.
uint32_t machine_spare_registers(const Machine *machine, unsigned threads, uint32_t registers,
                                 uint64_t shared, uint32_t most);

// What the blocks of an SM take of its storage, in bytes.
typedef struct SmUse {
    uint64_t block_shared; // shared memory of one block, as its kernel asks for it
    uint64_t shared;       // shared memory of all blocks, with what is reserved for each
    uint64_t registers;    // registers of all blocks, by whole warps
} SmUse;

// What `blocks` blocks of `threads` threads take. registers: of each thread, those of its kernel
// and the spare ones in which a mechanism keeps data; machine_occupancy must fit that many.
// shared: bytes that the kernel asks for.
//
// core.register_unit is the allocator's, and is left out: lakshminarayana2014, Figure 4, counts the
// registers that threads need (15 for 1,536 threads leave 38 of 128 KB).
SmUse machine_use(const Machine *machine, unsigned blocks, unsigned threads, unsigned registers,
                  uint64_t shared);

// The L1D of a launch whose blocks take this (memory.l1_sizing), in whole sets. `ways` 0 becomes
// the smallest number from 4 on that gives a power-of-two number of sets.
CacheConfig machine_l1d(const Machine *machine, const SmUse *use);

#endif
