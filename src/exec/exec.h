// Executes one micro-op on the lanes of one warp: values only, no time.
//
// Floating-point results have the same bits on every host: no libm, no contraction, and directed
// rounding without global state (error-free transformations or integer arithmetic). The approximate
// functions (sin, cos, lg2, ex2, rsqrt, tanh) are our own polynomials; approx.h states their
// errors. div, rcp and sqrt are rounded correctly even if .approx allows less.
//
// What a micro-op names (slots, predicates, vector widths, offsets of calls) is taken as it is,
// because it is proved when the module is loaded. What a register or the guest's memory holds is
// checked where it becomes a place of the host: addresses once for each warp access, against the
// allocation or the bytes of their own block, thread or frame; texture handles, lane numbers,
// branch indices and pointers to functions against their tables. A number that fits nothing is a
// fault of the kernel, with the line, the thread and the value, or has the effect that PTX gives
// it.
#ifndef HEDDLE_EXEC_EXEC_H
#define HEDDLE_EXEC_EXEC_H

#include "base/fail.h"
#include "exec/guest.h"
#include "heddle/engines.h"
#include "ptx/ptx.h"

// The values of a block that its special registers and address spaces read. Kept by the SM.
typedef struct ExecBlock {
    uint32_t grid[3], block[3], index[3]; // nctaid, ntid, ctaid
    uint32_t dynamic_shared, total_shared; // bytes
    uint8_t *shared;      // the block's shared memory, total_shared bytes
    const uint8_t *params;   // the kernel's parameter block
    const uint8_t *constants; // the module's constant bank
    uint32_t param_bytes, const_bytes;
    const struct TextureTable *textures; // the textures of handles (exec/texture.h)
    uint32_t sm, sm_count, grid_id, width; // width: lanes of a warp
    uint64_t cooperation; // address of the grid barrier of a cooperative grid; 0: not cooperative
} ExecBlock;

// The state of one warp, as seen from the top frame of its call stack.
typedef struct ExecWarp {
    uint8_t *base[2];    // [0]: slots of the current frame; [1]: the function's constant pool
    LaneMask *predicates; // of the current frame
    // SPACE_FRAME_PARAM of the current frame: the thread of lane l has frame_param_bytes bytes at
    // frame_params + l * frame_param_stride. The rest of the stride belongs to other frames.
    uint8_t *frame_params;
    uint32_t frame_param_bytes, frame_param_stride;
    LaneMask carry;      // the carry flag (CC.CF) of each lane
    const ExecBlock *block;
    uint32_t warp_in_block; // %warpid; thread of lane l is warp_in_block * width + l
    LaneMask active;     // lanes of the current warp split, before the guard
    uint64_t clock;       // core cycles, for %clock
    uint64_t nanoseconds; // for %globaltimer
    // Local memory: the thread of lane l has local_stride bytes at local + l * local_stride.
    uint8_t *local;
    uint64_t local_stride;
    uint64_t local_base; // offset of the current frame's .local variables in a thread's memory
    uint64_t stack;      // offset of the alloca stack in a thread's memory, see exec_stack
} ExecWarp;

static inline void *exec_operand(const ExecWarp *w, Operand o)
{
    return w->base[o >> 15] + (size_t)(o & 0x7fff) * SLOT_BYTES;
}
static inline LaneMask exec_predicate(const ExecWarp *w, Operand o)
{
    return o & OPERAND_CONST ? (LaneMask)0 - (LaneMask)(o & 1) : w->predicates[o];
}
// The bits of a register or constant of this type, no predicate, in a lane. Types of less than 4
// bytes are kept in 4.
static inline uint64_t exec_value(const ExecWarp *w, PtxType type, Operand o, unsigned lane)
{
    typedef uint32_t __attribute__((may_alias)) Word;
    typedef uint64_t __attribute__((may_alias)) LongWord;
    const void *slot = exec_operand(w, o);
    return ptx_type_bytes(type) == 8 ? ((const LongWord *)slot)[lane] : ((const Word *)slot)[lane];
}
// The lanes of `active` in which the guard is true.
static inline LaneMask exec_guard(const UOp *op, const ExecWarp *w, LaneMask active)
{
    if (op->guard == OPERAND_NONE) return active;
    LaneMask p = exec_predicate(w, op->guard);
    return active & (op->guard_negated ? ~p : p);
}

// Executes a scalar instruction (UOpTiming.scalar) by op->run in the first lane of `mask`, which is
// not empty, and gives the other lanes of `mask` its results. Lanes outside are not written,
// because another register may be in their part of the slot; none of them reads the results.
void exec_scalar(const UOp *op, ExecWarp *w, LaneMask mask);
// Gives these lanes the results that an instruction has in the first of them.
void exec_give_results(const UOp *op, ExecWarp *w, LaneMask lanes);

// Sets op->run and op->run_full of every operation of the module, for the host's instruction set.
// An unsupported operation and type is an error that names its PTX line, so that nothing is left to
// fail at run time. In a lenient module it makes its function unusable instead.
bool exec_bind(PtxModule *module, HdError *err);

// Returns the first of the lanes `readers` that reads lane *source outside of `mask` in a SHFL of
// the lanes `mask`, which gives 0; -1: there is none.
int exec_shuffle_inactive(const UOp *op, const ExecWarp *w, LaneMask mask, LaneMask readers,
                          unsigned *source);

