// Operations across lanes: shuffles with segments and clamps, votes, matches, reductions, on full,
// partial and narrow warps.
#include "lanes.h"

static Lanes lanes;

static void start(void)
{
    lanes_init(&lanes);
    for (unsigned l = 0; l < HD_MAX_LANES; l++) lanes_set(&lanes, 0, 4, l, 100 + l);
}

// The value that lane `lane` gets; predicate 1 holds the lanes in range.
static uint64_t shuffle(ShflMode mode, uint32_t b, uint32_t c, LaneMask mask, unsigned lane)
{
    start();
    lanes_fill(&lanes, 2, 4, b);
    lanes_fill(&lanes, 4, 4, c);
    UOp op = {.code = UOP_SHFL, .type = PTX_B32, .modifier = mode, .flags = UF_SYNC, .dst = {8, 1},
              .src = {0, 2, 4, OPERAND_NONE}};
    lanes_run(&lanes, op, exec_best_isa(), mask);
    return lanes_get(&lanes, 8, 4, lane);
}

static void test_shuffles(void **state)
{
    (void)state;
    const LaneMask all = ~(LaneMask)0;
    assert_int_equal(shuffle(SHFL_UP, 3, 0, all, 10), 107);
    assert_int_equal(shuffle(SHFL_UP, 3, 0, all, 2), 102);
    assert_int_equal(lanes.predicates[1], 0xfffffff8);
    assert_int_equal(shuffle(SHFL_DOWN, 3, 0x1f, all, 10), 113);
    assert_int_equal(shuffle(SHFL_DOWN, 3, 0x1f, all, 30), 130);
    assert_int_equal(lanes.predicates[1], 0x1fffffff);
    assert_int_equal(shuffle(SHFL_BFLY, 1, 0x1f, all, 10), 111);
    assert_int_equal(shuffle(SHFL_IDX, 5, 0x1f, all, 10), 105);
    assert_int_equal(lanes.predicates[1], 0xffffffff);
}

static void test_segments(void **state)
{
    (void)state;
    // segments of 8: mask 0x18, clamp 7 (0 for up)
    const LaneMask all = ~(LaneMask)0;
    assert_int_equal(shuffle(SHFL_IDX, 1, 0x1807, all, 21), 117);
    assert_int_equal(shuffle(SHFL_DOWN, 2, 0x1807, all, 21), 123);
    assert_int_equal(shuffle(SHFL_DOWN, 2, 0x1807, all, 22), 122);
    assert_int_equal(lanes.predicates[1], 0x3f3f3f3f);
    assert_int_equal(shuffle(SHFL_UP, 2, 0x1800, all, 17), 117);
    assert_int_equal(shuffle(SHFL_UP, 2, 0x1800, all, 18), 116);
    assert_int_equal(lanes.predicates[1], 0xfcfcfcfc);
}

static void test_shuffles_of_some_lanes(void **state)
{
    (void)state;
    // lane 12 is inactive: its reader, lane 11, gets 0, but lane 12 is in range
    assert_int_equal(shuffle(SHFL_DOWN, 1, 0x1f, 0xf0f, 10), 111);
    assert_int_equal(shuffle(SHFL_DOWN, 1, 0x1f, 0xf0f, 11), 0);
    assert_int_equal(lanes.predicates[1], 0xf0f);
    // out of range: lane 31 keeps its own value
    assert_int_equal(shuffle(SHFL_DOWN, 1, 0x1f, 0xf0000000, 31), 131);
    assert_int_equal(shuffle(SHFL_IDX, 12, 0x1f, 0xf0f, 3), 0);
    assert_int_equal(shuffle(SHFL_BFLY, 4, 0x1f, 0xf0f, 8), 0);
    assert_int_equal(shuffle(SHFL_UP, 1, 0, 0xf0f, 8), 0);
    // a warp of 8 lanes ends at lane 7
    start();
    lanes.block.width = 8;
    lanes_fill(&lanes, 2, 4, 2);
    lanes_fill(&lanes, 4, 4, 0x1f);
    UOp op = {.code = UOP_SHFL,
              .type = PTX_B32,
              .modifier = SHFL_DOWN,
              .dst = {8, 1},
              .src = {0, 2, 4, OPERAND_NONE}};
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes_get(&lanes, 8, 4, 5), 107);
    assert_int_equal(lanes_get(&lanes, 8, 4, 6), 106);
    assert_int_equal(lanes.predicates[1], 0x3f);
}

