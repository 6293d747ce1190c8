// Events as the other families see them; under the lock.
#ifndef HEDDLE_CUDART_EVENTS_H
#define HEDDLE_CUDART_EVENTS_H

#include "cudart/context.h"

bool event_known(CudaEvent event);
// Records a known event: now.
void event_record(CudaEvent event);
// As at the start (cudaDeviceReset): handles are invalid then.
void events_reset(void);

#endif
