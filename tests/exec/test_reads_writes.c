// uops.def says what each operation reads and writes, and the verifier believes it. Here each
// operation runs with every type, modifier and flag that binds: it changes nothing but what it
// writes by the table, and its results depend on nothing but what it reads by the table.
#include "lanes.h"

#include "base/random.h"
#include "exec/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All places that an operand can name, OPERAND_NONE included, and some local memory.
enum { PLACES = 1 << 15, LOCAL_BYTES = 256, FRAME = 64, MEMORY_BYTES = LOCAL_BYTES * HD_MAX_LANES };
typedef struct State {
    uint8_t slots[FRAME * SLOT_BYTES], constants[4 * SLOT_BYTES], none[2 * SLOT_BYTES];
    LaneMask predicates[FRAME], no_predicate;
    _Alignas(uint64_t) uint8_t memory[MEMORY_BYTES]; // aligned as the core does
} State;

typedef struct Test {
    uint8_t *constants; // PLACES slots, and one behind OPERAND_NONE
    LaneMask *predicates; // up to OPERAND_NONE
    TextureTable *textures;
    unsigned forms; // that bind
} Test;

// ---- running an operation ----

static void fill(void *bytes, size_t count, uint64_t seed)
{
    uint64_t *words = bytes;
    for (size_t i = 0; i < count / sizeof *words; i++) words[i] = random_draw(seed, i, 0, 0);
}

// Places that the operation has by the table. Writes are in slots 0 to 15, reads from 16 on.
typedef struct Places {
    bool slot[FRAME], predicate[FRAME];
} Places;

static void place(Operand *o, OperandShape shape, unsigned at, bool optional, Places *used)
{
    *o = OPERAND_NONE;
    if (shape.kind == OPERAND_UNUSED || (shape.optional && !optional)) return;
    *o = (Operand)at;
    if (shape.kind == OPERAND_PREDICATE) used->predicate[at] = true;
    for (unsigned k = 0; k < shape.slots; k++) used->slot[at + k] = true;
}

static void place_all(UOp *op, bool optional, Places *writes, Places *reads)
{
    *writes = *reads = (Places){0};
    op->guard = OPERAND_NONE;
    for (unsigned i = 0; i < 4; i++)
        place(&op->dst[i], uop_write(op, i), 4 * i, optional, writes);
    for (unsigned i = 0; i < 5; i++)
        place(&op->src[i], uop_read(op, i), 16 + 4 * i, optional, reads);
}

static void run(const Test *t, const UOp *op, State *s, LaneMask mask)
{
    uint8_t *none = t->constants + (size_t)(OPERAND_NONE & ~OPERAND_CONST) * SLOT_BYTES;
    ExecBlock block = {.grid = {7, 5, 3}, .block = {64, 2, 2}, .width = HD_MAX_LANES,
                       .shared = s->memory, .total_shared = MEMORY_BYTES,
                       .textures = t->textures};
    ExecWarp w = {.base = {s->slots, t->constants}, .predicates = t->predicates, .block = &block,
                  .active = mask, .local = s->memory, .local_stride = LOCAL_BYTES};
    uint64_t addresses[HD_MAX_LANES];
    memcpy(t->constants, s->constants, sizeof s->constants);
    memcpy(none, s->none, sizeof s->none);
    memcpy(t->predicates, s->predicates, sizeof s->predicates);
    t->predicates[OPERAND_NONE] = s->no_predicate;
    if (uop_infos[op->code].control == CONTROL_MEMORY) exec_addresses(op, &w, addresses);
    int fault = -1;
    if (op->run) (mask == lanes_all(HD_MAX_LANES) ? op->run_full : op->run)(op, &w, mask);
    else if (op->code == UOP_LD) fault = exec_private_load(op, &w, SPACE_LOCAL, mask, addresses);
    else if (op->code == UOP_ST) fault = exec_private_store(op, &w, SPACE_LOCAL, mask, addresses);
    else fault = exec_shared_atomic(op, &w, mask, addresses, &(uint64_t){0});
    assert_int_equal(fault, -1);
    memcpy(s->constants, t->constants, sizeof s->constants);
    memcpy(s->none, none, sizeof s->none);
    memcpy(s->predicates, t->predicates, sizeof s->predicates);
    s->no_predicate = t->predicates[OPERAND_NONE];
}

