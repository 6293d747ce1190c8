// Builds injected micro-ops out of the program's, and keeps what spare registers hold.
#include "core/inject/injector.h"

#include "base/memory.h"
#include "ptx/verify.h"

#include <stdlib.h>
#include <string.h>

// ---- life ----

Injector *injector_new(unsigned warps, bool banks_by_name)
{
    Injector *injector = hd_new(1, sizeof *injector);
    if (!injector) return NULL;
    injector->warp_count = warps;
    injector->banks_by_name = banks_by_name;
    injector->warps = hd_new(warps, sizeof *injector->warps);
    if (injector->warps) return injector;
    injector_free(injector);
    return NULL;
}

void injector_free(Injector *injector)
{
    if (!injector) return;
    code_view_free(&injector->code);
    free(injector->warps);
    free(injector->in_flight);
    free(injector->registers);
    free(injector);
}

bool injector_begin(Injector *injector, const SmLaunch *launch, size_t slots, uint32_t number)
{
    size_t rows = injector_rows(launch->spare_registers), all = rows * injector->warp_count;
    injector->spare = launch->spare_registers;
    injector->first_slot = slots - injector_slots(launch->spare_registers);
    injector->first_number = number;
    if (all > injector->capacity) {
        free(injector->in_flight);
        free(injector->registers);
        injector->capacity = 0;
        injector->in_flight = hd_new(all, sizeof *injector->in_flight);
        injector->registers = hd_new(all, sizeof *injector->registers);
        if (!injector->in_flight || !injector->registers) return false;
        injector->capacity = all;
    }
    for (unsigned i = 0; i < injector->warp_count; i++) {
        injector->warps[i].in_flight = injector->in_flight + i * rows;
        injector->warps[i].registers = injector->registers + i * rows;
    }
    return code_view_set(&injector->code, launch);
}

void injector_start(Injector *injector, Warp *w)
{
    WarpInjector *i = w->injector = &injector->warps[w->id];
    i->first = i->count = 0;
    i->moves = false;
    i->form = HD_AS_WRITTEN;
    for (unsigned row = 0; row < injector_rows(injector->spare); row++) i->registers[row].lanes = 0;
}

// An active warp has one pending result more, so that its classification looks at the scoreboard,
// where injected micro-ops are found.
static void activate(Warp *w)
{
    if (!injector_is_active(w)) w->scoreboard.count++;
}

void injector_rest(Warp *w)
{
    if (!injector_is_active(w)) w->scoreboard.count--;
}

// ---- micro-ops ----

enum { MOST_ROWS = HD_MAX_SPARE + HD_TEMPORARIES };
_Static_assert(HD_MAX_SPARE <= HD_TEMPORARY && HD_TEMPORARY + HD_TEMPORARIES <= HD_OWN_REGISTER,
               "a number is one register");
_Static_assert(2 * (MOST_ROWS + HD_SOURCES) <= OPERAND_CONST, "the frame fits into operands");
_Static_assert(PTX_MAX_REGISTERS + MOST_ROWS <= PTX_NO_REGISTER, "numbers fit the scoreboard's");

// A spare or temporary register as an operand in the micro-ops' frame.
static Operand operand_of(const Injector *injector, unsigned number)
{
    return (Operand)(2 * injector_row(injector, number));
}

// Where the frame has the copy of the program's register that is source k.
static Operand operand_of_copy(const Injector *injector, unsigned k)
{
    return (Operand)(2 * (injector_rows(injector->spare) + k));
}

static uint16_t number_of(const Injector *injector, unsigned number)
{
    return (uint16_t)(injector->first_number + injector_row(injector, number));
}

// Whether the operand takes this register and the next one. A temporary register has 64 bits.
static bool is_pair(unsigned number, OperandShape shape)
{
    return number < HD_TEMPORARY && shape.slots == 2;
}

static bool exists(const Injector *injector, unsigned number, OperandShape shape)
{
    return number + is_pair(number, shape) < injector->spare ||
           (number >= HD_TEMPORARY && number < HD_TEMPORARY + HD_TEMPORARIES);
}

// How a load extends its element, not 0: loads of one address have the same value if they have the
// same form. It is of the element's bytes, the register's slots, and whether the sign extends it.
static uint8_t form_of(const UOp *load)
{
    unsigned bytes = ptx_type_bytes((PtxType)load->type), slots = uop_write(load, 0).slots;
    bool is_signed = load->type == PTX_S8 || load->type == PTX_S16 || load->type == PTX_S32;
    return (uint8_t)(bytes << 3 | slots << 1 | (is_signed && bytes < 4 * slots));
}

