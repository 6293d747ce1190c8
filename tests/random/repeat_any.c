// A mechanism for random programs: repeats any instruction that may be repeated, and replaces each
// load of read-only data by a move where it can. What it injects changes no value of the program.
#include "runners.h"

enum { REGISTERS, PARAMETERS };
static const HdParameter parameters[] = {
    [REGISTERS] = {.name = "registers", .description = "spare registers of a thread", .value = 8,
                   .min = 1, .max = 62, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

static const uint32_t EVEN_LANES = 0x55555555;

static unsigned spare_of(const HdPlace *place, const HdInstruction *load)
{
    return load->pc % (unsigned)place->parameters[REGISTERS];
}

static HdMicroOp repeat(const HdInstruction *instruction, uint32_t lanes, unsigned to)
{
    return (HdMicroOp){.instruction = instruction, .lanes = lanes, .destination = (uint8_t)to,
                       .source = {HD_OWN_REGISTER, HD_OWN_REGISTER, HD_OWN_REGISTER}};
}

static bool is_read_only_load(const HdInstruction *in)
{
    return in && in->opcode == HD_OP_LOAD && in->read_only;
}

static void on_issue(HdPlace *place, const HdIssued *issued)
{
    const HdInstruction *in = issued->instruction, *next = hd_instruction(place, issued->next_pc);
    if (is_read_only_load(next)) {
        // Sometimes only for some lanes, or not at all: the spare register then has the data of an
        // earlier execution, or of another load, and the move must be refused.
        double draw = hd_draw(place);
        uint32_t lanes = draw < 0.25 ? issued->next_lanes & EVEN_LANES : issued->next_lanes;
        HdMicroOp load = repeat(next, lanes, spare_of(place, next));
        if (draw < 0.75 && lanes) hd_inject(place, issued, &load);
        return;
    }
    if (in->opcode < HD_OP_ADD || in->opcode > HD_OP_LOAD || hd_draw(place) < 0.5) return;
    // A temporary register of the instruction's own sources, and another one of this temporary
    // register, in any place.
    HdMicroOp first = repeat(in, issued->active, HD_TEMPORARY + in->pc % 4),
              second = repeat(in, issued->active, HD_TEMPORARY + 4 + in->pc % 4);
    second.source[(unsigned)(hd_draw(place) * HD_SOURCES)] = first.destination;
    second.offset = 4;
    second.after = next;
    hd_inject(place, issued, &first);
    hd_inject(place, issued, &second);
}

static HdSpare decide_move(HdPlace *place, uint16_t warp_slot, const HdInstruction *load)
{
    (void)warp_slot;
    return is_read_only_load(load) ? HD_SPARE(spare_of(place, load)) : HD_PASS;
}

const HdMechanism repeat_any = {
    .name = "repeat-any",
    .description = "Repeats any instruction, and moves all loads of read-only data.",
    .paper = "none",
    .parameters = parameters,
    .core = {.on_issue = on_issue, .decide_move = decide_move},
    .injects = true,
    .spare_registers = REGISTERS,
};