// Executes ALLOCA, STACKSAVE and STACKRESTORE. Each thread's stack begins with the 8-byte offset of
// its first free byte, and grows to the end of the thread's local memory. An allocation that does
// not fit gets an address out of bounds. CUDA's cudaLimitStackSize does not change the size.
enum {
    EXEC_STACK_HEAD = 16,
    EXEC_STACK_BYTES = 64 << 10,
    EXEC_STACK_ROOM = EXEC_STACK_HEAD + EXEC_STACK_BYTES
};
void exec_stack(const UOp *op, ExecWarp *w, LaneMask mask);
// Empties the stacks of a warp's threads.
void exec_stack_start(ExecWarp *w);

// Computes the byte address that each lane accesses (LD, ST, ATOM, RED, PREFETCH), in the space of
// the operation: offsets for SHARED, LOCAL (frame base added), CONST, PARAM and FRAME_PARAM; guest
// addresses for GLOBAL and GENERIC. addresses has HD_MAX_LANES elements; the elements of inactive
// lanes are undefined.
void exec_addresses(const UOp *op, const ExecWarp *w, uint64_t *addresses);

// Whether the addresses of all lanes are one `stride` (modulo 2^64) apart from lane to lane.
static inline bool exec_strided(const uint64_t *addresses, uint64_t stride)
{
    const unsigned last = HD_MAX_LANES - 1;
    if (addresses[1] - addresses[0] != stride || addresses[last] - addresses[0] != stride * last)
        return false;
    uint64_t other = 0;
    for (unsigned l = 2; l < HD_MAX_LANES; l++)
        other |= (addresses[l] - addresses[l - 2]) ^ 2 * stride;
    return !other;
}

// Returns the space of the first lane's generic address: SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL,
// SPACE_CONST or SPACE_PARAM. *first: the lanes with an address in that space. If these are not all
// lanes, the caller splits the access. exec_generic_offset converts the addresses to offsets.
PtxSpace exec_generic_space(LaneMask mask, const uint64_t *addresses, LaneMask *first);
// Converts generic addresses of that space to offsets (SHARED, LOCAL, CONST, PARAM). GLOBAL is
// unchanged.
void exec_generic_offset(PtxSpace space, LaneMask mask, uint64_t *addresses);

// Loads and stores in the spaces of a block or thread (SHARED, LOCAL, CONST, PARAM, FRAME_PARAM):
// moves all op->vec elements. `space` is resolved (never GENERIC or GLOBAL). Returns the first lane
// with an out-of-bounds or misaligned access, or -1. A store to CONST or PARAM is out of bounds in
// every lane.
int exec_private_load(const UOp *op, ExecWarp *w, PtxSpace space, LaneMask mask,
                      const uint64_t *addresses);
int exec_private_store(const UOp *op, ExecWarp *w, PtxSpace space, LaneMask mask,
                       const uint64_t *addresses);

// Global loads and stores. The caller has checked the bounds. A load reads through this SM's log
// (NULL: memory alone); a store is appended to it (false: out of memory).
void exec_global_load(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                      const GuestMemory *memory, const StoreLog *log);
bool exec_global_store(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                       StoreLog *log, uint64_t time);

// Executes one lane's atomic on the `bytes` (4 or 8; 2 for 16-bit cas) of memory at `place`: stores
// the new value and returns the old one; adds 1 to *changes if they differ. b and c are raw bits.
uint64_t exec_atomic(AtomOp operation, PtxType type, void *place, uint64_t b, uint64_t c,
                     uint64_t *changes);
// The raw bits of operands b and c of an ATOM or RED in one lane; c is 0 if there is none.
void exec_atomic_operands(const UOp *op, const ExecWarp *w, unsigned lane, uint64_t *b,
                          uint64_t *c);
// Writes the old value to dst[0] of one lane (ATOM).
void exec_atomic_result(const UOp *op, ExecWarp *w, unsigned lane, uint64_t old);
// Atomics in shared memory, in ascending order of lanes. Returns the first lane with an
// out-of-bounds or misaligned access, or -1.
int exec_shared_atomic(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                       uint64_t *changes);

// Writes the answer of a mechanism's engine to the destinations of an ENGINE.
void exec_engine_result(const UOp *op, ExecWarp *w, LaneMask mask, const HdEngineReply *reply);

// Copy values between the SPACE_FRAME_PARAM areas of the caller and the callee of a device
// function, for each lane in mask. `caller` and `callee` are the frame_params of the two frames,
// `*_stride` their frame_param_stride. exec_call_variable copies the arguments of "..." to the
// local memory of the current frame of w.
void exec_call_variable(const PtxCall *call, LaneMask mask, const uint8_t *caller,
                        uint32_t caller_stride, ExecWarp *w);
void exec_call_arguments(const PtxCall *call, LaneMask mask, const uint8_t *caller,
                         uint32_t caller_stride, uint8_t *callee, uint32_t callee_stride);
void exec_call_results(const PtxCall *call, LaneMask mask, const uint8_t *callee,
                       uint32_t callee_stride, uint8_t *caller, uint32_t caller_stride);

#endif