// Adds a read of a register.
static void add_read(UOpTiming *t, uint16_t number)
{
    for (unsigned i = 0; i < t->read_count; i++)
        if (t->reads[i] == number) return;
    if (t->read_count < UOP_MAX_READS) t->reads[t->read_count++] = number;
}

static void add_bank_read(UOpTiming *t, uint16_t number)
{
    for (unsigned i = 0; i < t->bank_read_count; i++)
        if (t->bank_reads[i] == number) return;
    if (t->bank_read_count < UOP_MAX_READS) t->bank_reads[t->bank_read_count++] = number;
}

// Adds reads of a spare or temporary register. To the banks a pair is one register, as one of 64
// bits of the program is.
static void add_spare_read(const Injector *injector, UOpTiming *t, unsigned number,
                           OperandShape shape)
{
    add_read(t, number_of(injector, number));
    if (is_pair(number, shape)) add_read(t, number_of(injector, number + 1));
    add_bank_read(t, number_of(injector, number));
}

// Adds source k of the program's instruction: a register of the program, a constant, or none.
static void add_own(const Injector *injector, Injected *in, const PtxFunction *f, uint32_t index,
                    unsigned k)
{
    uint16_t number = f->operands[index].src[k], bank = number;
    if (!(in->op.src[k] & OPERAND_CONST)) {
        in->own[k] = in->op.src[k];
        in->op.src[k] = operand_of_copy(injector, k);
    }
    if (number == PTX_NO_REGISTER) return;
    add_read(&in->timing, number);
    if (!injector->banks_by_name || ptx_bank_of_name(f->names[number].name, &bank))
        add_bank_read(&in->timing, bank);
}

bool injector_make(const Injector *injector, const Warp *w, const HdMicroOp *op, Injected *in)
{
    const PtxFunction *f = warp_function(w);
    const HdInstruction *repeated = code_view_instruction(&injector->code, op->instruction->pc);
    uint32_t index = op->instruction->pc - w->pc_base;
    if (w->injector->count == INJECT_QUEUE || !repeated || repeated->opcode < HD_OP_ADD ||
        repeated->opcode > HD_OP_LOAD || index >= f->op_count || !op->lanes)
        return false;
    OperandShape result = uop_write(&f->ops[index], 0);
    if (!exists(injector, op->destination, result)) return false;
    *in = (Injected){.op = f->ops[index], .lanes = op->lanes, .pc = repeated->pc,
                     .target = op->destination};
    memcpy(in->source, op->source, sizeof in->source);
    UOpTiming *t = &in->timing;
    t->reconverge = RECONVERGE_EXIT;
    t->line = f->timing[index].line;
    in->op.guard = OPERAND_NONE;
    in->op.dst[0] = operand_of(injector, op->destination);
    t->writes[t->write_count++] = number_of(injector, op->destination);
    if (is_pair(op->destination, result))
        t->writes[t->write_count++] = number_of(injector, op->destination + 1);
    t->bank_writes[t->bank_write_count++] = number_of(injector, op->destination);
    for (unsigned k = 0; k < HD_SOURCES; k++) {
        in->own[k] = OPERAND_NONE;
        if (op->source[k] == HD_OWN_REGISTER) {
            add_own(injector, in, f, index, k);
            continue;
        }
        OperandShape source = uop_read(&f->ops[index], k);
        if (!exists(injector, op->source[k], source)) return false;
        in->op.src[k] = operand_of(injector, op->source[k]);
        add_spare_read(injector, t, op->source[k], source);
    }
    uint32_t after = op->after ? op->after->pc - w->pc_base : f->op_count;
    for (unsigned k = 0; after < f->op_count && k < HD_SOURCES; k++)
        if (f->operands[after].src[k] != PTX_NO_REGISTER)
            add_read(t, f->operands[after].src[k]);
    if (repeated->opcode == HD_OP_LOAD) in->op.imm += op->offset;
    return true;
}

bool injector_verify(Injector *injector, const Warp *w, const Injected *in, HdError *err)
{
    unsigned own = 0; // the set of sources that are copies
    for (unsigned k = 0; k < HD_SOURCES; k++) own |= (in->own[k] != OPERAND_NONE) << k;
    uint8_t *verified = code_view_verified(&injector->code, in->pc);
    if (*verified >> own & 1) return true;
    PtxMadeOp made = {.op = &in->op, .timing = &in->timing, .index = in->pc - w->pc_base,
                      .frame_slots = (uint32_t)injector_slots(injector->spare),
                      .registers = injector->first_number + injector_rows(injector->spare)};
    if (!ptx_verify_made(injector->code.module, warp_function(w), &made, err)) return false;
    *verified |= (uint8_t)(1 << own);
    return true;
}

