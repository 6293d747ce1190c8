// Addresses of loads and stores, and copies between memory and registers.
#include "exec/exec.h"
#include "exec/store_log.h"

#include <string.h>

// A register slot holds integers or floats, and may be read as any type.
typedef uint32_t __attribute__((may_alias)) Word;
typedef uint64_t __attribute__((may_alias)) LongWord;

// ---- registers ----

static bool wide_lanes(const UOp *op, uint32_t wide_flag)
{
    return ptx_type_bytes(op->type) == 8 || op->flags & wide_flag;
}

// Extends the raw bits of an element (zero above) by the sign of its type, as its register holds
// them.
static uint64_t extend(const UOp *op, uint64_t bits)
{
    PtxType type = op->type;
    if (type != PTX_S8 && type != PTX_S16 && type != PTX_S32 && type != PTX_S64) return bits;
    unsigned shift = 64 - 8 * ptx_type_bytes(type);
    return (uint64_t)((int64_t)(bits << shift) >> shift);
}

static void put(const UOp *op, void *slot, unsigned lane, uint64_t bits)
{
    if (wide_lanes(op, UF_WIDE_DST))
        ((LongWord *)slot)[lane] = extend(op, bits);
    else
        ((Word *)slot)[lane] = (uint32_t)extend(op, bits);
}

// A 32-bit access without extension, the most frequent case.
static bool plain_word(const UOp *op, uint32_t wide_flag)
{
    return ptx_type_bytes(op->type) == 4 && !(op->flags & wide_flag);
}

// A 64-bit access: doubles and pointers.
static bool plain_long(const UOp *op)
{
    return ptx_type_bytes(op->type) == 8;
}

// With a constant size the compiler emits a move; nearly all elements have 4 or 8 bytes.
static inline void copy_element(void *to, const void *from, unsigned bytes)
{
    if (bytes == 4) memcpy(to, from, 4);
    else if (bytes == 8) memcpy(to, from, 8);
    else memcpy(to, from, bytes);
}

// ---- addresses ----

// Computing all lanes costs less than selecting the active ones.
void exec_addresses(const UOp *op, const ExecWarp *w, uint64_t *addresses)
{
    uint64_t offset = (uint64_t)op->imm;
    if (op->flags & UF_FRAME_RELATIVE && op->space == SPACE_LOCAL) offset += w->local_base;
    if (op->src[0] == OPERAND_NONE) {
        for (unsigned l = 0; l < HD_MAX_LANES; l++) addresses[l] = offset;
        return;
    }
    const void *base = exec_operand(w, op->src[0]);
    const Word *base32 = base;
    const LongWord *base64 = base;
    if (op->flags & UF_ADDRESS32)
        for (unsigned l = 0; l < HD_MAX_LANES; l++) addresses[l] = (uint32_t)(base32[l] + offset);
    else
        for (unsigned l = 0; l < HD_MAX_LANES; l++) addresses[l] = base64[l] + offset;
}

static PtxSpace window_of(uint64_t address)
{
    if (address - GUEST_SHARED_BASE < GUEST_WINDOW_SIZE) return SPACE_SHARED;
    if (address - GUEST_LOCAL_BASE < GUEST_WINDOW_SIZE) return SPACE_LOCAL;
    if (address - GUEST_CONST_BASE < GUEST_WINDOW_SIZE) return SPACE_CONST;
    if (address - GUEST_PARAM_BASE < GUEST_WINDOW_SIZE) return SPACE_PARAM;
    return SPACE_GLOBAL;
}

PtxSpace exec_generic_space(LaneMask mask, const uint64_t *addresses, LaneMask *first)
{
    PtxSpace space = window_of(addresses[lanes_first(mask)]);
    *first = 0;
    for (LaneMask left = mask; left; left &= left - 1)
        if (window_of(addresses[lanes_first(left)]) == space) *first |= left & -left;
    return space;
}

void exec_generic_offset(PtxSpace space, LaneMask mask, uint64_t *addresses)
{
    uint64_t base = space == SPACE_SHARED  ? GUEST_SHARED_BASE
                    : space == SPACE_LOCAL ? GUEST_LOCAL_BASE
                    : space == SPACE_CONST ? GUEST_CONST_BASE
                    : space == SPACE_PARAM ? GUEST_PARAM_BASE
                                           : 0;
    for (LaneMask left = mask; left; left &= left - 1) addresses[lanes_first(left)] -= base;
}

// ---- spaces of a block or thread ----

// The bytes of a space: lane l has `size` bytes at base + l * stride.
typedef struct Region {
    uint8_t *base;
    uint64_t stride, size;
} Region;

