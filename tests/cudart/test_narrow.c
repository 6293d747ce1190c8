// CUDA programs on a machine whose warps do not have 32 lanes.
#include "api_calls.h"
#include "stderr_capture.h"

#define MODULE ".version 7.5\n.target sm_20\n.address_size 64\n"
#define BODY "{\n    .reg .b32 %r<4>;\n"
static const char plain[] = MODULE ".visible .entry plain()\n" BODY
    "    mov.u32 %r1, %laneid;\n    ret;\n}\n";
static const char shuffles[] = MODULE ".visible .entry shuffles()\n" BODY
    "    mov.u32 %r1, %laneid;\n    shfl.idx.b32 %r2, %r1, 0, 31;\n    ret;\n}\n";

// One note for the first instruction by which lanes exchange values; none without.
static void test_lanes(void **state)
{
    (void)state;
    static const char first, second, third;
    program_kernel(program_register(plain), &first, "plain");
    program_kernel(program_register(shuffles), &second, "shuffles");
    program_kernel(program_register(shuffles), &third, "shuffles");
    stderr_capture_begin();
    OK(program_launch(&first, 1, 8, 0, NULL));
    assert_string_equal(stderr_capture_end(), "");
    EXPECT_MESSAGE(cudaSuccess, program_launch(&second, 1, 8, 0, NULL),
                   ":8: shfl is for the lanes of a warp, and fermi-c2050-gw8 has warps of 8 lanes: "
                   "a program that assumes 32 may compute something else");
    stderr_capture_begin();
    OK(program_launch(&third, 1, 8, 0, NULL));
    assert_string_equal(stderr_capture_end(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes)};
    setenv("HEDDLE_MACHINE", "fermi-c2050-gw8", 1);
    return cmocka_run_group_tests_name("cudart narrow warps", tests, NULL, NULL);
}
