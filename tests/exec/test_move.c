// Moves, packing, predicates, special registers, generic addresses.
#include "lanes.h"

static uint64_t special(Lanes *lanes, SpecialReg reg, PtxType type, unsigned lane)
{
    UOp op = {.code = UOP_SREG, .type = type, .imm = reg, .dst = {8}, .src = {OPERAND_CONST}};
    lanes_run(lanes, op, exec_best_isa(), ~0u);
    return lanes_get(lanes, 8, type == PTX_U64 ? 8 : 4, lane);
}

static void test_moves(void **state)
{
    (void)state;
    assert_int_equal(COMPUTE("44", 0x12345678, 0, 0, .code = UOP_MOV, .type = PTX_F32), 0x12345678);
    assert_int_equal(COMPUTE("88", UINT64_MAX - 3, 0, 0, .code = UOP_MOV, .type = PTX_B64),
                     UINT64_MAX - 3);
    Lanes lanes;
    lanes_init(&lanes);
    uint32_t *constants = (uint32_t *)lanes.constants;
    for (unsigned l = 0; l < HD_MAX_LANES; l++) constants[HD_MAX_LANES + l] = 99; // slot 1
    UOp op = {.code = UOP_MOV, .type = PTX_U32, .dst = {8}, .src = {OPERAND_CONST | 1}};
    lanes_run(&lanes, op, exec_best_isa(), 1u << 31);
    assert_int_equal(lanes_get(&lanes, 8, 4, 31), 99);
    assert_int_equal(lanes_get(&lanes, 8, 4, 30), 0);
}

static void test_packing(void **state)
{
    (void)state;
    assert_int_equal(lanes_compute((UOp){.code = UOP_PACK, .type = PTX_B64, .vec = 2}, "844",
                                   0x11111111, 0x22222222, 0, 0), UINT64_C(0x2222222211111111));
    assert_int_equal(lanes_compute((UOp){.code = UOP_PACK, .type = PTX_B32, .vec = 2}, "444",
                                   0xffff1111, 0xffff2222, 0, 0), 0x22221111);
    assert_int_equal(lanes_compute((UOp){.code = UOP_PACK, .type = PTX_B64, .vec = 4}, "84444",
                                   1, 2, 3, 4), UINT64_C(0x0004000300020001));
    Lanes lanes;
    lanes_init(&lanes);
    lanes_fill(&lanes, 0, 8, UINT64_C(0x8877665544332211));
    UOp op = {.code = UOP_UNPACK, .type = PTX_B64, .vec = 2, .dst = {1, 0}, .src = {0}};
    lanes_run(&lanes, op, exec_best_isa(), ~0u); // the destinations are the source's two slots
    assert_int_equal(lanes_get(&lanes, 1, 4, 20), 0x44332211);
    assert_int_equal(lanes_get(&lanes, 0, 4, 20), 0x88776655);
    op = (UOp){
        .code = UOP_UNPACK, .type = PTX_B32, .vec = 4, .dst = {8, OPERAND_NONE, 9, 10}, .src = {1}};
    lanes_run(&lanes, op, exec_best_isa(), 0x10);
    assert_int_equal(lanes_get(&lanes, 8, 4, 4), 0x11);
    assert_int_equal(lanes_get(&lanes, 9, 4, 4), 0x33);
    assert_int_equal(lanes_get(&lanes, 10, 4, 4), 0x44);
    assert_int_equal(lanes_get(&lanes, 10, 4, 5), 0);
}

static void test_predicates(void **state)
{
    (void)state;
    Lanes lanes;
    lanes_init(&lanes);
    lanes.predicates[0] = 0xc;
    lanes.predicates[1] = 0xa;
    static const struct {
        UopCode code;
        uint32_t flags;
        LaneMask expected;
    } cases[] = {{UOP_AND, 0, 0x8},
                 {UOP_OR, 0, 0xe},
                 {UOP_XOR, 0, 0x6},
                 {UOP_NOT, 0, 0x3},
                 {UOP_MOV, 0, 0xc},
                 {UOP_AND, UF_NEGATE_A, 0x2},
                 {UOP_OR, UF_NEGATE_B, 0xd},
                 {UOP_MOV, UF_NEGATE_A, 0x3},
                 {UOP_XOR, UF_NEGATE_A | UF_NEGATE_B, 0x6}};
    for (unsigned i = 0; i < TEST_SIZE(cases); i++) {
        lanes.predicates[2] = 0xffffff00;
        UOp op = {.code = cases[i].code,
                  .type = PTX_PRED,
                  .flags = cases[i].flags,
                  .dst = {2},
                  .src = {0, 1}};
        lanes_run(&lanes, op, exec_best_isa(), 0xf);
        assert_int_equal(lanes.predicates[2], 0xffffff00 | cases[i].expected);
    }
}

