// alloca, lane by lane: addresses, alignment, the end of the stack; and stackrestore.
#include "lanes.h"

enum { STRIDE = 256, STACK = 32, BYTES = 0, PLACE = 2, SAVED = 4 };

static Lanes lanes;
static _Alignas(64) uint8_t local[HD_MAX_LANES * STRIDE];

static int set_up(void **state)
{
    (void)state;
    lanes_init(&lanes);
    lanes.warp.local = local;
    lanes.warp.local_stride = STRIDE;
    lanes.warp.stack = STACK;
    exec_stack_start(&lanes.warp);
    return 0;
}

static uint64_t take(unsigned lane, uint64_t bytes, int64_t align)
{
    UOp op = {.code = UOP_ALLOCA, .type = PTX_U64, .imm = align, .src = {BYTES}, .dst = {PLACE}};
    lanes_set(&lanes, BYTES, 8, lane, bytes);
    exec_stack(&op, &lanes.warp, (LaneMask)1 << lane);
    return lanes_get(&lanes, PLACE, 8, lane);
}

static void test_places(void **state)
{
    (void)state;
    assert_int_equal(take(3, 5, 0), 48); // after the head; a multiple of 8
    assert_int_equal(take(3, 5, 0), 56);
    assert_int_equal(take(3, 0, 32), 64);
    assert_int_equal(take(3, 4, 32), 64);
    assert_int_equal(take(3, 4, 1), 68);
    assert_int_equal(take(4, 1, 16), 48); // each lane has its own
    assert_int_equal(take(3, 256 - 72, 8), 72);
    assert_int_equal(take(3, 0, 1), 256);
}

// An allocation that does not fit gets the end of the stack, where each access is out of bounds.
// The remaining bytes stay free.
static void test_end(void **state)
{
    (void)state;
    assert_int_equal(take(0, 209, 8), 256);
    assert_int_equal(take(0, UINT64_MAX, 8), 256);
    assert_int_equal(take(0, 1, INT64_C(1) << 62), 256);
    assert_int_equal(take(0, 208, 8), 48);
}

static void test_back(void **state)
{
    (void)state;
    UOp save = {.code = UOP_STACKSAVE, .src = {OPERAND_NONE}, .dst = {SAVED}};
    UOp restore = {.code = UOP_STACKRESTORE, .src = {SAVED}, .dst = {OPERAND_NONE}};
    take(1, 24, 8);
    exec_stack(&save, &lanes.warp, 3);
    assert_int_equal(lanes_get(&lanes, SAVED, 8, 0), 48);
    assert_int_equal(lanes_get(&lanes, SAVED, 8, 1), 72);
    assert_int_equal(take(0, 8, 8), 48);
    assert_int_equal(take(1, 8, 8), 72);
    exec_stack(&restore, &lanes.warp, 2);
    assert_int_equal(take(0, 8, 8), 56);
    assert_int_equal(take(1, 8, 8), 72);
    lanes_set(&lanes, SAVED, 8, 1, STRIDE + 1); // not from stacksave: no effect
    exec_stack(&restore, &lanes.warp, 2);
    assert_int_equal(take(1, 8, 8), 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_places, set_up),
        cmocka_unit_test_setup(test_end, set_up),
        cmocka_unit_test_setup(test_back, set_up),
    };
    return cmocka_run_group_tests_name("exec stack", tests, NULL, NULL);
}
