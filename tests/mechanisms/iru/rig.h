// An engine_rig with engines of `iru`, as its tests by hand need it: entries of 4 elements, and
// targets of 4 bytes at address 0, so that block = index / 32.
#ifndef HEDDLE_TESTS_MECHANISMS_IRU_RIG_H
#define HEDDLE_TESTS_MECHANISMS_IRU_RIG_H

#include "mechanisms/iru/iru.h"
#include "mechanisms/engine_rig.h"

extern const HdMechanism mechanism_iru;

enum { PLAIN, SECONDARY, POSITION, BOTH }; // instructions
enum { NONE, MIN, ADD };                   // filters

EngineRig *iru_rig_new(unsigned slices);
// The host configures the next launch. NULL: accepted.
const char *iru_rig_configure(EngineRig *rig, uint64_t indices, uint64_t secondary, uint32_t count,
                              unsigned filter);
// A launch of a kernel with this instruction begins on these indices. secondaries NULL: none.
void iru_rig_begin(EngineRig *rig, const uint32_t *indices, const uint32_t *secondaries,
                   uint32_t count, unsigned filter, unsigned instruction);
// Runs to the end, which has no fault, and frees the rig.
void iru_rig_finish(EngineRig *rig);

// The request has these values in register `reg` of lanes 0 and up, and no other lane is enabled.
void iru_rig_has(const EngineRig *rig, uint32_t request, unsigned reg, unsigned count,
                 const uint32_t *values);
#define WORDS(...) (const uint32_t[]){__VA_ARGS__}
#define HAS(rig, request, reg, ...)                                                                \
    iru_rig_has(rig, request, reg, sizeof(WORDS(__VA_ARGS__)) / 4, WORDS(__VA_ARGS__))

#endif
