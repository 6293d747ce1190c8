// Microbenchmarks as published ones are made: short kernels that measure one quantity of a machine
// from within, by differences of clocks.
#ifndef HEDDLE_BENCH_MICROBENCH_H
#define HEDDLE_BENCH_MICROBENCH_H

#include "gpu/machine.h"
#include "heddle/device.h"

enum { MOST_SET = 16 };

// A machine under test. Each measurement opens the device anew, so that caches are empty.
typedef struct Chip {
    HdSimulation simulation;
    const char *set[MOST_SET]; // overrides "section.key=value", NULL behind the last one
    HdDevice *device;
    const Machine *machine; // of the open device
    unsigned kernels;       // loaded so far; numbers their names
    unsigned share;         // the open device is one of this many equal shares of the machine
} Chip;

typedef struct Quantity Quantity;
struct Quantity {
    const char *name, *unit;
    bool (*measure)(Chip *chip, const Quantity *quantity, double *value, HdError *err);
    const char *before, *body; // of the kernel (see Kernel)
    double scale;              // multiplies the measured value; 0: 1
    const char *set;           // a parameter of the machine that the program's build sets, or NULL
};

// The table of quantities that are not of one instruction class; it ends with {0}.
extern const Quantity micro_quantities[];

// A class of instructions: quantities "latency.NAME" (cycles) and "throughput.NAME" (results per
// cycle and SM). The table ends with {0}.
typedef struct InstructionClass {
    const char *name, *body;
} InstructionClass;
extern const InstructionClass micro_classes[];

// Measures a quantity by name. *unit: of the value; if NULL, it becomes the quantity's own unit.
// false and err if there is no such quantity, or if it cannot have this unit.
bool micro_measure(Chip *chip, const char *name, const char **unit, double *value, HdError *err);
// Fails as micro_measure does for a wrong name or unit (NULL: any).
bool micro_check(const char *name, const char *unit, HdError *err);
// Writes the name of the quantity number `index`, from 0 on; false if there are fewer.
bool micro_name(unsigned index, char *name, size_t size);

// ---- kernels ----

// A loop around `count` bodies. The bodies can use the loop's registers: predicates %p, 16-bit %h,
// 32-bit %r, 64-bit %rd, floats %f, doubles %d, numbered 0 to 9; %rd8: the argument, %rd9: the
// number of the thread in the grid, %r8: its lane; `place`: 8 KiB of shared memory; `bank`: 8 bytes
// of constant memory, which hold their own address. Each # in `body` becomes the number of a chain,
// 0 to chains - 1 in turn.
typedef struct Kernel {
    const char *before, *body;
    unsigned chains, count;
} Kernel;

typedef struct KernelRun {
    unsigned blocks, threads, rounds; // rounds of the loop
    HdAddress argument;
} KernelRun;

typedef struct KernelTimes {
    uint64_t launch; // core cycles of the launch
    uint64_t round;  // from the first to the last instruction of the last round
} KernelTimes;

bool micro_run(Chip *chip, const Kernel *kernel, const KernelRun *run, KernelTimes *times,
               HdError *err);

#endif
