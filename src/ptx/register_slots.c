// Assigns register slots of the frame to virtual registers: linear scan over live intervals
// (Poletto and Sarkar, "Linear Scan Register Allocation", 1999). There are always enough slots, so
// nothing spills.
//
// An interval reaches from the first to the last instruction at which the register is live, or at
// which a late result for it may arrive. Two intervals that share an instruction never share a
// slot, so a destination never overlaps a source of the same instruction, unless both are the same
// register.
//
// Liveness is per thread: lanes on different paths may hold different registers in one slot. So
// only registers of one width share slots. With mixed widths, a lane's half of a wide register
// would overlap another lane's value of a narrow register.
//
// With PtxOptions.slots_apart no slots are shared, because an instruction may read its sources, and
// write its results, behind later instructions of its warp.
#include "ptx/internal.h"

#include <stdlib.h>

typedef struct Interval {
    uint32_t number; // virtual register
    uint32_t start, end;
    uint32_t slot;
} Interval;

static void reach(Interval *interval, uint32_t at)
{
    if (at < interval->start) interval->start = at;
    if (at > interval->end) interval->end = at;
}

static Interval *find_intervals(Parser *p, const FunctionBuilder *b, const Liveness *l)
{
    Interval *intervals = scratch_new(p, b->register_count, sizeof *intervals);
    if (!intervals) return NULL;
    for (uint32_t i = 0; i < b->register_count; i++)
        intervals[i] = (Interval){.number = i, .start = UINT32_MAX};
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->first[i] > l->last[i]) continue;
        reach(&intervals[l->numbers[i]], l->first[i]);
        reach(&intervals[l->numbers[i]], l->last[i]);
    }
    for (uint32_t i = 0; i < b->count; i++) {
        const UOpTiming *t = &b->timing[i];
        for (unsigned k = 0; k < t->read_count; k++) reach(&intervals[t->reads[k]], i);
        for (unsigned k = 0; k < t->write_count; k++) reach(&intervals[t->writes[k]], i);
    }
    return intervals;
}

static int by_start(const void *x, const void *y)
{
    const Interval *a = *(Interval *const *)x, *b = *(Interval *const *)y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

// Only registers of the same kind share slots.
typedef enum Kind { NARROW, WIDE, PREDICATE, NO_SLOT } Kind;

static Kind kind_of(PtxType type)
{
    if (type == PTX_NONE) return NO_SLOT;
    if (type == PTX_PRED) return PREDICATE;
    return ptx_type_bytes(type) == 8 ? WIDE : NARROW;
}

// A binary heap with the smallest key first.
typedef struct Heap {
    uint64_t *keys;
    uint32_t count;
} Heap;

static void heap_push(Heap *h, uint64_t key)
{
    uint32_t at = h->count++;
    for (; at && h->keys[(at - 1) / 2] > key; at = (at - 1) / 2)
        h->keys[at] = h->keys[(at - 1) / 2];
    h->keys[at] = key;
}

static uint64_t heap_pop(Heap *h)
{
    uint64_t first = h->keys[0], key = h->keys[--h->count];
    uint32_t at = 0;
    for (uint32_t below; (below = 2 * at + 1) < h->count; at = below) {
        if (below + 1 < h->count && h->keys[below + 1] < h->keys[below]) below++;
        if (h->keys[below] >= key) break;
        h->keys[at] = h->keys[below];
    }
    h->keys[at] = key;
    return first;
}

// Assigns slots from `first` on to one kind of register: each interval gets the first slot that is
// free at its start, or a new one. Returns the end of the slots, or UINT32_MAX: out of memory.
static uint32_t scan(Parser *p, const FunctionBuilder *b, Interval **order, size_t count, Kind kind,
                     uint32_t first)
{
    uint32_t used = 0, width = kind == WIDE ? 2 : 1;
    Heap free_slots = {.keys = scratch_new(p, count + 1, sizeof *free_slots.keys)};
    Heap taken = {.keys = scratch_new(p, count + 1, sizeof *taken.keys)}; // by end << 32 | slot
    if (!free_slots.keys || !taken.keys) return UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        Interval *interval = order[i];
        if (kind_of(b->registers[interval->number]) != kind) continue;
        if (p->slots_apart && interval->start > interval->end) continue; // in no instruction
        while (!p->slots_apart && taken.count && taken.keys[0] >> 32 < interval->start)
            heap_push(&free_slots, (uint32_t)heap_pop(&taken));
        uint32_t at = free_slots.count ? (uint32_t)heap_pop(&free_slots) : used++;
        interval->slot = first + at * width;
        heap_push(&taken, (uint64_t)interval->end << 32 | at);
    }
    return first + used * width;
}

static Operand operand_of(Value value, const Interval *intervals)
{
    if (value == VALUE_NONE) return OPERAND_NONE;
    return (Operand)(value_is_register(value) ? intervals[value].slot : value & ~VALUE_CONST);
}

// Whether a register with a data slot is live at the start of the function.
static bool reads_unset(const FunctionBuilder *b, const Liveness *live)
{
    for (uint32_t i = 0; i < live->count; i++) {
        uint32_t number = live->numbers[i];
        Kind kind = kind_of(b->registers[number]);
        bool data = kind == WIDE || kind == NARROW;
        if (data && liveness_has(live, live->in, 0, number)) return true;
    }
    return false;
}

bool slots_assign(Parser *p, FunctionBuilder *b, const Liveness *live)
{
    Interval *intervals = find_intervals(p, b, live);
    Interval **order = scratch_new(p, b->register_count, sizeof *order);
    if (!intervals || !order) return false;
    for (size_t i = 0; i < b->register_count; i++) order[i] = &intervals[i];
    qsort(order, b->register_count, sizeof *order, by_start);
    uint32_t wide = scan(p, b, order, b->register_count, WIDE, 0);
    if (wide == UINT32_MAX) return false;
    b->f.frame_slots = scan(p, b, order, b->register_count, NARROW, wide);
    b->f.frame_predicates = scan(p, b, order, b->register_count, PREDICATE, 0);
    if (b->f.frame_slots >= OPERAND_CONST || b->f.frame_predicates >= OPERAND_CONST)
        return ptx_fail(p, &b->at, "'%s' needs %u register slots: expected less than %d", b->f.name,
                        b->f.frame_slots > b->f.frame_predicates ? b->f.frame_slots
                                                                 : b->f.frame_predicates,
                        OPERAND_CONST);
    b->f.reads_unset = reads_unset(b, live);
    for (size_t i = 0; i < b->count; i++) {
        Instruction *in = &b->code[i];
        in->op.guard = operand_of(in->guard, intervals);
        for (int k = 0; k < 4; k++) in->op.dst[k] = operand_of(in->dst[k], intervals);
        for (int k = 0; k < 5; k++) in->op.src[k] = operand_of(in->src[k], intervals);
        for (unsigned k = 0; k < coordinates_of(in); k++)
            in->op.imm |= (int64_t)operand_of(in->coordinates[k], intervals)
                          << (SURFACE_COORDINATE_BITS * k);
    }
    return true;
}
