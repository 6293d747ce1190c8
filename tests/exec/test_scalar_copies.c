// Scalar instructions (ptx/scalar.c) in random structured programs: a warp that really executes
// them once, and keeps one copy of each scalar register, computes what its lanes compute.
//
// The programs run here and not on an SM, because each register needs a place of its own: on an SM
// registers share slots, and lanes on different paths may have different ones there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "exec/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 10000, LANES = 32, OBSERVED = 0 };

// ---- programs ----

// Registers %r1 to %r7 and predicates %p0 to %p3 mostly have values of lanes; the registers up to
// %r27 and the predicates up to %p9 mostly have equal ones. %r0 sums up what is observed. Loops and
// switches have registers of their own, from %k0 on.
enum { LANE_REGISTERS = 8, REGISTERS = 28, LANE_PREDICATES = 4, PREDICATES = 10, MAX_TARGETS = 16 };

typedef struct Generator {
    FILE *text;
    uint64_t seed, draws;
    unsigned labels, numbers, depth;
    int left; // statements
    unsigned targets[MAX_TARGETS], target_count; // labels ahead, to which a branch may lead
} Generator;

static unsigned draw(Generator *g, unsigned limit)
{
    return (unsigned)(random_draw(g->seed, 0, 0, g->draws++) % limit);
}

static bool chance(Generator *g, unsigned percent) { return draw(g, 100) < percent; }

// A register or predicate; lane: one of those with values of lanes, else seldom one of them.
static unsigned pick(Generator *g, bool lane)
{
    if (lane || chance(g, 1)) return 1 + draw(g, LANE_REGISTERS - 1);
    return LANE_REGISTERS + draw(g, REGISTERS - LANE_REGISTERS);
}

static unsigned pick_predicate(Generator *g, bool lane)
{
    if (lane || chance(g, 1)) return draw(g, LANE_PREDICATES);
    return LANE_PREDICATES + draw(g, PREDICATES - LANE_PREDICATES);
}

static void write_guard(Generator *g, bool lane)
{
    if (chance(g, 15)) fprintf(g->text, "@%s%%p%u ", chance(g, 50) ? "!" : "",
                               pick_predicate(g, lane));
}

static void write_operation(Generator *g)
{
    static const char *const names[] = {"add.u32", "sub.u32", "mul.lo.u32", "xor.b32", "min.u32"};
    bool lane = chance(g, 25);
    write_guard(g, lane);
    fprintf(g->text, "%s %%r%u, %%r%u, ", names[draw(g, 5)], pick(g, lane), pick(g, lane));
    if (chance(g, 30)) fprintf(g->text, "%u;\n", draw(g, 100));
    else fprintf(g->text, "%%r%u;\n", pick(g, lane && chance(g, 50)));
}

static void write_number(Generator *g)
{
    write_guard(g, false);
    fprintf(g->text, "mov.u32 %%r%u, %u;\n", pick(g, false), draw(g, 100));
}

static void write_compare(Generator *g)
{
    bool lane = chance(g, 40);
    write_guard(g, lane);
    fprintf(g->text, "setp.lt.u32 %%p%u, %%r%u, %%r%u;\n", pick_predicate(g, lane), pick(g, lane),
            pick(g, lane && chance(g, 50)));
}

static void write_collective(Generator *g)
{
    unsigned to = pick(g, chance(g, 60));
    if (chance(g, 50)) fprintf(g->text, "activemask.b32 %%r%u;\n", to);
    else fprintf(g->text, "vote.ballot.b32 %%r%u, %%p%u;\n", to, pick_predicate(g, false));
    if (chance(g, 70)) return;
    fprintf(g->text, "activemask.b32 %%r1;\n.pragma \"heddle scalar\";\nmov.u32 %%r%u, %%r1;\n",
            pick(g, false));
}

static void write_observation(Generator *g)
{
    fprintf(g->text, "mad.lo.u32 %%r0, %%r0, 31, %%r%u;\n", pick(g, false));
}

static void write_list(Generator *g, unsigned count);

// A list of statements inside a construct that ends with label `end`.
static void write_inside(Generator *g, unsigned count, unsigned end)
{
    g->targets[g->target_count++] = end;
    g->depth++;
    write_list(g, count);
    g->depth--;
    g->target_count--;
}

