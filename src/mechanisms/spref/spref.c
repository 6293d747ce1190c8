// Prefetching into spare registers: loads of later turns of a loop are injected into the pipeline,
// and the program's loads become moves.
//
// lakshminarayana2014, section 3.3. Heads are loads whose address changes by the same amount in
// each turn, tails are loads whose address is computed from a head's value. training.h finds
// them. docs/mechanisms/spref.md says what the thesis leaves open.
#include "registers.h"
#include "turns.h"

#include <string.h>

enum { DETECT, DISTANCE, TAILS, REGISTERS, PARAMETERS };
enum { DETECT_HARDWARE, DETECT_COMPILER };
enum { DISTANCE_1, DISTANCE_2, DISTANCE_3, DISTANCE_DYNAMIC };
enum { TAILS_REGISTERS, TAILS_CACHE };

static const char *const detects[] = {"hardware", "compiler", NULL};
static const char *const distances[] = {"1", "2", "3", "dynamic", NULL};
static const char *const tails[] = {"registers", "cache", NULL};
static const HdParameter parameters[] = {
    [DETECT] = {.name = "detect", .description = "how the target loads of a loop are found",
                .value = DETECT_HARDWARE, .kind = HD_CHOICE, .choices = detects},
    [DISTANCE] = {.name = "distance", .description = "turns between a prefetch and its use",
                  .value = DISTANCE_1, .kind = HD_CHOICE, .choices = distances},
    [TAILS] = {.name = "tails",
               .description = "where tails are prefetched to; heads without tails, too",
               .value = TAILS_REGISTERS, .kind = HD_CHOICE, .choices = tails},
    [REGISTERS] = {.name = "registers", .unit = "registers",
                   .description = "most spare registers of a thread that are used",
                   .value = 62, .min = 1, .max = 62, .kind = HD_WHOLE},
    [PARAMETERS] = {0},
};

// Listing 1's constants.
enum { MID = 4, HIGH = 6 };

#define BY_DISTANCE(C)                                                                             \
    C(distance_0, "runs", "Runs of a loop by a warp that had no spare registers for it.")          \
    C(distance_1, "runs", "Runs of a loop by a warp with distance 1.")                             \
    C(distance_2, "runs", "Runs of a loop by a warp with distance 2.")                             \
    C(distance_3, "runs", "Runs of a loop by a warp with distance 3.")
#define COUNTED(C)                                                                                 \
    C(loops, "loops", "Loops whose loads were looked for: of each kernel, at each SM.")            \
    C(heads, "loads", "Heads found in these loops.")                                               \
    C(tails, "loads", "Tails found in these loops.")                                               \
    C(head_prefetches, "loads", "Loads of heads that were injected.")                              \
    C(head_lanes, "lanes", "Their lanes.")                                                         \
    C(tail_prefetches, "loads", "Loads of tails that were injected.")                              \
    C(tail_lanes, "lanes", "Their lanes.")                                                         \
    C(addresses, "instructions", "Instructions injected for the addresses of tails.")              \
    C(target_lanes, "lanes", "Lanes of the program's loads that are heads or tails.")              \
    C(moves, "loads", "Loads of the program that became moves.")                                   \
    C(missed, "loads", "Loads that ran because the spare register lacked one of their lanes.")     \
    C(wrong, "loads", "Loads that ran because the spare register had data from another address.")  \
    C(queue_full, "loads", "Prefetches that found the queue of injected instructions full.")       \
    C##_ARRAY(by_fate, LANE_FATE_COUNT, LANE_FATES)                                                \
    C##_ARRAY(by_distance, MAX_DISTANCE + 1, BY_DISTANCE)
HD_COUNTERS(Counted, COUNTED);

static const HdRatio ratios[] = {
    {"accuracy", "moved_lanes + loaded_lanes", "head_lanes + tail_lanes - dropped_lanes",
     "Prefetched lanes that the program's load moved or, with tails=cache, loaded."},
    {"coverage", "moved_lanes", "target_lanes",
     "Lanes of the program's heads and tails that were moved from spare registers."},
    {0},
};

// ---- state ----

