// Widths of the front end's structures.
#include "gpu/front_end_storage.h"

#include "base/bits.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { PC_BITS = 24 };

// Bits that tell `count` things apart.
static unsigned bits_for(uint64_t count) { return count > 1 ? log2_floor(count - 1) + 1 : 0; }

typedef struct List {
    FrontEndStructure *next;
} List;

static void add(List *list, const char *name, uint64_t entries, unsigned bits, const char *format,
                ...) __attribute__((format(printf, 5, 6)));
static void add(List *list, const char *name, uint64_t entries, unsigned bits, const char *format,
                ...)
{
    FrontEndStructure *s = list->next++;
    *s = (FrontEndStructure){.name = name, .entries = entries, .bits = bits};
    va_list args;
    va_start(args, format);
    number_format_list(s->fields, sizeof s->fields, format, args);
    va_end(args);
}

// Where the decoded instructions are: the tags of a store that all warps share, and each warp's
// pointer into it; or a valid bit for each instruction of a warp's own buffer.
static void add_buffers(List *list, const Machine *m, uint64_t warps, bool scalar)
{
    const FrontendConfig *f = &m->frontend;
    if (f->buffer == BUFFER_PER_WARP) {
        add(list, "instruction buffers", warps * f->entries, 1, "valid 1");
        return;
    }
    unsigned each = frontend_fetch_instructions(f), within = bits_for(each);
    unsigned tag = PC_BITS - within, references = bits_for(warps), marks = scalar ? each : 0;
    unsigned pointer = bits_for(f->store_entries);
    add(list, "instruction store tags", f->store_entries, tag + 1 + references + marks,
        "tag %u, valid 1, references %u, scalar %u", tag, references, marks);
    add(list, "warp status", warps, pointer + within + 1 + scalar,
        "pointer %u, instruction %u, ready to fetch 1, in a wave %u", pointer, within, scalar);
}

// Of a Scalar-Wave ID.
static unsigned swid_bits(const Machine *m)
{
    unsigned tables = m->scalar.members == MEMBERS_CONSECUTIVE ? 1 : m->core.schedulers;
    return bits_for((uint64_t)tables * core_scalar_entries(&m->core, &m->scalar));
}

static void add_waves(List *list, const Machine *m)
{
    const CoreConfig *c = &m->core;
    unsigned lanes = core_group_lanes(c), swid = swid_bits(m), age = bits_for(m->scalar.entries);
    unsigned number = bits_for(machine_most_registers(m) + 1);
    bool any = m->scalar.members == MEMBERS_ANY;
    unsigned members = lanes * (any ? bits_for(core_scheduler_warps(c)) : 1);
    add(list, "wave status (SWST)", m->scalar.entries, 1 + 1 + PC_BITS + swid + members + age,
        "valid 1, issued 1, PC %d, SWID %u, members %u, age %u", PC_BITS, swid, members, age);
    if (m->scalar.go_on) // of warps that have gone on
        add(list, "wave lanes", m->scalar.entries, lanes * (1 + c->width),
            "%u x (gone on 1, lanes %u)", lanes, c->width);
    add(list, "wave scoreboard", m->scalar.entries, number + swid + lanes,
        "register %u, SWID %u, members %u", number, swid, lanes);
}

void front_end_storage(const Machine *m, FrontEndStructure out[FRONT_END_STRUCTURES])
{
    const CoreConfig *c = &m->core;
    List list = {out};
    uint64_t warps = c->threads / c->width;
    bool scalar = m->scalar.mode != SCALAR_OFF;
    unsigned registers = machine_most_registers(m), lanes = core_group_lanes(c);
    add_buffers(&list, m, warps, scalar);
    if (m->scalar.mode == SCALAR_WAVES) add_waves(&list, m);
    if (scalar)
        add(&list, "register tags", c->registers / lanes, 1 + swid_bits(m), "scalar 1, SWID %u",
            swid_bits(m));
    add(&list, "warp scoreboard", warps, registers, "registers %u", registers);
    if (scalars_go_on(&m->scalar))
        add(&list, "reads in waves", warps, registers, "registers %u", registers);
    if (c->divergence == DIVERGENCE_STACK)
        add(&list, "divergence stacks", warps * c->width, 2 * PC_BITS + c->width,
            "PC %d, reconvergence PC %d, lanes %u", PC_BITS, PC_BITS, c->width);
    *list.next = (FrontEndStructure){0};
}
