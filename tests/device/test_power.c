// Tests of power and energy: the integration by hand, and sampling on a fake library
// (fake/nvml.c).
#include "support/scratch.h"

#include "device/power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int start(void **state)
{
    (void)state;
    unsetenv("FAKE_FAIL");
    unsetenv("FAKE_MILLIWATTS");
    unlink(scratch_path("calls"));
    return setenv("FAKE_LOG", scratch_path("calls"), 1);
}

// Trapezoids of 0.5 s x (100+120)/2 W, 1 s x (120+80)/2 W, 0.25 s x (80+80)/2 W: 55 + 100 + 20 J.
static void test_figures(void **state)
{
    (void)state;
    const PowerSample samples[] = {{10, 100}, {10.5, 120}, {11.5, 80}, {11.75, 80}};
    PowerSummary summary = power_summarise(samples, 4);
    assert_true(summary.joules == 175);
    assert_true(summary.seconds == 1.75);
    assert_true(summary.watts == 100);
    assert_true(summary.min == 80 && summary.max == 120);
    assert_int_equal(summary.samples, 4);
    summary = power_summarise(samples, 1);
    assert_true(summary.joules == 0 && summary.seconds == 0 && summary.watts == 100);
    summary = power_summarise(samples, 0);
    assert_true(summary.joules == 0 && summary.watts == 0 && summary.samples == 0);
}

static void test_sampling(void **state)
{
    (void)state;
    HdError err = {0};
    PowerMeter *meter = power_open("0000:17:00.0", &err);
    PowerSummary summary;
    setenv("FAKE_MILLIWATTS", "125000", 1);
    for (int i = 0; i < 2; i++) {
        assert_true(meter && power_start(meter, &err));
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
        assert_true(power_stop(meter, &summary, &err));
        // Power is constant, whatever the duration and the number of samples.
        assert_true(summary.samples >= 2 && summary.seconds >= 0.05);
        assert_true(summary.min == 125 && summary.max == 125);
        assert_float_equal(summary.watts, 125, 1e-9);
        assert_float_equal(summary.joules, 125 * summary.seconds, 1e-9);
    }
    power_close(meter);
    FILE *file = fopen(scratch_path("calls"), "r");
    char calls[8192];
    assert_non_null(file);
    calls[fread(calls, 1, sizeof calls - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(calls, "nvmlDeviceGetHandleByPciBusId_v2 0000:17:00.0\n"));
    assert_non_null(strstr(calls, "nvmlShutdown\n"));
}

static void test_errors(void **state)
{
    (void)state;
    HdError err = {0};
    setenv("FAKE_FAIL", "nvmlInit_v2=9", 1);
    assert_null(power_open("x", &err));
    assert_string_equal(err.text, "the GPU's power cannot be measured: starting: error 9 of NVML "
                                  "(the driver is not loaded)");
    setenv("FAKE_FAIL", "nvmlDeviceGetHandleByPciBusId_v2=6", 1);
    assert_null(power_open("0000:99:00.0", &err));
    assert_non_null(strstr(err.text, ": 0000:99:00.0: error 6 of NVML (not found)"));
    setenv("FAKE_FAIL", "nvmlDeviceGetPowerUsage=3", 1);
    PowerMeter *meter = power_open("x", &err);
    assert_non_null(meter);
    assert_false(power_start(meter, &err));
    assert_non_null(strstr(err.text, "sampling: error 3 of NVML (not supported by this GPU)"));
    power_close(meter);
    // An error of the sampling thread is reported when sampling ends.
    PowerSummary summary;
    setenv("FAKE_FAIL", "nvmlDeviceGetPowerUsage:3=999", 1);
    meter = power_open("x", &err);
    assert_true(meter && power_start(meter, &err));
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
    assert_false(power_stop(meter, &summary, &err));
    assert_non_null(strstr(err.text, "sampling: error 999 of NVML"));
    power_close(meter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_figures, start),
        cmocka_unit_test_setup(test_sampling, start),
        cmocka_unit_test_setup(test_errors, start),
    };
    return cmocka_run_group_tests_name("device-power", tests, scratch_setup, scratch_teardown);
}
