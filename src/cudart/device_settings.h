// What a program has set of its device.
#ifndef HEDDLE_CUDART_DEVICE_SETTINGS_H
#define HEDDLE_CUDART_DEVICE_SETTINGS_H

// As at the start (cudaDeviceReset), under the lock.
void device_settings_reset(void);

#endif
