// Device settings that a program has made.
#ifndef HEDDLE_CUDART_DEVICE_SETTINGS_H
#define HEDDLE_CUDART_DEVICE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum { DEVICE_LIMITS = 7 };
typedef struct DeviceSettings {
    bool limits_set;
    size_t limits[DEVICE_LIMITS];
    unsigned flags;
    int cache, banks; // preferred cache configuration and bank size
} DeviceSettings;

// Restores the defaults (cudaDeviceReset), under the lock.
void device_settings_reset(void);

#endif
