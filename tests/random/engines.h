// The engines that run a program, and what they must agree on.
#ifndef TESTS_RANDOM_ENGINES_H
#define TESTS_RANDOM_ENGINES_H

#include "program.h"

#include "gpu/gpu.h"
#include "hooks/plan.h"

enum { ENGINES = 12, SECONDS_PER_PROGRAM = 60 };

typedef struct Engine {
    const char *name;    // "timed, stack"
    const char *machine; // a machine file
    const char *divergence, *width;
    bool functional;
    const char *scalar; // scalar.mode, with pairs of warps; NULL: off, and no pairs
    const char *mechanism; // that injects micro-ops; NULL: none
    HookPlan mechanisms;   // of gpu
    Gpu *gpu;
    uint64_t memory;  // its address
    unsigned modules; // loaded so far
} Engine;

extern const HdMechanism repeat_any; // repeat_any.c

// The engines of machine number `machine`, modulo their number.
void engines_of(unsigned machine, Engine engines[ENGINES]);
unsigned engine_width(const Engine *e);
void engine_free(Engine *e);
// Runs the program on the memory, in and out. false and err: it does not load, or faults.
bool engine_run(Engine *e, const Program *p, const char *ptx, uint8_t *memory, HdError *err);

// What differs between an engine and the reference.
typedef struct Difference {
    bool found;
    unsigned engine; // the engine that differs, or that is running
    char text[1024];
} Difference;
// Runs the program by the reference and by the engines [first, last). Returns whether an engine
// differs, and stops at the first one.
bool engines_compare(Engine *engines, unsigned first, unsigned last, const Program *p,
                     Difference *d);

// Removes what is not needed for engine `e` to differ.
void program_reduce(Program *p, Engine *engines, unsigned e);

#endif
