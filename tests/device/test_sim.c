// Tests of the simulated device: the public interface end to end, and two devices in one process.
#include "heddle/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

// data[i] += amount for every thread i.
static const char add_ptx[] =
    ".version 6.0\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".visible .entry add(.param .u64 data, .param .u32 amount)\n"
    "{\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [data];\n"
    "    ld.param.u32 %r1, [amount];\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "    mul.wide.u32 %rd2, %r5, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    ld.global.u32 %r6, [%rd3];\n"
    "    add.u32 %r7, %r6, %r1;\n"
    "    st.global.u32 [%rd3], %r7;\n"
    "    ret;\n"
    "}\n";

static HdDevice *open_with(const char *setting, HdError *err)
{
    const char *set[] = {setting, NULL};
    *err = (HdError){0};
    return hd_device_simulate(&(HdSimulation){.set = set}, err);
}

static bool launch_add(HdDevice *device, HdAddress data, uint32_t blocks, uint32_t amount,
                       HdError *err)
{
    HdLaunch launch = {
        .kernel = "add",
        .grid = {blocks, 1, 1},
        .block = {64, 1, 1},
        .args = (HdArg[]){hd_buffer(data), hd_u32(amount)},
        .arg_count = 2,
    };
    return hd_launch(device, &launch, err);
}

static void test_two_devices(void **state)
{
    (void)state;
    HdError err;
    HdDevice *devices[] = {open_with("gpu.sms=1", &err), open_with("core.width=8", &err)};
    HdAddress data[2];
    uint32_t host[256];
    for (int d = 0; d < 2; d++) {
        if (!devices[d]) fail_msg("%s", err.text);
        assert_true(hd_load(devices[d], add_ptx, "add.ptx", &err));
        data[d] = hd_allocate(devices[d], sizeof host, "data", &err);
        for (uint32_t i = 0; i < 256; i++) host[i] = i * (uint32_t)(d + 1);
        assert_true(hd_write(devices[d], data[d], host, sizeof host, &err));
    }
    for (uint32_t round = 1; round <= 2; round++) // alternate: the devices are independent
        for (int d = 0; d < 2; d++)
            if (!launch_add(devices[d], data[d], 4, round, &err)) fail_msg("%s", err.text);
    for (int d = 0; d < 2; d++) {
        assert_true(hd_read(devices[d], host, data[d], sizeof host, &err));
        for (uint32_t i = 0; i < 256; i++) assert_int_equal(host[i], i * (uint32_t)(d + 1) + 3);
        assert_int_equal(hd_launch_count(devices[d]), 2);
    }
    assert_int_equal(hd_device_warp_width(devices[0]), 32);
    assert_int_equal(hd_device_warp_width(devices[1]), 8);
    hd_device_close(devices[0]);
    hd_device_close(devices[1]);
}

static void test_bad_machine(void **state)
{
    (void)state;
    HdError err;
    assert_null(open_with("gpu.smss=1", &err));
    assert_non_null(strstr(err.text, "gpu.sms"));
    assert_null(open_with("core.width=12", &err));
    assert_non_null(strstr(err.text, "core.width"));
    hd_device_close(NULL);
}

// A store beyond the allocation: the message names the kernel and the allocation. The host
// continues.
static void test_fault(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = open_with("gpu.sms=2", &err);
    assert_non_null(device);
    assert_true(hd_load(device, add_ptx, "add.ptx", &err));
    HdAddress data = hd_allocate(device, 256, "short", &err);
    assert_false(launch_add(device, data, 2, 1, &err));
    assert_non_null(strstr(err.text, "add"));
    assert_non_null(strstr(err.text, "short"));
    assert_int_equal(hd_launch_count(device), 0);
    hd_device_close(device);
}

static void test_host_bounds(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = open_with("gpu.sms=1", &err);
    assert_non_null(device);
    uint8_t bytes[300] = {0};
    HdAddress data = hd_allocate(device, 256, "data", &err);
    assert_false(hd_write(device, data, bytes, 300, &err));
    assert_false(hd_read(device, bytes, data + 200, 100, &err));
    assert_false(hd_fill(device, data + 256, 0, 1, &err));
    assert_false(hd_release(device, data + 8, &err));
    assert_true(hd_release(device, data, &err));
    assert_false(hd_read(device, bytes, data, 4, &err));
    hd_device_close(device);
}

