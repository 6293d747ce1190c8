// Tests of the checks that device.c makes for all backends.
#include "../workloads/host_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static int open_device(void **state)
{
    *state = host_device_open(32, FAULT_NONE);
    return *state ? 0 : -1;
}

static int close_device(void **state)
{
    hd_device_close(*state);
    return 0;
}

// Launches `typed`, whose parameters are u64, u32, f32.
static bool launch_typed(HdDevice *device, const HdArg *args, size_t count, HdError *err)
{
    HdLaunch launch = {
        .kernel = "typed",
        .grid = {1, 1, 1},
        .block = {1, 1, 1},
        .args = args,
        .arg_count = count,
    };
    *err = (HdError){0};
    return hd_launch(device, &launch, err);
}

static void test_right_arguments(void **state)
{
    HdError err;
    const HdArg args[] = {hd_buffer(64), hd_i32(-1), hd_f32(0.5f)};
    assert_true(launch_typed(*state, args, 3, &err));
    const HdArg wide[] = {hd_u64(64), hd_u32(7), hd_f32(0.5f)};
    assert_true(launch_typed(*state, wide, 3, &err));
    assert_int_equal(hd_launch_count(*state), 2);
}

static void test_argument_count(void **state)
{
    HdError err;
    const HdArg args[] = {hd_buffer(64), hd_i32(1)};
    assert_false(launch_typed(*state, args, 2, &err));
    assert_string_equal(err.text, "kernel typed: 2 arguments given: expected 3");
    assert_int_equal(hd_launch_count(*state), 0);
}

static void test_argument_size(void **state)
{
    HdError err;
    const HdArg args[] = {hd_i32(64), hd_i32(1), hd_f32(0)};
    assert_false(launch_typed(*state, args, 3, &err));
    assert_string_equal(err.text,
                        "kernel typed: argument 0 is i32 (4 bytes): expected u64 (8 bytes), the "
                        "type of parameter p");
}

static void test_argument_kind(void **state)
{
    HdError err;
    const HdArg args[] = {hd_buffer(64), hd_f32(1), hd_f32(0)};
    assert_false(launch_typed(*state, args, 3, &err));
    assert_non_null(strstr(err.text, "argument 1 is f32"));
    const HdArg more[] = {hd_buffer(64), hd_i32(1), hd_i32(0)};
    assert_false(launch_typed(*state, more, 3, &err));
    assert_non_null(strstr(err.text, "argument 2 is i32"));
}

static void test_shapes_and_names(void **state)
{
    HdDevice *device = *state;
    HdError err = {0};
    HdLaunch launch = {.kernel = "typed", .grid = {1, 0, 1}, .block = {1, 1, 1}};
    assert_false(hd_launch(device, &launch, &err));
    assert_non_null(strstr(err.text, "at least 1"));
    launch = (HdLaunch){.kernel = "nothing", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    assert_false(hd_launch(device, &launch, &err));
    assert_string_equal(err.text, "there is no kernel 'nothing'");
    assert_int_equal(hd_allocate(device, 0, "empty", &err), 0);
    assert_string_equal(err.text, "allocation 'empty' of 0 bytes: expected at least 1");
}

static void test_copies(void **state)
{
    HdDevice *device = *state;
    HdError err = {0};
    uint8_t bytes[4] = {1, 2, 3, 4}, back[4];
    HdAddress array = hd_allocate(device, 4, "array", &err);
    assert_true(hd_write(device, array, bytes, 4, &err) && hd_fill(device, array + 1, 9, 2, &err));
    assert_true(hd_read(device, back, array, 4, &err));
    assert_memory_equal(back, ((uint8_t[]){1, 9, 9, 4}), 4);
    assert_false(hd_load_file(device, "/does/not/exist.ptx", &err));
    assert_non_null(strstr(err.text, "/does/not/exist.ptx"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_right_arguments, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_argument_count, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_argument_size, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_argument_kind, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_shapes_and_names, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_copies, open_device, close_device),
    };
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
