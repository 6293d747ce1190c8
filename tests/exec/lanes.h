// A warp for tests: runs one micro-op on every instruction set of the host, for full and partial
// masks and with overlapping registers, and checks that all of them agree.
#ifndef HEDDLE_TESTS_EXEC_LANES_H
#define HEDDLE_TESTS_EXEC_LANES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/exec.h"
#include "exec/op_table.h"

enum { LANES_SLOTS = 64, LANES_PREDICATES = 64 };

typedef struct Lanes {
    _Alignas(64) uint8_t slots[LANES_SLOTS * SLOT_BYTES], constants[8 * SLOT_BYTES];
    LaneMask predicates[LANES_PREDICATES];
    ExecBlock block;
    ExecWarp warp;
} Lanes;

// All lanes and predicates zero; a block of 64 x 2 x 2 threads in warps of 32.
void lanes_init(Lanes *lanes);

// Lane l of a register of `bytes` (4 or 8) per lane that starts at that slot.
uint64_t lanes_get(const Lanes *lanes, unsigned slot, unsigned bytes, unsigned lane);
void lanes_set(Lanes *lanes, unsigned slot, unsigned bytes, unsigned lane, uint64_t value);
// The same value in all lanes.
void lanes_fill(Lanes *lanes, unsigned slot, unsigned bytes, uint64_t value);

// Runs op, bound for `isa`, for the lanes in mask. Fails the test if it cannot be bound.
void lanes_run(Lanes *lanes, UOp op, ExecIsa isa, LaneMask mask);

// The result of op for one lane's operands. shape: bytes per lane of destination and sources as
// digits, "844" is a 64-bit result of two 32-bit operands. Operand fields of op are filled in here.
uint64_t lanes_compute(UOp op, const char *shape, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

// lanes_compute for an operation written out, with fields of UOp by name.
#define COMPUTE(shape, a, b, c, ...)                                                               \
    lanes_compute((UOp){.vec = 1, __VA_ARGS__}, shape, (uint64_t)(a), (uint64_t)(b),               \
                  (uint64_t)(c), 0)

#define TEST_SIZE(array) (sizeof(array) / sizeof *(array))

#endif