// The first of `readers` that reads a lane outside of `mask`, and the lane that it reads.
static void test_shuffle_from_inactive_lanes(void **state)
{
    (void)state;
    start();
    lanes_fill(&lanes, 2, 4, 2);
    lanes_fill(&lanes, 4, 4, 0x1f);
    UOp op = {.code = UOP_SHFL, .type = PTX_B32, .modifier = SHFL_DOWN, .dst = {8, 1},
              .src = {0, 2, 4, OPERAND_NONE}};
    unsigned source;
    assert_int_equal(exec_shuffle_inactive(&op, &lanes.warp, ~0u, ~0u, &source), -1);
    assert_int_equal(exec_shuffle_inactive(&op, &lanes.warp, 0xff, 0xff, &source), 6);
    assert_int_equal(source, 8);
    assert_int_equal(exec_shuffle_inactive(&op, &lanes.warp, 0xff, 0xbf, &source), 7);
    assert_int_equal(source, 9);
    assert_int_equal(exec_shuffle_inactive(&op, &lanes.warp, 0xff, 0x3f, &source), -1);
    assert_int_equal(exec_shuffle_inactive(&op, &lanes.warp, 0xc0000000, 0xc0000000, &source), -1);
    lanes.block.width = 8; // lanes 6 and 7 read beyond the warp
    assert_int_equal(exec_shuffle_inactive(&op, &lanes.warp, 0xff, 0xff, &source), -1);
}

static LaneMask vote(VoteMode mode, LaneMask predicate, LaneMask mask, uint32_t members,
                     uint32_t flags)
{
    start();
    lanes.predicates[2] = predicate;
    lanes_fill(&lanes, 6, 4, members);
    UOp op = {.code = UOP_VOTE, .type = mode == VOTE_BALLOT ? PTX_B32 : PTX_PRED, .modifier = mode,
              .flags = flags | UF_SYNC, .dst = {mode == VOTE_BALLOT ? 8 : 3}, .src = {2, 6}};
    lanes_run(&lanes, op, exec_best_isa(), mask);
    if (mode == VOTE_BALLOT) return (LaneMask)lanes_get(&lanes, 8, 4, lanes_first(mask));
    return lanes.predicates[3];
}

static void test_votes(void **state)
{
    (void)state;
    assert_int_equal(vote(VOTE_ALL, 0xf0, 0xf0, ~0u, 0), 0xf0);
    assert_int_equal(vote(VOTE_ALL, 0x70, 0xf0, ~0u, 0), 0);
    assert_int_equal(vote(VOTE_ANY, 0x10, 0xf0, ~0u, 0), 0xf0);
    assert_int_equal(vote(VOTE_ANY, 0x0f, 0xf0, ~0u, 0), 0); // only active lanes
    assert_int_equal(vote(VOTE_UNI, 0, 0xf0, ~0u, 0), 0xf0);
    assert_int_equal(vote(VOTE_UNI, 0x10, 0xf0, ~0u, 0), 0);
    assert_int_equal(vote(VOTE_BALLOT, 0xabcd, 0xff, ~0u, 0), 0xcd);
    assert_int_equal(vote(VOTE_BALLOT, 0xabcd, 0xff, 0x0f, 0), 0x0d);
    assert_int_equal(vote(VOTE_BALLOT, 0xabcd, 0xff, ~0u, UF_NEGATE_A), 0x32);
    UOp op = {.code = UOP_ACTIVEMASK, .type = PTX_B32, .dst = {8}};
    lanes_run(&lanes, op, exec_best_isa(), 0xf0f0);
    assert_int_equal(lanes_get(&lanes, 8, 4, 4), 0xf0f0);
}