static Region region_of(const ExecWarp *w, PtxSpace space)
{
    const ExecBlock *b = w->block;
    switch (space) {
    case SPACE_SHARED: return (Region){b->shared, 0, b->total_shared};
    case SPACE_LOCAL: return (Region){w->local, w->local_stride, w->local_stride};
    // The const casts are safe: stores to these spaces fault earlier.
    case SPACE_CONST: return (Region){(uint8_t *)b->constants, 0, b->const_bytes};
    case SPACE_PARAM: return (Region){(uint8_t *)b->params, 0, b->param_bytes};
    case SPACE_FRAME_PARAM:
        return (Region){w->frame_params, w->frame_param_stride, w->frame_param_bytes};
    default: return (Region){0};
    }
}

// The first lane with an out-of-bounds or misaligned access of `bytes` (a power of two), or -1.
static int first_fault(const Region *region, LaneMask mask, const uint64_t *addresses,
                       uint64_t bytes)
{
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t a = addresses[l];
        if (bytes > region->size || a > region->size - bytes || a & (bytes - 1)) return (int)l;
    }
    return -1;
}

static void set_lanes(Word *lanes, LaneMask mask, Word value)
{
    if (mask == lanes_all(HD_MAX_LANES))
        for (unsigned l = 0; l < HD_MAX_LANES; l++) lanes[l] = value;
    else
        for (LaneMask left = mask; left; left &= left - 1) lanes[lanes_first(left)] = value;
}

static void set_long_lanes(LongWord *lanes, LaneMask mask, LongWord value)
{
    if (mask == lanes_all(HD_MAX_LANES))
        for (unsigned l = 0; l < HD_MAX_LANES; l++) lanes[l] = value;
    else
        for (LaneMask left = mask; left; left &= left - 1) lanes[lanes_first(left)] = value;
}

// A parameter or constant without an address register is the same for all lanes: read once.
static void load_same(const UOp *op, const ExecWarp *w, const uint8_t *from, LaneMask mask)
{
    unsigned bytes = ptx_type_bytes(op->type);
    for (unsigned e = 0; e < op->vec; e++) {
        if (op->dst[e] == OPERAND_NONE) continue;
        void *slot = exec_operand(w, op->dst[e]);
        uint64_t bits = 0;
        memcpy(&bits, from + e * bytes, bytes);
        if (wide_lanes(op, UF_WIDE_DST))
            set_long_lanes(slot, mask, extend(op, bits));
        else
            set_lanes(slot, mask, (Word)extend(op, bits));
    }
}

int exec_private_load(const UOp *op, ExecWarp *w, PtxSpace space, LaneMask mask,
                      const uint64_t *addresses)
{
    Region region = region_of(w, space);
    unsigned bytes = ptx_type_bytes(op->type);
    bool same = op->src[0] == OPERAND_NONE && (space == SPACE_PARAM || space == SPACE_CONST);
    int fault = first_fault(&region, same ? mask & -mask : mask, addresses,
                            (uint64_t)bytes * op->vec);
    if (fault >= 0) return fault;
    if (same) {
        load_same(op, w, region.base + addresses[lanes_first(mask)], mask);
        return -1;
    }
    for (unsigned e = 0; e < op->vec; e++) {
        if (op->dst[e] == OPERAND_NONE) continue;
        void *slot = exec_operand(w, op->dst[e]);
        const uint8_t *from = region.base + e * bytes;
        bool plain = plain_word(op, UF_WIDE_DST), plain_8 = plain_long(op);
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            const uint8_t *at = from + l * region.stride + addresses[l];
            if (plain) {
                memcpy((Word *)slot + l, at, 4);
            } else if (plain_8) {
                memcpy((LongWord *)slot + l, at, 8);
            } else {
                uint64_t bits = 0;
                memcpy(&bits, at, bytes);
                put(op, slot, l, bits);
            }
        }
    }
    return -1;
}

int exec_private_store(const UOp *op, ExecWarp *w, PtxSpace space, LaneMask mask,
                       const uint64_t *addresses)
{
    if (space == SPACE_CONST || space == SPACE_PARAM) return (int)lanes_first(mask); // read-only
    Region region = region_of(w, space);
    unsigned bytes = ptx_type_bytes(op->type);
    unsigned lane_bytes = wide_lanes(op, UF_WIDE_SRC) ? 8 : 4;
    int fault = first_fault(&region, mask, addresses, (uint64_t)bytes * op->vec);
    if (fault >= 0) return fault;
    // Lane by lane: if two lanes store to one address, all elements come from the higher lane.
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint8_t *to = region.base + l * region.stride + addresses[l];
        for (unsigned e = 0; e < op->vec; e++) {
            const uint8_t *from = exec_operand(w, op->src[1 + e]);
            copy_element(to + e * bytes, from + l * lane_bytes, bytes);
        }
    }
    return -1;
}

// ---- global memory ----

