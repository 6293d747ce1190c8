// A mechanism outside of Heddle that injects micro-ops, for tests/cli. Behind each load in a loop
// it injects the load of what lies `distance` bytes further, into spare register 0. Each load in a
// loop becomes a move from that register if it can.
#include "heddle/mechanism.h"

enum { DISTANCE, REGISTERS, PARAMETERS };
static const HdParameter parameters[] = {
    [DISTANCE] = {.name = "distance", .unit = "bytes", .description = "from a load to the next one",
                  .value = 128, .min = 4, .max = 4096, .kind = HD_WHOLE},
    [REGISTERS] = {.name = "registers", .unit = "registers", .description = "spare registers",
                   .value = 1, .min = 1, .max = 1, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

#define COUNTED(C)                                                                                 \
    C(injected, "loads", "Loads that were injected.")                                              \
    C(moved, "loads", "Loads that became a move.")                                                 \
    C(missed, "loads", "Loads that ran, because the register had no value in a lane.")             \
    C(wrong, "loads", "Loads that ran, because the register had data from another address.")
HD_COUNTERS(Counted, COUNTED);

static bool is_watched(const HdPlace *place, const HdInstruction *instruction)
{
    HdLoop loop;
    return instruction->opcode == HD_OP_LOAD && hd_loop(place, instruction->pc, &loop);
}

static void on_issue(HdPlace *place, const HdIssued *issued)
{
    Counted *counted = place->counters;
    if (!is_watched(place, issued->instruction)) return;
    counted->moved += issued->form == HD_MOVED;
    counted->missed += issued->form == HD_LANE_MISSED;
    counted->wrong += issued->form == HD_WRONG;
    HdMicroOp load = {.instruction = issued->instruction, .lanes = issued->lanes, .destination = 0,
                      .source = {HD_OWN_REGISTER, HD_OWN_REGISTER, HD_OWN_REGISTER},
                      .offset = (int64_t)place->parameters[DISTANCE]};
    counted->injected += hd_inject(place, issued, &load);
}

static HdSpare decide_move(HdPlace *place, uint16_t warp_slot, const HdInstruction *load)
{
    (void)warp_slot;
    return is_watched(place, load) ? HD_SPARE(0) : HD_PASS;
}

HD_MECHANISM(injecting) = {
    .name = "injecting",
    .description = "Loads what the next turn of a loop loads.",
    .paper = "none",
    .parameters = parameters,
    .counters = Counted_list,
    .core = {.on_issue = on_issue, .decide_move = decide_move},
    .injects = true,
    .spare_registers = REGISTERS,
};