// Released memory can be allocated again. Each machine has a limit.
static void test_capacity(void **state)
{
    (void)state;
    HdError err;
    HdDevice *device = open_with("memory.capacity=1000B", &err);
    assert_non_null(device);
    HdAddress first = hd_allocate(device, 600, "first", &err);
    assert_true(first);
    assert_false(hd_allocate(device, 401, "second", &err));
    assert_non_null(strstr(err.text, "600 of 1000"));
    assert_true(hd_allocate(device, 400, "second", &err));
    assert_true(hd_release(device, first, &err));
    assert_true(hd_allocate(device, 600, "third", &err));
    assert_false(hd_allocate(device, 1, "fourth", &err));
    hd_device_close(device);
    assert_null(open_with("memory.capacity=0B", &err));
    assert_string_equal(err.text, "--set: memory.capacity = 0B: expected 1B to 16384GiB");
}

// A mechanism that is not in the run: no effect. One in the run that takes no calls: a message.
static void test_calls(void **state)
{
    (void)state;
    HdError err = {0};
    const uint64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    HdDevice *device = hd_device_simulate(&(HdSimulation){.mechanisms = "next-line"}, &err);
    if (!device) fail_msg("%s", err.text);
    assert_true(hd_call(device, "absent", "mark", values, 8, &err));
    assert_false(hd_call(device, "absent", "mark", values, 9, &err));
    assert_string_equal(err.text, "mechanism absent: mark has 9 values: expected at most 8");
    assert_false(hd_call(device, "next-line", "mark", values, 1, &err));
    assert_string_equal(err.text,
                        "mechanism next-line: mark(1): expected no calls: it has no hook for them");
    hd_device_close(device);
}

// Every mechanism of the run, and no other name.
static void test_has_mechanism(void **state)
{
    (void)state;
    HdError err = {0};
    HdDevice *device = hd_device_simulate(&(HdSimulation){.mechanisms = "next-line+sector"}, &err);
    if (!device) fail_msg("%s", err.text);
    assert_true(hd_has_mechanism(device, "next-line"));
    assert_true(hd_has_mechanism(device, "sector"));
    assert_false(hd_has_mechanism(device, "next"));
    assert_false(hd_has_mechanism(device, "next-line+sector"));
    assert_false(hd_has_mechanism(device, "iru"));
    hd_device_close(device);
    device = hd_device_simulate(&(HdSimulation){0}, &err);
    if (!device) fail_msg("%s", err.text);
    assert_false(hd_has_mechanism(device, "next-line"));
    hd_device_close(device);
}

// A constant and a global variable: out = factor * base.
static const char variables_ptx[] =
    ".version 6.0\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".const .align 4 .u32 pad;\n"
    ".const .align 4 .u32 factor = 3;\n"
    ".global .align 4 .u32 base = 5;\n"
    ".visible .entry multiply(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.const.u32 %r1, [factor];\n"
    "    ld.global.u32 %r2, [base];\n"
    "    mul.lo.u32 %r3, %r1, %r2;\n"
    "    st.global.u32 [%rd1], %r3;\n"
    "    ret;\n"
    "}\n";

static uint32_t multiplied(HdDevice *device, HdAddress out)
{
    HdError err = {0};
    HdLaunch launch = {.kernel = "multiply", .grid = {1, 1, 1}, .block = {1, 1, 1},
                       .args = (HdArg[]){hd_buffer(out)}, .arg_count = 1};
    uint32_t value = 0;
    if (!hd_launch(device, &launch, &err) ||
        !hd_read(device, &value, out, sizeof value, &err))
        fail_msg("%s", err.text);
    return value;
}

