// Each row of the tables of operations, on random and extreme values: all instruction sets of the
// host give the same bits in all lanes, and do not change the lanes outside the mask.
#include "lanes.h"

#include "base/random.h"

#include <string.h>

static const OpTable *const tables[] = {&ops_int_base,     &ops_bits_base,    &ops_float_base,
                                        &ops_compare_base, &ops_convert_base, &ops_move_base};

// Half of the values are extreme values of an integer or float type of some width.
static uint64_t operand_value(uint64_t draw)
{
    static const uint64_t extreme[] = {
        0, 1, UINT64_MAX, 0x80000000, 0x7fffffff, UINT64_C(0x8000000000000000), INT64_MAX,
        0x3f800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x807fffff, 0x00800000,
        0x4f000000, 0xcf000000, 0x5f000000, UINT64_C(0x3ff0000000000000),
        UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000001),
        UINT64_C(0x000fffffffffffff), UINT64_C(0x8000000000000001), UINT64_C(0x41dfffffffc00000),
        UINT64_C(0xc1e0000000000000), 31, 32, 33, 63, 64, 255, 65535, UINT64_C(0x7f8000007f800000),
        UINT64_C(0x0000000180000001), UINT64_C(0x3f8000013f800001)};
    uint64_t bits = random_mix(draw);
    return bits & 1 ? bits : extreme[(bits >> 8) % TEST_SIZE(extreme)];
}

static void fill(Lanes *lanes, uint64_t seed)
{
    lanes_init(lanes);
    for (unsigned i = 0; i < sizeof lanes->slots / 8; i++) {
        uint64_t value = operand_value(seed * 100003 + i);
        memcpy(lanes->slots + 8 * i, &value, 8);
    }
    for (unsigned i = 0; i < LANES_PREDICATES; i++)
        lanes->predicates[i] = (LaneMask)random_draw(seed, 2, i, 0);
    lanes->warp.carry = (LaneMask)random_draw(seed, 3, 0, 0);
}

static void compare_units(const UOp *op, uint64_t seed, LaneMask mask)
{
    static Lanes start, expected, got;
    fill(&start, seed);
    expected = start;
    expected.warp.base[0] = expected.slots;
    expected.warp.predicates = expected.predicates;
    lanes_run(&expected, *op, EXEC_BASE, mask);
    for (unsigned isa = EXEC_BASE + 1; isa < EXEC_ISAS; isa++) {
        if (!exec_isa_available((ExecIsa)isa)) continue;
        got = start;
        got.warp.base[0] = got.slots;
        got.warp.predicates = got.predicates;
        lanes_run(&got, *op, (ExecIsa)isa, mask);
        if (memcmp(got.slots, expected.slots, sizeof got.slots) ||
            memcmp(got.predicates, expected.predicates, sizeof got.predicates) ||
            got.warp.carry != expected.warp.carry)
            fail_msg("isa %u differs: %s.%s.%s flags %x rounding %u modifier %u mask %x", isa,
                     uop_name(op->code), ptx_type_name(op->type), ptx_type_name(op->type2),
                     op->flags, op->rounding, op->modifier, mask);
    }
}

static void try_row(const OpRow *row, uint64_t seed)
{
    UOp op = {.code = row->code, .type = row->type, .type2 = row->type2, .guard = OPERAND_NONE,
              .vec = 2, .space = SPACE_SHARED, .imm = 0x96, .dst = {40, 44, 48, 52},
              .src = {0, 4, 8, 12, 16}};
    op.modifier = row->modifier == ANY_MODIFIER ? 0 : row->modifier;
    if (row->code == UOP_SREG) op.imm = SREG_TID_Y;
    if (row->type2 == PTX_NONE) op.type2 = PTX_F32;
    unsigned roundings = row->rounding == ANY_ROUNDING ? 4 : 1;
    for (unsigned r = 0; r < roundings; r++) {
        op.rounding = (uint8_t)(roundings == 1 ? row->rounding : r);
        for (unsigned all = 0; all < 2; all++) {
            op.flags = row->needs | (all ? row->also : 0);
            compare_units(&op, seed + r, ~(LaneMask)0);
            compare_units(&op, seed + r + 100, (LaneMask)random_mix(seed) | 1);
        }
    }
}

static void test_isas_agree(void **state)
{
    (void)state;
    unsigned rows = 0;
    for (unsigned t = 0; t < TEST_SIZE(tables); t++)
        for (size_t i = 0; i < tables[t]->count; i++, rows++)
            for (uint64_t round = 0; round < 4; round++)
                try_row(&tables[t]->rows[i], 1000 * rows + 10 * round);
    print_message("%u rows; isas beside base: avx2 %d, avx512 %d\n", rows,
                  exec_isa_available(EXEC_AVX2), exec_isa_available(EXEC_AVX512));
    assert_true(rows > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_isas_agree)};
    return cmocka_run_group_tests_name("exec isas", tests, NULL, NULL);
}
