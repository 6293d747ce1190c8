// Repeats a program on a real GPU and samples its power.
#include "cli/run/power_measurement.h"

#include "base/host_time.h"
#include "cli/common/interrupt.h"
#include "device/cuda_device.h"

// The share of --seconds for the idle GPU, and for warming repetitions before those that count.
// Newer chips report a mean over the last second, so --seconds should be ten or more.
static const double aside = 0.1;

bool power_measurement_open(Run *run, HdError *err)
{
    if (run->options->seconds <= 0) return true;
    run->meter = power_open(run->gpu_info->bus, err);
    return run->meter != NULL;
}

static bool interrupted(HdError *err)
{
    return *signals_caught() && !hd_fail(err, "interrupted while power was measured");
}

static bool repeat_until(Run *run, double moment, HdError *err)
{
    do {
        if (interrupted(err) || !device_cuda_repeat(run->device, err)) return false;
    } while (host_seconds() < moment);
    return true;
}

bool power_measurement_idle(Run *run, HdError *err)
{
    static const struct timespec step = {.tv_nsec = 5 * 1000 * 1000};
    if (!run->meter) return true;
    if (!power_start(run->meter, err)) return false;
    double end = host_seconds() + aside * run->options->seconds;
    bool ok = true;
    while (ok && host_seconds() < end) {
        ok = !interrupted(err);
        if (ok) nanosleep(&step, NULL);
    }
    return power_stop(run->meter, &run->power.idle, ok ? err : NULL) && ok;
}

bool power_measurement_busy(Run *run, HdError *err)
{
    double seconds = run->options->seconds;
    if (!run->meter || (run->checked && !run->result.verified)) return true;
    if (!repeat_until(run, host_seconds() + aside * seconds, err)) return false;
    device_cuda_forget(run->device);
    if (!power_start(run->meter, err)) return false;
    bool ok = repeat_until(run, host_seconds() + seconds, err);
    ok = power_stop(run->meter, &run->power.busy, ok ? err : NULL) && ok;
    run->power.repetitions = device_cuda_repetitions(run->device, &run->power.strayed);
    return ok;
}