// Two tiles execute one instruction, each with its own members.
static void test_tiles(void **state)
{
    (void)state;
    start();
    lanes.predicates[2] = 0x2f;
    for (unsigned l = 0; l < 8; l++) {
        lanes_set(&lanes, 2, 4, l, l + 1);
        lanes_set(&lanes, 4, 4, l, 7);
        lanes_set(&lanes, 6, 4, l, l < 4 ? 0x0f : 0xf0);
    }
    UOp op = {.code = UOP_VOTE, .type = PTX_B32, .modifier = VOTE_BALLOT, .flags = UF_SYNC,
              .dst = {8}, .src = {2, 6}};
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes_get(&lanes, 8, 4, 3), 0x0f);
    assert_int_equal(lanes_get(&lanes, 8, 4, 4), 0x20);
    op.type = PTX_PRED;
    op.modifier = VOTE_ALL;
    op.dst[0] = 3;
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes.predicates[3] & 0xff, 0x0f);
    op = (UOp){.code = UOP_REDUX, .type = PTX_U32, .modifier = ATOM_ADD, .flags = UF_SYNC,
               .dst = {8}, .src = {2, 6}};
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes_get(&lanes, 8, 4, 0), 1 + 2 + 3 + 4);
    assert_int_equal(lanes_get(&lanes, 8, 4, 7), 5 + 6 + 7 + 8);
    op = (UOp){.code = UOP_MATCH, .type = PTX_B32, .dst = {8, OPERAND_NONE}, .src = {4, 6}};
    lanes_run(&lanes, op, exec_best_isa(), 0x7f);
    assert_int_equal(lanes_get(&lanes, 8, 4, 1), 0x0f);
    assert_int_equal(lanes_get(&lanes, 8, 4, 5), 0x70); // of the active members
}

static void test_matches(void **state)
{
    (void)state;
    start();
    for (unsigned l = 0; l < HD_MAX_LANES; l++) lanes_set(&lanes, 2, 4, l, l % 3);
    lanes_fill(&lanes, 6, 4, ~0u);
    UOp op = {.code = UOP_MATCH, .type = PTX_B32, .dst = {8, OPERAND_NONE}, .src = {2, 6}};
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes_get(&lanes, 8, 4, 0), 0x49); // 0, 3, 6
    assert_int_equal(lanes_get(&lanes, 8, 4, 5), 0x24); // 2, 5
    op.modifier = 1;
    op.dst[1] = 3;
    lanes_run(&lanes, op, exec_best_isa(), 0xff);
    assert_int_equal(lanes_get(&lanes, 8, 4, 5), 0);
    assert_int_equal(lanes.predicates[3], 0);
    lanes_run(&lanes, op, exec_best_isa(), 0x49);
    assert_int_equal(lanes_get(&lanes, 8, 4, 3), 0x49);
    assert_int_equal(lanes.predicates[3], 0x49);
    op = (UOp){.code = UOP_MATCH, .type = PTX_B64, .dst = {8, OPERAND_NONE}, .src = {10, 6}};
    lanes_set(&lanes, 10, 8, 1, UINT64_C(1) << 40);
    lanes_run(&lanes, op, exec_best_isa(), 0x7);
    assert_int_equal(lanes_get(&lanes, 8, 4, 0), 0x5);
}

static void test_reductions(void **state)
{
    (void)state;
    static const struct { AtomOp operation; PtxType type; uint32_t expected; } cases[] = {
        {ATOM_ADD, PTX_U32, 0xfffffffe}, {ATOM_MIN, PTX_U32, 3}, {ATOM_MIN, PTX_S32, 0xfffffff6},
        {ATOM_MAX, PTX_S32, 5}, {ATOM_MAX, PTX_U32, 0xfffffff6}, {ATOM_AND, PTX_B32, 0},
        {ATOM_OR, PTX_B32, 0xfffffff7}, {ATOM_XOR, PTX_B32, 0xfffffff0}};
    start();
    uint32_t values[] = {3, 5, 0xfffffff6, 777};
    for (unsigned l = 0; l < TEST_SIZE(values); l++) lanes_set(&lanes, 2, 4, l, values[l]);
    lanes_fill(&lanes, 6, 4, 0x7);
    for (unsigned i = 0; i < TEST_SIZE(cases); i++) {
        UOp op = {.code = UOP_REDUX, .type = cases[i].type, .modifier = cases[i].operation,
                  .flags = UF_SYNC, .dst = {8}, .src = {2, 6}};
        lanes_run(&lanes, op, exec_best_isa(), 0x7);
        assert_int_equal(lanes_get(&lanes, 8, 4, 2), cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffles),               cmocka_unit_test(test_segments),
        cmocka_unit_test(test_shuffles_of_some_lanes),
        cmocka_unit_test(test_shuffle_from_inactive_lanes), cmocka_unit_test(test_votes),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_matches),                cmocka_unit_test(test_reductions),
    };
    return cmocka_run_group_tests_name("exec warp", tests, NULL, NULL);
}
