// Propagates value tags and load ids through the instructions of a turn, and notes target loads.
//
// Beyond Table 1: operands of add and mul may come in either order; mov, cvt and cvta hand tags on;
// mad is mul and add. All other results are random, as are those under a guard and those of fewer
// lanes than began the turn.
#include "training.h"

#include <string.h>

void training_begin(const Training *t)
{
    memset(t->ids, 0, TAGGED_REGISTERS * sizeof *t->ids);
    *t->finder = (Finder){0};
    t->loop->of.test = HD_NO_PC;
    t->loop->of.heads = t->loop->of.tails = 0;
    if (!t->last) memset(t->values, TAG_CONST, TAGGED_REGISTERS * sizeof *t->values);
}

// ---- value tags ----

// A value while it is computed: its tag; of a stride, the step; of a constant, the value.
typedef struct Tagged {
    uint8_t tag;
    bool known;
    int64_t value;
} Tagged;
static const Tagged unpredictable = {.tag = TAG_RANDOM};

static Tagged tagged(const Training *t, const HdInstruction *in, const SourceValues *values,
                     unsigned source)
{
    const HdOperand *o = &in->source[source];
    Tagged constant = {TAG_CONST, values->known[source], values->of[source]};
    if (o->kind == HD_CONSTANT) return constant;
    if (o->kind != HD_REGISTER || o->number >= TAGGED_REGISTERS) return unpredictable;
    uint8_t tag = t->values[o->number].tag;
    if (tag == TAG_STRIDE) return (Tagged){TAG_STRIDE, true, t->strides[o->number].step};
    return tag == TAG_CONST ? constant : unpredictable;
}

static Tagged product(Tagged a, Tagged b)
{
    if (a.tag == TAG_RANDOM || b.tag == TAG_RANDOM) return unpredictable;
    if (a.tag == TAG_STRIDE && b.tag == TAG_STRIDE) return unpredictable;
    bool stride = a.tag == TAG_STRIDE || b.tag == TAG_STRIDE, known = a.known && b.known;
    if (stride && !known) return unpredictable; // the step is not known
    return (Tagged){stride ? TAG_STRIDE : TAG_CONST, known,
                    known ? (int64_t)((uint64_t)a.value * (uint64_t)b.value) : 0};
}

static Tagged negative(Tagged a)
{
    a.value = (int64_t)-(uint64_t)a.value;
    return a;
}

// a_back, b_back: the sum is written back to the register of this operand.
static Tagged sum(Tagged a, Tagged b, bool a_back, bool b_back)
{
    if (a.tag == TAG_RANDOM || b.tag == TAG_RANDOM) return unpredictable;
    if (a.tag == TAG_STRIDE && b.tag == TAG_STRIDE) return unpredictable;
    if (a.tag == TAG_STRIDE) return a;
    if (b.tag == TAG_STRIDE) return b;
    if (a_back && b_back) return unpredictable; // it doubles
    if (a_back || b_back) {
        Tagged step = a_back ? b : a;
        return step.known ? (Tagged){TAG_STRIDE, true, step.value} : unpredictable;
    }
    bool known = a.known && b.known;
    return (Tagged){TAG_CONST, known,
                    known ? (int64_t)((uint64_t)a.value + (uint64_t)b.value) : 0};
}

static bool is_back(const HdInstruction *in, unsigned source)
{
    return in->source[source].kind == HD_REGISTER &&
           in->source[source].number == in->destination.number;
}

static Tagged result_of(const Training *t, const HdInstruction *in, const SourceValues *values)
{
    Tagged a = tagged(t, in, values, 0), b = tagged(t, in, values, 1);
    switch (in->opcode) {
    case HD_OP_COPY: return a;
    case HD_OP_ADD: return sum(a, b, is_back(in, 0), is_back(in, 1));
    case HD_OP_SUB: return is_back(in, 1) ? unpredictable : sum(a, negative(b), is_back(in, 0), 0);
    case HD_OP_MUL: return is_back(in, 0) || is_back(in, 1) ? unpredictable : product(a, b);
    case HD_OP_SHIFT_LEFT:
        if (is_back(in, 0) || is_back(in, 1) || b.tag != TAG_CONST) return unpredictable;
        b.known &= b.value >= 0 && b.value < 63;
        b.value = b.known ? INT64_C(1) << b.value : 0;
        return product(a, b);
    case HD_OP_MAD:
        if (is_back(in, 0) || is_back(in, 1)) return unpredictable;
        return sum(product(a, b), tagged(t, in, values, 2), false, is_back(in, 2));
    default: return unpredictable;
    }
}

// ---- load ids ----

static uint8_t id_of(const Training *t, const HdOperand *o)
{
    return o->kind == HD_REGISTER && o->number < TAGGED_REGISTERS ? t->ids[o->number].id : 0;
}

// The load id that the instruction hands on; two different ones: none.
static uint8_t handed_on(const Training *t, const HdInstruction *in)
{
    uint8_t id = 0;
    if (in->opcode < HD_OP_ADD || in->opcode > HD_OP_COPY || in->guard.kind != HD_NO_OPERAND)
        return 0;
    for (unsigned i = 0; i < HD_SOURCES; i++) {
        uint8_t source = id_of(t, &in->source[i]);
        if (!source || source == id) continue;
        if (id) return 0;
        id = source;
    }
    return id;
}

// ---- target loads ----

