// Events. All functions require the lock.
#ifndef HEDDLE_CUDART_EVENTS_H
#define HEDDLE_CUDART_EVENTS_H

#include "cudart/streams/streams.h"

bool event_known(CudaEvent event);
// Records the current time in an event, which must be known.
void event_record(CudaEvent event);
// Ends a capture into the graph for the events that were recorded in it: a stream that waits for
// one of them is no longer captured.
void events_end_capture(const Graph *graph);
// Destroys all events (cudaDeviceReset).
void events_reset(void);

#endif
