// The registers that an instruction reads and writes, for the scoreboard and operand read.
#include "ptx/internal.h"

static void add_read(UOpTiming *t, uint32_t number, PtxType type)
{
    for (unsigned i = 0; i < t->read_count; i++)
        if (t->reads[i] == number) return;
    t->read_words[t->read_count] = (uint8_t)((ptx_type_bytes(type) + 3) / 4);
    t->reads[t->read_count++] = (uint16_t)number;
}

static void add_write(UOpTiming *t, uint32_t number)
{
    t->writes[t->write_count++] = (uint16_t)number;
}

bool timing_compute(Parser *p, FunctionBuilder *b)
{
    b->timing = module_new(p, b->count * sizeof *b->timing);
    if (!b->timing) return false;
    for (size_t i = 0; i < b->count; i++) {
        const Instruction *in = &b->code[i];
        UOpTiming *t = &b->timing[i];
        t->line = (uint32_t)in->at.line;
        if (in->guard != VALUE_NONE && value_is_register(in->guard))
            add_read(t, in->guard, PTX_PRED);
        for (int k = 0; k < 5; k++)
            if (value_is_register(in->src[k])) add_read(t, in->src[k], b->registers[in->src[k]]);
        for (unsigned k = 0; k < coordinates_of(in); k++)
            if (value_is_register(in->coordinates[k]))
                add_read(t, in->coordinates[k], b->registers[in->coordinates[k]]);
        for (int k = 0; k < 4; k++)
            if (value_is_register(in->dst[k])) add_write(t, in->dst[k]);
        if (!(in->op.flags & (UF_CC_IN | UF_CC_OUT))) continue;
        // The carry flag, which has no type and no slot, gets a register number on its first use.
        if (b->carry == NO_NUMBER) {
            b->carry = (uint32_t)b->register_count;
            if (b->carry >= UINT16_MAX)
                return ptx_fail(p, &b->at, "the function uses more than %d virtual registers",
                                UINT16_MAX);
            if (!PUSH(p, b->names, b->name_count, b->name_capacity, "carry") ||
                !PUSH(p, b->registers, b->register_count, b->register_capacity, PTX_NONE))
                return false;
        }
        if (in->op.flags & UF_CC_IN) add_read(t, b->carry, PTX_NONE);
        if (in->op.flags & UF_CC_OUT) add_write(t, b->carry);
    }
    return true;
}
