// The registers that an instruction reads and writes, for the scoreboard and operand read.
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

bool ptx_bank_of_name(const char *name, uint16_t *found)
{
    const char *digits = name + strcspn(name, "0123456789");
    if (!*digits) return false;
    *found = (uint16_t)strtoul(digits, NULL, 10);
    return true;
}

// An operand that is read from the register file.
static void add_bank_read(const Parser *p, const FunctionBuilder *b, UOpTiming *t, uint32_t number)
{
    uint16_t *bank = &t->bank_reads[t->bank_read_count];
    if (p->banks_by_name) {
        t->bank_read_count += ptx_bank_of_name(b->names[number], bank);
        return;
    }
    if (!ptx_type_bytes(b->registers[number])) return;
    for (unsigned i = 0; i < t->bank_read_count; i++)
        if (t->bank_reads[i] == number) return;
    *bank = (uint16_t)number;
    t->bank_read_count++;
}

static void add_read(UOpTiming *t, uint32_t number)
{
    for (unsigned i = 0; i < t->read_count; i++)
        if (t->reads[i] == number) return;
    t->reads[t->read_count++] = (uint16_t)number;
}

static void add_operand(const Parser *p, const FunctionBuilder *b, UOpTiming *t, Value value)
{
    if (!value_is_register(value)) return;
    add_read(t, value);
    add_bank_read(p, b, t, value);
}

static void add_write(const Parser *p, const FunctionBuilder *b, UOpTiming *t, uint32_t number)
{
    t->writes[t->write_count++] = (uint16_t)number;
    uint16_t *bank = &t->bank_writes[t->bank_write_count];
    *bank = (uint16_t)number;
    t->bank_write_count += !p->banks_by_name || ptx_bank_of_name(b->names[number], bank);
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
            add_read(t, in->guard);
        for (int k = 0; k < 5; k++) add_operand(p, b, t, in->src[k]);
        for (unsigned k = 0; k < coordinates_of(in); k++)
            add_operand(p, b, t, in->coordinates[k]);
        for (int k = 0; k < 4; k++)
            if (value_is_register(in->dst[k])) add_write(p, b, t, in->dst[k]);
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
        if (in->op.flags & UF_CC_IN) add_read(t, b->carry);
        if (in->op.flags & UF_CC_OUT) add_write(p, b, t, b->carry);
    }
    return true;
}