static void test_special_registers(void **state)
{
    (void)state;
    Lanes lanes;
    lanes_init(&lanes); // a block of 64 x 2 x 2
    lanes.warp.warp_in_block = 5; // threads 160 .. 191
    assert_int_equal(special(&lanes, SREG_TID_X, PTX_U32, 7), 167 % 64);
    assert_int_equal(special(&lanes, SREG_TID_Y, PTX_U32, 7), 167 / 64 % 2);
    assert_int_equal(special(&lanes, SREG_TID_Z, PTX_U32, 7), 1);
    assert_int_equal(special(&lanes, SREG_NTID_Y, PTX_U32, 0), 2);
    assert_int_equal(special(&lanes, SREG_CTAID_Z, PTX_U32, 0), 2);
    assert_int_equal(special(&lanes, SREG_NCTAID_X, PTX_U32, 0), 7);
    assert_int_equal(special(&lanes, SREG_LANEID, PTX_U32, 31), 31);
    assert_int_equal(special(&lanes, SREG_NWARPID, PTX_U32, 31), 8);
    assert_int_equal(special(&lanes, SREG_SMID, PTX_U32, 0), 9);
    assert_int_equal(special(&lanes, SREG_LANEMASK_LT, PTX_U32, 31), 0x7fffffff);
    assert_int_equal(special(&lanes, SREG_LANEMASK_LE, PTX_U32, 31), 0xffffffff);
    assert_int_equal(special(&lanes, SREG_LANEMASK_GT, PTX_U32, 31), 0);
    assert_int_equal(special(&lanes, SREG_LANEMASK_GE, PTX_U32, 4), 0xfffffff0);
    lanes.warp.clock = UINT64_C(0x1234500000007);
    assert_int_equal(special(&lanes, SREG_CLOCK, PTX_U32, 0), 7);
    assert_int_equal(special(&lanes, SREG_CLOCK_HI, PTX_U32, 0), 0x12345);
    assert_int_equal(special(&lanes, SREG_CLOCK64, PTX_U64, 0), UINT64_C(0x1234500000007));
    lanes.block.width = 8;
    assert_int_equal(special(&lanes, SREG_WARP_SIZE, PTX_U32, 0), 8);
    assert_int_equal(special(&lanes, SREG_TID_X, PTX_U32, 3), 43);
    assert_int_equal(special(&lanes, SREG_NWARPID, PTX_U32, 0), 32);
    assert_int_equal(special(&lanes, SREG_LANEMASK_GE, PTX_U32, 4), 0xf0);
    lanes.warp.local_base = 1000;
    uint64_t *constant = (uint64_t *)lanes.constants; // slot 0
    for (unsigned l = 0; l < HD_MAX_LANES; l++) constant[l] = 24;
    assert_int_equal(special(&lanes, SREG_LOCAL_BASE, PTX_U64, 3), 1024);
}

static void test_generic_addresses(void **state)
{
    (void)state;
    UOp op = {.code = UOP_CVTA, .type = PTX_U64, .space = SPACE_SHARED};
    assert_int_equal(lanes_compute(op, "88", 16, 0, 0, 0), GUEST_SHARED_BASE + 16);
    op.flags = UF_TO;
    assert_int_equal(lanes_compute(op, "88", GUEST_SHARED_BASE + 16, 0, 0, 0), 16);
    op.space = SPACE_GLOBAL;
    assert_int_equal(lanes_compute(op, "88", GUEST_GLOBAL_BASE + 16, 0, 0, 0),
                     GUEST_GLOBAL_BASE + 16);
    Lanes lanes;
    lanes_init(&lanes);
    uint64_t addresses[] = {GUEST_SHARED_BASE, GUEST_LOCAL_BASE - 1, GUEST_LOCAL_BASE,
                            GUEST_CONST_BASE, GUEST_GLOBAL_BASE, 0, GUEST_PARAM_BASE};
    for (unsigned l = 0; l < TEST_SIZE(addresses); l++) lanes_set(&lanes, 0, 8, l, addresses[l]);
    static const struct { PtxSpace space; LaneMask expected; } cases[] = {
        {SPACE_SHARED, 0x3}, {SPACE_LOCAL, 0x4}, {SPACE_CONST, 0x8}, {SPACE_GLOBAL, 0x30},
        {SPACE_PARAM, 0x40}};
    for (unsigned i = 0; i < TEST_SIZE(cases); i++) {
        UOp is = {.code = UOP_ISSPACEP, .space = cases[i].space, .dst = {1}, .src = {0}};
        lanes_run(&lanes, is, exec_best_isa(), 0x7f);
        assert_int_equal(lanes.predicates[1], cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),      cmocka_unit_test(test_packing),
        cmocka_unit_test(test_predicates), cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_generic_addresses),
    };
    return cmocka_run_group_tests_name("exec move", tests, NULL, NULL);
}