// Detection, of one loop at a time: the loop, the warp of the turn, and the lanes that began it.
typedef enum Stage { IDLE, WAITS_FOR_FIRST, FIRST_TURN, WAITS_FOR_LAST, LAST_TURN } Stage;
enum { LOOPS = 8, NO_LOOP = LOOPS };
#define DETECTOR_FIELDS(F) F(lanes, 32) F(warp_slot, 9) F(loops, 4) F(current, 3) F(stage, 3)
HD_BIT_FIELDS(Detector, DETECTOR_FIELDS);

#define MAX_REGISTERS(F) F(count, 6)
HD_BIT_FIELDS(MaxRegisters, MAX_REGISTERS);
#define TURNS(F) F(turns, 2)
HD_BIT_FIELDS(Distance, TURNS);

enum { VALUES, IDS, MAX_REG_S, MAX_REG_D, DISTANCES, COUNTS, ALLOCATED,
       STRIDES, CARRIERS, FINDERS, LOOP_TABLE, DETECTORS, WARPS };
#define EACH_SM(name, entries, Type)                                                               \
    {name, HD_EACH_L1, entries, HD_FIXED, Type##_bits, sizeof(Type)}
#define EACH_WARP(name, Type) {name, HD_EACH_L1, 0, HD_PER_WARP, Type##_bits, sizeof(Type)}
static const HdStructure structures[] = {
    // Table 2.
    [VALUES] = EACH_SM("value tags", TAGGED_REGISTERS, ValueTag),
    [IDS] = EACH_SM("load-id tags", TAGGED_REGISTERS, LoadId),
    [MAX_REG_S] = EACH_SM("MaxReg_s", 1, MaxRegisters),
    [MAX_REG_D] = EACH_SM("MaxReg_d", 1, MaxRegisters),
    [DISTANCES] = EACH_WARP("prefetch distance", Distance),
    [COUNTS] = EACH_WARP("shadow iteration counts", TurnCounts),
    [ALLOCATED] = EACH_WARP("AllocatedReq lists", AllocatedReq),
    // What it leaves out.
    [STRIDES] = EACH_SM("strides", TAGGED_REGISTERS, Stride),
    [CARRIERS] = EACH_SM("load-id carriers", MAX_CARRIERS, Carrier),
    [FINDERS] = EACH_SM("load-id heads", 1, Finder),
    [LOOP_TABLE] = EACH_SM("loops", LOOPS, Loop),
    [DETECTORS] = EACH_SM("detection", 1, Detector),
    [WARPS] = EACH_WARP("loops of warps", WarpLoop),
    {0},
};

static Detector *detector_of(const HdPlace *place) { return place->structures[DETECTORS]; }
static Loop *loops_of(const HdPlace *place) { return place->structures[LOOP_TABLE]; }

static WarpLoop *warp_at(const HdPlace *place, unsigned slot)
{
    return (WarpLoop *)place->structures[WARPS] + slot;
}

static TurnCounts *counts_at(const HdPlace *place, unsigned slot)
{
    return (TurnCounts *)place->structures[COUNTS] + slot;
}

static unsigned distance_at(const HdPlace *place, unsigned slot)
{
    return ((const Distance *)place->structures[DISTANCES] + slot)->turns;
}

static unsigned registers_of(const HdPlace *place, unsigned structure)
{
    return ((const MaxRegisters *)place->structures[structure])->count;
}

// ---- distances (3.3.2.3) ----

// Whether a target of the loop is prefetched into a register, and not into the cache.
static bool keeps(const HdPlace *place, const Loop *loop, unsigned target)
{
    return place->parameters[TAILS] == TAILS_REGISTERS || (target < MAX_HEADS && loop->of.tails);
}

static bool is_target(const Loop *loop, unsigned target)
{
    return target < MAX_HEADS ? target < loop->of.heads : target - MAX_HEADS < loop->of.tails;
}

// The spare registers of a target for one turn: two if the program's register has 64 bits.
static unsigned width_of(const HdPlace *place, const Loop *loop, unsigned target)
{
    if (!is_target(loop, target) || !keeps(place, loop, target)) return 0;
    uint32_t pc = target < MAX_HEADS ? loop->head[target].pc : loop->tail[target - MAX_HEADS].of.pc;
    return hd_instruction(place, pc)->destination.bytes / 4u;
}

// Listing 1, lowered until the spare registers suffice; 0: they do not for one turn. each: the
// registers that a turn takes.
static unsigned distance_of(const HdPlace *place, unsigned each, const TurnCounts *counts,
                            uint32_t lanes)
{
    unsigned sum = 0, distance = (unsigned)place->parameters[DISTANCE] + 1;
    for (uint32_t m = lanes; m; m &= m - 1) sum += count_of(counts, (unsigned)__builtin_ctz(m));
    if (place->parameters[DISTANCE] == DISTANCE_DYNAMIC) {
        unsigned mean = sum / (unsigned)__builtin_popcount(lanes);
        distance = mean < MID ? 1 : mean < HIGH ? 2 : 3;
    }
    unsigned spare = (registers_of(place, MAX_REG_D) - registers_of(place, MAX_REG_S)) & 63;
    while (distance * each > spare) distance--;
    return distance;
}

// Decides the distance once for each run of the loop, when its loads are found and its turns have
// been counted.
static void decide_distance(HdPlace *place, unsigned slot, const Loop *loop)
{
    Counted *counted = place->counters;
    WarpLoop *warp = warp_at(place, slot);
    AllocatedReq *allocated = (AllocatedReq *)place->structures[ALLOCATED] + slot;
    if (warp->of.decided || !loop->of.found || !warp->of.tested) return;
    unsigned each = 0, first = 0;
    for (unsigned i = 0; i < MAX_TARGETS; i++) each += width_of(place, loop, i);
    unsigned distance = distance_of(place, each, counts_at(place, slot), warp->of.tested);
    for (unsigned i = 0; i < MAX_TARGETS; i++) {
        unsigned width = width_of(place, loop, i);
        for (unsigned k = 0; k < distance; k++, first += width)
            allocated->registers[i][k] = (uint8_t)first;
    }
    warp->of.decided = 1;
    ((Distance *)place->structures[DISTANCES])[slot].turns = distance & 3;
    counted->by_distance[distance]++;
}

// ---- detection (3.3.2.1) ----

static Training training_of(const HdPlace *place, Loop *loop, const HdLoop *code)
{
    return (Training){place->structures[VALUES], place->structures[IDS],
                      place->structures[STRIDES], place->structures[CARRIERS],
                      place->structures[FINDERS], loop, code,
                      detector_of(place)->stage == LAST_TURN};
}

// The number of the loop in the table, where it is new if there is room; NO_LOOP: there is none.
static unsigned loop_number(const HdPlace *place, const HdLoop *code)
{
    Detector *d = detector_of(place);
    Loop *loops = loops_of(place);
    for (unsigned i = 0; i < d->loops; i++)
        if (loops[i].of.header == code->header) return i;
    if (d->loops == LOOPS) return NO_LOOP;
    loops[d->loops] = (Loop){.of = {.header = code->header, .test = HD_NO_PC}};
    return d->loops++;
}

static void finish_detection(HdPlace *place, Loop *loop)
{
    Counted *counted = place->counters;
    loop->of.found = 1;
    if (loop->of.test == HD_NO_PC) loop->of.heads = loop->of.tails = 0;
    counted->loops++;
    counted->heads += loop->of.heads;
    counted->tails += loop->of.tails;
    detector_of(place)->stage = IDLE;
}

// A warp begins a turn of a loop. closes: after an earlier one.
static void detect_turn(HdPlace *place, unsigned number, const HdLoop *code, const HdIssued *issued,
                        bool closes)
{
    Detector *d = detector_of(place);
    Loop *loop = &loops_of(place)[number];
    bool mine = d->warp_slot == issued->warp_slot && closes;
    if (d->stage == IDLE && closes && !loop->of.found) {
        d->current = number & 7;
        d->stage = WAITS_FOR_FIRST;
    }
    if (d->stage == IDLE || d->current != number) return;
    if (d->stage == FIRST_TURN && mine) d->stage = WAITS_FOR_LAST;
    if (d->stage == LAST_TURN && mine) finish_detection(place, loop);
    if (d->stage != WAITS_FOR_FIRST && d->stage != WAITS_FOR_LAST) return;
    d->stage++;
    d->warp_slot = issued->warp_slot & 511;
    d->lanes = issued->next_lanes;
    Training training = training_of(place, loop, code);
    training_begin(&training);
}

// The warp leaves the loop: a turn that it trains with is not whole.
static void detect_leave(Detector *d, unsigned slot)
{
    if ((d->stage == FIRST_TURN || d->stage == LAST_TURN) && d->warp_slot == slot) d->stage--;
}

static void detect_step(const HdPlace *place, const HdLoop *code, const HdIssued *issued)
{
    const Detector *d = detector_of(place);
    if ((d->stage != FIRST_TURN && d->stage != LAST_TURN) || d->warp_slot != issued->warp_slot)
        return;
    SourceValues values = {0};
    unsigned lane = issued->lanes ? (unsigned)__builtin_ctz(issued->lanes) : 0;
    for (unsigned i = 0; i < HD_SOURCES && issued->lanes; i++) {
        values.known[i] = issued->sources[i];
        values.of[i] = hd_source(issued, i, lane);
    }
    Training training = training_of(place, &loops_of(place)[d->current], code);
    training_step(place, &training, issued->instruction, &values, issued->lanes == d->lanes);
}

// Whether no instruction of the loop writes the register.
static bool is_invariant(const HdPlace *place, const HdLoop *code, const HdOperand *o)
{
    for (uint32_t i = 0; i < code->count; i++) {
        const HdOperand *to = &hd_instruction(place, code->instructions[i])->destination;
        if (to->kind == HD_REGISTER && to->number == o->number) return false;
    }
    return true;
}

// The value of an operand as a warp enters the loop.
static int64_t value_at_entry(const HdPlace *place, unsigned slot, const HdOperand *o,
                              unsigned lane)
{
    const void *values = hd_register(place, slot, *o);
    if (!values) return o->value;
    return o->bytes == 8 ? ((const int64_t *)values)[lane] : ((const int32_t *)values)[lane];
}

// 3.3.2.6: the compiler does the same with the text of the loop, of which it knows constants. A
// register that no turn changes counts as one, with the value that a warp brings to the loop.
static void detect_by_compiler(HdPlace *place, Loop *loop, const HdLoop *code, unsigned slot,
                               unsigned lane)
{
    static const Stage turns[] = {FIRST_TURN, LAST_TURN};
    for (unsigned turn = 0; turn < 2; turn++) {
        detector_of(place)->stage = turns[turn] & 7;
        Training training = training_of(place, loop, code);
        training_begin(&training);
        for (uint32_t i = 0; i < code->count; i++) {
            const HdInstruction *in = hd_instruction(place, code->instructions[i]);
            SourceValues values;
            for (unsigned k = 0; k < HD_SOURCES; k++) {
                const HdOperand *o = &in->source[k];
                values.known[k] = o->kind == HD_CONSTANT ||
                                  (o->kind == HD_REGISTER && is_invariant(place, code, o));
                values.of[k] = value_at_entry(place, slot, o, lane);
            }
            training_step(place, &training, in, &values, code->always[i]);
        }
    }
    finish_detection(place, loop);
}

// ---- prefetches (3.3.2.5) ----

// The registers of a warp that is in a loop of the table.
static Registers registers_at(const HdPlace *place, unsigned slot)
{
    Counted *counted = place->counters;
    Registers r = {.place = place, .warp = warp_at(place, slot),
                   .allocated = (const AllocatedReq *)place->structures[ALLOCATED] + slot,
                   .fates = counted->by_fate, .slot = slot,
                   .distance = distance_at(place, slot)};
    for (unsigned i = 0; i < MAX_TARGETS; i++)
        r.keeps[i] = keeps(place, &loops_of(place)[r.warp->of.loop - 1], i);
    return r;
}

static void next_turn(const HdPlace *place, unsigned slot)
{
    WarpLoop *warp = warp_at(place, slot);
    if (warp->of.decided && distance_at(place, slot)) {
        Registers r = registers_at(place, slot);
        registers_next_turn(&r);
    }
    warp->of.fresh = 0;
    warp->of.first = 0;
    warp->of.turn = (warp->of.turn + 1u) % TURN_CYCLE & 7;
}

// The warp is in no loop of the table any more.
static void leave_loop(const HdPlace *place, unsigned slot)
{
    WarpLoop *warp = warp_at(place, slot);
    if (!warp->of.loop) return;
    Registers r = registers_at(place, slot);
    registers_leave(&r);
    warp->of.loop = 0;
}

static bool inject(HdPlace *place, const HdIssued *issued, const HdMicroOp *op)
{
    Counted *counted = place->counters;
    bool injected = hd_inject(place, issued, op);
    counted->queue_full += !injected;
    return injected;
}

static void prefetch_head(HdPlace *place, const HdIssued *issued, const Loop *loop, unsigned head,
                          const Registers *r)
{
    Counted *counted = place->counters;
    const TurnCounts *counts = counts_at(place, r->slot);
    uint32_t lanes = 0;
    for (uint32_t m = issued->lanes; m; m &= m - 1)
        if (count_of(counts, (unsigned)__builtin_ctz(m)) > r->distance) lanes |= m & -m;
    if (!lanes) return;
    bool first = r->warp->of.first;
    unsigned spare = registers_spare(r, head, r->distance);
    HdMicroOp op = {.instruction = issued->instruction, .lanes = lanes,
                    .destination = (uint8_t)(r->keeps[head] ? spare : HD_TEMPORARY),
                    .source = {HD_OWN_REGISTER, HD_OWN_REGISTER, HD_OWN_REGISTER},
                    .offset = (int64_t)r->distance * loop->head[head].step,
                    .after = first ? hd_instruction(place, loop->of.test) : NULL};
    if (!inject(place, issued, &op)) return;
    counted->head_prefetches++;
    counted->head_lanes += (unsigned)__builtin_popcount(lanes);
    registers_fill(r, head, lanes);
}

// The register of a source in a chain. head: the spare register of the head.
static uint8_t chained(unsigned source, unsigned head)
{
    if (source == FROM_PROGRAM) return HD_OWN_REGISTER;
    return (uint8_t)(source == FROM_HEAD ? head : source + (unsigned)HD_TEMPORARY);
}

static void prefetch_tail(HdPlace *place, const HdIssued *issued, const Loop *loop, unsigned number,
                          const Registers *r)
{
    Counted *counted = place->counters;
    unsigned target = MAX_HEADS + number;
    const TailLoad *tail = &loop->tail[number];
    uint32_t lanes = issued->lanes & registers_ahead(r, tail->of.head);
    if (!lanes) return;
    unsigned head = registers_spare(r, tail->of.head, r->distance),
             spare = registers_spare(r, target, r->distance);
    for (unsigned i = 0; i < tail->of.length; i++) {
        HdMicroOp op = {.instruction = hd_instruction(place, tail->chain[i].pc), .lanes = lanes,
                        .destination = (uint8_t)(HD_TEMPORARY + i)};
        for (unsigned k = 0; k < HD_SOURCES; k++)
            op.source[k] = chained(chain_source(&tail->chain[i], k), head);
        if (!inject(place, issued, &op)) return;
        counted->addresses++;
    }
    HdMicroOp op = {.instruction = issued->instruction, .lanes = lanes,
                    .destination = (uint8_t)(r->keeps[target] ? spare : HD_TEMPORARY + MAX_CHAIN),
                    .source = {chained(tail->of.address, head), HD_OWN_REGISTER, HD_OWN_REGISTER}};
    if (!inject(place, issued, &op)) return;
    counted->tail_prefetches++;
    counted->tail_lanes += (unsigned)__builtin_popcount(lanes);
    registers_fill(r, target, lanes);
}

// The target that the load at `pc` is: a head or, from MAX_HEADS on, a tail; MAX_TARGETS: none.
static unsigned target_at(const Loop *loop, uint32_t pc)
{
    for (unsigned i = 0; i < loop->of.heads; i++)
        if (loop->head[i].pc == pc) return i;
    for (unsigned i = 0; i < loop->of.tails; i++)
        if (loop->tail[i].of.pc == pc) return MAX_HEADS + i;
    return MAX_TARGETS;
}

static HdSpare decide_move(HdPlace *place, uint16_t slot, const HdInstruction *load)
{
    const WarpLoop *warp = warp_at(place, slot);
    if (!warp->of.loop || !warp->of.decided || !distance_at(place, slot)) return HD_PASS;
    unsigned target = target_at(&loops_of(place)[warp->of.loop - 1], load->pc);
    if (target == MAX_TARGETS) return HD_PASS;
    Registers r = registers_at(place, slot);
    if (!r.keeps[target] || !registers_now(&r, target)) return HD_PASS;
    return HD_SPARE(registers_spare(&r, target, 0));
}

// A target load has issued.
static void pass_target(HdPlace *place, const HdIssued *issued, const Loop *loop, unsigned target)
{
    Counted *counted = place->counters;
    counted->target_lanes += (unsigned)__builtin_popcount(issued->lanes);
    counted->moves += issued->form == HD_MOVED;
    counted->missed += issued->form == HD_LANE_MISSED;
    counted->wrong += issued->form == HD_WRONG;
    if (!warp_at(place, issued->warp_slot)->of.decided || !distance_at(place, issued->warp_slot))
        return;
    Registers r = registers_at(place, issued->warp_slot);
    registers_use(&r, target, issued->lanes,
                  issued->form == HD_MOVED ? LANES_MOVED
                  : issued->form == HD_WRONG ? LANES_WRONG
                  : r.keeps[target] ? LANES_MISSED : LANES_LOADED);
    if (target < MAX_HEADS) prefetch_head(place, issued, loop, target, &r);
    else prefetch_tail(place, issued, loop, target - MAX_HEADS, &r);
}

// ---- warps in loops ----

// Takes the counts from the exit test, which issues.
static void count_turns(HdPlace *place, const HdIssued *issued, const Loop *loop,
                        const HdLoop *code)
{
    TurnCounts *counts = counts_at(place, issued->warp_slot);
    const HdInstruction *test = issued->instruction;
    unsigned index = code->index;
    for (uint32_t m = issued->lanes; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        int64_t at = test_value(test, index, hd_source(issued, index, lane)),
                bound = test_value(test, 1 - index, hd_source(issued, 1 - index, lane));
        set_count(counts, lane, turns_left(test, code, loop->index_step, at, bound));
    }
    warp_at(place, issued->warp_slot)->of.tested = issued->lanes;
    decide_distance(place, issued->warp_slot, loop);
}

// Which instruction of the loop reads the index for the exit test (number `test`): the test itself,
// or the one that copies the index.
static uint32_t index_read(const HdPlace *place, const HdLoop *code, uint32_t test)
{
    uint16_t compared = hd_instruction(place, code->test)->source[code->index].number;
    for (uint32_t i = test; i-- > 0;) {
        const HdInstruction *in = hd_instruction(place, code->instructions[i]);
        if (in->destination.kind != HD_REGISTER || in->destination.number != compared) continue;
        return in->pc == code->update ? test : i;
    }
    return test;
}

// 3.3.2.6: the counts of a loop that a warp enters. An exit test that comes before the first target
// load gives them itself; another one that reads the index before it grows sees one turn less.
static void count_at_entry(HdPlace *place, const HdIssued *issued, const Loop *loop,
                           const HdLoop *code)
{
    unsigned slot = issued->warp_slot;
    const HdInstruction *test = hd_instruction(place, code->test);
    const HdOperand *index = &hd_instruction(place, code->update)->source[1 - code->step],
                    *bound = &test->source[1 - code->index];
    uint32_t at_test = 0, at_update = 0, at_load = code->count;
    for (uint32_t i = code->count; i-- > 0;) {
        if (code->instructions[i] == code->test) at_test = i;
        if (code->instructions[i] == code->update) at_update = i;
        if (target_at(loop, code->instructions[i]) != MAX_TARGETS) at_load = i;
    }
    if (at_test < at_load) return;
    bool before = index_read(place, code, at_test) < at_update;
    for (uint32_t m = issued->next_lanes; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        int64_t first = test_value(test, code->index, value_at_entry(place, slot, index, lane)),
                last = test_value(test, 1 - code->index, value_at_entry(place, slot, bound, lane));
        unsigned count = turns_left(test, code, loop->index_step, first, last) + before;
        set_count(counts_at(place, slot), lane, count < MAX_COUNT ? count : MAX_COUNT);
    }
    warp_at(place, slot)->of.tested = issued->next_lanes;
    decide_distance(place, slot, loop);
}

// The warp comes to the header of a loop.
static void begin_turn(HdPlace *place, const HdIssued *issued, const HdLoop *code)
{
    unsigned slot = issued->warp_slot, number = loop_number(place, code);
    WarpLoop *warp = warp_at(place, slot);
    bool compiler = place->parameters[DETECT] == DETECT_COMPILER,
         closes = number != NO_LOOP && warp->of.loop == number + 1 &&
                  warp->of.lanes & issued->next_lanes;
    if (closes) {
        next_turn(place, slot);
    } else {
        detect_leave(detector_of(place), slot);
        leave_loop(place, slot);
        *warp = (WarpLoop){.of = {.lanes = issued->next_lanes, .first = 1,
                                  .loop = number == NO_LOOP ? 0 : (number + 1) & 15}};
    }
    if (number == NO_LOOP) return;
    Loop *loop = &loops_of(place)[number];
    if (!compiler) {
        detect_turn(place, number, code, issued, closes);
        decide_distance(place, slot, loop);
        return;
    }
    if (!loop->of.found)
        detect_by_compiler(place, loop, code, slot, (unsigned)__builtin_ctz(issued->next_lanes));
    if (!closes && loop->of.heads) count_at_entry(place, issued, loop, code);
}

// A branch of the loop may let lanes out.
static void leave(const HdPlace *place, const HdIssued *issued, const HdLoop *code)
{
    WarpLoop *warp = warp_at(place, issued->warp_slot);
    const HdInstruction *branch = issued->instruction;
    HdLoop taken, passed;
    bool stays = hd_loop(place, branch->target, &taken) && taken.header == code->header,
         goes_on = hd_loop(place, branch->pc + 1, &passed) && passed.header == code->header;
    if (!stays) warp->of.lanes &= ~issued->lanes;
    if (!goes_on) warp->of.lanes &= ~(issued->active & ~issued->lanes);
    if (warp->of.lanes) return;
    detect_leave(detector_of(place), issued->warp_slot);
    leave_loop(place, issued->warp_slot);
}

static void on_issue(HdPlace *place, const HdIssued *issued)
{
    const HdInstruction *in = issued->instruction;
    const WarpLoop *warp = warp_at(place, issued->warp_slot);
    const Loop *loop = warp->of.loop ? &loops_of(place)[warp->of.loop - 1] : NULL;
    HdLoop code, next;
    if (loop && hd_loop(place, in->pc, &code) && code.header == loop->of.header) {
        detect_step(place, &code, issued);
        if (in->pc == loop->of.test) count_turns(place, issued, loop, &code);
        unsigned target = loop->of.found ? target_at(loop, in->pc) : MAX_TARGETS;
        if (target < MAX_TARGETS) pass_target(place, issued, loop, target);
        if (in->opcode == HD_OP_BRANCH) leave(place, issued, &code);
    }
    if (issued->next_pc != HD_NO_PC && hd_loop(place, issued->next_pc, &next) &&
        next.header == issued->next_pc)
        begin_turn(place, issued, &next);
}

// A warp can end in a loop: its lanes exit there.
static void on_warp_end(HdPlace *place, const HdWarp *warp)
{
    detect_leave(detector_of(place), warp->slot);
    leave_loop(place, warp->slot);
}

static void on_kernel_begin(HdPlace *place, const HdKernel *kernel)
{
    *detector_of(place) = (Detector){0};
    MaxRegisters *own = place->structures[MAX_REG_S], *all = place->structures[MAX_REG_D];
    own->count = kernel->registers & 63;
    all->count = (kernel->registers + kernel->spare_registers) & 63;
}

static bool loads_into_cache(const double *values) { return values[TAILS] == TAILS_CACHE; }

HD_MECHANISM(spref) = {
    .name = "spref",
    .description = "Prefetches loads of later turns of a loop into registers that no warp uses.",
    .paper = "lakshminarayana2014, section 3.3",
    .parameters = parameters,
    .counters = Counted_list, .ratios = ratios,
    .structures = structures,
    .l1 = {.on_kernel_begin = on_kernel_begin},
    .core = {.on_issue = on_issue, .decide_move = decide_move, .on_warp_end = on_warp_end},
    .levels = HD_L1,
    .injects = true,
    .spare_registers = REGISTERS,
    .loads_into_cache = loads_into_cache,
};