static void fail_form(const UOp *op, const char *what, unsigned at)
{
    fail_msg("%s.%s.%s, modifier %u, flags 0x%x, of %u: %s %u, which uops.def does not list",
             uop_name(op->code), ptx_type_name(op->type), ptx_type_name(op->type2), op->modifier,
             op->flags, op->vec, what, at);
}

// ---- the checks ----

static void check_unchanged(const UOp *op, const State *before, const State *after,
                            const Places *writes)
{
    for (unsigned i = 0; i < FRAME; i++) {
        size_t at = (size_t)i * SLOT_BYTES;
        if (!writes->slot[i] && memcmp(before->slots + at, after->slots + at, SLOT_BYTES) != 0)
            fail_form(op, "writes slot", i);
        if (!writes->predicate[i] && before->predicates[i] != after->predicates[i])
            fail_form(op, "writes predicate", i);
    }
    bool same = !memcmp(before->constants, after->constants, sizeof before->constants) &&
                !memcmp(before->none, after->none, sizeof before->none) &&
                before->no_predicate == after->no_predicate;
    if (!same) fail_form(op, "writes constants or operand", OPERAND_NONE);
}

static void check_equal(const UOp *op, const State *one, const State *other, const Places *writes)
{
    for (unsigned i = 0; i < FRAME; i++) {
        size_t at = (size_t)i * SLOT_BYTES;
        if (writes->slot[i] && memcmp(one->slots + at, other->slots + at, SLOT_BYTES) != 0)
            fail_form(op, "depends on others for slot", i);
        if (writes->predicate[i] && one->predicates[i] != other->predicates[i])
            fail_form(op, "depends on others for predicate", i);
    }
    if (memcmp(one->memory, other->memory, sizeof one->memory) != 0)
        fail_form(op, "depends on others for memory of lane", 0);
}

static void check_form(Test *t, UOp op, bool optional, LaneMask mask)
{
    static State first, second, start;
    Places writes, reads;
    place_all(&op, optional, &writes, &reads);
    fill(&first, sizeof first, 1);
    fill(&second, sizeof second, 2);
    memcpy(second.memory, first.memory, sizeof first.memory);
    if (uop_infos[op.code].control == CONTROL_MEMORY) // addresses: the start of memory
        memset(first.slots + (size_t)16 * SLOT_BYTES, 0, 2 * SLOT_BYTES);
    for (unsigned i = 0; i < FRAME; i++) {
        size_t at = (size_t)i * SLOT_BYTES;
        // Lanes outside of the mask keep what the destination had.
        if (reads.slot[i] || writes.slot[i])
            memcpy(second.slots + at, first.slots + at, SLOT_BYTES);
        if (reads.predicate[i] || writes.predicate[i])
            second.predicates[i] = first.predicates[i];
    }
    start = first;
    run(t, &op, &first, mask);
    check_unchanged(&op, &start, &first, &writes);
    run(t, &op, &second, mask);
    check_equal(&op, &first, &second, &writes);
}

// ---- all forms ----

// Whether the operands have places: types with values, a byte for each part.
static bool has_shape(const UOp *op)
{
    const UopInfo *info = &uop_infos[op->code];
    bool parts = info->writes[0] == 'E' || info->reads[0] == 'e';
    if (parts && (op->vec < 2 || ptx_type_bytes(op->type) < op->vec)) return false;
    for (unsigned i = 0; i < 4; i++)
        if (uop_write(op, i).kind == OPERAND_UNTYPED) return false;
    for (unsigned i = 0; i < 5; i++)
        if (uop_read(op, i).kind == OPERAND_UNTYPED) return false;
    return true;
}

