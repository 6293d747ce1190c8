// The ways to run a program by Heddle (runners), and what they must agree on.
#ifndef TESTS_RANDOM_RUNNERS_H
#define TESTS_RANDOM_RUNNERS_H

#include "program.h"

#include "gpu/gpu.h"
#include "hooks/plan.h"

enum { RUNNERS = 14, SECONDS_PER_PROGRAM = 60 };

typedef struct Runner {
    const char *name;    // "timed, stack"
    const char *machine; // a machine file
    const char *divergence, *width;
    bool functional;
    const char *scalar; // scalar.mode, with pairs of warps; NULL: off, and no pairs
    const char *go_on;     // scalar.go_on; NULL: off
    const char *members;   // scalar.members; NULL: fixed
    const char *mechanism; // that injects micro-ops; NULL: none
    HookPlan mechanisms;   // of gpu
    Gpu *gpu;
    uint64_t memory;  // its address
    unsigned modules; // loaded so far
} Runner;

extern const HdMechanism repeat_any; // repeat_any.c

// The runners of machine number `machine`, modulo their number.
void runners_of(unsigned machine, Runner runners[RUNNERS]);
unsigned runner_width(const Runner *r);
void runner_free(Runner *r);
// Runs the program on the memory, in and out. false and err: it does not load, or faults.
bool runner_run(Runner *r, const Program *p, const char *ptx, uint8_t *memory, HdError *err);

// What differs between a runner and the reference.
typedef struct Difference {
    bool found;
    unsigned runner; // the runner that differs, or that is running
    char text[1024];
} Difference;
// Runs the program by the reference and by the runners [first, last). Returns whether a runner
// differs, and stops at the first one.
bool runners_compare(Runner *runners, unsigned first, unsigned last, const Program *p,
                     Difference *d);

// Removes what is not needed for this one of the runners to differ.
void program_reduce(Program *p, Runner *runners, unsigned which);

#endif
