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

// Whether an access of `bytes` (a power of two) is aligned and in bounds.
static inline bool is_inside(const Region *region, uint64_t address, uint64_t bytes)
{
    return bytes <= region->size && address <= region->size - bytes && !(address & (bytes - 1));
}

// The first lane with an out-of-bounds or misaligned access of `bytes`, or -1.
static int first_fault(const Region *region, LaneMask mask, const uint64_t *addresses,
                       uint64_t bytes)
{
    const uint64_t first = addresses[0], last = addresses[HD_MAX_LANES - 1],
                   stride = addresses[1] - first;
    // With such a stride, addresses between two that are inside do not wrap.
    bool even = mask == lanes_all(HD_MAX_LANES) && stride <= region->size &&
                exec_strided(addresses, stride);
    if (even && first <= last && is_inside(region, first, bytes) &&
        is_inside(region, last, bytes) && !(stride & (bytes - 1)))
        return -1;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        if (!is_inside(region, addresses[l], bytes)) return (int)l;
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

// ---- elements of lanes ----

// Loads one element of all lanes, of 4 or 8 bytes without extension, from neighbouring addresses or
// from one. false: the addresses are others.
static bool load_even(void *slot, uintptr_t base, const uint64_t *addresses, unsigned bytes)
{
    const uint8_t *from = (const uint8_t *)(base + addresses[0]);
    if (exec_strided(addresses, bytes)) {
        if (bytes == 4) memcpy(slot, from, 4 * HD_MAX_LANES);
        else memcpy(slot, from, 8 * HD_MAX_LANES);
        return true;
    }
    if (!exec_strided(addresses, 0)) return false;
    LongWord value = 0;
    if (bytes == 4) {
        memcpy(&value, from, 4);
        set_lanes(slot, lanes_all(HD_MAX_LANES), (Word)value);
    } else {
        memcpy(&value, from, 8);
        set_long_lanes(slot, lanes_all(HD_MAX_LANES), value);
    }
    return true;
}

// Loads one element of each lane: lane l's is at base + addresses[l] in the host's memory.
static void gather(const UOp *op, void *slot, LaneMask mask, uintptr_t base,
                   const uint64_t *addresses)
{
    unsigned bytes = ptx_type_bytes(op->type);
    bool plain = plain_word(op, UF_WIDE_DST), plain_8 = plain_long(op);
    if (mask == lanes_all(HD_MAX_LANES) && (plain || plain_8)) {
        if (load_even(slot, base, addresses, bytes)) return;
        for (unsigned l = 0; plain && l < HD_MAX_LANES; l++)
            memcpy((Word *)slot + l, (const uint8_t *)(base + addresses[l]), 4);
        for (unsigned l = 0; plain_8 && l < HD_MAX_LANES; l++)
            memcpy((LongWord *)slot + l, (const uint8_t *)(base + addresses[l]), 8);
        return;
    }
    if (plain) {
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            memcpy((Word *)slot + l, (const uint8_t *)(base + addresses[l]), 4);
        }
        return;
    }
    if (plain_8) {
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            memcpy((LongWord *)slot + l, (const uint8_t *)(base + addresses[l]), 8);
        }
        return;
    }
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t bits = 0;
        memcpy(&bits, (const uint8_t *)(base + addresses[l]), bytes);
        put(op, slot, l, bits);
    }
}

// A parameter or constant without an address register is the same for all lanes: read once.
static void load_same(const UOp *op, const ExecWarp *w, const uint8_t *from, LaneMask mask)
{
    unsigned bytes = ptx_type_bytes(op->type);
    for (unsigned e = 0; e < op->vec; e++) {
        if (op->dst[e] == OPERAND_NONE) continue;
        void *slot = exec_operand(w, op->dst[e]);
        uint64_t bits = 0;
        copy_element(&bits, from + e * bytes, bytes);
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
    if (op->src[0] == OPERAND_NONE && (space == SPACE_PARAM || space == SPACE_CONST)) {
        unsigned first = lanes_first(mask);
        uint64_t at = addresses[first];
        if (!is_inside(&region, at, (uint64_t)bytes * op->vec)) return (int)first;
        load_same(op, w, region.base + at, mask);
        return -1;
    }
    int fault = first_fault(&region, mask, addresses, (uint64_t)bytes * op->vec);
    if (fault >= 0) return fault;
    for (unsigned e = 0; e < op->vec; e++) {
        if (op->dst[e] == OPERAND_NONE) continue;
        void *slot = exec_operand(w, op->dst[e]);
        const uint8_t *from = region.base + e * bytes;
        if (!region.stride) {
            gather(op, slot, mask, (uintptr_t)from, addresses);
            continue;
        }
        bool plain = plain_word(op, UF_WIDE_DST);
        for (LaneMask left = mask; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            uint64_t bits = 0;
            memcpy(&bits, from + l * region.stride + addresses[l], bytes);
            if (plain) ((Word *)slot)[l] = (Word)bits;
            else put(op, slot, l, bits);
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

void exec_global_load(const UOp *op, ExecWarp *w, LaneMask mask, const uint64_t *addresses,
                      const GuestMemory *memory, const StoreLog *log)
{
    unsigned bytes = ptx_type_bytes(op->type);
    uintptr_t base = (uintptr_t)memory->host - GUEST_GLOBAL_BASE;
    // The lanes of which the log may hold a byte. An aligned vector access (at most 16 bytes) does
    // not leave its sector.
    LaneMask logged = 0;
    for (LaneMask left = !log || store_log_empty(log) ? 0 : mask; left; left &= left - 1)
        if (store_log_maybe(log, addresses[lanes_first(left)])) logged |= left & -left;
    for (unsigned e = 0; e < op->vec; e++) {
        if (op->dst[e] == OPERAND_NONE) continue;
        void *slot = exec_operand(w, op->dst[e]);
        if (logged != mask) gather(op, slot, mask & ~logged, base + e * bytes, addresses);
        for (LaneMask left = logged; left; left &= left - 1) {
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
    uint64_t later[HD_MAX_LANES]; // addresses of the elements behind the first
    for (unsigned e = 0; e < op->vec; e++) {
        for (LaneMask left = e ? mask : 0; left; left &= left - 1) {
            unsigned l = lanes_first(left);
            later[l] = addresses[l] + e * bytes;
        }
        WarpStore store = {mask, e ? later : addresses, exec_operand(w, op->src[1 + e]), bytes,
                           lane_bytes};
        if (!store_log_add(log, time, &store)) return false;
    }
    return true;
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
