// A fake libnvidia-ml.so.1. Its GPU draws a constant FAKE_MILLIWATTS (default 200000).
#include "fake.h"

EXPORT int nvmlInit_v2(void)
{
    CALL("nvmlInit_v2", "");
    return 0;
}

EXPORT int nvmlShutdown(void)
{
    CALL("nvmlShutdown", "");
    return 0;
}

EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    CALL("nvmlDeviceGetHandleByPciBusId_v2", " %s", bus);
    *device = (void *)&fake_error;
    return 0;
}

EXPORT int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    CALL("nvmlDeviceGetPowerUsage", "");
    const char *text = getenv("FAKE_MILLIWATTS");
    *milliwatts = text ? (unsigned)atoi(text) : 200000;
    return device != (void *)&fake_error;
}
