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

// A register that an operand reads from the register file. scalar: it is a scalar register.
static void add_bank_read(const Parser *p, const FunctionBuilder *b, UOpTiming *t, uint32_t number,
                          bool scalar)
{
    uint16_t *bank = &t->bank_reads[t->bank_read_count];
    if (p->banks_by_name) {
        if (!ptx_bank_of_name(b->names[number], bank)) return;
    } else {
        if (!ptx_type_bytes(b->registers[number])) return;
        for (unsigned i = 0; i < t->bank_read_count; i++)
            if (t->bank_reads[i] == number) return;
        *bank = (uint16_t)number;
    }
    t->scalar_bank_reads |= (uint16_t)(scalar << t->bank_read_count++);
}

static void add_bank_write(const Parser *p, const FunctionBuilder *b, UOpTiming *t, uint32_t number,
                           bool scalar)
{
    uint16_t *bank = &t->bank_writes[t->bank_write_count];
    *bank = (uint16_t)number;
    if (p->banks_by_name && !ptx_bank_of_name(b->names[number], bank)) return;
    t->scalar_bank_writes |= (uint16_t)(scalar << t->bank_write_count++);
}

// The source operands, of which the first *count are registers, predicates included.
static void find_sources(const Instruction *in, uint32_t sources[UOP_MAX_READS], unsigned *count)
{
    *count = 0;
    for (int k = 0; k < 5; k++)
        if (value_is_register(in->src[k])) sources[(*count)++] = in->src[k];
    for (unsigned k = 0; k < coordinates_of(in); k++)
        if (value_is_register(in->coordinates[k])) sources[(*count)++] = in->coordinates[k];
}

void banks_compute(const Parser *p, const FunctionBuilder *b, const uint64_t *vector)
{
    for (size_t i = 0; i < b->count; i++) {
        UOpTiming *t = &b->timing[i];
        uint32_t sources[UOP_MAX_READS];
        unsigned count;
        find_sources(&b->code[i], sources, &count);
        for (unsigned k = 0; k < count; k++)
            add_bank_read(p, b, t, sources[k], !bit_get(vector, sources[k]));
        for (unsigned k = 0; k < t->write_count; k++)
            add_bank_write(p, b, t, t->writes[k], !bit_get(vector, t->writes[k]));
    }
}

static void add_read(UOpTiming *t, uint32_t number)
{
    for (unsigned i = 0; i < t->read_count; i++)
        if (t->reads[i] == number) return;
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
            add_read(t, in->guard);
        uint32_t sources[UOP_MAX_READS];
        unsigned count;
        find_sources(in, sources, &count);
        for (unsigned k = 0; k < count; k++) add_read(t, sources[k]);
        for (int k = 0; k < 4; k++)
            if (value_is_register(in->dst[k])) add_write(t, in->dst[k]);
        if (!(in->op.flags & (UF_CC_IN | UF_CC_OUT))) continue;
        // The carry flag, which has no type and no slot, gets a register number on its first use.
        if (b->carry == NO_NUMBER) {
            b->carry = (uint32_t)b->register_count;
            if (b->carry >= PTX_MAX_REGISTERS)
                return ptx_fail(p, &b->at, "the function uses more than %d virtual registers",
                                PTX_MAX_REGISTERS);
            if (!PUSH(p, b->names, b->name_count, b->name_capacity, "carry") ||
                !PUSH(p, b->registers, b->register_count, b->register_capacity, PTX_NONE))
                return false;
        }
        if (in->op.flags & UF_CC_IN) add_read(t, b->carry);
        if (in->op.flags & UF_CC_OUT) add_write(t, b->carry);
    }
    return true;
}
