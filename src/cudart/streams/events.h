// Events as the other families see them; under the lock.
#ifndef HEDDLE_CUDART_EVENTS_H
#define HEDDLE_CUDART_EVENTS_H

#include "cudart/streams/streams.h"

bool event_known(CudaEvent event);
// Records a known event: now.
void event_record(CudaEvent event);
// Events recorded while the graph was captured lead into it no more.
void events_end_capture(const Graph *graph);
// As at the start (cudaDeviceReset): handles are invalid then.
void events_reset(void);

#endif
