// Tests of counting with CUPTI events, on fake libraries (fake/cupti.c, fake/driver.c).
#include "support/scratch.h"

#include "device/cupti.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                          ".visible .entry nothing()\n{\nret;\n}\n";

static int start(void **state)
{
    (void)state;
    unsetenv("FAKE_FAIL");
    unsetenv("FAKE_UNITS");
    unsetenv("FAKE_LOST");
    setenv("FAKE_CAPABILITY", "35", 1);
    unlink(scratch_path("calls"));
    return setenv("FAKE_LOG", scratch_path("calls"), 1);
}

// Makes a device on which two kernels have run.
static HdDevice *run_two(void)
{
    HdError err = {0};
    HdDevice *device = hd_device_cuda(&(HdCuda){.repeatable = true}, &err);
    if (!device) fail_msg("%s", err.text);
    HdLaunch launch = {.kernel = "nothing", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    assert_true(hd_load(device, ptx, "nothing.ptx", &err) && hd_launch(device, &launch, &err) &&
                hd_launch(device, &launch, &err) && hd_synchronise(device, &err));
    return device;
}

static unsigned count_text(const char *text)
{
    static char calls[1 << 16];
    FILE *file = fopen(scratch_path("calls"), "r");
    calls[file ? fread(calls, 1, sizeof calls - 1, file) : 0] = 0;
    if (file) fclose(file);
    unsigned count = 0;
    for (const char *at = calls; (at = strstr(at, text)); at++) count++;
    return count;
}

// Each event counts (100 + 1) in each of two kernels. DRAM reads and writes have two events each.
static void test_counts(void **state)
{
    (void)state;
    HdError err = {0};
    HdDevice *device = run_two();
    ExecutionCounters counters;
    if (!device_cuda_count(device, &counters, &err)) fail_msg("%s", err.text);
    assert_int_equal(counters.warp_instructions, 202);
    assert_int_equal(counters.thread_instructions, 202);
    assert_int_equal(counters.dram_read_sectors, 404);
    assert_int_equal(counters.dram_write_sectors, 404);
    hd_device_close(device);
    // Kernel mode. Six event groups, one per repetition of both launches; each is destroyed.
    assert_int_equal(count_text("cuptiSetEventCollectionMode 1\n"), 1);
    assert_int_equal(count_text("cuLaunchKernel"), 2 + 6 * 2);
    assert_int_equal(count_text("cuptiEventGroupEnable"), 6);
    assert_int_equal(count_text("cuptiEventGroupDisable"), 6);
    assert_int_equal(count_text("cuptiEventGroupDestroy"), 6);
    assert_int_equal(count_text("left: 0 arrays, 0 modules, 0 events\n"), 1);
}

static void expect_failure(const char *part)
{
    HdError err = {0};
    HdDevice *device = run_two();
    ExecutionCounters counters;
    assert_false(device_cuda_count(device, &counters, &err));
    assert_contains(err.text, part);
    hd_device_close(device);
    assert_int_equal(count_text("cuptiEventGroupCreate"), count_text("cuptiEventGroupDestroy"));
    unlink(scratch_path("calls"));
}

static void test_errors(void **state)
{
    (void)state;
    setenv("FAKE_CAPABILITY", "75", 1);
    expect_failure("CUPTI has events up to compute capability 7.2; this GPU has 7.5");
    setenv("FAKE_CAPABILITY", "72", 1);
    static const char *const calls[] = {
        "cuptiSetEventCollectionMode", "cuptiEventGetIdFromName", "cuptiEventGetIdFromName:4",
        "cuptiEventGroupAddEvent", "cuptiEventGroupSetAttribute", "cuptiEventGroupGetAttribute",
        "cuptiDeviceGetEventDomainAttribute", "cuptiEventGroupEnable", "cuptiEventGroupDisable",
        "cuptiEventGroupReadEvent", "cuptiEventGroupReadEvent:5",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char wish[64];
        snprintf(wish, sizeof wish, "%s=35", calls[i]);
        setenv("FAKE_FAIL", wish, 1);
        expect_failure("error 35, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
    }
    unsetenv("FAKE_FAIL");
    setenv("FAKE_UNITS", "3", 1);
    expect_failure("CUPTI's event inst_executed: only 2 of the GPU's 3 units can be counted");
    unsetenv("FAKE_UNITS");
    setenv("FAKE_LOST", "1", 1);
    expect_failure("CUPTI's event inst_executed: a unit of the GPU gave no value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_counts, start),
        cmocka_unit_test_setup(test_errors, start),
    };
    return cmocka_run_group_tests_name("device-cupti", tests, scratch_setup, scratch_teardown);
}