// Branches of the first side may lead to the second one, as in `a && b`.
static void write_if(Generator *g)
{
    unsigned other = g->labels++, end = g->labels++;
    fprintf(g->text, "@%%p%u bra L%u;\n", pick_predicate(g, chance(g, 70)), other);
    g->targets[g->target_count++] = other;
    if (chance(g, 50)) {
        write_inside(g, 1 + draw(g, 3), end);
        fprintf(g->text, "@%%p%u bra L%u;\n", pick_predicate(g, true), other);
    }
    write_inside(g, 1 + draw(g, 6), end);
    g->target_count--;
    if (chance(g, 80)) fprintf(g->text, "bra L%u;\n", end);
    fprintf(g->text, "L%u:\n", other);
    if (chance(g, 70)) write_inside(g, 1 + draw(g, 6), end);
    fprintf(g->text, "L%u:\n", end);
}

// The last label inside, in front of the counter, is the target of a `continue`.
static void write_loop(Generator *g)
{
    unsigned start = g->labels++, next = g->labels++, end = g->labels++;
    unsigned counter = g->numbers++, bound = g->numbers++;
    fprintf(g->text, "mov.u32 %%k%u, 0;\n", counter);
    if (chance(g, 50)) fprintf(g->text, "mov.u32 %%k%u, %u;\n", bound, 1 + draw(g, 3));
    else fprintf(g->text, "and.b32 %%k%u, %%r%u, 3;\n", bound, pick(g, chance(g, 70)));
    fprintf(g->text, "L%u:\n", start);
    g->targets[g->target_count++] = end;
    write_inside(g, 1 + draw(g, 8), next);
    g->target_count--;
    fprintf(g->text, "L%u:\nadd.u32 %%k%u, %%k%u, 1;\nsetp.lt.u32 %%q%u, %%k%u, %%k%u;\n"
                     "@%%q%u bra L%u;\nL%u:\n",
            next, counter, counter, counter, counter, bound, counter, start, end);
}

static void write_switch(Generator *g)
{
    unsigned sides[3] = {g->labels++, g->labels++, g->labels++}, end = g->labels++;
    unsigned index = g->numbers++;
    fprintf(g->text, "rem.u32 %%k%u, %%r%u, 3;\nT%u: .branchtargets L%u, L%u, L%u;\n"
                     "brx.idx %%k%u, T%u;\n",
            index, pick(g, chance(g, 70)), end, sides[0], sides[1], sides[2], index, end);
    for (unsigned i = 0; i < 3; i++) {
        fprintf(g->text, "L%u:\n", sides[i]);
        write_inside(g, draw(g, 4), end);
        if (i < 2 && chance(g, 70)) fprintf(g->text, "bra L%u;\n", end);
    }
    fprintf(g->text, "L%u:\n", end);
}

static void write_jump(Generator *g)
{
    unsigned predicate = pick_predicate(g, chance(g, 70));
    if (!g->target_count || chance(g, 10)) fprintf(g->text, "@%%p%u exit;\n", predicate);
    else fprintf(g->text, "@%%p%u bra L%u;\n", predicate, g->targets[draw(g, g->target_count)]);
}

static void write_statement(Generator *g)
{
    unsigned what = draw(g, 100);
    if (what < 30) write_operation(g);
    else if (what < 42) write_number(g);
    else if (what < 52) write_compare(g);
    else if (what < 55) write_collective(g);
    else if (what < 72) write_observation(g);
    else if (what < 78) write_jump(g);
    else if (g->depth >= 3) write_observation(g);
    else if (what < 90) write_if(g);
    else if (what < 97) write_loop(g);
    else write_switch(g);
}

static void write_list(Generator *g, unsigned count)
{
    for (; count && g->left > 0; count--) {
        g->left--;
        write_statement(g);
    }
}

static void write_start(Generator *g)
{
    fputs(".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
          ".reg .b32 %r<28>;\n.reg .b32 %k<99>;\n.reg .pred %p<10>;\n.reg .pred %q<99>;\n"
          "mov.u32 %r0, %laneid;\n", g->text);
    for (unsigned i = 1; i < REGISTERS; i++) {
        if (i < LANE_REGISTERS)
            fprintf(g->text, "mad.lo.u32 %%r%u, %%r0, %u, %u;\n", i, draw(g, 9), draw(g, 9));
        else fprintf(g->text, "mov.u32 %%r%u, %u;\n", i, draw(g, 40));
    }
    for (unsigned i = 0; i < PREDICATES; i++)
        fprintf(g->text, "setp.lt.u32 %%p%u, %%r%u, %u;\n", i,
                i < LANE_PREDICATES ? 0 : LANE_REGISTERS + draw(g, REGISTERS - LANE_REGISTERS),
                draw(g, LANES));
}

