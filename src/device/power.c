// Samples a GPU's power through NVML: see power.h.
#include "device/power.h"

#include "base/host_time.h"
#include "base/memory.h"
#include "device/library.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The chips update their meters some 10 to 100 times per second.
static const struct timespec period = {.tv_nsec = 10 * 1000 * 1000};

typedef struct NvmlDeviceHandle *NvmlDeviceHandle;

// The functions of NVML in use; all return 0 or an error code.
#define NVML_FUNCTIONS(F)                                                                          \
    F(nvmlInit_v2, (void))                                                                         \
    F(nvmlShutdown, (void))                                                                        \
    F(nvmlDeviceGetHandleByPciBusId_v2, (const char *bus, NvmlDeviceHandle *device))               \
    F(nvmlDeviceGetPowerUsage, (NvmlDeviceHandle device, unsigned *milliwatts))

typedef struct NvmlApi {
    NVML_FUNCTIONS(LIBRARY_POINTER)
} NvmlApi;

static const char *const files[] = {"libnvidia-ml.so.1", NULL};
static const char *const names[] = {NVML_FUNCTIONS(LIBRARY_NAME)};

struct PowerMeter {
    void *library;
    NvmlApi api;
    bool started; // NVML was
    NvmlDeviceHandle device;
    pthread_t thread;
    atomic_bool stop;
    // Written by the thread while it runs.
    PowerSample *samples;
    size_t count, capacity;
    int code; // the first error of NVML
    bool out_of_memory;
};

PowerSummary power_summarise(const PowerSample *samples, size_t count)
{
    PowerSummary summary = {.samples = count};
    for (size_t i = 0; i < count; i++) {
        double watts = samples[i].watts;
        if (i == 0 || watts < summary.min) summary.min = watts;
        if (i == 0 || watts > summary.max) summary.max = watts;
        if (i == 0) continue;
        double seconds = samples[i].seconds - samples[i - 1].seconds;
        summary.seconds += seconds;
        summary.joules += seconds * (samples[i - 1].watts + watts) / 2;
    }
    if (summary.seconds > 0) summary.watts = summary.joules / summary.seconds;
    else if (count) summary.watts = samples[0].watts;
    return summary;
}

static bool fail_nvml(int code, const char *what, HdError *err)
{
    const char *words = code == 3   ? " (not supported by this GPU)"
                        : code == 4 ? " (no permission)"
                        : code == 6 ? " (not found)"
                        : code == 9 ? " (the driver is not loaded)"
                                    : "";
    return hd_fail(err, "the GPU's power cannot be measured: %s: error %d of NVML%s", what, code,
                   words);
}

PowerMeter *power_open(const char *bus, HdError *err)
{
    HdError why = {0};
    int code;
    PowerMeter *meter = hd_new(1, sizeof *meter);
    if (!meter) {
        hd_fail_memory(err, "measuring power");
        return NULL;
    }
    meter->library =
        library_open(files, names, sizeof names / sizeof *names, &meter->api, &why);
    if (!meter->library) {
        hd_fail(err, "the GPU's power cannot be measured: %s (it comes with the driver)", why.text);
    } else if ((code = meter->api.nvmlInit_v2())) {
        fail_nvml(code, "starting", err);
    } else {
        meter->started = true;
        code = meter->api.nvmlDeviceGetHandleByPciBusId_v2(bus, &meter->device);
        if (!code) return meter;
        fail_nvml(code, bus, err);
    }
    power_close(meter);
    return NULL;
}

void power_close(PowerMeter *meter)
{
    if (!meter) return;
    if (meter->started) meter->api.nvmlShutdown();
    library_close(meter->library);
    free(meter->samples);
    free(meter);
}

static bool sample(PowerMeter *meter)
{
    unsigned milliwatts;
    int code = meter->api.nvmlDeviceGetPowerUsage(meter->device, &milliwatts);
    if (code) {
        meter->code = code;
        return false;
    }
    PowerSample now = {.seconds = host_seconds(), .watts = milliwatts / 1000.0};
    meter->out_of_memory = !HD_PUSH(meter->samples, meter->count, meter->capacity, now);
    return !meter->out_of_memory;
}

static bool fail_sample(const PowerMeter *meter, HdError *err)
{
    return meter->out_of_memory ? hd_fail_memory(err, "measuring power")
                       : fail_nvml(meter->code, "sampling", err);
}

static void *sample_loop(void *context)
{
    PowerMeter *meter = context;
    while (!atomic_load(&meter->stop)) {
        nanosleep(&period, NULL);
        if (!sample(meter)) break;
    }
    return NULL;
}

bool power_start(PowerMeter *meter, HdError *err)
{
    meter->count = 0;
    meter->code = 0;
    meter->out_of_memory = false;
    atomic_store(&meter->stop, false);
    if (!sample(meter)) return fail_sample(meter, err);
    int code = pthread_create(&meter->thread, NULL, sample_loop, meter);
    return !code || hd_fail(err, "a thread for measuring power: %s", strerror(code));
}

bool power_stop(PowerMeter *meter, PowerSummary *summary, HdError *err)
{
    atomic_store(&meter->stop, true);
    pthread_join(meter->thread, NULL);
    if (meter->code || meter->out_of_memory || !sample(meter)) return fail_sample(meter, err);
    *summary = power_summarise(meter->samples, meter->count);
    return true;
}