// Loads one element of each lane directly from memory.
static void gather(const UOp *op, void *slot, LaneMask mask, const uint64_t *addresses,
                   uint64_t offset, const GuestMemory *memory)
{
    unsigned bytes = ptx_type_bytes(op->type);
    bool plain = plain_word(op, UF_WIDE_DST);
    if (plain && mask == lanes_all(HD_MAX_LANES)) {
        for (unsigned l = 0; l < HD_MAX_LANES; l++)
            memcpy((Word *)slot + l, guest_host(memory, addresses[l] + offset), 4);
        return;
    }
    if (plain) {
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            memcpy((Word *)slot + l, guest_host(memory, addresses[l] + offset), 4);
        }
        return;
    }
    if (plain_long(op)) {
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            memcpy((LongWord *)slot + l, guest_host(memory, addresses[l] + offset), 8);
        }
        return;
    }
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t bits = 0;
        memcpy(&bits, guest_host(memory, addresses[l] + offset), bytes);
        put(op, slot, l, bits);
    }
}

void exec_global_load(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                      const GuestMemory *memory, const StoreLog *log)
{
    unsigned bytes = ptx_type_bytes(op->type);
    // Whether the log may hold a loaded byte. An aligned vector access (at most 16 bytes) does not
    // leave its sector.
    bool logged = false;
    for (LaneMask left = store_log_empty(log) ? 0 : mask; left; left &= left - 1)
        logged |= store_log_maybe(log, addresses[lanes_first(left)]);
    for (unsigned e = 0; e < op->vec; e++) {
        if (op->dst[e] == OPERAND_NONE) continue;
        void *slot = exec_operand(w, op->dst[e]);
        if (!logged) {
            gather(op, slot, mask, addresses, e * bytes, memory);
            continue;
        }
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            put(op, slot, l, store_log_read(log, memory, addresses[l] + e * bytes, bytes));
        }
    }
}

bool exec_global_store(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                       StoreLog *log, uint64_t time)
{
    unsigned bytes = ptx_type_bytes(op->type);
    unsigned lane_bytes = wide_lanes(op, UF_WIDE_SRC) ? 8 : 4;
    uint64_t element[HD_MAX_LANES];
    for (unsigned e = 0; e < op->vec; e++) {
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            element[l] = addresses[l] + e * bytes;
        }
        WarpStore store = {mask, element, exec_operand(w, op->src[1 + e]), bytes, lane_bytes};
        if (!store_log_add(log, time, &store)) return false;
    }
    return true;
}

void exec_global_store_functional(const UOp *op, ExecWarp *w, LaneMask mask,
                                  const uint64_t *addresses, GuestMemory *memory)
{
    unsigned bytes = ptx_type_bytes(op->type);
    unsigned lane_bytes = wide_lanes(op, UF_WIDE_SRC) ? 8 : 4;
    for (unsigned e = 0; e < op->vec; e++) {
        const uint8_t *from = exec_operand(w, op->src[1 + e]);
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            copy_element(guest_host(memory, addresses[l] + e * bytes), from + l * lane_bytes,
                         bytes);
        }
    }
}

// ---- calls ----

// The frames between which a call copies parameters: the frame of lane l is at l * stride.
typedef struct Frames {
    uint8_t *to;
    const uint8_t *from;
    uint32_t to_stride, from_stride;
} Frames;

static void copy_params(const Frames *f, LaneMask mask, const PtxCopy *copies, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (LaneMask left = mask; left; left &= left - 1) {
            size_t l = lanes_first(left);
            memcpy(f->to + l * f->to_stride + copies[i].to,
                   f->from + l * f->from_stride + copies[i].from, copies[i].bytes);
        }
}

void exec_call_arguments(const PtxCall *call, LaneMask mask, const uint8_t *caller,
                         uint32_t caller_stride, uint8_t *callee, uint32_t callee_stride)
{
    Frames frames = {callee, caller, callee_stride, caller_stride};
    copy_params(&frames, mask, call->arguments, call->argument_count);
}

void exec_call_variable(const PtxCall *call, LaneMask mask, const uint8_t *caller,
                        uint32_t caller_stride, ExecWarp *w)
{
    const PtxCopy *copy = &call->variable;
    if (w->local_base + copy->bytes > w->local_stride) return; // the callee is an unusable function
    for (LaneMask left = mask; left; left &= left - 1) {
        size_t l = lanes_first(left);
        memcpy(w->local + l * w->local_stride + w->local_base,
               caller + l * caller_stride + copy->from, copy->bytes);
    }
}

void exec_call_results(const PtxCall *call, LaneMask mask, const uint8_t *callee,
                       uint32_t callee_stride, uint8_t *caller, uint32_t caller_stride)
{
    Frames frames = {caller, callee, caller_stride, callee_stride};
    copy_params(&frames, mask, call->results, call->result_count);
}