// The caller frees it.
static char *program_text(uint64_t seed)
{
    char *text;
    size_t size;
    Generator g = {.text = open_memstream(&text, &size), .seed = seed, .left = 40};
    assert_non_null(g.text);
    write_start(&g);
    write_list(&g, 40);
    fputs("ret;\n}\n", g.text);
    fclose(g.text);
    return text;
}

// ---- execution ----

typedef struct Entry { uint32_t pc, reconverge; LaneMask lanes; } Entry;

typedef struct Run {
    const PtxFunction *f;
    UOp *ops;      // with a slot or predicate for each register
    bool one_copy; // scalar instructions execute once
    bool first_side; // which side of a branch runs first
    uint8_t *slots;
    LaneMask *predicates;
    ExecWarp warp;
    Entry stack[256];
    unsigned depth;
    LaneMask left_lanes; // that have left
    uint64_t steps, scalars; // instructions, and how many of them were executed once
} Run;

static Operand place_of(uint16_t number, Operand given)
{
    return number == PTX_NO_REGISTER ? given : number;
}

// Gives each register the slot, or the predicate, of its own number.
static UOp *separate_registers(const PtxFunction *f)
{
    UOp *ops = calloc(f->op_count, sizeof *ops);
    assert_non_null(ops);
    memcpy(ops, f->ops, f->op_count * sizeof *ops);
    for (uint32_t i = 0; i < f->op_count; i++) {
        const PtxOperands *names = &f->operands[i];
        ops[i].guard = place_of(names->guard, ops[i].guard);
        for (int k = 0; k < 4; k++) ops[i].dst[k] = place_of(names->dst[k], ops[i].dst[k]);
        for (int k = 0; k < 5; k++) ops[i].src[k] = place_of(names->src[k], ops[i].src[k]);
    }
    return ops;
}

// Removes entries that are at their end, as the stack of an SM does. false: all lanes have left.
static bool settle(Run *r)
{
    for (; r->depth; r->depth--) {
        Entry *top = &r->stack[r->depth - 1];
        top->lanes &= ~r->left_lanes;
        if (top->lanes && top->pc != top->reconverge) return true;
    }
    return false;
}

// Divides the lanes of the top entry by their targets.
static void divide(Run *r, const uint32_t targets[LANES], uint32_t reconverge)
{
    Entry *top = &r->stack[r->depth - 1];
    LaneMask left = top->lanes;
    uint32_t first = targets[lanes_first(left)];
    bool same = true;
    for (LaneMask m = left; m; m &= m - 1) same &= targets[lanes_first(m)] == first;
    if (same) {
        top->pc = first;
        return;
    }
    if (top->reconverge == reconverge) r->depth--;
    else top->pc = reconverge;
    while (left) {
        unsigned chosen = r->first_side ? lanes_first(left) : log2_floor(left);
        Entry entry = {targets[chosen], reconverge, 0};
        for (LaneMask m = left; m; m &= m - 1)
            if (targets[lanes_first(m)] == entry.pc) entry.lanes |= m & -m;
        left &= ~entry.lanes;
        assert_true(r->depth < 256);
        if (entry.pc != reconverge) r->stack[r->depth++] = entry;
    }
}

static void branch(Run *r, const UOp *op, const UOpTiming *t, LaneMask lanes)
{
    static const uint32_t switch_sides = 3;
    uint32_t targets[LANES], pc = r->stack[r->depth - 1].pc;
    const uint32_t *index = exec_operand(&r->warp, op->src[0]);
    for (unsigned l = 0; l < LANES; l++) {
        targets[l] = pc + 1;
        if (!(lanes >> l & 1)) continue;
        if (op->code == UOP_BRX) assert_true(index[l] < switch_sides);
        targets[l] = op->code == UOP_BRA ? op->target
                                         : ((const PtxBranchTable *)op->imm)->targets[index[l]];
    }
    divide(r, targets, t->reconverge);
}

// Copies the result of one lane to all others.
static void spread(Run *r, const UOp *op, uint32_t at, unsigned lane)
{
    for (unsigned k = 0; k < 4; k++) {
        uint16_t number = r->f->operands[at].dst[k];
        if (number == PTX_NO_REGISTER) continue;
        if (r->f->names[number].type == PTX_PRED) {
            r->predicates[number] = r->predicates[number] >> lane & 1 ? ~(LaneMask)0 : 0;
            continue;
        }
        uint32_t *slot = exec_operand(&r->warp, op->dst[k]);
        for (unsigned l = 0; l < LANES; l++) slot[l] = slot[lane];
    }
}