static void note_carrier(const Training *t, const HdInstruction *in, const SourceValues *values,
                         uint8_t id)
{
    if (t->finder->carriers == MAX_CARRIERS || in->destination.number >= TAGGED_REGISTERS) return;
    Carrier carrier = {.pc = in->pc, .destination = in->destination.number & 63, .id = id & 3,
                       .pure = 1};
    for (unsigned i = 0; i < HD_SOURCES; i++) {
        if (in->source[i].kind != HD_REGISTER) continue;
        if (id_of(t, &in->source[i])) carrier.carried |= 1u << i;
        else carrier.pure &= tagged(t, in, values, i).tag == TAG_CONST;
    }
    t->carriers[t->finder->carriers++] = carrier;
}

// Which carriers the address of a tail needs, as a bit set; *pure: all can be computed again.
static uint32_t slice(const HdPlace *place, const Training *t, uint16_t address, uint8_t id,
                      bool *pure)
{
    uint32_t used = 0;
    uint16_t needed[MAX_CARRIERS * HD_SOURCES + 1] = {address};
    unsigned count = 1;
    *pure = true;
    for (unsigned i = t->finder->carriers; i-- > 0;) {
        const Carrier *c = &t->carriers[i];
        unsigned at = 0;
        while (at < count && needed[at] != c->destination) at++;
        if (c->id != id || at == count) continue;
        needed[at] = needed[--count];
        used |= UINT32_C(1) << i;
        *pure &= c->pure;
        const HdInstruction *in = hd_instruction(place, c->pc);
        for (unsigned k = 0; k < HD_SOURCES; k++)
            if (c->carried >> k & 1) needed[count++] = in->source[k].number;
    }
    return used;
}

// The latest result of the chain in this register, or else the head.
static unsigned source_in(const HdPlace *place, const TailLoad *tail, uint16_t number)
{
    for (unsigned i = tail->of.length; i-- > 0;)
        if (hd_instruction(place, tail->chain[i].pc)->destination.number == number) return i;
    return FROM_HEAD;
}

static void add_to_chain(const HdPlace *place, TailLoad *tail, const Carrier *carrier)
{
    const HdInstruction *in = hd_instruction(place, carrier->pc);
    unsigned source[HD_SOURCES];
    for (unsigned k = 0; k < HD_SOURCES; k++)
        source[k] = carrier->carried >> k & 1 ? source_in(place, tail, in->source[k].number)
                                              : FROM_PROGRAM;
    tail->chain[tail->of.length++] =
        (ChainOp){carrier->pc, source[0] & 7, source[1] & 7, source[2] & 7};
}

static unsigned head_of(const Finder *f, uint8_t id)
{
    return id == 1 ? f->head_1 : id == 2 ? f->head_2 : f->head_3;
}

static void note_tail(const HdPlace *place, const Training *t, const HdInstruction *in, uint8_t id)
{
    Loop *loop = t->loop;
    unsigned head = head_of(t->finder, id);
    if (!head || loop->of.tails == MAX_TAILS) return;
    bool pure;
    uint32_t used = slice(place, t, in->source[0].number, id, &pure);
    if (!pure || __builtin_popcount(used) > MAX_CHAIN) return;
    TailLoad tail = {.of = {.pc = in->pc, .head = (head - 1) & 1}};
    for (unsigned i = 0; i < t->finder->carriers; i++)
        if (used >> i & 1) add_to_chain(place, &tail, &t->carriers[i]);
    tail.of.address = source_in(place, &tail, in->source[0].number) & 7;
    loop->tail[loop->of.tails++] = tail;
}

// A load of read-only data, in the last turn. Returns its load id.
static uint8_t note_load(const HdPlace *place, const Training *t, const HdInstruction *in,
                         const SourceValues *values)
{
    Finder *f = t->finder;
    Loop *loop = t->loop;
    Tagged address = tagged(t, in, values, 0);
    uint8_t from = id_of(t, &in->source[0]), id = f->ids < MAX_IDS ? (uint8_t)++f->ids : 0;
    if (from) {
        note_tail(place, t, in, from);
    } else if (address.tag == TAG_STRIDE && address.value && loop->of.heads < MAX_HEADS &&
               !is_back(in, 0)) {
        loop->head[loop->of.heads++] = (HeadLoad){in->pc, (int32_t)address.value};
        if (id == 1) f->head_1 = loop->of.heads;
        if (id == 2) f->head_2 = loop->of.heads;
        if (id == 3) f->head_3 = loop->of.heads;
    }
    return id;
}

// ---- a turn ----

static void note_test(const Training *t, const HdInstruction *in, const SourceValues *values)
{
    unsigned at = t->code->index;
    Tagged index = tagged(t, in, values, at), bound = tagged(t, in, values, 1 - at);
    if (index.tag != TAG_STRIDE || bound.tag != TAG_CONST || !index.value) return;
    t->loop->of.test = in->pc;
    t->loop->index_step = (int32_t)index.value;
}

void training_step(const HdPlace *place, const Training *t, const HdInstruction *in,
                   const SourceValues *values, bool whole)
{
    bool load = in->opcode == HD_OP_LOAD && in->read_only && in->guard.kind == HD_NO_OPERAND;
    uint8_t id = 0;
    if (t->last && in->pc == t->code->test) note_test(t, in, values);
    if (t->last && load) {
        id = note_load(place, t, in, values);
    } else if (t->last) {
        id = handed_on(t, in);
        if (id) note_carrier(t, in, values, id);
    }
    if (in->destination.kind != HD_REGISTER || in->destination.number >= TAGGED_REGISTERS) return;
    bool certain = whole && in->guard.kind == HD_NO_OPERAND;
    Tagged result = certain ? result_of(t, in, values) : unpredictable;
    if (result.tag == TAG_STRIDE && result.value != (int32_t)result.value) result = unpredictable;
    t->values[in->destination.number].tag = result.tag & 3;
    t->strides[in->destination.number].step = (int32_t)result.value;
    t->ids[in->destination.number].id = id & 3;
}