// The host reads and writes variables of both kinds. They keep their initial values until then.
static void test_variables(void **state)
{
    (void)state;
    HdError err = {0};
    HdDevice *device = open_with("gpu.sms=1", &err);
    if (!device) fail_msg("%s", err.text);
    assert_int_equal(hd_variable(device, "factor", &err), 0);
    assert_string_equal(err.text, "there is no variable factor: no module is loaded");
    err = (HdError){0};
    assert_true(hd_load(device, variables_ptx, "variables.ptx", &err));
    assert_true(hd_load(device, add_ptx, "add.ptx", &err));
    HdAddress out = hd_allocate(device, 4, "out", &err);
    assert_int_equal(multiplied(device, out), 15);
    HdAddress factor = hd_variable(device, "factor", &err);
    HdAddress base = hd_variable(device, "base", &err);
    assert_true(factor && base && !err.set);
    uint32_t value = 0;
    assert_true(hd_read(device, &value, factor, sizeof value, &err));
    assert_int_equal(value, 3);
    assert_true(hd_write(device, factor, &(uint32_t){7}, 4, &err));
    assert_int_equal(multiplied(device, out), 35);
    assert_true(hd_write(device, base, &(uint32_t){6}, 4, &err));
    assert_true(hd_write(device, hd_variable(device, "factor", &err), &(uint32_t){9}, 4, &err));
    assert_int_equal(multiplied(device, out), 54);
    assert_int_equal(hd_variable(device, "absent", &err), 0);
    assert_non_null(strstr(err.text, "the module has no variable 'absent'"));
    hd_device_close(device);
}

// Thread i stores the float number i + 1 of a texture.
static const char fetch_ptx[] =
    ".version 3.2\n"
    ".target sm_35\n"
    ".address_size 64\n"
    ".visible .entry fetch(.param .u64 texture, .param .u64 out)\n"
    "{\n"
    "    .reg .b64 %t, %p, %o;\n"
    "    .reg .b32 %i;\n"
    "    .reg .f32 %x, %y, %z, %w;\n"
    "    ld.param.u64 %t, [texture];\n"
    "    ld.param.u64 %p, [out];\n"
    "    mov.u32 %i, %tid.x;\n"
    "    mul.wide.u32 %o, %i, 4;\n"
    "    add.u64 %p, %p, %o;\n"
    "    add.u32 %i, %i, 1;\n"
    "    tex.1d.v4.f32.s32 {%x, %y, %z, %w}, [%t, {%i}];\n"
    "    st.global.f32 [%p], %x;\n"
    "    ret;\n"
    "}\n";

// A texture of the first three of four floats: behind them a fetch gives 0.
static void test_texture(void **state)
{
    (void)state;
    HdError err = {0};
    HdDevice *device = open_with("gpu.sms=1", &err);
    if (!device) fail_msg("%s", err.text);
    const float floats[4] = {1, 2, 3, 4};
    float got[4];
    HdAddress data = hd_allocate(device, sizeof floats, "floats", &err);
    HdAddress out = hd_allocate(device, sizeof got, "out", &err);
    assert_true(hd_write(device, data, floats, sizeof floats, &err));
    assert_true(hd_load(device, fetch_ptx, "fetch.ptx", &err));
    uint64_t texture = hd_texture(device, data, 3, &err);
    if (!texture) fail_msg("%s", err.text);
    HdArg args[] = {{HD_ARG_U64, {.u64 = texture}}, hd_buffer(out)};
    assert_true(hd_launch(device, &(HdLaunch){.kernel = "fetch", .grid = {1, 1, 1},
                                              .block = {4, 1, 1}, .args = args, .arg_count = 2},
                          &err));
    assert_true(hd_read(device, got, out, sizeof got, &err));
    for (int i = 0; i < 4; i++) assert_true(got[i] == (i < 2 ? floats[i + 1] : 0));
    assert_int_equal(hd_texture(device, data, 0, &err), 0);
    assert_string_equal(err.text, "a texture of 0 floats: expected 1 to 4294967295");
    err = (HdError){0};
    assert_int_equal(hd_texture(device, data, UINT64_C(1) << 32, &err), 0);
    assert_string_equal(err.text, "a texture of 4294967296 floats: expected 1 to 4294967295");
    hd_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_devices),
        cmocka_unit_test(test_bad_machine),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_host_bounds),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_has_mechanism),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_texture),
    };
    return cmocka_run_group_tests_name("device-sim", tests, NULL, NULL);
}