// A marked mov.
static void copy_marked(Run *r, const UOp *op, LaneMask lanes)
{
    const uint32_t *from = exec_operand(&r->warp, op->src[0]);
    uint32_t *to = exec_operand(&r->warp, op->dst[0]);
    for (LaneMask m = lanes; m; m &= m - 1) {
        assert_int_equal(from[lanes_first(m)], from[lanes_first(lanes)]);
        to[lanes_first(m)] = from[lanes_first(m)];
    }
}

static void execute(Run *r, uint32_t at, LaneMask lanes)
{
    const UOp *op = &r->ops[at];
    if (op->code == UOP_SCALAR) copy_marked(r, op, lanes);
    bool once = r->one_copy && r->f->timing[at].scalar;
    LaneMask executing = once ? lanes & -lanes : lanes;
    if (op->run) op->run(op, &r->warp, executing);
    if (!once) return;
    spread(r, op, at, lanes_first(lanes));
    r->scalars++;
}

static void run_program(Run *r)
{
    r->stack[0] = (Entry){0, RECONVERGE_EXIT, ~(LaneMask)0};
    r->depth = 1;
    while (settle(r)) {
        Entry *top = &r->stack[r->depth - 1];
        uint32_t at = top->pc;
        const UOp *op = &r->ops[at];
        r->warp.active = top->lanes;
        LaneMask lanes = exec_guard(op, &r->warp, top->lanes);
        assert_true(r->steps++ < 1000000);
        if (uop_infos[op->code].control == CONTROL_BRANCH) {
            branch(r, op, &r->f->timing[at], lanes);
            continue;
        }
        top->pc++;
        if (op->code == UOP_RET || op->code == UOP_EXIT) r->left_lanes |= lanes;
        else if (lanes) execute(r, at, lanes);
    }
}

// What the lanes have observed. Returns the instructions that were executed once.
static uint64_t observe(const PtxModule *m, bool one_copy, bool first_side, uint32_t seen[LANES])
{
    const PtxFunction *f = &m->functions[0];
    ExecBlock block = {.grid = {1, 1, 1}, .block = {LANES, 1, 1}, .width = LANES};
    Run r = {.f = f, .ops = separate_registers(f), .one_copy = one_copy, .first_side = first_side,
             .slots = aligned_alloc(64, f->virtual_registers * (size_t)SLOT_BYTES),
             .predicates = calloc(f->virtual_registers, sizeof *r.predicates)};
    assert_true(r.slots && r.predicates);
    memset(r.slots, 0, f->virtual_registers * (size_t)SLOT_BYTES);
    r.warp = (ExecWarp){.base = {r.slots, (uint8_t *)f->constants}, .predicates = r.predicates,
                        .block = &block};
    for (uint32_t i = 0; i < f->op_count; i++)
        if (r.ops[i].code == UOP_BRX) r.ops[i].imm = (int64_t)(intptr_t)&m->tables[r.ops[i].imm];
    run_program(&r);
    assert_string_equal(f->names[OBSERVED].name, "%r0");
    memcpy(seen, r.slots + OBSERVED * (size_t)SLOT_BYTES, LANES * sizeof *seen);
    free(r.ops);
    free(r.slots);
    free(r.predicates);
    return r.scalars;
}

static void test_random_programs(void **state)
{
    uint64_t once = 0;
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        HdError err = {0};
        char *text = program_text(seed);
        PtxModule *m = ptx_parse(text, "random.ptx", &err);
        if (!m || !exec_bind(m, &err)) fail_msg("seed %u: %s\n%s", (unsigned)seed, err.text, text);
        uint32_t lanes[LANES], copies[LANES];
        observe(m, false, false, lanes);
        for (unsigned side = 0; side < 2; side++) {
            once += observe(m, true, side, copies);
            for (unsigned l = 0; l < LANES; l++)
                if (lanes[l] != copies[l])
                    fail_msg("seed %u, lane %u: %u with one copy, expected %u\n%s", (unsigned)seed,
                             l, copies[l], lanes[l], text);
        }
        ptx_free(m);
        free(text);
    }
    assert_true(once > 10 * PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
