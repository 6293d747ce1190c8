// What one micro-op does to the lanes of one warp: values only, no time.
//
// Floating point is bit-identical on every host: no libm, contraction off, directed rounding
// without global state (error-free transformations or integer arithmetic). The approximate
// functions (sin, cos, lg2, ex2, rsqrt, tanh) are our own polynomials, with the error stated in
// approx.h; div, rcp and sqrt are rounded correctly also where .approx allows less.
#ifndef HEDDLE_EXEC_EXEC_H
#define HEDDLE_EXEC_EXEC_H

#include "base/error.h"
#include "exec/guest.h"
#include "ptx/ptx.h"

// What the special registers of a warp's lanes are made of. Kept by the SM.
typedef struct ExecBlock {
    uint32_t grid[3], block[3], index[3]; // nctaid, ntid, ctaid
    uint32_t dynamic_shared, total_shared; // bytes
    uint8_t *shared;      // the block's shared memory, total_shared bytes
    const uint8_t *params;   // the kernel's parameter block
    const uint8_t *constants; // the module's constant bank
    uint32_t param_bytes, const_bytes;
    const struct TextureTable *textures; // what handles stand for (exec/texture.h)
    uint32_t sm, sm_count, grid_id, width; // width: lanes of a warp
    uint64_t cooperation; // address of what the blocks of a cooperative grid meet by; 0: it is none
} ExecBlock;

// One warp's values, as the frame on top sees them.
typedef struct ExecWarp {
    uint8_t *base[2];    // [0]: slots of the current frame; [1]: the function's constant pool
    LaneMask *predicates; // of the current frame
    uint8_t *frame_params; // SPACE_FRAME_PARAM of the current frame, [lane][frame_param_stride]
    uint32_t frame_param_stride;
    LaneMask carry;      // the carry flag (CC.CF) of each lane
    const ExecBlock *block;
    uint32_t warp_in_block; // %warpid; thread of lane l is warp_in_block * width + l
    LaneMask active;     // lanes on the current path (before the guard): activemask, shfl, vote
    uint64_t clock;      // core cycles, for %clock; nanoseconds for %globaltimer:
    uint64_t nanoseconds;
    uint8_t *local;      // local memory: thread of lane l has local_stride bytes at
    uint64_t local_stride; //   local + l * local_stride
    uint64_t local_base; // offset of the current frame's .local variables in each thread's part
    uint64_t stack; // offset in each thread's part of what alloca gives, see exec_stack
} ExecWarp;

static inline void *exec_operand(const ExecWarp *w, Operand o)
{
    return w->base[o >> 15] + (size_t)(o & 0x7fff) * SLOT_BYTES;
}
static inline LaneMask exec_predicate(const ExecWarp *w, Operand o)
{
    return o & OPERAND_CONST ? (LaneMask)0 - (LaneMask)(o & 1) : w->predicates[o];
}
// The lanes of `active` that the guard lets execute.
static inline LaneMask exec_guard(const UOp *op, const ExecWarp *w, LaneMask active)
{
    if (op->guard == OPERAND_NONE) return active;
    LaneMask p = exec_predicate(w, op->guard);
    return active & (op->guard_negated ? ~p : p);
}

// Binds op->run and op->run_full for every operation of the module, for the host's vector unit.
// An operation and type without semantics is an error that names its PTX line (nothing of it is
// left for run time), or, in a module of ptx_parse_lenient, makes its function unusable.
bool exec_bind(PtxModule *module, HdError *err);

// ALLOCA, STACKSAVE, STACKRESTORE: each thread's stack begins with the offset of what is free of it
// (8 bytes), and grows to the end of its part. What would lie beyond that is given an address
// outside.
enum { EXEC_STACK_HEAD = 16 };
void exec_stack(const UOp *op, ExecWarp *w, LaneMask mask);
// Empties the stacks of a warp's threads.
void exec_stack_start(ExecWarp *w);

// The byte address that each lane accesses (LD, ST, ATOM, RED, PREFETCH), in the
// operation's space: offsets for SHARED, LOCAL (frame base added), CONST, PARAM, FRAME_PARAM; guest
// addresses for GLOBAL and GENERIC. addresses has HD_MAX_LANES elements; those
// of lanes that take no part mean nothing.
void exec_addresses(const UOp *op, const ExecWarp *w, uint64_t *addresses);

// Splits a generic access by window: returns SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST
// or SPACE_PARAM, that of the first lane (exec_generic_offset then turns the addresses into
// offsets), with *first the lanes that lie there (where they are not all, the access is done in
// parts).
PtxSpace exec_generic_space(LaneMask mask, const uint64_t *addresses, LaneMask *first);
// Turns generic addresses of that space into offsets (SHARED, LOCAL, CONST, PARAM); GLOBAL stays.
void exec_generic_offset(PtxSpace space, LaneMask mask, uint64_t *addresses);

// Loads and stores of the spaces that belong to a block or thread (SHARED, LOCAL, CONST, PARAM,
// FRAME_PARAM): moves all op->vec elements. `space` is resolved (never GENERIC or GLOBAL). Returns
// the first lane whose access is out of bounds or misaligned, or -1. A store to CONST or PARAM is
// out of bounds in every lane.
int exec_private_load(const UOp *op, ExecWarp *w, PtxSpace space, LaneMask mask,
                      const uint64_t *addresses);
int exec_private_store(const UOp *op, ExecWarp *w, PtxSpace space, LaneMask mask,
                       const uint64_t *addresses);

// Global loads and stores, bounds already checked by the caller: the load through this SM's log,
// the store into it.
void exec_global_load(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                      const GuestMemory *memory, const StoreLog *log);
bool exec_global_store(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                       StoreLog *log, uint64_t time);

// A global store that memory shows at once, to all SMs (bounds checked by the caller).
void exec_global_store_functional(const UOp *op, ExecWarp *w, LaneMask mask,
                                  const uint64_t *addresses, GuestMemory *memory);

// One lane's atomic on `bytes` (4 or 8; 2 for 16-bit cas) of memory at `place`: the old value is
// returned, the new one stored. b and c as raw bits.
uint64_t exec_atomic(AtomOp operation, PtxType type, void *place, uint64_t b, uint64_t c);
// The raw operand bits of lane l of an ATOM/RED (b, c); c is 0 where there is none.
void exec_atomic_operands(const UOp *op, const ExecWarp *w, unsigned lane, uint64_t *b,
                          uint64_t *c);
// Writes the old value to dst[0] of lane l (ATOM).
void exec_atomic_result(const UOp *op, ExecWarp *w, unsigned lane, uint64_t old);
// Atomics in shared memory, lanes in ascending order. Returns the first lane out of bounds, or -1.
int exec_shared_atomic(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses);

// A call of a device function moves values between the SPACE_FRAME_PARAM areas of the two
// activations, for each lane in mask: `caller` and `callee` are the two frame_params, `*_stride`
// their frame_param_stride.
// The arguments of "..." go to the local memory of the frame that w is in now.
void exec_call_variable(const PtxCall *call, LaneMask mask, const uint8_t *caller,
                        uint32_t caller_stride, ExecWarp *w);
void exec_call_arguments(const PtxCall *call, LaneMask mask, const uint8_t *caller,
                         uint32_t caller_stride, uint8_t *callee, uint32_t callee_stride);
void exec_call_results(const PtxCall *call, LaneMask mask, const uint8_t *callee,
                       uint32_t callee_stride, uint8_t *caller, uint32_t caller_stride);

#endif