void injector_push(Warp *w, const Injected *in)
{
    WarpInjector *i = w->injector;
    activate(w);
    i->queue[(i->first + i->count++) % INJECT_QUEUE] = *in;
}

Injected *injector_take(const Injector *injector, Warp *w)
{
    WarpInjector *i = w->injector;
    unsigned row = injector_row(injector, i->queue[i->first].target);
    i->in_flight[row] = i->queue[i->first];
    i->first = (uint8_t)((i->first + 1) % INJECT_QUEUE);
    i->count--;
    return &i->in_flight[row];
}

static uint8_t *frame_base(const Injector *injector, const Warp *w)
{
    return w->values.slots + injector->first_slot * SLOT_BYTES;
}

ExecWarp injector_frame(const Injector *injector, const Warp *w, const Injected *in)
{
    ExecWarp frame = w->exec;
    frame.base[0] = frame_base(injector, w);
    for (unsigned k = 0; k < HD_SOURCES; k++)
        if (in->own[k] != OPERAND_NONE)
            memcpy(exec_operand(&frame, in->op.src[k]), exec_operand(&w->exec, in->own[k]),
                   (size_t)uop_read(&in->op, k).slots * SLOT_BYTES);
    return frame;
}

LaneMask injector_lanes(const Injector *injector, const Warp *w, const Injected *in)
{
    LaneMask lanes = in->lanes;
    for (unsigned k = 0; k < HD_SOURCES; k++) {
        if (in->source[k] == HD_OWN_REGISTER) continue;
        const SpareRegister *from =
            &w->injector->registers[injector_row(injector, in->source[k])];
        lanes &= from->pair == (uop_read(&in->op, k).slots == 2) ? from->lanes : 0;
    }
    return lanes;
}

void injector_write(const Injector *injector, Warp *w, const Injected *in, LaneMask lanes,
                    const uint64_t *addresses)
{
    SpareRegister *to = &w->injector->registers[injector_row(injector, in->target)];
    OperandShape shape = uop_write(&in->op, 0);
    if (is_pair(in->target, shape)) to[1].lanes = 0;
    if (in->target && in->target < HD_TEMPORARY && to[-1].pair) to[-1].lanes = 0;
    to->lanes = lanes;
    to->pair = shape.slots == 2;
    to->form = addresses ? form_of(&in->op) : 0;
    if (addresses) memcpy(to->addresses, addresses, sizeof to->addresses);
}

// ---- moves ----

bool injector_move(const Injector *injector, Warp *w, unsigned source)
{
    WarpInjector *i = w->injector;
    const PtxFunction *f = warp_function(w);
    const UOp *load = &w->ops[w->pc];
    OperandShape shape = uop_write(load, 0);
    LaneMask lanes = exec_guard(load, &w->exec, w->exec.active);
    if (source + is_pair(source, shape) >= injector->spare || !lanes) return false;
    const SpareRegister *from = &i->registers[source];
    if (lanes & ~from->lanes) {
        i->form = HD_LANE_MISSED;
        return false;
    }
    uint64_t addresses[HD_MAX_LANES];
    exec_addresses(load, &w->exec, addresses);
    for (LaneMask m = lanes; m; m &= m - 1) {
        unsigned lane = lanes_first(m);
        if (addresses[lane] == from->addresses[lane] && from->form == form_of(load)) continue;
        i->form = HD_WRONG;
        return false;
    }
    const UOpTiming *timing = &w->timing[w->pc];
    activate(w);
    i->moves = true;
    i->source = (uint8_t)source;
    i->move_op = (UOp){.code = UOP_MOV, .class = CLASS_MOVE, .guard = OPERAND_NONE};
    UOpTiming *t = &i->move_timing;
    *t = *timing;
    t->read_count = t->bank_read_count = t->need_words = 0;
    if (f->operands[w->pc].guard != PTX_NO_REGISTER) add_read(t, f->operands[w->pc].guard);
    add_spare_read(injector, t, source, shape);
    return true;
}

void injector_copy(const Injector *injector, Warp *w, LaneMask lanes)
{
    const UOp *load = &w->ops[w->pc];
    const uint8_t *from = frame_base(injector, w) +
                          (size_t)operand_of(injector, w->injector->source) * SLOT_BYTES;
    uint8_t *to = exec_operand(&w->exec, load->dst[0]);
    size_t bytes = 4 * (size_t)uop_write(load, 0).slots;
    for (LaneMask m = lanes; m; m &= m - 1) {
        size_t at = lanes_first(m) * bytes;
        memcpy(to + at, from + at, bytes);
    }
    w->injector->moves = false;
    injector_rest(w);
}
