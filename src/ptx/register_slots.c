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

static void reach_set(Interval *intervals, const Liveness *l, const uint64_t *live,
                      const uint64_t *defined, const uint64_t *pending, uint32_t at)
{
    for (uint32_t w = 0; w < l->words; w++)
        for (uint64_t set = (live[w] & defined[w]) | pending[w]; set; set &= set - 1)
            reach(&intervals[l->numbers[w * 64 + (uint32_t)__builtin_ctzll(set)]], at);
}

static Interval *find_intervals(Parser *p, const FunctionBuilder *b, const Liveness *l)
{
    Interval *intervals = scratch_new(p, b->register_count, sizeof *intervals);
    if (!intervals) return NULL;
    for (uint32_t i = 0; i < b->register_count; i++)
        intervals[i] = (Interval){.number = i, .start = UINT32_MAX};
    for (uint32_t i = 0; i < b->block_count; i++) {
        const Block *block = &b->blocks[i];
        size_t row = (size_t)i * l->words;
        reach_set(intervals, l, l->in + row, l->defined_in + row, l->pending_in + row,
                  block->start);
        reach_set(intervals, l, l->out + row, l->defined_out + row, l->pending_out + row,
                  block->end - 1);
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

// Assigns slots from `first` on to one kind of register. Returns the end of the slots, or
// UINT32_MAX: out of memory.
static uint32_t scan(Parser *p, const FunctionBuilder *b, Interval **order, size_t count, Kind kind,
                     uint32_t first)
{
    uint32_t used = 0, width = kind == WIDE ? 2 : 1;
    uint32_t *free_from = scratch_new(p, count + 1, sizeof *free_from);
    if (!free_from) return UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        Interval *interval = order[i];
        if (kind_of(b->registers[interval->number]) != kind) continue;
        uint32_t at = 0; // the first slot that is free from the start on, or a new one
        while (at < used && free_from[at] > interval->start) at++;
        interval->slot = first + at * width;
        free_from[at] = interval->end + 1;
        if (at == used) used++;
    }
    return first + used * width;
}

static Operand operand_of(Value value, const Interval *intervals)
{
    if (value == VALUE_NONE) return OPERAND_NONE;
    return (Operand)(value_is_register(value) ? intervals[value].slot : value & ~VALUE_CONST);
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