static void check_bound(Test *t, UOp op)
{
    const UopInfo *info = &uop_infos[op.code];
    bool private = op.code == UOP_LD || op.code == UOP_ST || op.code == UOP_ATOM ||
                   op.code == UOP_RED;
    bool no_field = info->modifier == MODIFIER_FIELD && !is_power_of_two(op.modifier);
    if (!has_shape(&op) || no_field || !exec_select(&op, EXEC_BASE)) return;
    if (!op.run && (!private || ptx_type_bytes(op.type) * op.vec > 16)) return;
    if ((op.code == UOP_ATOM || op.code == UOP_RED) && op.vec > 1) return;
    t->forms++;
    for (unsigned optional = 0; optional < 2; optional++) {
        check_form(t, op, optional, lanes_all(HD_MAX_LANES));
        check_form(t, op, optional, 0x5a5a00f1);
    }
}

static void check_types(Test *t, UOp op)
{
    const UopInfo *info = &uop_infos[op.code];
    bool second = strchr(info->reads, 'b');
    bool vector = strpbrk(info->writes, "VE") || strpbrk(info->reads, "ve") ||
                  info->imm == IMM_VIDEO;
    for (unsigned type = 0; type < PTX_TYPES; type++)
        for (unsigned type2 = 0; type2 < (second ? PTX_TYPES : 1); type2++) {
            op.type = (uint8_t)type;
            op.type2 = (uint8_t)type2;
            for (op.vec = 1; op.vec <= (vector ? 4 : 1); op.vec *= 2) check_bound(t, op);
        }
}

static void check_code(Test *t, UopCode code)
{
    static const uint32_t flags[] = {
        0, UF_SYNC, UF_WIDE_DST, UF_WIDE_SRC, UF_WIDE_DST | UF_WIDE_SRC, 1 << UF_BOOL_SHIFT,
        UF_FTZ, UF_SAT, UF_RELU, UF_ADDRESS32, UF_CC_IN, UF_CC_OUT, UF_APPROX, UF_APPROX | UF_FTZ,
        UF_NAN};
    const UopInfo *info = &uop_infos[code];
    unsigned modifiers = info->modifier == MODIFIER_FIELD ? 17 : uop_modifier_count(info->modifier);
    unsigned numbers = info->imm == IMM_SPECIAL ? SPECIAL_REGS : 1;
    for (unsigned f = 0; f < TEST_SIZE(flags); f++)
        for (unsigned modifier = 0; modifier < modifiers; modifier++)
            for (unsigned number = 0; number < numbers; number++)
                check_types(t, (UOp){.code = (uint8_t)code, .modifier = (uint8_t)modifier,
                                     .flags = flags[f], .imm = number,
                                     .space = info->control == CONTROL_MEMORY ? SPACE_LOCAL
                                                                              : SPACE_GLOBAL});
}

static void test_table(void **state)
{
    (void)state;
    HdError err = {0};
    Test t = {.constants = calloc(PLACES + 1, SLOT_BYTES),
              .predicates = calloc(OPERAND_NONE + 1, sizeof(LaneMask)),
              .textures = texture_table_new(&err)};
    assert_true(t.constants && t.predicates && t.textures);
    for (unsigned code = 0; code < UOP_CODES; code++) {
        UopControl control = uop_infos[code].control;
        unsigned before = t.forms;
        if (control != CONTROL_LANES && control != CONTROL_MEMORY) continue;
        check_code(&t, (UopCode)code);
        bool private = control == CONTROL_LANES || code == UOP_LD || code == UOP_ST ||
                       code == UOP_ATOM || code == UOP_RED;
        if (private && t.forms == before) fail_msg("no form of '%s' binds", uop_name(code));
    }
    free(t.constants);
    free(t.predicates);
    texture_table_free(t.textures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests_name("exec reads and writes", tests, NULL, NULL);
}
